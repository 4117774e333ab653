/** An edit can be undone while its things are unchanged. Otherwise the error gives the reason. */

import { describe, expect, test } from "vitest";
import { renameThing, setNodeEnabled } from "../../src/commands/edit-nodes.ts";
import { removeProgram } from "../../src/commands/edit-programs.ts";
import { addMember, createScene, removeMember, removeScene } from "../../src/commands/edit-scenes.ts";
import { createFolder, moveThing, removeFolder, removeNode } from "../../src/commands/edit-tree.ts";
import { createVariable, deleteVariable } from "../../src/commands/edit-variables.ts";
import { obstacleTo, undoEdit } from "../../src/commands/undo-edit.ts";
import { program } from "../support/programs.ts";
import { type CommandServices, codeOf, createServices, REQUEST, spec } from "./command-services.ts";

const [LAMP, SCENE] = ["ZW001_1", "31777"] as const;
const AT_TOP = { name: "Hall", parent: null };
const within = (address: string) => ({ kind: "folder", address }) as const;
const latest = (services: CommandServices) => [...services.home.edits.values()].at(-1);
const newestFolder = ({ home }: CommandServices) => [...home.folders.keys()].at(-1) ?? "";
const latestSeq = (services: CommandServices) => latest(services)?.seq ?? -1;
const undo = (services: CommandServices, seq: number | null = null) => undoEdit(services, seq, REQUEST);

async function lampServices(settings = {}) {
  const services = await createServices(settings);
  services.host.node(spec(LAMP));
  return services;
}

describe("undo without a number", () => {
  test("undoes the latest edit that is neither undone nor itself an undo", async () => {
    const services = await lampServices();
    expect(await codeOf(undo(services))).toBe("EDIT_NOT_FOUND");
    for (const name of ["First", "Second", "Third"]) await renameThing(services, LAMP, "node", name, REQUEST);
    const names = [];
    for (let step = 0; step < 3; step += 1) {
      await undo(services);
      names.push(services.home.nodes.get(LAMP)?.name);
    }
    expect(names).toEqual(["Second", "First", `Device ${LAMP}`]);
    expect(await codeOf(undo(services))).toBe("EDIT_NOT_FOUND");
    expect(latest(services)).toMatchObject({ title: `Undo: Rename the node "Device ${LAMP}" to "First"` });
    expect(services.durable.at(-1)).toBe(latestSeq(services));
  });
});

describe("undo with a number", () => {
  test("of an edit that there is not, and without an edit, is refused in different words", async () => {
    const services = await lampServices();
    await expect(undo(services)).rejects.toMatchObject({ message: "There is no edit to undo." });
    await expect(undo(services, 99)).rejects.toMatchObject({
      code: "EDIT_NOT_FOUND",
      message: expect.not.stringMatching("There is no edit to undo."),
    });
  });

  test("restores a removed program, which is idle and has a new version", async () => {
    const services = await createServices();
    const entry = program(3, { running: "then", nextRunAtMs: 5 });
    services.feed.commit({ type: "program-added", program: entry }, REQUEST);
    await removeProgram(services, 3, null, REQUEST);
    await undo(services);
    const restored = services.home.programs.get(3);
    expect(restored).toMatchObject({ name: "Program 3", running: "idle", nextRunAtMs: null });
    expect(restored?.version).toBeGreaterThan(entry.version);
  });

  test("can undo an undo, and then the edit again", async () => {
    const services = await lampServices();
    await renameThing(services, LAMP, "node", "First", REQUEST);
    const edit = latestSeq(services);
    const { seq } = await undo(services, edit);
    const again = `The edit ${edit} was already undone by the edit ${seq}.`;
    await expect(undo(services, edit)).rejects.toMatchObject({ code: "UNDO_REFUSED", message: again });
    await undo(services, seq);
    expect(services.home.nodes.get(LAMP)?.name).toBe("First");
    await undo(services, edit);
    expect(services.home.nodes.get(LAMP)?.name).toBe(`Device ${LAMP}`);
  });

  test.each(["node", "group", "folder"] as const)("removes a folder again whose %s was moved out", async (kind) => {
    const services = await lampServices();
    const { address } = await createFolder(services, AT_TOP, REQUEST);
    const things = {
      node: LAMP,
      group: (await createScene(services, { name: "Evening", parent: null }, REQUEST)).address,
      folder: (await createFolder(services, { name: "Inner", parent: null }, REQUEST)).address,
    };
    const thing = () => services.home[`${kind}s`].get(things[kind]);
    await moveThing(services, kind, things[kind], within(address), REQUEST);
    await removeFolder(services, address, "keep", REQUEST);
    const { seq } = await undo(services);
    expect(thing()?.parent).toEqual(within(address));
    await undo(services, seq);
    expect(services.home.folders.has(address)).toBe(false);
    expect(thing()?.parent).toBeNull();
  });

  test("restores only the fields that the edit changed", async () => {
    const services = await lampServices();
    const { address } = await createFolder(services, AT_TOP, REQUEST);
    await renameThing(services, LAMP, "node", "First", REQUEST);
    const edit = latestSeq(services);
    await moveThing(services, "node", LAMP, within(address), REQUEST);
    await undo(services, edit);
    expect(services.home.nodes.get(LAMP)).toMatchObject({ name: `Device ${LAMP}`, parent: within(address) });
  });

  test("removes a node again from the scene whose only member it was", async () => {
    const services = await lampServices();
    const { address } = await createScene(services, AT_TOP, REQUEST);
    await addMember(services, address, { address: LAMP, isController: false, target: null }, REQUEST);
    await removeNode(services, LAMP, REQUEST);
    const { seq } = await undo(services);
    expect(services.home.groups.get(address)?.members).toHaveLength(1);
    await undo(services, seq);
    expect([services.home.nodes.size, services.home.groups.get(address)?.members]).toEqual([0, []]);
  });

  test("leaves out again what the record did not have before", async () => {
    const services = await lampServices();
    await setNodeEnabled(services, LAMP, false, "Its battery leaks.", REQUEST);
    await undo(services);
    expect(services.home.nodes.get(LAMP)).not.toHaveProperty("disabledBecause");
  });

  test("restores a removed variable with its value", async () => {
    const services = await createServices();
    const { id } = await createVariable(services, 1, { name: "Guests", prec: 0, init: 3 }, REQUEST);
    const before = services.home.variables[1].get(id);
    await deleteVariable(services, 1, id, REQUEST);
    await undo(services);
    expect(services.home.variables[1].get(id)).toEqual(before);
  });
});

type Step = (services: CommandServices, address: string) => Promise<unknown>;
type Obstacle = readonly [what: string, edit: Step, later: Step, sentence: RegExp];

const addFolder: Step = (services) => createFolder(services, AT_TOP, REQUEST);
const renameLamp =
  (name: string): Step =>
  (services) =>
    renameThing(services, LAMP, "node", name, REQUEST);

/** Each case begins with an empty scene and an empty folder, whose address is `address`. */
describe("an edit cannot be undone, and its detail gives the same reason", () => {
  test.each<Obstacle>([
    [
      "if its thing was removed",
      (services) => renameThing(services, SCENE, "group", "Evening", REQUEST),
      (services) => removeScene(services, SCENE, REQUEST),
      /^The scene "Evening" was removed since\. Take back the edit \d+ first: Remove the scene "Evening"\.$/,
    ],
    [
      "if a later edit changed the same field",
      renameLamp("First"),
      renameLamp("Second"),
      /^The node "Second" was changed since\. Take back the edit \d+ first: Rename the node "First" to "Second"\.$/,
    ],
    [
      "if the same field was changed without an edit",
      renameLamp("First"),
      async ({ feed }) => feed.commit({ type: "node-renamed", address: LAMP, name: "Second" }, REQUEST),
      /^The node "Second" was changed since\.$/,
    ],
    [
      "if another thing has the address of the removed one",
      (services, address) => removeFolder(services, address, "refuse", REQUEST),
      async ({ feed }, address) => {
        feed.commit({ type: "folder-added", folder: { address, name: "Attic", parent: null } }, REQUEST);
      },
      /^There is a folder "Attic" in its place\.$/,
    ],
    [
      "if the thing that it created was changed",
      addFolder,
      (services) => renameThing(services, newestFolder(services), "folder", "Attic", REQUEST),
      /^The folder "Attic" was changed since\. Take back the edit \d+ first: Rename the folder "Hall" to "Attic"\.$/,
    ],
    [
      "if the thing that it created is in use",
      addFolder,
      (services) => moveThing(services, "node", LAMP, within(newestFolder(services)), REQUEST),
      /^The folder "Hall" is in use by now: it holds the node "Device ZW001_1"\.$/,
    ],
    [
      "if the folder of its thing was removed",
      async (services, address) => {
        await moveThing(services, "node", LAMP, within(address), REQUEST);
        await moveThing(services, "node", LAMP, null, REQUEST);
      },
      (services, address) => removeFolder(services, address, "refuse", REQUEST),
      /^There is no folder with the address "\d+"\.$/,
    ],
  ])("%s", async (_what, edit, later, sentence) => {
    const services = await lampServices();
    const group = { address: SCENE, name: "Scene", parent: null, deviceGroup: 1, members: [], blocks: [] };
    services.feed.commit({ type: "group-added", group }, REQUEST);
    const { address } = await createFolder(services, AT_TOP, REQUEST);
    await edit(services, address);
    const record = latest(services);
    await later(services, address);
    const message = record ? obstacleTo(services, record) : null;
    expect(message).toMatch(sentence);
    const lastSeq = services.feed.lastSeq;
    await expect(undo(services, record?.seq)).rejects.toMatchObject({ code: "UNDO_REFUSED", message });
    expect(services.feed.lastSeq).toBe(lastSeq);
  });
});

test("an edit can be undone after a later one was undone", async () => {
  const services = await lampServices();
  await renameThing(services, LAMP, "node", "First", REQUEST);
  const edit = services.home.edits.get(latestSeq(services));
  await renameThing(services, LAMP, "node", "Second", REQUEST);
  await undo(services);
  expect(edit && obstacleTo(services, edit)).toBeNull();
});

test("a node that is enabled again by an undo is queried", async () => {
  const services = await lampServices();
  await setNodeEnabled(services, LAMP, false, null, REQUEST);
  await undo(services);
  expect([services.home.nodes.get(LAMP)?.enabled, services.driver.queried]).toEqual([true, [LAMP]]);
});

test("the new name of a node can be undone while a scene has the node", async () => {
  const services = await lampServices();
  const { address } = await createScene(services, AT_TOP, REQUEST);
  await addMember(services, address, { address: LAMP, isController: false, target: null }, REQUEST);
  await renameThing(services, LAMP, "node", "First", REQUEST);
  await undo(services);
  expect(services.home.nodes.get(LAMP)?.name).toBe(`Device ${LAMP}`);
});

test("the creation of a scene can be undone when the scene is empty again", async () => {
  const services = await lampServices();
  const { address } = await createScene(services, AT_TOP, REQUEST);
  const made = latestSeq(services);
  await addMember(services, address, { address: LAMP, isController: false, target: null }, REQUEST);
  await removeMember(services, address, LAMP, REQUEST);
  await undo(services, made);
  expect(services.home.groups.size).toBe(0);
});
