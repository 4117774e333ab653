/** P15: logins, each with a memory-hard hash, while devices report and programs command: what the commands feel. */

import type { SteadyOutput } from "../generators/lines.ts";
import { pause } from "../harness/arrivals.ts";
import { OWNER } from "../harness/homes.ts";
import { requestOnce, type Target } from "../harness/https-connection.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Measure, Result } from "../harness/measure.ts";
import { spreadOf } from "../harness/statistics.ts";
import { REPORTS_PER_SECOND, steady, stop, wholeSteady } from "./p5-report.ts";

const BETWEEN_LOGINS_MS = 500;

export const login: Measure = {
  id: "P15",
  title: "a login while devices report",
  async run(bench): Promise<Result> {
    const service = await startLineService(bench, USUAL_LINES);
    const generator = await startDevices(bench, service.listeners.line);
    const seconds = bench.quick ? 5 : 20;
    await generator.call("steady", steady(2));
    bench.say("reports without logins");
    const before = await wholeSteady(generator.call<SteadyOutput>("steady", steady(seconds)));
    bench.say("reports with logins");
    const crowd = logIn(service.listeners.portal);
    const during = await wholeSteady(generator.call<SteadyOutput>("steady", steady(seconds)));
    const logins = spreadOf(await crowd.end());
    bench.say("reports without logins again");
    const after = await wholeSteady(generator.call<SteadyOutput>("steady", steady(seconds)));
    await Promise.all([generator.end(), stop(service)]);
    // The machine's own mood changes meanwhile, so the calm is taken on both sides of the logins.
    const calm = (before.value.spread.p99 + after.value.spread.p99) / 2;
    return {
      rows: [
        {
          what: "p99 from report to command, more than without logins",
          figure: during.value.spread.p99 - calm,
          unit: "ms",
          goal: { of: "figure", bound: "at most", value: 2 },
          spread: during.value.spread,
          health: during.health,
        },
        { what: "p99 without logins, before and after", figure: calm, unit: "ms", spread: after.value.spread },
        { what: "p50 of a login", figure: logins.p50, unit: "ms", spread: logins },
      ],
      notes: [
        `${REPORTS_PER_SECOND} reports a second as in P5; ${logins.n} logins, one every ${BETWEEN_LOGINS_MS} ms, each over a TLS connection of its own.`,
      ],
    };
  },
};

/** Sends them one after the other. `end` returns the duration of each in milliseconds. */
function logIn(target: Target): { end(): Promise<readonly number[]> } {
  const body = JSON.stringify({ username: OWNER.login, password: OWNER.password });
  const times: number[] = [];
  let isOver = false;
  const all = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      const { status } = await requestOnce(target, { method: "POST", path: "/api/login", body });
      if (status !== 200) throw new Error(`A login was answered with ${status}.`);
      times.push(performance.now() - startMs);
      await pause(Math.max(0, startMs + BETWEEN_LOGINS_MS - performance.now()));
    }
  })();
  return {
    async end() {
      isOver = true;
      await all;
      return times;
    },
  };
}
