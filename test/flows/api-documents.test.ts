/** The JSON documents a client loads: configuration, tree, groups, programs, triggers. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

type Wire = Readonly<Record<string, string>>;
type Link = {
  readonly type: string;
  readonly node: string;
  readonly params?: readonly { id: string; val: { uom: number; prec: number; value: number } }[];
  readonly cmd?: unknown;
};
type Block = { readonly id: string; readonly links: readonly Link[] };

let controller: TestController;
let nodes: { node: Wire[]; folder: Wire[]; group: Wire[] };
let groups: { id: string; ctl: Block[] }[];
let programs: Record<string, unknown>[];

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  nodes = (await data("/api/nodes")).nodes;
  groups = (await data("/api/groups")).groups;
  programs = await data("/api/programs");
});

afterAll(() => controller[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign data member by member.
async function data(path: string): Promise<any> {
  const answer = await controller.portal.get(path);
  expect(answer.status).toBe(200);
  const envelope = answer.json() as { successful: boolean; data: unknown };
  expect(envelope.successful).toBe(true);
  return envelope.data;
}

const member = (entry: unknown, name: string): unknown => Reflect.get(entry as object, name);
const scenes = () => nodes.group.filter(({ flag }) => flag === "132");

describe("configuration", () => {
  test("/api/config answers 200 with an envelope and a data object", async () => {
    expect(await data("/api/config")).toMatchObject({ uuid: expect.any(String) });
  });
  test("the uuid is a MAC and the address of the root group", async () => {
    const { uuid } = await data("/api/config");
    expect(uuid).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    expect(nodes.group.find(({ flag }) => flag === "12")?.address).toBe(uuid);
  });
  test("version is a string, portalHost a string or absent", async () => {
    const config = await data("/api/config");
    expect(config.version).toMatch(/^6\.0\.\d+$/);
    expect(["string", "undefined"]).toContain(typeof config.portalHost);
  });
  test("it is answered with a bearer, without credentials and with stale ones", async () => {
    for (const headers of [{}, { Authorization: "Bearer stale.token.here" }, { Authorization: "Basic bm86bm8=" }]) {
      expect((await controller.portal.request("GET", "/api/config", { headers })).status).toBe(200);
    }
  });
});

describe("the tree", () => {
  test("node, folder and group are arrays", () => {
    expect([nodes.node, nodes.folder, nodes.group].every(Array.isArray)).toBe(true);
    expect([nodes.node.length >= 40, nodes.folder.length >= 6, scenes().length >= 10]).toEqual([true, true, true]);
  });
  test("every node has its members, flag and enabled as strings", () => {
    for (const node of nodes.node) {
      expect(node).toMatchObject({
        address: expect.any(String),
        name: expect.any(String),
        nodeDefId: expect.any(String),
        flag: expect.stringMatching(/^\d+$/),
        pnode: expect.any(String),
        property: expect.any(Array),
        nodeType: "node",
      });
      expect(node.type).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(["true", "false"]).toContain(node.enabled);
    }
    expect(nodes.folder.every(({ nodeType }) => nodeType === "folder")).toBe(true);
    expect(nodes.group.every(({ nodeType }) => nodeType === "group")).toBe(true);
  });
  test("family is left out for family 1, a string for built-in ones, an object for plugins", () => {
    const forms = nodes.node.map((node) => ({ address: node.address ?? "", family: member(node, "family") }));
    const wired = forms.filter(({ address }) => /^[0-9A-F]+( [0-9A-F]+){3}$/.test(address));
    expect(wired.length > 0 && wired.every(({ family }) => family === undefined)).toBe(true);
    expect(new Set(forms.filter(({ address }) => /^Z[WY]/.test(address)).map(({ family }) => family))).toEqual(
      new Set(["4", "12"]),
    );
    const plugin = forms.filter(({ address }) => /^n\d{3}_/.test(address));
    expect(plugin.length).toBeGreaterThan(0);
    for (const { address, family } of plugin)
      expect(family).toEqual({ _: "10", instance: String(Number(address.slice(1, 4))) });
  });
  test("parent is {_, type} of something in the tree, or left out", () => {
    const known = new Set([...nodes.node, ...nodes.folder, ...nodes.group].map(({ address }) => address));
    const parents = [...nodes.node, ...nodes.folder, ...nodes.group].flatMap(
      (entry) => (member(entry, "parent") as Wire | undefined) ?? ([] as Wire[]),
    );
    expect(parents.length).toBeGreaterThan(0);
    for (const parent of parents)
      expect([known.has(parent._), ["1", "2", "3"].includes(parent.type ?? "")]).toEqual([true, true]);
  });
  test("the primary of a device names itself, every other one names a node", () => {
    const known = new Set(nodes.node.map(({ address }) => address));
    expect(nodes.node.every(({ pnode }) => known.has(pnode))).toBe(true);
    expect(
      nodes.node.filter(({ flag }) => (Number(flag) & 128) !== 0).every(({ pnode, address }) => pnode === address),
    ).toBe(true);
  });
  test("plugin nodes list no property, others only ST", () => {
    for (const node of nodes.node) {
      const listed = (member(node, "property") as Wire[]).map(({ id }) => id);
      expect(/^n\d{3}_/.test(node.address ?? "") ? [] : ["ST", undefined]).toEqual(expect.arrayContaining(listed));
    }
  });
  test("radio nodes carry devtype with dotted gen and mfg", () => {
    const radio = nodes.node.filter(({ address }) => /^Z[WY]/.test(address ?? ""));
    for (const node of radio) {
      expect(member(node, "devtype")).toEqual({
        gen: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        mfg: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        cat: expect.stringMatching(/^(0|1\d\d)$/),
      });
    }
  });
  test("folders have family 13 and flag 0", () => {
    expect(nodes.folder.every(({ family, flag }) => family === "13" && flag === "0")).toBe(true);
  });
  test("scenes have flag 132, family 6 and links of type 0 or 16", () => {
    for (const scene of scenes()) {
      expect(scene.family).toBe("6");
      const links = (member(scene, "members") as { link: Wire[] }).link;
      expect(
        Array.isArray(links) && links.every((link) => link._ !== undefined && ["0", "16"].includes(link.type ?? "")),
      ).toBe(true);
    }
  });
  test("the order of members is stable", async () => {
    expect((await data("/api/nodes")).nodes.group).toEqual(nodes.group);
  });
  test("there is one root group with flag 12", () => {
    expect(nodes.group.filter(({ flag }) => flag === "12")).toHaveLength(1);
  });
  test("every nodedef is in the profile or among the radio's definitions", async () => {
    const profile = (await controller.portal.get("/rest/profiles?include=nodedefs,editors,linkdefs")).json() as {
      families: { id: string; instances: { id: string; nodedefs?: { id: string }[] }[] }[];
    };
    const known = new Set(
      profile.families.flatMap(({ id, instances }) =>
        instances.flatMap((instance) =>
          (instance.nodedefs ?? []).map((nodedef) => `${id}/${instance.id}/${nodedef.id}`),
        ),
      ),
    );
    const radio =
      (await controller.portal.get("/rest/zwave/node/0/def/get")).text +
      (await controller.portal.get("/rest/zmatter/zwave/node/0/def/get")).text;
    for (const node of nodes.node) {
      const family = member(node, "family");
      const key =
        typeof family === "object" && family !== null ? `10/${member(family, "instance")}` : `${family ?? "1"}/1`;
      expect([
        node.nodeDefId,
        known.has(`${key}/${node.nodeDefId}`) || radio.includes(`id="${node.nodeDefId}"`),
      ]).toEqual([node.nodeDefId, true]);
    }
  });
});

describe("groups", () => {
  test("every scene has an entry, the root group has none", () => {
    expect(groups.map(({ id }) => id).sort()).toEqual(
      scenes()
        .map(({ address }) => address)
        .sort(),
    );
  });
  test("each entry's last block is its own, links are arrays", () => {
    for (const { id, ctl } of groups) {
      expect(ctl.at(-1)?.id).toBe(id);
      expect(ctl.every(({ links }) => Array.isArray(links))).toBe(true);
    }
  });
  test("native links carry a numeric OL in percent", () => {
    const native = groups.flatMap(({ ctl }) =>
      ctl.flatMap(({ links }) => links.filter(({ type }) => type === "native")),
    );
    expect(native.length).toBeGreaterThan(0);
    for (const { params } of native) {
      const level = params?.find(({ id }) => id === "OL")?.val;
      expect(level).toMatchObject({ uom: 51, prec: 0 });
      expect([(level?.value ?? -1) >= 0, (level?.value ?? 101) <= 100]).toEqual([true, true]);
    }
  });
  test("only the four kinds of link occur, and cmd links name their verb", () => {
    const links = groups.flatMap(({ ctl }) => ctl.flatMap((block) => block.links));
    expect(new Set(links.map(({ type }) => type))).toEqual(new Set(["native", "cmd", "default", "ignore"]));
    expect(links.filter(({ type }) => type === "cmd").every(({ cmd }) => typeof cmd === "string")).toBe(true);
  });
  test("there are scenes with an off member and scenes that only fire", () => {
    const own = groups.map(({ id, ctl }) => ctl.find((block) => block.id === id)?.links ?? []);
    const isOff = ({ params }: Link) => params?.some(({ id, val }) => id === "OL" && val.value === 0);
    expect(own.some((links) => links.some(isOff))).toBe(true);
    const onOrOff = new Set(["DON", "DOF", "DFON", "DFOF"]);
    expect(
      own.some(
        (links) =>
          links.some(({ type }) => type === "cmd") &&
          links
            .filter(({ type }) => type !== "ignore")
            .every(({ type, cmd }) => type === "cmd" && !onOrOff.has(String(cmd))),
      ),
    ).toBe(true);
  });
});

describe("programs and triggers", () => {
  test("the list is flat, with one root folder that holds the rest", () => {
    const ids = new Set(programs.map(({ id }) => id));
    expect(programs.filter(({ parentId }) => parentId === undefined).map(({ id, folder }) => [id, folder])).toEqual([
      ["0001", true],
    ]);
    expect(programs.every(({ parentId }) => parentId === undefined || ids.has(parentId))).toBe(true);
    expect([
      programs.filter(({ folder }) => folder === false).length >= 15,
      programs.filter(({ folder }) => folder === true).length >= 5,
    ]).toEqual([true, true]);
  });
  test("ids are four upper-case hex digits", () => {
    expect(
      programs.every(
        ({ id, parentId }) => /^[0-9A-F]{4}$/.test(String(id)) && /^([0-9A-F]{4}|undefined)$/.test(String(parentId)),
      ),
    ).toBe(true);
  });
  test("members have their documented forms", () => {
    for (const entry of programs) {
      expect(["true", "false"]).toContain(entry.status);
      for (const time of ["lastRunTime", "lastFinishTime", "nextScheduledRunTime"])
        expect(entry[time]).toMatch(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$/);
    }
    for (const entry of programs.filter(({ folder }) => folder === false)) {
      expect([typeof entry.enabled, typeof entry.runAtStartup]).toEqual(["boolean", "boolean"]);
      expect(["idle", "running then", "running else"]).toContain(entry.running);
    }
  });
  test("folders have neither enabled, runAtStartup nor running", () => {
    for (const entry of programs.filter(({ folder }) => folder === true)) {
      expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(["enabled"]));
      expect([entry.runAtStartup, entry.running]).toEqual([undefined, undefined]);
    }
  });
  test("triggers are an array whose decimal ids are those of the programs, without folders", async () => {
    const triggers = (await data("/api/triggers")) as { id: number; if: unknown[]; then: unknown[]; else: unknown[] }[];
    const expected = programs.filter(({ folder }) => folder === false).map(({ id }) => Number.parseInt(String(id), 16));
    expect(triggers.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(triggers.every((trigger) => [trigger.if, trigger.then, trigger.else].every(Array.isArray))).toBe(true);
  });
});

describe("the machine-readable form", () => {
  test("every path of /api stands in the OpenAPI document, with the schema that checks its body", async () => {
    const document = (await controller.portal.get("/api/openapi.json")).json() as {
      openapi: string;
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { schema: { maxProperties?: number } }> } }>
      >;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(["/api/config", "/api/login", "/api/nodes/{address}", "/api/variables/{type}/{id}"]),
    );
    expect(
      document.paths["/api/variables/{type}/{id}"]?.post?.requestBody?.content["application/json"]?.schema
        .maxProperties,
    ).toBe(1);
  });
});
