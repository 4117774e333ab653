/** Replaces a device by another one: names, scenes and programs that move, missing functions, and refusals. */

import { describe, expect, test } from "vitest";
import { replacementOf, replaceNode, requireFit } from "../../src/commands/replace-node.ts";
import type { SceneLink } from "../../src/home/groups.ts";
import type { Node } from "../../src/home/nodes.ts";
import { program, programFolder } from "../support/programs.ts";
import { command, createServices, nodedef, parameter, REQUEST, range, spec } from "./command-services.ts";

const [OLD, OLD_BUTTON, OLD_METER] = ["ZW001_1", "ZW001_2", "ZW001_3"] as const;
const [NEW, NEW_BUTTON] = ["ZW002_1", "ZW002_2"] as const;
const [OTHER, SCENE] = ["ZW003_1", "31777"] as const;
const LEVEL: SceneLink = {
  kind: "cmd",
  node: OLD,
  command: "DON",
  parameters: [{ id: "", value: 60, uom: 51, prec: 0 }],
};
const CAN_ALL = {
  ...nodedef("DIMS", command("DON", parameter("", "PERCENT")), command("DOF"), command("BEEP")),
  properties: [{ id: "ST", editor: "PERCENT", name: "Status", hide: false }],
  sends: [command("DON")],
};
const CAN_LITTLE = nodedef("SWITCHES", command("DON"), command("DOF"));

const GREETING = program(3, {
  name: "Greeting",
  parentId: 2,
  tree: {
    if: [{ kind: "control", andOr: "and", node: OLD, command: "DON", comparison: "IS" }],
    then: [{ kind: "command", node: OLD, command: "BEEP", parameters: [] }],
    else: [{ kind: "command", node: OLD, command: "QUERY", parameters: [] }],
  },
});
const PRESENCE = programFolder(2, 1, {
  name: "Presence",
  conditions: [
    {
      kind: "status",
      andOr: "and",
      node: OLD,
      property: "ST",
      comparison: "GT",
      value: { value: 0, uom: 51, prec: 0 },
    },
  ],
});

/** The old device has a button and a meter, the new one a button. A scene and two programs use the old one. */
async function servicesWith(newDef: string) {
  const services = await createServices();
  services.host.define(
    4,
    2,
    { nodedefs: [CAN_ALL, CAN_LITTLE], editors: [{ id: "PERCENT", ranges: [range(51, 0, 100)] }] },
    false,
  );
  const add = (address: string, primary: string, nodeDefId: string) =>
    services.host.node(spec(address, nodeDefId, { instance: 2, primary }));
  for (const address of [OLD, OLD_BUTTON, OLD_METER]) add(address, OLD, CAN_ALL.id);
  for (const address of [NEW, NEW_BUTTON]) add(address, NEW, newDef);
  add(OTHER, OTHER, CAN_ALL.id);
  const members = [OLD, OLD_BUTTON, OLD_METER, OTHER].map((address) => ({ address, isController: address !== OTHER }));
  const blocks = [
    { controller: SCENE, links: [LEVEL, { kind: "default", node: OLD_METER }, { kind: "default", node: OTHER }] },
    { controller: OLD_METER, links: [{ kind: "default", node: OTHER }] },
    { controller: OLD_BUTTON, links: [{ kind: "default", node: OTHER }] },
  ] as const;
  const group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  services.feed.commit({ type: "folder-added", folder: { address: "f", name: "Hall", parent: null } }, REQUEST);
  services.feed.commit(
    { type: "parent-changed", kind: "node", address: OLD, parent: { kind: "folder", address: "f" } },
    REQUEST,
  );
  services.feed.commit({ type: "node-renamed", address: OLD, name: "Ceiling" }, REQUEST);
  for (const entry of [PRESENCE, GREETING]) services.feed.commit({ type: "program-added", program: entry }, REQUEST);
  return services;
}

describe("a replacement", () => {
  test.each([
    ["by the device itself is refused", OLD, OLD, "A device cannot replace itself."],
    [
      "of a single node of a device is refused",
      OLD_BUTTON,
      NEW,
      `"Device ${OLD_BUTTON}" is a part of the device "${OLD}".`,
    ],
    [
      "by a single node of a device is refused",
      OLD,
      NEW_BUTTON,
      `"Device ${NEW_BUTTON}" is a part of the device "${NEW}".`,
    ],
  ])("%s", async (_what, old, by, message) => {
    const services = await servicesWith(CAN_ALL.id);
    const refusal = expect.objectContaining({ code: "BAD_REQUEST", message });
    expect(() => replacementOf(services, old, by)).toThrow(refusal);
  });

  test("by a device that lacks functions is refused with the list of them", async () => {
    const services = await servicesWith(CAN_LITTLE.id);
    const { addresses, misfits } = replacementOf(services, OLD, NEW);
    expect([...addresses]).toEqual([
      [OLD, NEW],
      [OLD_BUTTON, NEW_BUTTON],
    ]);
    expect(misfits).toEqual([
      `The new device has no counterpart for "Device ${OLD_METER}".`,
      `"Device ${NEW}" sends no commands, so it cannot control the scene "Evening".`,
      `"Device ${NEW_BUTTON}" sends no commands, so it cannot control the scene "Evening".`,
      'The new device has no property ST, which the program "Presence" uses.',
      'The new device does not send DON, which the program "Greeting" uses.',
      'The new device does not accept BEEP, which the program "Greeting" uses.',
    ]);
    const refusal = { code: "CONFLICT", message: `${misfits.slice(0, 3).join(" ")} And 3 more.` };
    await expect(replaceNode(services, OLD, NEW, false, REQUEST)).rejects.toMatchObject(refusal);
    expect(services.home.nodes.get(NEW)?.name).toBe(`Device ${NEW}`);
  });
});

test("the error lists up to three missing functions, and the number of others", () => {
  const messageOf = (misfits: readonly string[]) => {
    try {
      requireFit(misfits);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect([messageOf([]), messageOf(["a.", "b.", "c."]), messageOf(["a.", "b.", "c.", "d."])]).toEqual([
    null,
    "a. b. c.",
    "a. b. c. And 1 more.",
  ]);
});

test("a link that the new device does not support is listed once for each scene", async () => {
  const services = await servicesWith(CAN_LITTLE.id);
  const links = [LEVEL, LEVEL];
  const blocks = [{ controller: SCENE, links }];
  const members = [{ address: OLD, isController: false }];
  const group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-links-changed", group }, REQUEST);
  const { misfits } = replacementOf(services, OLD, NEW);
  expect(misfits.filter((sentence) => sentence.includes("parameter"))).toHaveLength(1);
});

test("links of other members neither count nor change", async () => {
  const services = await servicesWith(CAN_LITTLE.id);
  const odd: SceneLink = { kind: "cmd", node: OTHER, command: "NONE", parameters: [] };
  const blocks = [{ controller: SCENE, links: [{ kind: "default", node: OLD } as const, odd] }];
  const members = [OLD, OTHER].map((address) => ({ address, isController: false }));
  const group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-links-changed", group }, REQUEST);
  const { misfits } = replacementOf(services, OLD, NEW);
  expect(misfits.filter((sentence) => sentence.includes("accept this command"))).toEqual([]);
  await replaceNode(services, OLD, NEW, true, REQUEST);
  expect(services.home.groups.get(SCENE)?.blocks[0]?.links).toEqual([{ kind: "default", node: NEW }, odd]);
});

test("nodes of devices of two networks are counterparts by the ends of their addresses", async () => {
  const services = await servicesWith(CAN_ALL.id);
  const known = services.home.nodes.get(OTHER);
  for (const address of ["1A 2B 3C 1", "1A 2B 3C 2"]) {
    if (!known) continue;
    // Another controller's nodes, as a twin has them.
    const { properties: _properties, link: _link, ...record } = known;
    services.feed.commit({ type: "node-added", node: { ...record, address, primary: "1A 2B 3C 1" } }, REQUEST);
  }
  const { addresses } = replacementOf(services, "1A 2B 3C 1", NEW);
  expect([...addresses]).toEqual([
    ["1A 2B 3C 1", NEW],
    ["1A 2B 3C 2", NEW_BUTTON],
  ]);
});

test.each([
  ["with the same functions keeps the links", CAN_ALL.id, { ...LEVEL, node: NEW }],
  ["with fewer functions gets the link of a new responder", CAN_LITTLE.id, { kind: "default", node: NEW }],
])("a device %s", async (_what, nodeDefId, link) => {
  const services = await servicesWith(nodeDefId);
  const { home } = services;
  await replaceNode(services, OLD, NEW, true, REQUEST);
  expect([...home.nodes.keys()]).toEqual([NEW, NEW_BUTTON, OTHER]);
  expect(home.nodes.get(NEW)).toMatchObject({ name: "Ceiling", parent: { kind: "folder", address: "f" } });
  expect(home.nodes.get(NEW_BUTTON)).toMatchObject({
    name: `Device ${OLD_BUTTON}`,
    parent: { kind: "node", address: NEW },
  });
  expect(home.groups.get(SCENE)).toMatchObject({
    members: [
      { address: NEW, isController: true },
      { address: NEW_BUTTON, isController: true },
      { address: OTHER, isController: false },
    ],
    blocks: [
      { controller: SCENE, links: [link, { kind: "default", node: OTHER }] },
      { controller: NEW_BUTTON, links: [{ kind: "default", node: OTHER }] },
    ],
  });
  expect(JSON.stringify([...home.programs.values()])).not.toContain(OLD);
  expect([...home.edits.values()].at(-1)?.title).toBe(`Replace the device of the node "Ceiling" (${OLD} by ${NEW})`);
});

test("things below a node that the new device lacks move to the new device", async () => {
  const services = await servicesWith(CAN_ALL.id);
  services.feed.commit(
    { type: "parent-changed", kind: "node", address: OTHER, parent: { kind: "node", address: OLD_METER } },
    REQUEST,
  );
  await replaceNode(services, OLD, NEW, true, REQUEST);
  expect(services.home.nodes.get(OTHER)?.parent).toEqual({ kind: "node", address: NEW });
});

test("takes the use, and the place among the exceptions of programs by room and role and in conditions for a time", async () => {
  const services = await servicesWith(CAN_ALL.id);
  const { properties: _p, link: _l, version: _v, ...old } = services.home.nodes.get(OLD) as Node;
  services.feed.commit({ type: "node-revised", node: { ...old, use: "lamp" } }, REQUEST);
  const selector = { role: "lamp", places: ["f"], except: [OLD] } as const;
  const lasting = { hours: 0, minutes: 5, seconds: 0 };
  const value = { value: 0, uom: 51, prec: 0 };
  const tree = {
    if: [
      { kind: "roles", andOr: "and", selector, test: { how: "any", is: "on" } },
      { kind: "held", andOr: "and", node: OLD, property: "ST", comparison: "GT", value, lasting },
    ],
    then: [{ kind: "roles", selector, command: "off", value: null }],
    else: [],
  } as const;
  services.feed.commit({ type: "program-added", program: program(4, { name: "By room", tree }) }, REQUEST);
  await replaceNode(services, OLD, NEW, true, REQUEST);
  expect(services.home.nodes.get(NEW)).toMatchObject({ name: "Ceiling", use: "lamp", parent: { address: "f" } });
  const after = services.home.programs.get(4);
  const moved = { selector: { ...selector, except: [NEW] } };
  expect(after).toMatchObject({ tree: { if: [moved, { node: NEW, lasting }], then: [moved] } });
});
