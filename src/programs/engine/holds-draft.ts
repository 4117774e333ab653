/** Collects a step's changes to the holds of programs, so that many changes of one program cost one copy. */

import type { ProgramHold } from "../../home/program-holds.ts";
import type { Holds } from "../engine-state.ts";
import { type IdMap, IdMapDraft } from "./id-map.ts";

const NONE: Holds = new Map();

export class HoldsDraft {
  readonly #all: IdMapDraft<Holds>;
  /** Maps that this step made. */
  readonly #own = new Map<number, Map<string, ProgramHold>>();

  constructor(base: IdMap<Holds>) {
    this.#all = new IdMapDraft(base);
  }

  of(id: number): Holds {
    return this.#own.get(id) ?? this.#all.get(id) ?? NONE;
  }

  /** @param hold null removes it. */
  set(id: number, key: string, hold: ProgramHold | null): void {
    const own = this.#own.get(id) ?? new Map(this.of(id));
    if (hold) own.set(key, hold);
    else own.delete(key);
    this.#own.set(id, own);
    this.#all.set(id, own.size > 0 ? own : null);
  }

  /** The holds with all changes until now. */
  finish(): IdMap<Holds> {
    this.#own.clear();
    return this.#all.finish();
  }
}
