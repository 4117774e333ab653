/**
 * Attributes reports to commands. A device does not say why it reports. A report of the value that a command changes,
 * made while the command may still be at work, counts as its effect. All other reports count as the device's own.
 */

import type { PropertyReport } from "../report.ts";

/** Longest time from a command to the report of its effect: slow covers need this long. */
const EFFECT_MS = 60_000;

type Cause = Pick<PropertyReport, "cause" | "commandId">;
type Expected = {
  readonly commandId: string | null;
  readonly untilMs: number;
  readonly value: unknown;
  isReached: boolean;
};

export class Attribution {
  readonly #now: () => number;
  readonly #expected = new Map<string, Expected>();
  readonly #asked = new Map<number, number>();

  /** @param now milliseconds that have passed since some moment. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param key of the value that the command changes.
   * @param commandId null when it is sent before its command is known.
   * @param value the expected value in the end; undefined when unknown.
   */
  expect(nodeId: number, key: string, commandId: string | null, value: unknown): void {
    const untilMs = this.#now() + EFFECT_MS;
    this.#expected.set(`${nodeId} ${key}`, { commandId, value, untilMs, isReached: false });
  }

  /** The command failed: reports from here on are the device's own. */
  forget(nodeId: number, key: string, commandId: string): void {
    const place = `${nodeId} ${key}`;
    if (this.#expected.get(place)?.commandId === commandId) this.#expected.delete(place);
  }

  /** A report during a query answers the query. */
  async asking<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    this.#asked.set(nodeId, (this.#asked.get(nodeId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#asked.get(nodeId) ?? 1) - 1;
      if (left > 0) this.#asked.set(nodeId, left);
      else this.#asked.delete(nodeId);
    }
  }

  isAsking(nodeId: number): boolean {
    return this.#asked.has(nodeId);
  }

  causeOf(nodeId: number, key: string, value: unknown): Cause {
    const place = `${nodeId} ${key}`;
    const expected = this.#expected.get(place);
    if (expected && this.#isEffect(expected, value)) {
      return expected.commandId === null ? { cause: "ack" } : { cause: "ack", commandId: expected.commandId };
    }
    this.#expected.delete(place);
    return { cause: this.#asked.has(nodeId) ? "query" : "report" };
  }

  /** Once it is there, a device may say so again; anything else is news. */
  #isEffect(expected: Expected, value: unknown): boolean {
    if (expected.untilMs < this.#now()) return false;
    const isThere = Object.is(expected.value, value);
    if (expected.isReached) return isThere;
    expected.isReached = isThere;
    return true;
  }
}
