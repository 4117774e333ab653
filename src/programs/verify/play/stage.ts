/**
 * Programs that are played together: the engine's facts about them (`facts.ts`). Values are those of the axes, so
 * that a play begins where the search requires.
 */

import type { Selector } from "../../../home/program-syntax.ts";
import type { ProgramEntry } from "../../../home/programs.ts";
import type { Property } from "../../../home/property.ts";
import type { Variable, VariableType } from "../../../home/variables.ts";
import type { EngineLimits, Facts, Triggers } from "../../facts.ts";
import { type Member, membersOf } from "../../role-members.ts";
import { propertyAxis, propertyKey, statusAxis, statusKey, variableAxis, variableAxisKey } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import { anyOf } from "../model/number-set.ts";
import { changeKeysOf } from "../model/starts.ts";
import type { World } from "../model/world.ts";
import type { PlayedProgram } from "./played-program.ts";

export type Stage = {
  readonly world: World;
  readonly programs: ReadonlyMap<number, PlayedProgram>;
  /** Programs and the folders above them, as they are played. */
  readonly entries: ReadonlyMap<number, ProgramEntry>;
  readonly triggers: Triggers;
  /** Axes that conditions and repeats look at. */
  readonly lookedAt: ReadonlySet<Axis>;
  /** Steps of the engine that may still be made, over all plays on this stage. */
  budget: number;
};

export function stageOf(world: World, programs: readonly PlayedProgram[], budget: number): Stage {
  const entries = new Map(programs.flatMap((played) => played.entries.map((entry) => [entry.id, entry] as const)));
  const axes = programs.flatMap(({ asked }) => [...asked.keys()]);
  const sides = axes.flatMap(({ order }) => (order ? [order.left, order.right] : []));
  return {
    world,
    programs: new Map(programs.map((played) => [played.program.id, played])),
    entries,
    triggers: triggersOf(world, [...entries.values()]),
    lookedAt: new Set([...axes, ...sides]),
    budget,
  };
}

/** Folders before programs, as in the index of the home. Later schedules are not played. */
function triggersOf(world: World, entries: readonly ProgramEntry[]): Triggers {
  const started = new Map<string, number[]>();
  const rank = ({ kind, id }: ProgramEntry) => (kind === "folder" ? 0 : FOLDERS_FIRST) + id;
  for (const { id } of entries.toSorted((a, b) => rank(a) - rank(b))) {
    // The conditions of the home: also one that may hold or not starts its program.
    const entry = world.programs.get(id);
    for (const key of new Set(entry ? changeKeysOf(world, entry) : []))
      started.set(key, [...(started.get(key) ?? []), id]);
  }
  const startedBy = (key: string) => started.get(key) ?? [];
  return {
    onHeld: () => [],
    timedOf: () => [],
    onStatus: (node, property) => startedBy(propertyKey(node, property)),
    onVariable: (type, id) => startedBy(variableAxisKey(type, id)),
    onProgram: (id) => startedBy(statusKey(id)),
    onControl: () => [],
    onRun: () => [],
    naming: () => [],
    schedulesOf: () => [],
  };
}

const FOLDERS_FIRST = 65_536;

export class StageFacts implements Facts {
  readonly isTraced = true;
  readonly rootAddress: string;
  readonly limits: EngineLimits;
  readonly triggers: Triggers;
  readonly calendar: Facts["calendar"];
  readonly values: Map<Axis, number>;
  readonly #stage: Stage;
  /** Programs and folders that are not as they were on the stage. */
  readonly #changed = new Map<number, ProgramEntry>();

  constructor(stage: Stage, values: ReadonlyMap<Axis, number>) {
    const { world, triggers } = stage;
    this.#stage = stage;
    this.values = new Map(values);
    this.limits = world.limits;
    this.triggers = triggers;
    this.calendar = world.calendar;
    this.rootAddress = world.home.controller.uuid;
  }

  valueOf(axis: Axis): number {
    return this.values.get(axis) ?? anyOf(axis.domain, axis.step);
  }

  property(node: string, id: string): Property | null {
    const { world } = this.#stage;
    const axis = propertyAxis(world, node, id);
    if (!axis) return world.home.nodes.get(node)?.properties.get(id) ?? null;
    return { id, value: this.valueOf(axis), uom: axis.uom ?? 0, prec: axis.prec, text: null, changedAtMs: 0 };
  }

  variable(type: VariableType, id: number): Variable | null {
    const { world } = this.#stage;
    const free = world.freeAxis(id);
    if (free) return { type, id, name: "", value: this.valueOf(free), init: 0, prec: 0, writtenAtMs: 0 };
    const variable = world.home.variables[type].get(id);
    const axis = variableAxis(world, type, id);
    return variable && axis ? { ...variable, value: this.valueOf(axis) } : null;
  }

  /** One that is not played has a status, and does not run. */
  program(id: number): ProgramEntry | null {
    const changed = this.#changed.get(id);
    if (changed) return changed;
    const { world, entries } = this.#stage;
    const entry = entries.get(id) ?? world.programs.get(id);
    if (!entry) return null;
    const value = this.values.get(statusAxis(world, id) as Axis);
    const made: ProgramEntry =
      entry.kind === "folder"
        ? { ...entry, status: value === undefined ? null : value === 1 }
        : { ...entry, status: value === 1, invalid: entries.has(id) ? entry.invalid : "" };
    this.#changed.set(id, made);
    return made;
  }

  change(id: number, patch: object): void {
    const entry = this.program(id);
    if (entry) this.#changed.set(id, { ...entry, ...patch });
  }

  /** Everything that is other than on the stage, as plain data. */
  state(): readonly unknown[] {
    const values = [...this.values].map(([{ key }, value]) => [key, value]);
    const entries = [...this.#changed.values()].map((entry) => [
      entry.id,
      entry.status,
      entry.kind === "program" && entry.enabled,
    ]);
    return [values, entries];
  }

  members(selector: Selector): readonly Member[] {
    return membersOf(this.#stage.world.home, selector);
  }

  programs(): Iterable<ProgramEntry> {
    return this.#stage.entries.values();
  }

  danglingReference(): null {
    return null;
  }

  isIdempotent(): boolean {
    return true;
  }
}
