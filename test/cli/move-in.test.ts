/**
 * The evening of a move, as its owner types it: plan, copy, compare, hand over, finish, and every step back. The adapter here has
 * the same devices under other addresses, so that the owner confirms a mapping.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as kinds from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CREDENTIALS, runDomovoi } from "../simulation/service-process.ts";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";
import { RadioServices } from "../support/radio-services.ts";
import { CommandLine } from "./command-line.ts";

const ids = (productId: number) => ({ ids: { manufacturerId: 0x0fff, productType: 1, productId } });
const SWITCH = kinds.switchPlan(ids(1));
const DIMMER = kinds.dimmerPlan(ids(2));
const PLUG = kinds.meterPlugPlan(ids(3));
const NODES = 4;
const MS = 60_000;
const PROGRAM = "Program 'Dawn'\n\nIf\n    Time is sunrise\n\nThen\n    Set 'Porch' DOF\n    Set 'Fan' DON\n";
/** Where the devices were, and where they are here. */
const MAPPING = { ZW002_1: "ZW004_1", ZW003_1: "ZW002_1", ZW004_1: "ZW003_1" } as const;
const OPTIONS = Object.entries(MAPPING).flatMap(([old, by]) => ["--map", `${old}=${by}`]);

type Status = {
  readonly programsWait: boolean;
  readonly integrations: readonly { readonly id: string; readonly offers: number }[];
  readonly played: readonly {
    readonly address: string;
    readonly offeredBy: readonly string[];
    readonly suggestion: { readonly address: string } | null;
  }[];
  readonly steps: readonly object[];
};

const directory = mkdtempSync(join(tmpdir(), "domovoi-move-in-"));
const data = join(directory, "data");
let original: RadioServices;
let network: SimulatedNetwork;
let radio: RadioServer;
let here: TestController;
let line: CommandLine;
/** Once the integration has its devices, and before it has any of the old nodes. */
let untaken: readonly string[];

const status = () => line.readJson<Status>("move-in", "status");
const nodes = ({ services }: TestController) => [...services.home.nodes.values()];
/** Every node, scene and program by name, with addresses as they are called here. */
function belongings(controller: TestController, addresses: Readonly<Record<string, string>> = {}): readonly string[] {
  const shown = (value: unknown) =>
    JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each === "string") return renamed(each, addresses);
      const isRecord = typeof each === "object" && each !== null && !Array.isArray(each);
      return isRecord ? Object.fromEntries(Object.entries(each).toSorted()) : each;
    });
  const { groups, programs } = controller.services.home;
  return [
    ...nodes(controller).map(({ address, name, parent, primary }) => shown(["node", address, name, parent, primary])),
    ...[...groups.values()].map(({ address, name, members, blocks }) =>
      shown(["scene", address, name, members, blocks]),
    ),
    ...[...programs.values()].map((entry) =>
      shown(["program", entry.id, entry.name, entry.kind === "program" && entry.tree]),
    ),
  ].toSorted();
}
/** `ZW004_143` goes with its device, `ZW004_1`. */
function renamed(address: string, addresses: Readonly<Record<string, string>>): string {
  const [device = "", part] = address.split("_");
  const to = /^ZW\d+_\d+$/.test(address) ? addresses[`${device}_1`] : undefined;
  return to === undefined ? address : `${to.split("_")[0]}_${part}`;
}

beforeAll(async () => {
  original = await RadioServices.open([SWITCH, DIMMER, PLUG], {}, { clock: new VirtualClock(Date.now()) });
  const { portal, services } = original.controller;
  const online = () => [...services.home.nodes.values()].filter(({ link }) => link === "online").length;
  await vi.waitFor(() => expect(online()).toBe(NODES), { timeout: MS });
  for (const [address, name] of [
    ["ZW002_1", "Fan"],
    ["ZW003_1", "Porch"],
    ["ZW004_1", "Coffee"],
  ] as const)
    await portal.post(`/api/nodes/${address}`, { name, nodeType: "node" });
  await portal.post("/api/nodes", { name: "Evening", nodeType: "group" });
  const [scene] = [...services.home.groups.values()].filter(({ name }) => name === "Evening");
  for (const nodeAddress of ["ZW003_1", "ZW002_1"]) {
    const member = { nodeAddress, isController: false };
    expect((await portal.post(`/api/groups/members/${scene?.address}`, member)).status).toBe(200);
  }
  expect((await portal.post("/api/programs/text", { text: PROGRAM })).json()).toMatchObject({ successful: true });
  network = await createSimulatedNetwork({ devices: [DIMMER, PLUG, SWITCH] });
  radio = await serveRadio(network);
}, 2 * MS);

afterAll(async () => {
  await line?.[Symbol.asyncDispose]();
  await here?.[Symbol.asyncDispose]();
  await radio?.close();
  await network?.stop();
  await original?.[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
}, MS);

const moveIn = (...args: readonly string[]) => {
  const { portal } = original.controller;
  const env = { ...CREDENTIALS, DOMOVOI_PASSWORD: OWNER.password, DOMOVOI_CONTROLLERS: join(directory, "none.json") };
  return runDomovoi(["move-in", portal.url, "--user", OWNER.username, "--insecure", ...args], { env });
};

test("the plan lists what comes and changes nothing", { timeout: MS }, async () => {
  const { code, stdout } = await moveIn("--plan");
  expect([code, /nodes of Z-Wave +4 +later/.test(stdout), /scenes +1 +yes/.test(stdout)]).toEqual([0, true, true]);
  const items = JSON.parse((await moveIn("--plan", "--json")).stdout) as readonly object[];
  expect(items).toContainEqual(expect.objectContaining({ what: "accounts, passwords", comes: "no" }));
  expect(existsSync(data)).toBe(false);
  expect(await moveIn()).toMatchObject({ code: 2 });
  const env = { DOMOVOI_PASSWORD: OWNER.password, DOMOVOI_CONTROLLERS: join(directory, "none.json") };
  const checked = ["move-in", original.controller.portal.url, "--user", OWNER.username, "--plan"];
  expect(await runDomovoi(checked, { env })).toMatchObject({ code: 4, stderr: expect.stringContaining("--insecure") });
});

test("--yes copies a home from saved answers too, and not from two places at once", { timeout: MS }, async () => {
  const saved = ["move-in", "--from-files", join(import.meta.dirname, "../fixtures/homes/wired")];
  expect(await runDomovoi([...saved, "--data", join(directory, "saved"), "--yes"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("its programs are disabled"),
  });
  expect(await runDomovoi([...saved, "--url", "https://localhost", "--yes"])).toMatchObject({ code: 2 });
});

test("--yes copies the home with its programs waiting, and does no harm when it is run again", {
  timeout: MS,
}, async () => {
  const copied = await moveIn("--data", data, "--yes");
  expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining("its programs are disabled") });
  expect(await moveIn("--data", data, "--yes")).toMatchObject({ code: 0 });
  here = await startTestController({ demo: false }, { data, clock: new VirtualClock(Date.now()) });
  await here.login();
  line = new CommandLine(here);
  expect(belongings(here)).toEqual(belongings(original.controller));
  expect(await status()).toMatchObject({ programsWait: true, integrations: [], steps: [{}] });
  const { stdout } = await line.run(["move-in", "status"]);
  expect(stdout).toContain("Porch");
});

test("a node without a device says so everywhere, and no command to it is confirmed", { timeout: MS }, async () => {
  const { portal, services } = here;
  const refused = { code: 6, stdout: "", stderr: expect.stringContaining("Porch has no device here yet") };
  expect(await line.run(["send", "Porch", "DON", "--wait", "1"])).toMatchObject(refused);
  expect(await line.run(["send", "Evening", "DON"])).toMatchObject({ code: 6 });
  const lives = services.queue.lives.recent().filter(({ address }) => address === "ZW003_1");
  expect(new Set(lives.map(({ state }) => state))).toEqual(new Set(["sent"]));
  expect(lives[0]?.detail).toContain("No device got it");
  expect(services.home.nodes.get("ZW003_1")?.link).toBe("unreachable");
  expect(await line.read("status", "Porch")).toContain("(no device)");
  expect(await line.read("nodes", "Porch")).toContain("(no device)");
  expect(await line.readJson("nodes", "Porch")).toMatchObject([{ name: "Porch", hasDevice: false }]);
  expect(await line.read("why", "Porch")).toContain("Porch has no device here yet");
  const { data } = (await portal.get("/api/nodes/simulated")).json<{ data: readonly string[] }>();
  expect(data).toHaveLength(NODES);
});

test("devices of other kinds under the same addresses are not offered, and the right ones are suggested", {
  timeout: MS,
}, async () => {
  await line.read("integration", "add", "zwave", `port=${radio.url}`);
  const suggested = async () => {
    const { played } = await status();
    return Object.fromEntries(played.flatMap(({ address, suggestion: to }) => (to ? [[address, to.address]] : [])));
  };
  await vi.waitFor(async () => expect(await suggested()).toEqual(MAPPING), { timeout: MS });
  untaken = belongings(here);
  expect((await status()).integrations).toMatchObject([{ id: "zwave", offers: 0 }]);
  const shown = await line.read("move-in", "status");
  for (const [old, by] of Object.entries(MAPPING)) expect(shown).toContain(`--map '${old}=${by}'`);
  expect(await line.run(["move-in", "take", "zwave"])).toMatchObject({ code: 1 });
});

test("a mapping that would lose a node is refused and changes nothing", { timeout: MS }, async () => {
  const refused = async (...maps: readonly string[]) =>
    (await line.run(["move-in", "take", "zwave", ...maps.flatMap((each) => ["--map", each])])).stderr;
  expect(await refused("ZW002_1=ZW004_1")).toContain("Map that node too");
  expect(await refused("ZW002_1=ZW009_1")).toContain("has no device under the address");
  expect(await refused("ZW009_1=ZW002_1")).toContain("is not the address of a node that is still simulated");
  expect(await refused("ZW002_1=ZW004_1", "ZW003_1=ZW004_1")).toContain("twice");
  expect(await refused("ZW002_1")).toContain("is not a mapping");
  expect(belongings(here)).toEqual(untaken);
});

test("the mapping that the owner confirms moves names, scenes and programs in one step", { timeout: MS }, async () => {
  expect(await line.read("move-in", "take", "zwave", ...OPTIONS)).toMatch(
    /^zwave drives 4 more nodes \(edit \d+\)\.\n$/,
  );
  expect(belongings(here)).toEqual(belongings(original.controller, MAPPING));
  expect(new Set(nodes(here).map(({ driver }) => driver))).toEqual(new Set(["zwave"]));
  expect((await status()).played).toEqual([]);
  expect(await line.read("nodes")).not.toContain("(no device)");
  await line.read("send", "Porch", "DON");
  const porch = () => here.services.home.nodes.get("ZW002_1")?.properties.get("ST")?.value;
  await vi.waitFor(() => expect(porch()).toBeGreaterThan(0), { timeout: MS });
});

test("every step is taken back, and done again after a restart", { timeout: MS }, async () => {
  await line.read("move-in", "finish");
  expect(await status()).toMatchObject({ programsWait: false });
  expect(await line.read("move-in", "undo")).toContain("Undone: the programs wait again");
  expect(await line.read("move-in", "undo")).toContain("by a mapping");
  expect(belongings(here)).toEqual(untaken);
  expect(await status()).toMatchObject({ programsWait: true, steps: [{}] });
  expect((await line.run(["move-in", "undo"])).stderr).toContain("Nothing is left to undo");
  expect(await status()).toMatchObject({ programsWait: true, steps: [{}] });
  await here.restart();
  await here.login();
  await vi.waitFor(() => expect(here.services.drivers.declared("zwave").size).toBe(NODES), { timeout: MS });
  await line.read("move-in", "take", "zwave", ...OPTIONS);
  await line.read("move-in", "finish");
  expect(belongings(here)).toEqual(belongings(original.controller, MAPPING));
});
