/** The way back: whatever was edited, taking every edit back leads to the home as it was, also over a restart. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";

const LAMP = "1A 2B 3C 1";
const RUNS = Number(process.env.UNDO_RUNS ?? 6);

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: unknown) {
  const answer = await controller.portal.request(method, path, {
    headers: { ...controller.bearer(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...answer.json<{ data: Record<string, unknown>; code?: string; error?: string }>() };
}

const nodes = (address: string) => `/api/nodes/${encodeURIComponent(address)}/`;

/** What an owner edits, in an order that says nothing, without what runs and reports move. */
function configuration() {
  const { nodes, programs, programProgress: _progress, ...home } = homeSnapshot(controller.services.home);
  const sorted = <T extends object>(things: readonly T[]) =>
    [...things].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
  return {
    controller: home.controller,
    folders: sorted(home.folders),
    groups: sorted(home.groups),
    nodes: sorted(nodes.map(({ link: _link, ...node }) => node)),
    programs: sorted(
      programs.map((program) => {
        const { version: _version, status, lastRunAtMs, lastFinishAtMs, nextRunAtMs, ...written } = program;
        return written;
      }),
    ),
    variables: sorted(home.variables),
    networkResources: sorted(home.networkResources),
  };
}

function keyOf(thing: object): string {
  const { address, type, id } = thing as { address?: string; type?: number; id?: number };
  return address ?? `${type ?? ""}/${id}`;
}

type Step = { readonly what: number; readonly a: number; readonly b: number };

/** One edit out of two numbers; many are refused, which must change nothing. */
async function perform({ what, a, b }: Step): Promise<void> {
  const { home } = controller.services;
  const pick = <T>(things: Iterable<T>, at: number): T | undefined => {
    const all = [...things];
    return all[at % Math.max(1, all.length)];
  };
  const node = pick(home.nodes.keys(), a) ?? "";
  const scene = pick(home.groups.keys(), b) ?? "";
  const folder = pick(home.folders.keys(), b) ?? "";
  const program = pick(home.programs.values(), a);
  const variable = pick(home.variables[2].values(), a);
  const hex = program?.id.toString(16) ?? "";
  const steps = [
    () => send("POST", "/api/nodes", { nodeType: "folder", name: `Folder ${a}`, parentAddress: b % 2 ? folder : null }),
    () => send("POST", "/api/nodes", { nodeType: "group", name: `Scene ${a}`, parentAddress: b % 2 ? folder : null }),
    () => send("PATCH", nodes(node), { name: `Node ${b}`, nodeType: "node" }),
    () => send("PATCH", nodes(scene), { name: `Scene ${a}`, nodeType: "group" }),
    () => send("PATCH", nodes(node), { nodeType: "node", parentAddress: folder, parentNodeType: "folder" }),
    () => send("PATCH", nodes(folder), { nodeType: "folder", parentAddress: pick(home.folders.keys(), a) }),
    () => send("PATCH", nodes(node), { enabled: b % 2 === 0, reason: `Reason ${b}` }),
    () => send("DELETE", nodes(node), { nodeType: "node" }),
    () => send("DELETE", nodes(scene), { nodeType: "group" }),
    () => send("DELETE", nodes(folder), { contents: (["refuse", "keep", "delete"] as const)[a % 3] }),
    () => send("POST", `/api/groups/members/${scene}`, { nodeAddress: node, isController: a % 3 === 0 }),
    () => send("POST", `/api/groups/members/${scene}`, { nodeAddress: node, level: b % 101 }),
    () => send("DELETE", `/api/groups/members/${scene}`, { nodeAddress: node }),
    () => send("PATCH", `/api/groups/links/${scene}`, { link: { node, level: a % 101 } }),
    () => send("POST", `/api/groups/links/${scene}/capture`),
    () => send("PUT", "/api/variables/2", { name: `Variable ${a}`, prec: b % 4 }),
    () => send("POST", `/api/variables/2/${variable?.id}`, { name: `Variable ${b}` }),
    () => send("POST", `/api/variables/2/${variable?.id}`, { init: b }),
    () => send("DELETE", `/api/variables/2/${variable?.id}`),
    () => send("POST", "/api/programs", { name: `Programs ${a}`, folder: true }),
    () => send("POST", `/api/programs/${hex}`, { name: `Program ${b}` }),
    () => send("POST", `/api/programs/${hex}`, { enabled: b % 2 === 0 }),
    () => send("DELETE", `/api/programs/${hex}`),
    () => send("POST", "/api/nodes", { nodeType: "node", address: pick(home.hiddenNodes.keys(), a) ?? "none" }),
  ];
  const before = configuration();
  const step = steps[what % steps.length] ?? steps[0];
  const { status } = (await step?.()) ?? { status: 0 };
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(configuration()).toEqual(before);
}

async function undoAll(): Promise<void> {
  for (;;) {
    const { status, code, error } = await send("POST", "/api/edits/last/undo");
    if (code === "EDIT_NOT_FOUND") return;
    expect([status, error]).toEqual([200, undefined]);
  }
}

const number = fc.nat(500);
const step: fc.Arbitrary<Step> = fc.record({ what: number, a: number, b: number });

describe("undo", () => {
  test("of every edit leads back to the home as it was, over a restart", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.boolean(), async (steps, restarts) => {
        const before = configuration();
        for (const each of steps) await perform(each);
        if (restarts) {
          await controller.restart();
          await controller.login();
        }
        await undoAll();
        expect(configuration()).toEqual(before);
      }),
      { numRuns: RUNS },
    );
  });

  test("takes one edit back among others, and can be taken back itself", async () => {
    const name = () => controller.services.home.nodes.get(LAMP)?.name;
    const first = name();
    const renamed = await send("PATCH", nodes(LAMP), { name: "Reading Lamp", nodeType: "node" });
    await send("PATCH", nodes(LAMP), { enabled: false, reason: "broken" });
    const undone = await send("POST", `/api/edits/${renamed.data.edit}/undo`);
    expect(undone).toMatchObject({ status: 200, data: { undoes: renamed.data.edit } });
    expect([name(), controller.services.home.nodes.get(LAMP)?.disabledBecause]).toEqual([first, "broken"]);
    expect(await send("POST", `/api/edits/${renamed.data.edit}/undo`)).toMatchObject({ code: "UNDO_REFUSED" });
    await send("POST", `/api/edits/${undone.data.edit}/undo`);
    expect(name()).toBe("Reading Lamp");
    const { data } = await send("GET", `/api/edits?of=${encodeURIComponent(`node ${LAMP}`)}&limit=2`);
    expect(data).toMatchObject([
      { title: expect.stringMatching(/^Undo: Undo: Rename/) },
      { title: expect.any(String) },
    ]);
  });

  test("says what stands against it", async () => {
    const created = await send("POST", "/api/nodes", { nodeType: "group", name: "Party" });
    const scene = String(created.data.address);
    const later = await send("PATCH", nodes(scene), { name: "Big Party", nodeType: "group" });
    const answer = await send("POST", `/api/edits/${created.data.edit}/undo`);
    expect(answer).toMatchObject({ status: 409, code: "UNDO_REFUSED" });
    expect(answer.error).toContain(
      `Take back the edit ${later.data.edit} first: Rename the scene "Party" to "Big Party".`,
    );
    const { data } = await send("GET", `/api/edits/${created.data.edit}`);
    expect(data.obstacle).toBe(answer.error);
    expect(await send("POST", "/api/edits/9999999/undo")).toMatchObject({ status: 404, code: "EDIT_NOT_FOUND" });
  });

  test("brings a removed node back with its values, and programs that named it run again", async () => {
    const { home } = controller.services;
    const before = configuration();
    const removed = await send("DELETE", nodes(LAMP), { nodeType: "node" });
    expect(removed.status).toBe(200);
    expect(home.nodes.has(LAMP)).toBe(false);
    expect([...home.programs.values()].some((entry) => entry.kind === "program" && entry.invalid?.includes(LAMP))).toBe(
      true,
    );
    await controller.restart();
    await controller.login();
    expect(controller.services.home.nodes.has(LAMP)).toBe(false);
    await send("POST", `/api/edits/${removed.data.edit}/undo`);
    expect(configuration()).toEqual(before);
  });

  test("shows a program before and after as text", async () => {
    const { data } = await send("GET", "/api/programs");
    const program = (data as unknown as { id: string; folder: boolean; name: string }[]).find(({ folder }) => !folder);
    await send("POST", `/api/programs/${program?.id}`, { comment: "Checked in May." });
    const list = await send("GET", "/api/edits?limit=1");
    const [{ edit }] = list.data as unknown as [{ edit: number }];
    const { data: shown } = await send("GET", `/api/edits/${edit}`);
    const [thing] = shown.things as [{ before: string; after: string }];
    expect(thing.after.split("\n").filter((line) => !thing.before.includes(line))).toEqual([
      "Comment 'Checked in May.'",
    ]);
  });
});
