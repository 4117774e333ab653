/** The demo home, built-in and of any size: what it holds, and that nothing in it dangles. */

import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { demoDevices } from "../../src/demo/demo-devices.ts";
import { newController } from "../../src/demo/new-controller.ts";
import { canonicalLinks, type SceneLink } from "../../src/home/groups.ts";
import type { Home } from "../../src/home/home.ts";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { type Program, programsBelow, ROOT_PROGRAM_ID } from "../../src/home/programs.ts";
import type { Profile } from "../../src/profile/profile.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { seededHome } from "../support/seeded-home.ts";

const programsOf = (home: Home) =>
  [...home.programs.values()].filter((entry): entry is Program => entry.kind === "program");

function flattened(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((condition) =>
    condition.kind === "paren" ? flattened(condition.conditions) : [condition],
  );
}

/** Everything that scenes and programs name and the home does not have. */
function dangling(home: Home): readonly string[] {
  const exists = (address: string) =>
    home.nodes.has(address) || home.groups.has(address) || address === home.controller.uuid;
  const named: string[] = [];
  for (const { address, members, blocks } of home.groups.values()) {
    const inScene = [...members, ...blocks.flatMap(({ links }) => links.map(({ node }) => ({ address: node })))];
    named.push(
      ...inScene
        .map((member) => member.address)
        .filter((node) => !home.nodes.has(node))
        .map((node) => `${address}: ${node}`),
    );
  }
  for (const { id, tree } of programsOf(home)) {
    const conditions = flattened(tree.if);
    const actions: readonly Action[] = [...tree.then, ...tree.else];
    const nodes = [...conditions, ...actions].flatMap((part) => ("node" in part ? [part.node] : []));
    named.push(...nodes.filter((node) => !exists(node)).map((node) => `program ${id}: ${node}`));
    const programs = [...conditions, ...actions].flatMap((part) => (part.kind === "program" ? [part.id] : []));
    named.push(
      ...programs.filter((other) => !home.programs.has(other)).map((other) => `program ${id}: program ${other}`),
    );
    const resources = actions.flatMap((part) => (part.kind === "resource" ? [part.id] : []));
    named.push(
      ...resources
        .filter((other) => !home.networkResources.has(other))
        .map((other) => `program ${id}: resource ${other}`),
    );
    const variables = [...conditions, ...actions].flatMap((part) => (part.kind === "variable" ? [part] : []));
    named.push(
      ...variables
        .filter(({ type, id: other }) => !home.variables[type].has(other))
        .map((part) => `program ${id}: variable ${part.id}`),
    );
  }
  return named;
}

/** Commands in scenes and programs that their node does not accept, and events that it does not send. */
function impossible(home: Home, profile: Profile): readonly string[] {
  const nodedefOf = (address: string) => {
    const node = home.nodes.get(address);
    return node ? profile.nodedef(node.nodeDefId, node.family, node.instance) : null;
  };
  const found: string[] = [];
  const accepts = (address: string, command: string) =>
    home.groups.has(address) ||
    address === home.controller.uuid ||
    nodedefOf(address)?.accepts.some(({ id }) => id === command);
  const checkLink = (link: SceneLink) => {
    if (link.kind === "cmd" && !accepts(link.node, link.command)) found.push(`${link.node} ${link.command}`);
    if (link.kind === "native" && !nodedefOf(link.node)?.respondLinks.includes(link.linkdef))
      found.push(`${link.node} ${link.linkdef}`);
  };
  for (const { blocks } of home.groups.values()) for (const { links } of blocks) links.forEach(checkLink);
  for (const { tree } of programsOf(home)) {
    for (const action of [...tree.then, ...tree.else]) {
      if (action.kind === "command" && !accepts(action.node, action.command))
        found.push(`${action.node} ${action.command}`);
    }
    for (const condition of flattened(tree.if)) {
      if (condition.kind === "control" && !nodedefOf(condition.node)?.sends.some(({ id }) => id === condition.command))
        found.push(`${condition.node} sends ${condition.command}`);
      if (
        condition.kind === "status" &&
        !nodedefOf(condition.node)?.properties.some(({ id }) => id === condition.property)
      )
        found.push(`${condition.node} has ${condition.property}`);
    }
  }
  return found;
}

describe("a home without the demo", () => {
  test("has the root program folder and Query All, and nothing else", async () => {
    const { home, committed, feed } = await seededHome({ demo: false });
    expect([home.nodes.size, home.groups.size, home.folders.size, home.networkResources.size]).toEqual([0, 0, 0, 0]);
    expect(home.programs.get(1)).toMatchObject({ kind: "folder", name: "My Programs", parentId: null });
    expect(home.programs.get(2)).toMatchObject({ name: "Query All", parentId: 1, enabled: true });
    expect(committed).toEqual([feed.lastSeq]);
  });
});

describe("the built-in demo home", () => {
  test("has the parts that a house has", async () => {
    const { home, logged } = await seededHome({ demo: true });
    const folders = [...home.programs.values()].filter(({ kind }) => kind === "folder");
    expect(home.nodes.size).toBe(55);
    expect([home.groups.size, home.folders.size, programsOf(home).length, folders.length]).toEqual([10, 7, 16, 5]);
    expect([home.variables[1].size, home.variables[2].size, home.networkResources.size]).toEqual([10, 10, 3]);
    expect(new Set([...home.nodes.values()].map(({ family }) => family))).toEqual(new Set([1, 4, 12, 10]));
    expect(logged).toEqual([]);
  });

  test("names nothing that is not there, and asks nothing of a node that it cannot do", async () => {
    const { home, profile } = await seededHome({ demo: true });
    expect(dangling(home)).toEqual([]);
    expect(impossible(home, profile)).toEqual([]);
  });

  test("uses every kind of scene link, has the canonical block last, and one scene that only fires", async () => {
    const { home } = await seededHome({ demo: true });
    const groups = [...home.groups.values()];
    const kinds = new Set(groups.flatMap((group) => canonicalLinks(group).map(({ kind }) => kind)));
    expect(kinds).toEqual(new Set(["native", "cmd", "default", "ignore"]));
    expect(groups.every(({ address, blocks }) => blocks.at(-1)?.controller === address)).toBe(true);
    const linkdefs = groups.flatMap(({ blocks }) =>
      blocks.flatMap(({ links }) => links.flatMap((link) => (link.kind === "native" ? [link.linkdef] : []))),
    );
    expect([...new Set(linkdefs)].sort()).toEqual(["I_DIMMER", "I_DIMMER_ADV", "I_FLM", "I_RELAY_ADV"]);
    expect(groups.some((group) => group.members.every(({ isController }) => !isController))).toBe(true);
  });

  test("puts every device into a room, and further nodes below their first", async () => {
    const { home } = await seededHome({ demo: true });
    const places = [...home.nodes.values()].map(({ address, primary, parent }) =>
      primary === address ? parent?.kind : parent?.address === primary,
    );
    expect(new Set(places)).toEqual(new Set(["folder", true]));
    expect([...home.folders.values()].filter(({ parent }) => parent !== null)).toHaveLength(1);
  });

  test("has unique names and addresses", async () => {
    const { home } = await seededHome({ demo: true });
    const names = [...home.nodes.values(), ...home.groups.values(), ...home.folders.values()].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a demo home of a given size", () => {
  test.each([1, 2, 7, 25, 55, 500, 3001])(
    "of %i nodes has exactly that many, in proportion, and no dangling references",
    async (count) => {
      const { home, profile, logged } = await seededHome({ demo: true, demoNodes: count });
      expect(home.nodes.size).toBe(count);
      expect(home.groups.size).toBe(Math.floor(count / 5));
      expect(programsOf(home).length - 1).toBe(Math.floor((count * 2) / 5));
      expect(dangling(home)).toEqual([]);
      expect(impossible(home, profile)).toEqual([]);
      expect(programsBelow(home, ROOT_PROGRAM_ID)).toHaveLength(home.programs.size - 1);
      expect(logged).toEqual([]);
    },
  );

  test("is the same for the same size", async () => {
    const [first, second] = [
      await seededHome({ demo: true, demoNodes: 200 }),
      await seededHome({ demo: true, demoNodes: 200 }),
    ];
    expect(second.entries).toEqual(first.entries);
  });

  test("of the largest size has unique addresses in the forms of their families", () => {
    const devices = demoDevices(100_000);
    const addresses = devices.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
    const forms = /^([0-9A-F]{1,2} [0-9A-F]{1,2} [0-9A-F]{1,2} 1|Z[WY]\d{3}_1|n02[01]_[a-z]+\d{1,7})$/;
    expect(addresses.filter((address) => !forms.test(address))).toEqual([]);
    expect(addresses.filter((address) => / 0[0-9A-F]/.test(address))).toEqual([]);
  });
});

describe("a new controller", () => {
  const config = parseConfig({ timeZone: "Asia/Tokyo" });

  test("has an address of its own that is locally administered and of one station", () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { uuid } = newController(config, seededRandomness(seed));
      expect(uuid).toMatch(/^[0-9a-f][26ae](:[0-9a-f]{2}){5}$/);
    }
  });

  test("takes the zone of the settings, else the machine's, and no other", () => {
    expect(newController(config, seededRandomness(1)).timeZone).toBe("Asia/Tokyo");
    const machine = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(newController(parseConfig({}), seededRandomness(1)).timeZone).toBe(machine);
    const wrong = parseConfig({ timeZone: "Mars/Base" });
    expect(() => newController(wrong, seededRandomness(1))).toThrow('There is no time zone "Mars/Base".');
  });
});
