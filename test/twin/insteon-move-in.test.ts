/** A home with Insteon devices moves to a copy, which gets a modem with the same devices. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import type { DevicePlan } from "../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { beginMoveIn } from "../../src/twin/begin-move-in.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import { moveInCheckList } from "../../src/twin/move-in-check-list.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";
import { type RunningTwin, startTwin } from "../support/twin.ts";

const DEVICES: readonly DevicePlan[] = [
  { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" },
  { id: [0x1a, 0x2b, 0x3d], kind: "keypad" },
  { id: [0x1a, 0x2b, 0x3e], kind: "leak" },
];
const LAMP = "1A 2B 3C 1";
const BUTTON = "1A 2B 3D 3";
const WET = "1A 2B 3E 2";
const NODES = 12;
const SETTLE_MS = 60_000;
const GROUP_COMMAND = 0x61;
const WRITES: readonly number[] = [0x6f, 0x76];
const TABLE = 0x2f;
const PROGRAM = `Program 'Flood'

If
    Control 'Binary Alarm 1A.2B.3E 2' is switched DON

Then
    Set 'Porch' DFON
`;
const CHARS_MAX = 10_000_000;

const clock = new VirtualClock(START_MS);
let servers: readonly ModemServer[] = [];
let modem: SimulatedModem;
let original: TestController;
let copy: RunningTwin;

const nodes = ({ services }: TestController) => [...services.home.nodes.values()];

/** What an owner would miss. */
const belongings = (controller: TestController) => ({
  nodes: Object.fromEntries(
    nodes(controller).map(({ address, name, parent, nodeDefId }) => [address, { name, parent, nodeDefId }]),
  ),
  folders: [...controller.services.home.folders.values()].map(({ address, name }) => `${address} ${name}`),
  scenes: [...controller.services.home.groups.values()].map(({ address, name, members, deviceGroup }) => ({
    address,
    name,
    members,
    deviceGroup,
  })),
  programs: [...controller.services.home.programs.values()].map(({ id, name }) => `${id} ${name}`).toSorted(),
});

/** Whom the links of the scene are carried out by, from the scene itself and from the button. */
async function carriers(controller: TestController): Promise<readonly (string | undefined)[]> {
  type Links = { data: { groups: { ctl: { links: { device?: { state: string } }[] }[] }[] } };
  const scene = [...controller.services.home.groups.values()].find(({ name }) => name === "Evening")?.address;
  const { data } = (await controller.portal.get(`/api/groups/links/${scene}`)).json<Links>();
  return (data.groups[0]?.ctl ?? []).flatMap(({ links }) => links.map(({ device }) => device?.state));
}

async function makeHome({ portal, services }: TestController): Promise<void> {
  const at = encodeURIComponent(LAMP);
  await portal.post("/api/nodes", { name: "Porch Lights", nodeType: "folder" });
  const [folder] = [...services.home.folders.values()];
  await portal.post(`/api/nodes/${at}`, { name: "Porch", nodeType: "node" });
  const into = { nodeType: "node", parentAddress: folder?.address, parentNodeType: "folder" };
  const headers = { ...original.bearer(), "Content-Type": "application/json" };
  expect((await portal.request("PATCH", `/api/nodes/${at}`, { headers, body: JSON.stringify(into) })).status).toBe(200);
  await portal.post("/api/nodes", { name: "Evening", nodeType: "group" });
  const scene = [...services.home.groups.values()].find(({ name }) => name === "Evening")?.address;
  await portal.post(`/api/groups/members/${scene}`, { nodeAddress: LAMP });
  await portal.post(`/api/groups/members/${scene}`, { nodeAddress: "1A 2B 3D 1" });
  await portal.post(`/api/groups/members/${scene}`, { nodeAddress: BUTTON, isController: true });
  expect((await portal.post("/api/programs/text", { text: PROGRAM })).json()).toMatchObject({ successful: true });
}

async function serve(served: SimulatedModem): Promise<string> {
  const server = await serveModem(served);
  servers = [...servers, server];
  return server.url;
}

beforeAll(async () => {
  const before = new SimulatedModem(clock, DEVICES);
  const insteonPort = await serve(before);
  original = await passingUntil(clock, startTestController({ demo: false, insteonPort }, { clock }));
  await original.login();
  await passUntil(clock, () => nodes(original).length === NODES);
  await pass(clock, SETTLE_MS);
  await makeHome(original);
  await pass(clock, SETTLE_MS);
  const fetch = async (path: string) => {
    const answer = await original.portal.get(path);
    return answer.status === 200 ? answer.text : null;
  };
  copy = await startTwin(await fetchOriginal(fetch, CHARS_MAX, () => {}));
  await beginMoveIn(copy.twin.services);
  // The same modem with the same devices, on the clock of the copy.
  modem = new SimulatedModem(copy.twin.clock, []);
  modem.records.push(...before.records);
  for (const device of before.devices.values()) modem.place(device);
}, 60_000);

afterAll(async () => {
  await copy?.[Symbol.asyncDispose]();
  await original?.[Symbol.asyncDispose]();
  for (const server of servers) await server.close();
});

test("the original carries out its scene by links in the devices", async () => {
  const states = await carriers(original);
  expect(states.filter((state) => state === "done").length).toBeGreaterThan(2);
});

test("the check list says that the nodes wait for the modem", () => {
  const item = moveInCheckList(copy.plan).find(({ what }) => what === "nodes of Insteon");
  expect(item).toMatchObject({ count: NODES, comes: "later", note: expect.stringContaining("modem") });
});

test("the modem takes the nodes over with their names, and commands reach the devices", async () => {
  const { twin } = copy;
  await passingUntil(twin.clock, twin.restart({ insteonPort: await serve(modem) }));
  await passUntil(twin.clock, () => twin.services.drivers.declared("insteon").size === NODES);
  expect(new Set(nodes(twin).map(({ driver }) => driver))).toEqual(new Set(["virtual"]));
  expect((await twin.portal.post("/api/move-in/take/insteon")).json()).toMatchObject({ successful: true });
  expect(nodes(twin).filter(({ driver }) => driver === "insteon")).toHaveLength(NODES);
  expect(twin.services.home.nodes.get(LAMP)?.name).toBe("Porch");
  const path = `/rest/nodes/${encodeURIComponent(LAMP)}/cmd/DON/128`;
  const answer = await passingUntil(twin.clock, twin.local.get(path));
  expect([answer.status, modem.device([0x1a, 0x2b, 0x3c]).level()]).toEqual([200, 128]);
});

test("nodes, names, folders, scenes and programs are those of before", () => {
  expect(belongings(copy.twin)).toEqual(belongings(original));
});

test("the links of the scenes are taken as the devices have them, and none is written", async () => {
  const { twin } = copy;
  const written: (readonly number[])[] = [];
  modem.onCommand = (bytes) => {
    const isTableWrite = bytes[1] === 0x62 && bytes[6] === TABLE && bytes[9] === 2;
    if (WRITES.includes(bytes[1] ?? 0) || isTableWrite) written.push(bytes);
    return true;
  };
  await pass(twin.clock, SETTLE_MS);
  expect(await carriers(twin)).toEqual(await carriers(original));
  expect(written).toEqual([]);
});

test("a command to a scene is one message of the modem, as before", async () => {
  const { twin } = copy;
  const sent: number[] = [];
  modem.onCommand = (bytes) => {
    sent.push(bytes[1] ?? 0);
    return true;
  };
  const scene = [...twin.services.home.groups.values()].find(({ name }) => name === "Evening")?.address;
  const answer = await passingUntil(twin.clock, twin.local.get(`/rest/nodes/${scene}/cmd/DOF`));
  expect([answer.status, sent]).toEqual([200, [GROUP_COMMAND]]);
  expect(modem.device([0x1a, 0x2b, 0x3c]).level()).toBe(0);
});

test("a press of the scene's button shows its members, and a sensor starts its program after the move is finished", async () => {
  const { twin } = copy;
  const value = (address: string) => twin.services.home.nodes.get(address)?.properties.get("ST")?.value;
  modem.press(modem.device([0x1a, 0x2b, 0x3d]), 3, 0x11);
  await passUntil(twin.clock, () => value(LAMP) === 255);
  modem.press(modem.device([0x1a, 0x2b, 0x3d]), 3, 0x13);
  await passUntil(twin.clock, () => value(LAMP) === 0);
  expect((await twin.portal.post("/api/move-in/finish")).json()).toMatchObject({ successful: true });
  modem.press(modem.device([0x1a, 0x2b, 0x3e]), 2, 0x11);
  await passUntil(twin.clock, () => modem.device([0x1a, 0x2b, 0x3c]).level() === 255);
  expect(value(WET)).toBe(255);
});
