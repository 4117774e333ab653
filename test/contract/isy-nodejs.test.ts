/** isy-nodejs 1.3.24 from npm, unmodified, on the local listener over TLS, trusting the controller's own authority. */

import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { buildIsyNodejs, type IsyNode, type IsyNodejs, type RunningIsy } from "./clients/isy-nodejs.ts";
import { tenMinutes } from "./clients/ten-minutes.ts";

const HALL_CEILING = "1A 2B 3C 1";
const LIVING_CEILING = "1A 2F 90 1";
const BATHROOM_CEILING = "1A 51 33 1";
const THERMOSTAT = "15 E 20 1";
const READING_LAMP = "ZW002_1";
const BEDSIDE_LAMP = "ZY003_1";
const FRONT_LOCK = "ZW010_1";
const FAN_MOTOR = "21 0 6D 2";
const SIREN = "41 2 B7 1";
const ARMED_AWAY = 3;
/** Longer than any lamp here takes to its level. */
const FADE_MS = 10_000;

const trusted = getCACertificates("default");
let client: IsyNodejs;
let controller: TestController;
let running: RunningIsy;

beforeAll(async () => {
  [client, controller] = await Promise.all([buildIsyNodejs(), startTestController()]);
  trust(controller);
  running = await connect(controller);
});

afterAll(async () => {
  await end(running, controller);
  setDefaultCACertificates(trusted);
  await controller[Symbol.asyncDispose]();
  await client.remove();
});

function trust(services: TestController): void {
  setDefaultCACertificates([...getCACertificates("default"), services.controller.caCertificate]);
}

/** The client has loaded and received the replay. */
async function connect(services: TestController, guardianInterval?: number): Promise<RunningIsy> {
  const interval = guardianInterval === undefined ? {} : { guardianInterval };
  const started = await client.start({ url: services.local.url, ...LOCAL, ...interval });
  const replayed = started.says("Received Heartbeat");
  expect(await started.isy.initialize()).toBe(true);
  await replayed;
  return started;
}

/** The client throws when a message comes while it closes, so nothing may be on its way then. */
async function end({ isy, says }: RunningIsy, services: TestController): Promise<void> {
  const last = says("Received Heartbeat");
  await services.clock.advance(20_000);
  await last;
  await isy.close();
}

function node(address: string, { isy } = running): IsyNode {
  const found = isy.nodes.get(address);
  if (!found) throw new Error(`The client has no node ${address}.`);
  return found;
}

/** Settles when an event brings this value to the driver. */
function becomes(address: string, id: string, wanted: number): Promise<void> {
  const { drivers, events } = node(address);
  return new Promise((resolve) => {
    events.on(drivers[id]?.changedEventName ?? "", () => {
      if (drivers[id]?.state.rawValue === wanted) resolve();
    });
  });
}

const complaints = ({ lines }: RunningIsy) => lines.filter(({ level }) => level === "error" || level === "warn");
const value = (address: string, id = "ST") => controller.services.home.nodes.get(address)?.properties.get(id)?.value;
const press = (address: string, control: string) =>
  controller.services.drivers.of("virtual").simulation?.act(address, control, null);

describe("loading", () => {
  test("initialize() logs no errors and no warnings", () => {
    expect(complaints(running)).toEqual([]);
  });

  test("finds every node, scene, folder and variable", () => {
    const { home } = controller.services;
    const { isy } = running;
    expect([...home.nodes.keys()].filter((address) => !isy.nodes.has(address))).toEqual([]);
    expect([...isy.scenes.keys()]).toEqual([...home.groups.keys(), home.controller.uuid].sort(byRootFirst(isy.id)));
    expect([...isy.folderMap.values()].sort()).toEqual(Array.from(home.folders.values(), ({ name }) => name).sort());
    expect(isy.variables.size).toBe(home.variables[1].size + home.variables[2].size);
    expect(isy.id).toBe(home.controller.uuid);
  });

  test("finds every member of every scene", () => {
    const lost = [...running.isy.scenes.values()].filter(({ members }) => members.some((member) => !member));
    expect(lost).toEqual([]);
    expect(running.isy.scenes.get("31001")?.members).toHaveLength(5);
  });

  test.each([
    [HALL_CEILING, "DimmerLampSwitch"],
    ["1E 4 A0 1", "KeypadDimmer"],
    ["1A 30 1 1", "RelayLampSwitch"],
    ["3B 9 12 1", "OnOffOutletDevice"],
    ["2C 10 5 1", "DoorWindowSensor"],
    ["2C 44 8 1", "LeakSensor"],
    ["21 0 6D 1", "FanDevice"],
    ["33 A 5 1", "DimmerMotorSwitch"],
    [THERMOSTAT, "Thermostat"],
    ["41 2 B7 1", "Siren"],
    ["17 88 4 1", "ImeterSolo"],
    [READING_LAMP, "GenericNode"],
    [BEDSIDE_LAMP, "GenericNode"],
    ["n020_station", "GenericNode"],
  ])("%s is a %s", (address, name) => {
    expect(running.isy.devices.get(address)?.constructor.name).toBe(name);
  });

  test("reads a raw level as percent, and names the room", () => {
    const lamp = node("1A 2F 91 1");
    expect(lamp.drivers.ST).toMatchObject({ value: 50, state: { rawValue: 127, formattedValue: "50%" } });
    expect(lamp.folder).toBe("Living Room");
  });
});

test("an empty home loads without an error where legacyPadding is on", async () => {
  await using services = await startTestController({ demo: false, legacyPadding: true });
  trust(services);
  const visitor = await connect(services);
  // It warns of empty lists of variables, which do not hold it up.
  expect(complaints(visitor).map(({ level }) => level)).toEqual(["warn", "warn"]);
  await end(visitor, services);
});

describe("the stream", () => {
  test("a hand at the device is seen as a new value of its driver", async () => {
    const seen = becomes(HALL_CEILING, "ST", 255);
    press(HALL_CEILING, "DON");
    await controller.clock.advance(FADE_MS);
    await seen;
    expect(node(HALL_CEILING).drivers.ST?.value).toBe(100);
  });

  test("a command changes the device and arrives as an event", async () => {
    const seen = becomes(LIVING_CEILING, "ST", 191);
    await node(LIVING_CEILING).on?.(75);
    await controller.clock.advance(FADE_MS);
    await seen;
    expect([value(LIVING_CEILING), node(LIVING_CEILING).drivers.ST?.value]).toEqual([191, 75]);
    const off = becomes(LIVING_CEILING, "ST", 0);
    await node(LIVING_CEILING).off?.();
    await controller.clock.advance(FADE_MS);
    await off;
    expect(value(LIVING_CEILING)).toBe(0);
  });

  test("settings of a device are written in its own units", async () => {
    const seen = Promise.all([becomes(LIVING_CEILING, "OL", 153), becomes(LIVING_CEILING, "RR", 20)]);
    await node(LIVING_CEILING).updateOnLevel?.(60);
    await node(LIVING_CEILING).updateRampRate?.(20);
    await seen;
    expect([value(LIVING_CEILING, "OL"), value(LIVING_CEILING, "RR")]).toEqual([153, 20]);
    expect(node(LIVING_CEILING).drivers.OL?.value).toBe(60);
  });

  test("radio devices of both networks take a level in percent", async () => {
    for (const address of [READING_LAMP, BEDSIDE_LAMP]) {
      const seen = becomes(address, "ST", 40);
      await node(address).sendCommand("DON", [40, 51]);
      await controller.clock.advance(FADE_MS);
      await seen;
      // For devices without a class of their own it knows no unit, and then no value; the raw one is right.
      expect([value(address), node(address).drivers.ST?.value]).toEqual([40, null]);
    }
  });

  test("a lock is opened, a setpoint is set, a fan is turned", async () => {
    const seen = Promise.all([
      becomes(FRONT_LOCK, "ST", 0),
      becomes(THERMOSTAT, "CLISPH", 132),
      becomes(FAN_MOTOR, "ST", 191),
    ]);
    await node(FRONT_LOCK).sendCommand("SECMD", [0, 84]);
    await node(THERMOSTAT).updateHeatSetpoint?.(66);
    await node(FAN_MOTOR).on?.(75);
    await controller.clock.advance(FADE_MS);
    await seen;
    expect([value(FRONT_LOCK), value(THERMOSTAT, "CLISPH"), value(FAN_MOTOR)]).toEqual([0, 132, 191]);
  });

  test("a siren is armed in away mode, and sounds for the given time", async () => {
    const armed = becomes(SIREN, "MODE", ARMED_AWAY);
    await node(SIREN).arm?.(ARMED_AWAY);
    await controller.clock.advance(31_000);
    await armed;
    await node(SIREN).on?.(5);
    expect(value(SIREN)).toBe(255);
    await controller.clock.advance(6000);
    expect(value(SIREN)).toBe(0);
  });

  test("a scene switches its members", async () => {
    const seen = becomes(BATHROOM_CEILING, "ST", 255);
    await running.isy.scenes.get("31006")?.updateIsOn(true);
    await controller.clock.advance(FADE_MS);
    await seen;
  });

  test("a variable is set at the odd address that the client makes", async () => {
    await running.isy.sendSetVariable(1, 2, 7);
    expect(controller.services.home.variables[2].get(1)?.value).toBe(7);
    // Its own variables never hold a value: it looks for them in a place where it put none.
    expect([...running.isy.variables.values()].every((variable) => variable.value === undefined)).toBe(true);
  });

  test("nothing of all this made it complain", () => {
    expect(complaints(running)).toEqual([]);
  });

  test("it stays for ten minutes of heartbeats and pings", async () => {
    const since = running.lines.length;
    await tenMinutes(controller, () => running.says("Received Heartbeat"));
    expect(running.lines.slice(since).filter(({ message }) => message.includes("closed"))).toEqual([]);
    expect(controller.services.subscribers()).toHaveLength(1);
  });
});

describe("reconnecting", () => {
  test("without a sign of life it opens another stream, whose replay brings it up to date", async () => {
    const watchful = await connect(controller, 250);
    const [hears, opens] = [watchful.says("Guardian Timer expired"), watchful.says("subscription open")];
    await hears;
    press("1A 44 7 1", "DON");
    await Promise.all([opens, controller.clock.advance(FADE_MS)]);
    await watchful.says("Received Heartbeat");
    expect(node("1A 44 7 1", watchful).drivers.ST?.value).toBe(100);
    expect(watchful.isy.webSocketEndpoint.isConnected).toBe(true);
    await end(watchful, controller);
  });

  test("it does not reopen a stream that was closed (its own fault); after a new request it is up to date at once", async () => {
    const localPort = await freePort();
    await using services = await startTestController({ localPort });
    trust(services);
    const left = await connect(services);
    const closes = left.says("subscription closed");
    await services.restart();
    await closes;
    expect(left.isy.webSocketEndpoint.isConnected).toBe(false);
    services.services.drivers.of("virtual").simulation?.act(HALL_CEILING, "DON", null);
    await services.clock.advance(FADE_MS);
    const replayed = left.says("Received Heartbeat");
    await left.isy.initializeWebSocket();
    await replayed;
    expect(node(HALL_CEILING, left).drivers.ST?.value).toBe(100);
    await end(left, services);
  });
});

/** As in the document: the root group first. */
function byRootFirst(root: string): (a: string, b: string) => number {
  return (a, b) => Number(b === root) - Number(a === root);
}
