/** An Insteon modem behind a TCP port of a whole service: its devices in the home, commands, presses, its loss and return. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import type { DevicePlan } from "../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const DIMMER: DevicePlan = { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" };
const LEAK: DevicePlan = { id: [0x22, 0x05, 0x06], kind: "leak" };
const LAMP = "1A 2B 3C 1";
const WET = "22 5 6 2";

const clock = new VirtualClock(START_MS);
const modem = new SimulatedModem(clock, [DIMMER, LEAK]);
let server: ModemServer;
let controller: TestController;

beforeAll(async () => {
  server = await serveModem(modem);
  const starting = startTestController({ demo: false, insteonPort: server.url }, { clock });
  controller = await passingUntil(clock, starting);
  await controller.login();
  await passUntil(clock, () => node(WET) !== undefined && value(LAMP, "RR") !== undefined);
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await server.close();
});

test("the devices of the modem are nodes of the home, with their type and family", async () => {
  const { text } = await controller.local.get("/rest/nodes");
  expect(text).toContain(`<address>${LAMP}</address>`);
  expect(text).toContain("<type>1.32.69.0</type>");
  expect([node(LAMP)?.nodeDefId, node(WET)?.link]).toEqual(["DimmerLampSwitch_ADV", "asleep"]);
});

test("a command answers 200 when the device has answered, and its level is the device's", async () => {
  const answer = await passingUntil(clock, controller.local.get("/rest/nodes/1A%202B%203C%201/cmd/DON/128"));
  expect([answer.status, modem.device(DIMMER.id).level(), value(LAMP, "ST")]).toEqual([200, 128, 128]);
});

test("a command that the device does not answer is no success, and marks the device until it answers", async () => {
  modem.device(DIMMER.id).isDeaf = true;
  const answer = await passingUntil(clock, controller.local.get("/rest/nodes/1A%202B%203C%201/cmd/DOF"));
  expect(answer.status).not.toBe(200);
  expect([value(LAMP, "ST"), value(LAMP, "ERR"), node(LAMP)?.link]).toEqual([128, 1, "unreachable"]);
  modem.device(DIMMER.id).isDeaf = false;
  expect((await passingUntil(clock, controller.local.get("/rest/query/1A%202B%203C%201"))).status).toBe(200);
  await passUntil(clock, () => value(LAMP, "ERR") === 0 && node(LAMP)?.link === "online");
});

test("a leak reaches the stream once, as a control and as the status of both nodes", async () => {
  const stream = await controller.subscribe("rest");
  modem.press(modem.device(LEAK.id), 2, 0x11);
  await passUntil(clock, () => value(WET, "ST") === 255);
  await pass(clock, 5000);
  const controls = () => stream.frames.filter((frame) => frame.control === "DON" && frame.node === WET);
  await passUntil(clock, () => controls().length > 0);
  expect([controls().length, value("22 5 6 1", "ST")]).toEqual([1, 0]);
  await stream.close();
});

test("a modem that is lost makes its devices unreachable, and they come back with it", async () => {
  modem.unplug();
  await passUntil(clock, () => node(LAMP)?.link === "unreachable");
  expect(value(WET, "ST")).toBe(255);
  modem.isPlugged = true;
  await passUntil(clock, () => node(LAMP)?.link === "online");
  expect((await passingUntil(clock, controller.local.get("/rest/nodes/1A%202B%203C%201/cmd/DOF"))).status).toBe(200);
});

test("a restart keeps the devices, and a sensor's value", async () => {
  await passingUntil(clock, controller.restart());
  expect([value(WET, "ST"), value("22 5 6 1", "ST")]).toEqual([255, 0]);
});

test("a port that is neither a path nor an address is refused with what it may be", async () => {
  const wrong = startTestController({ demo: false, insteonPort: "modem.local" });
  await expect(wrong).rejects.toThrow("The setting insteonPort does not have the form that it needs. A serial port");
});

function node(address: string) {
  return controller.services.home.nodes.get(address);
}

function value(address: string, property: string): number | null | undefined {
  return node(address)?.properties.get(property)?.value;
}
