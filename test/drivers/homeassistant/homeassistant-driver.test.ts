/** The driver of a Home Assistant's devices keeps the contract of drivers, and what bridges like it got wrong in the field is right. */

import { afterEach, describe, expect, test } from "vitest";
import { SimulatedHomeAssistant } from "../../../simulators/homeassistant/simulated-home-assistant.ts";
import { describeDriver } from "../conformance.ts";
import { memoryStore } from "../recording-host.ts";
import { endAll, furnish, HomeAssistantHome, UUID } from "./home-assistant-home.ts";

const simulators = new WeakMap<object, SimulatedHomeAssistant>();

describeDriver("homeassistant", async (store) => {
  const simulated = simulators.get(store) ?? (await SimulatedHomeAssistant.start());
  if (!simulators.has(store)) furnish(simulated);
  simulators.set(store, simulated);
  const home = await HomeAssistantHome.made({}, store, simulated);
  return {
    driver: home.driver,
    host: home.host,
    // Ten minutes after the stop nothing is on its way.
    advance: (spanMs) => (spanMs > 60_000 ? home.clock.advance(spanMs) : home.pass(spanMs)),
    lamp: "n000_h001_1",
    deafen: () => void simulated.blocked.set("light.kitchen", () => {}),
    press: null,
    parameters: null,
    lock: null,
  };
});

afterEach(endAll);

let home: HomeAssistantHome;

describe("what it shows", () => {
  test("entities are nodes with their values; those of one device are one node; what has no table is left out", async () => {
    home = await HomeAssistantHome.started();
    const { host } = home;
    expect([...host.nodes.values()].map(({ name }) => name).sort()).toEqual(
      ["Blind", "Button", "Coffee machine", "Door", "Front door", "Hall", "Kitchen"].sort(),
    );
    const value = (name: string, id?: string) => host.value(home.node(name), id);
    expect([value("Kitchen"), value("Coffee machine"), value("Coffee machine", "CPW")]).toEqual([100, 0, 125]);
    // A closed door, an open blind, a bolted lock, degrees with a decimal.
    expect([value("Door"), value("Blind"), value("Front door")]).toEqual([100, 100, 100]);
    expect([value("Hall", "CLITEMP"), value("Hall", "CLISPH")]).toEqual([2050, 210]);
    expect(host.violations).toEqual([]);
  });

  test("locks, garage doors, sirens and scripts come only when they are wanted", async () => {
    home = await HomeAssistantHome.made({ secured: false });
    home.simulated.add("cover.garage", "closed", {
      friendly_name: "Garage",
      device_class: "garage",
      supported_features: 3,
    });
    home.simulated.add("siren.roof", "off", { friendly_name: "Roof" });
    home.simulated.add("script.leave", "off", { friendly_name: "Leave" });
    await home.start();
    const names = [...home.host.nodes.values()].map(({ name }) => name);
    expect(names).toContain("Blind");
    expect(names.filter((name) => ["Garage", "Roof", "Front door", "Leave"].includes(name))).toEqual([]);
  });

  test("with a label only what has it, or whose device or area has it", async () => {
    home = await HomeAssistantHome.made({ label: "domovoi" });
    const { simulated } = home;
    simulated.labels.push({ label_id: "dom", name: "Domovoi" });
    simulated.areas.push({ area_id: "attic", name: "Attic", labels: ["dom"] });
    simulated.add("light.own", "off", { friendly_name: "Own" }, { labels: ["dom"] });
    simulated.add("light.attic", "off", { friendly_name: "Attic lamp" }, { area_id: "attic" });
    await home.start();
    expect([...home.host.nodes.values()].map(({ name }) => name).sort()).toEqual(["Attic lamp", "Own"]);
  });

  test.each([
    ["announced on a broker", { identifiers: [["mqtt", "domovoi_0021b9000001_ZW002_1"]] }],
    ["of its own integration for controllers like this one", { identifiers: [["isy994", `${UUID}_ZW002_1`]] }],
    ["of the Matter bridge", { identifiers: [["matter", "x"]], manufacturer: "Domovoi" }],
  ])("devices of this controller do not come back to it: %s", async (_way, about) => {
    home = await HomeAssistantHome.made();
    home.simulated.devices.push(
      { id: "own", name: "Own", ...about },
      { id: "below", name: "Below", via_device_id: "own" },
    );
    home.simulated.add("light.own", "on", { friendly_name: "Own" }, { device_id: "own" });
    home.simulated.add("light.below", "on", { friendly_name: "Below" }, { device_id: "below" });
    await home.start();
    expect([...home.host.nodes.values()].map(({ name }) => name)).not.toContain("Own");
    expect([...home.host.nodes.values()].map(({ name }) => name)).not.toContain("Below");
  });

  test.each([
    ["home", 100],
    ["not_home", 0],
    ["Work", 0],
    ["unknown", null],
  ])("a person and a tracker at %s are %s, and where that is stays there", async (state, status) => {
    home = await HomeAssistantHome.made();
    const { simulated, host } = home;
    const place = { latitude: 52.123456, longitude: 13.654321, gps_accuracy: 9, in_zones: ["zone.work"] };
    simulated.devices.push({ id: "phone", name: "Phone", identifiers: [] });
    simulated.add("person.ada", "not_known", { friendly_name: "Ada", ...place });
    const row = { device_id: "phone", entity_category: "diagnostic" };
    simulated.add("device_tracker.phone", "not_known", { friendly_name: "Phone tracker", ...place }, row);
    simulated.add(
      "binary_sensor.plug",
      "on",
      { friendly_name: "Plug", device_class: "moisture" },
      { device_id: "phone" },
    );
    await home.start();
    for (const name of ["person.ada", "device_tracker.phone"])
      simulated.set(name, state, { ...place, latitude: 53.111222 });
    await home.until(() => ["Ada", "Phone tracker"].every((name) => host.known(home.node(name)) === status));
    expect(host.value(home.node("Phone"))).toBe(100);
    const all = JSON.stringify([
      host.reports,
      host.logLines,
      [...host.nodes.values()],
      host.store.keys().map((key) => host.store.get(key)),
    ]);
    for (const secret of ["123456", "654321", "111222", "zone.work"]) expect(all).not.toContain(secret);
    expect(host.violations).toEqual([]);
  });

  test("an entity that is renamed, hidden, shown again and reloaded keeps its node", async () => {
    home = await HomeAssistantHome.started();
    const address = home.node("Kitchen");
    const { simulated, host } = home;
    const { attributes } = simulated.entities.get("light.kitchen") ?? { attributes: {} };
    simulated.remove("light.kitchen");
    await home.until(() => host.links.get(address) === "unreachable");
    simulated.add("light.kitchen_2", "off", attributes, { id: "id-light.kitchen" });
    simulated.registryMoved("entity", { action: "update", entity_id: "light.kitchen_2" });
    await home.until(() => host.links.get(address) === "online" && host.value(address) === 0);
    simulated.set("light.kitchen_2", "unavailable", { supported_color_modes: null });
    await home.until(() => host.links.get(address) === "unreachable");
    simulated.set("light.kitchen_2", "on", attributes);
    await home.until(() => host.value(address) === 100 && host.links.get(address) === "online");
    expect([...host.nodes.keys()]).toContain(address);
    expect([host.controls, host.violations]).toEqual([[], []]);
  });

  test("a device that is removed there is gone", async () => {
    home = await HomeAssistantHome.started();
    const address = home.node("Coffee machine");
    home.simulated.devices.length = 0;
    for (const name of ["switch.coffee", "sensor.coffee_power"]) home.simulated.remove(name);
    home.simulated.registryMoved("device", { action: "remove", device_id: "plug" });
    await home.until(() => !home.host.nodes.has(address));
  });

  test("a unit that its owner changes is the unit of the value", async () => {
    home = await HomeAssistantHome.made();
    home.simulated.add("sensor.attic", "15.6", {
      ...{ friendly_name: "Attic", device_class: "temperature", unit_of_measurement: "°C", state_class: "measurement" },
    });
    await home.start();
    const last = () => home.host.last(home.node("Attic"), "CLITEMP");
    expect(last()).toMatchObject({ value: 1560, uom: 4 });
    home.simulated.set("sensor.attic", "60.08", { unit_of_measurement: "°F" });
    await home.until(() => last()?.uom === 17);
    expect(last()).toMatchObject({ value: 6008 });
  });

  test.each([["nan"], ["unknown"], ["21,5"], [""], ["1e999"]])(
    "the text %j is no number, and no value",
    async (text) => {
      home = await HomeAssistantHome.started();
      home.simulated.set("sensor.coffee_power", text);
      const address = home.node("Coffee machine");
      await home.until(() => home.host.known(address, "CPW") === null);
    },
  );

  test("odd attributes break nothing: null and lists in the place of texts and numbers", async () => {
    home = await HomeAssistantHome.started();
    const odd = { brightness: [1], hs_color: "red", color_temp_kelvin: { a: 1 }, supported_color_modes: "brightness" };
    home.simulated.set("light.kitchen", "on", odd as never);
    home.simulated.set("climate.hall", "heat", { current_temperature: null, hvac_action: 7 } as never);
    home.simulated.set("light.kitchen", "off", { brightness: null, hs_color: null });
    await home.until(() => home.host.value(home.node("Kitchen")) === 0);
    expect(home.host.violations).toEqual([]);
  });
});

describe("what happens", () => {
  test("a door that opens and closes is a state and a control; one that comes back is neither opened nor closed", async () => {
    home = await HomeAssistantHome.started();
    const { host, simulated } = home;
    const door = home.node("Door");
    simulated.set("binary_sensor.door", "on");
    await home.until(() => host.value(door) === 0);
    simulated.set("binary_sensor.door", "unavailable");
    await home.until(() => host.links.get(door) === "unreachable");
    expect(host.value(door)).toBe(0);
    simulated.set("binary_sensor.door", "off");
    await home.until(() => host.value(door) === 100);
    expect(host.controls).toEqual([{ address: door, control: "DON", value: 0 }]);
  });

  test("a button presses when its time moves on, not when an old time is restored", async () => {
    home = await HomeAssistantHome.started();
    const { host, simulated } = home;
    const at = (minute: number) => `2026-11-28T10:0${minute}:00+00:00`;
    simulated.set("event.button", at(1), { event_type: "press" });
    simulated.set("event.button", "unavailable");
    simulated.set("event.button", at(1), { event_type: "press" });
    simulated.set("event.button", at(0), { event_type: "press" });
    simulated.set("event.button", at(2), { event_type: "long_press" });
    await home.until(() => host.controls.length >= 2);
    await home.pass(500);
    expect(host.controls.map(({ control }) => control)).toEqual(["DON", "BMAN"]);
  });

  test("words between two states keep the last one: a lock that locks is not open", async () => {
    home = await HomeAssistantHome.started();
    const front = home.node("Front door");
    home.host.forget();
    home.simulated.set("lock.front", "unlocking");
    home.simulated.set("lock.front", "locking");
    home.simulated.set("lock.front", "jammed");
    await home.until(() => home.host.value(front) === 102);
    expect(home.host.reports.filter(({ address, id }) => address === front && id === "ST")).toHaveLength(1);
  });
});

describe("commands", () => {
  test.each([
    ["Kitchen", "DOF", undefined, "light.turn_off", {}],
    ["Kitchen", "DON", 40, "light.turn_on", { brightness: 102 }],
    ["Coffee machine", "DON", undefined, "switch.turn_on", {}],
    ["Blind", "FDDOWN", undefined, "cover.close_cover", {}],
    ["Blind", "DON", 25, "cover.set_cover_position", { position: 25 }],
    ["Front door", "SECMD", 0, "lock.unlock", {}],
    ["Hall", "CLISPH", 19, "climate.set_temperature", { temperature: 19 }],
  ] as const)(
    "%s %s %s is %s with %j, and is acknowledged when the state follows",
    async (name, command, value, service, data) => {
      home = await HomeAssistantHome.started();
      const uom = command === "SECMD" ? 11 : command === "CLISPH" ? 4 : 51;
      expect(await home.send(name, command, value, uom)).toEqual({ kind: "acked" });
      const called = home.simulated.calls.at(-1);
      expect([`${called?.domain}.${called?.service}`, called?.data]).toEqual([service, data]);
      expect(home.host.reports.find(({ commandId }) => commandId === "c1")).toMatchObject({ cause: "ack" });
    },
  );

  test("what the device was already, and what a deaf one does not do, is not believed", async () => {
    home = await HomeAssistantHome.started();
    expect(await home.send("Coffee machine", "DOF")).toMatchObject({
      kind: "sent",
      detail: expect.stringContaining("already"),
    });
    home.simulated.deaf.add("switch.coffee");
    const outcome = await home.send("Coffee machine", "DON");
    expect(outcome).toMatchObject({ kind: "sent", detail: expect.stringContaining("did not report") });
  });

  test("a refusal has Home Assistant's sentence; an unreachable device is not asked; a jammed lock has failed", async () => {
    home = await HomeAssistantHome.started();
    home.simulated.refusing.set("switch.coffee", "The plug is locked for children.");
    expect(await home.send("Coffee machine", "DON")).toMatchObject({
      ...{ kind: "failed", reason: "rejected", detail: "The plug is locked for children." },
    });
    home.simulated.set("light.kitchen", "unavailable");
    await home.until(() => home.host.links.get(home.node("Kitchen")) === "unreachable");
    const calls = home.simulated.calls.length;
    expect(await home.send("Kitchen", "DON")).toMatchObject({ kind: "failed", reason: "unreachable" });
    expect(home.simulated.calls).toHaveLength(calls);
    home.simulated.deaf.add("lock.front");
    home.simulated.set("lock.front", "jammed");
    await home.until(() => home.host.value(home.node("Front door")) === 102);
    expect(await home.send("Front door", "SECMD", 0, 11)).toMatchObject({
      kind: "failed",
      detail: "The lock is jammed.",
    });
  });

  test("a service that takes its time is waited for; one that never answers is given up with its command", async () => {
    home = await HomeAssistantHome.started();
    const { simulated } = home;
    simulated.blocked.set("switch.coffee", () => {});
    const slow = home.send("Coffee machine", "DON");
    await home.pass(5000);
    simulated.blocked.get("switch.coffee")?.();
    expect(await slow).toEqual({ kind: "acked" });
    const giving = new AbortController();
    const parameters: [] = [];
    const address = home.node("Coffee machine");
    const given = home.driver.send({ id: "c2", address, command: "DOF", parameters, signal: giving.signal });
    await home.pass(100);
    giving.abort();
    expect(await given).toMatchObject({ kind: "failed", reason: "timeout" });
  });
});

describe("the connection", () => {
  test("a wrong token is tried once, and a token that is taken back once more: then it waits for another one", async () => {
    home = await HomeAssistantHome.made({ token: "wrong" });
    await expect(home.start()).rejects.toThrow("refuses the token");
    await expect(home.start()).rejects.toThrow("refuses the token");
    expect(home.simulated.logins).toBe(1);
    home = await HomeAssistantHome.started();
    home.simulated.revoke("another");
    await home.until(() => home.host.states.at(-1) === "failed");
    await expect(home.start()).rejects.toThrow("refuses the token");
    await expect(home.start()).rejects.toThrow("refuses the token");
    expect(home.simulated.logins).toBe(2);
  });

  test("while Home Assistant starts, or runs without its integrations, nothing is gone and nothing happens", async () => {
    const store = memoryStore();
    const first = await HomeAssistantHome.started({}, store);
    const nodes = [...first.host.nodes.keys()].sort();
    await first.driver.stop();
    const simulated = await SimulatedHomeAssistant.start();
    simulated.state = "NOT_RUNNING";
    simulated.isRecovering = true;
    home = await HomeAssistantHome.started({}, store, simulated);
    expect([home.host.states.at(-1), home.host.detail]).toEqual([
      "degraded",
      "Home Assistant runs without its integrations.",
    ]);
    simulated.isRecovering = false;
    furnish(simulated);
    simulated.set("binary_sensor.door", "on");
    await home.until(() => home.host.detail === "Home Assistant is starting.");
    simulated.state = "RUNNING";
    await home.until(() => home.host.states.at(-1) === "ready");
    expect([...home.host.nodes.keys()].sort()).toEqual(nodes);
    expect([home.host.controls, home.host.reports.filter(({ cause }) => cause === "report")]).toEqual([[], []]);
  });

  test("a connection that ends is a failure, and one that freezes is found within a minute", async () => {
    home = await HomeAssistantHome.started();
    home.simulated.cut();
    await home.until(() => home.host.states.at(-1) === "failed");
    await home.start();
    expect(home.host.states.at(-1)).toBe("ready");
    home.simulated.isFrozen = true;
    await home.pass(60_000);
    expect(home.host.states.at(-1)).toBe("failed");
  });

  test("after a restart of either side the values are those of now, and no press and no report is made of them", async () => {
    home = await HomeAssistantHome.started();
    home.simulated.cut();
    await home.until(() => home.host.states.at(-1) === "failed");
    home.simulated.set("binary_sensor.door", "on");
    home.host.forget();
    await home.start();
    expect(home.host.value(home.node("Door"))).toBe(0);
    expect(home.host.controls).toEqual([]);
    expect(new Set(home.host.reports.map(({ cause }) => cause))).toEqual(new Set(["restore"]));
  });
});
