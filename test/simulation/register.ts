/**
 * The possible values of a thing after the service was killed, from the view of a client that wrote to it, perhaps
 * several writes at once: any written value, except those that were certainly overwritten, which means acknowledged
 * before another acknowledged write was sent.
 */

type Attempt = { readonly value: string; readonly sentAt: number; acknowledgedAt: number | null };

/** Orders what the writers did and saw. */
export class Sequence {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

export class Register {
  readonly #sequence: Sequence;
  #possible: readonly Attempt[] = [];

  constructor(sequence: Sequence, value: string) {
    this.#sequence = sequence;
    this.settle(value);
  }

  send(value: string): Attempt {
    const attempt: Attempt = { value, sentAt: this.#sequence.next(), acknowledgedAt: null };
    this.#possible = [...this.#possible, attempt];
    return attempt;
  }

  acknowledge(attempt: Attempt): void {
    attempt.acknowledgedAt = this.#sequence.next();
    this.#possible = this.#possible.filter(
      (other) => other.acknowledgedAt === null || other.acknowledgedAt > attempt.sentAt,
    );
  }

  get possible(): readonly string[] {
    return this.#possible.map(({ value }) => value);
  }

  allows(value: string): boolean {
    return this.possible.includes(value);
  }

  /** It was seen with this value when nothing was under way. */
  settle(value: string): void {
    const now = this.#sequence.next();
    this.#possible = [{ value, sentAt: now, acknowledgedAt: now }];
  }
}
