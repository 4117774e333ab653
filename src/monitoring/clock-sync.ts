/** Whether the machine's clock follows a time server, as systemd knows it of any time service; read at most once an hour. */

import { execFile } from "node:child_process";
import type { Clock } from "../util/clock.ts";

/** null: unknown, such as in a container. */
export type ReadClockSync = () => Promise<boolean | null>;

const READ_AGAIN_MS = 3_600_000;
/** After a boot the time service needs a while. */
const FIRST_AFTER_MS = 600_000;
const TIMEOUT_MS = 5000;

export class ClockSyncReader {
  readonly #ask: ReadClockSync;
  readonly #clock: Clock;
  #dueAtMs: number;
  #latest: Promise<boolean | null> = Promise.resolve(null);

  constructor(ask: ReadClockSync, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
    this.#dueAtMs = clock.elapsed() + FIRST_AFTER_MS;
  }

  read(): Promise<boolean | null> {
    if (this.#clock.elapsed() >= this.#dueAtMs) {
      this.#dueAtMs = this.#clock.elapsed() + READ_AGAIN_MS;
      this.#latest = this.#ask().catch(() => null);
    }
    return this.#latest;
  }
}

export const readSystemClockSync: ReadClockSync = () =>
  new Promise((resolve) => {
    const args = ["show", "--property=NTPSynchronized", "--value"];
    execFile("timedatectl", args, { timeout: TIMEOUT_MS }, (error, stdout) => {
      const answer = stdout.trim();
      resolve(error || (answer !== "yes" && answer !== "no") ? null : answer === "yes");
    });
  });
