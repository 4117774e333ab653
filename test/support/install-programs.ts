/** Before the first test: programs of Debian that tests look for while others run, so that all of them see the same machine. */

import { installProgram } from "./debian-package.ts";

export function setup(): void {
  try {
    installProgram("/usr/bin/bwrap", "bubblewrap");
    installProgram("/usr/sbin/mosquitto", "mosquitto");
  } catch {
    // Without them, the tests of the sandbox are left out, and the brokers of tests know version 3.1.1 only.
  }
}
