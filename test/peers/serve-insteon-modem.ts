/** A simulated Insteon modem on a TCP port of loopback, for libraries that know real ones. Prints the port; ends with its input. */

import { serveModem } from "../../simulators/insteon/serve-modem.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { systemClock } from "../../src/util/clock.ts";

const modem = new SimulatedModem(systemClock, [
  { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" },
  { id: [0x22, 0x05, 0x06], kind: "keypad" },
  { id: [0x30, 0x31, 0x32], kind: "relay", engine: 1 },
]);
modem.place({ id: [0x40, 0x41, 0x42], kind: "relay" });
const server = await serveModem(modem);
process.stdout.write(`${new URL(server.url).port}\n`);
process.stdin.resume().once("end", () => process.exit());
