/** The state of a program on the wire: the status byte of frames and the words of documents. */

import type { Program, ProgramEntry, RunState } from "../home/programs.ts";

/**
 * Two hex digits: high nibble 1 unknown (a folder before its first evaluation), 2 true, 3 false, F not loaded; low nibble 1 idle, 2 running Then, 3 running Else.
 */
export function statusByte(entry: ProgramEntry): string {
  const running: RunState = entry.kind === "program" ? entry.running : "idle";
  const low = { idle: "1", then: "2", else: "3" }[running];
  if (entry.kind === "program" && entry.invalid !== null) return "F1";
  const high = entry.status === null ? "1" : entry.status ? "2" : "3";
  return `${high}${low}`;
}

/** `idle`, `running then`, `running else`: the spelling of `/api/programs`. */
export function runningWords({ running }: Program): "idle" | "running then" | "running else" {
  return running === "idle" ? "idle" : `running ${running}`;
}
