/**
 * The events of a client's own edit of a variable wait until the answer to its request is written; an edit is
 * answered when it is on disk. Clients take the answer as the end of their edit and overwrite values of earlier
 * events.
 *
 * Later edits of the same variable by anybody wait behind it, so that the last event has the last value. All other
 * events, above all device reports, do not wait.
 */

import type { Change, Entry } from "../home/change.ts";

type Held<E> = {
  /** null: it only waits for its turn. */
  readonly requestId: string | null;
  readonly subject: string;
  readonly events: readonly E[];
};

export class HeldEvents<E> {
  readonly #heldMax: number;
  readonly #unanswered = new Set<string>();
  #held: Held<E>[] = [];

  /** @param heldMax edits; when more wait, all are sent. */
  constructor(heldMax: number) {
    this.#heldMax = heldMax;
  }

  /** A request that may edit is being worked on. */
  begin(requestId: string): void {
    this.#unanswered.add(requestId);
  }

  /** @returns what can be sent now: the events of this entry, unless they have to wait. */
  offer({ change, cause }: Entry, events: readonly E[]): readonly E[] {
    const subject = events.length > 0 ? subjectOf(change) : null;
    if (subject === null) return events;
    const isOwn = cause.kind === "request" && this.#unanswered.has(cause.id);
    if (!isOwn && !this.#held.some((held) => held.subject === subject)) return events;
    this.#held.push({ requestId: isOwn ? cause.id : null, subject, events });
    return this.#held.length > this.#heldMax ? this.#release(() => false) : [];
  }

  /** The answer is written, or its client is gone. @returns what can be sent now. */
  answered(requestId: string): readonly E[] {
    if (!this.#unanswered.delete(requestId) || this.#held.length === 0) return [];
    return this.#release((held) => held.requestId !== null && this.#unanswered.has(held.requestId));
  }

  /** For a client that joins: it begins with the values that these events bring, so it must not get them again. */
  releaseAll(): readonly E[] {
    return this.#release(() => false);
  }

  #release(mustWait: (held: Held<E>) => boolean): readonly E[] {
    const waiting = new Set<string>();
    const kept: Held<E>[] = [];
    const released: E[] = [];
    for (const held of this.#held) {
      if (waiting.has(held.subject) || mustWait(held)) {
        waiting.add(held.subject);
        kept.push(held);
      } else {
        released.push(...held.events);
      }
    }
    this.#held = kept;
    return released;
  }
}

/** The variable that an edit changes; null for everything else, which does not wait. */
function subjectOf(change: Change): string | null {
  if (change.type === "variable-added") return `${change.variable.type}/${change.variable.id}`;
  return "variableType" in change ? `${change.variableType}/${change.id}` : null;
}
