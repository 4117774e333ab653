/**
 * The limits on programs that start programs. All starts that programs cause count for their chain, in depth and in
 * breadth, over any time. A chain begins with an event from outside or with the end of a wait. When a limit is
 * passed, the programs of the loop are cut.
 */

import type { Cause } from "../../home/cause.ts";
import type { Effort, ProgramLimit, WaitingStart } from "../../home/program-progress.ts";
import type { ChainWork, Cut, QueuedStart } from "../engine-state.ts";
import { endRun } from "./end-run.ts";
import type { Work } from "./work.ts";

/** Starts that are part of no loop may be so many times more. */
const STARTED_FACTOR = 10;
/** Longest loop of programs of which all members are found. */
const THROUGH_MAX = 16;
/** A device takes its time to answer, so a loop through one is found after fewer turns. */
const REPORT_WEIGHT = 10;

/** Ways in which programs start others: a call, a change of the home, or the report of a commanded device. */
type StartedBy = "call" | "change" | "report";
type Maker = { readonly id: number; readonly effort: Effort };

/**
 * Notes the starts that a program causes; of more than the limits allow, those programs are cut that make the loop.
 * @param isFirst whether they come before everything else, between two statements of a group.
 * @param among devices that the same statement commanded: their reports count together as one start.
 */
export function causeStarts(
  work: Work,
  maker: Maker,
  ids: readonly number[],
  start: Pick<WaitingStart, "mode" | "trigger" | "cause">,
  by: StartedBy,
  isFirst = by === "call",
  among = 1,
): void {
  const first: Omit<QueuedStart, "number">[] = [];
  const through = [...maker.effort.through, maker.id].slice(-THROUGH_MAX);
  work.spendOnStarts(maker.id, ids.length);
  for (const id of ids) {
    // In a chain that was cut, programs outside of the loop are evaluated once more, and those of the loop not at
    // all.
    if (work.isCut(id, maker.effort) || (work.chain(maker.effort.chain)?.cut && work.isWaiting(id))) continue;
    const chain = countStart(work, maker.effort, by === "report" ? REPORT_WEIGHT / among : 1);
    const effort: Effort = {
      chain: chain.chain,
      starts: chain.starts,
      through,
      calls: callsOf(maker, id, by),
      steps: 0,
    };
    const limit = exceededBy(work, id, effort);
    const caused = { ...start, kind: "start", id, happening: null, effort } as const;
    if (limit !== null) cutChain(work, { id, effort, maker: maker.id }, limit, start.cause);
    else if (isFirst) first.push(caused);
    else work.push(caused);
  }
  work.pushFirst(first);
}

/** A call of a program that led here is a turn of a loop and no deeper. */
function callsOf({ id: makerId, effort }: Maker, id: number, by: StartedBy): number {
  if (by === "report") return 0;
  const isDeeper = by === "call" && id !== makerId && !effort.through.includes(id);
  return effort.calls + (isDeeper ? 1 : 0);
}

function countStart(work: Work, { chain: number, starts }: Effort, weight: number): ChainWork {
  const known = work.chain(number) ?? newChain(number, starts);
  const chain = { ...known, starts: known.starts + weight };
  work.rememberChain(chain);
  return chain;
}

function newChain(chain: number, starts: number): ChainWork {
  return { chain, starts, cut: null, sent: [] };
}

/** Notes that a statement by room and role is carried out. @returns false: in this chain of causes it was already. */
export function takeOnce(work: Work, { chain: number, starts }: Effort, statement: string): boolean {
  const chain = work.chain(number) ?? newChain(number, starts);
  if (chain.sent.includes(statement)) return false;
  work.rememberChain({ ...chain, sent: [...chain.sent, statement] });
  return true;
}

/** The limit that one more start of a program passes, or null. A program that a loop merely starts is not part of it. */
function exceededBy(work: Work, id: number, { calls, through, starts }: Effort): ProgramLimit | null {
  const { programCallsMax, programChainStartsMax } = work.facts.limits;
  if (calls > programCallsMax) return "programCallsMax";
  const startsMax = through.includes(id) ? programChainStartsMax : STARTED_FACTOR * programChainStartsMax;
  return starts > startsMax ? "programChainStartsMax" : null;
}

type Refused = { readonly id: number; readonly effort: Effort; readonly maker: number };

/**
 * Cuts all programs that start themselves again in this chain, directly or through others: those on the way to the
 * refused start, and to the starts that still wait. Without such a program, cuts the program that caused the refused
 * start.
 */
function cutChain(work: Work, { id, effort, maker }: Refused, limit: ProgramLimit, cause: Cause): void {
  const chain = work.chain(effort.chain) ?? newChain(effort.chain, effort.starts);
  const waiting = chain.cut ? [] : work.startsOfChain(effort.chain);
  const loops = [{ id, effort }, ...waiting].map((start) => loopOf(start.effort.through, start.id));
  const loop = loops.reduce((longest, each) => (each.length > longest.length ? each : longest));
  const found = loops.flat();
  const known = chain.cut ?? { members: [], unnamed: [], limit, loop: [], cause };
  const added = [...new Set(found.length > 0 ? found : [maker])].filter(
    (member) => work.program(member)?.kind === "program" && !known.members.includes(member),
  );
  const way = loop.length > 0 ? [...loop, ...loop.slice(0, 1)] : [...new Set(effort.through), id];
  const cut: Cut = {
    ...known,
    members: [...known.members, ...added],
    unnamed: [...known.unnamed, ...added],
    loop: way.length > known.loop.length ? way : known.loop,
  };
  work.rememberChain({ ...chain, cut });
  work.nameLater(chain.chain);
  const detail = loopWords(work, way, limit);
  for (const member of added) stopAndDisable(work, member, { limit, loop: way, detail, cause });
}

/** The programs on the longest path from a program back to itself, in order; empty without one. */
function loopOf(through: readonly number[], id: number): readonly number[] {
  const way = [...through, id];
  let longest: readonly number[] = [];
  for (const [from, member] of way.entries()) {
    const to = way.lastIndexOf(member);
    if (to - from > longest.length) longest = way.slice(from, to);
  }
  return [...new Set(longest)];
}

/** A single program that runs without a wait. */
export function cutRun(work: Work, id: number, limit: ProgramLimit, detail: string, cause: Cause): void {
  const loop = [id];
  stopAndDisable(work, id, { limit, loop, detail, cause });
  work.effects.push({ kind: "cut", ids: [id], limit, loop, detail, cause });
}

type Reason = {
  readonly limit: ProgramLimit;
  readonly loop: readonly number[];
  readonly detail: string;
  readonly cause: Cause;
};

function stopAndDisable(work: Work, id: number, { limit, loop, detail, cause }: Reason): void {
  endRun(work, id, "cut");
  work.setProgram(id, { enabled: false }, cause);
  work.reschedule(id, cause);
  work.trace(() => ({ kind: "cut", atMs: work.nowMs, programId: id, cause, limit, loop, detail }));
}

/** Names the programs that were cut, once for each chain: when nothing of it waits any more, so that all of them are known. */
export function nameCutChains(work: Work): void {
  for (const number of work.takeCutChains()) {
    const chain = work.chain(number);
    if (!chain?.cut || chain.cut.unnamed.length === 0) continue;
    const { unnamed: ids, limit, loop, cause } = chain.cut;
    work.effects.push({ kind: "cut", ids, limit, loop, detail: loopWords(work, loop, limit), cause });
    work.rememberChain({ ...chain, cut: { ...chain.cut, unnamed: [] } });
  }
}

function loopWords(work: Work, loop: readonly number[], limit: ProgramLimit): string {
  const names = loop.map((id) => `"${work.program(id)?.name ?? id}"`).join(" → ");
  return limit === "programCallsMax"
    ? `Programs that call one another too deeply: ${names}.`
    : `Programs that start one another, or themselves, without a wait: ${names}.`;
}
