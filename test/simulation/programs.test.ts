/**
 * Random homes with random programs and random events. In each one, every statement is carried out once, none is left
 * out, groups are not divided, and ending the process after any step (or after every step) changes no result.
 * DOMOVOI_PROGRAM_SEEDS is the number of homes, DOMOVOI_SEED the first seed; a failure names its seed.
 */

import { describe, expect, test } from "vitest";
import { FOLDER_ID, randomHome } from "../programs/random-home.ts";
import { Stage, type StageOptions } from "../programs/stage.ts";
import { SEED } from "./effort.ts";

const SEEDS = Number(process.env.DOMOVOI_PROGRAM_SEEDS ?? 200);
const LIFE = 40;
/** Runs of a program in one instant. */
const NEARLY_CUT = 6;

type Lived = {
  readonly sends: readonly Sent[];
  readonly home: Stage;
};
type Sent = { readonly statementId: string; readonly isIdempotent: boolean; readonly words: string };

/** @param ends whether the process ends after this happening. */
function live(seed: number, ends: (at: number) => boolean, more: Partial<StageOptions> = {}): Lived {
  const { options, life } = randomHome(seed, LIFE);
  const home = new Stage({ ...options, ...more });
  for (const [at, happen] of life.entries()) {
    happen(home);
    // No two things happen in the same millisecond, and no start is faster than one.
    if (ends(at)) home.crash();
    home.advance(1);
  }
  return { home, sends: sendsOf(home) };
}

function sendsOf(home: Stage): readonly Sent[] {
  return home.effects.flatMap((effect) => {
    if (effect.kind !== "send") return [];
    const { statementId, isIdempotent, action } = effect.statement;
    return [{ statementId, isIdempotent, words: JSON.stringify(action) }];
  });
}

const never = () => false;
const always = () => true;
const seeds = Array.from({ length: SEEDS }, (_, index) => SEED * 1_000_003 + index);
const failing = (fails: (seed: number) => boolean) => seeds.filter(fails);

/** How often programs started in a second is not kept over an end, so loops are cut at other turns, or nearly. */
function isLoopCut(home: Stage): boolean {
  if (home.traced("cut").some(({ limit }) => limit === "programChainStartsMax")) return true;
  const runs = new Map<string, number>();
  for (const { programId, atMs } of home.traced("run-began")) {
    const key = `${programId} ${atMs}`;
    runs.set(key, (runs.get(key) ?? 0) + 1);
  }
  return Math.max(...runs.values()) > NEARLY_CUT;
}

/**
 * The statements that were sent. A cut program did very much and waited behind the others, so only each program's own
 * order is compared.
 */
function sentBy({ home, sends }: Lived): string {
  if (home.traced("cut").length === 0) return JSON.stringify(sends);
  const programOf = ({ statementId }: Sent) => Number.parseInt(statementId, 10);
  return JSON.stringify(sends.toSorted((a, b) => programOf(a) - programOf(b)));
}

function endOf({ home }: Stage): string {
  const { programs, variables } = home;
  return JSON.stringify([[...programs.values()], [...variables[1].values()], [...variables[2].values()]]);
}

describe(`${SEEDS} random homes`, { timeout: 15_000 + 500 * SEEDS }, () => {
  test("the lives are worth looking at", () => {
    const lives = seeds.map((seed) => live(seed, never));
    const total = (kind: string) =>
      lives.reduce((sum, { home }) => sum + home.trace.filter((each) => each.kind === kind).length, 0);
    expect(lives.reduce((sum, { sends }) => sum + sends.length, 0)).toBeGreaterThan(5 * SEEDS);
    expect(total("run-began")).toBeGreaterThan(10 * SEEDS);
    expect(total("not-run")).toBeGreaterThan(SEEDS);
  });

  test("no statement is carried out twice", () => {
    const twice = failing((seed) => {
      const ids = live(seed, never)
        .home.traced("statement")
        .map(({ statementId }) => statementId);
      return new Set(ids).size !== ids.length;
    });
    expect(twice).toEqual([]);
  });

  test("a run goes through its clause in order and leaves nothing out", () => {
    expect(failing((seed) => !isInOrder(live(seed, never).home))).toEqual([]);
  });

  test("groups are not torn: what a run does between two waits stands together", () => {
    expect(failing((seed) => isTorn(live(seed, never).home))).toEqual([]);
  });

  test("the same life leads to the same states and effects", () => {
    const differs = failing((seed) => {
      const [a, b] = [live(seed, never), live(seed, never)];
      return JSON.stringify(a.home.trace) !== JSON.stringify(b.home.trace);
    });
    expect(differs).toEqual([]);
  });

  test.each([1, 3, Number.POSITIVE_INFINITY])(
    "steps of at most %d starts and statements lead to the same",
    (itemsMax) => {
      const differs = failing((seed) => {
        const [whole, sliced] = [live(seed, never), live(seed, never, { itemsMax })];
        // In a loop that is about to be cut, waiting work runs in another order.
        if (isLoopCut(whole.home)) return false;
        return sentBy(whole) !== sentBy(sliced) || endOf(whole.home) !== endOf(sliced.home);
      });
      expect(differs).toEqual([]);
    },
  );

  test("an end between any two small steps changes nothing of what is done", () => {
    const differs = failing((seed) => {
      // A start of the controller looks at the conditions of folders before anything that waits.
      const folders = { [FOLDER_ID]: {} };
      const small = { itemsMax: 2, crashesWithWork: true, folders };
      const [whole, torn] = [live(seed, never, { folders }), live(seed, never, small)];
      if (isLoopCut(whole.home)) return false;
      return !isCoveredBy(whole.sends, torn.sends) || endOf(whole.home) !== endOf(torn.home);
    });
    expect(differs).toEqual([]);
  });

  test("an end after every step changes nothing of what is done", () => {
    const differs = failing((seed) => {
      const [whole, torn] = [live(seed, never), live(seed, always)];
      if (isLoopCut(whole.home)) return false;
      return sentBy(whole) !== sentBy(torn) || endOf(whole.home) !== endOf(torn.home);
    });
    expect(differs).toEqual([]);
  });

  test("an end while statements are in flight: idempotent ones are sent again, others never", () => {
    const wrong = failing((seed) => {
      const at = Math.abs(seed) % LIFE;
      const whole = live(seed, never, { isSlow: true });
      if (isLoopCut(whole.home)) return false;
      const torn = live(seed, (happening) => happening === at, { isSlow: true });
      return !isCoveredBy(whole.sends, torn.sends) || endOf(whole.home) !== endOf(torn.home);
    });
    expect(wrong).toEqual([]);
  });
});

/** The same statements, idempotent ones perhaps once more. */
function isCoveredBy(whole: readonly Sent[], torn: readonly Sent[]): boolean {
  const counts = new Map<string, number>();
  for (const { statementId } of torn) counts.set(statementId, (counts.get(statementId) ?? 0) + 1);
  const isSame = whole.length === counts.size;
  return (
    isSame &&
    whole.every(({ statementId, isIdempotent }) => {
      const times = counts.get(statementId) ?? 0;
      return times === 1 || (isIdempotent && times === 2);
    })
  );
}

/** Statements of a run count up by one; a finished run without repeats has done its clause once, from first to last. */
function isInOrder(home: Stage): boolean {
  return home.traced("run-ended").every(({ programId, runId, how }) => {
    const statements = home.traced("statement").filter((record) => record.runId === runId);
    const isCounted = statements.every(({ statementId }, index) => statementId === `${runId}-${index}`);
    const clause = home.traced("run-began").find((record) => record.runId === runId)?.clause ?? "then";
    const actions = home.program(programId).tree[clause];
    if (how !== "finished" || actions.some(({ kind }) => kind.startsWith("repeat"))) return isCounted;
    return isCounted && statements.map(({ position }) => position).join() === [...actions.keys()].join();
  });
}

function isTorn(home: Stage): boolean {
  const cut = new Set(home.traced("run-ended").flatMap(({ runId, how }) => (how === "cut" ? [runId] : [])));
  const statements = home.traced("statement").filter(({ runId }) => !cut.has(runId));
  const endsGroup = (kind: string) => kind === "wait" || kind.startsWith("repeat");
  let open: (typeof statements)[number] | null = null;
  for (const record of statements) {
    const clause = open ? home.program(open.programId).tree[open.clause] : [];
    const next = open ? clause[open.position + 1] : undefined;
    const mustFollow = open !== null && !endsGroup(open.action.kind) && next !== undefined && !endsGroup(next.kind);
    // What watches the status of a called program starts between two statements.
    const leadsOn = open?.action.kind === "program" && /stop|^run/.test(open.action.control);
    if (mustFollow && !leadsOn && record.runId !== open?.runId) return true;
    open = record;
  }
  return false;
}
