/** A steady rate of commands over HTTP, whatever the answers take. */

import { arrive } from "../harness/arrivals.ts";
import { HttpsConnection, type Target } from "../harness/https-connection.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { serveCalls } from "../harness/worker.ts";

export type CommandsInput = {
  readonly target: Target;
  /** Request heads of the commands, in turn. */
  readonly heads: readonly string[];
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
};
export type CommandsOutput = {
  readonly spread: Spread;
  /** When each command was due, by its id; nanoseconds of the machine's monotonic clock. */
  readonly dueAtNs: Readonly<Record<string, number>>;
};

serveCalls({
  async run({ target, heads, connections, perSecond, seconds }: CommandsInput): Promise<CommandsOutput> {
    const all = Array.from({ length: connections }, () => new HttpsConnection(target));
    await Promise.all(all.map((connection) => connection.opened()));
    const samples = new Samples();
    const dueAtNs: Record<string, number> = {};
    const offsetNs = Number(process.hrtime.bigint()) - performance.now() * 1e6;
    await arrive({ perSecond, seconds }, async (index, dueMs) => {
      // Free ones first; when all are busy the turn of the oldest is waited for, and counted.
      const free = all.find((connection) => !connection.isBusy) ?? all[index % all.length];
      while (free?.isBusy) await new Promise<void>((resolve) => setImmediate(resolve));
      const answer = await free?.request(heads[index % heads.length] ?? "");
      samples.add(performance.now() - dueMs);
      if (answer?.status !== 200) throw new Error(`A command was answered with ${answer?.status}: ${answer?.head}`);
      const id = /domovoi-command: *(\S+)/i.exec(answer.head)?.[1];
      if (id) dueAtNs[id] = offsetNs + dueMs * 1e6;
    });
    for (const connection of all) connection.close();
    return { spread: samples.spread(), dueAtNs };
  },
});
