/** Before the first test: programs of Debian that tests look for while others run, so that all of them see the same machine. */

import { installProgram } from "./debian-package.ts";

const PROGRAMS = [
  ["/usr/bin/bwrap", "bubblewrap"],
  ["/usr/sbin/mosquitto", "mosquitto"],
  ["/usr/lib/postgresql", "postgresql"],
] as const;

export function setup(): void {
  for (const [path, packageName] of PROGRAMS) {
    try {
      installProgram(path, packageName);
    } catch {
      // The tests say what is missing, or leave out what they cannot try without it.
    }
  }
}
