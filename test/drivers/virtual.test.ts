/** The virtual driver under the conformance suite, and the rules of its own. */

import { describe, expect, test } from "vitest";
import { demoDevices } from "../../src/demo/demo-devices.ts";
import type { DriverCommand, Outcome } from "../../src/drivers/command.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import type { VirtualDevice } from "../../src/drivers/virtual/virtual-device.ts";
import { createVirtualDriver, type Fault } from "../../src/drivers/virtual/virtual-driver.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { describeDriver } from "./conformance.ts";
import { memoryStore, RecordingHost } from "./recording-host.ts";

const NOON = Date.parse("2026-06-01T12:00:00Z");
const LAMP = "1A 2B 3C 1";
const DEVICES: readonly VirtualDevice[] = [
  { kind: "dimmer", address: LAMP, name: "Lamp" },
  { kind: "radio-dimmer", address: "ZW002_1", name: "Radio Lamp" },
  { kind: "radio-lock", address: "ZY010_1", name: "Lock" },
];

function subjectWith(store: ServiceStore, latencyMs: number) {
  const clock = new VirtualClock(NOON);
  const faults = new Map<string, Fault>();
  const driver = createVirtualDriver({
    devices: DEVICES,
    still: true,
    latencyMs,
    timeZone: "UTC",
    faults: (address) => faults.get(address) ?? null,
  });
  return {
    driver,
    host: new RecordingHost(clock, store),
    advance: (spanMs: number) => clock.advance(spanMs),
    lamp: LAMP,
    deafen: () => void faults.set(LAMP, "silence"),
    press: (control: string) => void driver.simulation?.act(LAMP, control, null),
    parameters: { address: "ZW002_1", bySize: { 1: 1, 2: 7, 4: 13 } },
    lock: { address: "ZY010_1" },
  } as const;
}

describeDriver("virtual", (store) => subjectWith(store, 0));
describeDriver("slow virtual", (store) => subjectWith(store, 1500));

async function startedDemo(
  options: { readonly count?: number; readonly still?: boolean; readonly startsAt?: string } = {},
) {
  const clock = new VirtualClock(options.startsAt ? Date.parse(options.startsAt) : NOON);
  const host = new RecordingHost(clock);
  const driver = createVirtualDriver({
    devices: demoDevices(options.count ?? 0),
    still: options.still ?? true,
    latencyMs: 0,
    timeZone: "Europe/Berlin",
  });
  await driver.start(host, new AbortController().signal);
  return { clock, host, driver };
}

const send = (address: string, command: string, parameters: DriverCommand["parameters"] = []): DriverCommand => ({
  id: "c1",
  address,
  command,
  parameters,
  signal: new AbortController().signal,
});

describe("the virtual driver", () => {
  test("a device plays everything that its definition accepts", async () => {
    const { host, driver } = await startedDemo();
    const outcomes: [string, Outcome][] = [];
    for (const { address, family, instance } of host.nodes.values()) {
      for (const { id, parameters } of host.nodedefOf(address)?.accepts ?? []) {
        const values =
          id === "CONFIG"
            ? []
            : parameters.map((parameter) => {
                const range = host.profile.editor(parameter.editor, family, instance)?.ranges[0];
                expect(range, `${address} ${id} ${parameter.editor}`).toBeDefined();
                return { id: parameter.id, value: Math.max(1, range?.min ?? 0), uom: range?.uom ?? 0, prec: 0 };
              });
        if (id === "QUERY")
          outcomes.push([`${address} ${id}`, await driver.query(address, new AbortController().signal)]);
        else if (id !== "CONFIG") outcomes.push([`${address} ${id}`, await driver.send(send(address, id, values))]);
      }
    }
    expect(outcomes.filter(([, { kind }]) => kind !== "acked")).toEqual([]);
    expect(host.violations).toEqual([]);
  });

  test("a person can do everything that a model offers without breaking the contract", async () => {
    const { host, driver, clock } = await startedDemo();
    const hands = [
      "DON",
      "DOF",
      "DFON",
      "DFOF",
      "BRT",
      "DIM",
      "FDUP",
      "FDDOWN",
      "FDSTOP",
      "OPEN",
      "CLOSE",
      "WET",
      "DRY",
      "LOCK",
      "UNLOCK",
      "CODE",
      "CLIMD",
    ];
    for (const address of host.nodes.keys()) for (const hand of hands) driver.simulation?.act(address, hand, 1);
    await clock.advance(3_600_000);
    expect(host.violations).toEqual([]);
    expect(host.controls.length).toBeGreaterThan(50);
  });

  test("every property that a definition has is reported at the start", async () => {
    const { host } = await startedDemo();
    const missing = [...host.nodes.keys()].flatMap((address) =>
      (host.nodedefOf(address)?.properties ?? [])
        .filter(({ id }) => host.last(address, id) === null)
        .map(({ id }) => `${address} ${id}`),
    );
    expect(missing).toEqual([]);
  });

  test("reports come in a unit that the property's editor knows", async () => {
    const { host } = await startedDemo();
    // Family 1 reports levels as a byte, half degrees, and errors without a unit, although its editors use percent
    // and degrees.
    const itsOwn = new Set([100, 101, 0]);
    const odd = host.reports.filter(({ address, id, uom }) => {
      const spec = host.nodes.get(address);
      const editorId = host.nodedefOf(address)?.properties.find((property) => property.id === id)?.editor;
      const editor = spec && host.profile.editor(editorId ?? "", spec.family, spec.instance);
      return !itsOwn.has(uom) && !editor?.ranges.some((range) => range.uom === uom);
    });
    expect(odd).toEqual([]);
  });

  test("a still house is silent for a day", async () => {
    const { host, clock } = await startedDemo({ still: true });
    host.forget();
    await clock.advance(86_400_000);
    expect([...host.reports, ...host.controls]).toEqual([]);
  });

  test("a house that is not still shows some life at least every half minute, the same on every such day", async () => {
    const day = async () => {
      const { host, clock } = await startedDemo({ still: false });
      host.forget();
      const silences: number[] = [];
      let seen = 0;
      for (let minute = 0; minute < 120; minute += 0.5) {
        await clock.advance(30_000);
        silences.push(host.reports.length - seen);
        seen = host.reports.length;
      }
      expect(host.violations).toEqual([]);
      return { silences, reports: host.reports };
    };
    const [first, second] = [await day(), await day()];
    expect(Math.min(...first.silences)).toBeGreaterThan(0);
    expect(second.reports).toEqual(first.reports);
    expect(new Set(first.reports.map(({ address }) => address)).size).toBeGreaterThan(10);
  });

  test("lamps go on in the evening and off at night", async () => {
    const { host, clock } = await startedDemo({ still: false, startsAt: "2026-06-01T14:50:00Z" });
    const lamps = [...host.nodes.values()].filter(({ nodeDefId }) => /Lamp|UZ[WY]0109/.test(nodeDefId));
    const lit = () => lamps.filter(({ address }) => (host.value(address) ?? 0) > 0).length;
    await clock.advance(6 * 3_600_000);
    const evening = lit();
    await clock.advance(6 * 3_600_000);
    expect(evening).toBeGreaterThan(lamps.length / 3);
    expect(lit()).toBeLessThan(lamps.length / 4);
  });

  test("an unplugged device does not answer, is marked, and recovers without a command", async () => {
    const { host, driver } = await startedDemo();
    driver.simulation?.act(LAMP, "UNPLUG", null);
    expect(await driver.send(send(LAMP, "DON"))).toMatchObject({ kind: "failed", reason: "no-ack", retryable: true });
    expect([host.links.get(LAMP), host.value(LAMP, "ERR"), host.value(LAMP)]).toEqual(["unreachable", 1, 0]);
    driver.simulation?.act(LAMP, "PLUG", null);
    expect([host.links.get(LAMP), host.value(LAMP, "ERR")]).toEqual(["online", 0]);
    expect(await driver.send(send(LAMP, "DON"))).toEqual({ kind: "acked" });
  });

  test("acts that make no sense are refused", async () => {
    const { driver } = await startedDemo();
    expect(driver.simulation?.act("9 9 9 1", "DON", null)).toBe(false);
    expect(driver.simulation?.act(LAMP, "OPEN", null)).toBe(false);
    expect(driver.simulation?.act("ZW010_1", "CODE", 4)).toBe(false);
  });

  test("a code that was set opens the lock for its user, one that was cleared does not", async () => {
    const { driver, host } = await startedDemo();
    const { signal } = new AbortController();
    await driver.codes?.set("ZW010_1", 4, "7531", signal);
    expect(driver.simulation?.act("ZW010_1", "CODE", 4)).toBe(true);
    expect([host.value("ZW010_1"), host.value("ZW010_1", "USRNUM"), host.value("ZW010_1", "ALARM")]).toEqual([
      0, 4, 24,
    ]);
    await driver.codes?.clear("ZW010_1", 4, signal);
    expect(driver.simulation?.act("ZW010_1", "CODE", 4)).toBe(false);
  });

  test("a code that is no code is refused", async () => {
    const { driver } = await startedDemo();
    const outcome = await driver.codes?.set("ZW010_1", 1, "12a4", new AbortController().signal);
    expect(outcome).toMatchObject({ kind: "failed", reason: "bad-parameter" });
  });

  test("an unsigned parameter reads its bytes as such", async () => {
    const { driver } = await startedDemo();
    const { signal } = new AbortController();
    await driver.parameters?.set("ZW002_1", { number: 5, size: 1, value: -1 }, signal);
    expect(await driver.parameters?.get("ZW002_1", 5, signal)).toEqual({ number: 5, size: 1, value: 255 });
  });

  test("CONFIG writes the parameter that it names", async () => {
    const { driver } = await startedDemo();
    const config = [
      { id: "NUM", value: 7, uom: 107, prec: 0 },
      { id: "VAL", value: -5, uom: 112, prec: 0 },
    ];
    expect(await driver.send(send("ZW002_1", "CONFIG", config))).toEqual({ kind: "acked" });
    const { signal } = new AbortController();
    expect(await driver.parameters?.get("ZW002_1", 7, signal)).toEqual({ number: 7, size: 2, value: -5 });
  });

  test("a kept state that is damaged is left out", async () => {
    const store = memoryStore();
    store.set(`state ${LAMP}`, { [LAMP]: { ST: "bright", OL: 99, XX: 1 } });
    const subject = subjectWith(store, 0);
    await subject.driver.start(subject.host, new AbortController().signal);
    expect([subject.host.value(LAMP), subject.host.value(LAMP, "OL")]).toEqual([0, 99]);
  });

  test("a still house of 10,000 nodes runs no timer at all, a living one runs one", async () => {
    const timersOf = async (still: boolean) => {
      const clock = new VirtualClock(NOON);
      let timers = 0;
      const counting = {
        now: () => clock.now(),
        elapsed: () => clock.elapsed(),
        setTimer: (callback: () => void, delayMs: number) => {
          timers += 1;
          return clock.setTimer(callback, delayMs);
        },
      };
      const options = { devices: demoDevices(10_000), still, latencyMs: 0, timeZone: "UTC" };
      await createVirtualDriver(options).start(new RecordingHost(counting), new AbortController().signal);
      return timers;
    };
    expect([await timersOf(true), await timersOf(false)]).toEqual([0, 1]);
  });
});
