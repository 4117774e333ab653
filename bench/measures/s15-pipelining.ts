/** S15: requests without waiting for their answers, by strangers with forged tokens and by a guest: what others wait. */

import type { PipelineInput, PipelineOutput } from "../generators/attackers.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import { logIn, makeGuest } from "../harness/accounts.ts";
import { besideHonestClient } from "../harness/honest-client.ts";
import { requestOnce, type Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";

const HOME = { nodes: 500, journalEntries: 0, killed: false } as const;
const WAIT_GOAL = { of: "figure", bound: "at most", value: 100 } as const;
const MEMORY_GOAL = { of: "figure", bound: "at most", value: 100 } as const;
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
  const { calmWaits, waits, newcomerWaits, failures, beforeMb, peakMb, restMb } = outcome;
  const rows: readonly Row[] = [
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
  const { answers, closed, seconds } = outcome.attack;
  const note = `${what}: answered ${JSON.stringify(answers)}, ${closed} connections cut, ${seconds.toFixed(1)} s; ${failures} honest requests failed; memory before ${beforeMb.toFixed(0)} MB.`;
  return { rows, note };
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
