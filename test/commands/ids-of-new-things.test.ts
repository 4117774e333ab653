/** An id is given once: what still names a removed or missing thing must not reach another one. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgramFolder, removeProgram } from "../../src/commands/edit-programs.ts";
import { createResource, removeResource } from "../../src/commands/edit-resources.ts";
import { createScene, removeScene } from "../../src/commands/edit-scenes.ts";
import { createFolder, removeFolder } from "../../src/commands/edit-tree.ts";
import { createVariable, deleteVariable } from "../../src/commands/edit-variables.ts";
import { startTestController, type TestController } from "../support/controller.ts";

const CAUSE = { kind: "request", id: "test", by: "owner@example.org" } as const;
const RESOURCE = { method: "GET", host: "example.org", port: 443, path: "/", protocol: "https", headers: [], body: "" };

const EDITS_MAX = 10;

let controller: TestController;
let turn = 0;
beforeAll(async () => {
  controller = await startTestController({ editsMax: EDITS_MAX });
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

function numbered(name: string): string {
  turn += 1;
  return `${name} ${turn}`;
}

const KINDS = {
  resource: {
    add: async () =>
      (await createResource(controller.services, { ...RESOURCE, name: numbered("R") } as never, CAUSE)).id,
    remove: (id: number) => removeResource(controller.services, id, CAUSE),
  },
  variable: {
    add: async () => (await createVariable(controller.services, 2, { name: numbered("V"), prec: 0 }, CAUSE)).id,
    remove: (id: number) => deleteVariable(controller.services, 2, id, CAUSE),
  },
  program: {
    add: async () =>
      (
        await createProgramFolder(
          controller.services,
          { name: numbered("P"), parentId: 1, conditions: [] } as never,
          CAUSE,
        )
      ).id,
    remove: (id: number) => removeProgram(controller.services, id, null, CAUSE),
  },
  folder: {
    add: async () =>
      Number((await createFolder(controller.services, { name: numbered("F"), parent: null }, CAUSE)).address),
    remove: (id: number) => removeFolder(controller.services, String(id), "refuse", CAUSE),
  },
  scene: {
    add: async () =>
      Number((await createScene(controller.services, { name: numbered("S"), parent: null }, CAUSE)).address),
    remove: (id: number) => removeScene(controller.services, String(id), CAUSE),
  },
} as const;

test.each(["resource", "variable", "program"] as const)(
  "of a %s that went is not given again, also after a restart",
  async (kind) => {
    const { add, remove } = KINDS[kind];
    const given = new Set<number>();
    for (const restarts of [false, true]) {
      const ids = [await add(), await add(), await add()];
      for (const id of ids) expect(given.has(id)).toBe(false);
      for (const id of ids.toReversed()) await remove(id);
      for (const id of ids) given.add(id);
      if (restarts) continue;
      await controller.restart();
      await controller.login();
    }
  },
);

test.each(["resource", "variable", "program", "folder", "scene"] as const)(
  "of a %s that went is not given again when its edits are forgotten, also after a restart",
  async (kind) => {
    const { add, remove } = KINDS[kind];
    const id = await add();
    await remove(id);
    // As many edits as the history holds push those of the removed thing out.
    const { home } = controller.services;
    for (let at = 0; at < EDITS_MAX; at += 1) await KINDS.folder.add();
    expect([...home.edits.values()].some(({ title }) => title.startsWith("Remove"))).toBe(false);
    await controller.restart();
    await controller.login();
    expect(await add()).toBeGreaterThan(id);
  },
  60_000,
);

test("of a channel that was removed is not given to another one", async () => {
  const add = async () => {
    const settings = { url: "https://ntfy.example.org/home" };
    const answer = await controller.portal.post("/api/integrations", { type: "ntfy", settings });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    return answer.json<{ data: { id: string } }>().data.id;
  };
  const first = await add();
  expect((await controller.portal.request("DELETE", `/api/integrations/${first}`)).status).toBe(200);
  expect([first, await add()]).toEqual(["ntfy", "ntfy2"]);
});

test("of a resource that a restore left out is not given again while a program names it", async () => {
  const { add } = KINDS.resource;
  const missing = [await add(), await add()];
  const { home } = controller.services;
  const name = home.networkResources.get(missing[1] ?? 0)?.name;
  const text = `Program '${numbered("Names")}'\nThen\n    Resource '${name}'`;
  const answer = await controller.portal.post("/api/programs/text", { text });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  // As after a restore of a backup without secrets, which holds neither resources nor edits, by an earlier version.
  home.networkResources.clear();
  home.edits.clear();
  home.highestIds.clear();
  const given = [];
  for (let at = 0; at <= (missing[1] ?? 0); at += 1) given.push(await add());
  expect(given).not.toContain(missing[1]);
});
