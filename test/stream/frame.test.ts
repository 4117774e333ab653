import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import type { Group } from "../../src/home/groups.ts";
import type { Operation } from "../../src/home/operation.ts";
import type { Variable } from "../../src/home/variables.ts";
import { LAMP, narrator, PROGRAM } from "./narrator.ts";
import { CONTROLLER, level, nodeRecord, readEvent, START_MS } from "./services.ts";

const STAMP = "2031-02-03T04:05:06.123000-07:00";

function check(expected: readonly string[], ...changes: readonly Change[]) {
  const { tell } = narrator();
  const prepared = changes.slice(0, -1);
  for (const change of prepared) tell(change);
  expect(tell(...changes.slice(-1))).toEqual(expected);
}

const system = (control: string, action: string | number, info = "") =>
  `<control>${control}</control><action>${action}</action><node></node><eventInfo>${info}</eventInfo>`;
const about = (verb: string, node: string, info = "") =>
  `<control>_3</control><action>${verb}</action><node>${node}</node><eventInfo>${info}</eventInfo>`;

const VARIABLE: Variable = { type: 2, id: 7, name: "Boost", value: 12, init: 3, prec: 0, writtenAtMs: START_MS };
const SCENE: Group = {
  address: "31777",
  name: "Film",
  parent: null,
  deviceGroup: 17,
  members: [
    { address: LAMP, isController: true },
    { address: "AA 1 1 1", isController: false },
  ],
  blocks: [{ controller: "31777", links: [] }],
};
const RESOURCE = {
  id: 3,
  name: "Bell & chime",
  protocol: "http",
  host: "h",
  port: 80,
  method: "GET",
  path: "/",
  headers: [],
  body: "",
  timeoutMs: 1,
} as const;

describe("properties", () => {
  const property = (patch: Parameters<typeof level>[1], value: number | null = 127): Change => ({
    type: "property-changed",
    address: LAMP,
    property: level(value, patch),
  });
  const value = (control: string, attributes: string, number: string, rest: string) =>
    `<control>${control}</control><action ${attributes}>${number}</action><node>${LAMP}</node><eventInfo></eventInfo>${rest}`;

  test("carry unit, precision, the words for the value and the property's label", () => {
    const rest = "<fmtAct>50%</fmtAct><fmtName>Status</fmtName>";
    check([value("ST", 'uom="100" prec="0"', "127", rest)], property({}));
  });

  test("without a value have an empty action", () => {
    const rest = "<fmtAct> </fmtAct><fmtName>Status</fmtName>";
    check([value("ST", 'uom="100" prec="0"', "", rest)], property({}, null));
  });

  test("that the nodedef does not know have no label", () => {
    check(
      [value("XX", 'uom="17" prec="1"', "705", "<fmtAct>70.5°F</fmtAct>")],
      property({ id: "XX", uom: 17, prec: 1 }, 705),
    );
  });

  test("of a node whose nodedef is unknown have an empty label", () => {
    const strange: Change = { type: "node-revised", node: nodeRecord(LAMP, { nodeDefId: "NOBODY" }) };
    check(
      [value("ST", 'uom="51" prec="0"', "9", "<fmtAct>9%</fmtAct><fmtName></fmtName>")],
      strange,
      property({ uom: 51 }, 9),
    );
  });

  test("without a unit go out as raw numbers, because clients drop unit 0", () => {
    check([value("XX", 'uom="56" prec="0"', "7", "<fmtAct>7</fmtAct>")], property({ id: "XX", uom: 0 }, 7));
  });

  test("the communication-error flag is a bare number", () => {
    check([value("ERR", "", "1", "").replace("<action >", "<action>")], property({ id: "ERR", uom: 2 }, 1));
  });

  test("are stamped with the time of their change", () => {
    const { tell, bodies } = narrator();
    tell(property({ changedAtMs: START_MS - 1000 }));
    expect(bodies[0]).toContain('timestamp="2031-02-03T04:05:05.123000-07:00"');
  });

  test("of groups and unknown nodes are not sent", () => {
    const { tell } = narrator();
    tell({ type: "group-added", group: SCENE });
    expect(tell({ type: "property-changed", address: SCENE.address, property: level(1) })).toEqual([]);
    expect(tell({ type: "control-sent", address: SCENE.address, control: "DON", value: 0 })).toEqual([]);
    expect(tell({ type: "property-changed", address: "nobody", property: level(1) })).toEqual([]);
  });
});

describe("nodes", () => {
  const name = { type: "node-renamed", address: LAMP, name: "A <b> & c" } as const;
  const link = (before: "online" | "unreachable" | "asleep", now: "online" | "unreachable" | "asleep"): Change => ({
    type: "node-link-changed",
    address: LAMP,
    link: now,
    before,
  });

  test("a command of a device is sent without a unit and leaves no state", () =>
    check([`<control>DON</control><action>4</action><node>${LAMP}</node><eventInfo></eventInfo>`], {
      type: "control-sent",
      address: LAMP,
      control: "DON",
      value: 4,
    }));

  test("a new node comes with its whole element", () => {
    const [body] = narrator().tell({ type: "node-added", node: nodeRecord("n001_a", { family: 10 }) });
    expect(body).toMatch(
      /^<control>_3<\/control><action>ND<\/action><node>n001_a<\/node><eventInfo><node flag="128" nodeDefId="DimmerLampSwitch_ADV"><address>n001_a<\/address>.*<family instance="1">10<\/family>.*<\/node><\/eventInfo>$/,
    );
  });

  test("a revised node comes with its whole element", () => {
    const [body] = narrator().tell({ type: "node-revised", node: nodeRecord(LAMP, { nodeDefId: "RelayLampSwitch" }) });
    expect(body).toContain(
      '<action>RV</action><node>5C 2 D1 1</node><eventInfo><node flag="128" nodeDefId="RelayLampSwitch">',
    );
  });

  test("removal", () => check([about("NR", LAMP)], { type: "node-removed", address: LAMP }));
  test("renaming", () => check([about("NN", LAMP, "<newName>A &lt;b&gt; &amp; c</newName>")], name));
  test("enabling", () =>
    check([about("EN", LAMP, "<enabled>false</enabled>")], { type: "node-enabled", address: LAMP, enabled: false }));
  const state = (now: string) => about("LS", LAMP, `<linkState>${now}</linkState>`);
  test("getting lost", () => check([about("NE", LAMP), state("unreachable")], link("online", "unreachable")));
  test("coming back", () => check([about("CE", LAMP), state("asleep")], link("unreachable", "asleep")));
  test("falling asleep", () => check([state("asleep")], link("online", "asleep")));
  test("writes that wait", () =>
    check([about("WH", LAMP, "<status>1</status>")], {
      type: "write-progress",
      address: LAMP,
      phase: "pending",
      active: true,
    }));
  test("writes under way", () =>
    check([about("WD", LAMP, "<status>0</status>")], {
      type: "write-progress",
      address: LAMP,
      phase: "writing",
      active: false,
    }));
  test("a new parent", () =>
    check(
      [about("PC", LAMP, `<node>${LAMP}</node><nodeType>1</nodeType><parent>100</parent><parentType>3</parentType>`)],
      { type: "parent-changed", address: LAMP, kind: "node", parent: { address: "100", kind: "folder" } },
    ));
  test("no parent any more", () =>
    check(
      [about("PC", LAMP, `<node>${LAMP}</node><nodeType>1</nodeType><parent></parent><parentType>0</parentType>`)],
      { type: "parent-changed", address: LAMP, kind: "node", parent: null },
    ));
});

describe("scenes and folders", () => {
  const added: Change = { type: "group-added", group: SCENE };
  const joined = (address: string, type: number) =>
    about("MV", "31777", `<movedNode>${address}</movedNode><linkType>${type}</linkType>`);

  test("a new scene is sent with each of its members", () =>
    check(
      [
        about("GD", "31777", "<groupName>Film</groupName><groupType>132</groupType>"),
        joined(LAMP, 16),
        joined("AA 1 1 1", 0),
      ],
      added,
    ));
  test("members that left, joined or changed their role are sent, then that the links have changed", () => {
    const members = [
      { address: "AA 1 1 1", isController: true },
      { address: "BB 1 1 1", isController: false },
    ];
    check(
      [
        about("RG", "31777", `<removedNode>${LAMP}</removedNode>`),
        joined("AA 1 1 1", 16),
        joined("BB 1 1 1", 0),
        about("LU", "31777"),
      ],
      added,
      { type: "group-links-changed", group: { ...SCENE, members } },
    );
  });
  test("the same members with other links", () =>
    check([about("LU", "31777")], added, { type: "group-links-changed", group: SCENE }));
  test("a scene renamed", () =>
    check([about("GN", "31777", "<newName>Dinner</newName>")], added, {
      type: "group-renamed",
      address: "31777",
      name: "Dinner",
    }));
  test("a scene removed", () => check([about("GR", "31777")], added, { type: "group-removed", address: "31777" }));
  test("folders", () => {
    const folder = { address: "100", name: "Attic", parent: null };
    check([about("FD", "100", "<newName>Attic</newName>")], { type: "folder-added", folder });
    check(
      [about("FN", "100", "<newName>Loft</newName>")],
      { type: "folder-added", folder },
      { type: "folder-renamed", address: "100", name: "Loft" },
    );
    check([about("FR", "100")], { type: "folder-added", folder }, { type: "folder-removed", address: "100" });
    const moved: Change = {
      type: "parent-changed",
      address: "100",
      kind: "folder",
      parent: { address: "200", kind: "folder" },
    };
    const place = "<node>100</node><nodeType>3</nodeType><parent>200</parent><parentType>3</parentType>";
    check([about("PC", "100", place)], { type: "folder-added", folder }, moved);
  });
});

describe("programs", () => {
  const added: Change = { type: "program-added", program: PROGRAM };
  const times = "<r>310203 04:05:06 </r><f>310203 04:05:06 </f>";
  const ran = (run: Extract<Change, { type: "program-ran" }>["run"]): Change => ({ type: "program-ran", id: 28, run });

  test("a new one makes clients read the list, then sends its state", () =>
    check([system("_1", 1), system("_1", 0, `<id>1C</id><on /><nr />${times}<s>21</s>`)], added));
  test("disabling re-sends the frame with the switch alone changed", () =>
    check([system("_1", 0, `<id>1C</id><off /><nr />${times}<s>21</s>`)], added, {
      type: "program-changed",
      program: { ...PROGRAM, enabled: false },
    }));
  test("renaming makes clients read the list", () =>
    check([system("_1", 1), system("_1", 0, `<id>1C</id><on /><rr />${times}<s>21</s>`)], added, {
      type: "program-changed",
      program: { ...PROGRAM, name: "Night", runAtStartup: true },
    }));
  test("a run", () =>
    check(
      [system("_1", 0, `<id>1C</id><on /><nr /><r>310203 04:06:06 </r><f>310203 04:05:06 </f><s>33</s>`)],
      added,
      ran({
        status: false,
        running: "else",
        lastRunAtMs: START_MS + 60_000,
      }),
    ));
  test("only another next run is the short form", () =>
    check([system("_1", 0, "<id>1C</id><nsr>310203 04:06:06 </nsr>")], added, ran({ nextRunAtMs: START_MS + 60_000 })));
  test("no next run any more is the whole frame without it", () =>
    check([system("_1", 0, `<id>1C</id><on /><nr />${times}<s>21</s>`)], added, ran({ nextRunAtMs: null })));
  test("a program that never ran has no times", () =>
    check([system("_1", 1), system("_1", 0, "<id>1C</id><on /><nr /><s>31</s>")], {
      type: "program-added",
      program: { ...PROGRAM, status: false, lastRunAtMs: null, lastFinishAtMs: null },
    }));
  test("a program that is not valid says so", () =>
    check([system("_1", 0, `<id>1C</id><on /><nr />${times}<s>F1</s>`)], added, {
      type: "program-changed",
      program: { ...PROGRAM, invalid: "broken" },
    }));
  test("a folder is never sent as a program: clients read the list", () => {
    const { id, name, parentId, lastRunAtMs, lastFinishAtMs, nextRunAtMs } = PROGRAM;
    const times = { lastRunAtMs, lastFinishAtMs, nextRunAtMs };
    const folder = { kind: "folder", id, name, parentId, ...times, status: false, conditions: [] } as const;
    const folderAdded: Change = { type: "program-added", program: folder };
    check([system("_1", 1)], folderAdded);
    check([], folderAdded, { type: "program-changed", program: { ...folder, status: true } });
    check([system("_1", 1)], folderAdded, ran({ status: true }));
    check([], folderAdded, ran({ lastRunAtMs: START_MS }));
  });
  test("removal makes clients read the list", () =>
    check([system("_1", 1)], added, { type: "program-removed", id: 28 }));
});

describe("variables", () => {
  const added: Change = { type: "variable-added", variable: VARIABLE };
  const table = system("_1", 9, '<var type="2" id="0" />');

  test("the table changes with adding, renaming, precision and removal", () => {
    check([table], added);
    check([table], added, { type: "variable-renamed", variableType: 2, id: 7, name: "Other" });
    check([table], added, { type: "variable-precision-changed", variableType: 2, id: 7, prec: 1 });
    check([table], added, { type: "variable-removed", variableType: 2, id: 7 });
  });
  test("a value, with type and id as attributes and a trailing space behind the time", () => {
    const info = '<var type="2" id="7"><prec>0</prec><val>-15</val><ts>20310203 04:05:06 </ts></var>';
    const written = {
      type: "variable-written",
      variableType: 2,
      id: 7,
      value: -15,
      before: 12,
      writtenAtMs: START_MS,
    } as const;
    check([system("_1", 6, info)], added, written);
  });
  test("an initial value, without a time", () =>
    check([system("_1", 7, '<var type="2" id="7"><init>9</init><prec>0</prec></var>')], added, {
      type: "variable-init-written",
      variableType: 2,
      id: 7,
      init: 9,
    }));
});

describe("the controller and what is only acknowledged", () => {
  test("busy and idle", () => {
    check([system("_5", 1)], { type: "busy-changed", busy: true });
    check([system("_5", 0)], { type: "busy-changed", busy: false });
  });
  test("name, place and modes", () => {
    const controller = { ...CONTROLLER, name: "Villa", longitude: 2, batchMode: true, batteryWrites: false };
    check(
      [
        about("GN", CONTROLLER.uuid, "<newName>Villa</newName>"),
        system("_4", 1),
        system("_4", 5, "<status>1</status>"),
        system("_4", 6, "<status>0</status>"),
      ],
      { type: "controller-changed", controller },
    );
  });
  test("a new name of a network resource is sent", () => {
    const put: Change = { type: "network-resource-put", resource: RESOURCE };
    check([about("WR", "Bell &amp; chime", "<newName>Bell &amp; chime</newName>")], put);
    check([], put, { type: "network-resource-put", resource: { ...RESOURCE, host: "other" } });
    check([], put, { type: "network-resource-removed", id: 3 });
  });
  test("the outcome of a fired resource is sent, without the other machine's answer", () =>
    check([system("_1", 3, "[Network resource 3] failed")], {
      type: "network-resource-fired",
      id: 3,
      outcome: "failed",
      detail: "secret",
    }));
  test("a radio parameter, on the control of its radio", () => {
    const reply: Change = { type: "device-parameter", address: "ZW003_1", number: 7, size: 2, value: -5 };
    const info = '<config node="ZW003_1" paramNum="7" size="2" value="-5" />';
    check([system("_21", 3, info)], { type: "node-added", node: nodeRecord("ZW003_1", { family: 4 }) }, reply);
    check([system("_25", 3, info)], { type: "node-added", node: nodeRecord("ZW003_1", { family: 12 }) }, reply);
  });
  test("a step on a radio network, on the control of its radio and as a line for people", () => {
    const operation: Operation = {
      id: "1",
      kind: "include",
      stage: "asking",
      question: { kind: "pin", data: { dskRest: "-12345" }, answer: {} },
      address: null,
      percent: null,
      result: {},
      detail: "Type <five> digits.",
      startedAtMs: 0,
      movedAtMs: 0,
    };
    const info =
      '<operation id="1" kind="include" stage="asking"><pin dskRest="-12345" />' +
      "<detail>Type &lt;five&gt; digits.</detail></operation>";
    const line = system("_7", 1, "Z-Wave: Type &lt;five&gt; digits.");
    check([system("_21", "5.5", info), line], { type: "operation-moved", driver: "zwave", family: 4, operation });
    check([system("_25", "5.5", info), line], { type: "operation-moved", driver: "zwave2", family: 12, operation });
  });
  test.each([
    ["include", "starting", "2.2"],
    ["exclude", "waiting", "2.3"],
    ["replace", "found", "2.4"],
    ["remove-failed", "asking", "5.5"],
    ["remove-failed", "done", "2.9"],
    ["rebuild-routes", "securing", "5.6"],
    ["rebuild-routes", "cancelled", "3.10"],
    ["reset", "working", "3.8"],
    ["update-firmware", "working", "6.8"],
    ["backup", "working", "7.8"],
    ["restore", "failed", "4.11"],
    ["restore", "done", "7.9"],
    ["interview", "interviewing", "8.7"],
    ["a kind of another driver", "working", "3.8"],
  ] as const)("the operation %s in the stage %s is %s", (kind, stage, action) => {
    const about = { id: "1", question: null, address: LAMP, result: {}, startedAtMs: 0, movedAtMs: 0 };
    const operation: Operation = { ...about, kind, stage, percent: 40, detail: "" };
    const info = `<operation id="1" kind="${kind}" stage="${stage}" percent="40"><detail></detail></operation>`;
    const [event] = narrator().tell({ type: "operation-moved", driver: "zwave", family: 4, operation });
    expect(event).toBe(
      `<control>_21</control><action>${action}</action><node>${LAMP}</node><eventInfo>${info}</eventInfo>`,
    );
  });
  test("the life of a command is for the journal", () =>
    check([], {
      type: "command-moved",
      commandId: "1",
      address: LAMP,
      command: "DON",
      state: "sent",
      detail: "",
      acceptedAtMs: 0,
    }));
});

test("any text anywhere gives one well-formed event with its parts in order", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "binary", maxLength: 12 }),
      (text, address) => {
        const { tell, bodies } = narrator();
        const parent = { address: text, kind: "group" } as const;
        tell(
          { type: "node-added", node: nodeRecord(address, { name: text, type: text, parent }) },
          { type: "property-changed", address, property: level(1, { id: text, text }) },
          { type: "control-sent", address, control: text, value: 1 },
          { type: "node-renamed", address, name: text },
          {
            type: "group-added",
            group: { ...SCENE, address, name: text, members: [{ address: text, isController: true }] },
          },
          { type: "network-resource-put", resource: { ...RESOURCE, name: text } },
          { type: "folder-added", folder: { address, name: text, parent: null } },
        );
        for (const body of bodies) {
          const document = `<?xml version="1.0" encoding="UTF-8"?><Event seqnum="0" sid="uuid:1"${body}`;
          new SaxesParser().write(document).close();
          readEvent(document.replaceAll(/[\r\n]/g, " "));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("timestamps are local, with microseconds and the offset", () => {
  const { tell, bodies } = narrator();
  tell({ type: "busy-changed", busy: true });
  expect(bodies[0]).toMatch(new RegExp(`^ timestamp="${STAMP.replaceAll("+", "\\+")}">`));
});
