/** The documents of an original: which are known, how their items are told apart, and which are parts of others. */

import { describe, expect, test } from "vitest";
import { derivedFrom, documentKind } from "../../src/wire/spelling/documents.ts";
import { childTrees, type Tree, type TreeObject, XML } from "../../src/wire/spelling/tree.ts";

describe("a document is known by its name", () => {
  test.each([
    ["/api/config", "json", true],
    ["/api/nodes", "json", undefined],
    ["/api/groups", "json", undefined],
    ["/api/programs", "json", undefined],
    ["/api/triggers", "json", undefined],
    ["/api/variables/2", "json", undefined],
    ["/rest/profiles", "json", undefined],
    ["/rest/nodes", "xml", undefined],
    ["/rest/status", "xml", undefined],
    ["/rest/networking/resources", "xml", undefined],
    ["def/get 12 nodedef", "xml", undefined],
    ["labels -1 20", "text", undefined],
  ])("%s is %s", (name, format, isAboutService) => {
    expect(documentKind(name)).toMatchObject({ format });
    expect(documentKind(name)?.isAboutService).toBe(isAboutService);
  });

  test.each(["/api/variables/3", "/rest/nodes/devices", "/api/nodes/", "x/api/nodes", "def/get x nodedef", ""])(
    "%j is none",
    (name) => expect(documentKind(name)).toBeNull(),
  );
});

const rulesOf = (name: string) => {
  const kind = documentKind(name);
  if (!kind) throw new Error(`${name} is known`);
  return kind.rules;
};
const keyIn = (name: string, list: string, item: Tree) => rulesOf(name).keyOf(list)?.(item);

describe("an item of a list has the key", () => {
  test.each<[string, string, Tree, string | null | undefined]>([
    ["/api/nodes", "node", { address: "ZW002_1" }, "ZW002_1"],
    ["/api/nodes", "property", { id: "ST" }, "ST"],
    ["/api/nodes", "property", { id: true }, null],
    ["/api/nodes", "property", "ST", null],
    ["/api/nodes", "link", { _: "ZW002_1" }, "ZW002_1"],
    ["/api/nodes", "toString", { id: "ST" }, undefined],
    ["/api/groups", "ctl", { id: 3 }, "3"],
    ["/api/programs", "data", { id: "00A3" }, "163"],
    ["/api/programs", "data", { id: 163 }, "163"],
    ["/api/programs", "data", { id: "00A3x" }, null],
    ["/api/programs", "data", { id: "1234567" }, null],
    ["/api/triggers", "data", { id: 7 }, "7"],
    ["/rest/profiles", "nodedefs", { id: "UZW" }, "UZW"],
    ["/api/config", "data", { id: 7 }, undefined],
  ])("in %s, of %s: %j", (name, list, item, key) => expect(keyIn(name, list, item)).toBe(key));

  const element = (
    name: string,
    attributes: TreeObject,
    text = "",
    ...children: readonly TreeObject[]
  ): TreeObject => ({
    [XML.name]: name,
    [XML.attributes]: attributes,
    [XML.text]: text,
    [XML.children]: children,
  });

  test.each<[string, TreeObject]>([
    ["property ST", element("property", { id: "ST" })],
    ["node ZW1", element("node", {}, "", element("name", {}, "Lamp"), element("address", {}, "ZW1"))],
    ["node ZW1", element("node", { id: "ZW1" })],
    ["group 0001", element("group", { id: "x" }, "", element("address", {}, "0001"))],
    ["folder f1", element("folder", {}, "", element("address", {}, "f1"))],
    ["NetRule 4", element("NetRule", {}, "", element("address", {}, "x"), element("id", {}, "4"))],
    ["link ZW1 undefined", element("link", {}, "ZW1")],
    ["link ZW1 L", element("link", { linkdef: "L" }, "ZW1")],
    ["name ", element("name", {}, "Lamp")],
  ])("in a document of elements: %s", (key, item) => {
    expect(keyIn("/rest/nodes", XML.children, item)).toBe(key);
    expect(keyIn("/rest/nodes", XML.children, "text")).toBeNull();
    expect(rulesOf("/rest/nodes").keyOf("other")).toBeUndefined();
  });
});

describe("a thing that the original does not list stays out", () => {
  test.each<[string, string, Tree, boolean]>([
    ["/api/nodes", "node", {}, true],
    ["/api/nodes", "property", {}, false],
    ["/api/groups", "groups", {}, true],
    ["/api/groups", "ctl", {}, false],
    ["/rest/nodes", "", { [XML.name]: "node" }, true],
    ["/rest/nodes", "", { [XML.name]: "property" }, false],
    ["/rest/nodes", "", "text", false],
  ])("in %s, of %s %j: %s", (name, list, item, stays) => expect(rulesOf(name).staysUnlisted(item, list)).toBe(stays));
});

describe("the ids of programs are written as the original writes them", () => {
  const { inStyle, itemInStyle } = rulesOf("/api/programs");

  test.each<[string, Tree, Tree, Tree | undefined]>([
    ["id", "00A3", 18, 163],
    ["parentId", "0001", 1, 1],
    ["id", "00A3", "0012", undefined],
    ["id", 7, 18, undefined],
    ["name", "00A3", 18, undefined],
  ])("%s %j beside %j", (name, ours, received, written) => {
    expect(inStyle?.(name, ours, received)).toBe(written);
  });

  test("in a program that it does not have as well", () => {
    const ours = { id: "00A3", parentId: "0001", name: "00A3" };
    expect(itemInStyle?.(ours, [{ name: "x" }, { id: 2 }])).toEqual({ id: 163, parentId: 1, name: "00A3" });
    expect(itemInStyle?.(ours, [{ id: "0002" }])).toEqual(ours);
    expect(itemInStyle?.(ours, [])).toEqual(ours);
    expect(itemInStyle?.("text", [{ id: 2 }])).toBe("text");
  });
});

describe("a part of another document", () => {
  const named = (name: string): TreeObject => ({ [XML.name]: name });

  test("is the devices, or the scenes, of the tree", () => {
    const whole = { [XML.children]: [named("node"), named("group"), named("folder")] };
    const partOf = (name: string) => derivedFrom(name)?.part(whole);
    expect(derivedFrom("/rest/nodes/devices")?.from).toBe("/rest/nodes");
    expect(partOf("/rest/nodes/devices")).toEqual({ [XML.children]: [named("node")] });
    expect(partOf("/rest/nodes/scenes")).toEqual({ [XML.children]: [named("group")] });
    expect(derivedFrom("/rest/nodes/scenes")?.part("text")).toBe("text");
  });

  test("is what a client includes of the profiles", () => {
    const derived = derivedFrom("/rest/profiles nodedefs,editors");
    const instance = { id: "1", nodedefs: [1], editors: [2], linkdefs: [3] };
    const whole = { timestamp: "t", families: [{ id: "4", instances: [instance, "odd"] }, { id: "5" }, "odd"] };
    expect(derived?.from).toBe("/rest/profiles");
    expect(derived?.part(whole)).toEqual({
      timestamp: "t",
      families: [{ id: "4", instances: [{ id: "1", nodedefs: [1], editors: [2] }, "odd"] }, { id: "5" }, "odd"],
    });
    expect([derived?.part("text"), derived?.part({ families: 1 })]).toEqual(["text", { families: 1 }]);
  });

  test("is the definitions in one client's spelling", () => {
    const derived = derivedFrom("def/get 12 nodeDef");
    const part = derived?.part({ [XML.children]: [named("nodedef")] }) ?? "";
    expect(derived?.from).toBe("def/get 12 nodedef");
    expect(childTrees(part as TreeObject)).toEqual([named("nodeDef")]);
    expect(derived?.part("text")).toBe("text");
  });

  test.each(["/rest/nodes", "/rest/profiles", "def/get 12 nodedef"])("%s is none", (name) => {
    expect(derivedFrom(name)).toBeNull();
  });
});
