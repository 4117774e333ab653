/** `_1/0`: what a program or a program folder is doing. */

import type { ProgramEntry } from "../../home/programs.ts";
import type { Zone } from "../../util/zone.ts";
import { statusByte } from "../../wire/program-status.ts";
import { programFrameTime } from "../../wire/times.ts";
import { eventTail, textElement } from "./event.ts";

/** Everything; a time that has not come is left out, which tells clients nothing about it. */
export function programTail(timestamp: string, entry: ProgramEntry, zone: Zone): string {
  const info =
    frameId(entry.id) +
    switches(entry) +
    time("r", entry.lastRunAtMs, zone) +
    time("f", entry.lastFinishAtMs, zone) +
    time("nsr", entry.nextRunAtMs, zone) +
    textElement("s", statusByte(entry));
  return eventTail({ timestamp, control: "_1", action: 0, info });
}

/** Only the next scheduled run. */
export function nextRunTail(timestamp: string, id: number, nextRunAtMs: number, zone: Zone): string {
  return eventTail({ timestamp, control: "_1", action: 0, info: frameId(id) + time("nsr", nextRunAtMs, zone) });
}

/** When a program was last seen doing something, or null. */
export function lastActivityMs(entry: ProgramEntry): number | null {
  if (entry.lastRunAtMs === null) return entry.lastFinishAtMs;
  return Math.max(entry.lastRunAtMs, entry.lastFinishAtMs ?? 0);
}

/** Frames spell the id without the padding that documents give it. */
function frameId(id: number): string {
  return textElement("id", id.toString(16).toUpperCase());
}

/** Enabled and run at startup; folders have neither. */
function switches(entry: ProgramEntry): string {
  if (entry.kind === "folder") return "";
  return (entry.enabled ? "<on />" : "<off />") + (entry.runAtStartup ? "<rr />" : "<nr />");
}

function time(name: string, atMs: number | null, zone: Zone): string {
  return atMs === null ? "" : textElement(name, programFrameTime(atMs, zone));
}
