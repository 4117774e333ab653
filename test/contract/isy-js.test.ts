/** isy-js 0.4.5 from npm, unmodified, on the listener without TLS, which is all it knows. */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { LOCAL, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { type IsyJsDevice, type RunningIsyJs, startIsyJs } from "./clients/isy-js.ts";
import { tenMinutes } from "./clients/ten-minutes.ts";

const HALL_CEILING = "1A 2B 3C 1";
const LIVING_CEILING = "1A 2F 90 1";
const COFFEE_MACHINE = "3B 9 12 1";
const FAN_MOTOR = "21 0 6D 2";
const FRONT_DOOR = "2C 10 5 1";
const FRONT_LOCK = "ZW010_1";
const BATHROOM_MORNING = "31006";
/** Longer than any lamp here takes to its level. */
const FADE_MS = 10_000;

let controller: TestController;
let client: RunningIsyJs;

const plain = { plainPort: 0, plainHost: "127.0.0.1" } as const;
const connect = (services: TestController) => startIsyJs({ url: services.controller.plainUrl ?? "", ...LOCAL });

beforeAll(async () => {
  controller = await startTestController(plain);
  client = await connect(controller);
  await client.heartbeat();
});

afterAll(async () => {
  await client.end();
  await controller[Symbol.asyncDispose]();
});

function device(address: string, { isy } = client): IsyJsDevice {
  const found = isy.getDevice(address);
  if (!found) throw new Error(`The client has no device ${address}.`);
  return found;
}

/** Sends, lets the devices move, and waits until the client's picture holds. */
async function command(send: (done: (success: boolean) => void) => void, address: string, holds: () => boolean) {
  const seen = client.changed(address, holds);
  const success = await new Promise<boolean>((resolve) => send(resolve));
  await controller.clock.advance(FADE_MS);
  await seen;
  return success;
}

const value = (address: string) => controller.services.home.nodes.get(address)?.properties.get("ST")?.value;
const press = (address: string, control: string) =>
  controller.services.drivers.of("virtual").simulation?.act(address, control, null);

describe("loading", () => {
  test("initialize() calls back with every node and every scene as a device", () => {
    const { home } = controller.services;
    const listed = client.isy.getDeviceList().map(({ address }) => address);
    expect(listed.sort()).toEqual([...home.nodes.keys(), ...home.groups.keys(), home.controller.uuid].sort());
  });

  test.each([
    [HALL_CEILING, "ISYLightDevice", "DimmableLight"],
    ["1A 30 1 1", "ISYLightDevice", "Light"],
    [COFFEE_MACHINE, "ISYOutletDevice", "Outlet"],
    [FAN_MOTOR, "ISYFanDevice", "Fan"],
    [FRONT_DOOR, "ISYDoorWindowDevice", "DoorWindowSensor"],
    ["2D 7F E1 1", "ISYMotionSensorDevice", "MotionSensor"],
    [FRONT_LOCK, "ISYLockDevice", "SecureLock"],
    ["ZW002_1", "ISYLightDevice", "DimmableLight"],
    ["ZW005_1", "ISYLightDevice", "Light"],
    ["15 E 20 1", "ISYBaseDevice", "Unknown"],
    [BATHROOM_MORNING, "ISYScene", "Scene"],
  ])("%s is a %s for it, of type %s", (address, name, type) => {
    const found = device(address);
    expect([found.constructor.name, found.deviceType]).toEqual([name, type]);
  });

  test("states are there before the first event", () => {
    expect(device("1A 2F 91 1").getCurrentLightDimState()).toBe(49);
    expect(device(FRONT_LOCK).getCurrentLockState()).toBe(true);
    expect(device(FAN_MOTOR).getCurrentFanState()).toBe("Off");
    expect(device(FRONT_DOOR).getCurrentDoorWindowState()).toBe(false);
  });

  test("scenes know their members", () => {
    const members = client.isy.getScene(BATHROOM_MORNING)?.childDevices.map(({ name }) => name);
    expect(members).toEqual(["Mirror Light", "Bathroom Ceiling", "Towel Warmer"]);
    expect(client.isy.getSceneList()).toHaveLength(controller.services.home.groups.size + 1);
  });

  test("variables have their names and values", () => {
    const { variables } = controller.services.home;
    expect(client.isy.getVariableList()).toHaveLength(variables[1].size + variables[2].size);
    expect(client.isy.getVariable("1", "1")).toMatchObject({ name: "Door Openings", value: 12, init: 0 });
    expect(client.isy.getVariable("1", "10")).toMatchObject({ name: "Calibration", value: -15 });
  });

  test("every variable's time is read from the replay", () => {
    const unread = client.isy.getVariableList().filter(({ lastChanged }) => Number.isNaN(lastChanged.getTime()));
    expect(unread).toEqual([]);
  });
});

describe("the stream", () => {
  test("a hand at the device calls back with its new state", async () => {
    const seen = client.changed(HALL_CEILING, () => device(HALL_CEILING).currentState === 255);
    press(HALL_CEILING, "DON");
    await controller.clock.advance(FADE_MS);
    await seen;
    expect(device(HALL_CEILING).getCurrentLightState()).toBe(true);
  });

  test("a light is dimmed, switched on and off", async () => {
    const lamp = device(LIVING_CEILING);
    const dim = (level: number, raw: number) =>
      command(
        (done) => lamp.sendLightDimCommand(level, done),
        lamp.address,
        () => lamp.currentState === raw,
      );
    const turn = (isOn: boolean) =>
      command(
        (done) => lamp.sendLightCommand(isOn, done),
        lamp.address,
        () => lamp.currentState === (isOn ? 255 : 0),
      );
    expect(await dim(50, 128)).toBe(true);
    expect(value(LIVING_CEILING)).toBe(128);
    expect([await turn(true), await turn(false)]).toEqual([true, true]);
    expect(value(LIVING_CEILING)).toBe(0);
  });

  test("an outlet and a fan are turned, a lock is opened and closed", async () => {
    const [outlet, fan, lock] = [device(COFFEE_MACHINE), device(FAN_MOTOR), device(FRONT_LOCK)];
    const sent = [
      await command(
        (done) => outlet.sendOutletCommand(true, done),
        COFFEE_MACHINE,
        () => outlet.getCurrentOutletState(),
      ),
      await command(
        (done) => fan.sendFanCommand("Low", done),
        FAN_MOTOR,
        () => fan.getCurrentFanState() === "Low",
      ),
      await command(
        (done) => fan.sendFanCommand("Medium", done),
        FAN_MOTOR,
        () => fan.getCurrentFanState() === "Medium",
      ),
      await command(
        (done) => fan.sendFanCommand("High", done),
        FAN_MOTOR,
        () => fan.getCurrentFanState() === "High",
      ),
      await command(
        (done) => fan.sendFanCommand("Off", done),
        FAN_MOTOR,
        () => fan.getCurrentFanState() === "Off",
      ),
      await command(
        (done) => lock.sendLockCommand(false, done),
        FRONT_LOCK,
        () => !lock.getCurrentLockState(),
      ),
      await command(
        (done) => lock.sendLockCommand(true, done),
        FRONT_LOCK,
        () => lock.getCurrentLockState(),
      ),
    ];
    expect(sent).toEqual([true, true, true, true, true, true, true]);
  });

  test("a scene is switched, and its members' lights are what it shows", async () => {
    const scene = device(BATHROOM_MORNING);
    const isLit = (isLit: boolean) => () => scene.getAreAllLightsInSpecifiedState(isLit);
    expect(await command((done) => scene.sendLightCommand(true, done), BATHROOM_MORNING, isLit(true))).toBe(true);
    expect(scene.getCurrentLightDimState()).toBeGreaterThan(0);
    expect(await command((done) => scene.sendLightCommand(false, done), BATHROOM_MORNING, isLit(false))).toBe(true);
  });

  test("a variable is set, arrives as an event and is read", async () => {
    const variable = client.isy.getVariable("2", "4");
    if (!variable) throw new Error("The client has no such variable.");
    const set = (done: (success: boolean) => void) => variable.sendSetValue(3, done);
    expect(await command(set, "2:4", () => variable.value === 3)).toBe(true);
    const read = new Promise((resolve) =>
      client.isy.sendGetVariable("4", "2", (value, init) => resolve([value, init])),
    );
    expect(await read).toEqual([3, 0]);
  });

  test("a command that the device does not support fails in its callback, and so does half of 255 for a Z-Wave dimmer", async () => {
    const switched = await new Promise((resolve) => device(FRONT_DOOR).sendLightCommand(true, resolve));
    const dimmed = await new Promise((resolve) => device("ZW002_1").sendLightDimCommand(50, resolve));
    expect([switched, dimmed]).toEqual([false, false]);
  });

  test("it stays for ten minutes of heartbeats and pings", async () => {
    await tenMinutes(controller, () => client.heartbeat());
    expect(controller.services.subscribers()).toHaveLength(1);
  });
});

describe("reconnecting", () => {
  afterEach(() => vi.useRealTimers());

  test("after a restart its guardian opens another stream, whose replay brings it up to date", async () => {
    await using services = await startTestController({ ...plain, plainPort: await freePort() });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const left = await connect(services);
    await left.heartbeat();
    const lost = new Promise<void>((resolve) => left.isy.webSocket.on("close", resolve));
    await services.restart();
    await lost;
    services.services.drivers.of("virtual").simulation?.act(HALL_CEILING, "DON", null);
    await services.clock.advance(FADE_MS);
    // Once a minute the client checks whether it received anything in the last minute.
    vi.advanceTimersByTime(120_000);
    await left.heartbeat();
    expect(device(HALL_CEILING, left).currentState).toBe(255);
    await left.end();
  });
});
