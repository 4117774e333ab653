/**
 * Nineteen faults that users of similar bridges reported to their makers: Node-RED's nodes for Home Assistant, home-assistant-matter-hub,
 * matterbridge-home-assistant, homebridge-homeassistant, remote_homeassistant, openHAB's binding, and Home Assistant itself.
 */

import { afterEach, expect, test } from "vitest";
import { SimulatedHomeAssistant } from "../../../simulators/homeassistant/simulated-home-assistant.ts";
import { startTestController } from "../../support/controller.ts";
import { passUntil } from "../../support/passing-time.ts";
import { memoryStore } from "../recording-host.ts";
import { endAll, furnish, HomeAssistantHome } from "./home-assistant-home.ts";

afterEach(endAll);

let home: HomeAssistantHome;

const COLORS = {
  supported_color_modes: ["hs", "color_temp"],
  min_color_temp_kelvin: 2000,
  max_color_temp_kelvin: 6500,
};
const value = (name: string, id?: string) => home.host.value(home.node(name), id);
const link = (name: string) => home.host.links.get(home.node(name));
const called = () => home.simulated.calls.at(-1);

/** Restarts of Home Assistant: the connection ends, and the driver is started again. */
async function reconnect(): Promise<void> {
  home.simulated.cut();
  await home.until(() => home.host.states.at(-1) === "failed");
  await home.start();
}

test("1: a lamp that was on before Home Assistant started is not turned on by its start", async () => {
  const store = memoryStore();
  const first = await HomeAssistantHome.started({}, store);
  await first.driver.stop();
  const simulated = await SimulatedHomeAssistant.start();
  simulated.state = "STARTING";
  furnish(simulated);
  simulated.set("light.kitchen", "off");
  home = await HomeAssistantHome.started({}, store, simulated);
  home.host.forget();
  simulated.set("light.kitchen", "on", { brightness: 255 });
  simulated.set("binary_sensor.door", "on");
  simulated.state = "RUNNING";
  await home.until(() => home.host.states.at(-1) === "ready");
  expect([value("Kitchen"), value("Door")]).toEqual([100, 0]);
  expect([home.host.controls, home.host.reports.filter(({ cause }) => cause !== "restore")]).toEqual([[], []]);
});

test("2: after a restart of Home Assistant states go on coming", async () => {
  home = await HomeAssistantHome.started();
  await reconnect();
  home.simulated.set("light.kitchen", "on", { brightness: 128 });
  await home.until(() => value("Kitchen") === 50);
  home.simulated.set("binary_sensor.door", "on");
  await home.until(() => home.host.controls.length === 1);
});

test("3: a device that was out of reach and is back has not changed", async () => {
  home = await HomeAssistantHome.started();
  home.host.forget();
  home.simulated.set("binary_sensor.door", "unavailable");
  await home.until(() => link("Door") === "unreachable");
  home.simulated.set("binary_sensor.door", "off");
  await home.until(() => link("Door") === "online");
  expect([value("Door"), home.host.controls]).toEqual([100, []]);
});

test("4: a lamp that is off and says null for its level is off, and reachable", async () => {
  home = await HomeAssistantHome.made();
  home.simulated.add("light.hue", "on", {
    ...{ friendly_name: "Hue", ...COLORS, brightness: 255, hs_color: [120, 80], color_temp_kelvin: null },
  });
  await home.start();
  home.simulated.set("light.hue", "off", { brightness: null, hs_color: null, color_mode: null });
  await home.until(() => value("Hue") === 0);
  expect([link("Hue"), value("Hue", "GV2"), value("Hue", "GV3")]).toEqual(["online", 120, 80]);
});

test("5: on without a level leaves the level to the lamp", async () => {
  home = await HomeAssistantHome.started();
  await home.send("Kitchen", "DOF");
  await home.send("Kitchen", "DON");
  expect([called()?.service, called()?.data]).toEqual(["turn_on", {}]);
});

test("6: a group of lamps that is off and has null for its color is there", async () => {
  home = await HomeAssistantHome.made();
  home.simulated.add("light.group", "off", {
    ...{ friendly_name: "Group", ...COLORS, brightness: null, hs_color: null, rgb_color: null, xy_color: null },
  });
  await home.start();
  expect([value("Group"), link("Group"), home.host.violations]).toEqual([0, "online", []]);
});

test("7: a white lamp that shows a color has no color", async () => {
  home = await HomeAssistantHome.made();
  home.simulated.add("light.white", "on", {
    ...{ friendly_name: "White", ...COLORS, supported_color_modes: ["color_temp"] },
    ...{ brightness: 255, color_temp_kelvin: 2700, hs_color: [28.3, 65.8] },
  });
  await home.start();
  expect(value("White", "GV1")).toBe(370);
  expect(home.host.nodedefOf(home.node("White"))?.properties.map(({ id }) => id)).not.toContain("GV2");
});

test("8: degrees Fahrenheit stay what they are, of a thermostat and of a sensor", async () => {
  home = await HomeAssistantHome.made();
  home.simulated.temperatureUnit = "°F";
  home.simulated.set("climate.hall", "heat", { current_temperature: 76, temperature: 70, min_temp: 45, max_temp: 95 });
  const attributes = { device_class: "temperature", state_class: "measurement", unit_of_measurement: "°C" };
  home.simulated.add("sensor.attic", "21.5", { friendly_name: "Attic", ...attributes });
  await home.start();
  expect(home.host.last(home.node("Hall"), "CLITEMP")).toMatchObject({ value: 7600, prec: 2, uom: 17 });
  expect(home.host.last(home.node("Attic"), "CLITEMP")).toMatchObject({ value: 2150, prec: 2, uom: 4 });
  await home.send("Hall", "CLISPH", 68, 17);
  expect(called()?.data).toEqual({ temperature: 68 });
});

test.for([
  [100, "open", 100],
  [25, "open", 25],
  [0, "closed", 0],
] as const)("9: a cover at position %d is %s to that degree", async ([position, state, shown]) => {
  home = await HomeAssistantHome.started();
  home.simulated.set("cover.blind", state, { current_position: position });
  await home.until(() => value("Blind") === shown);
  home.host.forget();
  home.simulated.set("cover.blind", "open", { current_position: 60 });
  await home.until(() => value("Blind") === 60);
  expect(await home.send("Blind", "DON", position)).toEqual({ kind: "acked" });
  expect(called()).toMatchObject({ service: "set_cover_position", data: { position } });
});

test("10: a row of the registry without a state breaks nothing", async () => {
  home = await HomeAssistantHome.made();
  home.simulated.add("light.ghost", "on", { friendly_name: "Ghost" });
  home.simulated.withoutState.add("light.ghost");
  await home.start();
  const names = [...home.host.nodes.values()].map(({ name }) => name);
  expect([home.host.states.at(-1), names.includes("Kitchen"), names.includes("Ghost")]).toEqual(["ready", true, false]);
});

test("11: a lock that locks once more is not open in between", async () => {
  home = await HomeAssistantHome.started();
  home.host.forget();
  home.simulated.set("lock.front", "locking");
  home.simulated.set("lock.front", "locked");
  home.simulated.set("light.kitchen", "off");
  await home.until(() => value("Kitchen") === 0);
  const told = home.host.reports.filter(({ address }) => address === home.node("Front door"));
  expect(told.filter(({ value: each }) => each !== 100)).toEqual([]);
});

test("12: after a restart every device is there, also one that does not change", async () => {
  home = await HomeAssistantHome.started();
  const names = [...home.host.nodes.values()].map(({ name }) => name);
  home.simulated.set("cover.blind", "unavailable");
  await home.until(() => link("Blind") === "unreachable");
  home.simulated.cut();
  await home.until(() => home.host.states.at(-1) === "failed");
  home.simulated.set("cover.blind", "open", { current_position: 40 });
  await home.start();
  expect(names.map(link)).toEqual(names.map(() => "online"));
  expect(value("Blind")).toBe(40);
});

test("13: after half an hour without Home Assistant every device is back within half a minute", async () => {
  const simulated = await SimulatedHomeAssistant.start();
  furnish(simulated);
  await using controller = await startTestController();
  await controller.login();
  const { url, port } = simulated;
  const settings = { url, token: simulated.token };
  await controller.portal.post("/api/integrations", { type: "homeassistant", name: "Home Assistant", settings });
  const { home: all, integrations } = controller.services;
  const state = () => integrations.find("homeassistant").state;
  const links = () =>
    [...all.nodes.values()].filter(({ driver }) => driver === "homeassistant").map(({ link: at }) => at);
  await passUntil(controller.clock, () => state() === "ready");
  await simulated.stop();
  await passUntil(controller.clock, () => state() === "failed");
  for (let times = 0; times < 180; times += 1) {
    await controller.clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  expect(new Set(links())).toEqual(new Set(["unreachable"]));
  const again = await SimulatedHomeAssistant.start(port);
  furnish(again);
  const backAt = controller.clock.now();
  await passUntil(controller.clock, () => state() === "ready");
  expect(controller.clock.now() - backAt).toBeLessThan(32_000);
  expect(new Set(links())).toEqual(new Set(["online"]));
  await again.stop();
}, 60_000);

test("14: a flood is read from the socket at once, and worked on later: the connection stays", async () => {
  home = await HomeAssistantHome.made();
  for (let at = 0; at < 500; at += 1) home.simulated.add(`switch.s${at}`, "off", { friendly_name: `Switch ${at}` });
  await home.start();
  for (let round = 0; round < 20; round += 1)
    for (let at = 0; at < 500; at += 1) home.simulated.set(`switch.s${at}`, round % 2 === 0 ? "on" : "off");
  home.simulated.set("switch.s499", "on");
  await home.until(() => value("Switch 499") === 100 && value("Switch 0") === 0);
  expect([home.simulated.logins, home.simulated.unreadBytes]).toEqual([1, 0]);
});

test("15: a button that is restored after an outage is not pressed", async () => {
  home = await HomeAssistantHome.started();
  const { state, attributes } = home.simulated.entities.get("event.button") ?? { state: "", attributes: {} };
  home.simulated.set("event.button", "unavailable");
  home.simulated.set("event.button", state, { ...attributes });
  await reconnect();
  home.simulated.set("event.button", "2026-11-28T10:05:00+00:00", { event_type: "press" });
  await home.until(() => home.host.controls.length > 0);
  expect(home.host.controls).toEqual([{ address: home.node("Button"), control: "DON", value: 0 }]);
});

test("16: a device whose entity was renamed is commanded by its new name", async () => {
  home = await HomeAssistantHome.started();
  const { attributes } = home.simulated.entities.get("light.kitchen") ?? { attributes: {} };
  home.simulated.remove("light.kitchen");
  home.simulated.add("light.cooking", "on", attributes, { id: "id-light.kitchen" });
  home.simulated.registryMoved("entity", { action: "update", entity_id: "light.cooking" });
  await home.until(() => link("Kitchen") === "online" && home.host.states.at(-1) === "ready");
  await home.pass(2000);
  expect(await home.send("Kitchen", "DOF")).toEqual({ kind: "acked" });
  expect(called()?.entity).toBe("light.cooking");
});

test("17: a cover that is out of reach is neither closed nor moving", async () => {
  home = await HomeAssistantHome.started();
  home.simulated.set("cover.blind", "closing", { current_position: 70 });
  await home.until(() => value("Blind") === 70);
  home.simulated.set("cover.blind", "unavailable", { current_position: null });
  await home.until(() => link("Blind") === "unreachable");
  expect(value("Blind")).toBe(70);
  home.simulated.set("cover.blind", "open", { current_position: 55 });
  await home.until(() => link("Blind") === "online");
  expect(value("Blind")).toBe(55);
});

test("18: connections that end and come back leave every node as it was, without a hand", async () => {
  home = await HomeAssistantHome.started();
  const before = [...home.host.nodes.values()];
  for (let times = 0; times < 5; times += 1) await reconnect();
  expect([...home.host.nodes.values()]).toEqual(before);
  expect(before.map(({ name }) => link(name))).toEqual(before.map(() => "online"));
  expect(home.host.violations).toEqual([]);
});

test("19: a level for a lamp that is off is one call", async () => {
  home = await HomeAssistantHome.started();
  await home.send("Kitchen", "DOF");
  const before = home.simulated.calls.length;
  expect(await home.send("Kitchen", "DON", 50)).toEqual({ kind: "acked" });
  expect(home.simulated.calls.slice(before)).toMatchObject([{ service: "turn_on", data: { brightness: 128 } }]);
  expect(value("Kitchen")).toBe(50);
});
