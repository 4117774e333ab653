/** S11: names of every kind stay what they are, and every document and frame with them stays readable by a strict client. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { routes } from "../../src/http/routes.ts";
import { createLog } from "../../src/util/log.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { children, readXml, textOf, type XmlElement } from "../support/read-xml.ts";

const CAUSE = { kind: "system", id: "test", by: null } as const;

const NAMES: readonly (readonly [kind: string, name: string])[] = [
  ["HTML", "<script>alert(1)</script>"],
  ["an attribute", `" onmouseover="alert(1)' x='`],
  ["entities", "&amp;&lt;&#x41;&nbsp;&"],
  ["the end of a CDATA section", "]]><!--x--><?pi?>"],
  ["right to left", "שלום"],
  ["a formula", "=cmd|' /C calc'!A0"],
  ["200 characters", "Ä".repeat(200)],
  ["200 emoji", "😀".repeat(200)],
  ["one emoji of many parts", "👩🏽‍👩🏽‍👧🏽 🏳️‍🌈"],
  ["digits only", "12345"],
  ["a boolean", "true"],
  ["null", "null"],
  ["__proto__", "__proto__"],
  ["JSON", '{"a":"\\u0041"}\\'],
  ["what separates lines elsewhere", "a\u2028b\u2029c"],
  ["what XML has no room for", "a\ufffeb\uffffc"],
  ["a path", "../../etc/passwd%00"],
  ["a duplicate", "Hall Ceiling"],
  ["the same again", "Hall Ceiling"],
  ["combining marks", `Z${"\u0335".repeat(60)}`],
];
/** Some characters cannot stand in XML 1.0 at all; there they are left out. */
const inXml = (name: string) => name.replace(/[\ufffe\uffff]/g, "");

const REFUSED: readonly (readonly [kind: string, name: string])[] = [
  ["nothing", ""],
  ["a space", " "],
  ["ANSI colours", "\u001b[31mred\u001b[0m"],
  ["a C1 control", "\u009b31mred"],
  ["NUL", "a\0b"],
  ["a line break", "a\r\nb"],
  ["a byte order mark inside", "a\ufeffb"],
  ["DEL", "a\u007f"],
  ["a turned direction", "Lamp \u202etxt.exe"],
  ["a letter without width", "La\u200bmp"],
  ["201 characters", "x".repeat(201)],
  ["half a pair", "\ud800"],
];

let controller: TestController;
let streams: readonly FrameStream[];
let nodes: readonly string[];

const named = (index: number) => ({
  node: nodes[index] ?? "",
  group: `3${String(1001 + index).padStart(4, "0")}`,
  folder: `1${String(1001 + index).padStart(4, "0")}`,
  programId: 7 + index,
  variableId: 1 + index,
  resourceId: 1 + index,
});

async function rename(address: string, nodeType: string, name: string): Promise<number> {
  return (await controller.portal.post(`/api/nodes/${encodeURIComponent(address)}`, { name, nodeType })).status;
}

/** Gives the name to one thing of every kind; those that no client can rename are renamed in the home. */
async function nameEverything(index: number, name: string): Promise<void> {
  const { node, group, folder, programId, variableId, resourceId } = named(index);
  const { home, feed } = controller.services;
  const scene = { address: group, name: "x", parent: null, deviceGroup: 50, members: [], blocks: [] };
  if (!home.groups.has(group)) feed.commit({ type: "group-added", group: scene }, CAUSE);
  if (!home.folders.has(folder))
    feed.commit({ type: "folder-added", folder: { address: folder, name: "x", parent: null } }, CAUSE);
  const renamed = [
    await rename(node, "node", name),
    await rename(group, "group", name),
    await rename(folder, "folder", name),
  ];
  expect([name, ...renamed]).toEqual([name, 200, 200, 200]);
  const variable = { type: 1, id: variableId, value: 0, init: 0, prec: 0, writtenAtMs: 0 } as const;
  if (!home.variables[1].has(variableId))
    feed.commit({ type: "variable-added", variable: { ...variable, name: "x" } }, CAUSE);
  expect((await controller.portal.post(`/api/variables/1/${variableId}`, { name })).status).toBe(200);
  const pattern = home.programs.get(7);
  if (pattern) feed.commit({ type: "program-added", program: { ...pattern, id: programId, name } }, CAUSE);
  const resource = home.networkResources.get(1) ?? null;
  if (resource)
    feed.commit({ type: "network-resource-put", resource: { ...resource, id: resourceId, name, host: name } }, CAUSE);
}

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  nodes = [...controller.services.home.nodes.keys()];
  streams = await Promise.all([controller.subscribe("rest", { listener: "portal" }), controller.subscribe("api")]);
  for (const stream of streams) await stream.next(({ control }) => control === "_0");
  for (const [index, [, name]] of NAMES.entries()) await nameEverything(index, name);
});
afterAll(() => controller[Symbol.asyncDispose]());

const xml = async (path: string) => readXml((await controller.portal.get(path)).text);
const data = async <T>(path: string) => (await controller.portal.get(path)).json<{ data: T }>().data;

describe("S11: a name", () => {
  type Named = { readonly name: string; readonly address?: string; readonly id?: string };

  test.each(NAMES.map(([kind, name], index) => [kind, name, index] as const))(
    "of %s is the same in every document of both surfaces",
    async (_, name, index) => {
      const { node, group, folder, programId, variableId, resourceId } = named(index);
      const tree = (await data<{ nodes: Record<string, Named[]> }>("/api/nodes")).nodes;
      const inJson = [
        tree.node?.find(({ address }) => address === node),
        tree.group?.find(({ address }) => address === group),
        tree.folder?.find(({ address }) => address === folder),
        (await data<Named[]>("/api/programs")).find(({ id }) => Number.parseInt(id ?? "", 16) === programId),
        (await data<Named[]>("/api/variables/1")).find(({ id }) => id === String(variableId)),
      ];
      expect(inJson.map((thing) => thing?.name)).toEqual(Array(5).fill(name));
      const elements = (await xml("/rest/nodes")).children;
      const byAddress = (address: string) =>
        elements.find((element) => element.name !== "root" && children(element, "address")[0]?.text === address);
      const programs = children(await xml("/rest/programs?subfolders=true"), "program");
      const definitions = children(await xml("/rest/vars/definitions/1"), "e");
      const resources = children(await xml("/rest/networking/resources"), "NetRule");
      const inDocuments: readonly (string | undefined)[] = [
        ...[node, group, folder].map((address) => nameOf(byAddress(address))),
        nameOf(programs.find(({ attributes }) => Number.parseInt(attributes.id ?? "", 16) === programId)),
        definitions.find(({ attributes }) => attributes.id === String(variableId))?.attributes.name,
        nameOf(resources.find((rule) => textOf(rule, "id") === String(resourceId))),
      ];
      expect(inDocuments).toEqual(Array(6).fill(inXml(name)));
    },
  );

  test("of any of these kinds leaves every document readable", async () => {
    const reads = routes.filter(({ method, access }) => method === "GET" && access === "read");
    for (const { path } of reads) {
      const target = path
        .replace(":address", encodeURIComponent(nodes[0] ?? ""))
        .replace(":property", "ST")
        .replace(/:id|:type/g, "1")
        .replace(/:\w+/g, "1");
      const answer = await controller.portal.get(target);
      const type = String(answer.headers["content-type"]);
      expect([target, answer.status < 500]).toEqual([target, true]);
      if (type.startsWith("text/xml")) expect([target, readXml(answer.text).name !== ""]).toEqual([target, true]);
      else if (type.startsWith("application/json")) expect([target, typeof answer.json()]).toEqual([target, "object"]);
      else expect(type).toMatch(/^text\/plain/);
      // In JSON, markup is not escaped: no browser treats the answer as a page.
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect([target, answer.text.includes("\u001b")]).toEqual([target, false]);
      if (!type.startsWith("application/json"))
        expect([target, answer.text.includes("<script>")]).toEqual([target, false]);
    }
  });

  test("of any of these kinds is sent on both streams in well-formed frames, and replayed in the same way", async () => {
    const again = await Promise.all([
      controller.subscribe("rest", { listener: "portal" }),
      controller.subscribe("api"),
    ]);
    for (const stream of again) await stream.next(({ control }) => control === "_0");
    for (const stream of [...streams, ...again]) {
      for (const frame of stream.frames.filter(({ seqnum }) => seqnum !== null)) {
        expect(frame.event.name).toBe("Event");
        expect(frame.raw).not.toContain("\u001b");
      }
    }
    for (const stream of streams) {
      const told = stream.frames.filter(({ action }) => action === "NN");
      expect(told.map(({ event }) => textOf(children(event, "eventInfo")[0] ?? event, "newName"))).toEqual(
        NAMES.map(([, name]) => inXml(name)),
      );
    }
    await Promise.all(again.map((stream) => stream.close()));
  });

  test("of any of these kinds can be the controller's too", async () => {
    const { uuid } = controller.services.home.controller;
    for (const [, name] of NAMES) {
      expect(await rename(uuid, "group", name)).toBe(200);
      const group = (await xml("/rest/nodes")).children.find((element) => textOfAddress(element) === uuid);
      expect(nameOf(group)).toBe(inXml(name));
      expect(
        textOf((await xml("/rest/config")).children.find((each) => each.name === "root") ?? readXml("<x/>"), "name"),
      ).toBe(inXml(name));
    }
  });

  test.each(REFUSED)("of %s is refused on both surfaces, and changes nothing", async (_, name) => {
    const before = homeSnapshot(controller.services.home);
    const address = nodes[0] ?? "";
    expect(await rename(address, "node", name)).toBe(400);
    expect((await controller.portal.put("/api/variables/1", { name })).status).toBe(400);
    expect((await controller.portal.post("/api/variables/1/1", { name })).status).toBe(400);
    const spelled = name.isWellFormed() ? encodeURIComponent(name) : "%ed%a0%80";
    const legacy = await controller.local.get(`/rest/nodes/${encodeURIComponent(address)}/change?name=${spelled}`);
    expect(legacy.status).toBe(400);
    expect(legacy.text).not.toContain("\u001b");
    expect(homeSnapshot(controller.services.home)).toEqual(before);
  });

  test("given by a device is cleaned on the way in, its texts too", async () => {
    const host = new HomeHost(controller.services, "late", {
      get: () => undefined,
      set: () => {},
      delete: () => {},
      keys: () => [],
      saved: async () => {},
    });
    const address = "n040_hostile";
    const spec = { nodeDefId: "x", family: 10, instance: 40, type: "0.0.0.0", devtype: null };
    host.node({ ...spec, address, primary: address, name: `\u001b[31m<b>\0${"y".repeat(400)}\ud800` });
    host.report([{ address, id: "GV1", value: 1, uom: 0, prec: 0, text: "\u001b[2J<i>&\0", cause: "report" }]);
    host.node({ ...spec, address: 'n040_"<&\u001b', primary: 'n040_"<&\u001b', name: "x" });
    const node = (await xml("/rest/nodes")).children.find((element) => textOfAddress(element) === address);
    expect(nameOf(node)).toMatch(/^\[31m<b>y{190,}\ufffd?$/u);
    const status = await xml(`/rest/status/${address}`);
    expect(children(status, "property").find(({ attributes }) => attributes.id === "GV1")?.attributes.formatted).toBe(
      "[2J<i>&",
    );
    for (const stream of streams) {
      const frame = await stream.next(({ control, node: told }) => control === "GV1" && told === address);
      expect(children(frame.event, "fmtAct")[0]?.text).toBe("[2J<i>&");
    }
    expect([...controller.services.home.nodes.keys()].filter((key) => key.startsWith("n040_"))).toEqual([address]);
  });

  test("stands in no line of the log as anything that a terminal would obey", () => {
    const written: string[] = [];
    const log = createLog("debug", { write: (line: string) => void written.push(line) });
    for (const { message, fields } of controller.lines) log.warn(message, fields);
    expect(written.length).toBeGreaterThan(100);
    for (const line of written) expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test("of any of these kinds is the same after a restart", async () => {
    const before = homeSnapshot(controller.services.home);
    await controller.restart();
    await controller.login();
    expect(homeSnapshot(controller.services.home)).toEqual(before);
  });
});

function nameOf(element: XmlElement | undefined): string | undefined {
  return element && children(element, "name")[0]?.text;
}

function textOfAddress(element: XmlElement): string | undefined {
  return children(element, "address")[0]?.text;
}
