/** Whether this machine has bubblewrap and permits it; plugins then run in a sandbox also in tests. */

import { spawnSync } from "node:child_process";

export const hasSandbox =
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]).status === 0;

/** bubblewrap itself and the first process in its sandbox. */
export const SANDBOX_PROCESSES = hasSandbox ? 2 : 0;
