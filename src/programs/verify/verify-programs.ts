/**
 * Verification before saving: finds what is wrong, or hardly meant, in programs, and proves it. Pure: looks at the home and the
 * profile and changes nothing. The checks stand beside this file; what they share is in `model/` (what programs say) and `play/` (what they do). A new check is a file here
 * and a line below, its codes in finding.ts and docs/verification.md.
 *
 * @see docs/verification.md
 */

import type { ProgramEntry } from "../../home/programs.ts";
import type { Slices } from "../../util/slices.ts";
import { checkConditions } from "./check-conditions.ts";
import { checkConflicts } from "./check-conflicts.ts";
import { checkEachCondition } from "./check-each-condition.ts";
import { checkEachStatement } from "./check-each-statement.ts";
import { checkLoops } from "./check-loops.ts";
import { checkStarts } from "./check-starts.ts";
import { checkStatements } from "./check-statements.ts";
import { checkWaits } from "./check-waits.ts";
import { checkWindows } from "./check-windows.ts";
import type { Finding } from "./finding.ts";
import { Callers } from "./model/callers.ts";
import { spotKey } from "./model/formula.ts";
import { leavesOf } from "./model/places.ts";
import { type VerifyPorts, World } from "./model/world.ts";
import type { PlayedProgram } from "./play/played-program.ts";
import { type Examined, Plays } from "./play/plays.ts";

/**
 * @param changed programs and folders as if they were saved. Only their findings are returned, but all programs are
 * considered. Without them all programs and folders of the home are verified.
 * @returns findings by program, in the order of its tree; errors before warnings before hints at the same place.
 */
export function* verifyPrograms(ports: VerifyPorts, changed?: readonly ProgramEntry[]): Slices<readonly Finding[]> {
  const { world, asked, examine, callers, plays } = yield* lookAt(ports, changed);
  const loops = (yield* checkLoops(world, plays, asked)).map(({ finding }) => world.asWritten(finding));
  const endless = new Set(loops.filter(({ code }) => code === "LOOP").map(({ program }) => program));
  const single: Finding[] = [];
  for (const id of asked) {
    yield;
    const played = yield* plays.of(id);
    single.push(...(yield* examine(id)).findings);
    if (played) single.push(...(yield* checkOne(world, played, callers, endless)).map((each) => world.asWritten(each)));
  }
  const conflicts = (yield* checkConflicts(world, plays, asked)).map(({ finding }) => world.asWritten(finding));
  return inOrder(eachOnce(world, [...single, ...loops, ...conflicts]));
}

export type Look = {
  readonly world: World;
  /** Ids of the programs and folders whose findings are returned. */
  readonly asked: ReadonlySet<number>;
  readonly examine: (id: number) => Slices<Examination>;
  readonly callers: Callers;
  readonly plays: Plays;
};

/** The input of all checks. */
export function* lookAt(ports: VerifyPorts, changed?: readonly ProgramEntry[]): Slices<Look> {
  const world = new World(ports, changed ?? []);
  yield;
  const asked = new Set(changed?.map(({ id }) => id) ?? world.programs.keys());
  const examinations = new Map<number, Examination>();
  const examine = function* (id: number): Slices<Examination> {
    const made = examinations.get(id) ?? (yield* examined(world, id));
    examinations.set(id, made);
    return made;
  };
  const callers = new Callers();
  const plays = new Plays(world, callers, examine);
  for (const program of world.allPrograms()) {
    callers.add(program);
    plays.add(program);
    yield;
  }
  return { world, asked, examine, callers, plays };
}

type Examination = Examined & { readonly findings: readonly Finding[] };

/** Findings about an entry that do not depend on others. Conditions with a fault are not checked again. */
function* examined(world: World, id: number): Slices<Examination> {
  const [entry, written] = [world.programs.get(id), world.written.get(id)];
  if (!entry || !written) return { findings: [], suspects: new Set(), isLoaded: false };
  for (const { condition } of leavesOf(written))
    if (condition.kind === "schedule") yield* world.year.prepare(condition);
  yield;
  const single = [...(yield* checkEachCondition(world, written)), ...(yield* checkEachStatement(world, written))];
  const faults = single.filter(({ path, severity }) => path.startsWith("if") && severity !== "hint");
  const suspects = new Set(faults.map(spotKey));
  const together = (yield* checkConditions(world, entry, suspects)).map((each) => world.asWritten(each));
  return { findings: [...single, ...together], suspects, isLoaded: !single.some(({ code }) => UNLOADABLE.has(code)) };
}

function* checkOne(
  world: World,
  played: PlayedProgram,
  callers: Callers,
  endless: ReadonlySet<number>,
): Slices<readonly Finding[]> {
  const { program } = played;
  const waits = endless.has(program.id) ? [] : (yield* checkWaits(world, played)).map(({ finding }) => finding);
  const windows = waits.length > 0 ? [] : checkWindows(world, program);
  return [...checkStarts(world, played, callers), ...checkStatements(world, program), ...waits, ...windows];
}

/** A program with one of these is not loaded, so nothing it does is looked at. */
const UNLOADABLE: ReadonlySet<Finding["code"]> = new Set([
  "NODE_UNKNOWN",
  "VARIABLE_UNKNOWN",
  "PROGRAM_UNKNOWN",
  "RESOURCE_UNKNOWN",
  "FOREIGN_STATEMENT",
]);

/** A statement to many devices has one finding of a kind. */
function eachOnce(world: World, findings: readonly Finding[]): readonly Finding[] {
  const known = new Set<string>();
  return findings.filter((found) => {
    if (!world.isByRole(found.program)) return true;
    const key = `${found.code} ${spotKey(found)}`;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "hint"];
const CLAUSES = ["", "if", "then", "else"];

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const place = ({ path }: Finding) => {
    const [word = "", ...rest] = path.split(/[^a-z0-9]+/);
    return [CLAUSES.indexOf(word), ...rest.map((part) => Number(part) || 0)];
  };
  return [...findings].sort(
    (a, b) =>
      a.program - b.program ||
      comparePlaces(place(a), place(b)) ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? Number.NEGATIVE_INFINITY);
}
