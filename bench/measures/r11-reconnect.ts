/** R11: 200 clients come at once, as after a restart: how long until the last of them is in step. */

import type { CrowdInput, CrowdOutput } from "../generators/newcomers.ts";
import { pinToCore } from "../harness/children.ts";
import { startController } from "../harness/controller.ts";
import { LOCAL_AUTHORIZATION, USUAL } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import { FULL_LOAD } from "./documents.ts";
import { restStream } from "./p8-replay.ts";

const CLIENTS = 200;
const GOAL = { of: "figure", bound: "at most", value: 3000 } as const;
const NONE = { of: "figure", bound: "at most", value: 0 } as const;

export const reconnect: Measure = {
  id: "R11",
  title: "200 clients reconnecting at once",
  async run(bench): Promise<Result> {
    const rows = [
      ...(await runCrowd(bench, "stream", [])),
      ...(await runCrowd(bench, "stream and full load", FULL_LOAD)),
    ];
    return {
      rows,
      notes: [
        "Right after the service is ready: 200 TLS handshakes, replays and a value written meanwhile, all clients in one process. In step: the replay is over and the new value is known.",
      ],
    };
  },
};

async function runCrowd(bench: Bench, what: string, paths: readonly string[]): Promise<readonly Row[]> {
  bench.say(`${CLIENTS} clients at once, ${what}`);
  const home = await bench.homes.copy(USUAL);
  const generator = bench.children.fork("generators/newcomers.ts");
  pinToCore(generator.pid, 1);
  const controller = await startController(bench.children, { home, settings: { localApi: true } });
  const target = controller.local;
  const authorization = LOCAL_AUTHORIZATION;
  const write = { target, authorization, path: "/rest/vars/set/1/1/424242", mark: "<val>424242</val>" };
  const heads = paths.map((path) => requestHead({ path, authorization }));
  const input: CrowdInput = { ...restStream(target), clients: CLIENTS, write, heads };
  const startMs = performance.now();
  const before = processorSeconds(controller.pid);
  const { value, health } = await generator.call<CrowdOutput>("crowd", input);
  const serverCores = ((processorSeconds(controller.pid) - before) / (performance.now() - startMs)) * 1000;
  await Promise.all([generator.end(), controller.end()]);
  return [
    {
      what: `the last in step, ${what}`,
      figure: value.spread.max,
      unit: "ms",
      goal: GOAL,
      spread: value.spread,
      health,
      serverCores,
    },
    { what: `clients refused, ${what}`, figure: value.refused, unit: "clients", goal: NONE },
  ];
}
