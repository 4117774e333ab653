/** Delivers what the rule wants. What is to go out is on disk before it goes, with the hashes of the tokens in it. */

import { delay } from "../../util/clock.ts";
import type { AlertNotice } from "../channel.ts";
import type { DriverHost } from "../driver.ts";
import { type AlertBook, type AlertRecord, addressOf, hashOfToken, type OpenAlert, type Token } from "./alert-book.ts";
import type { AlertWorld, Recipient } from "./alert-world.ts";
import type { Delivery } from "./rule.ts";

type Parts = {
  readonly host: DriverHost;
  readonly book: AlertBook;
  readonly world: AlertWorld;
  readonly deliveriesPerMinute: number;
  readonly stopping: AbortSignal;
  /** The first delivery of the alert is over. */
  readonly delivered: (number: number, reached: number) => void;
};

const TOKEN_BYTES = 24;
const TOKENS_MAX = 100;
const TOLD_MAX = 100;
const MINUTE_MS = 60_000;
/** A disk that does not answer must not keep an alert from being delivered. */
const STORED_MAX_MS = 2000;
const TOO_MANY = "Too many deliveries of alerts in one minute (alertDeliveriesPerMinute).";

export class AlertDeliveries {
  readonly #parts: Parts;
  /** Numbers of alerts with a delivery under way. */
  readonly #working = new Set<number>();
  /** Times of the deliveries of the last minute. */
  #recent: number[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Carries out the deliveries of an alert, one after the other. */
  work(number: number): void {
    if (this.#working.has(number)) return;
    this.#working.add(number);
    void this.#deliverAll(number).finally(() => this.#working.delete(number));
  }

  /** On disk, or the disk does not take it in time. */
  async stored(): Promise<void> {
    const { host, stopping } = this.#parts;
    const saved = host.store.saved().catch((error: unknown) => {
      host.log.warn("The state of an alert is not on disk. It is delivered all the same.", { error });
    });
    await Promise.race([saved, delay(host.clock, STORED_MAX_MS, stopping).catch(() => {})]);
  }

  async #deliverAll(number: number): Promise<void> {
    const { book, host, stopping, delivered } = this.#parts;
    for (;;) {
      const record = book.get(number);
      const open = book.open(number);
      const delivery = open?.state.deliveries[0];
      if (!record || !open || !delivery) return;
      const reached = await this.#deliver(record, open, delivery).catch((error: unknown) => {
        host.log.error("An alert could not be delivered.", { alert: record.name, error });
        return 0;
      });
      // After a stop in its midst the next start repeats it.
      if (stopping.aborted) return;
      delivered(number, reached);
    }
  }

  /** @returns how many it reached */
  async #deliver(record: AlertRecord, open: OpenAlert, delivery: Delivery): Promise<number> {
    const { world, book, host, stopping } = this.#parts;
    const isOpen = delivery.kind === "step" || delivery.kind === "arrival";
    const meant = this.#meant(open, delivery);
    const secrets = meant.map(() => (isOpen ? host.randomness.bytes(TOKEN_BYTES).toString("base64url") : ""));
    const atMs = host.clock.now();
    if (isOpen) {
      const made = meant.map(
        (each, at): Token => ({ hash: hashOfToken(secrets[at] ?? ""), ...each, buttons: record.buttons, atMs }),
      );
      book.putOpen(record.number, { ...open, tokens: [...open.tokens, ...made].slice(-TOKENS_MAX) });
    }
    await this.stored();
    if (stopping.aborted) return 0;
    const outcomes = await Promise.all(
      meant.map(({ channel, accountId }, at) => {
        if (!this.#isWithinRate()) return TOO_MANY;
        const notice = this.#noticeOf(record, isOpen ? { token: secrets[at] ?? "", accountId } : null);
        return world.deliver(channel, book.nameOf(record), sentenceOf(open, delivery), notice);
      }),
    );
    const now = book.open(record.number);
    if (now && isOpen) {
      const told = meant.map(({ channel }, at) => ({ channel, atMs, failure: outcomes[at] ?? "" }));
      const others = now.told.filter((each) => !told.some(({ channel }) => channel === each.channel));
      book.putOpen(record.number, { ...now, told: [...others, ...told].slice(-TOLD_MAX) });
    }
    return outcomes.filter((failure) => failure === null).length;
  }

  #meant({ told }: OpenAlert, delivery: Delivery): readonly Recipient[] {
    const { world } = this.#parts;
    const reached = new Set(told.filter(({ failure }) => failure === "").map(({ channel }) => channel));
    switch (delivery.kind) {
      case "step":
        return world.reach(delivery.who);
      case "arrival":
        return world.reach(delivery.who).filter(({ channel }) => !reached.has(channel));
      case "confirmed":
      case "over":
        return [...reached].map((channel) => ({ channel, accountId: null }));
    }
  }

  /** @param asked null: there is nothing to answer */
  #noticeOf(
    record: AlertRecord,
    asked: { readonly token: string; readonly accountId: string | null } | null,
  ): AlertNotice {
    return {
      tag: addressOf(record),
      urgency: asked ? record.urgency : "low",
      token: asked?.token ?? "",
      buttons: asked && asked.accountId !== null ? record.buttons.map(({ label }) => label) : [],
      pageUrl: asked ? this.#parts.world.pageUrl() : "",
    };
  }

  #isWithinRate(): boolean {
    const { host, deliveriesPerMinute } = this.#parts;
    const nowMs = host.clock.elapsed();
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (this.#recent.length >= deliveriesPerMinute) return false;
    this.#recent.push(nowMs);
    return true;
  }
}

function sentenceOf(open: OpenAlert, { kind }: Delivery): string {
  switch (kind) {
    case "step":
    case "arrival":
      return open.text;
    case "confirmed": {
      const { by = "" } = open.state.answer ?? {};
      return `Confirmed${by === "" ? "" : ` by ${by}`}${open.effect ? `: ${open.effect.label}` : ""}.`;
    }
    case "over":
      return "It is over.";
  }
}
