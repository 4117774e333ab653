/**
 * A file that holds space on the disk. When the disk is full, the file is removed, so that the home can go on writing while its
 * owner makes room. It is made again as soon as there is plenty.
 */

import { existsSync, rmSync, statfsSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";

type ReservePorts = { readonly path: string; readonly bytes: number; readonly clock: Clock; readonly log: Log };

const AFTER_START_MS = 60_000;
const EVERY_MS = 3_600_000;
/**
 * The reserve is recreated only with this many times its size free, because otherwise it would soon be released
 * again.
 */
const FREE_FACTOR = 4;

export class DiskReserve {
  readonly #ports: ReservePorts;
  #timer: Timer | null = null;

  constructor(ports: ReservePorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#wait(AFTER_START_MS);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Call when the disk is full. @returns whether there is more space now. Never throws. */
  giveUp(): boolean {
    const { path, bytes, log } = this.#ports;
    try {
      if (!existsSync(path)) return false;
      rmSync(path);
    } catch {
      return false;
    }
    log.error("The disk is full. The controller gave up its reserve to go on. Make room on the disk.", { bytes });
    return true;
  }

  #wait(delayMs: number): void {
    this.#timer = this.#ports.clock.setTimer(() => {
      this.#wait(EVERY_MS);
      void this.#make();
    }, delayMs);
  }

  async #make(): Promise<void> {
    const { path, bytes } = this.#ports;
    try {
      if (bytes === 0 || existsSync(path)) return;
      const { bavail, bsize } = statfsSync(dirname(path));
      if (bavail * bsize < FREE_FACTOR * bytes) return;
      await using file = await open(path, "wx", 0o600);
      await file.writeFile(Buffer.alloc(bytes, "reserve "));
      await file.sync();
    } catch {
      // Without a reserve the home is as safe as before; the next hour tries again.
      rmSync(path, { force: true });
    }
  }
}
