/** Every row of the driver's tables with a device of the library: what it reports is a property, and a command reaches it. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Quantity } from "../../../src/drivers/command.ts";
import { roleOf } from "../../../src/profile/roles.ts";
import { DEVICES, type DeviceName, told } from "../../support/matter-devices.ts";
import { includeDevice, type SimulatedMatter, simulateMatter } from "../../support/matter-home.ts";
import { memoryStore } from "../recording-host.ts";

type AnyEndpoint = ReturnType<(typeof DEVICES)["light"]>;
type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

// The library has the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let storage: string;
let home: SimulatedMatter;
let device: Awaited<ReturnType<SimulatedMatter["device"]>>;
let subject: ReturnType<SimulatedMatter["driver"]>;
const endpoints = new Map<string, AnyEndpoint>();

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "matter-"));
  home = await simulateMatter(storage);
  device = await home.device({ name: "Everything" });
  for (const [name, make] of Object.entries(DEVICES)) {
    const endpoint = make() as AnyEndpoint;
    await device.add(endpoint);
    endpoints.set(name, endpoint);
  }
  await device.start();
  subject = home.driver(memoryStore());
  await subject.driver.start(subject.host, new AbortController().signal);
  await includeDevice(subject);
  await vi.waitFor(() => expect(subject.host.links.get(address("light"))).toBe("online"), 20_000);
}, 60_000);

afterAll(async () => {
  await subject.driver.stop();
  await device.close();
  await rm(storage, { recursive: true });
});

test.each<readonly [DeviceName, string]>([
  ["light", "switch"],
  ["plug", "outlet"],
  ["dimmer", "dimmer"],
  ["dimmablePlug", "outlet"],
  ["colorLamp", "color-lamp"],
  ["speaker", "dimmer"],
  ["cover", "cover"],
  ["plainCover", "cover"],
  ["lock", "lock"],
  ["thermostat", "thermostat"],
  ["fan", "fan"],
  ["temperature", "temperature"],
  ["humidity", "humidity"],
  ["illuminance", "light"],
  ["occupancy", "motion"],
  ["contact", "contact"],
  ["leak", "leak"],
  ["freeze", "cold"],
  ["rain", "leak"],
  ["smoke", "smoke"],
  ["meter", "meter"],
  ["valve", "valve"],
  ["pump", "switch"],
  ["vacuum", "appliance"],
  ["washer", "appliance"],
  ["button", "button"],
  ["longButton", "button"],
  ["plainButton", "button"],
  ["rocker", "button"],
])("%s is a node with the role %s", (name, role) => {
  const spec = subject.host.nodes.get(address(name));
  expect(spec && roleOf(subject.host.profile, { ...spec, parent: null, enabled: true, driver: "" } as never)).toBe(
    role,
  );
});

test("a second function of an endpoint is a node below the first one, and a battery is shown at the first node", () => {
  const [meter, alarm] = [address("plug", 143), address("smoke", 151)];
  const names = [address("light"), address("plug"), meter, alarm].map((each) => subject.host.nodes.get(each)?.name);
  const plug = `Everything ${endpoints.get("plug")?.number}`;
  expect(names).toEqual(["Everything", plug, "Everything Meter", "Everything Carbon Monoxide"]);
  expect(subject.host.nodes.get(meter)?.devtype?.category).toBe(143);
  expect(subject.host.nodes.get(address("battery"))).toBeUndefined();
  expect([subject.host.value(address("light"), "BATLVL"), subject.host.value(address("light"), "BATLOW")]).toEqual([
    100, 0,
  ]);
  expect(subject.host.violations).toEqual([]);
});

test.for<readonly [DeviceName, Values, Readonly<Record<string, number | null>>, number?]>([
  ["light", { onOff: { onOff: true } }, { ST: 100 }],
  ["plug", { onOff: { onOff: true } }, { ST: 100 }],
  ["plug", { electricalPowerMeasurement: { activePower: 12_345 } }, { CPW: 123 }, 143],
  ["plug", { electricalEnergyMeasurement: { cumulativeEnergyImported: { energy: 1_234_567 } } }, { TPW: 1235 }, 143],
  ["dimmer", { onOff: { onOff: true }, levelControl: { currentLevel: 127 } }, { ST: 50 }],
  ["dimmer", { levelControl: { currentLevel: 1 } }, { ST: 1 }],
  ["dimmer", { onOff: { onOff: false } }, { ST: 0 }],
  ["colorLamp", { colorControl: { currentHue: 127, currentSaturation: 254 } }, { GV2: 180, GV3: 100 }],
  ["colorLamp", { colorControl: { colorTemperatureMireds: 300 } }, { GV1: 300 }],
  ["colorLamp", { colorControl: { currentX: 30_000, currentY: 10_000 } }, { GV4: 30_000, GV5: 10_000 }],
  ["cover", { windowCovering: { currentPositionLiftPercent100ths: 2500 } }, { ST: 75 }],
  ["cover", { windowCovering: { currentPositionTiltPercent100ths: 10_000 } }, { GV6: 0 }],
  ["lock", { doorLock: { lockState: 2 } }, { ST: 0 }],
  ["lock", { doorLock: { lockState: 0 } }, { ST: 102 }],
  ["lock", { doorLock: { lockState: null } }, { ST: 101 }],
  ["lock", { doorLock: { lockState: 3 } }, { ST: 0 }],
  ["lock", { doorLock: { lockState: 1, doorState: 0 } }, { ST: 100, GV1: 0 }],
  ["thermostat", { thermostat: { localTemperature: 2157 } }, { CLITEMP: 2157 }],
  ["thermostat", { thermostat: { localTemperature: null } }, { CLITEMP: null }],
  ["thermostat", { thermostat: { systemMode: 3 } }, { CLIMD: 2 }],
  ["thermostat", { thermostat: { systemMode: 7 } }, { CLIMD: 6 }],
  ["thermostat", { thermostat: { thermostatRunningState: { heat: true } } }, { CLIHCS: 1 }],
  ["thermostat", { thermostat: { thermostatRunningState: { cool: true, fan: true } } }, { CLIHCS: 2 }],
  ["thermostat", { thermostat: { thermostatRunningState: {} } }, { CLIHCS: 0 }],
  ["fan", { fanControl: { percentSetting: 33, percentCurrent: 33 } }, { ST: 33 }],
  ["temperature", { temperatureMeasurement: { measuredValue: -1234 } }, { CLITEMP: -1234 }],
  ["humidity", { relativeHumidityMeasurement: { measuredValue: 4567 } }, { CLIHUM: 4567 }],
  ["illuminance", { illuminanceMeasurement: { measuredValue: 30_001 } }, { LUMIN: 1000 }],
  ["pressure", { pressureMeasurement: { measuredValue: 1013 } }, { ATMPRES: 1013 }],
  ["flow", { flowMeasurement: { measuredValue: 25 } }, { WATERF: 25 }],
  ["occupancy", { occupancySensing: { occupancy: { occupied: true } } }, { ST: 100 }],
  ["contact", { booleanState: { stateValue: false } }, { ST: 0 }],
  ["leak", { booleanState: { stateValue: true } }, { ST: 100 }],
  ["freeze", { booleanState: { stateValue: true } }, { ST: 100 }],
  ["rain", { booleanState: { stateValue: true } }, { ST: 100 }],
  ["smoke", { smokeCoAlarm: { smokeState: 2 } }, { ST: 100 }],
  ["smoke", { smokeCoAlarm: { coState: 1 } }, { ST: 100 }, 151],
  ["smoke", { smokeCoAlarm: { batteryAlert: 1 } }, { BATLOW: 1 }],
  ["air", { airQuality: { airQuality: 4 } }, { GV1: 4 }],
  ["air", { carbonDioxideConcentrationMeasurement: { measuredValue: 812.5 } }, { CO2LVL: 8125 }],
  ["air", { carbonMonoxideConcentrationMeasurement: { measuredValue: 3 } }, { CO: 30 }],
  ["air", { pm25ConcentrationMeasurement: { measuredValue: 7 } }, { PM25: 70 }],
  ["air", { pm10ConcentrationMeasurement: { measuredValue: 9 } }, { PM10: 90 }],
  ["air", { totalVolatileOrganicCompoundsConcentrationMeasurement: { measuredValue: 250 } }, { VOCLVL: 250 }],
  ["air", { formaldehydeConcentrationMeasurement: { levelValue: 3 } }, { CH20: 3 }],
  ["air", { radonConcentrationMeasurement: { measuredValue: 42 } }, { RADON: 420 }],
  ["air", { ozoneConcentrationMeasurement: { measuredValue: 1 } }, { OZONE: 10 }],
  [
    "meter",
    { electricalPowerMeasurement: { activePower: 2_000_000, voltage: 231_400, activeCurrent: 8650 } },
    { CPW: 20_000, CV: 2314, CC: 865 },
  ],
  ["meter", { electricalEnergyMeasurement: { cumulativeEnergyImported: { energy: 5_000_000 } } }, { TPW: 5000 }],
  ["valve", { valveConfigurationAndControl: { currentState: 1 } }, { ST: 100 }],
  ["vacuum", { rvcOperationalState: { operationalState: 66 } }, { ST: 66 }],
  ["vacuum", { rvcRunMode: { currentMode: 1 } }, { GV7: 1 }],
  ["vacuum", { rvcCleanMode: { currentMode: 2 } }, { GV8: 2 }],
  ["washer", { operationalState: { operationalState: 1 } }, { ST: 1 }],
  ["modes", { modeSelect: { currentMode: 7 } }, { GV7: 7 }],
])("%s: %j is reported as %j", async ([name, values, expected, part = 1]) => {
  await endpoints.get(name)?.set(values as never);
  for (const [id, value] of Object.entries(expected)) {
    await vi.waitFor(() => expect(subject.host.last(address(name, part), id)?.value).toBe(value), 20_000);
  }
  expect(subject.host.violations).toEqual([]);
});

test("half a percent of a battery, and that it is low, are shown at the device", async () => {
  await endpoints.get("battery")?.set({ powerSource: { batPercentRemaining: 41, batChargeLevel: 1 } } as never);
  await vi.waitFor(() => expect(subject.host.value(address("light"), "BATLVL")).toBe(21), 20_000);
  expect(subject.host.value(address("light"), "BATLOW")).toBe(1);
});

const percent = (value: number): Quantity => ({ value, uom: 51, prec: 0 });
const celsius = (value: number): Quantity => ({ value, uom: 4, prec: 2 });
const plain = (value: number, uom: number): Quantity => ({ value, uom, prec: 0 });

test.each<readonly [DeviceName, string, Quantity | null, Values]>([
  ["light", "DOF", null, { onOff: { onOff: false } }],
  ["light", "DON", null, { onOff: { onOff: true } }],
  ["dimmer", "DON", percent(60), { onOff: { onOff: true }, levelControl: { currentLevel: 152 } }],
  ["dimmer", "BRT", null, { levelControl: { currentLevel: 172 } }],
  ["dimmer", "DIM", null, { levelControl: { currentLevel: 152 } }],
  ["dimmer", "DON", percent(0), { onOff: { onOff: false } }],
  ["dimmer", "DON", null, { onOff: { onOff: true } }],
  ["dimmer", "DOF", null, { onOff: { onOff: false } }],
  ["colorLamp", "DON", percent(100), { levelControl: { currentLevel: 254 } }],
  ["colorLamp", "GV1", plain(200, 152), { colorControl: { colorTemperatureMireds: 200 } }],
  ["colorLamp", "GV2", plain(90, 149), { colorControl: { currentHue: 64 } }],
  ["colorLamp", "GV3", percent(50), { colorControl: { currentSaturation: 127 } }],
  ["cover", "FDUP", null, { windowCovering: { targetPositionLiftPercent100ths: 0 } }],
  ["cover", "FDDOWN", null, { windowCovering: { targetPositionLiftPercent100ths: 10_000 } }],
  ["cover", "DON", percent(30), { windowCovering: { targetPositionLiftPercent100ths: 7000 } }],
  ["cover", "GV6", percent(25), { windowCovering: { targetPositionTiltPercent100ths: 7500 } }],
  ["lock", "SECMD", plain(0, 84), { doorLock: { lockState: 2 } }],
  ["lock", "SECMD", plain(1, 84), { doorLock: { lockState: 1 } }],
  ["thermostat", "CLISPH", celsius(2150), { thermostat: { occupiedHeatingSetpoint: 2150 } }],
  ["thermostat", "CLISPC", celsius(2700), { thermostat: { occupiedCoolingSetpoint: 2700 } }],
  ["thermostat", "CLIMD", plain(1, 67), { thermostat: { systemMode: 4 } }],
  ["thermostat", "CLIMD", plain(3, 67), { thermostat: { systemMode: 1 } }],
  ["fan", "DON", percent(40), { fanControl: { percentSetting: 40 } }],
  ["fan", "CLIFS", plain(3, 68), { fanControl: { fanMode: 3 } }],
  ["fan", "DOF", null, { fanControl: { fanMode: 0 } }],
  ["speaker", "DON", percent(50), { levelControl: { currentLevel: 127 } }],
  ["modes", "GV7", plain(4, 25), { modeSelect: { currentMode: 4 } }],
  ["vacuum", "GV8", plain(1, 25), { rvcCleanMode: { currentMode: 1 } }],
  ["vacuum", "DON", null, { rvcRunMode: { currentMode: 1 } }],
])("%s takes %s %j", async (name, command, quantity, expected) => {
  expect(await send(name, command, quantity)).toEqual({ kind: "acked" });
  for (const [behavior, values] of Object.entries(expected)) {
    await vi.waitFor(() => expect(endpoints.get(name)?.maybeStateOf(behavior)).toMatchObject(values), 20_000);
  }
});

test.each<readonly [DeviceName, string, string]>([
  ["valve", "DON", "valve open"],
  ["valve", "DOF", "valve close"],
  ["vacuum", "DOF", "vacuum home"],
  ["washer", "DON", "washer start"],
  ["washer", "DOF", "washer stop"],
])("%s takes %s as %s", async (name, command, expected) => {
  expect(await send(name, command, null)).toEqual({ kind: "acked" });
  expect(told.at(-1)).toBe(expected);
});

test("a fade goes on until it is stopped", async () => {
  await send("dimmer", "DON", percent(10));
  expect((await send("dimmer", "FDUP", null)).kind).toBe("acked");
  expect((await send("dimmer", "FDSTOP", null)).kind).toBe("acked");
  expect((await send("dimmer", "FDDOWN", null)).kind).toBe("acked");
  expect((await send("dimmer", "FDSTOP", null)).kind).toBe("acked");
});

test("what a sensor finds is a command that it sends, too", async () => {
  subject.host.forget();
  await endpoints.get("contact")?.set({ booleanState: { stateValue: true } } as never);
  await vi.waitFor(
    () => expect(subject.host.controls).toEqual([{ address: address("contact"), control: "DOF", value: 0 }]),
    20_000,
  );
});

function address(name: string, part = 1): string {
  return `ZM00001_${String(endpoints.get(name)?.number).padStart(3, "0")}_${part}`;
}

function send(name: DeviceName, command: string, quantity: Quantity | null) {
  const parameters = quantity === null ? [] : [{ id: "", ...quantity }];
  return subject.driver.send({
    id: "c",
    address: address(name),
    command,
    parameters,
    signal: new AbortController().signal,
  });
}
