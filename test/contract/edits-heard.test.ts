/**
 * Every edit and its undo as other clients receive it. The emulated modern client loads again when a frame requires
 * it, and then has the present home. isy-nodejs stays connected, logs no problem with any frame, and finds all of it
 * when it loads.
 */

import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalLinks, type Group } from "../../src/home/groups.ts";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";
import { buildIsyNodejs, type IsyNodejs, type RunningIsy } from "./clients/isy-nodejs.ts";
import { ModernClient } from "./modern-client/client.ts";

const LAMP = "1A 2B 3C 1";
const OTHER = "1A 2F 91 1";
const SWITCH = "1A 2F A2 1";

const trusted = getCACertificates("default");
let controller: TestController;
let modern: ModernClient;
let package_: IsyNodejs;
let old: RunningIsy;

beforeAll(async () => {
  [package_, controller] = await Promise.all([buildIsyNodejs(), startTestController()]);
  await controller.login();
  setDefaultCACertificates([...trusted, controller.controller.caCertificate]);
  const { portal, clock } = controller;
  modern = new ModernClient({ url: portal.url, mode: "portal", credentials: OWNER, clock });
  await modern.connect();
  await modern.heartbeats();
  old = await load();
}, 120_000);

afterAll(async () => {
  await modern.stop();
  setDefaultCACertificates(trusted);
  await controller[Symbol.asyncDispose]();
  await package_.remove();
});

async function load(): Promise<RunningIsy> {
  const started = await package_.start({ url: controller.local.url, ...LOCAL });
  const replayed = started.says("Received Heartbeat");
  expect(await started.isy.initialize()).toBe(true);
  await replayed;
  return started;
}

/** The client throws when a message comes while it closes, so nothing may be on its way then. */
async function end({ isy, says }: RunningIsy): Promise<void> {
  const last = says("Received Heartbeat");
  await controller.clock.advance(20_000);
  await last;
  await isy.close();
}

type Edit = readonly [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object];

/** Makes the edit. Settles when the modern client has received it and has loaded again. */
async function edit(each: Edit): Promise<Readonly<Record<string, unknown>>> {
  const heard = modern.hears(() => true);
  const data = await send(each);
  await heard;
  await modern.refresh();
  holdsTheHome();
  return data;
}

/** The modern client has no event for it, so the test loads again. */
async function editAndLoad(each: Edit): Promise<Readonly<Record<string, unknown>>> {
  const data = await send(each);
  await modern.refresh();
  holdsTheHome();
  return data;
}

async function send([method, path, body]: Edit): Promise<Readonly<Record<string, unknown>>> {
  const answer = await controller.portal.request(method, path, {
    headers: { ...controller.bearer(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, answer.status, answer.text]).toEqual([path, 200, expect.stringContaining('"successful":true')]);
  return answer.json<{ data: Readonly<Record<string, unknown>> | null }>().data ?? {};
}

function holdsTheHome(): void {
  const { home } = controller.services;
  expect(modern.name).toBe(home.controller.name);
  expect(namesOf(modern.home.nodes)).toEqual(namesOf(home.nodes));
  expect([...modern.home.folders].toSorted()).toEqual(Object.entries(namesOf(home.folders)).toSorted());
  expect(namesOf(modern.home.groups)).toEqual(namesOf(home.groups));
  for (const [address, { enabled, parent }] of home.nodes) {
    const seen = modern.node(address);
    expect([address, seen.enabled, seen.parent?.address]).toEqual([address, enabled, parent?.address]);
  }
  for (const group of home.groups.values()) {
    const seen = modern.home.groups.get(group.address);
    expect(seen?.members.toSorted()).toEqual(group.members.map(({ address }) => address).toSorted());
    expect([...(seen?.intents?.keys() ?? [])].toSorted()).toEqual(linkedBy(group));
  }
  const variables = [...home.variables[2].values()].map(({ id, name }) => [String(id), name]);
  expect([...modern.home.variables[2].values()].map(({ id, name }) => [id, name]).toSorted()).toEqual(
    variables.toSorted(),
  );
  const programs = [...home.programs.values()].map(({ name }) => name);
  expect([...modern.home.programs.values()].map(({ name }) => name).toSorted()).toEqual(programs.toSorted());
  const resources = [...home.networkResources.values()].map(({ name }) => name);
  expect(modern.home.resources.map(({ name }) => name).toSorted()).toEqual(resources.toSorted());
}

const namesOf = (things: ReadonlyMap<string, { readonly name: string }>) =>
  Object.fromEntries([...things].map(([address, { name }]) => [address, name]).toSorted());
const linkedBy = (group: Group) => [
  ...new Set(
    canonicalLinks(group)
      .filter(({ kind }) => kind !== "ignore")
      .map(({ node }) => node)
      .toSorted(),
  ),
];
const nodes = (address: string) => `/api/nodes/${encodeURIComponent(address)}/`;

test("the modern client receives every edit and its undo", async () => {
  const den = await edit(["POST", "/api/nodes", { nodeType: "folder", name: "Den" }]);
  const scene = await edit(["POST", "/api/nodes", { nodeType: "group", name: "Reading" }]);
  const inner = await edit(["POST", "/api/nodes", { nodeType: "folder", name: "Shelf" }]);
  const [folder, reading] = [String(den.address), String(scene.address)];
  const edits: readonly Edit[] = [
    ["PATCH", nodes(LAMP), { nodeType: "node", name: "Desk" }],
    ["PATCH", nodes(folder), { nodeType: "folder", name: "Study" }],
    ["PATCH", nodes(reading), { nodeType: "group", name: "Reading Light" }],
    ["PATCH", nodes(String(inner.address)), { nodeType: "folder", parentAddress: folder }],
    ["PATCH", nodes(SWITCH), { nodeType: "node", parentAddress: String(inner.address) }],
    ["PATCH", nodes(LAMP), { nodeType: "node", parentAddress: folder }],
    ["PATCH", nodes(reading), { nodeType: "group", parentAddress: folder }],
    ["POST", `/api/groups/members/${reading}`, { nodeAddress: LAMP, level: 60, ramp: 2 }],
    ["POST", `/api/groups/members/${reading}`, { nodeAddress: OTHER }],
    ["POST", `/api/groups/members/${reading}`, { nodeAddress: SWITCH, isController: true }],
    ["PATCH", `/api/groups/links/${reading}`, { link: { node: LAMP, level: 0 } }],
    ["PATCH", `/api/groups/links/${reading}`, { controllerAddress: SWITCH, link: { node: LAMP, level: 40, ramp: 5 } }],
    ["PATCH", `/api/groups/links/${reading}`, { controllerAddress: SWITCH, link: { node: OTHER, type: "ignore" } }],
    ["POST", `/api/groups/members/${reading}`, { nodeAddress: SWITCH, isController: false }],
    ["POST", `/api/groups/links/${reading}/capture`],
    ["DELETE", `/api/groups/members/${reading}`, { nodeAddress: OTHER }],
    ["PATCH", nodes(OTHER), { enabled: false, reason: "broken" }],
    ["PATCH", nodes(OTHER), { enabled: true }],
    ["PATCH", "/api/place", { name: "Lake House" }],
    ["PUT", "/api/variables/2", { name: "Guests", prec: 1 }],
    ["DELETE", nodes(OTHER), { nodeType: "node" }],
    ["POST", "/api/nodes", { nodeType: "node", address: OTHER }],
    ["DELETE", nodes(String(inner.address)), { nodeType: "folder", contents: "delete" }],
    ["DELETE", nodes(folder), { nodeType: "folder", contents: "keep" }],
    ["DELETE", nodes(reading), { nodeType: "group" }],
  ];
  for (const each of edits) await edit(each);
  for (const _each of edits) await edit(["POST", "/api/edits/last/undo"]);
  await edit(["POST", `/api/nodes/${encodeURIComponent(OTHER)}/replace`, { by: LAMP, force: true }]);
  const replaced = [...controller.services.home.edits.keys()].at(-1);
  const { edit: undone } = await edit(["POST", `/api/edits/${replaced}/undo`]);
  await edit(["POST", `/api/edits/${String(undone)}/undo`]);
  await edit(["POST", "/api/edits/last/undo"]);
  expect(controller.services.home.nodes.get(LAMP)?.parent).not.toMatchObject({ address: folder });
  expect(controller.services.home.nodes.has(OTHER)).toBe(true);
}, 60_000);

test("the modern client holds every edit of programs, variables and network resources, and its way back", async () => {
  const lamp = controller.services.home.nodes.get(LAMP)?.name;
  const text = (name: string) => `Program '${name}'\nIf\n  Time is 8:30\nThen\n  Set '${lamp}' 'On'\n`;
  const program = await editAndLoad(["POST", "/api/programs/text", { text: text("Morning Lamp") }]);
  const folder = await editAndLoad(["POST", "/api/programs", { name: "Mornings", folder: true }]);
  const variable = await editAndLoad(["PUT", "/api/variables/1", { name: "Cups", prec: 0, initialValue: 3 }]);
  const resource = await editAndLoad(["POST", "/api/resources", { name: "Coffee", url: "http://192.0.2.7/brew" }]);
  const programPath = `/api/programs/${String(program.id)}`;
  const variablePath = `/api/variables/1/${String(variable.id)}`;
  const edits: readonly Edit[] = [
    ["POST", programPath, { name: "Early Lamp" }],
    ["POST", programPath, { parentId: folder.id }],
    ["POST", programPath, { enabled: false }],
    ["POST", programPath, { comment: "For winter." }],
    ["POST", programPath, { runAtStartup: true }],
    ["POST", `/api/programs/${String(folder.id)}`, { name: "Early" }],
    ["PUT", `${programPath}/text`, { text: text("Early Lamp").replace("8:30", "6:45") }],
    ["DELETE", programPath],
    ["DELETE", `/api/programs/${String(folder.id)}`],
    ["POST", variablePath, { name: "Mugs" }],
    ["POST", variablePath, { init: 4 }],
    ["POST", variablePath, { prec: 1 }],
    ["DELETE", variablePath],
    ["POST", `/api/variables/2/1`, { name: "Away From Home" }],
    ["PATCH", `/api/resources/${String(resource.id)}`, { name: "Tea" }],
    ["PATCH", `/api/resources/${String(resource.id)}`, { url: "https://192.0.2.8/tea", method: "POST", body: "hot" }],
    ["PATCH", "/api/place", { latitude: 40.7, longitude: -74, timeZone: "America/New_York", units: "us" }],
    ["DELETE", `/api/resources/${String(resource.id)}`],
  ];
  for (const each of edits) await editAndLoad(each);
  for (const _each of edits) await editAndLoad(["POST", "/api/edits/last/undo"]);
  expect(modern.home.programs.get(String(program.id))?.name).toBe("Morning Lamp");
}, 60_000);

test("isy-nodejs complains about no frame of them, and finds all of it when it loads", async () => {
  expect(old.isy.webSocketEndpoint.isConnected).toBe(true);
  expect(old.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  await edit(["PATCH", nodes(LAMP), { nodeType: "node", name: "Desk" }]);
  const loaded = await load();
  const { isy } = loaded;
  const { home } = controller.services;
  for (const [address, { name }] of home.nodes) {
    if (isy.nodes.has(address)) expect(isy.nodes.get(address)?.name).toBe(name);
  }
  expect(isy.nodes.get(LAMP)?.name).toBe("Desk");
  expect([...isy.scenes.values()].map(({ name }) => name).toSorted()).toEqual(
    [...home.groups.values(), home.controller].map(({ name }) => name).toSorted(),
  );
  expect([...isy.folderMap.values()].toSorted()).toEqual([...home.folders.values()].map(({ name }) => name).toSorted());
  for (const each of [old, loaded]) await end(each);
}, 60_000);
