/**
 * Follows something that happened back to its origin, a sentence a step: a report answers a command, a program sent
 * the command, something started the program, and so on, up to a person, a device or a clock. A step that is no
 * longer stored ends the chain with a sentence that says so.
 */

import type { Cause } from "../home/cause.ts";
import type { Origin } from "../home/origin.ts";
import { type Message, message } from "../messages.ts";
import { lineFinder } from "../programs/text/lines.ts";
import type { TraceEntry } from "../programs/trace/program-trace.ts";
import type { TraceRecord } from "../programs/trace-record.ts";
import type { HistoryWords } from "./history-words.ts";
import type { Past, PastCommand } from "./past.ts";
import { latestRun, runOf, startOf, triggerMessage } from "./runs.ts";
import { type WhyStep, whyStep } from "./why-step.ts";

/** `missing`: the sentence on what is no longer stored; null when the chain is whole. */
type Chain = { readonly steps: readonly WhyStep[]; readonly missing: Message | null };

export type Inquiry = { readonly past: Past; readonly words: HistoryWords; readonly showsLogins: boolean };

/** The thing that a step explains. */
type Effect = {
  readonly cause: Cause;
  /** When it took place. */
  readonly atMs: number;
  /** The action of the cause: `set it`, `wrote the variable "Away"`. */
  readonly did: Message;
  /** The command that the cause has sent, to find the line of its program. */
  readonly command?: PastCommand;
  /** The program whose status changed: its own latest run explains it. */
  readonly programId?: number;
  /** True for an action of a device that the sentence before already describes. */
  readonly isDevice?: boolean;
  /** Address of the node that changed. */
  readonly node?: string;
  readonly origin?: Origin;
};

/** Longer chains are loops. */
const STEPS_MAX = 24;
/** The journal has a command when it ends, which may be after the report that shows its effect. */
const COMMAND_ENDS_MS = 120_000;
/** The commands for the members of a scene are accepted within this time. */
const SCENE_MS = 1000;
/** A lamp shows its new level after its ramp, and some only after they are queried. */
const PRESS_MS = 10_000;
/** Some devices report the level before the press. */
const PRESS_LATE_MS = 500;
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
  return { steps, missing: next ? message("why.missing.rest") : null };
}

type Link = {
  readonly steps: readonly WhyStep[];
  /** The causes of these; null: they are the origin. */
  readonly next: Effect | null;
  readonly missing: Message | null;
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
      return pressLink(inquiry, effect);
    case "program":
      return runLink(inquiry, effect);
    case "request": {
      const scene = past.commandsOf(cause.id).find(({ address }) => words.home.groups.has(address));
      const by = scene && effect.command ? sceneMessage(words, scene.address) : "";
      const who = accountOf(inquiry, cause);
      const sentence = message("cause.account", { who, did, scene: by, time: words.time(atMs) });
      return beginning({ kind: "account", sentence, atMs, commandId: effect.command?.id ?? null });
    }
    case "schedule":
      return beginning({ kind: "controller", sentence: message("cause.schedule", { time: words.time(atMs) }), atMs });
    case "system":
      return beginning({ kind: "controller", sentence: message("cause.controller", { did }), atMs });
  }
}

/** No command led to it: somebody used the device, or a button of a scene that the devices carry out by themselves. */
async function pressLink({ words, past }: Inquiry, { node, atMs, did, origin }: Effect): Promise<Link> {
  if (origin) return beginning({ kind: "device", sentence: originMessage(words, node ?? "", did, origin), atMs });
  const senders = node === undefined ? NO_SENDERS : sendersTo(words, node);
  const sinceMs = atMs - PRESS_MS;
  const { entries } = await past.latest({
    types: ["control-sent"],
    holding: '"control"',
    untilMs: atMs + PRESS_LATE_MS,
    sinceMs,
    matches: (entry) =>
      entry.change.type === "control-sent" && senders.has(entry.change.address) && entry.atMs >= sinceMs,
    limit: 1,
  });
  const [press] = entries;
  if (press?.change.type !== "control-sent")
    return beginning({ kind: "device", sentence: message("cause.device"), atMs });
  const { address, control } = press.change;
  const scene = senders.get(address) ?? null;
  const [name, time] = [words.name(address), words.time(press.atMs)];
  const sentence =
    scene === null
      ? message("cause.used", { name, command: words.names.sends(address).nameOf(control) ?? control, time })
      : message("cause.sceneController", { name, did, scene: sceneMessage(words, scene), time });
  return beginning({ kind: "device", sentence, atMs: press.atMs });
}

/** In the system that supplies the device, by the name of its integration. */
function originMessage({ home }: HistoryWords, address: string, did: Message, { kind, name }: Origin): Message {
  const driver = home.nodes.get(address)?.driver ?? "";
  const system = home.integrations.get(driver)?.name ?? driver;
  if (kind === "person") return message("cause.person", { system, did });
  return name === ""
    ? message("cause.anAutomation", { system, did })
    : message("cause.automation", { system, did, name });
}

const NO_SENDERS: ReadonlyMap<string, string | null> = new Map();

/** Nodes that may have moved this one without the controller: itself where it can be switched, and controllers of its scenes. */
function sendersTo(words: HistoryWords, node: string): ReadonlyMap<string, string | null> {
  const senders = new Map<string, string | null>();
  for (const group of words.home.groups.values()) {
    if (!group.members.some(({ address }) => address === node)) continue;
    for (const { address, isController } of group.members) if (isController) senders.set(address, group.address);
  }
  if (words.isSwitched(node)) senders.set(node, null);
  else senders.delete(node);
  return senders;
}

/** The node is a controller of a scene, and its command led to that of the effect. */
function controllerLink({ words, past }: Inquiry, { cause, did, atMs }: Effect): Link {
  const scene = past
    .commandsOf(cause.id)
    .find(({ address, acceptedAtMs }) => words.home.groups.has(address) && Math.abs(acceptedAtMs - atMs) < SCENE_MS);
  const parts = { name: words.name(cause.id), did, time: words.time(atMs) };
  const sentence = scene
    ? message("cause.sceneController", { ...parts, scene: sceneMessage(words, scene.address) })
    : message("cause.someSceneController", parts);
  return beginning({ kind: "device", sentence, atMs });
}

/** Logins only for who may read them. */
function accountOf({ showsLogins }: Inquiry, { by }: Cause): Message {
  return by !== null && showsLogins ? message("thing.account", { login: by }) : message("thing.someone");
}

function sceneMessage(words: HistoryWords, address: string): Message {
  return message("cause.scene", { name: words.name(address) });
}

async function commandLink({ past }: Inquiry, { cause, atMs, did }: Effect): Promise<Link> {
  const command = past.recentCommand(cause.id) ?? (await commandInJournal(past, cause.id, atMs));
  if (!command) return lost(message("why.missing.command"));
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
  const sentence = message("cause.programAt", { program: words.program(programId), did, time: words.time(atMs) });
  const steps = [whyStep({ kind: "program", sentence, atMs, program: programId, runId })];
  return { steps, next: null, missing: message("why.missing.start") };
}

async function programLink(inquiry: Inquiry, effect: Effect, programId: number): Promise<Link> {
  const run = await latestRun(inquiry.past, programId, effect.atMs);
  if (!run) return lost(message("why.missing.startOf", { program: inquiry.words.program(programId) }));
  return stepOfRun(inquiry, effect, run, runIdOf(run));
}

function stepOfRun(inquiry: Inquiry, { did, command }: Effect, run: TraceEntry, runId: string | null): Link {
  const { words } = inquiry;
  const statement = command ? statementOf(run.records, command.id) : null;
  const line = statement && lineOf(words, run.programId, statement);
  const scene =
    statement?.action.kind === "command" && words.home.groups.has(statement.action.node)
      ? sceneMessage(words, statement.action.node)
      : "";
  const because = becauseOf(inquiry, run);
  const step = whyStep({
    kind: "program",
    sentence: message("cause.program", {
      program: words.program(run.programId),
      did,
      scene,
      line: line === null ? "" : message("cause.line", { line }),
      because: because ? message("cause.because", { start: because.start }) : "",
    }),
    atMs: statement?.atMs ?? run.atMs,
    program: run.programId,
    line,
    runId,
    commandId: command?.id ?? null,
  });
  if (!because) return { steps: [step], next: null, missing: message("why.missing.start") };
  return { steps: [step], next: because.next, missing: null };
}

/** The start of a run as part of a sentence, and its cause; null when the trace no longer has it. */
export function becauseOf(
  inquiry: Inquiry,
  run: TraceEntry,
): { readonly start: Message; readonly next: Effect | null } | null {
  const { words } = inquiry;
  const start = startOf(run);
  if (!start) return null;
  const { trigger, cause, atMs } = start;
  const because = triggerMessage(words, start, run.records, accountOf(inquiry, cause));
  switch (trigger.kind) {
    case "status":
    case "held":
    case "control":
      return {
        start: because,
        next: { cause, atMs, did: message("did.setNode", { name: words.name(trigger.node) }), isDevice: true },
      };
    case "variable":
      return {
        start: because,
        next: { cause, atMs, did: message("did.wrote", { variable: words.variable(trigger.type, trigger.id) }) },
      };
    case "program":
      return { start: because, next: { cause, atMs, did: message("did.ran"), programId: trigger.id } };
    case "call":
      return { start: because, next: { cause, atMs, did: message("did.ran") } };
    case "order":
      // A command of a program to another one is a call.
      return { start: because, next: null };
    case "schedule":
    case "startup":
      return { start: because, next: null };
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

function lost(missing: Message): Link {
  return { steps: [], next: null, missing };
}
