/** The bridge as an ecosystem sees it: a controller of the same library over a simulated network commissions, commands and hears it. */

import type { Endpoint } from "@matter/main";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type {
  Attributes,
  BridgeEvent,
  BridgeStatus,
  ClusterFeature,
  DeviceKind,
  ShownEndpoint,
} from "../../../src/bridges/matter/bridge-messages.ts";
import { fixedOf } from "../../../src/bridges/matter/thermostat.ts";
import { simulateNetwork } from "../../support/matter-network.ts";

const { BridgeNode } = await import("../../../src/bridges/matter/bridge-node.ts");
const { ControllerBehavior, ServerNode } = await import("@matter/main");
const { Invoke } = await import("@matter/main/protocol");
const { QrPairingCodeCodec } = await import("@matter/main/types");

const BOTH: readonly ClusterFeature[] = ["Heating", "Cooling", "AutoMode"];
const SAME_LIMITS = { min: 400, max: 3500 };
/** Number of the field in the command. */
const TRANSITION_TIME = 1;
const CLIMATE: Attributes = {
  thermostat: {
    ...{ localTemperature: 2150, systemMode: 1, occupiedHeatingSetpoint: 2000, occupiedCoolingSetpoint: 2400 },
  },
};
const CLOSED: Attributes = { windowCovering: { currentPositionLiftPercent100ths: 10_000 } };
const ENDPOINTS: readonly ShownEndpoint[] = [
  made("light"),
  made("dimmable-light"),
  made("outlet"),
  made("thermostat", { address: "bad", fixed: fixedOf(["Heating"], { min: 3000, max: 100 }, SAME_LIMITS) }),
  made("fan", { fixed: { fanControl: { fanModeSequence: 0 } } }),
  made("cover", { features: ["PositionAwareLift"], attributes: CLOSED }),
  made("cover", { address: "cover without position" }),
  made("lock"),
  made("thermostat", { features: BOTH, fixed: fixedOf(BOTH, SAME_LIMITS, SAME_LIMITS), attributes: CLIMATE }),
  made("occupancy"),
  made("contact"),
  made("leak"),
  made("freeze"),
  made("smoke"),
  made("carbon-monoxide"),
  made("temperature"),
  made("humidity"),
  made("illuminance"),
];

const network = simulateNetwork();
const events: BridgeEvent[] = [];
/** What the nodes answer. */
let refusal: string | null = null;
let answersAtOnce = true;
let node: Awaited<ReturnType<typeof BridgeNode.start>>;
let controller: Awaited<ReturnType<typeof startController>>;
let peer: Awaited<ReturnType<typeof commission>>;

beforeAll(async () => {
  const task = {
    storage: "",
    port: 5540,
    networkInterface: null,
    name: "Home",
    uniqueId: "0123456789abcdef",
    version: "1",
  };
  node = await BridgeNode.start({ ...task, endpoints: ENDPOINTS }, hear, network.host());
  controller = await startController("controller");
  peer = await commission(controller);
});

afterAll(async () => {
  await controller.close();
  await node.close();
});

test("every device is there with its name, and one that the library refuses takes no other down", () => {
  expect(labels()).toEqual(ENDPOINTS.map(({ spec }) => spec.name).filter((name) => name !== "bad"));
  const failed = events.filter(({ kind }) => kind === "endpoint-failed");
  expect(failed).toEqual([{ kind: "endpoint-failed", address: "bad", reason: expect.stringContaining("Limit") }]);
});

test("all endpoints exist before the bridge is on the network", () => {
  expect(events.findIndex(({ kind }) => kind === "endpoint-failed")).toBeLessThan(
    events.findIndex(({ kind }) => kind === "ready"),
  );
});

test.each([
  ["light", "onOff", "on", undefined, { kind: "on" }],
  ["light", "onOff", "off", undefined, { kind: "off" }],
  ["light", "onOff", "toggle", undefined, { kind: "on" }],
  ["outlet", "onOff", "on", undefined, { kind: "on" }],
  ["dimmable-light", "onOff", "on", undefined, { kind: "level", level: 254 }],
  ["dimmable-light", "levelControl", "moveToLevelWithOnOff", level(127), { kind: "level", level: 127 }],
  ["dimmable-light", "onOff", "off", undefined, { kind: "off" }],
  ["dimmable-light", "onOff", "on", undefined, { kind: "level", level: 127 }],
  ["dimmable-light", "levelControl", "moveToLevelWithOnOff", level(1), { kind: "off" }],
  ["cover", "windowCovering", "upOrOpen", undefined, { kind: "open" }],
  ["cover", "windowCovering", "downOrClose", undefined, { kind: "close" }],
  ["cover", "windowCovering", "stopMotion", undefined, { kind: "stop" }],
  ["cover", "windowCovering", "goToLiftPercentage", { liftPercent100thsValue: 2500 }, { kind: "lift", closed: 25 }],
  ["cover without position", "windowCovering", "upOrOpen", undefined, { kind: "open" }],
  ["lock", "doorLock", "lockDoor", {}, { kind: "lock" }],
  ["lock", "doorLock", "unlockDoor", {}, { kind: "unlock" }],
] as const)("%s: %s.%s reaches the node", async (name, behavior, command, request, expected) => {
  expect(await commandOf(() => invoke(name, behavior, command, request))).toEqual(expected);
});

test.each([
  ["thermostat", { thermostat: { occupiedHeatingSetpoint: 2100 } }, { kind: "climate", heat: 2100 }],
  ["thermostat", { thermostat: { systemMode: 4 } }, { kind: "climate", mode: 4 }],
  ["fan", { fanControl: { percentSetting: 40 } }, { kind: "fan", percent: 40 }],
  ["fan", { fanControl: { fanMode: 3 } }, { kind: "fan", percent: 100 }],
] as const)("%s: a write of %j reaches the node", async (name, values, expected) => {
  expect(await commandOf(() => write(name, values))).toEqual(expected);
});

test("a set-point beyond the other one moves the other one too, in one command", async () => {
  const expected = { kind: "climate", heat: 2600, cool: 2600 };
  expect(await commandOf(() => write("thermostat", { thermostat: { occupiedHeatingSetpoint: 2600 } }))).toEqual(
    expected,
  );
});

test("a set-point that is raised right after it was written, before the node has answered, rises from what was written", async () => {
  const before = commands().length;
  answersAtOnce = false;
  await write("thermostat", { thermostat: { occupiedHeatingSetpoint: 2650 } });
  await vi.waitFor(() => expect(commands()).toHaveLength(before + 1));
  // From before the write.
  await node.obey({ kind: "state", address: "thermostat", state: { isReachable: true, attributes: CLIMATE } });
  await invoke("thermostat", "thermostat", "setpointRaiseLower", { mode: 0, amount: 10 });
  await vi.waitFor(() => expect(commands()).toHaveLength(before + 2));
  expect(commands().slice(before)).toEqual([
    { kind: "climate", heat: 2650, cool: 2650 },
    { kind: "climate", heat: 2750, cool: 2750 },
  ]);
  answersAtOnce = true;
  for (const event of events.filter(({ kind }) => kind === "command").slice(-2)) answer(event);
});

test("what the node refuses reaches the ecosystem, and what was written is set back", async () => {
  await node.obey({ kind: "state", address: "thermostat", state: { isReachable: true, attributes: CLIMATE } });
  refusal = "The device did not answer.";
  await expect(invoke("light", "onOff", "on")).rejects.toThrow();
  await expect(invoke("lock", "doorLock", "unlockDoor", {})).rejects.toThrow();
  await write("thermostat", { thermostat: { occupiedHeatingSetpoint: 1500 } });
  await vi.waitFor(() => expect(heard("thermostat", "thermostat", "occupiedHeatingSetpoint")).toBe(2000));
  refusal = null;
});

test.each([
  ["light", { onOff: { onOff: true } }],
  ["dimmable-light", { onOff: { onOff: true }, levelControl: { currentLevel: 77 } }],
  ["outlet", { onOff: { onOff: true } }],
  ["fan", { fanControl: { percentSetting: 66, percentCurrent: 66, fanMode: 2 } }],
  ["cover", { windowCovering: { currentPositionLiftPercent100ths: 4000 } }],
  ["lock", { doorLock: { lockState: 1 } }],
  ["thermostat", { thermostat: { localTemperature: 1980, systemMode: 3 } }],
  ["contact", { booleanState: { stateValue: false } }],
  ["leak", { booleanState: { stateValue: true } }],
  ["freeze", { booleanState: { stateValue: true } }],
  ["smoke", { smokeCoAlarm: { smokeState: 2 } }],
  ["carbon-monoxide", { smokeCoAlarm: { coState: 2 } }],
  ["temperature", { temperatureMeasurement: { measuredValue: 2150 } }],
  ["humidity", { relativeHumidityMeasurement: { measuredValue: 4500 } }],
  ["illuminance", { illuminanceMeasurement: { measuredValue: 20_001 } }],
] as const)("%s: the ecosystem hears %j", async (name, attributes) => {
  await node.obey({ kind: "state", address: name, state: { isReachable: true, attributes } });
  for (const [behavior, values] of Object.entries<Attributes[string]>(attributes)) {
    for (const [attribute, value] of Object.entries(values)) {
      await vi.waitFor(() => expect(heard(name, behavior, attribute)).toBe(value));
    }
  }
});

test("motion is heard", async () => {
  const attributes = { occupancySensing: { occupancy: { occupied: true } } };
  await node.obey({ kind: "state", address: "occupancy", state: { isReachable: true, attributes } });
  await vi.waitFor(() => expect(heard("occupancy", "occupancySensing", "occupancy")).toMatchObject({ occupied: true }));
});

test("a cover that was sent somewhere stands still when its node has reported, wherever it is", async () => {
  await invoke("cover", "windowCovering", "goToLiftPercentage", { liftPercent100thsValue: 0 });
  await vi.waitFor(() => expect(heard("cover", "windowCovering", "targetPositionLiftPercent100ths")).toBe(0));
  const attributes = { windowCovering: { currentPositionLiftPercent100ths: 3000 } };
  await node.obey({ kind: "state", address: "cover", state: { isReachable: true, attributes } });
  await vi.waitFor(() => expect(heard("cover", "windowCovering", "targetPositionLiftPercent100ths")).toBe(3000));
  expect(heard("cover", "windowCovering", "operationalStatus")).toMatchObject({ global: 0, lift: 0 });
});

test("a device that cannot be reached keeps its values", async () => {
  const state = { isReachable: false, attributes: {} };
  await node.obey({ kind: "state", address: "dimmable-light", state });
  await vi.waitFor(() => expect(heard("dimmable-light", "bridgedDeviceBasicInformation", "reachable")).toBe(false));
  expect(heard("dimmable-light", "levelControl", "currentLevel")).toBe(77);
  await node.obey({ kind: "state", address: "dimmable-light", state: { ...state, isReachable: true } });
});

test("a level without the time of its transition, which some ecosystems send, is taken", async () => {
  const before = commands().length;
  const { levelControl } = (remote("dimmable-light").behaviors as unknown as Behaviors).supported;
  const command = { endpoint: remote("dimmable-light"), cluster: levelControl, command: "moveToLevelWithOnOff" };
  const whole = Invoke({ commands: [{ ...command, fields: level(180) } as never], timeout: 1000 as never });
  const [sent] = whole.invokeRequests;
  const fields = (sent?.commandFields ?? []) as readonly { readonly tag?: { readonly id?: number } }[];
  const invokeRequests = [{ ...sent, commandFields: fields.filter(({ tag }) => tag?.id !== TRANSITION_TIME) }];
  const answers: unknown[] = [];
  for await (const chunk of peer.interaction.invoke({ ...whole, invokeRequests } as typeof whole))
    answers.push(...chunk);
  expect(answers).toMatchObject([{ kind: "cmd-status", status: 0 }]);
  expect(commands().slice(before)).toEqual([{ kind: "level", level: 180 }]);
});

test("right after an off of the same ecosystem a level is stored, and the lamp stays off", async () => {
  await invoke("dimmable-light", "onOff", "off");
  const before = commands().length;
  await invoke("dimmable-light", "levelControl", "moveToLevelWithOnOff", level(200));
  expect(commands()).toHaveLength(before);
  // The library tells levels once a second.
  await vi.waitFor(() => expect(heard("dimmable-light", "levelControl", "currentLevel")).toBe(200), 5000);
});

test("a level without on and off does not switch on a lamp that is off", async () => {
  const attributes = { onOff: { onOff: false } };
  await node.obey({ kind: "state", address: "dimmable-light", state: { isReachable: true, attributes } });
  const before = commands().length;
  await invoke("dimmable-light", "levelControl", "moveToLevel", {
    ...level(90),
    ...{ optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } },
  });
  expect(commands()).toHaveLength(before);
});

test("the home owns the name: another one that an ecosystem writes is set back", async () => {
  await write("light", { bridgedDeviceBasicInformation: { nodeLabel: "Mine" } });
  await vi.waitFor(() => expect(labels()).toContain("light"));
  await node.obey({ kind: "rename", address: "light", name: "Lantern" });
  await vi.waitFor(() => expect(labels()).toContain("Lantern"));
  await node.obey({ kind: "rename", address: "light", name: "light" });
  await vi.waitFor(() => expect(labels()).toContain("light"));
});

test("devices come and go while it runs", async () => {
  await node.obey({ kind: "add", endpoint: made("contact", { address: "new window" }) });
  await vi.waitFor(() => expect(labels()).toContain("new window"));
  await node.obey({ kind: "remove", address: "new window", mayReturn: false });
  await vi.waitFor(() => expect(labels()).not.toContain("new window"));
});

test("a device that is not shown for a time has its number again", async () => {
  const { number } = remote("leak");
  await node.obey({ kind: "remove", address: "leak", mayReturn: true });
  await vi.waitFor(() => expect(labels()).not.toContain("leak"));
  await node.obey({ kind: "add", endpoint: made("leak") });
  await vi.waitFor(() => expect(labels()).toContain("leak"));
  expect(remote("leak").number).toBe(number);
});

test("a second ecosystem is added with a window, whose codes are shown until then, and removed again", async () => {
  expect(status()).toMatchObject({ isCommissioned: true, codes: null, fabrics: [{ index: 1 }] });
  await node.obey({ kind: "open-window", request: 1, seconds: 180 });
  expect(status().codes).toMatchObject({
    qr: expect.stringMatching(/^MT:/),
    manual: expect.stringMatching(/^\d{11}$/),
  });
  const second = await startController("second");
  await commission(second);
  await vi.waitFor(() => expect(status()).toMatchObject({ codes: null, fabrics: [{ index: 1 }, { index: 2 }] }));
  await node.obey({ kind: "remove-fabric", request: 2, index: 2 });
  await vi.waitFor(() => expect(status().fabrics.map(({ index }) => index)).toEqual([1]));
  expect(events.filter(({ kind }) => kind === "done")).toEqual([
    { kind: "done", request: 1, failure: null },
    { kind: "done", request: 2, failure: null },
  ]);
  await second.close();
});

test("when the last ecosystem is removed, the bridge can be added again with its values", async () => {
  await node.obey({ kind: "remove-fabric", request: 3, index: 1 });
  await vi.waitFor(() => expect(status()).toMatchObject({ isCommissioned: false, fabrics: [] }), 5000);
  await vi.waitFor(() => expect(status().codes).not.toBeNull(), 5000);
  const third = await startController("third");
  peer = await commission(third);
  await vi.waitFor(() => expect(heard("temperature", "temperatureMeasurement", "measuredValue")).toBe(2150));
  await third.close();
});

function made(kind: DeviceKind, given: Partial<ShownEndpoint["spec"]> & { readonly attributes?: Attributes } = {}) {
  const { attributes = {}, address = kind, features = [], fixed = {} } = given;
  const spec = { address, kind, features, fixed, name: address, uniqueId: `unique ${address}`.slice(0, 32) };
  return { spec, state: { isReachable: true, attributes } };
}

function level(value: number) {
  return { level: value, transitionTime: null, optionsMask: {}, optionsOverride: {} };
}

function hear(event: BridgeEvent): void {
  events.push(event);
  if (answersAtOnce) answer(event);
}

function answer(event: BridgeEvent): void {
  if (event.kind === "command") void node.obey({ kind: "outcome", request: event.request, failure: refusal });
}

async function startController(id: string) {
  const made_ = await ServerNode.create(ServerNode.RootEndpoint.with(ControllerBehavior), {
    id,
    environment: network.host(),
  });
  await made_.start();
  return made_;
}

async function commission(by: typeof controller) {
  const [code] = QrPairingCodeCodec.decode(status().codes?.qr ?? "");
  if (!code) throw new Error("There is no code.");
  return by.peers.commission({ passcode: code.passcode, discriminator: code.discriminator });
}

function status(): BridgeStatus {
  const last = events.findLast((event) => event.kind === "status");
  if (last?.kind !== "status") throw new Error("There is no status yet.");
  return last.status;
}

function commands() {
  return events.flatMap((event) => (event.kind === "command" ? [event.command] : []));
}

async function commandOf(act: () => Promise<unknown>) {
  const before = commands().length;
  await act();
  await vi.waitFor(() => expect(commands().length).toBeGreaterThan(before));
  return commands()[before];
}

type Behaviors = { readonly supported: Readonly<Record<string, unknown>> };
type State = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function remote(name: string): Endpoint {
  const found = [...peer.endpoints].find((each) => labelOf(each) === name);
  if (!found) throw new Error(`The ecosystem sees no ${name}.`);
  return found;
}

function labelOf({ state }: { readonly state: unknown }): unknown {
  return (state as State).bridgedDeviceBasicInformation?.nodeLabel;
}

function labels(): readonly unknown[] {
  return [...peer.endpoints].map(labelOf).filter((label) => label !== undefined);
}

function heard(name: string, behavior: string, attribute: string): unknown {
  return (remote(name).state as State)[behavior]?.[attribute];
}

async function invoke(name: string, behavior: string, command: string, request?: object): Promise<void> {
  await remote(name).act(async (agent) => {
    const behaviors = agent as unknown as Readonly<Record<string, Record<string, (given?: object) => Promise<void>>>>;
    await behaviors[behavior]?.[command]?.(request);
  });
}

async function write(name: string, values: Attributes): Promise<void> {
  await remote(name).set(values as Parameters<Endpoint["set"]>[0]);
}
