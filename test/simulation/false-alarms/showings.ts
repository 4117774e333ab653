/**
 * Demonstrates that a finding is possible: the home starts in the proof's initial state, the event of the proof
 * occurs, and the engine runs the programs.
 */

import type { ProgramEntry, ProgramVerb } from "../../../src/home/programs.ts";
import type { TraceRecord } from "../../../src/programs/trace-record.ts";
import { checkConflicts, type ShownConflict } from "../../../src/programs/verify/check-conflicts.ts";
import { checkLoops, type ShownLoop } from "../../../src/programs/verify/check-loops.ts";
import { checkWaits, type ShownInterruption } from "../../../src/programs/verify/check-waits.ts";
import type { Finding } from "../../../src/programs/verify/finding.ts";
import type { Axis } from "../../../src/programs/verify/model/axis.ts";
import { exampleValues } from "../../../src/programs/verify/model/formula.ts";
import type { VerifyPorts } from "../../../src/programs/verify/model/world.ts";
import type { PlayStart } from "../../../src/programs/verify/play/play.ts";
import { repeatEnd } from "../../../src/programs/verify/play/played-program.ts";
import { type Look, lookAt } from "../../../src/programs/verify/verify-programs.ts";
import { inOneGo } from "../../support/in-one-go.ts";
import { LivedHome } from "./lived-home.ts";

/** The finding to demonstrate, and whether it occurred. */
type Showing = { readonly finding: Finding; readonly isShown: boolean };

export async function showingsOf(ports: VerifyPorts, entries: readonly ProgramEntry[]): Promise<readonly Showing[]> {
  const look = inOneGo(lookAt(ports));
  const loops = inOneGo(checkLoops(look.world, look.plays, look.asked));
  const interruptions = [...look.asked].flatMap((id) => {
    const played = inOneGo(look.plays.of(id));
    return played ? inOneGo(checkWaits(look.world, played)) : [];
  });
  const showings: Showing[] = [];
  for (const shown of loops) showings.push(await showLoop(look, entries, shown));
  for (const shown of interruptions) showings.push(await showInterruption(look, entries, shown));
  for (const shown of inOneGo(checkConflicts(look.world, look.plays, look.asked))) {
    showings.push(await showConflict(look, entries, shown));
  }
  return showings;
}

const MINUTE_MS = 60_000;
/** Longer than the waits of an owner's programs. */
const WATCHED_MINUTES = 8 * 24 * 60;
const TURNS_SHOWN = 12;
const ATTEMPTS = 6;

/** Without a wait the engine cuts one of the programs. With one they run on and on, without any other event. */
async function showLoop(look: Look, entries: readonly ProgramEntry[], { finding, from }: ShownLoop): Promise<Showing> {
  const services = await begun(look, entries, from.values, from.start);
  const ids = new Set([finding.program, ...finding.chain.flatMap(({ program }) => program ?? [])]);
  const turns = () =>
    services.trace.filter((record) => record.kind === "run-began" && ids.has(record.programId)).length;
  const isCut = () => services.trace.some(({ kind, programId }) => kind === "cut" && ids.has(programId));
  const isShown = () => (finding.code === "LOOP" ? isCut() : turns() >= TURNS_SHOWN);
  for (let minutes = 1; minutes <= WATCHED_MINUTES && !isShown(); minutes *= 2) {
    await services.advance(minutes * MINUTE_MS);
  }
  services.stop();
  return { finding, isShown: isShown() };
}

/** A run of the program ends at the reported path, because the program started again by its own action. */
async function showInterruption(
  look: Look,
  entries: readonly ProgramEntry[],
  { finding, from }: ShownInterruption,
): Promise<Showing> {
  // Chance may pass the place by; it is another one a moment later.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const services = await begun(look, entries, from.values, from.start, attempt);
    for (let minutes = 1; minutes <= WATCHED_MINUTES && !isInterrupted(look, finding, services.trace); minutes *= 2) {
      await services.advance(minutes * MINUTE_MS);
    }
    services.stop();
    if (isInterrupted(look, finding, services.trace)) return { finding, isShown: true };
  }
  return { finding, isShown: false };
}

function isInterrupted({ plays }: Look, { code, program, path }: Finding, trace: readonly TraceRecord[]): boolean {
  const [, clause, index] = /^(then|else)\[(\d+)\]$/.exec(path) ?? [];
  const at = Number(index);
  const actions = inOneGo(plays.of(program))?.program.tree[clause === "then" ? "then" : "else"] ?? [];
  const isRepeat = actions[at]?.kind.startsWith("repeat-");
  // A repeat is ended before it begins, or in one of its statements.
  const [first, last] = isRepeat ? [at - 1, repeatEnd(actions, at) - 1] : [at, at];
  return trace.some((record) => {
    if (record.kind !== "run-began" || record.programId !== program || record.interrupted === null) return false;
    const before = trace.find((other) => other.kind === "run-began" && other.runId === record.interrupted);
    const latest = trace.findLast((other) => other.kind === "statement" && other.runId === record.interrupted);
    if (before?.kind !== "run-began" || latest?.kind !== "statement" || latest.clause !== clause) return false;
    const isOther = before.clause !== record.clause;
    return first <= latest.position && latest.position <= last && isOther === (code === "WAIT_INTERRUPTED");
  });
}

/** Both programs carry out their statements at the same instant. */
async function showConflict(
  look: Look,
  entries: readonly ProgramEntry[],
  { finding, event, example }: ShownConflict,
): Promise<Showing> {
  const values = exampleValues(example);
  const services = await furnished(look, entries, before(look, values, event));
  await bringAbout(look, services, values, event);
  await services.advance(1);
  services.stop();
  const [one, other] = finding.chain
    .filter(({ kind }) => kind === "statement")
    .map((step) => timesOf(step, services.trace));
  return { finding, isShown: one !== undefined && other !== undefined && one.some((atMs) => other.includes(atMs)) };
}

function timesOf(
  place: { program: number | null; path: string | null },
  trace: readonly TraceRecord[],
): readonly number[] {
  return trace.flatMap((record) => {
    if (record.kind !== "statement" || record.programId !== place.program) return [];
    return `${record.clause}[${record.position}]` === place.path ? record.atMs : [];
  });
}

async function begun(
  look: Look,
  entries: readonly ProgramEntry[],
  values: ReadonlyMap<Axis, number>,
  start: PlayStart,
  laterMs = 0,
): Promise<LivedHome> {
  const key = start.by?.key;
  if (key !== undefined) {
    const services = await furnished(look, entries, before(look, values, key), laterMs);
    await bringAbout(look, services, values, key);
    return services;
  }
  const services = await furnished(look, entries, values, laterMs);
  const verbs: Readonly<Record<PlayStart["mode"], ProgramVerb>> = {
    conditions: "runIf",
    if: "runIf",
    then: "runThen",
    else: "runElse",
  };
  services.order(start.program, verbs[start.mode]);
  return services;
}

/** A house in which everything is as the proof says, and nothing has happened yet. */
async function furnished(
  look: Look,
  entries: readonly ProgramEntry[],
  values: ReadonlyMap<Axis, number>,
  laterMs = 0,
): Promise<LivedHome> {
  const services = await LivedHome.furnished(entries);
  for (const { id } of look.world.allPrograms()) {
    services.commit({ type: "program-ran", id, run: { status: false } });
    const played = inOneGo(look.plays.of(id));
    if (played) services.commit({ type: "program-changed", program: { ...played.program, enabled: played.mayStart } });
  }
  for (const type of [1, 2] as const)
    for (const id of services.home.variables[type].keys()) services.write(type, id, 0);
  for (const [axis, value] of values) put(services, axis, value);
  services.moveTo(services.nowMs + laterMs);
  await services.start(false);
  // A folder that is as something left it that is over now.
  for (const { key } of values.keys()) {
    const [, folder] = /^free (\d+) /.exec(key) ?? [];
    if (look.world.programs.get(Number(folder))?.kind === "folder")
      services.commit({ type: "program-ran", id: Number(folder), run: { status: true } });
  }
  services.trace.length = 0;
  return services;
}

function put(services: LivedHome, { key, prec }: Axis, value: number): void {
  const [kind, first = "", ...rest] = key.split(" ");
  if (kind === "time") services.moveTo(Math.max(services.nowMs, value * 1000));
  else if (kind === "status") services.commit({ type: "program-ran", id: Number(first), run: { status: value === 1 } });
  else if (kind === "variable") {
    const [type, id] = first.split("/").map(Number);
    services.write(type === 1 ? 1 : 2, id ?? 0, value);
  } else if (kind === "property") {
    const address = rest.join(" ");
    const known = services.home.nodes.get(address)?.properties.get(first);
    if (known) services.report(address, first, Math.round(value / 10 ** (prec - known.prec)));
  }
}

/** As it is before the event: what is about to change is still another. */
function before(look: Look, values: ReadonlyMap<Axis, number>, event: string): ReadonlyMap<Axis, number> {
  const all = new Map(values);
  for (const [axis, value] of values) {
    if (axis.key === "time") all.set(axis, isMoment(event) ? value - 1 : value);
    else if (axis.key === event)
      all.set(axis, axis.domain.find((end) => end !== value && Number.isFinite(end)) ?? value);
  }
  const isKnown = [...values.keys()].some(({ key }) => key === event);
  const axis = isKnown ? null : changed(look, event);
  if (axis) all.set(axis, axis.domain.find((end) => end !== 0 && Number.isFinite(end)) ?? 0);
  return all;
}

function isMoment(event: string): boolean {
  return !/^(control|property|variable|status) /.test(event);
}

/** The axis of the event, where the proof leaves its value open. */
function changed({ world }: Look, event: string): Axis | null {
  return world.axis(event, () => null);
}

async function bringAbout(
  look: Look,
  services: LivedHome,
  values: ReadonlyMap<Axis, number>,
  event: string,
): Promise<void> {
  const [kind, first = "", ...rest] = event.split(" ");
  const axis = [...values.keys()].find(({ key }) => key === event) ?? changed(look, event);
  if (kind === "control") services.press(rest.join(" "), first);
  else if (kind === "status") {
    const id = Number(first);
    services.order(id, axis && (values.get(axis) ?? 0) === 1 ? "runThen" : "runElse");
  } else if (axis) put(services, axis, values.get(axis) ?? 0);
  await services.advance(1000);
}
