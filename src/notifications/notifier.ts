/**
 * Delivers notifications of programs, of people over the API, and the controller's own alarms. A failed delivery is
 * retried with growing pauses. Only a caller that requests the outcome waits for a delivery.
 *
 * @see docs/notifications.md
 */

import type { Config } from "../config.ts";
import type { Driver, NotificationMessage } from "../drivers/driver.ts";
import type { DriverRegistry } from "../drivers/registry.ts";
import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import type { Profile } from "../profile/profile.ts";
import { type Clock, deadlineIn } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { messageOf } from "../util/message-of.ts";
import { fillText, type TextContext, unknownWords } from "./fill-text.ts";

type NotifierPorts = {
  readonly config: Pick<Config, "notificationsPerMinute" | "notificationsWaitingMax" | "networkTimeoutMs">;
  readonly home: Home;
  readonly profile: Profile;
  readonly drivers: DriverRegistry;
  readonly clock: Clock;
  readonly log: Log;
};

/** `queued`: the first try failed, and it is tried again. */
type Delivery = { readonly outcome: "done" | "queued" | "failed"; readonly detail: string };

/** The program that notifies, and the node that caused its run. */
type Sender = Pick<TextContext, "programId" | "node"> & { readonly name: string };

type Channel = { readonly name: string } & NonNullable<Driver["notifications"]>;

/** Pauses before the second and every later try. */
const RETRIES_MS = [10_000, 60_000, 300_000, 1_800_000] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export class Notifier {
  readonly #ports: NotifierPorts;
  /** Times of the messages of the last minute, over all channels. */
  #recent: number[] = [];
  #waiting = 0;
  /** When each alarm was sent last, by its text. */
  readonly #alarms = new Map<string, number>();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
  }

  /**
   * Sends a program's notification.
   * @param content number of a text of the channel; null: a text about the program
   */
  async notify(recipient: number, content: number | null, sender: Sender): Promise<Delivery> {
    const program = sender.name;
    const all = this.#channels();
    const named = all.filter((channel) => channel.recipient === recipient);
    const channels = named.length > 0 ? named : all.filter((channel) => channel.recipient === 0);
    if (channels.length === 0) {
      this.#ports.log.info("A program notifies.", { recipient, content, program });
      return {
        outcome: "done",
        detail: "It was only logged, because no channel receives it. Add one: domovoi channel add",
      };
    }
    const fallback = `The program "${program}" sent a notification.`;
    const deliveries = await Promise.all(
      channels.map((channel) =>
        this.#deliver(channel, program, channel.contents[String(content ?? "")] ?? fallback, sender),
      ),
    );
    const failed = deliveries.find(({ outcome }) => outcome !== "done");
    return (
      failed ?? { outcome: "done", detail: deliveries.map(({ detail }) => detail).find((each) => each !== "") ?? "" }
    );
  }

  /** Sends a text of a program to one channel. */
  async message(name: string, text: string, sender: Sender): Promise<Delivery> {
    const channel = this.#channels().find((each) => each.name === name);
    if (channel) return this.#deliver(channel, sender.name, text, sender);
    return { outcome: "failed", detail: `There is no notification channel "${name}" that runs.` };
  }

  /** @throws ControllerError CHANNEL_NOT_FOUND, NOTIFICATION_FAILED */
  async send(name: string, subject: string, text: string): Promise<void> {
    const channel = this.#channels().find((each) => each.name === name);
    if (!channel) throw new ControllerError("CHANNEL_NOT_FOUND");
    if (!this.#isWithinRate()) throw new ControllerError("NOTIFICATION_FAILED", TOO_MANY);
    const failure = await this.#try(channel, this.#message(subject, text).message);
    if (failure !== null) throw new ControllerError("NOTIFICATION_FAILED", failure);
  }

  /** Something that the owner must know, such as a full disk; the same one at most once an hour. */
  alarm(text: string): void {
    const nowMs = this.#ports.clock.now();
    for (const [known, atMs] of this.#alarms) if (nowMs - atMs >= HOUR_MS) this.#alarms.delete(known);
    const channels = this.#channels().filter(({ alarms }) => alarms);
    if (channels.length === 0 || this.#alarms.has(text) || this.#alarms.size >= ALARMS_MAX) return;
    this.#alarms.set(text, nowMs);
    for (const channel of channels) void this.#deliver(channel, this.#ports.home.controller.name, text);
  }

  async #deliver(channel: Channel, subject: string, written: string, sender?: Sender): Promise<Delivery> {
    if (!this.#isWithinRate()) return { outcome: "failed", detail: TOO_MANY };
    const { message, unknown } = this.#message(subject, written, sender);
    const failure = await this.#try(channel, message);
    if (failure === null) return { outcome: "done", detail: unknown };
    if (this.#waiting >= this.#ports.config.notificationsWaitingMax) return { outcome: "failed", detail: failure };
    this.#tryLater(channel.name, message, 0);
    return { outcome: "queued", detail: `${failure} It is tried again.` };
  }

  #tryLater(name: string, message: NotificationMessage, turn: number): void {
    const { clock, log } = this.#ports;
    const pauseMs = RETRIES_MS[turn];
    if (pauseMs === undefined) {
      log.warn("A notification could not be delivered and is dropped.", { channel: name, subject: message.subject });
      return;
    }
    this.#waiting += 1;
    clock.setTimer(() => {
      this.#waiting -= 1;
      const channel = this.#channels().find((each) => each.name === name);
      // The channel was removed or stopped meanwhile.
      if (!channel) return;
      void this.#try(channel, message).then((failure) => failure !== null && this.#tryLater(name, message, turn + 1));
    }, pauseMs);
  }

  /** @returns why it failed, or null */
  async #try(channel: Channel, message: NotificationMessage): Promise<string | null> {
    const { clock, config } = this.#ports;
    using deadline = deadlineIn(clock, config.networkTimeoutMs);
    try {
      await channel.deliver(message, deadline.signal);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  #message(subject: string, written: string, sender: Omit<Sender, "name"> = { programId: null, node: null }) {
    const { home, profile, clock } = this.#ports;
    const atMs = clock.now();
    const { text, unknown } = fillText({ home, profile, nowMs: atMs, ...sender }, written);
    const message: NotificationMessage = { subject, text, atMs };
    return { message, unknown: unknownWords(unknown) };
  }

  #isWithinRate(): boolean {
    const { clock, config } = this.#ports;
    const nowMs = clock.now();
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (this.#recent.length >= config.notificationsPerMinute) return false;
    this.#recent.push(nowMs);
    return true;
  }

  #channels(): readonly Channel[] {
    return this.#ports.drivers.list().flatMap(({ driver, state }) => {
      const isRunning = state === "ready" || state === "degraded";
      return isRunning && driver.notifications ? [{ name: driver.name, ...driver.notifications }] : [];
    });
  }
}

const ALARMS_MAX = 100;
const TOO_MANY = "Too many notifications in one minute. Raise the setting notificationsPerMinute if they are meant.";
