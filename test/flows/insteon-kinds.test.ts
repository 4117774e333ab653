/** Every kind of Insteon device through the whole service: a command reaches the device and the stream, a press the stream. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import type { DevicePlan } from "../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

type Kind = Omit<DevicePlan, "id">;

const ON = 0x11;
const OFF = 0x13;
const FAST_ON = 0x12;

/** What a person commands, the load and its level then, and the value that the stream shows. */
type Commanded = readonly [group: number, command: string, load: number, level: number, shown: string];
/** The group that a person or the world presses, the message, the node's group, its control and its value, if it has one. */
type Pressed = readonly [group: number, message: number, node: number, control: string, shown: string | null];

const KINDS: readonly (readonly [name: string, kind: Kind, commanded: Commanded | null, pressed: Pressed | null])[] = [
  ["dimmer switch", { kind: "dimmer" }, [1, "DON/128", 1, 128, "128"], [1, OFF, 1, "DOF", "0"]],
  [
    "plug-in dimmer",
    { kind: "dimmer", product: [1, 14], engine: 1 },
    [1, "DON/51", 1, 51, "51"],
    [1, FAST_ON, 1, "DFON", "255"],
  ],
  ["in-line dimmer", { kind: "dimmer", product: [1, 50] }, [1, "DFON", 1, 255, "255"], [1, OFF, 1, "DOF", "0"]],
  [
    "dimmer of the first generation",
    { kind: "dimmer", product: [1, 1], engine: 0 },
    [1, "DON/100", 1, 100, "100"],
    [1, OFF, 1, "DOF", "0"],
  ],
  ["bulb", { kind: "dimmer", product: [1, 58] }, [1, "DON/200", 1, 200, "200"], null],
  ["i3 paddle", { kind: "dimmer", product: [1, 87], erased: 255 }, [1, "DON/64", 1, 64, "64"], [1, OFF, 1, "DOF", "0"]],
  ["i3 dial", { kind: "dimmer", product: [1, 88], erased: 255 }, [1, "DON/64", 1, 64, "64"], [1, OFF, 1, "DOF", "0"]],
  ["keypad with eight buttons", { kind: "keypad" }, [1, "DON/90", 1, 90, "90"], [5, ON, 5, "DON", "255"]],
  [
    "keypad with six buttons",
    { kind: "keypad", product: [1, 66], groups: [1, 3, 4, 5, 6] },
    [1, "DON/90", 1, 90, "90"],
    [3, ON, 3, "DON", "255"],
  ],
  [
    "i3 keypad",
    { kind: "keypad", product: [1, 89], erased: 255 },
    [1, "DON/90", 1, 90, "90"],
    [8, ON, 8, "DON", "255"],
  ],
  ["FanLinc", { kind: "fan" }, [2, "DON/191", 2, 191, "191"], null],
  ["relay switch", { kind: "relay" }, [1, "DON", 1, 255, "255"], [1, OFF, 1, "DOF", "0"]],
  ["plug-in relay", { kind: "relay", product: [2, 56] }, [1, "DON", 1, 255, "255"], [1, OFF, 1, "DOF", "0"]],
  ["micro relay", { kind: "relay", product: [2, 50] }, [1, "DFON", 1, 255, "255"], [1, OFF, 1, "DOF", "0"]],
  ["outlet", { kind: "outlet" }, [2, "DON", 2, 255, "255"], [2, OFF, 2, "DOF", "0"]],
  ["i3 outlet", { kind: "outlet", product: [2, 63] }, [2, "DON", 2, 255, "255"], [1, ON, 1, "DON", "255"]],
  ["relay keypad", { kind: "keypad", product: [2, 37] }, [1, "DON", 1, 255, "255"], [2, ON, 2, "DON", "255"]],
  ["I/O Linc", { kind: "io" }, [2, "DON", 1, 255, "255"], [1, ON, 1, "DON", null]],
  ["open/close module", { kind: "dimmer", product: [14, 1] }, [1, "DON/128", 1, 128, "128"], [1, OFF, 1, "DOF", null]],
  ["motion sensor", { kind: "motion" }, null, [1, ON, 1, "DON", "255"]],
  ["motion sensor in the dark", { kind: "motion" }, null, [2, ON, 2, "DON", "255"]],
  ["Motion Sensor II", { kind: "motion", product: [16, 22], groups: [1, 2, 3, 4, 5, 6] }, null, [5, ON, 1, "DOF", "0"]],
  [
    "Motion Sensor II when it gets light",
    { kind: "motion", product: [16, 22], groups: [1, 2, 3, 4, 5, 6] },
    null,
    [6, ON, 2, "DOF", "0"],
  ],
  ["leak sensor", { kind: "leak" }, null, [2, ON, 2, "DON", "255"]],
  ["door sensor", { kind: "door" }, null, [1, ON, 1, "DON", "255"]],
  ["smoke bridge", { kind: "leak", product: [16, 10], groups: [1, 2, 5, 10] }, null, [2, ON, 2, "DON", "255"]],
  [
    "remote with eight buttons",
    { kind: "motion", product: [0, 18], groups: [1, 2, 3, 4, 5, 6, 7, 8] },
    null,
    [7, ON, 7, "DON", "255"],
  ],
];

const PLANS = KINDS.map(([, kind], at): DevicePlan => ({ id: [0x1a, 0x0b, at + 1], ...kind }));
const DISCOVERY_MS = 140_000;

const clock = new VirtualClock(START_MS);
const modem = new SimulatedModem(clock, PLANS);
let server: ModemServer;
let controller: TestController;
let stream: FrameStream;

beforeAll(async () => {
  server = await serveModem(modem);
  controller = await passingUntil(clock, startTestController({ demo: false, insteonPort: server.url }, { clock }));
  await controller.login();
  await pass(clock, DISCOVERY_MS);
  // The modem's record of a remote does not tell what it is; its first press does.
  for (const plan of PLANS.filter(({ product }) => product?.[0] === 0)) modem.press(modem.device(plan.id), 1, OFF);
  await pass(clock, 10_000);
  stream = await controller.subscribe("rest");
}, 120_000);

afterAll(async () => {
  await stream.close();
  await controller[Symbol.asyncDispose]();
  await server.close();
});

describe("every kind of device is in the home", () => {
  test("without a node whose nodedef is unknown", () => {
    const { home, profile } = controller.services;
    const nodes = [...home.nodes.values()];
    expect(new Set(nodes.map(({ primary }) => primary)).size).toBe(PLANS.length);
    expect(nodes.filter(({ nodeDefId }) => !profile.nodedef(nodeDefId, 1, 1))).toEqual([]);
  });
});

const cases = KINDS.map(([name, , commanded, pressed], at) => ({
  name,
  commanded,
  pressed,
  id: PLANS[at]?.id ?? [0, 0, 0],
}));

describe("a command reaches the device, and its new value the stream", () => {
  test.each(cases.flatMap(({ commanded, ...rest }) => (commanded ? [{ ...rest, commanded }] : [])))(
    "$name: $commanded",
    async ({ id, commanded: [group, command, load, level, shown] }) => {
      const from = stream.frames.length;
      const path = `/rest/nodes/${encodeURIComponent(addressOf(id, group))}/cmd/${command}`;
      const answer = await passingUntil(clock, controller.local.get(path));
      expect([answer.status, modem.device(id).level(load)]).toEqual([200, level]);
      await passUntil(clock, () => valuesSince(from, addressOf(id, group)).includes(shown));
      expect(valuesSince(from, addressOf(id, group)).at(-1)).toBe(shown);
    },
  );
});

describe("a press is one event on the stream, with the value that follows from it", () => {
  test.each(cases.flatMap(({ pressed, ...rest }) => (pressed ? [{ ...rest, pressed }] : [])))(
    "$name: $pressed",
    async ({ id, pressed: [group, message, node, control, shown] }) => {
      const from = stream.frames.length;
      const address = addressOf(id, node);
      modem.press(modem.device(id), group, message);
      const controls = () =>
        stream.frames.slice(from).filter((frame) => frame.node === address && frame.control === control);
      await passUntil(clock, () => controls().length > 0);
      await pass(clock, 3000);
      expect(controls()).toHaveLength(1);
      const property = controller.services.home.nodes.get(address)?.properties.get("ST");
      expect(shown === null || String(property?.value) === shown).toBe(true);
    },
  );
});

function addressOf(id: readonly number[], group: number): string {
  return [...id, group].map((part) => part.toString(16).toUpperCase()).join(" ");
}

function valuesSince(from: number, address: string): readonly string[] {
  const frames = stream.frames.slice(from).filter((frame) => frame.node === address && frame.control === "ST");
  return frames.map(({ action }) => action);
}
