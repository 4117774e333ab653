/** Verification of the corpus: sensible programs have no findings, and each mistake is found once, at its position. */

import { describe, expect, test } from "vitest";
import { tell, variableIs, wait } from "../../../src/demo/program-words.ts";
import type { Node } from "../../../src/home/nodes.ts";
import type { Condition } from "../../../src/home/program-syntax.ts";
import type { ProgramEntry } from "../../../src/home/programs.ts";
import type { Nodedef } from "../../../src/profile/nodedef.ts";
import { turnedPrograms } from "../../../src/programs/turned-states.ts";
import { checkWaits } from "../../../src/programs/verify/check-waits.ts";
import { FINDING_CODES, type Finding, type FindingStep } from "../../../src/programs/verify/finding.ts";
import type { VerifyPorts } from "../../../src/programs/verify/model/world.ts";
import type { PlayedProgram } from "../../../src/programs/verify/play/played-program.ts";
import { lookAt, verifyPrograms } from "../../../src/programs/verify/verify-programs.ts";
import { inOneGo } from "../../support/in-one-go.ts";
import { seededHome } from "../../support/seeded-home.ts";
import { readText } from "../../support/source-tree.ts";
import {
  anyOf,
  type CaseProgram,
  copyStatus,
  FIRST_ID,
  FLOOR,
  HALL_ROOM,
  KITCHEN,
  KITCHEN_ROOM,
  LOCK,
  notify,
  status,
  toAll,
} from "./case-words.ts";
import { FAULTY_LOGIC } from "./faulty-logic.ts";
import { FAULTY_NAMES } from "./faulty-names.ts";
import { hasPath } from "./places.ts";
import { SENSIBLE_HOUSE } from "./sensible-home.ts";
import { SENSIBLE_LIGHTS } from "./sensible-lights.ts";
import { SENSIBLE_LOGIC } from "./sensible-logic.ts";
import { entriesOf, NOW_MS, verifiedHome, verifyCase } from "./verify-case.ts";

const SENSIBLE = Object.entries({ ...SENSIBLE_LIGHTS, ...SENSIBLE_HOUSE, ...SENSIBLE_LOGIC });
const FAULTY = Object.entries({ ...FAULTY_NAMES, ...FAULTY_LOGIC });
const services = await verifiedHome();

const told = ({ code, program, path }: Finding) => `${code} at ${program} ${path}`;
const alarms = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity !== "hint").map(told);

describe("sensible programs", () => {
  test.each(SENSIBLE)("%s", (_name, programs) => {
    expect(alarms(verifyCase(services, programs))).toEqual([]);
  });
});

describe("a mistake is found once, in its place, with its proof", () => {
  test.each(FAULTY)("%s", (_name, [code, path, ...programs]) => {
    const findings = verifyCase(services, programs);
    expect(findings.map(told)).toEqual([told({ code, program: FIRST_ID, path } as Finding)]);
    expect(findings[0]?.chain.length).toBeGreaterThan(0);
    expect(findings[0]?.sentence.text).toMatch(/^[A-Z0-9].*\.$/s);
  });

  test("every place that a finding or its proof names is in the tree", () => {
    for (const [, [, , ...programs]] of FAULTY) {
      const entries = new Map(entriesOf(programs).map((entry) => [entry.id, entry]));
      for (const { program, path, chain } of verifyCase(services, programs)) {
        const places = [{ program, path }, ...chain];
        const missing = places.filter(
          (place) => place.program !== null && !hasPath(entries.get(place.program), place.path),
        );
        expect(missing).toEqual([]);
      }
    }
  });

  test("every code of the catalogue but those of the polar circle and of older homes is among the mistakes", () => {
    const missing = FINDING_CODES.filter((code) => !FAULTY.some(([, [expected]]) => expected === code));
    const ofOtherHomes = ["ROLE_STATE_UNKNOWN", "ROLE_SECURED", "ROLE_TOO_MANY"];
    expect(missing).toEqual(["STATE_TURNED", "SCHEDULE_SUN_MISSING", ...ofOtherHomes]);
  });
});

describe("the demo home", () => {
  test.each([0, 1, 7, 25, 55, 500])("of %i nodes has no alarming finding", async (demoNodes) => {
    const { home, profile, commands } = await seededHome({ demo: true, demoNodes });
    expect(
      alarms(inOneGo(verifyPrograms({ home, profile, nowMs: NOW_MS, limits: commands.config, isChannel: () => true }))),
    ).toEqual([]);
  });
});

describe("the scope of a verification", () => {
  const loop = FAULTY_LOGIC["two programs that undo one another"]?.slice(2) ?? [];

  test("one program as if it were saved, against those that are there", async () => {
    const ports = await verifiedHome();
    const { home } = ports;
    const [first, second] = entriesOf(loop as never);
    home.programs.set(FIRST_ID, first as ProgramEntry);
    expect(inOneGo(verifyPrograms(ports))).toEqual([]);
    const findings = inOneGo(verifyPrograms(ports, [second as ProgramEntry]));
    expect(findings.map(told)).toEqual([`LOOP at ${FIRST_ID + 1} then[0]`]);
    expect(home.programs.has(FIRST_ID + 1)).toBe(false);
  });

  test("a program outside of the request has no finding of its own", async () => {
    const ports = await verifiedHome();
    const { home } = ports;
    const [bad, good] = entriesOf([{ then: [{ kind: "resource", id: 99 }] }, { runAtStartup: true }]);
    home.programs.set(FIRST_ID, bad as ProgramEntry);
    expect(inOneGo(verifyPrograms(ports, [good as ProgramEntry]))).toEqual([]);
    expect(inOneGo(verifyPrograms(ports)).map(({ program }) => program)).toEqual([FIRST_ID]);
  });

  test("conditions of folders too", async () => {
    const ports = await verifiedHome();
    const [folder] = entriesOf([{ gate: [{ andOr: "and", kind: "program", id: 999, is: true }] }]);
    expect(inOneGo(verifyPrograms(ports, [folder as ProgramEntry])).map(told)).toEqual(["PROGRAM_UNKNOWN at 50 if[0]"]);
  });

  test("a device that matters only in the proof of a wait is in the proof's initial state", async () => {
    const { world, plays } = inOneGo(
      lookAt(
        await verifiedHome(),
        entriesOf([{ if: [variableIs(2, 7, "IS", 1)], then: [copyStatus(2, 7, FLOOR, "ST"), wait(5), notify] }]),
      ),
    );
    const shown = inOneGo(checkWaits(world, inOneGo(plays.of(FIRST_ID)) as PlayedProgram));
    expect(shown.map(({ finding }) => told(finding))).toEqual([`WAIT_INTERRUPTED at ${FIRST_ID} then[1]`]);
    const begun = new Map([...(shown[0]?.from.values ?? [])].map(([{ key }, value]) => [key, value]));
    expect(begun.get(`property ST ${FLOOR}`)).toBe(0);
  });

  test("the sun where the home is", async () => {
    const ports = await verifiedHome();
    const { home } = ports;
    home.controller = { ...home.controller, latitude: 78.2, longitude: 15.6, timeZone: "Arctic/Longyearbyen" };
    const findings = verifyCase(ports, SENSIBLE_LIGHTS["a porch light all night"] ?? []);
    expect(findings.map(told)).toEqual([`SCHEDULE_SUN_MISSING at ${FIRST_ID} if[0]`]);
  });

  test("programs about doors that are older than open and closed by the names of the unit, until they are saved", async () => {
    const ports = await verifiedHome();
    const { home } = ports;
    const lamp = home.nodes.get(FLOOR) as Node;
    const properties = new Map([["ST", { id: "ST", value: 0, uom: 79, prec: 0, text: null, changedAtMs: 0 }]]);
    home.nodes.set(FLOOR, { ...lamp, family: 14, instance: 1, properties });
    const [entry] = entriesOf([{ if: [status(FLOOR, "ST", "IS", 100, 79)], then: [notify] }]);
    home.programs.set(FIRST_ID, entry as ProgramEntry);
    const stored = new Map<string, unknown>();
    const turned = turnedPrograms(home, stored as never);
    const found = () => inOneGo(verifyPrograms({ ...ports, turned })).map(({ code }) => code);
    expect(found()).toContain("STATE_TURNED");
    home.programs.set(FIRST_ID, { ...(entry as ProgramEntry), version: 2 });
    expect(found()).not.toContain("STATE_TURNED");
    expect([...turnedPrograms(home, stored as never)]).toEqual([...turned]);
  });

  test("two programs in one request", () => {
    expect(verifyCase(services, loop as never).map(told)).toEqual([`LOOP at ${FIRST_ID} then[0]`]);
  });
});

describe("by room and role", async () => {
  const other = await verifiedHome();
  const START = [variableIs(2, 1, "IS", 1)];
  const codes = (ports: VerifyPorts, program: CaseProgram) => verifyCase(ports, [program]).map(told);
  const at = (code: string, path: string) => [`${code} at ${FIRST_ID} ${path}`];

  test("a statement to more devices than are allowed is an error", () => {
    const few = { ...other, limits: { ...other.limits, roleMembersMax: 2 } };
    expect(codes(few, { if: START, then: [toAll("lamp", "off")] })).toEqual(at("ROLE_TOO_MANY", "then[0]"));
  });

  test("a relay that may move a barrier is named, because it is left out", () => {
    const node = other.home.nodes.get(KITCHEN) as Node;
    const nodedef = other.profile.nodedef(node.nodeDefId, node.family, node.instance) as Nodedef;
    const properties = nodedef.properties.map((each) => ({ ...each, editor: "NONE" }));
    other.profile.declare(node.family, node.instance, { nodedefs: [{ ...nodedef, id: "BARRIER", properties }] });
    other.home.nodes.set(KITCHEN, { ...node, nodeDefId: "BARRIER" });
    const program = { if: START, then: [toAll("lamp", "on", KITCHEN_ROOM)] };
    expect(codes(other, program)).toEqual(at("ROLE_SECURED", "then[0]"));
    other.home.nodes.set(KITCHEN, node);
  });

  test("a state that no unit of theirs has is an error", () => {
    const node = other.home.nodes.get(LOCK) as Node;
    const nodedef = other.profile.nodedef(node.nodeDefId, node.family, node.instance) as Nodedef;
    const properties = nodedef.properties.map((each) => ({ ...each, editor: "I_LOCK" }));
    other.profile.declare(node.family, node.instance, { nodedefs: [{ ...nodedef, id: "PLAIN_LOCK", properties }] });
    other.profile.declare("common", 1, {
      editors: [{ id: "I_LOCK", ranges: [{ uom: 51, min: 0, max: 100, prec: 0, names: new Map() }] }] as never,
    });
    other.home.nodes.set(LOCK, { ...node, nodeDefId: "PLAIN_LOCK", properties: new Map() });
    const program = { if: [anyOf("lock", "jammed", HALL_ROOM)], then: [notify] };
    expect(codes(other, program)).toEqual(at("ROLE_STATE_UNKNOWN", "if[0]"));
    other.home.nodes.set(LOCK, node);
  });

  const lampsOn = (...places: readonly string[]) => anyOf("lamp", "on", ...places);
  const each = (programs: readonly CaseProgram[]) => verifyCase(other, programs).map(told);

  test("two programs that start one another through a room are found, at the statements as they are written", () => {
    const programs = [
      { if: [lampsOn(KITCHEN_ROOM)], then: [notify, toAll("lamp", "off", KITCHEN_ROOM)] },
      { if: [anyOf("lamp", "off", KITCHEN_ROOM)], then: [toAll("lamp", "on", KITCHEN_ROOM)] },
    ];
    const [loop] = verifyCase(other, programs).filter(({ code }) => code === "LOOP");
    const places = loop?.chain
      .filter(({ kind }) => kind === "statement")
      .map(({ program, path }) => `${program} ${path}`);
    expect(places).toContain(`${FIRST_ID + 1} then[0]`);
    const entries = new Map(entriesOf(programs).map((entry) => [entry.id, entry]));
    const isThere = ({ program, path }: FindingStep) => program === null || hasPath(entries.get(program), path);
    expect(loop?.chain.filter((step) => !isThere(step))).toEqual([]);
  });

  test("a wait that the program's own statement ends is found, also behind a statement to many", () => {
    const program = { if: [lampsOn(KITCHEN_ROOM)], then: [toAll("lamp", "off", KITCHEN_ROOM), wait(5), notify] };
    expect(each([program]).filter((line) => line.startsWith("WAIT"))).toEqual([
      `WAIT_INTERRUPTED at ${FIRST_ID} then[1]`,
    ]);
  });

  test("conditions that never hold together are found, at the conditions as they are written", () => {
    const none = { ...lampsOn(KITCHEN_ROOM), test: { how: "none", is: "on" } } as Condition;
    const program = { if: [...START, lampsOn(KITCHEN_ROOM), none], then: [notify] };
    expect(each([program])).toEqual([`CONDITION_NEVER at ${FIRST_ID} if`]);
  });

  test("a program about one lamp conflicts with one about its room", () => {
    const programs = [
      { if: START, then: [tell(KITCHEN, "DON")] },
      { if: START, then: [toAll("lamp", "off", KITCHEN_ROOM)] },
    ];
    expect(each(programs).filter((line) => line.startsWith("CONFLICT"))).toHaveLength(1);
  });

  test("a command of nobody in the set starts nothing", () => {
    const sends = { how: "sends", command: "RESET", comparison: "IS" } as const;
    const condition = { ...anyOf("button", "on"), test: sends } as Condition;
    expect(codes(other, { if: [condition], then: [notify] })[0]).toBe(at("COMMAND_NOT_SENT", "if[0]")[0]);
  });
});

describe("docs/verification.md", () => {
  test("has a section for each code, in the order of the catalogue, with its severity", () => {
    const sections = [...readText("docs/verification.md").matchAll(/^### ([A-Z_]+) \((error|warning|hint)\)$/gm)];
    const codes = sections.map(([, code]) => code);
    expect(codes).toEqual(FINDING_CODES);
    for (const [, [code, , ...programs]] of FAULTY) {
      const severity = sections.find(([, named]) => named === code)?.[2];
      expect(verifyCase(services, programs)[0]?.severity).toBe(severity);
    }
  });
});
