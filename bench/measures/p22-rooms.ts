/**
 * P22: programs by room and role. What a report costs, and a move of half the home, with 50 such programs over 500 nodes; and with 50
 * that all mean every node. In this process, without a disk and without devices: the engine with its index, its state and the home alone.
 */

import { parseConfig } from "../../src/config.ts";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import type { NodeRecord } from "../../src/home/nodes.ts";
import type { Condition, RoleTest, Selector } from "../../src/home/program-syntax.ts";
import { Profile } from "../../src/profile/profile.ts";
import { Agenda } from "../../src/programs/agenda.ts";
import { applyEffect } from "../../src/programs/apply-effect.ts";
import { step } from "../../src/programs/engine.ts";
import type { EngineInput } from "../../src/programs/engine-input.ts";
import { type EngineState, engineState, hasWork } from "../../src/programs/engine-state.ts";
import { HomeFacts } from "../../src/programs/home-facts.ts";
import { toEngineInput } from "../../src/programs/trigger-events.ts";
import { createLog } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import type { Measure, Result, Row } from "../harness/measure.ts";

const NODES = 500;
const PROGRAMS = 50;
const ROOMS = 20;
const FLOOR = "floor";
const BETWEEN_REPORTS_MS = 700;
const MOVES = 20;
const MINUTES = { hours: 0, minutes: 10, seconds: 0 };
const OPEN_CLOSED = 79;

export const rooms: Measure = {
  id: "P22",
  title: `${PROGRAMS} programs by room and role over ${NODES} nodes`,
  async run({ quick }): Promise<Result> {
    const reports = quick ? 3000 : 20_000;
    const [step, whole, moved, bytes] = rowsOf("mixed", mixed, reports);
    const [worstStep, worstWhole] = rowsOf("each over all nodes", everywhere, reports);
    const [timedStep, timedWhole, timedMove] = rowsOf("each over all nodes for a time", longEverywhere, reports);
    const rows = [step, whole, moved, bytes, worstStep, worstWhole, timedStep, timedWhole, timedMove];
    return {
      rows,
      notes: [
        `CPU time of this process around a step of the engine, which does at most programItemsPerTurn items. Half of the nodes are contacts, the others lamps and motion sensors, in ${ROOMS} rooms, half of them on one floor. One report every ${BETWEEN_REPORTS_MS} ms of the home's clock.`,
      ],
    };
  },
};

function rowsOf(name: string, conditionOf: (at: number) => Condition, reports: number): readonly [Row, Row, Row, Row] {
  const ground = new Ground(conditionOf);
  for (let at = 0; at < 500; at += 1) ground.report(at);
  ground.stepsMs.length = 0;
  ground.bytes = 0;
  const wholeMs: number[] = [];
  for (let at = 0; at < reports; at += 1) wholeMs.push(ground.report(at * 7 + 3));
  const stepsMs = [...ground.stepsMs];
  const bytes = ground.bytes / reports;
  const movesMs = Array.from({ length: MOVES }, (_each, at) => ground.move(at % 2 === 0));
  return [
    row(`${name}: a step, p99`, quantile(stepsMs, 0.99), 5),
    row(`${name}: a report with all that follows, p99`, quantile(wholeMs, 0.99), null),
    row(`${name}: a floor with half of the nodes is moved`, quantile(movesMs, 0.5), 50),
    { what: `${name}: progress written for each report`, figure: bytes / 1000, unit: "KB", goal: atMost(3) },
  ];
}

function row(what: string, figure: number, limit: number | null): Row {
  return { what, figure, unit: "ms", ...(limit !== null && { goal: atMost(limit) }) };
}

function atMost(value: number) {
  return { of: "figure", bound: "at most", value } as const;
}

class Ground {
  readonly stepsMs: number[] = [];
  bytes = 0;
  readonly #sent: { readonly programId: number; readonly statementId: string }[] = [];
  readonly #clock = new VirtualClock(Date.UTC(2026, 5, 10));
  readonly #home: Home;
  readonly #feed: ChangeFeed;
  readonly #facts: HomeFacts;
  readonly #agenda = new Agenda();
  readonly #itemsMax: number;
  #state: EngineState;

  constructor(conditionOf: (at: number) => Condition) {
    const config = parseConfig({});
    this.#itemsMax = config.programItemsPerTurn;
    const place = {
      timeZone: "Europe/Berlin",
      latitude: 52.52,
      longitude: 13.405,
      batchMode: false,
      batteryWrites: true,
    };
    this.#home = new Home({ uuid: "02:00:00:00:00:01", name: "Home", ...place });
    this.#feed = new ChangeFeed(this.#home, this.#clock, 0);
    this.#add({ type: "folder-added", folder: { address: FLOOR, name: FLOOR, parent: null } });
    for (let at = 0; at < ROOMS; at += 1) {
      const parent = at % 2 === 0 ? ({ address: FLOOR, kind: "folder" } as const) : null;
      this.#add({ type: "folder-added", folder: { address: `room ${at}`, name: `Room ${at}`, parent } });
    }
    for (let at = 0; at < NODES; at += 1) this.#add({ type: "node-added", node: nodeOf(at) });
    for (let at = 0; at < PROGRAMS; at += 1)
      this.#add({ type: "program-added", program: programOf(at, conditionOf(at)) });
    this.#facts = new HomeFacts(this.#home, new Profile(), config);
    this.#state = engineState([], this.#clock.now());
    this.#take({ kind: "start", isCold: false, newestReportMs: 0, cause: SYSTEM_CAUSE });
  }

  /** @returns CPU time of all steps that follow from the report. */
  report(at: number): number {
    this.#clock.moveTo(this.#clock.now() + BETWEEN_REPORTS_MS);
    const due = this.#agenda.takeDue(this.#clock.now());
    const dueMs = due.length > 0 ? this.#take({ kind: "clock", due }) : 0;
    const address = `node ${at % NODES}`;
    const isContact = (at % NODES) % 2 === 0;
    const value = this.#home.nodes.get(address)?.properties.get("ST")?.value === 100 ? 0 : 100;
    const uom = isContact ? OPEN_CLOSED : 51;
    const property = { id: "ST", value, uom, prec: 0, text: null, changedAtMs: this.#clock.now() };
    return dueMs + this.#add({ type: "property-changed", address, property });
  }

  move(isIn: boolean): number {
    const parent = isIn ? ({ address: "room 1", kind: "folder" } as const) : null;
    return this.#add({ type: "parent-changed", kind: "folder", address: FLOOR, parent });
  }

  #add(change: Change): number {
    const entry = this.#feed.commit(change, SYSTEM_CAUSE);
    if (!this.#facts) return 0;
    const before = process.cpuUsage();
    const input = toEngineInput(entry, this.#facts);
    if (input?.kind === "status") this.#facts.note(input.node, input.property);
    return cpuMs(before) + (input ? this.#take(input) : 0);
  }

  #take(input: EngineInput): number {
    let sumMs = this.#step(input);
    while (hasWork(this.#state)) sumMs += this.#step({ kind: "more" });
    for (const { programId, statementId } of this.#sent.splice(0)) {
      const outcome = { outcome: "done", commandId: null, detail: "" } as const;
      this.#step({ kind: "outcome", programId, statementId, ...outcome });
    }
    return sumMs;
  }

  #step(input: EngineInput): number {
    const before = process.cpuUsage();
    const { state, effects } = step(this.#state, input, this.#clock.now(), this.#facts, this.#itemsMax);
    const stepMs = cpuMs(before);
    this.#state = state;
    if (input.kind !== "outcome") this.stepsMs.push(stepMs);
    const ports = { home: this.#home, feed: this.#feed, clock: this.#clock, log: createLog("silent") };
    for (const effect of effects) {
      if (effect.kind === "send")
        this.#sent.push({ programId: effect.programId, statementId: effect.statement.statementId });
      if (effect.kind === "due") this.#agenda.set(effect.id, effect.atMs);
      else if (effect.kind !== "send" && effect.kind !== "trace" && effect.kind !== "overloaded") {
        if (effect.kind === "hold") this.bytes += JSON.stringify(effect.hold).length;
        if (effect.kind === "progress") this.bytes += JSON.stringify(effect.progress).length;
        applyEffect(ports, effect);
      }
    }
    return stepMs;
  }
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function nodeOf(at: number): NodeRecord {
  const address = `node ${at}`;
  const kinds = [
    { role: "contact", use: "window" },
    { role: "dimmer" },
    { role: "contact" },
    { role: "motion" },
  ] as const;
  const kind = kinds[at % kinds.length] ?? kinds[0];
  const parent = { address: `room ${at % ROOMS}`, kind: "folder" } as const;
  const plain = {
    nodeDefId: "X",
    family: 1,
    instance: 1,
    type: "1.1.1.1",
    devtype: null,
    enabled: true,
    driver: "bench",
  };
  return { ...plain, ...kind, address, name: address, primary: address, parent };
}

/** Every kind of condition, over a room, a floor or the whole home. */
function mixed(at: number): Condition {
  const places = [[`room ${at % ROOMS}`], [FLOOR], []][at % 3] ?? [];
  const tests: readonly (readonly [Selector["role"], RoleTest])[] = [
    ["window", { how: "any", is: "open" }],
    ["contact", { how: "none", is: "open" }],
    ["lamp", { how: "number", is: "on", comparison: "GT", number: 3 }],
    ["window", { how: "any", is: "open", lasting: MINUTES }],
    ["motion sensor", { how: "all", is: "off", lasting: MINUTES }],
  ];
  const [role, test] = tests[at % tests.length] ?? (tests[0] as (typeof tests)[number]);
  return { andOr: "and", kind: "roles", selector: { role, places, except: [] }, test };
}

/** The worst: every report starts every program, and each looks at all contacts. */
function everywhere(): Condition {
  const selector = { role: "contact", places: [], except: [] } as const;
  return { andOr: "and", kind: "roles", selector, test: { how: "number", is: "open", comparison: "GT", number: 10 } };
}

/** Every report begins or ends a time of every program. */
function longEverywhere(): Condition {
  const selector = { role: "contact", places: [], except: [] } as const;
  return { andOr: "and", kind: "roles", selector, test: { how: "any", is: "open", lasting: MINUTES } };
}

function programOf(at: number, condition: Condition) {
  const tree = { if: [condition], then: [{ kind: "notify", recipient: 1, content: null } as const], else: [] };
  const times = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };
  const flags = { comment: "", enabled: true, runAtStartup: false, running: "idle", invalid: null } as const;
  return { kind: "program", id: at + 2, name: `Program ${at}`, parentId: null, tree, ...flags, ...times } as const;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
