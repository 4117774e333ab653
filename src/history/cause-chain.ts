/**
 * Follows something that happened back to its origin, a sentence a step: a report answers a command, a program sent
 * the command, something started the program, and so on, up to a person, a device or a clock. A step that is no
 * longer stored ends the chain with a sentence that says so.
 */

import type { Cause } from "../home/cause.ts";
import { lineFinder } from "../programs/text/lines.ts";
import type { TraceEntry } from "../programs/trace/program-trace.ts";
import type { TraceRecord } from "../programs/trace-record.ts";
import { capital, type HistoryWords } from "./history-words.ts";
import type { Past, PastCommand } from "./past.ts";
import { latestRun, runOf, startOf, triggerText } from "./runs.ts";
import { type WhyStep, whyStep } from "./why-step.ts";

/** `missing`: the sentence on what is no longer stored; null when the chain is whole. */
export type Chain = { readonly steps: readonly WhyStep[]; readonly missing: string | null };

export type Inquiry = { readonly past: Past; readonly words: HistoryWords; readonly showsLogins: boolean };

/** The thing that a step explains. */
export type Effect = {
  readonly cause: Cause;
  /** When it took place. */
  readonly atMs: number;
  /** The action of the cause: `set it`, `wrote the variable "Away"`. */
  readonly did: string;
  /** The command that the cause has sent, to find the line of its program. */
  readonly command?: PastCommand;
  /** The program whose status changed: its own latest run explains it. */
  readonly programId?: number;
  /** True for an action of a device that the sentence before already describes. */
  readonly isDevice?: boolean;
};

/** Longer chains are loops. */
const STEPS_MAX = 24;
/** The journal has a command when it ends, which may be after the report that shows its effect. */
const COMMAND_ENDS_MS = 120_000;
/** The commands for the members of a scene are accepted within this time. */
const SCENE_MS = 1000;
/** A device that sleeps answers a command long after it was sent. */
const COMMAND_BEGINS_MS = 86_400_000;

export async function chainOf(inquiry: Inquiry, effect: Effect): Promise<Chain> {
  const steps: WhyStep[] = [];
  let next: Effect | null = effect;
  while (next && steps.length < STEPS_MAX) {
    const link: Link = await linkOf(inquiry, next);
    steps.push(...link.steps);
    if (link.missing !== null) return { steps, missing: link.missing };
    next = link.next;
  }
  return { steps, missing: next ? "The chain of causes is longer; the rest is not shown." : null };
}

type Link = {
  readonly steps: readonly WhyStep[];
  /** The causes of these; null: they are the origin. */
  readonly next: Effect | null;
  readonly missing: string | null;
};

function linkOf(inquiry: Inquiry, effect: Effect): Promise<Link> | Link {
  const { cause, did, atMs } = effect;
  const { words, past } = inquiry;
  if (effect.programId !== undefined) return programLink(inquiry, effect, effect.programId);
  switch (cause.kind) {
    case "report":
      if (words.home.nodes.has(cause.id)) return controllerLink(inquiry, effect);
      if (cause.id !== cause.by && cause.id !== "") return commandLink(inquiry, effect);
      if (effect.isDevice) return { steps: [], next: null, missing: null };
      return beginning({ kind: "device", sentence: "The device reported it by itself.", atMs });
    case "program":
      return runLink(inquiry, effect);
    case "request": {
      const scene = past.commandsOf(cause.id).find(({ address }) => words.home.groups.has(address));
      const by = scene && effect.command ? ` with the scene "${words.name(scene.address)}"` : "";
      const sentence = `${capital(accountOf(inquiry, cause))} ${did}${by} at ${words.time(atMs)}.`;
      return beginning({ kind: "account", sentence, atMs, commandId: effect.command?.id ?? null });
    }
    case "schedule":
      return beginning({ kind: "controller", sentence: `Its time came at ${words.time(atMs)}.`, atMs });
    case "system":
      return beginning({ kind: "controller", sentence: `The controller ${did} by itself.`, atMs });
  }
}

/** The node is a controller of a scene, and its command led to that of the effect. */
function controllerLink({ words, past }: Inquiry, { cause, did, atMs }: Effect): Link {
  const scene = past
    .commandsOf(cause.id)
    .find(({ address, acceptedAtMs }) => words.home.groups.has(address) && Math.abs(acceptedAtMs - atMs) < SCENE_MS);
  const by = scene ? `with the scene "${words.name(scene.address)}"` : "as a controller of a scene";
  return beginning({
    kind: "device",
    sentence: `"${words.name(cause.id)}" ${did} ${by} at ${words.time(atMs)}.`,
    atMs,
  });
}

/** Logins only for who may read them. */
function accountOf({ showsLogins }: Inquiry, { by }: Cause): string {
  return by !== null && showsLogins ? `account "${by}"` : "a person or client";
}

async function commandLink({ past }: Inquiry, { cause, atMs, did }: Effect): Promise<Link> {
  const command = past.recentCommand(cause.id) ?? (await commandInJournal(past, cause.id, atMs));
  if (!command) return lost("The command that led to it is no longer stored.");
  return { steps: [], missing: null, next: { cause: command.cause, atMs: command.acceptedAtMs, did, command } };
}

async function commandInJournal(past: Past, id: string, atMs: number): Promise<PastCommand | null> {
  const { entries } = await past.latest({
    types: ["command-moved"],
    holding: JSON.stringify(id),
    untilMs: atMs + COMMAND_ENDS_MS,
    sinceMs: atMs - COMMAND_BEGINS_MS,
    matches: ({ change }) => change.type === "command-moved" && change.commandId === id,
    limit: 1,
  });
  const [entry] = entries;
  if (entry?.change.type !== "command-moved") return null;
  const { address, command, acceptedAtMs } = entry.change;
  return { id, address, command, acceptedAtMs, cause: entry.cause };
}

async function runLink(inquiry: Inquiry, effect: Effect): Promise<Link> {
  const { words, past } = inquiry;
  const runId = effect.cause.id;
  const programId = Number.parseInt(runId, 10);
  const run = await runOf(past, runId);
  if (run) return stepOfRun(inquiry, effect, run, runId);
  const { did, atMs } = effect;
  const sentence = `${capital(words.program(programId))} ${did} at ${words.time(atMs)}.`;
  const steps = [whyStep({ kind: "program", sentence, atMs, program: programId, runId })];
  return { steps, next: null, missing: "The trace no longer holds why that program ran." };
}

async function programLink(inquiry: Inquiry, effect: Effect, programId: number): Promise<Link> {
  const run = await latestRun(inquiry.past, programId, effect.atMs);
  if (!run) return lost(`The trace no longer holds why ${inquiry.words.program(programId)} ran.`);
  return stepOfRun(inquiry, effect, run, runIdOf(run));
}

function stepOfRun(inquiry: Inquiry, { did, command }: Effect, run: TraceEntry, runId: string | null): Link {
  const { words } = inquiry;
  const statement = command ? statementOf(run.records, command.id) : null;
  const line = statement && lineOf(words, run.programId, statement);
  const scene =
    statement?.action.kind === "command" && words.home.groups.has(statement.action.node)
      ? ` with the scene "${words.name(statement.action.node)}"`
      : "";
  const because = becauseOf(inquiry, run);
  const what = `${capital(words.program(run.programId))} ${did}${scene}${line === null ? "" : ` (line ${line})`}`;
  const step = whyStep({
    kind: "program",
    sentence: because ? `${what}, because ${because.text}.` : `${what}.`,
    atMs: statement?.atMs ?? run.atMs,
    program: run.programId,
    line,
    runId,
    commandId: command?.id ?? null,
  });
  if (!because) return { steps: [step], next: null, missing: "The trace no longer holds why that program ran." };
  return { steps: [step], next: because.next, missing: null };
}

/** The start of a run as part of a sentence, and its cause; null when the trace no longer has it. */
export function becauseOf(
  inquiry: Inquiry,
  run: TraceEntry,
): { readonly text: string; readonly next: Effect | null } | null {
  const { words } = inquiry;
  const start = startOf(run);
  if (!start) return null;
  const { trigger, cause, atMs } = start;
  const text = triggerText(words, start, run.records, accountOf(inquiry, cause));
  switch (trigger.kind) {
    case "status":
    case "control":
      return { text, next: { cause, atMs, did: `set "${words.name(trigger.node)}"`, isDevice: true } };
    case "variable":
      return { text, next: { cause, atMs, did: `wrote the ${words.variable(trigger.type, trigger.id)}` } };
    case "program":
      return { text, next: { cause, atMs, did: "ran", programId: trigger.id } };
    case "call":
      return { text, next: { cause, atMs, did: "ran" } };
    case "order":
      // A command of a program to another one is a call.
      return { text, next: null };
    case "schedule":
    case "startup":
      return { text, next: null };
  }
}

type Statement = Extract<TraceRecord, { kind: "statement" }>;

function statementOf(records: readonly TraceRecord[], commandId: string): Statement | null {
  const statements = records.filter((record) => record.kind === "statement");
  const outcome = records.find((record) => record.kind === "outcome" && record.commandId === commandId);
  const id = outcome?.kind === "outcome" ? outcome.statementId : null;
  const found = statements.find(({ statementId, isRepeated }) => statementId === id && !isRepeated);
  // The outcome of a command that is still under way is not there yet.
  const sending = statements.filter(({ action }) => action.kind === "command");
  return found ?? (sending.length === 1 ? (sending[0] ?? null) : null);
}

/** null when the program is another one by now. */
function lineOf(words: HistoryWords, programId: number, { clause, position, action }: Statement): number | null {
  const program = words.home.programs.get(programId);
  if (program?.kind !== "program") return null;
  if (JSON.stringify(program.tree[clause][position]) !== JSON.stringify(action)) return null;
  return lineFinder(program, words.names)(`${clause}[${position}]`)?.line ?? null;
}

function runIdOf({ records }: TraceEntry): string | null {
  for (const record of records) if ("runId" in record) return record.runId;
  return null;
}

function beginning(parts: Parameters<typeof whyStep>[0]): Link {
  return { steps: [whyStep(parts)], next: null, missing: null };
}

function lost(missing: string): Link {
  return { steps: [], next: null, missing };
}
