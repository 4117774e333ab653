/** `_1/0`: what a program is doing. Never for program folders: clients know no folder by this event. */

import type { Program } from "../../home/programs.ts";
import type { Zone } from "../../util/zone.ts";
import { statusByte } from "../../wire/program-status.ts";
import { programFrameTime } from "../../wire/times.ts";
import { eventBody, textElement } from "./event.ts";

const SECONDS_1900_TO_1970 = 2_208_988_800;

/** All fields; a time that has not come is left out, so clients keep theirs. */
export function programBody(timestamp: string, program: Program, zone: Zone): string {
  const info =
    frameId(program.id) +
    switches(program) +
    time("r", program.lastRunAtMs, zone) +
    time("f", program.lastFinishAtMs, zone) +
    time("nsr", program.nextRunAtMs, zone) +
    textElement("s", statusByte(program));
  return eventBody({ timestamp, control: "_1", action: 0, info });
}

/** Only the next scheduled run. */
export function nextRunBody(timestamp: string, id: number, nextRunAtMs: number, zone: Zone): string {
  return eventBody({ timestamp, control: "_1", action: 0, info: frameId(id) + time("nsr", nextRunAtMs, zone) });
}

/** `_1/5`: programs wait for other times than before. `node` is the key of the change, as on hardware, and no address. */
export function schedulesBody(
  timestamp: string,
  { seq, atMs }: { readonly seq: number; readonly atMs: number },
): string {
  const seconds = Math.floor(atMs / 1000) + SECONDS_1900_TO_1970;
  const node = [seconds, seq].map((part) => part.toString(16).toUpperCase()).join(".");
  return eventBody({ timestamp, control: "_1", action: 5, node });
}

/** When a program was last seen doing something, or null. */
export function lastActivityMs({ lastRunAtMs, lastFinishAtMs }: Program): number | null {
  if (lastRunAtMs === null) return lastFinishAtMs;
  return Math.max(lastRunAtMs, lastFinishAtMs ?? 0);
}

/** Frames spell the id without the padding that documents give it. */
function frameId(id: number): string {
  return textElement("id", id.toString(16).toUpperCase());
}

function switches({ enabled, runAtStartup }: Program): string {
  return (enabled ? "<on />" : "<off />") + (runAtStartup ? "<rr />" : "<nr />");
}

function time(name: string, atMs: number | null, zone: Zone): string {
  return atMs === null ? "" : textElement(name, programFrameTime(atMs, zone));
}
