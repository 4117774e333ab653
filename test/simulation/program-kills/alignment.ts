/**
 * Whether what a witness saw of a program can be explained by runs that were cut off and went on: every statement handed
 * over once, in order; after an end, those that may be repeated perhaps once again, those that may not never again.
 *
 * A program's statements are numbered over all of its runs. Some look alike (the turns of a repeat), so several
 * explanations are followed at the same time; when none is left, the witness has seen what must not happen.
 */

export type Step = { readonly words: string; readonly isIdempotent: boolean };

type State = {
  /** The statement that comes next. */
  readonly at: number;
  /** Statements that may have been in flight at the latest end: handed over in the life before it. */
  readonly handed: readonly number[];
  /** Idempotent statements that are on disk and were not observed yet: they must follow. */
  readonly owed: readonly number[];
  /** Statements that may not be repeated and were never seen: each of them has to be marked uncertain. */
  readonly skipped: number;
};

/** Statements that a program can have handed over between two commits. */
const AHEAD_MAX = 24;

export class Alignment {
  readonly #cycle: readonly Step[];
  #states: readonly State[] = [{ at: 0, handed: [], owed: [], skipped: 0 }];

  /** @param cycle the statements of one run, or of one turn of an endless one. */
  constructor(cycle: readonly Step[]) {
    this.#cycle = cycle;
  }

  /** Statements that were handed over for certain, counted over all runs; 0 when nothing is certain any more. */
  get reached(): number {
    return this.#states.length === 0 ? 0 : Math.min(...this.#states.map(({ at }) => at));
  }

  /**
   * @param seen what the witness saw from a start of the process to its end.
   * @param begunMax statements of the runs that had begun when it started, if that is known.
   * @returns whether it can be explained.
   */
  live(seen: readonly string[], begunMax = Number.POSITIVE_INFINITY): boolean {
    const next = new Map<number, State>();
    for (const state of this.#states) {
      for (const after of this.#explain(state, seen, begunMax)) {
        next.set(after.at, merged(next.get(after.at), after));
      }
    }
    this.#states = [...next.values()];
    return next.size > 0;
  }

  /**
   * The service is back and says how far the program has come: what lies behind is settled, and an explanation by which it is
   * still to come is none. So a long life costs no more than a short one.
   *
   * @param from statements of the runs that have ended for certain.
   */
  settle(from: number): void {
    const fitting = this.#states.filter(({ at, owed }) => at >= from && owed.every((each) => each >= from));
    // A statement that fits nothing is reported with the next observation.
    if (fitting.length === 0) return;
    this.#states = fitting.map((state) => ({ ...state, handed: state.handed.filter((each) => each >= from) }));
  }

  /** Explanations that are followed at the same time. */
  get width(): number {
    return this.#states.length;
  }

  /**
   * Whether exactly `steps` statements may have come to their end; the last ones unseen, where they may not be repeated.
   * @returns the fewest that were left out, or null.
   */
  endedAfter(steps: number): number | null {
    const ends = this.#states.flatMap(({ at, owed, skipped }) => {
      const unseen = range(at, steps);
      const isEnd = at <= steps && owed.length === 0 && !unseen.some((each) => this.#isIdempotent(each));
      return isEnd ? skipped + unseen.length : [];
    });
    return ends.length === 0 ? null : Math.min(...ends);
  }

  *#explain(state: State, seen: readonly string[], begunMax: number): Iterable<State> {
    if (seen.length === 0) {
      yield state;
      return;
    }
    for (let from = this.#earliest(state); from <= Math.min(state.at + AHEAD_MAX, begunMax); from += 1) {
      const gap = range(state.at, from);
      const skipped = state.skipped + gap.filter((at) => !this.#isIdempotent(at)).length;
      const owed = [...state.owed.filter((at) => at < from), ...gap.filter((at) => this.#isIdempotent(at))];
      const again = state.handed.filter((at) => at < from && this.#isIdempotent(at) && !owed.includes(at));
      for (let resent = 0; resent <= seen.length; resent += 1) {
        const goesOn = seen.length - resent;
        const isPossible = resent <= owed.length + again.length && (goesOn === 0 || resent >= owed.length);
        if (!isPossible) continue;
        if (!this.#continues(seen.slice(resent), from)) continue;
        const found = this.#resent(seen.slice(0, resent), owed, again);
        if (!found) continue;
        const left = owed.filter((at) => !found.includes(at));
        // They are sent again in their order: only an end in the midst of it leaves the later ones for the next start.
        const last = goesOn > 0 ? from : (found.at(-1) ?? 0);
        if (left.some((at) => at < last)) continue;
        const handed = [...found, ...state.handed.filter((at) => at > last), ...range(from, from + goesOn)];
        yield { at: from + goesOn, handed, owed: left, skipped };
      }
    }
  }

  /** A group whose record was lost begins again: as far back as everything may be repeated and was in the latest life. */
  #earliest({ at, handed }: State): number {
    let from = at;
    while (from > 0 && this.#isIdempotent(from - 1) && handed.includes(from - 1)) from -= 1;
    return from;
  }

  #continues(seen: readonly string[], from: number): boolean {
    return seen.every((words, index) => words === this.#step(from + index).words);
  }

  /** Which statements these are, in their order, with as many owed ones as can be; null when they cannot be. */
  #resent(seen: readonly string[], owed: readonly number[], again: readonly number[]): readonly number[] | null {
    const candidates = union(owed, again);
    /** The first candidate that explains the observation at the end of the list. */
    let rest: (readonly number[] | null)[] = candidates.map(() => []).concat([[]]);
    const covered = (found: readonly number[]) => found.filter((at) => owed.includes(at)).length;
    for (const words of seen.toReversed()) {
      const longer: (readonly number[] | null)[] = [null];
      for (const [index, at] of [...candidates.entries()].toReversed()) {
        const behind = rest[index + 1] ?? null;
        const taken = behind && this.#step(at).words === words ? [at, ...behind] : null;
        const passed = longer[0] ?? null;
        longer.unshift(taken && (!passed || covered(taken) >= covered(passed)) ? taken : passed);
      }
      rest = longer;
    }
    return rest[0] ?? null;
  }

  #isIdempotent(at: number): boolean {
    return this.#step(at).isIdempotent;
  }

  #step(at: number): Step {
    const step = this.#cycle[at % this.#cycle.length];
    if (!step) throw new Error("A program does something.");
    return step;
  }
}

/** Two explanations that lead to the same place: what either allows is allowed. */
function merged(one: State | undefined, other: State): State {
  if (!one) return other;
  const handed = union(union(one.handed, one.owed), union(other.handed, other.owed));
  const owed = one.owed.filter((at) => other.owed.includes(at));
  return { at: one.at, handed, owed, skipped: Math.min(one.skipped, other.skipped) };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function union(a: readonly number[], b: readonly number[]): readonly number[] {
  return [...new Set([...a, ...b])].sort((one, other) => one - other);
}
