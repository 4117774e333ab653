/** Z1: the real Z-Wave driver on a simulated network: a report to a client, a command to a device, a start, memory. */

import type { AirInput, WorkInput, WorkOutput } from "../generators/radio.ts";
import { pause } from "../harness/arrivals.ts";
import { type RunningController, startController } from "../harness/controller.ts";
import { FIRST_ACCOUNTS, LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestOnce } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { residentMb } from "../harness/process-figures.ts";

const DEVICES = 200;
const DEVICES_OF_START = 100;
const PER_SECOND = 20;
/** A frame takes 5 to 15 ms on the air; with none, what is left is ours and the library's. */
const FRAME_MS = 0;
const INTERVIEW_MS = 300_000;
const LOOK_MS = 20;
const SETTLE_MS = 5000;

export const radio: Measure = {
  id: "Z1",
  title: `the Z-Wave driver with ${DEVICES} simulated devices`,
  async run(bench): Promise<Result> {
    const started = await measureStart(bench);
    const air = await openAir(bench, DEVICES);
    const dir = bench.directory("radio");
    bench.say(`${DEVICES} devices are interviewed`);
    const service = await startService(bench, dir, air.url);
    const interviewMs = await untilKnown(service, DEVICES);
    const input: WorkInput = {
      target: service.local,
      authorization: LOCAL_AUTHORIZATION,
      perSecond: PER_SECOND,
      seconds: bench.quick ? 10 : 30,
    };
    await air.child.call("reports", { ...input, seconds: 2 });
    bench.say("reports");
    const reports = await air.child.call<WorkOutput>("reports", input);
    bench.say("commands");
    const commands = await air.child.call<WorkOutput>("commands", input);
    if (reports.value.missing > 0) throw new Error(`${reports.value.missing} reports never reached the client.`);
    if (commands.value.missing > 0) throw new Error(`${commands.value.missing} commands never reached the device.`);
    await pause(SETTLE_MS);
    const withMb = residentMb(service.pid);
    await service.end();
    const again = await startService(bench, dir, air.url);
    await untilTaken(again);
    await pause(SETTLE_MS);
    const againMb = residentMb(again.pid);
    await again.end();
    await air.child.end();
    const without = await startService(bench, bench.directory("no-radio"), "");
    await pause(SETTLE_MS);
    const withoutMb = residentMb(without.pid);
    await without.end();
    return {
      rows: [
        {
          what: "p99 from the device's report to a client's socket",
          figure: reports.value.spread.p99,
          unit: "ms",
          goal: { of: "figure", bound: "at most", value: 8 },
          spread: reports.value.spread,
          health: reports.health,
        },
        {
          what: "p99 of it in the service: from the adapter's port to the client's socket",
          figure: reports.value.ofService.p99,
          unit: "ms",
          spread: reports.value.ofService,
        },
        {
          what: "p99 from a command over HTTP to the device",
          figure: commands.value.spread.p99,
          unit: "ms",
          goal: { of: "figure", bound: "at most", value: 100 },
          spread: commands.value.spread,
          health: commands.health,
        },
        {
          what: "p99 of it in the service: from the request to the adapter's port",
          figure: commands.value.ofService.p99,
          unit: "ms",
          spread: commands.value.ofService,
        },
        {
          what: `start with ${DEVICES_OF_START} interviewed devices, until all are shown as they were last known`,
          figure: started.shownMs,
          unit: "ms",
        },
        {
          what: `start with ${DEVICES_OF_START} interviewed devices, until a command that came at once was taken`,
          figure: started.takenMs,
          unit: "ms",
          goal: { of: "figure", bound: "at most", value: 3000 },
        },
        { what: `first interview of ${DEVICES} devices`, figure: interviewMs, unit: "ms" },
        {
          what: `resident memory after the interview of ${DEVICES} devices`,
          figure: withMb,
          unit: "MB",
          peer: { name: "the same service without a radio", figure: withoutMb },
        },
        { what: `resident memory with ${DEVICES} devices known from before`, figure: againMb, unit: "MB" },
      ],
      notes: [
        `The adapter stands behind a TCP port of another process, frames take ${FRAME_MS} ms on the air, ${PER_SECOND} reports or commands a second. A dimmer of the simulation answers at once; a report of a real one arrives when its own transmission is over.`,
        "A start begins with the process; the library waits 1.25 s of it to find out what kind of adapter it has opened, as it does for a real one.",
      ],
    };
  },
};

async function measureStart(bench: Bench): Promise<{ readonly shownMs: number; readonly takenMs: number }> {
  const air = await openAir(bench, DEVICES_OF_START);
  const dir = bench.directory("radio-start");
  bench.say(`${DEVICES_OF_START} devices are interviewed, then known from before`);
  const first = await startService(bench, dir, air.url);
  await untilKnown(first, DEVICES_OF_START);
  await first.end();
  const beginMs = performance.now();
  const again = await startService(bench, dir, air.url);
  const taken = untilTaken(again);
  await untilKnown(again, DEVICES_OF_START);
  const shownMs = performance.now() - beginMs;
  await taken;
  const takenMs = performance.now() - beginMs;
  await again.end();
  await air.child.end();
  return { shownMs, takenMs };
}

async function openAir(bench: Bench, devices: number) {
  const child = bench.children.fork("generators/radio.ts", { NODE_ENV: "test" });
  const input: AirInput = { devices, frameMs: FRAME_MS };
  const { value: url } = await child.call<string>("open", input);
  return { child, url };
}

function startService({ children }: Bench, dir: string, zwavePort: string): Promise<RunningController> {
  const settings = { demo: false, zwavePort };
  return startController(children, { home: { dir, nodes: 0 }, settings, env: FIRST_ACCOUNTS });
}

/** Waits until every device has reported its state. @returns how long that took. */
async function untilKnown({ local }: RunningController, devices: number): Promise<number> {
  const beginMs = performance.now();
  const path = "/rest/status";
  while (performance.now() - beginMs < INTERVIEW_MS) {
    const { body } = await requestOnce(local, { path, authorization: LOCAL_AUTHORIZATION });
    const known = body.toString("utf8").match(/<property id="ST" value="\d+"/g) ?? [];
    if (known.length >= devices) return performance.now() - beginMs;
    await pause(LOOK_MS * 10);
  }
  throw new Error("The interviews did not end.");
}

/** Until the radio takes a command. */
async function untilTaken({ local }: RunningController): Promise<void> {
  for (;;) {
    const path = "/rest/nodes/ZW002_1/cmd/DON/10/51";
    const { status } = await requestOnce(local, { path, authorization: LOCAL_AUTHORIZATION });
    if (status === 200) return;
    await pause(LOOK_MS);
  }
}
