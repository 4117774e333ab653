/** A store that loses what was not saved yet when its process is killed. */

import type { ServiceStore } from "../../../src/drivers/service.ts";

export class UnsavedStore implements ServiceStore {
  readonly #values: Map<string, string>;
  #saved: ReadonlyMap<string, string>;

  constructor(saved: ReadonlyMap<string, string> = new Map()) {
    this.#values = new Map(saved);
    this.#saved = saved;
  }

  get(key: string): unknown {
    return JSON.parse(this.#values.get(key) ?? "null");
  }

  set(key: string, value: unknown): void {
    this.#values.set(key, JSON.stringify(value));
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  async saved(): Promise<void> {
    this.#saved = new Map(this.#values);
  }

  /** What the next process finds. */
  afterKill(): UnsavedStore {
    return new UnsavedStore(this.#saved);
  }
}
