/**
 * A wall switch and a lamp behind an Insteon modem on TCP, which serves one machine at a time and ends the connection of the one
 * before. From the first line of input on, somebody presses the switch every two seconds, which leaves the air free in between.
 * Prints for each press when it was, and how long it took until the lamp followed.
 *
 *     node test/peers/serve-wall-switch.ts HOST PORT
 */

import { createServer } from "node:net";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { systemClock } from "../../src/util/clock.ts";

const [host = "127.0.0.1", port = "9761"] = process.argv.slice(2);
const [ON, OFF, PRESS_MS] = [0x11, 0x13, 2000];
const plan = (last: number) => ({ id: [0x2d, 0x40, last], kind: "relay" }) as const;

const modem = new SimulatedModem(systemClock, [plan(1), plan(2)]);
const [paddle, lamp] = [modem.device(plan(1).id), modem.device(plan(2).id)];
const server = createServer((socket) => {
  socket.setNoDelay().on("error", () => {});
  const line = modem.open({ hear: (bytes) => socket.write(bytes), cut: () => socket.destroy() });
  socket.on("data", (bytes) => line.write(bytes)).on("close", () => line.close());
});
server.listen(Number(port), host);

let isOn = false;
let pressedAtMs = 0;

function press(): void {
  if (pressedAtMs > 0) process.stdout.write(`${pressedAtMs} not\n`);
  isOn = !isOn;
  pressedAtMs = Date.now();
  modem.press(paddle, 1, isOn ? ON : OFF);
}

process.stdin.once("data", () => setInterval(press, PRESS_MS));
setInterval(() => {
  if (pressedAtMs === 0 || lamp.level() > 0 !== isOn) return;
  process.stdout.write(`${pressedAtMs} ${Date.now() - pressedAtMs}\n`);
  pressedAtMs = 0;
}, 5);
