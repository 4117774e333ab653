/**
 * Checks every ten minutes whether something fills up and whether the clock was set. An error in the log alarms the
 * owner.
 */

import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Health, HealthReason } from "./health.ts";

const PERIOD_MS = 600_000;
/** A clock that is set by less disturbs no schedule that people notice. */
const JUMP_MS = 60_000;
/** The others stand in the log already when they begin. */
const ALARMS: ReadonlySet<HealthReason["code"]> = new Set([
  "DISK_LOW",
  "MEMORY_HIGH",
  "CERTIFICATE_ENDING",
  "CLOCK_WRONG",
  "CLOCK_UNSYNCHRONIZED",
]);

type WatchPorts = { readonly clock: Clock; readonly log: Log; readonly health: Pick<Health, "report"> };

export class HealthWatch {
  readonly #ports: WatchPorts;
  #timer: Timer | null = null;
  #lastAheadMs: number;
  #alarmed: ReadonlySet<string> = new Set();

  constructor(ports: WatchPorts) {
    this.#ports = ports;
    this.#lastAheadMs = this.#aheadMs();
  }

  start(): void {
    this.#timer = this.#ports.clock.setTimer(() => {
      this.#lookAtClock();
      void this.#lookAtHealth();
      this.start();
    }, PERIOD_MS);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** How far the time of day is ahead of the time that has passed: another number when the clock was set. */
  #aheadMs(): number {
    const { clock } = this.#ports;
    return clock.now() - clock.elapsed();
  }

  #lookAtClock(): void {
    const aheadMs = this.#aheadMs();
    const jumpMs = aheadMs - this.#lastAheadMs;
    this.#lastAheadMs = aheadMs;
    if (Math.abs(jumpMs) < JUMP_MS) return;
    const how = jumpMs > 0 ? "forward" : "back";
    const sentence = `The clock of the machine was set ${how} by ${inWords(Math.abs(jumpMs))}, or the machine was asleep. Schedules follow it.`;
    this.#ports.log.error(sentence, { jumpMs: Math.round(jumpMs) });
  }

  async #lookAtHealth(): Promise<void> {
    const { reasons } = await this.#ports.health.report();
    const now = reasons.filter(({ code }) => ALARMS.has(code));
    for (const { code, detail } of now) if (!this.#alarmed.has(code)) this.#ports.log.error(detail, { kind: code });
    this.#alarmed = new Set(now.map(({ code }) => code));
  }
}

const UNITS = [
  { unit: "days", ms: 86_400_000 },
  { unit: "hours", ms: 3_600_000 },
  { unit: "minutes", ms: 60_000 },
] as const;

/** The duration in the largest unit of which it has at least two. */
function inWords(spanMs: number): string {
  const { unit, ms } = UNITS.find((each) => spanMs >= 2 * each.ms) ?? UNITS[2];
  return `${Math.round(spanMs / ms)} ${unit}`;
}
