/** Installs a package of Debian that a test needs; only where the tests run as root on Debian. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LOCK = join(tmpdir(), "domovoi-test-packages.lock");
const INSTALL = 'test -e "$1" || { apt-get update -qq && apt-get install -y -qq "$2"; }';

/** Of test files that start at once one installs, and the others wait for it. @returns whether the program is there now */
export function installProgram(path: string, packageName: string): boolean {
  if (existsSync(path)) return true;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  execFileSync("flock", [LOCK, "sh", "-c", INSTALL, "sh", path, packageName], options);
  return existsSync(path);
}
