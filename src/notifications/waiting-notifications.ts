/**
 * Notifications whose delivery failed and is tried again, also after a restart of the controller. They are stored with their channel,
 * without its address and tokens, and are in no backup. A notification that is given up is logged and shown as the state of its channel.
 *
 * @see docs/notifications.md
 */

import type { Config } from "../config.ts";
import type { NotificationMessage } from "../drivers/channel.ts";
import type { ServiceStore } from "../drivers/service.ts";
import type { Home } from "../home/home.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";

type WaitingPorts = {
  readonly config: Pick<
    Config,
    "notificationsWaitingMax" | "notificationsWaitingPerChannelMax" | "notificationWaitLongestMs"
  >;
  readonly home: Home;
  readonly storeOf: (channel: string) => ServiceStore;
  readonly clock: Clock;
  readonly log: Log;
  /** @returns why it failed, or null */
  readonly tryOnce: (channel: string, message: NotificationMessage) => Promise<string | null>;
  readonly showGivenUp: (channel: string, sentence: string) => void;
};

/** `turn`: index of the pause before the next try. */
type Waiting = {
  readonly channel: string;
  readonly key: string;
  readonly message: NotificationMessage;
  readonly turn: number;
  readonly dueMs: number;
};

/** Pauses before the second and every later try. */
const RETRIES_MS = [10_000, 60_000, 300_000, 1_800_000] as const;
/** Keys with this prefix are in no backup: a restored home must not deliver them again. */
const KEY = /^waiting (\d{1,15})$/;

export class WaitingNotifications {
  readonly #ports: WaitingPorts;
  readonly #timers = new Map<Waiting, Timer>();
  /** Of each channel, those under way included. */
  readonly #counts = new Map<string, number>();
  #lastNumber = 0;
  #isStopped = false;

  constructor(ports: WaitingPorts) {
    this.#ports = ports;
  }

  /** Takes up what the last run of the controller left. */
  start(): void {
    const { home, storeOf, clock, config } = this.#ports;
    for (const channel of home.integrations.keys()) {
      const store = storeOf(channel);
      for (const key of store.keys().filter((each) => KEY.test(each))) {
        this.#lastNumber = Math.max(this.#lastNumber, Number(KEY.exec(key)?.[1]));
        const waiting = readWaiting(channel, key, store.get(key));
        if (!waiting) {
          store.delete(key);
          continue;
        }
        this.#count(channel, 1);
        const isLate = clock.now() - waiting.message.atMs > config.notificationWaitLongestMs;
        if (isLate) this.#giveUp(waiting, "it waited too long while the controller was not running.");
        else this.#plan(waiting);
      }
    }
  }

  /** Keeps what waits for the next start. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** @returns false when too many wait */
  add(channel: string, message: NotificationMessage): boolean {
    const { config, clock } = this.#ports;
    const all = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (all >= config.notificationsWaitingMax) return false;
    if ((this.#counts.get(channel) ?? 0) >= config.notificationsWaitingPerChannelMax) return false;
    this.#lastNumber += 1;
    this.#count(channel, 1);
    const dueMs = clock.now() + RETRIES_MS[0];
    this.#wait({ channel, key: `waiting ${this.#lastNumber}`, message, turn: 0, dueMs });
    return true;
  }

  #wait(waiting: Waiting): void {
    const { channel, key, message, turn, dueMs } = waiting;
    this.#ports.storeOf(channel).set(key, { message, turn, dueMs });
    this.#plan(waiting);
  }

  #plan(waiting: Waiting): void {
    if (this.#isStopped) return;
    const { clock } = this.#ports;
    // A clock that was set back must not make it wait longer than its pause.
    const pauseMs = Math.min(Math.max(0, waiting.dueMs - clock.now()), RETRIES_MS[waiting.turn] ?? 0);
    const timer = clock.setTimer(() => {
      this.#timers.delete(waiting);
      void this.#tryAgain(waiting);
    }, pauseMs);
    this.#timers.set(waiting, timer);
  }

  async #tryAgain(waiting: Waiting): Promise<void> {
    const { home, clock, tryOnce } = this.#ports;
    const { channel, message } = waiting;
    if (!home.integrations.has(channel)) return this.#giveUp(waiting, "the channel was removed.");
    const failure = await tryOnce(channel, message);
    if (failure === null) return this.#delivered(waiting);
    // Cut off by the end of the controller, it is tried after the next start.
    if (this.#isStopped) return;
    const turn = waiting.turn + 1;
    const pauseMs = RETRIES_MS[turn];
    if (pauseMs === undefined) this.#giveUp(waiting, failure);
    else this.#wait({ ...waiting, turn, dueMs: clock.now() + pauseMs });
  }

  #delivered(waiting: Waiting): void {
    this.#forget(waiting);
    const { channel, message } = waiting;
    const written = new Date(message.atMs).toISOString();
    this.#ports.log.info("A notification was delivered after another try.", {
      channel,
      subject: message.subject,
      written,
    });
  }

  #giveUp(waiting: Waiting, reason: string): void {
    const { log, showGivenUp } = this.#ports;
    const { channel, message } = waiting;
    this.#forget(waiting);
    log.warn("A notification could not be delivered and is dropped.", { channel, subject: message.subject, reason });
    showGivenUp(channel, `The notification of ${new Date(message.atMs).toISOString()} was dropped: ${reason}`);
  }

  #forget({ channel, key }: Waiting): void {
    this.#ports.storeOf(channel).delete(key);
    this.#count(channel, -1);
  }

  #count(channel: string, by: 1 | -1): void {
    const count = (this.#counts.get(channel) ?? 0) + by;
    if (count > 0) this.#counts.set(channel, count);
    else this.#counts.delete(channel);
  }
}

/** null: not of this version. */
function readWaiting(channel: string, key: string, stored: unknown): Waiting | null {
  const { message, turn, dueMs } = (stored ?? {}) as Partial<Waiting>;
  if (typeof turn !== "number" || typeof dueMs !== "number" || typeof message?.text !== "string") return null;
  return typeof message.atMs === "number" && RETRIES_MS[turn] ? { channel, key, message, turn, dueMs } : null;
}
