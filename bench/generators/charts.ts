/** A page that asks for charts of many nodes, each of a year, at a steady rate. */

import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { HttpsConnection, requestHead, type Target } from "../harness/https-connection.ts";
import { serveCalls } from "../harness/worker.ts";

export type ChartsInput = {
  readonly target: Target;
  readonly authorization: string;
  /** Paths of the nodes' properties, asked in turn. */
  readonly paths: readonly string[];
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly points: number;
  readonly everyMs: number;
  readonly durationMs: number;
};

/** The browser that draws the charts runs on another machine. Here it shares one, so it gets a lower priority than the service. */
setPriority(process.pid, 10);

serveCalls({ ask });

/** @returns the milliseconds of each chart. */
async function ask({ target, authorization, paths, durationMs, everyMs, ...span }: ChartsInput): Promise<number[]> {
  const connection = new HttpsConnection(target);
  await connection.opened();
  const times: number[] = [];
  const endMs = performance.now() + durationMs;
  for (let at = 0; performance.now() < endMs; at += 1) {
    const path = `${paths[at % paths.length]}?from=${span.from}&to=${span.to}&points=${span.points}`;
    const startMs = performance.now();
    const { status, body } = await connection.request(requestHead({ path, authorization }), { keep: true });
    const tookMs = performance.now() - startMs;
    const count = (body.toString().match(/"mean"/g) ?? []).length;
    if (status !== 200 || count !== span.points)
      throw new Error(`A chart was answered ${status} with ${count} points.`);
    times.push(tookMs);
    await pause(Math.max(0, everyMs - tookMs));
  }
  connection.close();
  return times;
}
