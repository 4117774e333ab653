/** The elements of the tree as clients read them: every child, in the order that they were written against. */

import { describe, expect, test } from "vitest";
import type { Folder } from "../../src/home/folders.ts";
import type { Group } from "../../src/home/groups.ts";
import type { Node } from "../../src/home/nodes.ts";
import type { Property } from "../../src/home/property.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { Profile } from "../../src/profile/profile.ts";
import { nodeFlag, parentType, parseProgramId } from "../../src/wire/tree.ts";
import {
  folderElement,
  groupElement,
  nodeElement,
  propertyElement,
  rootGroupElement,
} from "../../src/wire/xml-tree.ts";
import { CONTROLLER } from "../support/test-store.ts";

const NO_POWER =
  "<deviceClass>0</deviceClass><wattage>0</wattage><dcPeriod>0</dcPeriod><startDelay>0</startDelay><endDelay>0</endDelay>";
const HINT = "<hint>0.0.0.0</hint>";

function nodeOf(of: Partial<Node> = {}): Node {
  return {
    address: "1A 2B 3C 1",
    name: "Lamp & <more>",
    nodeDefId: "DimmerLampOnly",
    family: 1,
    instance: 1,
    type: "1.32.65.0",
    parent: null,
    primary: "1A 2B 3C 1",
    enabled: true,
    devtype: null,
    driver: "virtual",
    properties: new Map(),
    link: "online",
    version: 1,
    ...of,
  };
}

const failing = (value: number): Partial<Node> => ({
  properties: new Map([["ERR", { id: "ERR", value, uom: 0, prec: 0, text: null, changedAtMs: 0 } satisfies Property]]),
});

describe("the flag of a node", () => {
  test.each<[number, string, Partial<Node>]>([
    [128, "the first one of a device", {}],
    [144, "one that does not answer", { link: "unreachable" }],
    [144, "one with an error", failing(1)],
    [128, "one whose error is over", failing(0)],
    [128, "one that sleeps", { link: "asleep" }],
    [0, "a further one of a device", { address: "1A 2B 3C 2" }],
    [16, "a further one that does not answer", { address: "1A 2B 3C 2", link: "unreachable" }],
  ])("%i: %s", (flag, _what, of) => expect(nodeFlag(nodeOf(of))).toBe(flag));
});

describe("the element of a node", () => {
  const begin = (address: string, flag: number, nodedef: string) =>
    `<node flag="${flag}" nodeDefId="${nodedef}"><address>${address}</address>`;

  test("of a wired device names no family", () => {
    expect(nodeElement(nodeOf(), '<property id="ST" />')).toBe(
      `${begin("1A 2B 3C 1", 128, "DimmerLampOnly")}<name>Lamp &amp; &lt;more&gt;</name>${HINT}<type>1.32.65.0</type>` +
        `<enabled>true</enabled>${NO_POWER}<pnode>1A 2B 3C 1</pnode><property id="ST" /></node>`,
    );
  });

  test("of a radio device has its family, and the type that its maker gave it", () => {
    const devtype = { generic: "4.17.1", manufacturer: "1.2.3", category: 109 };
    const radio = { address: "ZW002_3", primary: "ZW002_1", family: 4, type: "4.17.1.0", nodeDefId: "UZW2", devtype };
    expect(nodeElement(nodeOf({ ...radio, name: "Lamp", enabled: false }), "")).toBe(
      `${begin("ZW002_3", 0, "UZW2")}<name>Lamp</name><family>4</family>${HINT}<parent type="1">ZW002_1</parent>` +
        `<type>4.17.1.0</type><enabled>false</enabled>${NO_POWER}<pnode>ZW002_1</pnode>` +
        "<rpnode>ZW002_1</rpnode><sgid>3</sgid><devtype><gen>4.17.1</gen><mfg>1.2.3</mfg><cat>109</cat></devtype></node>",
    );
  });

  test.each<[string, Partial<Node>]>([
    ["of a family whose devices have none", { family: 15, devtype: { generic: "", manufacturer: "", category: 0 } }],
    ["that its driver has not reported", { family: 4 }],
  ])("leaves out a maker's type %s", (_why, of) => {
    expect(nodeElement(nodeOf(of), "")).not.toMatch(/devtype|rpnode|sgid/);
  });

  test("of a plugin has the plugin's slot beside its family", () => {
    const node = nodeOf({ address: "n003_lamp", primary: "n003_lamp", family: 10, instance: 3 });
    expect(nodeElement(node, "")).toContain('</name><family instance="3">10</family><hint>');
  });

  test.each([
    ["folder", "3"],
    ["group", "2"],
    ["node", "1"],
  ] as const)("in a %s names it as its parent of type %s", (kind, type) => {
    expect(nodeElement(nodeOf({ parent: { kind, address: "a&b" } }), "")).toContain(
      `${HINT}<parent type="${type}">a&amp;b</parent><type>`,
    );
    expect(parentType(kind)).toBe(type);
  });
});

describe("the element of a property", () => {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const element = (of: Partial<Property>) =>
    propertyElement(profile, nodeOf(), { id: "ST", value: 255, uom: 100, prec: 0, text: null, changedAtMs: 0, ...of });

  test("has its value as a person reads it", () => {
    expect(element({})).toBe('<property id="ST" value="255" formatted="100%" uom="100" name="Status" />');
  });

  test("names its decimals when it has some", () => {
    expect(element({ id: "CLITEMP", value: 215, uom: 4, prec: 1 })).toBe(
      '<property id="CLITEMP" value="215" formatted="21.5°C" uom="4" prec="1" name="" />',
    );
  });

  test("without a value is blank", () => {
    expect(element({ value: null })).toBe('<property id="ST" value="" formatted=" " uom="0" />');
  });
});

describe("the element of a scene", () => {
  const group: Group = { address: "00001", name: "All & some", parent: null, deviceGroup: 7, members: [], blocks: [] };
  const begin = '<group flag="132" nodeDefId="InsteonDimmer"><address>00001</address><name>All &amp; some</name>';

  test("lists its members, and which of them control it", () => {
    const members = [
      { address: "1A 2B 3C 1", isController: true },
      { address: "ZW002_1", isController: false },
    ];
    expect(groupElement({ ...group, members })).toBe(
      `${begin}<family>6</family>${HINT}<deviceGroup>7</deviceGroup><pnode>00001</pnode>` +
        '<members><link type="16">1A 2B 3C 1</link><link type="0">ZW002_1</link></members></group>',
    );
  });

  test("without members says so, and stands in its folder", () => {
    expect(groupElement({ ...group, parent: { kind: "folder", address: "f1" } })).toBe(
      `${begin}<family>6</family>${HINT}<parent type="3">f1</parent><deviceGroup>7</deviceGroup><pnode>00001</pnode><members /></group>`,
    );
  });

  test("of the controller's own group has every node as a member", () => {
    const begun = `<group flag="12"><address>${CONTROLLER.uuid}</address><name>Home</name><family>6</family>${HINT}`;
    expect(rootGroupElement(CONTROLLER, [])).toBe(`${begun}<members /></group>`);
    expect(rootGroupElement(CONTROLLER, [nodeOf()])).toBe(
      `${begun}<members><link type="0">1A 2B 3C 1</link></members></group>`,
    );
  });
});

test("the element of a folder stands in its parent", () => {
  const folder: Folder = { address: "f1", name: "Ground > floor", parent: null };
  const begun = '<folder flag="0"><address>f1</address><name>Ground &gt; floor</name><family>13</family>';
  expect(folderElement(folder)).toBe(`${begun}${HINT}</folder>`);
  expect(folderElement({ ...folder, parent: { kind: "folder", address: "f0" } })).toBe(
    `${begun}${HINT}<parent type="3">f0</parent></folder>`,
  );
});

test.each([
  ["00a3", 163],
  ["A3", 163],
  ["0", 0],
  ["ffff", 65_535],
  ["10000", null],
  ["", null],
  ["g", null],
  ["0x1", null],
  ["1 ", null],
])("the id %j of a program is the number %s", (text, id) => expect(parseProgramId(text)).toBe(id));
