/** Requests to the bridge and their answers, and what it tells of joining devices. */

import { foreignText } from "../../util/foreign-value.ts";
import { randomId } from "../../util/randomness.ts";
import { rejectOnAbort } from "../../util/reject-on-abort.ts";
import type { DriverHost } from "../driver.ts";
import type { Message } from "./feature.ts";

export type BridgeEvent = {
  readonly type: string;
  readonly ieee: string;
  readonly name: string;
  readonly status: string;
};

export class BridgeRequests {
  readonly #host: Pick<DriverHost, "randomness">;
  readonly #publish: (path: string, message: Message) => void;
  readonly #open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  #listener: ((event: BridgeEvent) => void) | null = null;

  constructor(host: Pick<DriverHost, "randomness">, publish: (path: string, message: Message) => void) {
    this.#host = host;
    this.#publish = publish;
  }

  /** Resolves when the bridge has done it. @throws Error with the bridge's sentence, or the signal's reason */
  async send(path: string, message: Message, signal: AbortSignal): Promise<void> {
    const transaction = randomId(this.#host.randomness);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#open.set(transaction, { resolve, reject });
    this.#publish(path, { ...message, transaction });
    try {
      await Promise.race([promise, rejectOnAbort(signal)]);
    } finally {
      this.#open.delete(transaction);
    }
  }

  answer({ transaction, status, error }: Message): void {
    const open = this.#open.get(foreignText(transaction));
    if (status === "ok") open?.resolve();
    else open?.reject(new Error(`Zigbee2MQTT refused it: ${foreignText(error, 300)}`));
  }

  event({ type, data }: Message): void {
    const { ieee_address, friendly_name, status } = (typeof data === "object" && data !== null ? data : {}) as Message;
    const text = (value: unknown) => foreignText(value, 300);
    this.#listener?.({ type: text(type), ieee: text(ieee_address), name: text(friendly_name), status: text(status) });
  }

  /** One listener at a time. */
  listen(listener: ((event: BridgeEvent) => void) | null): void {
    this.#listener = listener;
  }
}
