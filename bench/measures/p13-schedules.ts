/** P13: how late programs are that a moment starts, when nothing else happens and under the load of P6; and never early. */

import type { SustainedInput, SustainedOutput } from "../generators/sustained.ts";
import type { ForkedChild } from "../harness/children.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Bench, Goal, Measure, Result, Row } from "../harness/measure.ts";
import type { Health } from "../harness/own-health.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import type { ScheduleInput } from "../servers/line-controller.ts";
import { SUSTAINED_PER_SECOND, startSustained } from "./p6-sustained.ts";

const PER_SECOND = 4;
/** Until the first of them, in which the load begins. */
const LEAD_S = 4;
const LAST_MS = 1000;

type Lateness = { readonly spread: Spread; readonly early: number; readonly health?: Health };

export const schedules: Measure = {
  id: "P13",
  title: "programs that a moment starts: how late",
  async run(bench): Promise<Result> {
    bench.say("schedules of an idle home");
    const idle = await measureIdle(bench);
    bench.say(`schedules under ${SUSTAINED_PER_SECOND} reports a second`);
    const loaded = await measureLoaded(bench);
    return {
      rows: [
        row("most late, idle", idle, 20),
        row(`most late, under ${SUSTAINED_PER_SECOND.toLocaleString("en")} reports/s`, loaded, 100),
        { what: "early", figure: idle.early + loaded.early, unit: "commands", goal: atMost(0) },
      ],
      notes: [
        `${PER_SECOND} programs "if time is …" fall due in each second, beside ${USUAL_LINES.programs} others; counted from the moment that the program names to its command at the device, at the other end of a TCP connection, by the clock on the wall, in whole milliseconds.`,
      ],
    };
  },
};

async function measureIdle(bench: Bench): Promise<Lateness> {
  const { server, listeners } = await startLineService(bench, USUAL_LINES);
  const generator = await startDevices(bench, listeners.line);
  const { value: dueMs } = await server.call<readonly number[]>("schedule", scheduleOf(bench));
  const { health } = await generator.call("rest", endOf(dueMs) - Date.now());
  const lateness = await compare(generator, dueMs);
  await Promise.all([generator.end(), server.end()]);
  return { ...lateness, health };
}

async function measureLoaded(bench: Bench): Promise<Lateness> {
  const { service, generator } = await startSustained(bench);
  const devices = await startDevices(bench, service.listeners.line);
  const { value: dueMs } = await service.server.call<readonly number[]>("schedule", scheduleOf(bench));
  const seconds = Math.ceil((endOf(dueMs) - Date.now()) / 1000);
  const input: SustainedInput = { home: USUAL_LINES, perSecond: SUSTAINED_PER_SECOND, seconds };
  const { health } = await generator.call<SustainedOutput>("run", input);
  const lateness = await compare(devices, dueMs);
  await Promise.all([generator.end(), devices.end(), service.server.end()]);
  return { ...lateness, health };
}

function scheduleOf({ quick }: Bench): ScheduleInput {
  return { count: quick ? 20 : 100, perSecond: PER_SECOND, inS: LEAD_S };
}

function endOf(dueMs: readonly number[]): number {
  return Math.max(...dueMs) + LAST_MS;
}

/** @throws Error when a program never ran. */
async function compare(generator: ForkedChild, dueMs: readonly number[]): Promise<Lateness> {
  const { value: commandedAtMs } = await generator.call<Readonly<Record<string, number>>>("commandedAt", null);
  const late = dueMs.map((due, index) => (commandedAtMs[`m${index}`] ?? Number.NaN) - due);
  const never = late.filter(Number.isNaN).length;
  if (never > 0) throw new Error(`${never} of ${late.length} programs did not run in their second.`);
  return { spread: spreadOf(late), early: late.filter((ms) => ms < 0).length };
}

function row(what: string, { spread, health }: Lateness, goal: number): Row {
  return { what, figure: spread.max, unit: "ms", goal: atMost(goal), spread, ...(health ? { health } : {}) };
}

function atMost(value: number): Goal {
  return { of: "figure", bound: "at most", value };
}
