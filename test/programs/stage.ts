/**
 * A home for the engine alone: every input is one step, every effect is carried out at once, and the test moves the
 * time.
 */

import type { Cause } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import type { ControllerRecord } from "../../src/home/controller.ts";
import { Home } from "../../src/home/home.ts";
import type { ProgramHold } from "../../src/home/program-holds.ts";
import type { InFlightStatement, ProgramProgress, SentAction } from "../../src/home/program-progress.ts";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import type { Program, ProgramFolder } from "../../src/home/programs.ts";
import type { Property } from "../../src/home/property.ts";
import { Profile } from "../../src/profile/profile.ts";
import { Agenda } from "../../src/programs/agenda.ts";
import { applyEffect } from "../../src/programs/apply-effect.ts";
import { step } from "../../src/programs/engine.ts";
import type { EngineEffect } from "../../src/programs/engine-effect.ts";
import type { EngineInput, InputOf } from "../../src/programs/engine-input.ts";
import { type EngineState, engineState, hasWork } from "../../src/programs/engine-state.ts";
import type { EngineLimits } from "../../src/programs/facts.ts";
import { HomeFacts, newestReportMs } from "../../src/programs/home-facts.ts";
import type { TraceRecord } from "../../src/programs/trace-record.ts";
import { toEngineInput } from "../../src/programs/trigger-events.ts";
import { createLog } from "../../src/util/log.ts";

/** Noon of a Wednesday in Berlin. */
export const NOON = Date.UTC(2026, 5, 10, 10);
export const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

export type Script = {
  readonly if?: readonly Condition[];
  readonly then?: readonly Action[];
  readonly else?: readonly Action[];
} & Partial<Omit<Program, "tree">>;

export type StageOptions = {
  readonly programs?: Readonly<Record<number, Script>>;
  readonly folders?: Readonly<Record<number, { readonly if?: readonly Condition[]; readonly parentId?: number }>>;
  readonly nowMs?: number;
  readonly place?: Partial<ControllerRecord>;
  readonly limits?: Partial<EngineLimits>;
  /** Statements stay in flight until the test reports their outcome. */
  readonly isSlow?: boolean;
  /** Starts and statements of one step. */
  readonly itemsMax?: number;
  /** The process ends wherever a step leaves something to do. */
  readonly crashesWithWork?: boolean;
};

const ITEMS_MAX = 128;

export const ENGINE_LIMITS: EngineLimits = {
  roleMembersMax: 500,
  programStepsMax: 10_000,
  programCallsMax: 64,
  programChainStartsMax: 1000,
  programStartsWaitingMax: 50_000,
  programCausedStartsWaitingMax: 1000,
  scheduleCatchUp: false,
  scheduleGraceS: 900,
};
const PLACE: ControllerRecord = {
  uuid: "02:00:00:00:00:01",
  name: "Casa",
  timeZone: "Europe/Berlin",
  latitude: 52.52,
  longitude: 13.405,
  batchMode: false,
  batteryWrites: true,
};
const TEST: Cause = { kind: "request", id: "test", by: null };
/** Nodes that every stage has. */
const NODES = ["lamp", "fan", "switch", "sensor"] as const;

export class Stage {
  readonly home: Home;
  readonly #options: StageOptions;
  readonly #profile = new Profile();
  readonly #feed: ChangeFeed;
  nowMs: number;
  /** The statements that were sent, in words: "lamp DON 50". */
  readonly sent: string[] = [];
  readonly inFlight: { readonly programId: number; readonly statementId: string; readonly words: string }[] = [];
  lastSent: InFlightStatement | null = null;
  readonly trace: TraceRecord[] = [];
  readonly effects: EngineEffect[] = [];
  readonly overloaded: number[] = [];
  state: EngineState;
  #facts: HomeFacts;
  #agenda = new Agenda();

  constructor(options: StageOptions) {
    this.#options = options;
    this.nowMs = options.nowMs ?? NOON;
    this.home = new Home({ ...PLACE, ...options.place });
    this.#feed = new ChangeFeed(
      this.home,
      { now: () => this.nowMs, elapsed: () => this.nowMs, setTimer: () => ({ cancel() {} }) },
      0,
    );
    this.#furnish(options);
    this.state = engineState([], this.nowMs);
    this.#facts = this.#newFacts();
    this.start(false);
  }

  start(isCold: boolean): void {
    this.input({ kind: "start", isCold, newestReportMs: newestReportMs(this.home), cause: TEST });
  }

  /** The process ends; later it begins again with what is on disk. */
  crash({ downMs = 0, isCold = false } = {}): void {
    // The disk takes nothing without the starts that wait.
    this.step({ kind: "keep" });
    this.inFlight.length = 0;
    this.nowMs += downMs;
    this.#agenda = new Agenda();
    const kept: ProgramProgress[] = JSON.parse(JSON.stringify([...this.home.programProgress.values()]));
    // No time passes in a test, so runs of the same millisecond still need different ids.
    const holds: ProgramHold[] = JSON.parse(JSON.stringify([...this.home.programHolds.values()]));
    this.state = { ...engineState(kept, this.nowMs, holds), runsInInstant: this.state.runsInInstant };
    this.#facts = this.#newFacts();
    this.start(isCold);
  }

  input(input: EngineInput): void {
    if (input.kind === "status") this.#facts.note(input.node, input.property);
    this.step(input);
    while (hasWork(this.state)) {
      if (this.#options.crashesWithWork && input.kind !== "start") this.crash();
      this.step({ kind: "more" });
    }
    if (this.#options.isSlow) return;
    for (const { statementId } of [...this.inFlight]) this.settle(statementId);
  }

  /** Does one step, even if work is left after it. */
  step(input: EngineInput): void {
    const { state, effects } = step(this.state, input, this.nowMs, this.#facts, this.#options.itemsMax ?? ITEMS_MAX);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    this.effects.push(...effects);
  }

  settle(statementId: string, outcome: "done" | "failed" = "done"): void {
    const at = this.inFlight.findIndex((sent) => sent.statementId === statementId);
    const [sent] = this.inFlight.splice(at, 1);
    if (!sent) return;
    const { programId } = sent;
    this.input({ kind: "outcome", programId, statementId, outcome, commandId: "command", detail: "" });
  }

  /** Passes a change of the home to the engine like the service. */
  commit(change: Change, cause: Cause = TEST): void {
    const entry = this.#feed.commit(change, cause);
    const input = toEngineInput(entry, this.#facts);
    if (input) this.input(input);
  }

  /** @param runId of the run whose command the report answers. */
  report(
    node: string,
    value: number | null,
    { id = "ST", uom = 0, prec = 0, runId = null as string | null, among = 1 } = {},
  ): void {
    const property: Property = { id, value, uom, prec, text: null, changedAtMs: this.nowMs };
    this.#feed.commit({ type: "property-changed", address: node, property }, TEST);
    if (!this.#facts.triggers.isWatched(node, id)) return;
    this.input({ kind: "status", node, property, runId, among, cause: TEST });
  }

  press(node: string, control: string): void {
    this.commit({ type: "control-sent", address: node, control, value: 0 });
  }

  write(type: 1 | 2, id: number, value: number): void {
    const before = this.variable(type, id);
    this.commit({ type: "variable-written", variableType: type, id, value, before, writtenAtMs: this.nowMs });
  }

  order(id: number, verb: InputOf<"order">["verb"]): void {
    this.input({ kind: "order", id, verb, cause: TEST });
  }

  put(id: number, script: Script): void {
    const type = this.home.programs.has(id) ? "program-changed" : "program-added";
    this.commit({ type, program: programOf(id, script) });
  }

  /** Time goes on; what falls due is stepped through at its time. */
  advance(spanMs: number): void {
    this.advanceTo(this.nowMs + spanMs);
  }

  advanceTo(endMs: number): void {
    for (let next = this.#agenda.nextMs(); next !== null && next <= endMs; next = this.#agenda.nextMs()) {
      this.nowMs = Math.max(this.nowMs, next);
      this.#ring();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** The clock is set, with no time passing; the service looks at the clock often enough to see both. */
  setClock(nowMs: number): void {
    this.input({ kind: "clock", due: [] });
    this.nowMs = nowMs;
    this.input({ kind: "clock", due: this.#agenda.takeDue(nowMs) });
  }

  nextDueMs(): number | null {
    return this.#agenda.nextMs();
  }

  program(id: number): Program {
    const entry = this.home.programs.get(id);
    if (entry?.kind !== "program") throw new Error(`There is no program ${id}.`);
    return entry;
  }

  variable(type: 1 | 2, id: number): number {
    return this.home.variables[type].get(id)?.value ?? Number.NaN;
  }

  /** Takes what was handed over since the last look. */
  taken(): readonly string[] {
    return this.sent.splice(0);
  }

  traced<K extends TraceRecord["kind"]>(kind: K): readonly Extract<TraceRecord, { kind: K }>[] {
    return this.trace.filter((record): record is Extract<TraceRecord, { kind: K }> => record.kind === kind);
  }

  #ring(): void {
    const due = this.#agenda.takeDue(this.nowMs);
    if (due.length > 0) this.input({ kind: "clock", due });
  }

  #newFacts(): HomeFacts {
    const facts = new HomeFacts(this.home, this.#profile, { ...ENGINE_LIMITS, ...this.#options.limits });
    facts.isTraced = true;
    return facts;
  }

  #perform(effect: EngineEffect): void {
    if (effect.kind === "trace") this.trace.push(effect.record);
    else if (effect.kind === "overloaded") this.overloaded.push(effect.id);
    else if (effect.kind === "due") this.#agenda.set(effect.id, effect.atMs);
    else if (effect.kind === "send") {
      const words = wordsOf(effect.statement.action);
      this.sent.push(words);
      this.lastSent = effect.statement;
      this.inFlight.push({ programId: effect.programId, statementId: effect.statement.statementId, words });
    } else {
      const ports = {
        home: this.home,
        feed: this.#feed,
        clock: { now: () => this.nowMs, elapsed: () => this.nowMs, setTimer },
        log: QUIET,
      };
      const before = this.#feed.lastSeq;
      applyEffect(ports, effect);
      if (this.#feed.lastSeq > before && effect.kind === "program-set") this.#facts.put(effect.id);
    }
  }

  #furnish({ programs = {}, folders = {} }: StageOptions): void {
    for (const address of NODES) this.#feed.commit({ type: "node-added", node: nodeOf(address) }, TEST);
    for (const type of [1, 2] as const) {
      for (const id of [1, 2, 3]) this.#feed.commit({ type: "variable-added", variable: variableOf(type, id) }, TEST);
    }
    this.#feed.commit({ type: "network-resource-put", resource: RESOURCE }, TEST);
    for (const [id, folder] of Object.entries<NonNullable<StageOptions["folders"]>[number]>({ 1: {}, ...folders })) {
      const parentId = id === "1" ? null : (folder.parentId ?? 1);
      const program = folderOf(Number(id), parentId, folder.if ?? []);
      this.#feed.commit({ type: "program-added", program }, TEST);
    }
    for (const [id, script] of Object.entries(programs)) {
      this.#feed.commit({ type: "program-added", program: programOf(Number(id), script) }, TEST);
    }
  }
}

export function stage(programs: StageOptions["programs"], options: Omit<StageOptions, "programs"> = {}): Stage {
  return new Stage({ programs: programs ?? {}, ...options });
}

const QUIET = createLog("silent");
const setTimer = () => ({ cancel() {} });
const NEVER_RAN = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };
const RESOURCE = {
  id: 1,
  name: "Bell",
  protocol: "http",
  host: "example.org",
  port: 80,
  method: "GET",
  path: "/",
  headers: [],
  body: "",
  timeoutMs: 0,
} as const;

function programOf(id: number, { if: conditions, then, else: otherwise, ...patch }: Script): Program {
  return {
    kind: "program",
    id,
    version: 1,
    name: `Program ${id}`,
    parentId: 1,
    comment: "",
    enabled: true,
    runAtStartup: false,
    running: "idle",
    invalid: null,
    tree: { if: conditions ?? [], then: then ?? [], else: otherwise ?? [] },
    ...NEVER_RAN,
    status: false,
    ...patch,
  };
}

function folderOf(id: number, parentId: number | null, conditions: readonly Condition[]): ProgramFolder {
  return { kind: "folder", id, version: 1, name: `Folder ${id}`, parentId, conditions, ...NEVER_RAN };
}

function nodeOf(address: string) {
  const plain = { nodeDefId: "X", family: 1, instance: 1, type: "1.1.1.1", parent: null, devtype: null };
  return { ...plain, address, name: address, primary: address, enabled: true, driver: "test" };
}

function variableOf(type: 1 | 2, id: number) {
  return { type, id, name: `v${id}`, value: 0, init: 0, prec: 0, writtenAtMs: 0 };
}

function wordsOf(action: SentAction): string {
  switch (action.kind) {
    case "command":
      return [action.node, action.command, ...action.parameters.map(({ value }) => value)].join(" ");
    case "roles":
      return ["all", action.selector.role, action.command].join(" ");
    case "resource":
      return `resource ${action.id}`;
    case "notify":
      return `notify ${action.recipient}`;
    case "message":
      return `message ${action.channel}`;
  }
}
