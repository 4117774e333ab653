/** Limits of what a home holds: the last thing that fits is accepted, one more is refused, and a home that is full can still change. */

import { describe, expect, test } from "vitest";
import { checkEdit } from "../../src/commands/check-edit.ts";
import { renameThing } from "../../src/commands/edit-nodes.ts";
import { changeResource, createResource, removeResource } from "../../src/commands/edit-resources.ts";
import { addMember, createScene, removeScene } from "../../src/commands/edit-scenes.ts";
import { createFolder, moveThing, removeFolder, removeNode, restoreNode } from "../../src/commands/edit-tree.ts";
import type { ThingEdit } from "../../src/home/edit.ts";
import type { Group } from "../../src/home/groups.ts";
import { type CommandServices, codeOf, createServices, REQUEST, spec } from "./command-services.ts";

const LIMITS = { foldersMax: 2, scenesMax: 2, networkResourcesMax: 2 };
const AT_TOP = { name: "New", parent: null };
const NO_REQUEST = { protocol: "none", host: "", port: 0, method: "", path: "/", body: "", timeoutMs: 0 } as const;
const resource = { name: "New", ...NO_REQUEST, headers: [] };

const LINK = { kind: "default", node: "ZW001_1" } as const;

const KINDS = {
  folder: {
    create: async (services: CommandServices) => (await createFolder(services, AT_TOP, REQUEST)).address,
    remove: (services: CommandServices, key: string) => removeFolder(services, key, "refuse", REQUEST),
  },
  group: {
    create: async (services: CommandServices) => (await createScene(services, AT_TOP, REQUEST)).address,
    remove: (services: CommandServices, key: string) => removeScene(services, key, REQUEST),
  },
  resource: {
    create: async (services: CommandServices) => String((await createResource(services, resource, REQUEST)).id),
    remove: (services: CommandServices, key: string) => removeResource(services, Number(key), REQUEST),
  },
};

test.each(Object.entries(KINDS))("a home is full of things of the kind %s until one goes", async (_kind, act) => {
  const services = await createServices(LIMITS);
  const first = await act.create(services);
  await act.create(services);
  expect(await codeOf(act.create(services))).toBe("LIMIT_REACHED");
  await act.remove(services, first);
  await act.create(services);
  expect(await codeOf(act.create(services))).toBe("LIMIT_REACHED");
});

test("a home that holds more than a lowered limit can still change and lose what it holds", async () => {
  const services = await createServices(LIMITS);
  for (const address of ["1", "2", "3", "4"]) {
    services.feed.commit({ type: "folder-added", folder: { ...AT_TOP, address } }, REQUEST);
  }
  await renameThing(services, "1", "folder", "Attic", REQUEST);
  await moveThing(services, "folder", "2", { kind: "folder", address: "1" }, REQUEST);
  await removeFolder(services, "4", "refuse", REQUEST);
  expect(await codeOf(createFolder(services, AT_TOP, REQUEST))).toBe("LIMIT_REACHED");
  expect([...services.home.folders.values()].map(({ name, parent }) => [name, parent?.address])).toEqual([
    ["Attic", undefined],
    ["New", "1"],
    ["New", undefined],
  ]);
});

test.each(["tcp", "udp"] as const)("a message by %s needs neither method nor path", async (protocol) => {
  const services = await createServices();
  const message = { ...resource, protocol, host: "127.0.0.1", port: 9, method: "", path: "", body: "on" };
  const { id } = await createResource(services, message, REQUEST);
  expect(services.home.networkResources.get(id)).toMatchObject({ protocol, path: "" });
});

const within = (kind: "node" | "folder", address: string) => ({ kind, address }) as const;

test("folders lie inside one another up to the limit, and never in themselves", async () => {
  const services = await createServices({ folderDepthMax: 3 });
  const add = async (parent: string) =>
    (await createFolder(services, { name: "New", parent: within("folder", parent) }, REQUEST)).address;
  const top = await KINDS.folder.create(services);
  const second = await add(top);
  const third = await add(second);
  expect(await codeOf(add(third))).toBe("LIMIT_REACHED");
  expect(await codeOf(add("nowhere"))).toBe("NODE_NOT_FOUND");
  const move = (parent: string) => codeOf(moveThing(services, "folder", top, within("folder", parent), REQUEST));
  expect([await move(top), await move(second)]).toEqual(["BAD_REQUEST", "BAD_REQUEST"]);
  const other = await KINDS.folder.create(services);
  expect(await move(other)).toBe("LIMIT_REACHED");
  await moveThing(services, "folder", third, null, REQUEST);
  await moveThing(services, "folder", third, within("folder", second), REQUEST);
  await removeFolder(services, third, "refuse", REQUEST);
  await moveThing(services, "folder", top, within("folder", other), REQUEST);
});

test("the deepest folder holds devices with all of their nodes, and a removed one comes back there", async () => {
  const services = await createServices({ folderDepthMax: 1 });
  services.host.node(spec("ZW001_1"));
  services.host.node(spec("ZW001_2", "DIMMER", { primary: "ZW001_1" }));
  const folder = within("folder", await KINDS.folder.create(services));
  await moveThing(services, "node", "ZW001_1", folder, REQUEST);
  await removeNode(services, "ZW001_1", REQUEST);
  await restoreNode(services, "ZW001_1", REQUEST);
  const parents = [...services.home.nodes.values()].map(({ parent }) => parent);
  expect(parents).toEqual([folder, within("node", "ZW001_1")]);
});

test("an edit that puts two folders into each other is refused, also after another thing that it moves there", async () => {
  const services = await createServices();
  services.host.node(spec("ZW001_1"));
  for (const address of ["1", "2"]) {
    services.feed.commit({ type: "folder-added", folder: { ...AT_TOP, address } }, REQUEST);
  }
  const moved = (kind: "node" | "folder", key: string, folder: string) => {
    const before = services.home[`${kind}s`].get(key);
    return { kind, key, before, after: { ...before, parent: within("folder", folder) } } as ThingEdit;
  };
  const edit = [moved("node", "ZW001_1", "1"), moved("folder", "1", "2"), moved("folder", "2", "1")];
  const check = async () => checkEdit(services.home, services.config, edit);
  expect(await codeOf(check())).toBe("BAD_REQUEST");
});

test.each([
  [65_536, "none"],
  [65_537, "BAD_VALUE"],
])("body and headers of %i characters together end with %s", async (chars, code) => {
  const services = await createServices();
  const headers = [{ name: "X-Token", value: "12345" }];
  const web = { ...resource, protocol: "http", host: "127.0.0.1", port: 80, method: "POST", headers } as const;
  expect(await codeOf(createResource(services, { ...web, body: "x".repeat(chars - 5) }, REQUEST))).toBe(code);
});

test("a network resource has a name that is one", async () => {
  const services = await createServices();
  expect(await codeOf(createResource(services, { ...resource, name: "" }, REQUEST))).toBe("BAD_NAME");
});

test("a network resource that there is not cannot be changed", async () => {
  const services = await createServices();
  expect(await codeOf(changeResource(services, 9, { name: "Bell" }, REQUEST))).toBe("RESOURCE_NOT_FOUND");
});

test("a network resource has at most 50 headers", async () => {
  const services = await createServices();
  const web = { ...resource, protocol: "http", host: "127.0.0.1", port: 80, method: "GET" } as const;
  const create = (count: number) => {
    const headers = Array.from({ length: count }, (_, at) => ({ name: `X-${at}`, value: "1" }));
    return codeOf(createResource(services, { ...web, headers }, REQUEST));
  };
  expect([await create(50), await create(51)]).toEqual(["none", "BAD_VALUE"]);
});

describe("a scene", () => {
  test.each<[string, Partial<Group>, string]>([
    ["a member that there is not", { members: [{ address: "nowhere", isController: false }] }, "NODE_NOT_FOUND"],
    ["a link to a node that is no member", { blocks: [{ controller: "1", links: [LINK] }] }, "BAD_REQUEST"],
    ["links of a node that is no controller", { blocks: [{ controller: "ZW001_1", links: [] }] }, "BAD_REQUEST"],
  ])("with %s is refused unless it had it before: %o is %s", async (_what, patch, code) => {
    const { services } = await servicesWith(2);
    const before = { ...AT_TOP, address: "1", deviceGroup: 1, members: [], blocks: [] };
    const check = (from: Group, after: Group) =>
      codeOf(
        (async () => checkEdit(services.home, services.config, [{ kind: "group", key: "1", before: from, after }]))(),
      );
    expect(await check(before, { ...before, ...patch })).toBe(code);
    expect(await check({ ...before, ...patch }, { ...before, ...patch, name: "Night" })).toBe("none");
  });

  const nodes = ["ZW001_1", "ZW002_1", "ZW003_1"];
  const add = (services: CommandServices, scene: string, address: string) =>
    addMember(services, scene, { address, isController: false, target: null }, REQUEST);

  async function servicesWith(sceneMembersMax: number) {
    const services = await createServices({ sceneMembersMax });
    for (const address of nodes) services.host.node(spec(address));
    return { services, scene: await KINDS.group.create(services) };
  }

  test("has members up to the limit", async () => {
    const { services, scene } = await servicesWith(2);
    await add(services, scene, "ZW001_1");
    await add(services, scene, "ZW002_1");
    expect(await codeOf(add(services, scene, "ZW003_1"))).toBe("LIMIT_REACHED");
  });

  test("with more members than a lowered limit can still be renamed", async () => {
    const { services } = await servicesWith(1);
    const members = nodes.map((address) => ({ address, isController: false }));
    const group = { ...AT_TOP, address: "31777", deviceGroup: 1, members, blocks: [] };
    services.feed.commit({ type: "group-added", group }, REQUEST);
    await renameThing(services, "31777", "group", "Evening", REQUEST);
    expect(services.home.groups.get("31777")).toEqual({ ...group, name: "Evening" });
  });
});
