/** Installs a package of Debian that a test needs; only where the tests run as root on Debian. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** @returns whether the program is there now */
export function installProgram(path: string, packageName: string): boolean {
  if (existsSync(path)) return true;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  execFileSync("apt-get", ["update", "-qq"], options);
  execFileSync("apt-get", ["install", "-y", "-qq", packageName], options);
  return existsSync(path);
}
