/** An edit is taken back where nothing has touched its things since; otherwise the sentence says what stands against it. */

import { describe, expect, test } from "vitest";
import { renameThing } from "../../src/commands/edit-nodes.ts";
import { addMember, createScene, removeMember, removeScene } from "../../src/commands/edit-scenes.ts";
import { createFolder, moveThing, removeFolder } from "../../src/commands/edit-tree.ts";
import { createVariable, deleteVariable } from "../../src/commands/edit-variables.ts";
import { obstacleTo, undoEdit } from "../../src/commands/undo-edit.ts";
import { type CommandServices, codeOf, createServices, REQUEST, spec } from "./command-services.ts";

const LAMP = "ZW001_1";
const AT_TOP = { name: "Hall", parent: null };
const within = (address: string) => ({ kind: "folder", address }) as const;
const latest = (services: CommandServices) => [...services.home.edits.values()].at(-1);
const latestSeq = (services: CommandServices) => latest(services)?.seq ?? -1;
const undo = (services: CommandServices, seq: number | null = null) => undoEdit(services, seq, REQUEST);

async function lampServices(settings = {}) {
  const services = await createServices(settings);
  services.host.node(spec(LAMP));
  return services;
}

describe("without a number", () => {
  test("the latest edit is undone that is neither undone nor an undo", async () => {
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

describe("with a number", () => {
  test("an undo can be undone, and then the edit again", async () => {
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

  test("only the fields that the edit changed are put back", async () => {
    const services = await lampServices();
    const { address } = await createFolder(services, AT_TOP, REQUEST);
    await renameThing(services, LAMP, "node", "First", REQUEST);
    const edit = latestSeq(services);
    await moveThing(services, "node", LAMP, within(address), REQUEST);
    await undo(services, edit);
    expect(services.home.nodes.get(LAMP)).toMatchObject({ name: `Device ${LAMP}`, parent: within(address) });
  });

  test("a removed variable is there again with its value", async () => {
    const services = await createServices();
    const { id } = await createVariable(services, 1, { name: "Guests", prec: 0, init: 3 }, REQUEST);
    const before = services.home.variables[1].get(id);
    await deleteVariable(services, 1, id, REQUEST);
    await undo(services);
    expect(services.home.variables[1].get(id)).toEqual(before);
  });
});

type Obstacle = readonly [what: string, prepare: (services: CommandServices) => Promise<number>, sentence: RegExp];

describe("an edit is not undone, and its obstacle is the same sentence", () => {
  test.each<Obstacle>([
    [
      "when its thing was removed since",
      async (services) => {
        const { address } = await createScene(services, AT_TOP, REQUEST);
        await renameThing(services, address, "group", "Evening", REQUEST);
        const edit = latestSeq(services);
        await removeScene(services, address, REQUEST);
        return edit;
      },
      /^The scene "Evening" was removed since\. Take back the edit \d+ first: Remove the scene "Evening"\.$/,
    ],
    [
      "when its field was changed since",
      async (services) => {
        await renameThing(services, LAMP, "node", "First", REQUEST);
        const edit = latestSeq(services);
        await renameThing(services, LAMP, "node", "Second", REQUEST);
        return edit;
      },
      /^The node "Second" was changed since\. Take back the edit \d+ first: Rename the node "First" to "Second"\.$/,
    ],
    [
      "when its field was changed since by no edit",
      async (services) => {
        await renameThing(services, LAMP, "node", "First", REQUEST);
        const edit = latestSeq(services);
        services.feed.commit({ type: "node-renamed", address: LAMP, name: "Second" }, REQUEST);
        return edit;
      },
      /^The node "Second" was changed since\.$/,
    ],
    [
      "when another thing has its place",
      async (services) => {
        const folder = { ...AT_TOP, ...(await createFolder(services, AT_TOP, REQUEST)) };
        await removeFolder(services, folder.address, "refuse", REQUEST);
        const edit = latestSeq(services);
        services.feed.commit({ type: "folder-added", folder: { ...folder, name: "Attic" } }, REQUEST);
        return edit;
      },
      /^There is a folder "Attic" in its place\.$/,
    ],
    [
      "when what it made was changed since",
      async (services) => {
        const { address } = await createFolder(services, AT_TOP, REQUEST);
        const edit = latestSeq(services);
        await renameThing(services, address, "folder", "Attic", REQUEST);
        return edit;
      },
      /^The folder "Attic" was changed since\. Take back the edit \d+ first: Rename the folder "Hall" to "Attic"\.$/,
    ],
    [
      "when what it made is in use",
      async (services) => {
        const { address } = await createFolder(services, AT_TOP, REQUEST);
        const edit = latestSeq(services);
        await moveThing(services, "node", LAMP, within(address), REQUEST);
        return edit;
      },
      /^The folder "Hall" is in use by now: it holds the node "Device ZW001_1"\.$/,
    ],
    [
      "when its folder has no place any more",
      async (services) => {
        const { address } = await createFolder(services, AT_TOP, REQUEST);
        await moveThing(services, "node", LAMP, within(address), REQUEST);
        await moveThing(services, "node", LAMP, null, REQUEST);
        const edit = latestSeq(services);
        await removeFolder(services, address, "refuse", REQUEST);
        return edit;
      },
      /^There is no folder with the address "\d+"\.$/,
    ],
  ])("%s", async (_what, prepare, sentence) => {
    const services = await lampServices();
    const seq = await prepare(services);
    const edit = services.home.edits.get(seq);
    const message = edit ? obstacleTo(services, edit) : null;
    expect(message).toMatch(sentence);
    const lastSeq = services.feed.lastSeq;
    await expect(undo(services, seq)).rejects.toMatchObject({ code: "UNDO_REFUSED", message });
    expect(services.feed.lastSeq).toBe(lastSeq);
  });
});

test("a later edit that was undone is no obstacle", async () => {
  const services = await lampServices();
  await renameThing(services, LAMP, "node", "First", REQUEST);
  const edit = services.home.edits.get(latestSeq(services));
  await renameThing(services, LAMP, "node", "Second", REQUEST);
  await undo(services);
  expect(edit && obstacleTo(services, edit)).toBeNull();
});

test("a scene that was made is undone when it is empty again", async () => {
  const services = await lampServices();
  const { address } = await createScene(services, AT_TOP, REQUEST);
  const made = latestSeq(services);
  await addMember(services, address, { address: LAMP, isController: false, target: null }, REQUEST);
  await removeMember(services, address, LAMP, REQUEST);
  await undo(services, made);
  expect(services.home.groups.size).toBe(0);
});
