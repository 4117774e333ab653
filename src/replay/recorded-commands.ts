/**
 * The commands that programs really gave, as the journal holds them. A replayed home claims those that it gives too, so that both
 * can be held against each other, and so that it knows which reports answer a command that it never gave.
 */

import type { Entry } from "../home/change.ts";

/** The clock of the recording and that of a replay differ by what the machine took for its work. */
export const SAME_MS = 2000;

type RecordedCommand = {
  readonly commandId: string;
  readonly atMs: number;
  readonly programId: number;
  readonly address: string;
  readonly command: string;
};

type GivenCommands = {
  readonly programId: number;
  readonly addresses: readonly string[];
  /** null = any: what a scene makes of its members. */
  readonly command: string | null;
};

export class RecordedCommands {
  readonly #all: readonly RecordedCommand[];
  readonly #byAddress = new Map<string, RecordedCommand[]>();

  /** @param fromMs commands that were accepted earlier, and ended later, are not of this span. */
  constructor(entries: Iterable<Entry>, fromMs: number) {
    const byId = new Map<string, RecordedCommand>();
    for (const { cause, change } of entries) {
      if (change.type !== "command-moved" || cause.kind !== "program" || byId.has(change.commandId)) continue;
      const { commandId, address, command, acceptedAtMs } = change;
      if (acceptedAtMs < fromMs) continue;
      byId.set(commandId, { commandId, atMs: acceptedAtMs, programId: Number(cause.by), address, command });
    }
    // Entries are in the order in which the commands ended.
    this.#all = [...byId.values()].sort((a, b) => a.atMs - b.atMs);
    for (const recorded of this.#all) {
      const { address } = recorded;
      const others = this.#byAddress.get(address);
      if (others) others.push(recorded);
      else this.#byAddress.set(address, [recorded]);
    }
  }

  get all(): readonly RecordedCommand[] {
    return this.#all;
  }

  /**
   * The first ones to each of these addresses, near the instant, that are not claimed yet; those of the same program
   * before those of others.
   */
  near(given: GivenCommands, atMs: number, claimed: ReadonlySet<string>): readonly RecordedCommand[] {
    return given.addresses.flatMap((address) => {
      const open = this.#around(address, atMs).filter(
        ({ commandId, command }) => !claimed.has(commandId) && (given.command === null || command === given.command),
      );
      const first = open.find(({ programId }) => programId === given.programId) ?? open[0];
      return first ? [first] : [];
    });
  }

  #around(address: string, atMs: number): readonly RecordedCommand[] {
    const list = this.#byAddress.get(address) ?? [];
    return list.slice(firstSince(list, atMs - SAME_MS), firstSince(list, atMs + SAME_MS + 1));
  }
}

/** Index of the first one that is not earlier, in a list in the order of time. */
export function firstSince(list: readonly { readonly atMs: number }[], atMs: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.atMs ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
