import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Node } from "../../src/home/nodes.ts";
import { child, children, names, textOf, type XmlElement } from "../support/read-xml.ts";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

let listener: RestListener;

beforeAll(async () => {
  listener = await openRestListener();
});
afterAll(() => listener.close());

function nodeWhere(fits: (node: Node) => boolean): Node {
  const node = [...listener.services.home.nodes.values()].find(fits);
  if (!node) throw new Error("The demo home has no such node.");
  return node;
}

const path = (address: string) => encodeURIComponent(address);
const isDimmer = (node: Node) => node.family === 1 && node.properties.has("OL");

describe("/rest/nodes", () => {
  let tree: XmlElement;
  let nodes: readonly XmlElement[];
  let groups: readonly XmlElement[];
  let folders: readonly XmlElement[];

  beforeAll(async () => {
    tree = await listener.xml("/rest/nodes");
    nodes = children(tree, "node");
    groups = children(tree, "group");
    folders = children(tree, "folder");
  });

  test("root, folders, nodes, groups stand in this order directly below nodes", () => {
    const order = ["root", "folder", "node", "group"];
    const places = names(tree).map((name) => order.indexOf(name));
    expect(tree.name).toBe("nodes");
    expect(places).toEqual([...places].sort());
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]));
    expect(nodes.length).toBe(listener.services.home.nodes.size);
  });

  test("every group has its members, also when a client asks for none", async () => {
    const answer = await listener.get("/rest/nodes?members=false");
    expect(answer.body).toBe((await listener.get("/rest/nodes")).body);
    expect(groups.every((group) => children(group, "members").length === 1)).toBe(true);
  });

  test("every link names a node of the document", () => {
    const addresses = new Set(nodes.map((node) => textOf(node, "address")));
    const links = groups.flatMap((group) => children(child(group, "members"), "link"));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !addresses.has(link.text))).toEqual([]);
    expect(links.every(({ attributes }) => attributes.type === "16" || attributes.type === "0")).toBe(true);
  });

  test("the root group has flag 12, the MAC as its address and every node", () => {
    const [root, ...others] = groups.filter((group) => group.attributes.flag === "12");
    expect(others).toEqual([]);
    expect(root && textOf(root, "address")).toBe(listener.services.home.controller.uuid);
    expect(root && children(child(root, "members"), "link").length).toBe(nodes.length);
  });

  test("scenes have flag 132, family 6, a device group and themselves as pnode", () => {
    const scenes = groups.filter((group) => group.attributes.flag !== "12");
    expect(scenes.length).toBeGreaterThan(0);
    for (const scene of scenes) {
      expect(scene.attributes).toEqual({ flag: "132", nodeDefId: "InsteonDimmer" });
      expect(textOf(scene, "family")).toBe("6");
      expect(textOf(scene, "pnode")).toBe(textOf(scene, "address"));
      expect(textOf(scene, "deviceGroup")).toMatch(/^\d+$/);
    }
  });

  test("every node has address, name, type, enabled, pnode and flag", () => {
    for (const node of nodes) {
      expect(textOf(node, "type")).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(textOf(node, "enabled")).toMatch(/^(true|false)$/);
      expect(node.attributes.flag).toMatch(/^\d+$/);
      for (const name of ["address", "name", "pnode"]) expect(textOf(node, name)).not.toBe("");
    }
  });

  test("a device's first node is flagged 128, the others hang on a node that is there", () => {
    const addresses = new Set(nodes.map((node) => textOf(node, "address")));
    for (const node of nodes) {
      const isFirst = textOf(node, "pnode") === textOf(node, "address");
      expect((Number(node.attributes.flag) & 128) !== 0).toBe(isFirst);
      expect(addresses.has(textOf(node, "pnode"))).toBe(true);
    }
  });

  test("a parent has a type and is there", () => {
    const known = new Set([...nodes, ...groups, ...folders].map((element) => textOf(element, "address")));
    const parents = [...nodes, ...groups, ...folders].flatMap((element) => children(element, "parent"));
    expect(parents.length).toBeGreaterThan(0);
    expect(parents.every(({ attributes, text }) => /^[123]$/.test(attributes.type ?? "") && known.has(text))).toBe(
      true,
    );
  });

  test("ST comes first, its value an integer or nothing", () => {
    const properties = nodes.flatMap((node) => children(node, "property").slice(0, 1));
    expect(properties.length).toBeGreaterThan(0);
    for (const { attributes } of properties) {
      expect(attributes.id).toBe("ST");
      expect(attributes.value).toMatch(/^-?\d*$/);
      expect(attributes.prec ?? "0").toMatch(/^\d+$/);
    }
    const empty = properties.filter(({ attributes }) => attributes.value === "");
    for (const { attributes } of empty) expect(attributes).toEqual({ id: "ST", value: "", formatted: " ", uom: "0" });
  });

  test("no name is empty", () => {
    expect([...nodes, ...groups, ...folders].filter((element) => textOf(element, "name") === "")).toEqual([]);
  });

  test("addresses have their family's form, plugin nodes name their slot", () => {
    const forms: Record<string, RegExp> = {
      "1": /^([0-9A-F]{1,2} ){3}[0-9A-F]{1,2}$/,
      "4": /^ZW\d{3}_\d+$/,
      "12": /^ZY\d{3}_\d+$/,
      "10": /^n\d{3}_\w{1,14}$/,
    };
    for (const node of nodes) {
      const [family] = children(node, "family");
      expect(textOf(node, "address")).toMatch(forms[family?.text ?? "1"] ?? /./);
      if (family?.text === "10") expect(family.attributes.instance).toMatch(/^\d+$/);
    }
  });

  test("radio nodes carry devtype and sgid", () => {
    const radio = nodes.filter((node) => /^(4|12)$/.test(children(node, "family")[0]?.text ?? ""));
    expect(radio.length).toBeGreaterThan(0);
    for (const node of radio) {
      const devtype = child(node, "devtype");
      expect(textOf(devtype, "gen")).toMatch(/^\d+\.\d+\.\d+$/);
      expect(textOf(devtype, "mfg")).toMatch(/^\d+\.\d+\.\d+$/);
      expect(textOf(devtype, "cat")).toMatch(/^\d{3}$/);
      expect(textOf(node, "sgid")).toMatch(/^\d+$/);
    }
  });

  test("devices has no groups, scenes no nodes", async () => {
    expect(new Set(names(await listener.xml("/rest/nodes/devices")))).toEqual(new Set(["node"]));
    expect(new Set(names(await listener.xml("/rest/nodes/scenes")))).toEqual(new Set(["group"]));
  });

  test("a report shows in the next document, and nothing else of it changes", async () => {
    const node = nodeWhere((each) => isDimmer(each) && each.enabled);
    await listener.get(`/rest/nodes/${path(node.address)}/cmd/DOF`);
    const before = (await listener.get("/rest/nodes")).body;
    const lit = listener.changed((change) => change.type === "property-changed" && change.address === node.address);
    await listener.get(`/rest/nodes/${path(node.address)}/cmd/DFON`);
    await lit;
    const after = (await listener.get("/rest/nodes")).body;
    expect(after).not.toBe(before);
    const withoutNode = (text: string) => text.replace(new RegExp(`<address>${node.address}<.*?</node>`), "");
    expect(withoutNode(after)).toBe(withoutNode(before));
  });
});

describe("one node", () => {
  test("nodeInfo has the node and at least ST and ERR", async () => {
    for (const { address } of listener.services.home.nodes.values()) {
      const info = await listener.xml(`/rest/nodes/${path(address)}?members=true`);
      const ids = children(child(info, "properties"), "property").map(({ attributes }) => attributes.id);
      expect(names(info)).toEqual(["node", "properties"]);
      expect(ids).toEqual(expect.arrayContaining(["ST", "ERR"]));
    }
  });

  test("its properties have value, unit and precision as reported; the precision 0 is left out", async () => {
    const precisions = new Set<number>();
    for (const { address, properties } of listener.services.home.nodes.values()) {
      const info = await listener.xml(`/rest/nodes/${path(address)}`);
      for (const { attributes } of children(child(info, "properties"), "property")) {
        const property = properties.get(attributes.id ?? "");
        if (!property || property.value === null) continue;
        const { value, uom, prec } = property;
        precisions.add(prec);
        expect([attributes.value, attributes.uom]).toEqual([String(value), String(uom)]);
        expect(attributes.prec).toBe(prec === 0 ? undefined : String(prec));
      }
    }
    expect(precisions.size).toBeGreaterThan(1);
  });

  test("a property without a value is empty", async () => {
    const node = nodeWhere(isDimmer);
    const property = { ...(node.properties.get("ST") ?? expect.fail()), value: null };
    const cause = { kind: "system", id: "test", by: null } as const;
    listener.services.feed.commit({ type: "property-changed", address: node.address, property }, cause);
    const { attributes } = await listener
      .xml(`/rest/nodes/${path(node.address)}/ST`)
      .then((all) => child(all, "property"));
    expect(attributes).toEqual({ id: "ST", value: "", formatted: " ", uom: "0" });
  });

  test("an unknown address is 404", async () => {
    for (const tail of [
      "",
      "/ST",
      "/get/ST",
      "/status",
      "/notes",
      "/enable",
      "/disable",
      "/cmd/DON",
      "/change?name=x",
    ]) {
      const answer = await listener.get(`/rest/nodes/99%2099%2099%201${tail}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toContain('<reason code="NODE_NOT_FOUND">');
    }
  });

  test("groups, folders and the root group have a nodeInfo too", async () => {
    const { groups, folders, controller } = listener.services.home;
    const [group = ""] = groups.keys();
    const [folder = ""] = folders.keys();
    expect(names(await listener.xml(`/rest/nodes/${group}`))).toEqual(["group"]);
    expect(names(await listener.xml(`/rest/nodes/${folder}`))).toEqual(["folder"]);
    expect(child(await listener.xml(`/rest/nodes/${controller.uuid}`), "group").attributes.flag).toBe("12");
  });

  test("one property, with and without get", async () => {
    const { address } = nodeWhere(isDimmer);
    const plain = await listener.xml(`/rest/nodes/${path(address)}/OL`);
    expect(plain.name).toBe("properties");
    expect(child(plain, "property").attributes.id).toBe("OL");
    expect(await listener.xml(`/rest/nodes/${path(address)}/get/OL`)).toEqual(plain);
    expect((await listener.get(`/rest/nodes/${path(address)}/NOPE`)).body).toContain("PROPERTY_NOT_FOUND");
  });

  test("notes are 404, for none are kept", async () => {
    const answer = await listener.get(`/rest/nodes/${path(nodeWhere(isDimmer).address)}/notes`);
    expect([answer.status, answer.body.includes("NOTES_NOT_FOUND")]).toEqual([404, true]);
  });

  test("change renames, shows at once and is published", async () => {
    const { address } = nodeWhere(isDimmer);
    listener.changes();
    expect((await listener.get(`/rest/nodes/${path(address)}/change?name=Reading%20corner`)).status).toBe(200);
    expect(listener.changes()).toContainEqual({ type: "node-renamed", address, name: "Reading corner" });
    expect((await listener.get("/rest/nodes")).body).toContain("<name>Reading corner</name>");
    expect((await listener.get(`/rest/nodes/${path(address)}/change?name=`)).status).toBe(400);
    expect((await listener.get(`/rest/nodes/${path(address)}/change`)).status).toBe(400);
  });

  test("disable and enable change the node, and are published", async () => {
    const { address } = nodeWhere(isDimmer);
    for (const [verb, enabled] of [
      ["disable", false],
      ["enable", true],
    ] as const) {
      listener.changes();
      expect((await listener.get(`/rest/nodes/${path(address)}/${verb}`)).body).toContain('succeeded="true"');
      expect(listener.changes()).toContainEqual({ type: "node-enabled", address, enabled });
      expect(textOf(child(await listener.xml(`/rest/nodes/${path(address)}`), "node"), "enabled")).toBe(
        String(enabled),
      );
    }
  });
});

describe("/rest/status", () => {
  test("exactly the nodes, by their addresses", async () => {
    const status = await listener.xml("/rest/status");
    expect(status).toMatchObject({ name: "nodes", attributes: {} });
    expect(names(status).every((name) => name === "node")).toBe(true);
    const ids = status.children.map(({ attributes }) => attributes.id);
    expect(ids).toEqual([...listener.services.home.nodes.keys()]);
  });

  test("attributes stand in their order, prec only when it is not 0, properties by id", async () => {
    const status = await listener.xml("/rest/status");
    for (const node of status.children) {
      const ids = node.children.map(({ attributes }) => attributes.id ?? "");
      expect(ids).toEqual([...ids].sort());
      for (const { attributes } of node.children) {
        const { prec, ...others } = attributes;
        expect(prec).not.toBe("0");
        const expected =
          others.value === "" ? ["id", "value", "formatted", "uom"] : ["id", "value", "formatted", "uom", "name"];
        expect(Object.keys(others)).toEqual(expected);
        if (prec !== undefined) expect(Object.keys(attributes).indexOf("prec")).toBe(4);
      }
    }
  });

  test("dimmers of family 1 report raw levels of unit 100", async () => {
    const { address } = nodeWhere((node) => isDimmer(node) && node.properties.get("ST")?.value !== null);
    const properties = (await listener.xml(`/rest/status/${path(address)}`)).children;
    for (const id of ["ST", "OL"]) {
      const property = properties.find(({ attributes }) => attributes.id === id);
      expect(property?.attributes.uom).toBe("100");
      expect(Number(property?.attributes.value)).toBeLessThanOrEqual(255);
    }
  });

  test("the properties of plugin nodes are there", async () => {
    const { address } = nodeWhere((node) => node.family === 10);
    const status = await listener.xml("/rest/status");
    const plugin = status.children.find(({ attributes }) => attributes.id === address);
    expect(plugin?.children.length).toBeGreaterThan(0);
  });

  test("one node's status has ST and ERR, under either path", async () => {
    const { address } = nodeWhere(isDimmer);
    const status = await listener.xml(`/rest/status/${path(address)}`);
    expect(status.name).toBe("properties");
    expect(status.children.map(({ attributes }) => attributes.id)).toEqual(expect.arrayContaining(["ST", "ERR"]));
    expect(await listener.xml(`/rest/nodes/${path(address)}/status`)).toEqual(status);
    expect((await listener.get("/rest/status/nobody")).status).toBe(404);
  });

  test("values agree with the last reports", async () => {
    const { address } = nodeWhere((node) => isDimmer(node) && node.enabled);
    const told = listener.changed((change) => change.type === "property-changed" && change.address === address);
    const st = listener.services.home.nodes.get(address)?.properties.get("ST");
    await listener.get(`/rest/nodes/${path(address)}/cmd/${st?.value === 0 ? "DFON" : "DFOF"}`);
    const change = await told;
    const shown = child(await listener.xml(`/rest/nodes/${path(address)}/ST`), "property").attributes;
    expect(change.type === "property-changed" && String(change.property.value)).toBe(shown.value);
  });
});

describe("the setting legacyPadding", () => {
  test("no list has exactly one element", async () => {
    const padded = await openRestListener({ demo: false, legacyPadding: true });
    try {
      const { services } = padded;
      const cause = { kind: "system", id: "test", by: null } as const;
      services.feed.commit({ type: "folder-added", folder: { address: "11", name: "Attic", parent: null } }, cause);
      const tree = await padded.xml("/rest/nodes");
      for (const name of ["folder", "node", "group"]) expect(children(tree, name).length).toBeGreaterThanOrEqual(2);
      expect((await padded.xml("/rest/status")).children.length).toBe(children(tree, "node").length);
      const added = children(tree, "node").map((node) => [
        textOf(node, "name").startsWith("{IGNORE ME}"),
        textOf(node, "enabled"),
      ]);
      expect(added.every(([hidden, enabled]) => hidden === true && enabled === "false")).toBe(true);
    } finally {
      await padded.close();
    }
  });
});
