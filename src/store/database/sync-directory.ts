/** Makes a rename survive a loss of power. */

import { closeSync, fsyncSync, openSync } from "node:fs";

/** Does nothing where directories cannot be synced (Windows). */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
