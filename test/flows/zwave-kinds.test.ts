/**
 * Every kind of radio device through the whole service: it is a node of its category with its nodedef, its events
 * reach the stream, and commands reach it.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as act from "../../simulators/zwave/device-acts.ts";
import * as kinds from "../../simulators/zwave/device-kinds.ts";
import type { ClassName } from "../../simulators/zwave/device-plan.ts";
import type { SimulatedDevice } from "../../simulators/zwave/simulated-device.ts";
import { convertUnit } from "../../src/profile/convert-unit.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import { RadioServices } from "../support/radio-services.ts";

/** Awake and in the clear: sleep and encryption have tests of their own, and take seconds. */
const AWAKE = { listening: "always", security: [] } as const;
const BATTERY = { Battery: { version: 1, values: { percent: 90 } } } as const;

/** °C and °F. */
const TWO_SCALES = {
  name: "Two scales",
  classes: { "Multilevel Sensor": { version: 5, values: { "1/0": 20.5, "1/1": 68.9 } } },
} as const;

/** It says that it knows °C only. */
const ONE_SCALE = {
  name: "One scale",
  classes: { "Multilevel Sensor": { version: 5, values: { "1/0": 20.5 } } },
} as const;

const DEVICES = [
  kinds.switchPlan(),
  kinds.dimmerPlan(),
  kinds.stripPlan(),
  kinds.colourLightPlan(),
  kinds.coverPlan({ travelMs: 0 }),
  kinds.windowCoveringPlan({ travelMs: 0 }),
  kinds.fanPlan(),
  kinds.thermostatPlan(),
  kinds.lockPlan(AWAKE),
  kinds.contactPlan({ ...AWAKE, classes: BATTERY }),
  kinds.motionPlan(AWAKE),
  kinds.leakPlan(AWAKE),
  kinds.smokePlan(AWAKE),
  kinds.carbonMonoxidePlan(AWAKE),
  kinds.tamperPlan(AWAKE),
  kinds.binarySensorPlan(AWAKE),
  kinds.climateSensorPlan(AWAKE),
  kinds.meterPlugPlan(),
  kinds.meterPlan(),
  kinds.sirenPlan(),
  kinds.chimePlan(),
  kinds.remotePlan(AWAKE),
  kinds.barrierPlan(),
  kinds.basicPlan(),
  kinds.heatPlan(AWAKE),
  kinds.waterFlowPlan(AWAKE),
  kinds.climateSensorPlan({ ...AWAKE, ...TWO_SCALES }),
  kinds.climateSensorPlan({ ...AWAKE, ...ONE_SCALE }),
];
/** The values of all nodes together. */
const NODES = 51;
const INTERVIEWS_MS = 80_000;
const SIREN = 14;
const ACCESS = 6;
const HEAT = 4;
const WATER = 5;
const CONTACT = 10;
const HEATING = 1;

let services: RadioServices;
let stream: FrameStream;

beforeAll(async () => {
  services = await RadioServices.open(DEVICES);
  const { home } = services.controller.services;
  const online = () => [...home.nodes.values()].filter(({ link }) => link === "online").length;
  await vi.waitFor(() => expect(online()).toBe(NODES), { timeout: INTERVIEWS_MS, interval: 50 });
  stream = await services.controller.subscribe("rest");
}, INTERVIEWS_MS + 10_000);

afterAll(async () => {
  await stream.close();
  await services[Symbol.asyncDispose]();
});

describe("each kind of device", () => {
  test.each([
    ["switch", "ZW002_1", 121],
    ["dimmer", "ZW003_1", 109],
    ["strip", "ZW004_1", 120],
    ["outlet of the strip", "ZW004_3", 121],
    ["meter of the outlet", "ZW004_3143", 143],
    ["colour light", "ZW005_1", 109],
    ["shutter", "ZW006_1", 107],
    ["blind", "ZW007_1", 106],
    ["fan", "ZW008_1", 119],
    ["thermostat", "ZW009_1", 140],
    ["lock", "ZW010_1", 111],
    ["alarms of the lock", "ZW010_306", 113],
    ["door contact", "ZW011_306", 160],
    ["motion", "ZW012_307", 155],
    ["leak", "ZW013_305", 159],
    ["smoke", "ZW014_301", 156],
    ["carbon monoxide", "ZW015_302", 151],
    ["tamper", "ZW016_307", 157],
    ["contact of before notifications", "ZW017_1", 160],
    ["climate", "ZW018_1", 118],
    ["metering plug", "ZW019_143", 143],
    ["meter", "ZW020_143", 143],
    ["siren", "ZW021_314", 185],
    ["chime", "ZW022_1", 197],
    ["button of the remote", "ZW023_402", 133],
    ["garage door", "ZW024_1", 184],
    ["basic device", "ZW025_1", 147],
  ])("%s is a node of its category, with a nodedef that is served", async (_kind, address, category) => {
    const { portal } = services.controller;
    const { data } = (await portal.get("/api/nodes")).json<{ data: { nodes: { node: WireNode[] } } }>();
    const node = data.nodes.node.find((each) => each.address === address);
    expect(node?.devtype.cat).toBe(String(category));
    const served = await portal.get(`/rest/zwave/node/${address}/def/get`);
    expect(served.text).toContain(`<nodedef id="${node?.nodeDefId}"`);
  });
});

type Happening = (device: SimulatedDevice) => Promise<unknown>;
type Told = readonly [control: string, action: string, uom: string | null];

describe("events of a device reach the stream", () => {
  test.each<[string, string, Happening, ...Told]>([
    ["Switch", "ZW002_1", (one) => act.switchByHand(one, true), "ST", "100", "78"],
    ["Dimmer", "ZW003_1", (one) => act.dimByHand(one, 40), "ST", "40", "51"],
    ["Strip", "ZW004_3", (one) => act.switchByHand(one, true, 2), "ST", "100", "78"],
    ["Colour light", "ZW005_1", (one) => act.dimByHand(one, 99), "ST", "100", "51"],
    ["Shutter", "ZW006_1", (one) => act.dimByHand(one, 99), "ST", "100", "51"],
    ["Fan", "ZW008_1", (one) => act.dimByHand(one, 66), "ST", "66", "51"],
    ["Thermostat", "ZW009_1", (one) => act.turnSetpoint(one, HEATING, 21.5), "CLISPH", "215", "4"],
    ["Thermostat", "ZW009_1", (one) => act.sense(one, 1, 0, 19.5), "ST", "195", "4"],
    ["Lock", "ZW010_1", (one) => act.turnBolt(one, true), "ST", "100", "11"],
    ["Lock", "ZW010_306", (one) => act.enterCode(one, 3), "USRNUM", "3", "70"],
    ["Door contact", "ZW011_306", (one) => act.openByHand(one, true), "DON", "0", null],
    ["Door contact", "ZW011_306", (one) => act.notify(one, ACCESS, 23), "ST", "100", "79"],
    ["Door contact", "ZW011_306", (one) => act.notify(one, ACCESS, 22, [0]), "ST", "0", "79"],
    ["Door contact", "ZW011_306", (one) => act.notify(one, ACCESS, 22, [1]), "DON", "0", null],
    ["Door contact", "ZW011_1", (one) => act.drainTo(one, 33), "BATLVL", "33", "51"],
    ["Motion sensor", "ZW012_307", (one) => act.senseMotion(one, true), "DON", "0", null],
    ["Motion sensor", "ZW012_307", (one) => act.senseMotion(one, true), "DON", "0", null],
    ["Lock", "ZW010_306", (one) => act.notify(one, ACCESS, 11), "ALARM", "10", "15"],
    ["Lock", "ZW010_306", (one) => act.notify(one, ACCESS, 16), "ALARM", "31", "15"],
    ["Lock", "ZW010_306", (one) => act.notify(one, ACCESS, 22), "ALARM", "36", "15"],
    ["Heat alarm", "ZW026_304", (one) => act.notify(one, HEAT, 2), "ALARM", "2", "25"],
    ["Heat alarm", "ZW026_304", (one) => act.notify(one, HEAT, 6), "ALARM", "6", "25"],
    ["Leak sensor", "ZW013_305", (one) => act.senseLeak(one, true), "ST", "100", "78"],
    ["Smoke alarm", "ZW014_301", (one) => act.senseSmoke(one, true), "ST", "100", "78"],
    ["CO alarm", "ZW015_302", (one) => act.senseCarbonMonoxide(one, true), "ST", "100", "78"],
    ["Tamper sensor", "ZW016_307", (one) => act.senseTamper(one, true), "ST", "100", "78"],
    ["Old contact", "ZW017_1", (one) => act.senseBinary(one, CONTACT, true), "ST", "0", "79"],
    ["Climate sensor", "ZW018_1", (one) => act.sense(one, 1, 0, 23.5), "ST", "235", "4"],
    ["Climate sensor", "ZW018_1", (one) => act.sense(one, 5, 0, 61), "CLIHUM", "61", "22"],
    ["Climate sensor", "ZW018_1", (one) => act.sense(one, 3, 1, 800), "LUMIN", "800", "36"],
    ["Metering plug", "ZW019_143", (one) => act.measure(one, "W", 120), "ST", "1200", "73"],
    ["Metering plug", "ZW019_143", (one) => act.measure(one, "kWh", 13), "TPW", "13000", "33"],
    ["Meter", "ZW020_143", (one) => act.measure(one, "V", 231), "CV", "2310", "72"],
    ["Meter", "ZW020_143", (one) => act.measure(one, "A", 1.5), "CC", "1500", "1"],
    ["Siren", "ZW021_314", (one) => act.notify(one, SIREN, 1), "ST", "100", "78"],
    ["Remote", "ZW023_402", (one) => act.pressButton(one, 2, "once"), "DON", "2", null],
    ["Basic device", "ZW025_1", (one) => act.setBasicByHand(one, 40), "ST", "40", "51"],
    ["Basic device", "ZW025_1", (one) => act.controlWithBasic(one, 0), "ST", "0", "51"],
    ["Basic device", "ZW025_1", (one) => act.controlWithBasic(one, 255), "ST", "100", "51"],
  ])("%s: %s", async (name, address, happens, control, action, uom) => {
    const told = stream.next((frame) => frame.node === address && frame.control === control && frame.action === action);
    await happens(services.network.device(name));
    expect((await told).uom).toBe(uom);
  });
});

test("an alarm with a parameter ends with its idle, by name or without", async () => {
  const { home } = services.controller.services;
  const flow = services.network.device("Water flow sensor");
  const states = () =>
    [...(home.nodes.get("ZW027_305")?.properties.values() ?? [])]
      .filter(({ uom }) => uom === 25)
      .map(({ value }) => value);
  for (const ended of [[6], []]) {
    await act.notify(flow, WATER, 6, [3]);
    await vi.waitFor(() => expect(states()).toContain(3));
    await act.notify(flow, WATER, 0, ended);
    await vi.waitFor(() => expect(states()).not.toContain(3));
  }
});

test("a sensor that told °C only and reports in °F is read in °F", async () => {
  const { home } = services.controller.services;
  await act.sense(services.network.device("One scale"), 1, 1, 71.5);
  const told = () => home.nodes.get("ZW029_1")?.properties.get("ST");
  await vi.waitFor(() => expect(told()).toMatchObject({ value: expect.closeTo(219, 1), uom: 4, prec: 1 }));
});

test("a sensor with two scales is read in the unit of each report", async () => {
  const { home } = services.controller.services;
  const climate = services.network.device("Two scales");
  const celsius = () => {
    const { value = null, uom = 0, prec = 0 } = home.nodes.get("ZW028_1")?.properties.get("ST") ?? {};
    return value === null ? null : convertUnit(value / 10 ** prec, uom, 4);
  };
  const seen: (number | null)[] = [];
  const { feed } = services.controller.services;
  const stop = feed.listen(() => seen.push(celsius()));
  await act.sense(climate, 1, 0, 21.5);
  await vi.waitFor(() => expect(celsius()).toBe(21.5));
  await act.sense(climate, 1, 1, 72.5);
  await vi.waitFor(() => expect(celsius()).toBe(22.5));
  stop();
  expect(Math.max(...seen.map((value) => value ?? 0))).toBeLessThan(24);
});

describe("commands reach the device", () => {
  test.each<[string, string, ClassName, number]>([
    ["Switch", "ZW002_1/cmd/DOF", "Binary Switch", 1],
    ["Dimmer", "ZW003_1/cmd/DON/75/51", "Multilevel Switch", 1],
    ["Dimmer", "ZW003_1/cmd/FDUP", "Multilevel Switch", 4],
    ["Dimmer", "ZW003_1/cmd/FDSTOP", "Multilevel Switch", 5],
    ["Strip", "ZW004_3/cmd/DOF", "Binary Switch", 1],
    ["Colour light", "ZW005_1/cmd/DON/30/51", "Multilevel Switch", 1],
    ["Shutter", "ZW006_1/cmd/FDDOWN", "Multilevel Switch", 1],
    ["Blind", "ZW007_1/cmd/DON/50/51", "Window Covering", 5],
    ["Fan", "ZW008_1/cmd/DOF", "Multilevel Switch", 1],
    ["Thermostat", "ZW009_1/cmd/CLISPH/22/4", "Thermostat Setpoint", 1],
    ["Thermostat", "ZW009_1/cmd/CLIMD/2/67", "Thermostat Mode", 1],
    ["Thermostat", "ZW009_1/cmd/CLIFS/1/68", "Thermostat Fan Mode", 1],
    ["Lock", "ZW010_1/cmd/SECMD/1", "Door Lock", 1],
    ["Siren", "ZW021_1/cmd/DON", "Binary Switch", 1],
    ["Garage door", "ZW024_1/cmd/DON", "Barrier Operator", 1],
    ["Basic device", "ZW025_1/cmd/DOF", "Basic", 1],
    ["Climate sensor", "ZW018_1/query", "Multilevel Sensor", 4],
    ["Switch", "ZW002_1/cmd/QUERY", "Binary Switch", 2],
  ])("%s: %s", async (name, path, className, command) => {
    const heard = services.network.device(name).hears(className, command);
    const [first = "", ...rest] = path.split("/");
    const target = rest[0] === "query" ? `/rest/query/${first}` : `/rest/nodes/${path}`;
    const answer = await services.controller.portal.get(target);
    expect([answer.status, (await heard).className]).toEqual([200, className]);
  });

  test("the lock: a code is set and deleted, and it stands nowhere but in the lock", async () => {
    const lock = services.network.device("Lock");
    const heard = lock.hears("User Code", 1);
    const { portal } = services.controller;
    const answer = await portal.get("/rest/zwave/node/ZW010_1/security/user/4/set/code/97531");
    expect(answer.text).toContain('succeeded="true"');
    expect((await heard).payload).toContain(Buffer.from("97531").toString("hex"));
    const deleted = lock.hears("User Code", 1);
    await portal.get("/rest/zwave/node/ZW010_1/security/user/4/delete");
    expect((await deleted).payload.slice(0, 4)).toBe("0400");
    expect(JSON.stringify(services.controller.lines)).not.toContain("97531");
  });
});

type WireNode = { readonly address: string; readonly nodeDefId: string; readonly devtype: { readonly cat: string } };
