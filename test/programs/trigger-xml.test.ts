/** Programs in the XML of older clients and controllers, both ways. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { EMPTY_TREE, type ProgramTree } from "../../src/home/program-syntax.ts";
import type { Program, ProgramEntry, ProgramFolder } from "../../src/home/programs.ts";
import { programXml, readTriggers, requireRead, type WrittenTrigger } from "../../src/http/api/trigger-xml.ts";
import { arbitraryTree } from "../support/arbitrary-trees.ts";
import { seededHome } from "../support/seeded-home.ts";

const BUDGET = { charsMax: 1_000_000, programsMax: 2000, statementsMax: 20_000 };
const NEVER_RAN = { lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null, version: 1 };

function program(tree: ProgramTree, own: Partial<Program> = {}): Program {
  const state = { enabled: true, runAtStartup: false, status: false, running: "idle", invalid: null } as const;
  return { kind: "program", id: 22, parentId: 3, name: "Landing", comment: "", ...state, tree, ...NEVER_RAN, ...own };
}

function read(xml: string): WrittenTrigger {
  const [trigger, another] = readTriggers(xml, BUDGET).triggers;
  if (!trigger || another) throw new Error("The document has to hold one program.");
  return trigger;
}

const unread = ({ notes }: WrittenTrigger) => notes.filter(({ reason }) => reason !== "not-carried-out");
const written = (parts: string) => `<trigger><id>22</id><name>N</name><parent>1</parent>${parts}</trigger>`;
const onlyIf = (conditions: string) => read(written(`<if>${conditions}</if><then></then><else></else>`));
const onlyThen = (actions: string) => read(written(`<if></if><then>${actions}</then><else></else>`));

function refusal(give: () => unknown): string {
  try {
    give();
    return "accepted";
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe("what is written is read back", () => {
  test("every tree, statements by room and role included", () => {
    fc.assert(
      fc.property(arbitraryTree(), (tree) => {
        const trigger = read(programXml(program(tree)));
        expect(unread(trigger)).toEqual([]);
        expect(trigger.tree).toEqual(tree);
      }),
      { numRuns: 1000 },
    );
  });

  test("names, comments with line ends, parents", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "<", "&", "]]>", '"', "ü", "\n", "\r", "\t", " ", "😀") });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 65_535 }), (name, comment, parentId) => {
        const { id, kind, ...trigger } = read(programXml(program(EMPTY_TREE, { name, comment, parentId })));
        expect({ id, kind }).toEqual({ id: 22, kind: "program" });
        expect(trigger).toMatchObject({ name, comment, parentId, tree: EMPTY_TREE });
      }),
    );
  });

  test("every program and folder of the demo home, alone and all together", async () => {
    const { home } = await seededHome({ demo: true });
    const entries = [...home.programs.values()];
    expect(entries.length).toBeGreaterThan(20);
    const written = entries.map((entry) => `<d2d>${programXml(entry)}</d2d>`).join("");
    const { key, triggers } = readTriggers(`<key>0AB1.00C2</key><triggers>${written}</triggers>`, BUDGET);
    expect(key).toBe("0AB1.00C2");
    expect(triggers.map(contentOf)).toEqual(entries.map(contentOfEntry));
    expect(entries.map((entry) => contentOf(read(programXml(entry))))).toEqual(entries.map(contentOfEntry));
  });
});

const contentOf = ({ kind, id, name, parentId, tree }: WrittenTrigger) => ({ kind, id, name, parentId, tree });
function contentOfEntry(entry: ProgramEntry) {
  const { kind, id, name, parentId } = entry;
  const tree = kind === "folder" ? { ...EMPTY_TREE, if: entry.conditions } : entry.tree;
  return { kind, id, name, parentId, tree };
}

test("a folder is marked, and its conditions are in its if", () => {
  const conditions = [{ andOr: "and", kind: "program", id: 7, is: false }] as const;
  const folder: ProgramFolder = {
    kind: "folder",
    id: 5,
    parentId: 1,
    name: "Winter",
    status: null,
    conditions,
    ...NEVER_RAN,
  };
  expect(programXml(folder)).toBe(
    "<trigger><id>5</id><name>Winter</name><parent>1</parent><folder />" +
      "<if><and /><triggerref><refid>7</refid><false /></triggerref></if><then></then><else></else><comment></comment></trigger>",
  );
});

describe("documents as controllers and clients write them", () => {
  const EXPORT =
    '<?xml version="1.0"?><key>77AA.01</key><triggers><d2d><trigger><id>1</id><name>My Programs</name><parent>0</parent><folder/>' +
    "<if></if><then></then><else></else><comment></comment></trigger></d2d>\u0000<d2d><trigger><id>9</id><parent>1</parent>" +
    '<name>Porch</name><if><or /><control op="IS" node="1A 2B 3C 1" id="DFON"></control><and /><schedule><from><sunset>-1200</sunset>' +
    '</from><to><sunrise>0</sunrise><day>1</day></to><daysofweek><sat /><sun /></daysofweek></schedule></if><then><cmd id="DON" node="10025">' +
    '<p id=""><val uom="51" prec="0">40</val></p></cmd><wait><minutes>2</minutes><random /></wait><net><cmd>6</cmd><parm>3</parm></net>' +
    '<notify content="3">1</notify><runif>8</runif></then><else><lp group="24859"><ctl id="24859"><rsp><link cmd="DON" node="2A 5 D8 1" ' +
    'type="cmd"><p id=""><val uom="51" prec="0">20</val></p></link></rsp></ctl></lp></else><comment>At night</comment></trigger></d2d></triggers>';

  test("a whole export without a root element, with a zero byte inside", () => {
    const { key, triggers } = readTriggers(EXPORT, BUDGET);
    expect(key).toBe("77AA.01");
    const [root, porch] = triggers;
    expect(root).toMatchObject({ kind: "folder", id: 1, parentId: null, notes: [] });
    expect(porch).toMatchObject({ kind: "program", id: 9, parentId: 1, comment: "At night", notes: [] });
    expect(porch?.tree.if[1]).toEqual({
      andOr: "and",
      kind: "schedule",
      days: ["sat", "sun"],
      when: {
        kind: "from-to",
        from: { kind: "sunset", offsetS: -1200, date: null, offsetDays: 0 },
        to: { kind: "sunrise", offsetS: 0, date: null, offsetDays: 1 },
      },
    });
    expect(porch?.tree.then.map(({ kind }) => kind)).toEqual(["command", "wait", "resource", "notify", "program"]);
    expect(porch?.tree.else[0]).toMatchObject({
      kind: "link",
      group: "24859",
      link: { kind: "cmd", node: "2A 5 D8 1" },
    });
  });

  test("attributes in capitals, a list without conjunctions, a program below parent 0", () => {
    const status = '<status OP="GE" NODE="n003_price" ID="ST"><val UOM="103" PREC="2">5000</val></status>';
    const trigger = read(
      `<d2d> <trigger> <id>2</id> <parent>0</parent> <if> ${status} ${status} </if> <then/> <else/> </trigger></d2d>`,
    );
    expect(trigger).toMatchObject({ parentId: 1, name: null, comment: null, notes: [] });
    expect(trigger.tree.if.map(({ andOr }) => andOr)).toEqual(["and", "and"]);
  });

  test("a bare trigger leaves out what it does not change", () => {
    const trigger = read("<trigger><if/><then/><else/><comment/></trigger>");
    expect(trigger).toMatchObject({ id: null, name: null, parentId: null, comment: "", tree: EMPTY_TREE });
  });

  test("comments between the statements go before the comment of the program", () => {
    const actions = "<comment>Wait for the pump</comment><wait><seconds>5</seconds></wait><comment>Done</comment>";
    const trigger = read(written(`<if/><then>${actions}</then><else/><comment>Pump</comment>`));
    expect(trigger.comment).toBe("Wait for the pump\nDone\nPump");
    expect(trigger.tree.then).toHaveLength(1);
  });

  test("a schedule more than a day after a last run", () => {
    const at = "<at><lastruntime><refid>54</refid><seconds>93600</seconds><daily /></lastruntime></at>";
    const [condition] = onlyIf(`<and /><schedule>${at}</schedule>`).tree.if;
    expect(condition).toMatchObject({
      when: { at: { kind: "last-run", program: 54, offsetS: 93_600, isDaily: true } },
    });
  });
});

describe("a statement that cannot be read stands with its line, and the others are read", () => {
  test.each<readonly [actions: string, place: string, reason: string, detail: string]>([
    ["<elk><area>1</area></elk>", "then[0]", "unknown", "is an unknown statement"],
    ['<cmd id="DON" node="a" why="x"/>', "then[0]", "unknown", 'has the attribute "why"'],
    ['<cmd id="DON" node="a"><q/></cmd>', "then[0]", "unknown", "has the element <q>"],
    ['<cmd id="DON"/>', "then[0]", "value", 'needs the member "node"'],
    [
      '<cmd id="DON" node="a"><p id=""><val>0.5</val></p></cmd>',
      "then[0]",
      "value",
      'has "0.5" where a whole number belongs',
    ],
    ["<wait><seconds>1</seconds><seconds>2</seconds></wait>", "then[0]", "structure", "has <seconds> twice"],
    ["<wait>soon</wait>", "then[0]", "unknown", 'has the text "soon"'],
    ["<net><cmd>5</cmd><parm>2</parm></net>", "then[0]", "value", "has <cmd>5</cmd>, and only 6 is known there"],
    ['<var id="1" type="3"><op>EQ</op><val>1</val></var>', "then[0]", "value", "varType has to be one of 1, 2"],
    ["<wait/>\n<runif>x</runif>", "then[1]", "value", 'has "x" where a whole number belongs'],
  ])("%s", (actions, place, reason, detail) => {
    const trigger = onlyThen(`\n${actions}\n<runthen>7</runthen>`);
    const [note] = trigger.notes;
    expect(note).toMatchObject({ place, reason, line: place === "then[0]" ? 2 : 3 });
    expect(note?.detail).toContain(detail);
    expect(trigger.tree.then.at(-1)).toEqual({ kind: "program", control: "runthen", id: 7 });
    expect(refusal(() => requireRead(trigger))).toMatch(/^BAD_BODY: The XML cannot be read in line \d: then\[\d\]: </);
  });

  test("also in parentheses, and the owner keeps what was written", () => {
    const trigger = onlyIf('<and /><paren><or /><elk area="2"><state>on</state></elk></paren>');
    expect(trigger.notes).toMatchObject([{ place: "if[0].conditions[0]", element: "elk", line: 1 }]);
    expect(trigger.tree.if[0]).toMatchObject({
      conditions: [
        {
          andOr: "or",
          kind: "foreign",
          json: JSON.stringify({ type: "unread", xml: '<elk area="2"><state>on</state></elk>' }),
        },
      ],
    });
  });

  test("an unknown part of a program is named too", () => {
    const trigger = read("<trigger><if/><then/><else/><when/></trigger>");
    expect(refusal(() => requireRead(trigger))).toBe(
      "BAD_BODY: The XML cannot be read in line 1: <when> is unknown in a <trigger>.",
    );
  });

  test("one that is stored and not carried out is a note, not a refusal", () => {
    const trigger = onlyThen("<x10><hc>A</hc><uc>4</uc><cc>3</cc></x10>");
    expect(trigger.notes).toMatchObject([{ reason: "not-carried-out", element: "x10" }]);
    expect(refusal(() => requireRead(trigger))).toBe("accepted");
    expect(programXml(program(trigger.tree))).toContain("<then><x10><hc>A</hc><uc>4</uc><cc>3</cc></x10></then>");
  });
});

describe("documents that are none, or too large, are refused", () => {
  const nested = (levels: number) => `${"<paren>".repeat(levels)}${"</paren>".repeat(levels)}`;
  test.each<readonly [xml: string, answer: string]>([
    ["", "BAD_BODY: The XML has no <trigger>, so it holds no program."],
    ["<nodes/>", "BAD_BODY: The XML has no <trigger>"],
    ["<trigger><if>", "BAD_BODY: The XML cannot be read"],
    ['<!DOCTYPE a [<!ENTITY b "c">]><trigger>', "BAD_BODY: The XML cannot be read"],
    ["<trigger><id>0</id></trigger>", "BAD_BODY: In line 1 <id> has to be a decimal id of a program."],
    ["<trigger><id>1A</id></trigger>", "BAD_BODY: In line 1 <id> has to be"],
    [`<trigger><if>${nested(300)}</if></trigger>`, "BAD_BODY: The XML cannot be read: The elements are too deep"],
    ["<trigger/>".repeat(2001), "PROGRAM_TOO_LARGE: The XML has 2001 programs; 2000 are allowed."],
    [
      `<trigger><then>${"<wait/>".repeat(20_001)}</then></trigger>`,
      "PROGRAM_TOO_LARGE: The programs have more than 20000",
    ],
    [`<trigger>${"<w/>".repeat(20_001)}</trigger>`, "PROGRAM_TOO_LARGE: The programs have more than 20000"],
    [" ".repeat(1_000_001), "PROGRAM_TOO_LARGE: The programs are longer than 1000000 characters."],
  ])("%.40s", (xml, answer) => {
    expect(refusal(() => readTriggers(xml, BUDGET))).toContain(answer);
  });

  test.each([
    ["an element that may stand many times", `<roles how="any" role="lamp">${"<in/>".repeat(150_000)}</roles>`],
    ["an element of a statement that is stored without being understood", `<inet>${"<a/>".repeat(150_000)}</inet>`],
  ])("150,000 times %s make one note", (_what, statement) => {
    expect(onlyIf(statement).notes.map(({ element }) => element)).toEqual([/^<(\w+)/.exec(statement)?.[1]]);
  });

  test("any text is read or refused, never anything else", () => {
    const pieces = [
      "<trigger>",
      "</trigger>",
      "<if>",
      "</if>",
      "<and />",
      "<then>",
      "</then>",
      '<cmd id="DON" node="a">',
    ];
    const others = [
      "</cmd>",
      '<p id="">',
      "</p>",
      '<val uom="51">',
      "</val>",
      "12",
      "<wait>",
      "</wait>",
      "&lt;",
      "&x;",
      "]]>",
    ];
    const junk = fc.array(fc.constantFrom(...pieces, ...others), { maxLength: 30 }).map((all) => all.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          junk,
          junk.map((inner) => `<trigger><then>${inner}</then></trigger>`),
        ),
        (xml) => {
          expect(refusal(() => readTriggers(xml, BUDGET))).toMatch(/^(accepted|BAD_BODY: )/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
