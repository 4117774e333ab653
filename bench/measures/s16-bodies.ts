/** S16: bodies that take their time, of strangers at the login and of guests: memory, and what others wait for. */

import type { BodiesInput, BodiesOutput } from "../generators/attackers.ts";
import { logIn, makeGuest } from "../harness/accounts.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import { attackNote, attackRows, besideHonestClient } from "../harness/honest-client.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";

const HOME = { nodes: 500, journalEntries: 0, killed: false } as const;
const CONNECTIONS = 3000;
const AT_ONCE = 500;
const SECONDS = 12;
const REST_MS = 30_000;

type Attack = Pick<BodiesInput, "path" | "bytes"> & {
  readonly what: string;
  readonly by: "stranger" | "guest";
  readonly connections?: number;
};

const ATTACKS: readonly Attack[] = [
  {
    what: `${AT_ONCE} bodies of a guest, 16 KB`,
    by: "guest",
    path: "/api/variables/1/1",
    bytes: 16_384,
    connections: AT_ONCE,
  },
  { what: `${CONNECTIONS} bodies of strangers, 16 KB`, by: "stranger", path: "/api/login", bytes: 16_384 },
  { what: `${CONNECTIONS} bodies of strangers, 128 KB`, by: "stranger", path: "/api/login", bytes: 131_072 },
  { what: `${CONNECTIONS} bodies of guests, 1 MB`, by: "guest", path: "/api/variables/1/1", bytes: 1_000_000 },
];

export const bodies: Measure = {
  id: "S16",
  title: "slow bodies of strangers and guests",
  async run(bench): Promise<Result> {
    const all = [];
    for (const attack of ATTACKS) all.push(await measure(bench, attack));
    return { rows: all.flatMap(({ rows }) => rows), notes: all.map(({ note }) => note) };
  },
};

async function measure(bench: Bench, { what, by, path, bytes, connections = CONNECTIONS }: Attack) {
  bench.say(what);
  const home = await bench.homes.copy(HOME);
  const controller = await startController(bench.children, { home });
  const target = controller.portal;
  const owner = `Bearer ${await logIn(target, OWNER)}`;
  const authorization = by === "guest" ? `Bearer ${await makeGuest(target, owner)}` : null;
  const attacker = bench.children.fork("generators/attackers.ts");
  const restMs = bench.quick ? 5000 : REST_MS;
  const honest = { target, authorization: owner, pid: controller.pid, restMs };
  const outcome = await besideHonestClient(honest, async () => {
    const input: BodiesInput = { target, connections, path, bytes, authorization, seconds: SECONDS };
    return (await attacker.call<BodiesOutput>("bodies", input)).value;
  });
  await Promise.all([attacker.end(), controller.end()]);
  const { answers, openAtTheEnd } = outcome.attack;
  const answered = `answered ${JSON.stringify(answers)}, ${openAtTheEnd} connections open at the end`;
  return { rows: attackRows(what, outcome, restMs), note: attackNote(what, outcome, answered) };
}
