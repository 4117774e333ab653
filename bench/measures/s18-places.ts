/** S18: a guest follows the event stream as often as it may and more, while the owner connects. */

import type { FollowInput, FollowOutput } from "../generators/attackers.ts";
import { logIn, makeGuest } from "../harness/accounts.ts";
import { pause } from "../harness/arrivals.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import { attackNote, attackRows, besideHonestClient } from "../harness/honest-client.ts";
import type { Target } from "../harness/https-connection.ts";
import type { Measure, Result } from "../harness/measure.ts";
import { Samples } from "../harness/statistics.ts";
import { Subscriber } from "../harness/subscriber.ts";

const HOME = { nodes: 500, journalEntries: 0, killed: false } as const;
const STREAMS = 600;
const BETWEEN_MS = 200;
const CONNECT_GOAL = { of: "figure", bound: "at most", value: 1000 } as const;
const REFUSED_GOAL = { of: "figure", bound: "at most", value: 0 } as const;
const WHAT = `${STREAMS} streams of a guest`;

export const places: Measure = {
  id: "S18",
  title: "a guest takes the places of the event streams while the owner connects",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(HOME);
    const controller = await startController(bench.children, { home });
    const target = controller.portal;
    const owner = `Bearer ${await logIn(target, OWNER)}`;
    const guest = `Bearer ${await makeGuest(target, owner)}`;
    const attacker = bench.children.fork("generators/attackers.ts");
    const restMs = bench.quick ? 2000 : 30_000;
    const seconds = bench.quick ? 5 : 20;
    const input: FollowInput = { target, authorization: guest, streams: STREAMS, seconds };
    const waits = new Samples();
    let refused = 0;
    const honest = { target, authorization: owner, pid: controller.pid, restMs };
    const outcome = await besideHonestClient(honest, async () => {
      let isOver = false;
      const attack = attacker.call<FollowOutput>("follow", input).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const startMs = performance.now();
        if (!(await follows(target, owner))) refused += 1;
        waits.add(performance.now() - startMs);
        await pause(BETWEEN_MS);
      }
      return (await attack).value;
    });
    await Promise.all([attacker.end(), controller.end()]);
    const spread = waits.spread();
    return {
      rows: [
        { what: `${WHAT}: worst wait for a stream`, figure: spread.max, unit: "ms", goal: CONNECT_GOAL, spread },
        { what: `${WHAT}: streams of the owner refused`, figure: refused, unit: "", goal: REFUSED_GOAL },
        ...attackRows(WHAT, outcome, restMs),
      ],
      notes: [attackNote(WHAT, outcome, `answered ${JSON.stringify(outcome.attack.answers)}`)],
    };
  },
};

/** Connects, and leaves when the first frame is there. */
async function follows(target: Target, authorization: string): Promise<boolean> {
  const { promise: first, resolve } = Promise.withResolvers<boolean>();
  const subscriber = new Subscriber({
    target,
    path: "/rest/subscribe",
    authorization,
    onFrame: () => resolve(true),
    onClose: () => resolve(false),
  });
  subscriber.upgraded().catch(() => resolve(false));
  const isFollowing = await first;
  subscriber.close();
  return isFollowing;
}
