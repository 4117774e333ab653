/**
 * Delivers notifications of programs, of people over the API, and the controller's own alarms. A failed delivery is
 * retried with growing pauses. Only a caller that requests the outcome waits for a delivery.
 *
 * @see docs/notifications.md
 */

import type { Config } from "../config.ts";
import type { AlertNotice, Channel, NotificationMessage } from "../drivers/channel.ts";
import type { DriverRegistry } from "../drivers/registry.ts";
import type { ServiceStore } from "../drivers/service.ts";
import { ControllerError } from "../errors.ts";
import type { Durability } from "../home/durability.ts";
import type { Home } from "../home/home.ts";
import { fillText, type TextContext, unknownWords } from "../profile/fill-text.ts";
import type { Profile } from "../profile/profile.ts";
import { type Clock, deadlineIn } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { messageOf } from "../util/message-of.ts";
import { createZone, usableZone } from "../util/zone.ts";
import { WaitingNotifications } from "./waiting-notifications.ts";

type NotifierPorts = {
  readonly config: Pick<
    Config,
    | "notificationsPerMinute"
    | "notificationsWaitingMax"
    | "notificationsWaitingPerChannelMax"
    | "notificationWaitLongestMs"
    | "networkTimeoutMs"
  >;
  readonly home: Home;
  readonly profile: Profile;
  readonly drivers: DriverRegistry;
  readonly storeOf: (channel: string) => ServiceStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly durability?: Pick<Durability, "mayAct">;
};

/** `queued`: the first try failed, and it is tried again. */
type Delivery = { readonly outcome: "done" | "queued" | "failed"; readonly detail: string };

/** The program that notifies, and the node that caused its run. */
type Sender = Pick<TextContext, "programId" | "node"> & { readonly name: string };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export class Notifier {
  readonly #ports: NotifierPorts;
  /** Times of the messages of the last minute, over all channels. */
  #recent: number[] = [];
  readonly #waiting: WaitingNotifications;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  /** When each alarm was sent last, by its text. */
  readonly #alarms = new Map<string, number>();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
    this.#waiting = new WaitingNotifications({
      ...ports,
      tryOnce: (name, message) => this.#tryByName(name, message),
      showGivenUp: (name, sentence) => this.#channelNamed(name)?.showFailure(sentence),
    });
  }

  /** From here on it also delivers what the last run left. */
  start(): void {
    this.#waiting.start();
  }

  /** Cuts off the deliveries under way. They are tried again after the next start. */
  async stop(): Promise<void> {
    this.#waiting.stop();
    this.#stopping.abort(new Error("The controller stops."));
    await Promise.all(this.#underWay);
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
    const channel = this.#channelNamed(name);
    if (channel) return this.#deliver(channel, sender.name, text, sender);
    return { outcome: "failed", detail: `There is no notification channel "${name}" that runs.` };
  }

  /** @throws ControllerError CHANNEL_NOT_FOUND, NOTIFICATION_FAILED */
  async send(name: string, subject: string, text: string): Promise<void> {
    const channel = this.#channelNamed(name);
    if (!channel) throw new ControllerError("CHANNEL_NOT_FOUND");
    if (!this.#isWithinRate()) throw new ControllerError("NOTIFICATION_FAILED", TOO_MANY);
    const failure = await this.#try(channel, this.#message(subject, text).message);
    if (failure !== null) throw new ControllerError("NOTIFICATION_FAILED", failure);
  }

  /** One delivery of an alert. Nothing repeats it but its own order. @returns why it failed, or null */
  deliverAlert(channel: string, subject: string, text: string, alert: AlertNotice): Promise<string | null> {
    return this.#tryByName(channel, { subject, text, atMs: this.#ports.clock.now(), alert });
  }

  /** The running channels. */
  channels(): readonly Channel[] {
    return this.#channels();
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
    if (this.#waiting.add(channel.name, message)) return { outcome: "queued", detail: `${failure} ${TRIED_AGAIN}` };
    return { outcome: "failed", detail: `${failure} Too many notifications wait for another try.` };
  }

  async #tryByName(name: string, message: NotificationMessage): Promise<string | null> {
    const channel = this.#channelNamed(name);
    return channel ? this.#try(channel, message) : "the channel does not run.";
  }

  /** @returns why it failed, or null */
  #try(channel: Channel, message: NotificationMessage): Promise<string | null> {
    const trying = this.#deliverOnce(channel, message);
    this.#underWay.add(trying);
    return trying.finally(() => this.#underWay.delete(trying));
  }

  async #deliverOnce(channel: Channel, message: NotificationMessage): Promise<string | null> {
    const { clock, config, durability } = this.#ports;
    using deadline = deadlineIn(clock, config.networkTimeoutMs, new Error("The receiver did not answer in time."));
    try {
      if (durability?.mayAct?.("none") === false) throw new ControllerError("WRITER_UNCONFIRMED");
      const isSilent = message.alert === undefined && this.#isQuiet(channel);
      const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
      await channel.deliver(isSilent ? { ...message, isSilent } : message, signal);
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

  #isQuiet({ quiet }: Channel): boolean {
    if (quiet === "") return false;
    const { home, clock } = this.#ports;
    const { hour, minute } = createZone(usableZone(home.controller.timeZone)).parts(clock.now());
    const two = (value: number) => String(value).padStart(2, "0");
    const [from = "", to = ""] = quiet.split("-");
    const now = `${two(hour)}:${two(minute)}`;
    return from < to ? now >= from && now < to : now >= from || now < to;
  }

  #isWithinRate(): boolean {
    const { clock, config } = this.#ports;
    const nowMs = clock.now();
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (this.#recent.length >= config.notificationsPerMinute) return false;
    this.#recent.push(nowMs);
    return true;
  }

  #channelNamed(name: string): Channel | undefined {
    return this.#channels().find((each) => each.name === name);
  }

  #channels(): readonly Channel[] {
    return this.#ports.drivers.list().flatMap(({ channel, state }) => {
      const isRunning = state === "ready" || state === "degraded";
      return isRunning && channel ? [channel] : [];
    });
  }
}

const ALARMS_MAX = 100;
/** The trace of a program ends before it, perhaps before a restart. */
const TRIED_AGAIN = "It is tried again. The log says whether it was delivered.";
const TOO_MANY = "Too many notifications in one minute. Raise the setting notificationsPerMinute if they are meant.";
