/** Requests to the bridge and their answers, and what it tells of joining devices. */

import { foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { randomId } from "../../util/randomness.ts";
import type { DriverHost } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import { withDeadline } from "./with-deadline.ts";

/** Those of the bridge, and `closed`: no device can join any more. */
export type BridgeEvent = {
  readonly type: string;
  readonly ieee: string;
  readonly name: string;
  readonly status: string;
};

const NOTHING = { ieee: "", name: "", status: "" } as const;
const ANSWER_MS = 30_000;
/** Of the bridge: it holds the schema of its configuration. */
const INFO_BYTES_MAX = 524_288;

export class BridgeRequests {
  readonly #host: Pick<DriverHost, "randomness" | "clock">;
  readonly #publish: (path: string, message: Message) => void;
  readonly #open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  #listener: ((event: BridgeEvent) => void) | null = null;

  constructor(host: Pick<DriverHost, "randomness" | "clock">, publish: (path: string, message: Message) => void) {
    this.#host = host;
    this.#publish = publish;
  }

  /** Resolves when the bridge has done it. @throws Error with the bridge's sentence or why there is none, or the signal's reason */
  async send(path: string, message: Message, signal: AbortSignal, answerMs = ANSWER_MS): Promise<void> {
    const transaction = randomId(this.#host.randomness);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#open.set(transaction, { resolve, reject });
    this.#publish(path, { ...message, transaction });
    try {
      await withDeadline(this.#host.clock, promise, answerMs, "Zigbee2MQTT does not answer. Is it running?", signal);
    } finally {
      this.#open.delete(transaction);
    }
  }

  answer({ transaction, status, error }: Message): void {
    const open = this.#open.get(foreignText(transaction));
    if (status === "ok") open?.resolve();
    else open?.reject(new Error(`Zigbee2MQTT refused it: ${foreignText(error, 300)}`));
  }

  event({ type, data }: Message): BridgeEvent {
    const { ieee_address, friendly_name, status } = (typeof data === "object" && data !== null ? data : {}) as Message;
    const text = (value: unknown) => foreignText(value, 300);
    const event = { type: text(type), ieee: text(ieee_address), name: text(friendly_name), status: text(status) };
    this.#listener?.(event);
    return event;
  }

  /** The bridge tells this whenever its network is opened or closed, and at other times. */
  info(payload: Buffer): void {
    if (!this.#listener || payload.length > INFO_BYTES_MAX) return;
    const info = readForeignJson(payload.toString());
    if (isRecord(info) && info.permit_join === false) this.#listener({ ...NOTHING, type: "closed" });
  }

  /** One listener at a time. */
  listen(listener: ((event: BridgeEvent) => void) | null): void {
    this.#listener = listener;
  }
}
