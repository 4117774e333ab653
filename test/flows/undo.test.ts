/** After any edits, undoing all of them restores the home, also over a restart. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { configurationOf, type RandomEdit, randomEdit } from "../support/random-edits.ts";

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

const configuration = () => configurationOf(controller.services.home);

async function perform(edit: RandomEdit): Promise<void> {
  const before = configuration();
  const { method, path, body } = randomEdit(controller.services.home, edit);
  const { status } = await send(method, path, body);
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(configuration()).toEqual(before);
}

async function undoAll(): Promise<void> {
  for (;;) {
    const { status, code, error } = await send("POST", "/api/edits/last/undo");
    if (code === "EDIT_NOT_FOUND") {
      expect(error).toBe("There is no edit to undo.");
      return;
    }
    expect([status, error]).toEqual([200, undefined]);
  }
}

const number = fc.nat(500);
const step: fc.Arbitrary<RandomEdit> = fc.record({ what: number, a: number, b: number });

describe("undo", () => {
  test("of every edit restores the home as before, over a restart", async () => {
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
    expect(data).toMatchObject([{ title: expect.stringMatching(/^Redo: Rename/) }, { title: expect.any(String) }]);
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
