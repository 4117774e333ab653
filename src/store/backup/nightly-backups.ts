/** When the nightly backup is made: at an hour of the home's own time; soon after a start that finds the last night missed. */

import type { Config } from "../../config.ts";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, type Timer } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { readSecretFile } from "../../util/secret-file.ts";
import { createZone } from "../../util/zone.ts";
import type { StoredBackups } from "./stored-backups.ts";

type NightlyPorts = {
  readonly config: Pick<Config, "backupHour" | "backupPassphraseFile" | "backupTestDays">;
  readonly clock: Clock;
  readonly log: Log;
  readonly backups: Pick<StoredBackups, "begin" | "settled" | "newestAtMs" | "proveIfDue">;
  /** IANA zone of the home, once it is loaded. */
  readonly timeZone: () => string;
};

/** A start has better things to do first. */
const REST_AFTER_START_MS = 120_000;
/** Longest time between two looks at the clock. */
const WATCH_MS = 600_000;
/** A night that is longer ago was missed. */
const MISSED_AFTER_MS = 25 * HOUR_MS;

export class NightlyBackups {
  readonly #ports: NightlyPorts;
  readonly #abort = new AbortController();
  #timer: Timer | null = null;

  constructor(ports: NightlyPorts) {
    this.#ports = ports;
  }

  start(): void {
    const { config, clock } = this.#ports;
    if (config.backupHour < 0) return;
    this.#timer = clock.setTimer(() => {
      const newest = this.#ports.backups.newestAtMs("nightly");
      if (newest !== null && clock.now() - newest > MISSED_AFTER_MS) void this.#make();
      this.#wait();
    }, REST_AFTER_START_MS);
  }

  stop(): void {
    this.#abort.abort();
    this.#timer?.cancel();
  }

  #wait(): void {
    const { config, clock, timeZone } = this.#ports;
    const due = nextHour(clock.now(), config.backupHour, timeZone());
    const wait = () => {
      const restMs = due - clock.now();
      // The clock may be set meanwhile: far back, the hour is another one; forward, it is over and not missed.
      if (restMs > DAY_MS + HOUR_MS) return this.#wait();
      if (restMs > 0) {
        this.#timer = clock.setTimer(wait, Math.min(restMs, WATCH_MS));
        return;
      }
      void this.#make();
      this.#wait();
    };
    wait();
  }

  async #make(): Promise<void> {
    const { config, backups, log } = this.#ports;
    try {
      const file = config.backupPassphraseFile;
      const { id } = await backups.begin("nightly", file === "" ? null : readSecretFile("passphrase", file), false);
      await backups.settled(id, this.#abort.signal);
      // Not the new one, which was proven just now: one that has lain on the disk.
      if (!this.#abort.signal.aborted) await backups.proveIfDue(config.backupTestDays * DAY_MS, id);
    } catch (error) {
      log.error("The nightly backup could not start. The next try is in the next night.", { error });
    }
  }
}

/** The next instant, later than `nowMs`, at which it is this full hour in the zone; where it is skipped, an hour before. */
export function nextHour(nowMs: number, hour: number, timeZone: string): number {
  const zone = createZone(timeZone);
  const local = nowMs + zone.offsetMinutes(nowMs) * MINUTE_MS;
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  for (const day of [0, 1, 2]) {
    const wanted = midnight + day * DAY_MS + hour * HOUR_MS;
    const guess = wanted - zone.offsetMinutes(nowMs) * MINUTE_MS;
    const dueMs = wanted - zone.offsetMinutes(guess) * MINUTE_MS;
    if (dueMs > nowMs) return dueMs;
  }
  return nowMs + DAY_MS;
}
