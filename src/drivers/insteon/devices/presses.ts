/**
 * Makes one press of the several messages that a device sends about it: a broadcast, its copies by other hops, a cleanup to this
 * modem, a report that all responders answered. Two presses with equal bytes remain two.
 */

import type { Clock } from "../../../util/clock.ts";
import type { DeviceId, DeviceMessage } from "../line/messages.ts";

export type Press = {
  readonly device: DeviceId;
  readonly group: number;
  readonly cmd1: number;
  readonly cmd2: number;
};

type Heard = { readonly key: string; readonly untilMs: number };

/** A copy may travel so long for each hop that the first one had left. */
const COPY_PER_HOP_MS = 183;
/** A cleanup comes so late at most. */
const CLEANUP_MS = 2000;
/** A sensor repeats its heartbeat in a burst. */
const HEARTBEAT_BURST_MS = 30_000;
const HEARTBEAT_GROUP = 4;
const SUCCESS_REPORT = 0x06;

export class PressFilter {
  readonly #clock: Clock;
  /** Messages whose copies may still come. */
  #heard: readonly Heard[] = [];
  /** Broadcasts whose cleanup may still come. */
  #open: readonly Heard[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** null: the message is no press, or repeats one. @param isSensor it sends heartbeats */
  take(message: DeviceMessage, isSensor: boolean): Press | null {
    if (message.type !== "group-broadcast" && message.type !== "cleanup") return null;
    if (message.type === "group-broadcast" && message.cmd1 === SUCCESS_REPORT) return null;
    const nowMs = this.#clock.elapsed();
    this.#heard = this.#heard.filter(({ untilMs }) => untilMs >= nowMs);
    this.#open = this.#open.filter(({ untilMs }) => untilMs >= nowMs);
    if (this.#isCopy(message, nowMs)) return null;
    const { from: device, cmd1, cmd2, to, type } = message;
    const group = (type === "cleanup" ? cmd2 : to[2]) ?? 0;
    const key = `${device} ${group} ${cmd1}`;
    if (type === "cleanup") return this.#closes(key) ? null : { device, group, cmd1, cmd2: 0 };
    if (isSensor && group === HEARTBEAT_GROUP) this.#listen(`${keyOf(message)}`, nowMs + HEARTBEAT_BURST_MS);
    this.#open = [...this.#open, { key, untilMs: nowMs + CLEANUP_MS }];
    return { device, group, cmd1, cmd2 };
  }

  #isCopy(message: DeviceMessage, nowMs: number): boolean {
    const key = keyOf(message);
    if (this.#heard.some((heard) => heard.key === key)) return true;
    this.#listen(key, nowMs + (message.hopsLeft + 1) * COPY_PER_HOP_MS);
    return false;
  }

  #listen(key: string, untilMs: number): void {
    this.#heard = [...this.#heard, { key, untilMs }];
  }

  /** A broadcast takes one cleanup. */
  #closes(key: string): boolean {
    const at = this.#open.findIndex((open) => open.key === key);
    if (at < 0) return false;
    this.#open = this.#open.toSpliced(at, 1);
    return true;
  }
}

/** Copies differ only in their hops. */
function keyOf({ from, to, type, cmd1, cmd2 }: DeviceMessage): string {
  return [from, ...to, type, cmd1, cmd2].join(" ");
}
