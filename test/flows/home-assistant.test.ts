/** A Home Assistant that supplies its devices, in a whole controller: programs by room and role over them, Why, announcements without them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { pass, passUntil } from "../support/passing-time.ts";

let controller: TestController;
let simulated: SimulatedHomeAssistant;

beforeAll(async () => {
  simulated = await SimulatedHomeAssistant.start();
  simulated.areas.push(
    { area_id: "office", name: "Office", labels: [] },
    { area_id: "hall", name: "hall", labels: [] },
  );
  const lamp = { friendly_name: "Desk", supported_color_modes: ["brightness"] };
  simulated.add("light.desk", "off", lamp, { area_id: "office" });
  const window = { friendly_name: "Upstairs window", device_class: "window" };
  simulated.add("binary_sensor.upstairs", "off", window, { area_id: "hall" });
  controller = await startTestController();
  await controller.login();
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await simulated.stop();
});

const data = async <T>(path: string): Promise<T> => (await controller.portal.get(path)).json<{ data: T }>().data;
const nodes = () => [...controller.services.home.nodes.values()].filter(({ driver }) => driver === "homeassistant");
const find = (name: string) => nodes().find((node) => node.name === name);
const statusOf = (name: string) => find(name)?.properties.get("ST")?.value;

test("its devices come by an address and a token, which is in no record", async () => {
  const settings = { url: simulated.url, token: "token 1" };
  const answer = await controller.portal.post("/api/integrations", {
    type: "homeassistant",
    name: "Home Assistant",
    settings,
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => nodes().length, { timeout: 20_000 }).toBe(2);
  expect([find("Desk")?.role, find("Upstairs window")?.role]).toEqual(["dimmer", "contact"]);
  expect(JSON.stringify(controller.services.home.integrations.get("homeassistant"))).not.toContain("token 1");
});

test("a new device lies in the room that it has there, and stays where its owner moves it", async () => {
  const { home } = controller.services;
  const roomOf = (name: string) => home.folders.get(find(name)?.parent?.address ?? "")?.name;
  // The room of the home that there is already, and a new one.
  expect([roomOf("Upstairs window"), roomOf("Desk")]).toEqual(["Hall", "Office"]);
  const kitchen = [...home.folders.values()].find(({ name }) => name === "Kitchen")?.address;
  await controller.portal.request("PATCH", `/api/nodes/${find("Desk")?.address}`, {
    headers: { ...controller.bearer(), "Content-Type": "application/json" },
    body: Buffer.from(JSON.stringify({ parentAddress: kitchen })),
  });
  simulated.registryMoved("entity", { action: "update", entity_id: "light.desk" });
  simulated.set("light.desk", "off", { friendly_name: "Writing desk" });
  await pass(controller.clock, 3000);
  expect(find("Writing desk")?.parent?.address).toBe(kitchen);
  simulated.set("light.desk", "off", { friendly_name: "Desk" });
  await pass(controller.clock, 3000);
});

test("a program by room and role reads a window and turns on a lamp of it, and Why says so", async () => {
  const { address = "" } = find("Upstairs window") ?? {};
  await controller.portal.request("PATCH", `/api/nodes/${address}`, {
    headers: { ...controller.bearer(), "Content-Type": "application/json" },
    body: Buffer.from(JSON.stringify({ use: "window" })),
  });
  const text =
    "Program 'Airing'\n\nIf\n    Status of any window is Open for 10 seconds\n\nThen\n    Set 'Desk' On 40%\n";
  expect((await controller.portal.post("/api/programs/text", { text })).status).toBe(200);
  simulated.set("binary_sensor.upstairs", "on");
  await expect.poll(() => statusOf("Upstairs window")).toBe(0);
  await pass(controller.clock, 11_000);
  await expect.poll(() => simulated.entities.get("light.desk")?.attributes.brightness).toBe(102);
  await expect.poll(() => statusOf("Desk")).toBe(40);
  const { sentences } = await data<{ sentences: readonly string[] }>(`/api/why/node/${find("Desk")?.address}`);
  expect(sentences.join(" ")).toMatch(/"Airing" set it .*"Upstairs window" was Open for 0:00:10/);
});

test("Why names the automation or the person there that did something", async () => {
  const why = async () => {
    const { sentences } = await data<{ sentences: readonly string[] }>(`/api/why/node/${find("Desk")?.address}`);
    return sentences.at(-1);
  };
  simulated.add("automation.hall", "on", { friendly_name: "Hall light by motion" });
  const begun = { id: "run 1", user_id: null, parent_id: "motion 1" };
  simulated.set("automation.hall", "on", { current: 1 }, begun);
  simulated.set("light.desk", "on", { brightness: 51 }, begun);
  await expect.poll(() => statusOf("Desk")).toBe(20);
  expect(await why()).toBe('The automation "Hall light by motion" of Home Assistant set it.');
  simulated.set("light.desk", "on", { brightness: 128 }, { id: "tap 1", user_id: "ada", parent_id: null });
  await expect.poll(() => statusOf("Desk")).toBe(50);
  expect(await why()).toBe("Somebody set it in Home Assistant.");
  simulated.set("light.desk", "on", { brightness: 77 }, { id: "knob 1", user_id: null, parent_id: null });
  await expect.poll(() => statusOf("Desk")).toBe(30);
  expect(await why()).toBe("The device reported it by itself.");
});

test("a person there is a source of a person here, another zone is away, and no coordinates are in any file or log line", async () => {
  const place = { latitude: 52.123456, longitude: 13.654321, gps_accuracy: 9 };
  simulated.add("person.ada", "home", { friendly_name: "Ada's phone", ...place });
  await passUntil(controller.clock, () => statusOf("Ada's phone") === 100);
  expect((await controller.portal.post("/api/integrations", { type: "presence" })).status).toBe(200);
  const input = { name: "Ada", nodes: find("Ada's phone")?.address };
  await controller.portal.post("/api/integrations/presence/operation", { kind: "add-person", input });
  const person = () => controller.services.home.nodes.get("n000_person1")?.properties.get("ST")?.value;
  await passUntil(controller.clock, () => person() === 1);
  simulated.set("person.ada", "Work", { ...place, latitude: 53.111222 });
  await passUntil(controller.clock, () => statusOf("Ada's phone") === 0);
  expect(person()).toBe(1);
  for (let times = 0; times < 31; times += 1) {
    await controller.clock.advance(10_000);
    await pass(controller.clock, 100);
  }
  await expect.poll(person).toBe(0);
  const folder = controller.data;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  const all = [...texts, JSON.stringify(controller.lines)];
  expect(all.some((text) => text.includes("n000_person1"))).toBe(true);
  const secrets = ["123456", "654321", "111222"];
  expect(secrets.filter((secret) => all.some((text) => text.includes(`.${secret}`)))).toEqual([]);
});

test("a command over the interface of the originals is done by it, and its outcome is told", async () => {
  const { address = "" } = find("Desk") ?? {};
  expect((await controller.portal.get(`/rest/nodes/${address}/cmd/DOF`)).status).toBe(200);
  await expect.poll(() => statusOf("Desk")).toBe(0);
  expect(simulated.calls.at(-1)).toMatchObject({ domain: "light", service: "turn_off", entity: "light.desk" });
});
