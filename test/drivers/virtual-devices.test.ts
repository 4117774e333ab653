/** The behavior of each kind of virtual device: at a command, at a person's action, and over time. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommandParameterValue } from "../../src/drivers/command.ts";
import type { DeviceKind } from "../../src/drivers/virtual/kinds.ts";
import { createVirtualDriver } from "../../src/drivers/virtual/virtual-driver.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "./recording-host.ts";

const NOON = Date.parse("2026-06-01T12:00:00Z");
const WIRED = "1A 2B 3C 1";
const RADIO = "ZW002_1";
const PLUGIN = "n020_thing";

const percent = (value: number, id = ""): CommandParameterValue => ({ id, value, uom: 51, prec: 0 });
const byte = (value: number): CommandParameterValue => ({ id: "", value, uom: 100, prec: 0 });
const quantity = (value: number, uom: number, id = "", prec = 0): CommandParameterValue => ({ id, value, uom, prec });

async function bench(kind: DeviceKind, { still = true, store = memoryStore() } = {}) {
  const address = kind.startsWith("radio") ? RADIO : kind.startsWith("plugin") ? PLUGIN : WIRED;
  const clock = new VirtualClock(NOON);
  const host = new RecordingHost(clock, store);
  const device = { kind, address, name: "Thing" };
  const driver = createVirtualDriver({ devices: [device], still, latencyMs: 0, timeZone: "UTC" });
  await driver.start(host, new AbortController().signal);
  const at = (suffix: string) => address.replace(/([ _])[^ _]+$/, `$1${suffix}`);
  const send = (command: string, parameters: readonly CommandParameterValue[] = [], to = address) =>
    driver.send({ id: "c7", address: to, command, parameters, signal: new AbortController().signal });
  const act = (control: string, value: number | null = null, to = address) =>
    driver.simulation?.act(to, control, value);
  const levels = (id = "ST", of = address) =>
    host.reports.filter((report) => report.address === of && report.id === id).map(({ value }) => value);
  return { driver, host, clock, address, at, send, act, levels };
}

describe("a dimmer", () => {
  test("goes to the requested level, in percent or as a byte", async () => {
    const { send, host, address } = await bench("dimmer");
    await send("DON", [percent(75)]);
    expect(host.last(address, "ST")).toMatchObject({ value: 191, uom: 100, cause: "ack", commandId: "c7" });
    await send("DON", [byte(100)]);
    expect(host.value(address)).toBe(100);
  });

  test("goes to its on level without a requested one, and fast on goes to full", async () => {
    const { send, host, address } = await bench("dimmer");
    await send("OL", [percent(40)]);
    await send("DON");
    expect([host.value(address, "OL"), host.value(address)]).toEqual([102, 102]);
    await send("DFON");
    expect(host.value(address)).toBe(255);
  });

  test("moves in steps when its ramp is longer than half a second", async () => {
    const { send, clock, levels, host } = await bench("dimmer");
    await send("RR", [quantity(26, 25)]);
    host.forget();
    await send("DON");
    await clock.advance(2000);
    const halfway = levels().at(-1) ?? 0;
    await clock.advance(3000);
    expect(halfway).toBeGreaterThan(60);
    expect(halfway).toBeLessThan(200);
    expect(levels().at(-1)).toBe(255);
    expect(levels()).toEqual([...levels()].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(levels().length).toBeLessThanOrEqual(33);
  });

  test("gives up a ramp for a newer command", async () => {
    const { send, clock, levels, host, address } = await bench("dimmer");
    await send("RR", [quantity(23, 25)]);
    await send("DON");
    await clock.advance(5000);
    await send("DFOF");
    host.forget();
    await clock.advance(60_000);
    expect(levels()).toEqual([]);
    expect(host.value(address)).toBeNull();
  });

  test("has 32 steps from dark to full and back", async () => {
    const { send, host, address } = await bench("dimmer");
    for (let step = 0; step < 32; step += 1) await send("BRT");
    expect(host.value(address)).toBe(255);
    await send("DIM");
    expect(host.value(address)).toBe(247);
  });

  test("fades until it is stopped, and stays at that level", async () => {
    const { send, clock, host, address, levels } = await bench("dimmer");
    await send("FDUP");
    await clock.advance(2250);
    await send("FDSTOP");
    const stopped = host.value(address);
    host.forget();
    await clock.advance(60_000);
    expect(stopped).toBeGreaterThan(100);
    expect(stopped).toBeLessThan(155);
    expect(levels()).toEqual([]);
  });

  test("keeps on level and ramp rate over a restart, and a ramp that was under way is at its end", async () => {
    const store = memoryStore();
    const first = await bench("dimmer", { store });
    await first.send("OL", [percent(20)]);
    await first.send("RR", [quantity(20, 25)]);
    await first.send("DON", [percent(100)]);
    await first.driver.stop();
    const { host, address } = await bench("dimmer", { store });
    expect([host.value(address, "OL"), host.value(address, "RR"), host.value(address)]).toEqual([51, 20, 255]);
  });

  test("shows that its settings are being written", async () => {
    const { send, host, address } = await bench("dimmer");
    await send("OL", [percent(20)]);
    expect(host.written).toEqual([
      { address, phase: "writing", active: true },
      { address, phase: "writing", active: false },
    ]);
  });

  test("sends what is pressed and follows it", async () => {
    const { act, host, address } = await bench("dimmer");
    act("DFON");
    expect([host.controls, host.value(address)]).toEqual([[{ address, control: "DFON", value: 0 }], 255]);
  });

  test("stays between dark and full for any commands in any order", async () => {
    const commands = fc.constantFrom("DON", "DOF", "DFON", "DFOF", "BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP");
    const step = fc.record({
      command: commands,
      level: fc.option(fc.integer({ min: 0, max: 100 })),
      waitMs: fc.nat(6000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { send, clock, levels, host } = await bench("dimmer");
        await send("RR", [quantity(26, 25)]);
        for (const { command, level, waitMs } of steps) {
          await send(command, command === "DON" && level !== null ? [percent(level)] : []);
          await clock.advance(waitMs);
        }
        expect(levels().every((level) => level !== null && level >= 0 && level <= 255)).toBe(true);
        expect(host.violations).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe("a relay", () => {
  test("knows only on and off", async () => {
    const { send, host, address } = await bench("relay");
    await send("DON", [percent(30)]);
    expect(host.value(address)).toBe(255);
    await send("DON", [percent(0)]);
    expect(host.value(address)).toBe(0);
  });
});

describe("a keypad", () => {
  test("has a load and four buttons whose light follows the press", async () => {
    const { host, act, at } = await bench("keypad");
    expect([...host.nodes.values()].map(({ nodeDefId, primary }) => [nodeDefId, primary])).toEqual([
      ["KeypadDimmer_ADV", WIRED],
      ...Array.from({ length: 4 }, () => ["KeypadButton_ADV", WIRED]),
    ]);
    act("DON", null, at("4"));
    expect([host.value(at("4")), host.value(at("3")), host.value(at("1"))]).toEqual([255, 0, 0]);
    expect(host.controls).toEqual([{ address: at("4"), control: "DON", value: 0 }]);
    act("DOF", null, at("4"));
    expect(host.value(at("4"))).toBe(0);
  });
});

describe("a fan", () => {
  test.each([
    [0, 0],
    [25, 63],
    [75, 191],
    [100, 255],
  ])("at %i %% runs at %i", async (wanted, speed) => {
    const { send, host, at } = await bench("fan");
    await send("DON", [percent(wanted)], at("2"));
    expect(host.value(at("2"))).toBe(speed);
  });

  test("has a light of its own", async () => {
    const { send, host, at } = await bench("fan");
    await send("DON", [percent(50)]);
    expect([host.value(at("1")), host.value(at("2"))]).toEqual([128, 0]);
  });
});

describe("a blind", () => {
  test("travels for its set time and can be stopped on the way", async () => {
    const { send, clock, host, address } = await bench("blind");
    await send("FDDOWN");
    await send("FDSTOP");
    await send("DON", [percent(100)]);
    await send("DOF");
    await clock.advance(9000);
    expect(host.value(address)).toBeGreaterThan(100);
    expect(host.value(address)).toBeLessThan(155);
    await clock.advance(10_000);
    expect(host.value(address)).toBe(0);
  });
});

describe("a thermostat", () => {
  test("takes set-points in degrees and keeps them in half degrees", async () => {
    const { send, host, address } = await bench("thermostat");
    await send("CLISPH", [quantity(66, 14)]);
    expect(host.last(address, "CLISPH")).toMatchObject({ value: 132, uom: 101 });
    await send("CLISPC", [quantity(150, 101)]);
    expect(host.value(address, "CLISPC")).toBe(150);
  });

  test("keeps two degrees between its set-points", async () => {
    const { send, host, address } = await bench("thermostat");
    await send("CLISPH", [quantity(80, 14)]);
    expect([host.value(address, "CLISPH"), host.value(address, "CLISPC")]).toEqual([160, 164]);
  });

  test("heats until the room has the set temperature, and reports it by its node for heating", async () => {
    const { send, clock, host, address, at } = await bench("thermostat", { still: false });
    await send("CLIMD", [quantity(1, 98)]);
    await send("CLISPH", [quantity(73, 14)]);
    expect([host.value(address, "CLIHCS"), host.value(at("3"))]).toEqual([1, 255]);
    await clock.advance(20 * 60_000);
    const room = host.reports.filter((report) => report.address === address && report.id === "ST");
    expect(Math.max(...room.map(({ value }) => value ?? 0))).toBeGreaterThanOrEqual(146);
    expect(host.controls.map(({ control }) => control).slice(0, 2)).toEqual(["DON", "DOF"]);
    expect(host.violations).toEqual([]);
  });

  test("in a still house heats without the room ever changing", async () => {
    const { send, clock, host, address, levels } = await bench("thermostat");
    await send("CLISPH", [quantity(75, 14)]);
    await clock.advance(3_600_000);
    expect([host.value(address, "CLIHCS"), levels()]).toEqual([1, [140]]);
  });

  test("of a radio family uses tenths of a degree and understands Fahrenheit", async () => {
    const { send, host, address } = await bench("radio-thermostat");
    await send("CLISPH", [quantity(205, 4, "", 1)]);
    expect(host.last(address, "CLISPH")).toMatchObject({ value: 205, uom: 4, prec: 1 });
    await send("CLISPH", [quantity(70, 17)]);
    expect(host.value(address, "CLISPH")).toBe(211);
    await send("CLIMD", [quantity(2, 67)]);
    await send("CLISPC", [quantity(18, 4)]);
    expect([host.value(address, "CLIHCS"), host.value(address, "CLIFRS")]).toEqual([2, 1]);
  });
});

describe("a sensor", () => {
  test("door: the first node reports open, the second closed", async () => {
    const { act, host, at } = await bench("door");
    act("OPEN");
    expect([host.value(at("1")), host.value(at("2"))]).toEqual([255, 0]);
    act("CLOSE");
    expect([host.value(at("1")), host.value(at("2"))]).toEqual([0, 255]);
    expect(host.controls.filter(({ address }) => address === at("1")).map(({ control }) => control)).toEqual([
      "DON",
      "DOF",
    ]);
  });

  test("leak: the first node reports dry, the second wet", async () => {
    const { act, host, at } = await bench("leak");
    act("WET");
    expect([host.value(at("1")), host.value(at("2"))]).toEqual([0, 255]);
  });

  test("motion: sends on and off", async () => {
    const { act, host } = await bench("motion");
    act("DON");
    act("DOF");
    expect(host.controls.map(({ control }) => control)).toEqual(["DON", "DOF"]);
  });

  test.each(["door", "leak"] as const)(
    "%s: node 2 shows the complement of node 1, from the start and after every act",
    async (kind) => {
      const { act, host, address } = await bench(kind);
      const second = address.replace(/1$/, "2");
      const both = () => [host.value(address), host.value(second)].toSorted();
      expect(both()).toEqual([0, 255]);
      for (const control of kind === "door" ? ["OPEN", "CLOSE", "DON", "DOF"] : ["WET", "DRY", "DOF", "DON"]) {
        act(control);
        expect(both()).toEqual([0, 255]);
      }
    },
  );

  test("radio contact: 0 is open, 100 is closed", async () => {
    const { act, host, address } = await bench("radio-contact");
    act("OPEN");
    expect(host.last(address, "ST")).toMatchObject({ value: 0, uom: 79 });
    act("CLOSE");
    expect(host.value(address)).toBe(100);
  });
});

describe("a siren", () => {
  const DISARMED = 0;
  const ARMED_AWAY = 3;

  test("falls silent after its own time", async () => {
    const { send, clock, host, address } = await bench("siren");
    await send("DON");
    expect(host.value(address)).toBe(255);
    await clock.advance(61_000);
    expect(host.value(address)).toBe(0);
  });

  test("sounds for the given time", async () => {
    const { send, clock, host, address } = await bench("siren");
    await send("DON", [{ id: "DUR", value: 5, uom: 58, prec: 0 }]);
    await clock.advance(4000);
    expect(host.value(address)).toBe(255);
    await clock.advance(2000);
    expect(host.value(address)).toBe(0);
  });

  test("is armed after its delay and disarmed at once", async () => {
    const { send, clock, host, address } = await bench("siren");
    await send("ARM", [{ id: "", value: ARMED_AWAY, uom: 25, prec: 0 }]);
    expect(host.value(address, "MODE")).toBe(DISARMED);
    await clock.advance(31_000);
    expect(host.value(address, "MODE")).toBe(ARMED_AWAY);
    await send("DISARM");
    expect(host.value(address, "MODE")).toBe(DISARMED);
  });
});

describe("a meter", () => {
  test("counts energy from the power over time, and from zero after a reset", async () => {
    const { send, clock, host, address, levels } = await bench("meter", { still: false });
    await clock.advance(3_600_000);
    const counted = levels("TPW").at(-1) ?? 0;
    expect(counted - 1_284_620).toBeGreaterThan(150);
    await send("RESET");
    expect(host.value(address, "TPW")).toBe(0);
  });
});

describe("a radio lamp", () => {
  test("takes percent, and returns to its previous level", async () => {
    const { send, host, address } = await bench("radio-dimmer");
    await send("DON", [percent(35)]);
    expect(host.last(address, "ST")).toMatchObject({ value: 35, uom: 51 });
    await send("DOF");
    await send("DON");
    expect(host.value(address)).toBe(35);
    await send("DON", [quantity(1, 25)]);
    expect(host.value(address)).toBe(35);
  });

  test("takes the time that the command gives it, in seconds or minutes", async () => {
    const { send, clock, host, address } = await bench("radio-dimmer");
    await send("DON", [percent(100), quantity(10, 58, "RR")]);
    await clock.advance(5000);
    expect(host.value(address)).toBeGreaterThan(30);
    expect(host.value(address)).toBeLessThan(70);
    await send("DOF", [quantity(1, 45, "RR")]);
    await clock.advance(20_000);
    expect(host.value(address)).toBeGreaterThan(10);
    await clock.advance(60_000);
    expect(host.value(address)).toBe(0);
  });

  test("a switch reports 0 or 100, and its plug's meter shows the load", async () => {
    const { send, host, clock, address, at, levels } = await bench("radio-plug", { still: false });
    await send("DON");
    expect(host.last(address, "ST")).toMatchObject({ value: 100, uom: 78 });
    await clock.advance(60_000);
    expect(Math.max(...levels("ST", at("143")).map((value) => value ?? 0))).toBeGreaterThan(500);
  });

  test("200 equal ones share one definition", async () => {
    const clock = new VirtualClock(NOON);
    const host = new RecordingHost(clock);
    const devices = Array.from(
      { length: 200 },
      (_, at) => ({ kind: "radio-dimmer", address: `ZW${String(at + 2).padStart(3, "0")}_1`, name: `L${at}` }) as const,
    );
    const driver = createVirtualDriver({ devices, still: true, latencyMs: 0, timeZone: "UTC" });
    await driver.start(host, new AbortController().signal);
    expect(host.profile.instance(4, 1)?.dynamicNodedefs.size).toBe(1);
    expect(host.profile.instance(4, 1)?.names.get("NDN-109-NAME")).toBe("Dimmer Switch");
  });
});

describe("a lock", () => {
  test("reports what moved the bolt", async () => {
    const { send, act, host, address } = await bench("radio-lock");
    await send("SECMD", [quantity(0, 84)]);
    expect([host.value(address), host.value(address, "ALARM")]).toEqual([0, 9]);
    act("LOCK");
    expect([host.value(address), host.value(address, "ALARM")]).toEqual([100, 4]);
  });
});

describe("a plugin's node", () => {
  test("irrigation waters for the given time and counts its consumption", async () => {
    const { send, clock, host, address } = await bench("plugin-zone");
    await send("DON", [quantity(5, 45)]);
    expect([host.value(address), host.value(address, "TIMEREM")]).toEqual([100, 5]);
    await clock.advance(301_000);
    expect([host.value(address), host.value(address, "GV1")]).toEqual([0, 175]);
    await send("GV0", [quantity(20, 45)]);
    expect(host.value(address, "GV0")).toBe(20);
  });

  test("brings its definitions with it, as the profile's own", async () => {
    const { host } = await bench("plugin-weather");
    expect(host.profile.instance(10, 20)?.nodedefs.has("weather")).toBe(true);
    expect(host.profile.instance(10, 20)?.dynamicNodedefs.size).toBe(0);
    expect(host.last(PLUGIN, "CLITEMP")).toMatchObject({ uom: 4, prec: 1 });
  });
});
