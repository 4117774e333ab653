/**
 * The state of each plan as seen from outside: requested and acknowledged starts, observed commands, values of
 * variables. Contradictions are put into words.
 */

import { Alignment } from "./alignment.ts";
import type { FireCounter } from "./fire-counter.ts";
import type { Plan } from "./plans.ts";

/** Values of the integer variables, by id. */
export type Counts = ReadonlyMap<number, number>;

/** Statements that the trace calls uncertain, of each program. */
export type Uncertain = ReadonlyMap<number, number>;

type Account = {
  readonly plan: Plan;
  readonly alignment: Alignment;
  /** Runs that must have begun, and that may have. */
  owed: number;
  asked: number;
  /** Runs, or turns, that had begun when the service was last seen to be back; null while it is not. */
  begun: number | null;
  /** Runs, or turns, that had begun at the latest look. */
  looked: number;
  commands: number;
};

export class Ledger {
  readonly #accounts: ReadonlyMap<number, Account>;
  readonly wrong: string[] = [];
  acknowledged = 0;
  /** Runs of which a command was carried out, and nothing else, because the process ended before the disk knew of them. */
  halfBegun = 0;

  constructor(plans: readonly Plan[]) {
    const account = (plan: Plan): Account => {
      return { plan, alignment: new Alignment(plan.commands), owed: 0, asked: 0, begun: null, looked: 0, commands: 0 };
    };
    this.#accounts = new Map(plans.map((plan) => [plan.id, account(plan)]));
  }

  get commands(): number {
    return [...this.#accounts.values()].reduce((sum, { commands }) => sum + commands, 0);
  }

  /** Plans that can be run: neither they nor the plans that they call are running. */
  idle(counts: Counts): readonly Plan[] {
    const isIdle = (plan: Plan): boolean => {
      const { owed, asked } = this.#of(plan.id);
      const begun = at(counts, plan.begun);
      if (begun < owed || asked > begun || plan.isEndless) return plan.isEndless && asked === 0;
      const called = plan.calls === null ? null : this.#of(plan.calls).plan;
      return begun === at(counts, plan.ended) && (!called || at(counts, called.ended) === begun);
    };
    return [...this.#accounts.values()]
      .map(({ plan }) => plan)
      .filter((plan) => plan.start.kind !== "call" && isIdle(plan));
  }

  /** Notes the request of one more run. @returns to be called when the answer promises the run. */
  ask(plan: Plan, counts: Counts): () => void {
    const account = this.#of(plan.id);
    account.asked = at(counts, plan.begun) + 1;
    const { asked } = account;
    return () => {
      account.owed = asked;
      this.acknowledged += 1;
    };
  }

  /** The service is back. @param life for the words. */
  compare(life: string, counts: Counts): void {
    for (const account of this.#accounts.values()) {
      const { plan, alignment, owed, asked } = account;
      const begun = at(counts, plan.begun);
      const name = `${life}: program ${plan.id}`;
      if (plan.start.kind !== "call" && (begun < owed || begun > Math.max(owed, asked))) {
        this.wrong.push(`${name} has begun ${begun} runs; ${owed} were acknowledged, ${asked} asked for.`);
      }
      if (!plan.isEndless && alignment.reached > begun * plan.commands.length) this.halfBegun += 1;
      account.asked = begun;
      account.owed = begun;
      account.begun = plan.isEndless ? Math.ceil(at(counts, plan.added) / plan.adds) : begun;
      // Statements that had started at the last check have been sent since, except those of the latest run; one more
      // may be on its way.
      alignment.settle((account.looked - 2) * plan.commands.length);
      account.looked = account.begun;
    }
  }

  /** The service has ended. @param seen the commands to the lamps in this life, by address. */
  live(life: string, seen: ReadonlyMap<string, readonly string[]>): void {
    for (const account of this.#accounts.values()) {
      const { plan, alignment } = account;
      const words = seen.get(plan.lamp) ?? [];
      account.commands += words.length;
      const { reached } = alignment;
      const begunMax = account.begun === null ? undefined : account.begun * plan.commands.length;
      account.begun = null;
      if (alignment.live(words, begunMax)) continue;
      this.wrong.push(`${life}: program ${plan.id} sent ${words.join(", ")} after ${reached} statements.`);
    }
  }

  /** Everything has come to its end. */
  close(counts: Counts, fires: FireCounter, uncertain: Uncertain): void {
    for (const account of this.#accounts.values()) {
      const { plan, alignment } = account;
      // One that does not end was stopped in the midst of its last turn.
      const runs = plan.isEndless ? Math.ceil(at(counts, plan.added) / plan.adds) : at(counts, plan.begun);
      if (!plan.isEndless) {
        this.#expect(plan, "runs ended", runs, at(counts, plan.ended));
        this.#expect(plan, "added", runs * plan.adds, at(counts, plan.added));
      }
      if (plan.calls !== null) this.#expect(plan, "calls", runs, at(counts, this.#of(plan.calls).plan.begun));
      const leftOut = fewestLeftOut(account, runs);
      if (leftOut === null) {
        const { reached } = alignment;
        this.wrong.push(`Program ${plan.id}: ${runs} runs of ${plan.commands.length} commands, ${reached} were sent.`);
      }
      const unfired = runs * plan.fires - fires.of(`/${plan.id}`);
      if (unfired < 0) this.wrong.push(`Program ${plan.id}: ${-unfired} network resources were fired twice.`);
      const missing = (leftOut ?? 0) + unfired - (plan.isEndless ? plan.fires : 0);
      const marked = uncertain.get(plan.id) ?? 0;
      if (missing > marked) {
        this.wrong.push(`Program ${plan.id}: ${missing} statements are missing, ${marked} are marked uncertain.`);
      }
    }
  }

  #expect({ id }: Plan, what: string, expected: number, found: number): void {
    if (found !== expected) this.wrong.push(`Program ${id}: ${what} are ${found}, not ${expected}.`);
  }

  #of(id: number): Account {
    const account = this.#accounts.get(id);
    if (!account) throw new Error("Every plan has an account.");
    return account;
  }
}

/** A run that does not end by itself is stopped somewhere in its last turn; what comes after that was not due. */
function fewestLeftOut({ plan, alignment }: Account, runs: number): number | null {
  const steps = runs * plan.commands.length;
  const earliest = plan.isEndless ? Math.max(0, steps - plan.commands.length) : steps;
  const counts = Array.from({ length: steps - earliest + 1 }, (_, back) => alignment.endedAfter(steps - back));
  const possible = counts.filter((count) => count !== null);
  return possible.length === 0 ? null : Math.min(...possible);
}

function at(counts: Counts, id: number): number {
  return counts.get(id) ?? Number.NaN;
}
