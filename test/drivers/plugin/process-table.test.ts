/** How much CPU time the processes of a plugin used between two readings of the process table. */

import { expect, test } from "vitest";
import { cpuMsBetween, type ProcessFigures } from "../../../src/drivers/plugin/process-table.ts";

const at = (pid: number, cpuMs: number, endedCpuMs = 0): ProcessFigures => ({
  ...{ pid, cpuMs, endedCpuMs, memoryBytes: 0, openFiles: 0, writtenBytes: 0 },
});

test.each<readonly [string, readonly ProcessFigures[], readonly ProcessFigures[], number]>([
  ["a process that computes", [at(1, 100)], [at(1, 250)], 150],
  ["a child that lives", [at(1, 100)], [at(1, 100), at(2, 70)], 70],
  ["a child that ended, and whose parent waited for it", [at(1, 100), at(2, 70)], [at(1, 110, 90)], 30],
  ["a child that nobody waited for", [at(1, 100), at(2, 5000)], [at(1, 110)], 10],
  ["a child that came and ended in between", [at(1, 100)], [at(1, 100, 400)], 400],
  ["nothing left", [at(1, 100), at(2, 5000)], [], 0],
])("%s", (_name, before, now, used) => {
  expect(cpuMsBetween(before, now)).toBe(used);
});
