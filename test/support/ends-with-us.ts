/**
 * Processes that end with the one that runs the tests, also when that is killed, as a worker of a run that bails is: a shell
 * keeps their ids, and kills them when its input ends. A process cannot do that for itself once it is gone.
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

const GUARD = `
ids=" "
while read -r what id; do
  if [ "$what" = begin ]; then ids="$ids$id "; else ids=$(printf %s "$ids" | sed "s/ $id / /"); fi
done
kill -9 $ids 2>/dev/null`;

let guard: Writable | null = null;

export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  guard ??= startGuard();
  guard.write(`begin ${pid}\n`);
  child.once("exit", () => guard?.write(`end ${pid}\n`));
}

function startGuard(): Writable {
  // Not of our process group, so that it outlives a signal to all of it.
  const shell = spawn("sh", ["-c", GUARD], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  shell.unref();
  // A pipe is a socket for Node, which alone must not keep the tests from ending.
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
  return shell.stdin;
}
