/** S17: wrong passwords of the owner's login from ever new addresses behind a trusted proxy, while the owner logs in. */

import type { GuessInput, GuessOutput } from "../generators/attackers.ts";
import { logIn } from "../harness/accounts.ts";
import { pause } from "../harness/arrivals.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import { attackNote, attackRows, besideHonestClient } from "../harness/honest-client.ts";
import type { Measure, Result } from "../harness/measure.ts";
import { Samples } from "../harness/statistics.ts";

const HOME = { nodes: 500, journalEntries: 0, killed: false } as const;
const PROXY = "127.0.0.66";
/** Where the owner's devices are. From the first one the owner has logged in before. */
const KNOWN = "192.0.2.10";
const BETWEEN_LOGINS_MS = 300;
const LOGIN_GOAL = { of: "figure", bound: "at most", value: 2000 } as const;
const REFUSED_GOAL = { of: "figure", bound: "at most", value: 0 } as const;
const WHAT = "guesses behind a proxy";

export const guesses: Measure = {
  id: "S17",
  title: "guessed passwords behind a trusted proxy while the owner logs in",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(HOME);
    // The owner's own requests come through a proxy too: the address that this process connects from.
    const settings = { trustedProxies: [PROXY, "127.0.0.1"] };
    const controller = await startController(bench.children, { home, settings });
    const target = controller.portal;
    const owner = `Bearer ${await logIn(target, OWNER, KNOWN)}`;
    const attacker = bench.children.fork("generators/attackers.ts");
    const restMs = bench.quick ? 2000 : 30_000;
    const input: GuessInput = { target, proxy: PROXY, login: OWNER.login, seconds: bench.quick ? 5 : 20 };
    const logins = new Samples();
    let refused = 0;
    const honest = { target, authorization: owner, pid: controller.pid, restMs };
    const outcome = await besideHonestClient(honest, async () => {
      let isOver = false;
      const attack = attacker.call<GuessOutput>("guess", input).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const startMs = performance.now();
        await logIn(target, OWNER, KNOWN).catch(() => {
          refused += 1;
        });
        logins.add(performance.now() - startMs);
        await pause(BETWEEN_LOGINS_MS);
      }
      return (await attack).value;
    });
    await Promise.all([attacker.end(), controller.end()]);
    const spread = logins.spread();
    return {
      rows: [
        { what: `${WHAT}: worst login of the owner`, figure: spread.max, unit: "ms", goal: LOGIN_GOAL, spread },
        { what: `${WHAT}: logins of the owner refused`, figure: refused, unit: "", goal: REFUSED_GOAL },
        ...attackRows(WHAT, outcome, restMs),
      ],
      notes: [attackNote(WHAT, outcome, `answered ${JSON.stringify(outcome.attack.answers)}`)],
    };
  },
};
