/** All programs of a world, each analyzed on demand: saving one program costs only the programs that it concerns. */

import { foldersAbove, type Program } from "../../../home/programs.ts";
import type { Slices } from "../../../util/slices.ts";
import { programsOfSchedule } from "../../references.ts";
import type { Callers } from "../model/callers.ts";
import { type PlainCondition, spotKey } from "../model/formula.ts";
import { leavesOf } from "../model/places.ts";
import { changeKeysOf, startKeysOf } from "../model/starts.ts";
import type { World } from "../model/world.ts";
import { calledIds, type PlayedProgram, playedProgram, writtenAxes } from "./played-program.ts";

/** Facts about a program or folder by itself. */
export type Examined = {
  /** Keys of the places of conditions that have a finding of their own. */
  readonly suspects: ReadonlySet<string>;
  /** False when it names something that does not exist: it is not loaded then. */
  readonly isLoaded: boolean;
};

export class Plays {
  readonly #world: World;
  readonly #callers: Callers;
  readonly #examine: (id: number) => Slices<Examined>;
  readonly #played = new Map<number, PlayedProgram | null>();
  readonly #byAxis = new Map<string, number[]>();
  readonly #byStart = new Map<string, number[]>();

  constructor(world: World, callers: Callers, examine: (id: number) => Slices<Examined>) {
    this.#world = world;
    this.#callers = callers;
    this.#examine = examine;
  }

  /** Programs are added in the order of their ids, all of them before the first question. */
  add(program: Program): void {
    for (const key of changeKeysOf(this.#world, program)) note(this.#byAxis, key, program.id);
    for (const key of startKeysOf(this.#world, program)) note(this.#byStart, key, program.id);
  }

  /** null for a folder, and for a program that is not loaded. */
  *of(id: number): Slices<PlayedProgram | null> {
    const known = this.#played.get(id);
    if (known !== undefined) return known;
    const entry = this.#world.programs.get(id);
    const isProgram = entry?.kind === "program" && (yield* this.#examine(id)).isLoaded;
    const made = isProgram ? yield* this.#make(entry) : null;
    this.#played.set(id, made);
    return made;
  }

  /** Those of them that are loaded programs. */
  *ofAll(ids: Iterable<number>): Slices<readonly PlayedProgram[]> {
    const all: PlayedProgram[] = [];
    for (const id of ids) {
      const played = yield* this.of(id);
      if (played) all.push(played);
    }
    return all;
  }

  /** Programs that one may start, by what it writes and by what it runs. */
  *startedBy(played: PlayedProgram): Slices<readonly number[]> {
    const byChange = [...writtenAxes(played)].flatMap(({ key }) => this.#byAxis.get(key) ?? []);
    return (yield* this.ofAll(new Set([...byChange, ...calledIds(played)]))).map(({ program }) => program.id);
  }

  /** Programs that an event starts by their conditions. */
  *startedAt(startKey: string): Slices<readonly PlayedProgram[]> {
    const ids = this.#byStart.get(startKey) ?? [];
    if (ids.length < 2) return [];
    return (yield* this.ofAll(ids)).filter(({ mayStart }) => mayStart);
  }

  *#make(program: Program): Slices<PlayedProgram> {
    const folders = foldersAbove(this.#world, program);
    const suspects = new Set<string>();
    for (const { id } of [program, ...folders]) {
      for (const spot of (yield* this.#examine(id)).suspects) suspects.add(spot);
    }
    const latched = folders.flatMap(leavesOf).filter(({ condition }) => mayBeStale(condition));
    const stale = new Set(latched.map(({ spot }) => spotKey(spot)));
    return playedProgram(this.#world, program, this.#callers.mayStart(program), { stale, suspects });
  }
}

/**
 * A folder stays as its latest evaluation left it: what was true for a moment only may hold for long, and an integer variable
 * may be another since.
 */
function mayBeStale(condition: PlainCondition): boolean {
  if (condition.kind === "control") return true;
  if (condition.kind === "schedule")
    return condition.when.kind === "at" || programsOfSchedule(condition.when).length > 0;
  if (condition.kind !== "variable") return false;
  const { type, operand } = condition;
  return type === 1 || (operand.kind === "variable" && operand.type === 1);
}

function note(map: Map<string, number[]>, key: string, id: number): void {
  const ids = map.get(key);
  if (!ids) map.set(key, [id]);
  else if (ids.at(-1) !== id) ids.push(id);
}
