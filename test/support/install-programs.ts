/** Before the first test: programs of Debian that tests look for while others run, so that all of them see the same machine. */

import { findBrowser } from "../page/browser.ts";
import { installProgram } from "./debian-package.ts";

const PROGRAMS = [
  ["/usr/bin/bwrap", "bubblewrap"],
  ["/usr/sbin/mosquitto", "mosquitto"],
  ["/usr/lib/postgresql", "postgresql"],
] as const;

export function setup(): void {
  for (const [path, packageName] of PROGRAMS) tryTo(() => installProgram(path, packageName));
  tryTo(findBrowser);
}

/** The tests say what is missing, or leave out what they cannot try without it. */
function tryTo(find: () => unknown): void {
  try {
    find();
  } catch {}
}
