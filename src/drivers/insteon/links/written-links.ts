/** The records that this driver wrote: only they are ever removed. Stored before a record is written. */

import type { ServiceStore } from "../../service.ts";
import { type HeldRecord, keyOf } from "./link-plan.ts";
import { readList, readRecord, storedRecord } from "./stored-links.ts";

const KEY = "written links";

export class WrittenLinks {
  readonly #store: ServiceStore;
  readonly #records: Map<string, HeldRecord>;

  constructor(store: ServiceStore) {
    this.#store = store;
    const stored = readList(store.get(KEY), "records", readHeld);
    this.#records = new Map(stored.map((held) => [keyOf(held), held]));
  }

  all(): readonly HeldRecord[] {
    return [...this.#records.values()];
  }

  /** Settles when it is on disk. */
  async add(held: HeldRecord): Promise<void> {
    this.#records.set(keyOf(held), held);
    this.#keep();
    await this.#store.saved();
  }

  drop(held: HeldRecord): void {
    if (this.#records.delete(keyOf(held))) this.#keep();
  }

  /** The modem or a device was replaced: moves its records to the new one. null: the record is dropped. */
  rename(renamed: (held: HeldRecord) => HeldRecord | null): void {
    const records = this.all().flatMap((held) => renamed(held) ?? []);
    this.#records.clear();
    for (const held of records) this.#records.set(keyOf(held), held);
    this.#keep();
  }

  #keep(): void {
    this.#store.set(KEY, { records: this.all().map(({ holder, record }) => [holder, ...storedRecord(record)]) });
  }
}

function readHeld(stored: unknown): HeldRecord | null {
  if (!Array.isArray(stored)) return null;
  const [holder, ...rest] = stored as readonly unknown[];
  const record = readRecord(rest);
  return record && typeof holder === "string" ? { holder, record } : null;
}
