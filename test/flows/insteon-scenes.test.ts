/** Scenes and operations of an Insteon network, through the API of a whole service. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import type { DevicePlan } from "../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const LAMP: DevicePlan = { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" };
const KEYPAD: DevicePlan = { id: [0x22, 0x05, 0x06], kind: "keypad" };
const SPARE: DevicePlan = { id: [0x30, 0x31, 0x32], kind: "relay" };
const [LAMP_NODE, BUTTON, SPARE_NODE] = ["1A 2B 3C 1", "22 5 6 4", "30 31 32 1"] as const;
const IMPORTED_GROUP = 17;
const GROUP_COMMAND = 0x61;

const clock = new VirtualClock(START_MS);
const modem = new SimulatedModem(clock, [LAMP, KEYPAD]);
const sent: (readonly number[])[] = [];
let server: ModemServer;
let controller: TestController;

beforeAll(async () => {
  for (const each of [LAMP, KEYPAD]) modem.links.put([0xe2, IMPORTED_GROUP, ...each.id, 0, 0, 0]);
  modem.device(LAMP.id).linkAsResponder(IMPORTED_GROUP, modem.id, [51, 0x1b, 0]);
  modem.device(KEYPAD.id).linkAsResponder(IMPORTED_GROUP, modem.id, [255, 0, 7]);
  modem.place(SPARE);
  modem.onCommand = (bytes) => {
    sent.push(bytes);
    return true;
  };
  server = await serveModem(modem);
  controller = await passingUntil(clock, startTestController({ demo: false, insteonPort: server.url }, { clock }));
  await controller.login();
  await passUntil(clock, () => node(BUTTON) !== undefined && node(LAMP_NODE)?.properties.get("RR") !== undefined);
  await pass(clock, 30_000);
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await server.close();
});

test("an operation links a device by its label, and its node is in the home", async () => {
  expect(await operate("include", { label: "30.31.32" })).toMatchObject({ stage: "done", address: SPARE_NODE });
  expect(node(SPARE_NODE)?.nodeDefId).toBe("RelayLampSwitch_ADV");
});

test("input that does not fit the operation is refused, and nothing begins", async () => {
  const answer = await post("/api/integrations/insteon/operation", { kind: "include", input: { label: "lamp" } });
  expect(answer.status).toBe(400);
});

test("a scene is imported from the links that exist, and is carried out by them at once", async () => {
  expect(await operate("import-scenes", {})).toMatchObject({ stage: "done", detail: "1 scene was made." });
  const scene = [...controller.services.home.groups.values()].at(-1);
  expect(scene).toMatchObject({ name: "Insteon scene 17", deviceGroup: IMPORTED_GROUP });
  expect(await states(scene?.address ?? "", scene?.address ?? "")).toEqual({ [LAMP_NODE]: "done", "22 5 6 7": "done" });
  expect(await operate("import-scenes", {})).toMatchObject({ detail: "0 scenes were made." });
});

test("a button that shows a scene is no member that fails", async () => {
  const scene = [...controller.services.home.groups.values()].find(({ name }) => name === "Insteon scene 17")?.address;
  const answer = await passingUntil(clock, controller.local.get(`/rest/nodes/${scene}/cmd/DON`));
  expect([answer.status, level(LAMP_NODE), level("22 5 6 7")]).toEqual([200, 51, 255]);
  const life = controller.services.queue.lives.recent().find(({ address }) => address === scene);
  expect(life).toMatchObject({ state: "acknowledged", detail: "" });
});

test("a scene with a button is written, commanded by one message, and follows the button", async () => {
  await post("/api/nodes", { name: "Evening", nodeType: "group" });
  const scene = [...controller.services.home.groups.values()].find(({ name }) => name === "Evening")?.address ?? "";
  for (const nodeAddress of [LAMP_NODE, SPARE_NODE]) await post(`/api/groups/members/${scene}`, { nodeAddress });
  await post(`/api/groups/members/${scene}`, { nodeAddress: BUTTON, isController: true });
  await pass(clock, 60_000);
  expect(await states(scene, scene)).toMatchObject({ [LAMP_NODE]: "done", [SPARE_NODE]: "done" });
  expect(await states(scene, BUTTON)).toEqual({ [LAMP_NODE]: "done", [SPARE_NODE]: "done" });

  sent.length = 0;
  const answer = await passingUntil(clock, controller.local.get(`/rest/nodes/${scene}/cmd/DON`));
  expect(answer.status).toBe(200);
  expect(sent.map(([, command]) => command)).toEqual([GROUP_COMMAND]);
  expect([level(LAMP_NODE), level(SPARE_NODE), modem.device(LAMP.id).level()]).toEqual([255, 255, 255]);

  sent.length = 0;
  modem.press(modem.device(KEYPAD.id), 4, 0x13);
  await passUntil(clock, () => level(LAMP_NODE) === 0 && level(SPARE_NODE) === 0);
  await pass(clock, 5000);
  expect([sent, modem.device(SPARE.id).level()]).toEqual([[], 0]);

  await passingUntil(clock, controller.restart());
  await passUntil(clock, () => node(LAMP_NODE)?.link === "online");
  await pass(clock, 60_000);
  expect(await states(scene, BUTTON)).toEqual({ [LAMP_NODE]: "done", [SPARE_NODE]: "done" });
}, 60_000);

type Links = { readonly data: { readonly groups: readonly { readonly ctl: readonly Block[] }[] } };
type Block = {
  readonly id: string;
  readonly links: readonly { readonly node: string; readonly device?: { state: string } }[];
};

async function states(scene: string, from: string): Promise<Readonly<Record<string, string | undefined>>> {
  const [group] = (await controller.portal.get(`/api/groups/links/${scene}`)).json<Links>().data.groups;
  const links = group?.ctl.find(({ id }) => id === from)?.links ?? [];
  return Object.fromEntries(links.map((link) => [link.node, link.device?.state]));
}

async function operate(kind: string, input: object) {
  const answer = await post("/api/integrations/insteon/operation", { kind, input });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const operation = () => controller.services.drivers.find("insteon")?.driver?.commissioning?.operation();
  await passUntil(clock, () => ["done", "failed", "cancelled"].includes(operation()?.stage ?? ""));
  return operation();
}

function post(path: string, body: object) {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  return passingUntil(clock, controller.portal.request("POST", path, { headers, body: JSON.stringify(body) }));
}

function node(address: string) {
  return controller.services.home.nodes.get(address);
}

function level(address: string): number | null | undefined {
  return node(address)?.properties.get("ST")?.value;
}
