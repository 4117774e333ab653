import { describe, expect, test } from "vitest";
import type { Editor } from "../../src/profile/editor.ts";
import type { Linkdef } from "../../src/profile/linkdef.ts";
import type { Nodedef } from "../../src/profile/nodedef.ts";
import { editorJson, linkdefJson, nodedefJson, readDefinitions } from "../../src/wire/definition-json.ts";
import type { Tree, TreeObject } from "../../src/wire/spelling/tree.ts";

const RANGE = {
  uom: 51,
  prec: 2,
  min: -5,
  max: 100,
  step: 0.5,
  subset: "0-10,20",
  names: new Map([
    [-1, "Off"],
    [2, "On"],
  ]),
};
const BARE_RANGE = { uom: 0, prec: 0, min: null, max: null, step: null, subset: null, names: new Map() };
const EDITOR: Editor = { id: "LEVEL", ranges: [RANGE, BARE_RANGE] };
const COMMAND = { id: "DON", name: "On", native: true, format: "to {LEVEL}" };
const BARE_COMMAND = { id: "DOF", name: "", native: false, format: null, parameters: [] };
const NODEDEF: Nodedef = {
  id: "Lamp",
  name: "A lamp",
  nls: "LMP",
  icon: "Bulb",
  properties: [
    { id: "ST", editor: "LEVEL", name: "Level", hide: true },
    { id: "RR", editor: "RATE", name: "", hide: false },
  ],
  sends: [BARE_COMMAND],
  accepts: [
    {
      ...COMMAND,
      parameters: [
        { id: "", editor: "LEVEL", name: "", init: null, optional: false },
        { id: "RR", editor: "RATE", name: "Rate", init: "RR", optional: true },
      ],
    },
  ],
  controlLinks: ["Follows"],
  respondLinks: ["Leads", "Listens"],
};
const BARE_NODEDEF: Nodedef = {
  id: "Bare",
  name: "",
  nls: null,
  icon: null,
  properties: [],
  sends: [],
  accepts: [],
  controlLinks: [],
  respondLinks: [],
};
const LINKDEF: Linkdef = {
  id: "Leads",
  name: "Leads the others",
  protocol: "ZWAVE",
  cmd: true,
  format: "as {A}",
  parameters: [{ id: "A", editor: "LEVEL", name: "How far" }],
};
const BARE_LINKDEF: Linkdef = { id: "Follows", name: "", protocol: "", cmd: false, format: null, parameters: [] };

const throughText = (value: object) => JSON.parse(JSON.stringify(value)) as TreeObject;

describe("definitions as JSON", () => {
  test("are read as they were written", () => {
    const written = throughText({
      editors: [editorJson(EDITOR)],
      nodedefs: [NODEDEF, BARE_NODEDEF].map((each) => nodedefJson(each)),
      linkdefs: [LINKDEF, BARE_LINKDEF].map((each) => linkdefJson(each)),
    });
    expect(readDefinitions(written)).toEqual({
      editors: [EDITOR],
      nodedefs: [NODEDEF, BARE_NODEDEF],
      linkdefs: [LINKDEF, BARE_LINKDEF],
    });
  });

  test("leave out members that have their defaults", () => {
    expect(throughText(editorJson({ id: "BARE", ranges: [BARE_RANGE] }))).toEqual({
      id: "BARE",
      ranges: [{ uom: "0" }],
    });
    expect(throughText(linkdefJson(BARE_LINKDEF))).toEqual({ id: "Follows", protocol: "" });
    const bare = { ...BARE_NODEDEF, accepts: [BARE_COMMAND], properties: NODEDEF.properties };
    expect(throughText(nodedefJson(bare))).toEqual({
      id: "Bare",
      properties: [
        { id: "ST", editor: "LEVEL", hide: true, name: "Level" },
        { id: "RR", editor: "RATE", name: "" },
      ],
      cmds: { sends: [], accepts: [{ id: "DOF", native: "false", name: "" }] },
      links: { ctl: [], rsp: [] },
    });
    const [first] = NODEDEF.accepts[0]?.parameters ?? [];
    const withParameter = { ...BARE_NODEDEF, accepts: [{ ...BARE_COMMAND, parameters: first ? [first] : [] }] };
    expect(throughText(nodedefJson(withParameter))).toMatchObject({
      cmds: { accepts: [{ parameters: [{ id: "", editor: "LEVEL" }] }] },
    });
    expect(JSON.stringify(nodedefJson(withParameter))).not.toMatch(/init|optional|"parameters":\[\{[^}]*"name"/);
  });

  test("name their editors as the document does", () => {
    const spelled = JSON.stringify([nodedefJson(NODEDEF, (id) => `_${id}`), linkdefJson(LINKDEF, (id) => `_${id}`)]);
    expect(spelled.match(/"editor":"[^"]*"/g)).toEqual(
      ["_LEVEL", "_RATE", "_LEVEL", "_RATE", "_LEVEL"].map((id) => `"editor":"${id}"`),
    );
  });
});

describe("definitions of another controller", () => {
  const rangeOf = (range: Tree) => readDefinitions({ editors: [{ id: "E", ranges: [range] }] }).editors?.[0]?.ranges[0];

  test("without an id, or with links and parameters that name nothing, lose these", () => {
    const read = readDefinitions({
      editors: [{ ranges: [] }, { id: "E", ranges: [] }],
      nodedefs: [
        {
          id: "N",
          links: { ctl: ["A", "", { id: "B" }], rsp: "A" },
          cmds: { accepts: [{ id: "X", parameters: [{ id: "P" }] }] },
        },
      ],
    });
    expect(read.editors?.map(({ id }) => id)).toEqual(["E"]);
    const [nodedef] = read.nodedefs ?? [];
    expect([nodedef?.controlLinks, nodedef?.respondLinks]).toEqual([["A", "B"], []]);
    expect(nodedef?.accepts[0]?.parameters).toEqual([]);
  });

  test("have a unit and a precision in any case, and at most nine decimal places", () => {
    expect(rangeOf({})).toEqual(BARE_RANGE);
    expect([rangeOf({ prec: 9 })?.prec, rangeOf({ prec: "12" })?.prec]).toEqual([9, 9]);
  });

  test.each([
    ["0-3,7", "0-3,7"],
    ["1, 2", "1, 2"],
    ["", null],
    ["1,x", null],
    ["x", null],
  ])("allow the values %j as %j", (given, read) => {
    expect(rangeOf({ subset: given })?.subset).toBe(read);
  });

  test("name values by whole numbers only", () => {
    expect([...(rangeOf({ names: { "1": "One", x: "Ex", "1.5": "Half" } })?.names ?? [])]).toEqual([[1, "One"]]);
  });
});
