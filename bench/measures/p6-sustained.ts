/** P6: reports at a sustained rate, through programs and onto the disk and to clients of the stream; none lost. */

import { join } from "node:path";
import type { FollowInput, SustainedInput, SustainedOutput } from "../generators/sustained.ts";
import type { ForkedChild } from "../harness/children.ts";
import { CommitWatch } from "../harness/commit-watch.ts";
import { checkDisk, DATABASE } from "../harness/disk-check.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { type LineService, startLineService } from "../harness/line-service.ts";
import type { Bench, Goal, Measure, Result } from "../harness/measure.ts";
import { processorSeconds, residentMb } from "../harness/process-figures.ts";
import { HEARTBEAT } from "./p7-fan-out.ts";

export const SUSTAINED_PER_SECOND = 10_000;
const CLIENTS = 10;
/** All of ten minutes must still be there to be looked through. */
const SETTINGS = { journalBytesMax: 8 * 2 ** 30 };
const LAST_COMMIT_MS = 30_000;

export const sustained: Measure = {
  id: "P6",
  title: "sustained reports, durable, to stream clients",
  async run(bench): Promise<Result> {
    const seconds = secondsOf(bench);
    const { service, generator } = await startSustained(bench);
    const watch = new CommitWatch(join(service.dir, DATABASE));
    watch.begin();
    bench.say(`${SUSTAINED_PER_SECOND} reports a second for ${seconds} s`);
    const before = processorSeconds(service.server.pid);
    const input: SustainedInput = { home: USUAL_LINES, perSecond: SUSTAINED_PER_SECOND, seconds };
    const { value, health } = await generator.call<SustainedOutput>("run", input);
    const serverCores = (processorSeconds(service.server.pid) - before) / seconds;
    const memoryMb = residentMb(service.server.pid);
    const { value: lastSeq } = await service.server.call<number>("lastSeq", null);
    await watch.committed(lastSeq, LAST_COMMIT_MS);
    // SIGKILL, so that the disk holds what a crash would leave.
    await service.server.kill();
    await Promise.all([generator.end(), watch.end()]);
    bench.say("looking through the journal");
    const { startNs, reports, seen, unseen } = value;
    const sent = { home: USUAL_LINES, reports, perSecond: SUSTAINED_PER_SECOND, startNs };
    const { committed, lost, wrongValues } = checkDisk(service.dir, sent, watch);
    const atMost = (bound: number): Goal => ({ of: "figure", bound: "at most", value: bound });
    const what = `${SUSTAINED_PER_SECOND.toLocaleString("en")}/s, ${seconds} s`;
    return {
      rows: [
        {
          what: `p99 until on disk, ${what}`,
          figure: committed.p99,
          unit: "ms",
          goal: atMost(50),
          spread: committed,
          health,
          serverCores,
        },
        { what: `p99 until at a client, ${what}`, figure: seen.p99, unit: "ms", goal: atMost(50), spread: seen },
        { what: "lost, on disk", figure: lost + wrongValues, unit: "reports", goal: atMost(0) },
        { what: "lost, at the clients", figure: unseen, unit: "reports", goal: atMost(0) },
        { what: "resident memory at the end", figure: memoryMb, unit: "MB" },
      ],
      notes: [
        `${USUAL_LINES.nodes} nodes, ${USUAL_LINES.programs} programs, ${CLIENTS} clients of /rest/subscribe over TLS; reports come over a TCP connection as in P5, one in 50 starts a program that commands a lamp. Both count from when the report was due in the generator.`,
        "On disk: as another process sees it in the database, looking every 2 ms. After the last commit the service is killed; then every report is looked for in the journal, in order, and the last value of each device in the table of states. Clients count every report, in order.",
        `${watch.commits.length.toLocaleString("en")} commits were seen. The whole promise is 10 minutes: --long.`,
      ],
    };
  },
};

/** The service with its clients and devices, before the first report. */
export async function startSustained(bench: Bench): Promise<{ service: LineService; generator: ForkedChild }> {
  const service = await startLineService(bench, USUAL_LINES, SETTINGS);
  const generator = bench.children.fork("generators/sustained.ts");
  const { local, line } = service.listeners;
  const stream: FollowInput = {
    target: local,
    path: "/rest/subscribe",
    authorization: LOCAL_AUTHORIZATION,
    clients: CLIENTS,
    replayEnd: HEARTBEAT,
  };
  await generator.call("connect", line);
  await generator.call("follow", stream);
  return { service, generator };
}

function secondsOf({ quick, long }: Bench): number {
  if (long) return 600;
  return quick ? 10 : 60;
}
