/** Removes folders and devices with their contents, and restores them. */

import { describe, expect, test } from "vitest";
import { moveThing, removeFolder, removeNode, restoreNode } from "../../src/commands/edit-tree.ts";
import { undoEdit } from "../../src/commands/undo-edit.ts";
import type { Parent, ParentKind } from "../../src/home/nodes.ts";
import { type CommandServices, codeOf, createServices, REQUEST, settle, spec, told } from "./command-services.ts";

const [LAMP, LAMP_PART, SENSOR, SWITCH] = ["ZW001_1", "ZW001_2", "ZW002_1", "ZW003_1"] as const;
const [HALL, SHELF, INSIDE, OUTSIDE] = ["100", "200", "31001", "31002"] as const;
const within = (kind: ParentKind, address: string): Parent => ({ kind, address });

/** The hall holds a lamp of two nodes, a scene, and a shelf with a sensor. A scene outside has the lamp, too. */
async function hall(): Promise<CommandServices> {
  const services = await createServices();
  const { feed, host } = services;
  for (const address of [LAMP, SENSOR, SWITCH]) host.node(spec(address));
  host.node(spec(LAMP_PART, "DIMMER", { primary: LAMP }));
  feed.commit({ type: "folder-added", folder: { address: HALL, name: "Hall", parent: null } }, REQUEST);
  feed.commit(
    { type: "folder-added", folder: { address: SHELF, name: "Shelf", parent: within("folder", HALL) } },
    REQUEST,
  );
  for (const address of [INSIDE, OUTSIDE]) {
    const members = [LAMP, SWITCH].map((node) => ({ address: node, isController: false }));
    const links = [LAMP, SWITCH].map((node) => ({ kind: "default", node }) as const);
    const blocks = [{ controller: address, links }];
    const parent = address === INSIDE ? within("folder", HALL) : null;
    feed.commit(
      { type: "group-added", group: { address, name: "Scene", parent, deviceGroup: 1, members, blocks } },
      REQUEST,
    );
  }
  place(services, "node", LAMP, within("folder", HALL));
  place(services, "node", SENSOR, within("folder", SHELF));
  return services;
}

function place({ feed }: CommandServices, kind: ParentKind, address: string, parent: Parent | null): void {
  feed.commit({ type: "parent-changed", kind, address, parent }, REQUEST);
}

const tree = ({ home }: CommandServices) =>
  Object.fromEntries(
    [...home.nodes.values(), ...home.groups.values(), ...home.folders.values()].map(({ address, parent }) => [
      address,
      parent?.address ?? null,
    ]),
  );

test("a move to the present place is published and is no edit", async () => {
  const services = await hall();
  const published = () => told(services, "parent-changed").length;
  const before = published();
  await moveThing(services, "node", LAMP, within("folder", HALL), REQUEST);
  expect([published() - before, services.home.edits.size]).toEqual([1, 0]);
  expect(services.durable).toEqual([services.feed.lastSeq]);
});

test("the title of a move says where to", async () => {
  const services = await hall();
  await moveThing(services, "node", SWITCH, within("folder", HALL), REQUEST);
  await moveThing(services, "node", SWITCH, null, REQUEST);
  expect([...services.home.edits.values()].map(({ title }) => title)).toEqual([
    `Move the node "Device ${SWITCH}" to the folder "Hall"`,
    `Move the node "Device ${SWITCH}" to the top of the tree`,
  ]);
});

describe("a removed folder", () => {
  test("is refused by default when it is not empty", async () => {
    const services = await hall();
    const before = tree(services);
    expect(await codeOf(removeFolder(services, HALL, "refuse", REQUEST))).toBe("FOLDER_NOT_EMPTY");
    expect(tree(services)).toEqual(before);
  });

  test("moves its contents to its parent with keep", async () => {
    const services = await hall();
    await removeFolder(services, SHELF, "keep", REQUEST);
    expect(tree(services)).toMatchObject({ [SENSOR]: HALL, [LAMP]: HALL });
    await removeFolder(services, HALL, "keep", REQUEST);
    const [node, group, other] = [SENSOR, INSIDE, SWITCH].map((address) => tree(services)[address]);
    expect([node, group, other, services.home.folders.size]).toEqual([null, null, null, 0]);
  });

  test("removes its contents at any depth with delete, and one undo restores all of them", async () => {
    const services = await hall();
    const [before, scenes] = [tree(services), [...services.home.groups.values()]];
    await removeFolder(services, HALL, "delete", REQUEST);
    expect(tree(services)).toEqual({ [SWITCH]: null, [OUTSIDE]: null });
    expect(services.home.groups.get(OUTSIDE)).toMatchObject({
      members: [{ address: SWITCH }],
      blocks: [{ links: [{ kind: "default", node: SWITCH }] }],
    });
    expect(services.home.edits.size).toBe(1);
    await undoEdit(services, null, REQUEST);
    expect(tree(services)).toEqual(before);
    expect(new Map(services.home.groups)).toEqual(new Map(scenes.map((scene) => [scene.address, scene])));
  });
});

describe("a removed device", () => {
  test("is removed with all of its nodes; things below them move to its parent", async () => {
    const services = await hall();
    place(services, "node", SWITCH, within("node", LAMP_PART));
    await removeNode(services, LAMP, REQUEST);
    expect(tree(services)).toEqual({
      [SENSOR]: SHELF,
      [SWITCH]: HALL,
      [INSIDE]: HALL,
      [OUTSIDE]: null,
      [HALL]: null,
      [SHELF]: HALL,
    });
  });

  test("is restored with all of its nodes, at the top if its folder is gone, and is queried", async () => {
    const services = await hall();
    expect(await codeOf(restoreNode(services, LAMP, REQUEST))).toBe("NODE_NOT_FOUND");
    await removeNode(services, LAMP, REQUEST);
    await removeFolder(services, HALL, "keep", REQUEST);
    await restoreNode(services, LAMP, REQUEST);
    await settle();
    expect(tree(services)).toMatchObject({ [LAMP]: null, [LAMP_PART]: LAMP });
    expect([...services.home.edits.values()].at(-1)?.title).toBe(`Add the node "Device ${LAMP}" again`);
    expect(services.driver.queried).toEqual([LAMP, LAMP_PART]);
  });

  test("restores no other removed device", async () => {
    const services = await hall();
    for (const address of [LAMP, SENSOR]) await removeNode(services, address, REQUEST);
    await restoreNode(services, LAMP, REQUEST);
    expect([...services.home.hiddenNodes.keys()]).toEqual([SENSOR]);
    expect(services.durable.at(-1)).toBe([...services.home.edits.keys()].at(-1));
  });

  test("is restored in its folder", async () => {
    const services = await hall();
    await removeNode(services, LAMP, REQUEST);
    await restoreNode(services, LAMP, REQUEST);
    expect(tree(services)).toMatchObject({ [LAMP]: HALL, [LAMP_PART]: LAMP });
  });
});

test("a folder removed with delete also removes things below its devices and scenes", async () => {
  const services = await hall();
  place(services, "node", SWITCH, within("node", LAMP_PART));
  place(services, "group", OUTSIDE, within("node", SWITCH));
  const before = tree(services);
  await removeFolder(services, HALL, "delete", REQUEST);
  expect(tree(services)).toEqual({});
  await undoEdit(services, null, REQUEST);
  expect(tree(services)).toEqual(before);
});

test("a folder in a circle, as an imported home may have, can be removed with its contents", {
  timeout: 5000,
}, async () => {
  const services = await hall();
  place(services, "folder", HALL, within("folder", SHELF));
  const remove = (contents: "keep" | "delete") => codeOf(removeFolder(services, HALL, contents, REQUEST));
  expect(await remove("delete")).toBe("none");
  expect(tree(services)).toEqual({ [SWITCH]: null, [OUTSIDE]: null });
});

test("a device whose nodes lie in each other can be removed, and what lies in them moves to the top", async () => {
  const services = await hall();
  place(services, "node", LAMP, within("node", LAMP_PART));
  place(services, "node", SWITCH, within("node", LAMP));
  await removeNode(services, LAMP, REQUEST);
  expect(tree(services)).toMatchObject({ [SWITCH]: null });
});
