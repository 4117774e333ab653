/** S15: requests without waiting for their answers, by strangers with forged tokens and by a guest: what others wait. */

import type { PipelineInput, PipelineOutput } from "../generators/attackers.ts";
import { logIn, makeGuest } from "../harness/accounts.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import { attackNote, attackRows, besideHonestClient } from "../harness/honest-client.ts";
import { requestOnce, type Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";

const HOME = { nodes: 500, journalEntries: 0, killed: false } as const;
const COMMANDS = 1000;
const REST_MS = 30_000;

type Attack = Pick<PipelineInput, "connections" | "requests" | "path" | "gzip"> & {
  readonly what: string;
  readonly by: "stranger" | "guest";
};

const REQUESTS = 250;
const ATTACKS: readonly Attack[] = [
  attack("forged tokens", "stranger", 100, "/api/nodes"),
  attack("forged tokens", "stranger", 400, "/api/nodes"),
  attack("/api/commands", "guest", 10, "/api/commands"),
  attack("/api/commands", "guest", 40, "/api/commands"),
  attack("/api/commands gzip", "guest", 40, "/api/commands", true),
  attack("/rest/nodes", "guest", 40, "/rest/nodes"),
  attack("/api/nodes gzip", "guest", 40, "/api/nodes", true),
  attack("/api/triggers", "guest", 40, "/api/triggers"),
  attack("/api/openapi.json gzip", "guest", 40, "/api/openapi.json", true),
];

function attack(what: string, by: Attack["by"], connections: number, path: string, gzip = false): Attack {
  return { what: `${by}, ${what}, ${connections} × ${REQUESTS}`, by, connections, requests: REQUESTS, path, gzip };
}

export const pipelining: Measure = {
  id: "S15",
  title: "pipelined requests of strangers and guests",
  async run(bench): Promise<Result> {
    const chosen = bench.quick ? ATTACKS.filter(({ connections }) => connections !== 10) : ATTACKS;
    const rows: Row[] = [];
    const notes: string[] = [];
    for (const one of chosen) {
      bench.say(one.what);
      const told = await measure(bench, one);
      rows.push(...told.rows);
      notes.push(told.note);
    }
    return { rows, notes };
  },
};

async function measure(bench: Bench, { by, what, ...input }: Attack) {
  const home = await bench.homes.copy(HOME);
  const controller = await startController(bench.children, { home });
  const target = controller.portal;
  const owner = `Bearer ${await logIn(target, OWNER)}`;
  const guest = by === "guest" ? `Bearer ${await makeGuest(target, owner)}` : null;
  if (input.path === "/api/commands") await fillCommands(target, owner, home.switches);
  const attacker = bench.children.fork("generators/attackers.ts");
  const restMs = bench.quick ? 2000 : REST_MS;
  const honest = { target, authorization: owner, pid: controller.pid, restMs };
  const outcome = await besideHonestClient(honest, async () => {
    const call: PipelineInput = { ...input, target, authorization: guest };
    return (await attacker.call<PipelineOutput>("pipeline", call)).value;
  });
  await Promise.all([attacker.end(), controller.end()]);
  const { answers, closed, seconds } = outcome.attack;
  const answered = `answered ${JSON.stringify(answers)}, ${closed} connections cut, ${seconds.toFixed(1)} s`;
  return { rows: attackRows(what, outcome, restMs), note: attackNote(what, outcome, answered) };
}

async function fillCommands(target: Target, authorization: string, switches: readonly string[]): Promise<void> {
  for (let done = 0; done < COMMANDS; done += 20) {
    const some = Array.from({ length: 20 }, (_, at) => switches[(done + at) % switches.length] ?? "");
    await Promise.all(
      some.map((address) =>
        requestOnce(target, { path: `/rest/nodes/${encodeURIComponent(address)}/cmd/DFON`, authorization }),
      ),
    );
  }
}
