/**
 * One home of a replay. It takes the recorded inputs, steps the engine on a clock of its own, applies the effects to its home,
 * and notes what would have been sent. Changes that the recorded programs made are left out, because the engine makes them again.
 *
 * A home with changed programs is compared with the one whose programs are as recorded. A report that answers a command which
 * only the other home sent is left out, and the device is in doubt from then on. So is a device to which only this home sends
 * a command, because the recording holds no answer to it (see `assumedEcho`).
 */

import type { Config } from "../config.ts";
import { applyChange } from "../home/apply-change.ts";
import type { Cause } from "../home/cause.ts";
import { type Entry, isChangeOf } from "../home/change.ts";
import { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { ProgramTree } from "../home/program-syntax.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import { valueAfter } from "../profile/command-words.ts";
import type { Profile } from "../profile/profile.ts";
import { UOM } from "../profile/uom.ts";
import { Agenda } from "../programs/agenda.ts";
import { applyEffect } from "../programs/apply-effect.ts";
import { step } from "../programs/engine.ts";
import type { EngineEffect } from "../programs/engine-effect.ts";
import type { EngineInput } from "../programs/engine-input.ts";
import { type EngineState, engineState, hasWork } from "../programs/engine-state.ts";
import { HomeFacts, newestReportMs } from "../programs/home-facts.ts";
import { toEngineInput } from "../programs/trigger-events.ts";
import type { Log } from "../util/log.ts";
import { VirtualClock } from "../util/virtual-clock.ts";
import type { Deed, Did } from "./did.ts";
import { Doubt } from "./doubt.ts";
import { type RecordedCommands, SAME_MS } from "./recorded-commands.ts";

export type ReplayedHomePorts = {
  readonly home: Home;
  readonly profile: Profile;
  readonly config: Config;
  readonly log: Log;
  readonly fromMs: number;
  readonly recorded: RecordedCommands;
  /** The home with the programs of the recording, which is always ahead; null in that home itself, where nothing is in doubt. */
  readonly asItWas: ReplayedHome | null;
};

const REVISION: Cause = { kind: "system", id: "replay", by: null };

type Send = Extract<EngineEffect, { readonly kind: "send" }>;

export class ReplayedHome {
  readonly did: Did[] = [];
  /** How often each program ran, by its id. */
  readonly runs = new Map<number, number>();
  /** Recorded commands that this home sent too, by their ids. */
  readonly claimed = new Set<string>();
  /** When a program was left alone, or looked at, for a reason in doubt. */
  readonly doubtful: { readonly programId: number; readonly atMs: number }[] = [];
  readonly #ports: ReplayedHomePorts;
  readonly #clock: VirtualClock;
  readonly #feed: ChangeFeed;
  readonly #facts: HomeFacts;
  readonly #agenda = new Agenda();
  readonly #doubt = new Doubt((selector) => this.#facts.members(selector));
  readonly #runOfCommand = new Map<string, { readonly runId: string; readonly among: number }>();
  readonly #revised = new Map<number, ProgramTree>();
  /** When each action was sent. */
  readonly #sent = new Map<string, number[]>();
  #state: EngineState;
  #isCarryingOut = false;

  constructor(ports: ReplayedHomePorts) {
    const { home, profile, config, fromMs } = ports;
    this.#ports = ports;
    this.#clock = new VirtualClock(fromMs);
    this.#feed = new ChangeFeed(home, this.#clock, 0);
    this.#facts = new HomeFacts(home, profile, config);
    this.#state = engineState(home.programProgress.values(), fromMs, home.programHolds.values());
    const holds = Map.groupBy(home.programHolds.values(), ({ id }) => id);
    for (const { id, nextRunAtMs } of home.programs.values()) {
      const waitUntilMs = this.#state.progress.get(id)?.run?.waitUntilMs ?? null;
      const heldMs = (holds.get(id) ?? []).map((hold) => (hold.isHandled ? null : hold.sinceMs + hold.lastingMs));
      const dueMs = [nextRunAtMs, waitUntilMs, ...heldMs].filter((atMs) => atMs !== null);
      if (dueMs.length > 0) this.#agenda.set(id, Math.min(...dueMs));
    }
    // The journal need not say which comparisons with "for" held at the begin; the values do.
    const timed = [...home.programs.keys()].filter((id) => this.#facts.triggers.timedOf(id).length > 0);
    if (timed.length > 0) this.#happen({ kind: "holds", ids: timed, cause: REVISION });
  }

  /** A program is another one than in the recording, or new, before anything happens. */
  revise(program: ProgramDefinition): void {
    const type = this.#ports.home.programs.has(program.id) ? "program-changed" : "program-added";
    this.#hear({ seq: 0, atMs: this.#clock.now(), cause: REVISION, change: { type, program } });
    if (program.kind === "program") this.#revised.set(program.id, program.tree);
  }

  take(entry: Entry): void {
    this.moveTo(entry.atMs);
    const { change, cause } = entry;
    if (
      isChangeOf(change, "node") ||
      isChangeOf(change, "group") ||
      isChangeOf(change, "folder") ||
      isChangeOf(change, "variable") ||
      isChangeOf(change, "integration")
    ) {
      if (cause.kind !== "program") this.#hear(entry);
      return;
    }
    switch (change.type) {
      case "program-ran":
      case "program-progressed":
      case "program-held":
      case "programs-cut":
      case "command-moved":
      case "guest-visited":
        return;
      case "program-added":
      case "program-changed":
        if (cause.kind !== "program") this.#hear({ ...entry, change: this.#keepRevision(change) });
        return;
      case "program-ordered":
        this.#happen({ kind: "order", id: change.id, verb: change.verb, cause });
        return;
      case "programs-started":
        this.#happen({
          kind: "start",
          isCold: change.isCold,
          newestReportMs: newestReportMs(this.#ports.home),
          cause,
        });
        return;
      case "property-changed":
        this.#takeReport(entry);
        return;
      case "controller-changed":
      case "busy-changed":
      case "parent-changed":
      case "control-sent":
      case "write-progress":
      case "program-removed":
      case "network-resource-put":
      case "network-resource-removed":
      case "network-resource-fired":
      case "device-parameter":
      case "operation-moved":
        if (cause.kind !== "program") this.#hear(entry);
        return;
    }
    change satisfies never;
  }

  /** Time goes on to the instant; what falls due in between is done at its time. */
  moveTo(atMs: number): void {
    for (let dueMs = this.#agenda.nextMs(); dueMs !== null && dueMs <= atMs; dueMs = this.#agenda.nextMs()) {
      this.#clock.moveTo(dueMs);
      this.#happen({ kind: "clock", due: this.#agenda.takeDue(dueMs) });
    }
    this.#clock.moveTo(atMs);
  }

  /** Whether it sent the same thing at about this time. */
  sentNear(action: SentAction, atMs: number): boolean {
    const last = this.#sent.get(JSON.stringify(action))?.findLast((time) => time <= atMs + SAME_MS);
    return last !== undefined && last >= atMs - SAME_MS;
  }

  #takeReport(entry: Entry): void {
    const { change, cause } = entry;
    if (change.type !== "property-changed") return;
    const { address, property } = change;
    const { asItWas } = this.#ports;
    if (asItWas) {
      if (asItWas.claimed.has(cause.id) && !this.claimed.has(cause.id)) {
        this.#doubt.addNode(address);
        this.#facts.isTraced = true;
        for (const programId of this.#facts.triggers.onStatus(address, property.id))
          this.doubtful.push({ programId, atMs: entry.atMs });
        return;
      }
      if (!asItWas.claimed.has(cause.id)) this.#doubt.settleNode(address);
    }
    this.#hear(entry);
  }

  #hear({ change, cause, ...entry }: Entry): void {
    const { home } = this.#ports;
    const heard = change.type === "variable-written" ? { ...change, before: this.#valueOf(change) } : change;
    applyChange(home, heard);
    const input = toEngineInput({ ...entry, change: heard, cause }, this.#facts);
    if (!input) return;
    if (input.kind === "status") {
      this.#facts.note(input.node, input.property);
      // An answer that is assumed has the run itself as its cause.
      const assumed = cause.kind === "program" ? { runId: cause.id } : null;
      this.#happen({ ...input, ...(assumed ?? this.#runOfCommand.get(cause.id)) });
    } else this.#happen(input);
  }

  /** Edits in the recording do not undo the revision, nor do a removal and its undo. */
  #keepRevision(change: Extract<Entry["change"], { type: "program-added" | "program-changed" }>): Entry["change"] {
    const { program } = change;
    const tree = this.#revised.get(program.id);
    if (!tree || program.kind !== "program") return change;
    return { ...change, program: { ...program, tree } };
  }

  /** The variable's value in this home, which may differ from the recording. */
  #valueOf({ variableType, id, before }: Extract<Entry["change"], { type: "variable-written" }>): number {
    return this.#ports.home.variables[variableType].get(id)?.value ?? before;
  }

  /** Takes in what happened, and carries out all that follows from it before time goes on. */
  #happen(input: EngineInput): void {
    this.#step(input);
    // Events during effects are handled after them.
    if (this.#isCarryingOut) return;
    this.#isCarryingOut = true;
    while (hasWork(this.#state)) this.#step({ kind: "more" });
    this.#isCarryingOut = false;
  }

  #step(input: EngineInput): void {
    const { programItemsPerTurn } = this.#ports.config;
    const { state, effects } = step(this.#state, input, this.#clock.now(), this.#facts, programItemsPerTurn);
    this.#state = state;
    for (const effect of effects) this.#apply(effect);
    for (const effect of effects) if (effect.kind === "send") this.#send(effect);
  }

  #apply(effect: EngineEffect): void {
    const { home } = this.#ports;
    this.#doubt.follow(effect);
    switch (effect.kind) {
      case "due":
        this.#agenda.set(effect.id, effect.atMs);
        return;
      case "trace":
        this.#noteDoubtful(effect.record.programId);
        return;
      case "send":
        this.#note(effect.programId, { kind: "send", action: effect.statement.action }, effect.statement.runId);
        return;
      case "write-variable": {
        const { type, id, field, value, cause } = effect;
        this.#note(Number(cause.by), { kind: "write-variable", type, id, field, value }, cause.id);
        break;
      }
      case "adjust-link": {
        const { group, controller, link, cause } = effect;
        this.#note(Number(cause.by), { kind: "adjust-link", group, controller, link }, cause.id);
        break;
      }
      case "program-run":
        // Only the begin of a run has it.
        if (effect.run.lastRunAtMs !== undefined) this.runs.set(effect.id, (this.runs.get(effect.id) ?? 0) + 1);
        break;
      case "program-set":
      case "progress":
      case "hold":
      case "cut":
        break;
      case "overloaded":
        return;
    }
    applyEffect({ home, feed: this.#feed, clock: this.#clock, log: this.#ports.log }, effect);
    if (effect.kind === "program-set") this.#facts.put(effect.id);
  }

  #note(programId: number, deed: Deed, runId: string): void {
    this.did.push({ atMs: this.#clock.now(), programId, deed, isCertain: !this.#doubt.isRunInDoubt(runId) });
  }

  #noteDoubtful(programId: number): void {
    if (this.#doubt.isProgramInDoubt(programId)) this.doubtful.push({ programId, atMs: this.#clock.now() });
  }

  /** Every statement is taken to be done at once; the outcome of a real one is not what programs go by. */
  #send({ programId, statement, cause }: Send): void {
    const { recorded, asItWas } = this.#ports;
    const nowMs = this.#clock.now();
    const { action, statementId, runId } = statement;
    const given = { programId, ...this.#targetsOf(statement) };
    const among = action.kind === "roles" ? Math.max(1, given.addresses.length) : 1;
    const known = recorded.near(given, nowMs, this.claimed);
    for (const { commandId } of known) {
      this.claimed.add(commandId);
      this.#runOfCommand.set(commandId, { runId, among });
    }
    this.#step({ kind: "outcome", programId, statementId, outcome: "done", commandId: null, detail: "" });
    if (!asItWas) this.#rememberSent(action, nowMs);
    if (!asItWas || given.addresses.length === 0 || known.length > 0 || asItWas.sentNear(action, nowMs)) return;
    for (const address of given.addresses) this.#doubt.addNode(address);
    this.#facts.isTraced = true;
    const echo = assumedEcho(this.#ports.home, action, nowMs);
    if (!echo || action.kind !== "command") return;
    this.#hear({
      seq: 0,
      atMs: nowMs,
      cause,
      change: { type: "property-changed", address: action.node, property: echo },
    });
  }

  #rememberSent(action: SentAction, atMs: number): void {
    const key = JSON.stringify(action);
    const times = this.#sent.get(key);
    if (times) times.push(atMs);
    else this.#sent.set(key, [atMs]);
  }

  #targetsOf({ action }: Send["statement"]): {
    readonly addresses: readonly string[];
    readonly command: string | null;
  } {
    if (action.kind === "roles") {
      return { addresses: this.#facts.members(action.selector).map(({ address }) => address), command: null };
    }
    if (action.kind !== "command") return { addresses: [], command: null };
    const { home } = this.#ports;
    const group = home.groups.get(action.node);
    // A scene's members do what their links say.
    if (group) return { addresses: [group.address, ...group.members.map(({ address }) => address)], command: null };
    return { addresses: [action.node], command: action.command };
  }
}

/** The most likely report of a device after a command that the recording does not have. null: nothing is assumed. */
function assumedEcho(home: Home, action: SentAction, atMs: number): Property | null {
  if (action.kind !== "command") return null;
  const before = home.nodes.get(action.node)?.properties.get("ST");
  const value = before ? levelAfter(action, before) : null;
  return !before || value === null || value === before.value
    ? null
    : { ...before, value, text: null, changedAtMs: atMs };
}

function levelAfter(
  { command, parameters }: Extract<SentAction, { kind: "command" }>,
  { uom, prec }: Property,
): number | null {
  const [given] = parameters;
  const level = given ? given.value / 10 ** given.prec : null;
  const after = valueAfter(command, level, uom);
  const raw = (displayed: number) => Math.round(displayed * 10 ** prec);
  if (after === null || !given || level === null || (command !== "DON" && command !== "DFON")) {
    return after === null ? null : raw(after);
  }
  if (given.uom === uom) return raw(level);
  return given.uom === UOM.percent ? raw((level / 100) * after) : null;
}
