/** The programs that statements of other programs run or enable. */

import type { Program } from "../../../home/programs.ts";

export class Callers {
  readonly #calls = new Map<number, Map<string, number>>();
  readonly #enabled = new Set<number>();

  /** Programs are added in the order of their ids. */
  add({ id, tree, invalid }: Program): void {
    if (invalid !== null) return;
    for (const action of [...tree.then, ...tree.else]) {
      if (action.kind === "program" && action.id !== id) this.#note(action.id, action.control, id);
    }
  }

  /** By which control a program is run, and by which program. */
  of(id: number): ReadonlyMap<string, number> {
    return this.#calls.get(id) ?? NONE;
  }

  /** Whether conditions start it, now or after another program has enabled it. */
  mayStart({ id, enabled }: Program): boolean {
    return enabled || this.#enabled.has(id);
  }

  #note(id: number, control: string, by: number): void {
    if (control === "enable") this.#enabled.add(id);
    if (!CALLS.has(control)) return;
    const calls = this.#calls.get(id) ?? new Map<string, number>();
    if (!calls.has(control)) calls.set(control, by);
    this.#calls.set(id, calls);
  }
}

const CALLS: ReadonlySet<string> = new Set(["runif", "runthen", "runelse"]);
const NONE: ReadonlyMap<string, number> = new Map();
