/**
 * The tokens of a saved controller, shared by all commands: a refresh token works once, so one command at a time refreshes it. What a
 * version before this one saved, a password, is replaced by tokens with the first login.
 */

import { rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenStore } from "@domovoi/client";
import { CommandFailure } from "../outcome.ts";
import { controllersFile, readSavedControllers, writeSavedControllers } from "./saved-controllers.ts";

const POLL_MS = 50;
/** Longer than a login may take: the command that locked the file has been killed. */
const STALE_MS = 60_000;

export function savedLogin(name: string): TokenStore {
  return {
    read: () => readSavedControllers().controllers.get(name)?.tokens ?? null,
    write(tokens) {
      const { chosen, controllers } = readSavedControllers();
      const saved = controllers.get(name);
      // It was removed meanwhile.
      if (!saved) return;
      const { password: _before, ...rest } = saved;
      writeSavedControllers({ chosen, controllers: new Map(controllers).set(name, { ...rest, tokens }) });
    },
    async exclusively(work) {
      const lock = `${controllersFile()}.lock`;
      while (!tryLock(lock)) await sleep(POLL_MS);
      try {
        return await work();
      } finally {
        rmSync(lock, { force: true });
      }
    },
  };
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST")
      throw new CommandFailure("credentials", `The file ${lock} cannot be written.`, cause);
  }
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > STALE_MS) rmSync(lock, { force: true });
  return false;
}
