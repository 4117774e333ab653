/** Sends commands over HTTP at a steady rate, independent of the answers. */

import { arrive } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import type { Target } from "../harness/https-connection.ts";
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
    const pool = await ConnectionPool.open(target, connections);
    const samples = new Samples();
    const dueAtNs: Record<string, number> = {};
    const offsetNs = Number(process.hrtime.bigint()) - performance.now() * 1e6;
    await arrive({ perSecond, seconds }, async (index, dueMs) => {
      const answer = await pool.request(heads[index % heads.length] ?? "");
      samples.add(performance.now() - dueMs);
      const id = /domovoi-command: *(\S+)/i.exec(answer.head)?.[1];
      if (id) dueAtNs[id] = offsetNs + dueMs * 1e6;
    });
    pool.close();
    return { spread: samples.spread(), dueAtNs };
  },
});
