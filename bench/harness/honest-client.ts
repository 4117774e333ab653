/** A client that means no harm beside an attack: what it waits, and what the service holds meanwhile and afterwards. */

import { arrive, pause } from "./arrivals.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { requestHead, requestOnce, type Target } from "./https-connection.ts";
import type { Row } from "./measure.ts";
import { residentMb, roughlyResidentMb } from "./process-figures.ts";
import { Samples, type Spread } from "./statistics.ts";

type HonestInput = {
  readonly target: Target;
  readonly authorization: string;
  readonly pid: number;
  /** Milliseconds after the attack at which memory is looked at again. */
  readonly restMs: number;
};

type HonestOutcome<T> = {
  readonly attack: T;
  /** The same requests before the attack: what the machine makes of them while others use it too. */
  readonly calmWaits: Spread;
  /** Of requests on a connection that was open before, in milliseconds from when each was due. */
  readonly waits: Spread;
  /** Of requests that begin with a handshake. */
  readonly newcomerWaits: Spread;
  /** Requests that were not answered 200. */
  readonly failures: number;
  readonly beforeMb: number;
  readonly peakMb: number;
  readonly restMb: number;
};

const WAIT_GOAL = { of: "figure", bound: "at most", value: 100 } as const;
const MEMORY_GOAL = { of: "figure", bound: "at most", value: 100 } as const;
const PER_SECOND = 50;
const NEWCOMERS_PER_SECOND = 2;
const WATCH_MS = 50;
const PATH = "/api/variables/1";
const CALM_SECONDS = 5;
const CONNECTIONS = 16;
const SLICE_SECONDS = 1;

/** Runs while `attack` does. */
export async function besideHonestClient<T>(
  { target, authorization, pid, restMs }: HonestInput,
  attack: () => Promise<T>,
): Promise<HonestOutcome<T>> {
  const head = requestHead({ path: PATH, authorization });
  const pool = await ConnectionPool.open(target, CONNECTIONS);
  const waits = new Samples();
  const newcomerWaits = new Samples();
  let failures = 0;
  const note = async (samples: Samples, dueMs: number, work: Promise<{ readonly status: number }>) => {
    const isAnswered = await work.then(
      ({ status }) => status === 200,
      () => false,
    );
    samples.add(performance.now() - dueMs);
    if (!isAnswered) failures += 1;
  };
  for (let warm = 0; warm < 50; warm += 1) await pool.request(head);
  const calmWaits = new Samples();
  await arrive({ perSecond: PER_SECOND, seconds: CALM_SECONDS }, (_, dueMs) =>
    note(calmWaits, dueMs, pool.request(head)),
  );
  const beforeMb = residentMb(pid);
  let peakMb = beforeMb;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peakMb = Math.max(peakMb, roughlyResidentMb(pid));
      await pause(WATCH_MS);
    }
  })();
  const result = attack().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.all([
      arrive({ perSecond: PER_SECOND, seconds: SLICE_SECONDS }, (_, dueMs) => note(waits, dueMs, pool.request(head))),
      arrive({ perSecond: NEWCOMERS_PER_SECOND, seconds: SLICE_SECONDS }, (_, dueMs) =>
        note(newcomerWaits, dueMs, requestOnce(target, { path: PATH, authorization })),
      ),
    ]);
  }
  await watching;
  const value = await result;
  await pause(restMs);
  const restMb = residentMb(pid);
  pool.close();
  return {
    attack: value,
    calmWaits: calmWaits.spread(),
    waits: waits.spread(),
    newcomerWaits: newcomerWaits.spread(),
    failures,
    beforeMb,
    peakMb,
    restMb,
  };
}

/** @param what the attack. */
export function attackRows(
  what: string,
  { calmWaits, waits, newcomerWaits, beforeMb, peakMb, restMb }: HonestOutcome<unknown>,
  restMs: number,
): readonly Row[] {
  return [
    {
      what: `${what}: worst wait`,
      figure: waits.max,
      unit: "ms",
      goal: WAIT_GOAL,
      peer: { name: "before the attack", figure: calmWaits.max },
      spread: waits,
    },
    { what: `${what}: worst wait with a handshake`, figure: newcomerWaits.max, unit: "ms", spread: newcomerWaits },
    { what: `${what}: peak of memory`, figure: peakMb - beforeMb, unit: "MB", goal: MEMORY_GOAL },
    { what: `${what}: memory ${restMs / 1000} s later`, figure: restMb - beforeMb, unit: "MB" },
  ];
}

export function attackNote(what: string, { failures, beforeMb }: HonestOutcome<unknown>, attack: string): string {
  return `${what}: ${attack}; ${failures} honest requests failed; memory before ${beforeMb.toFixed(0)} MB.`;
}
