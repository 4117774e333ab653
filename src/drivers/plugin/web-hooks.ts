/**
 * Requests of web services, forwarded to a plugin that has a web address. A plugin's answer does not say to which request it belongs, so
 * a request that waits for one is forwarded when the one before it is answered.
 */

import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import type { Randomness } from "../../util/randomness.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import type { WebHookAnswer, WebHookRequest } from "../plugin-port.ts";
import { isRecord } from "./manifest.ts";
import type { MessageRate } from "./message-rate.ts";
import type { PluginData } from "./plugin-data.ts";

export type WebHookPorts = {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly data: PluginData;
  /** Of this plugin, and of all plugins together. */
  readonly rates: readonly MessageRate[];
  readonly waitingMax: number;
  send(message: object): void;
};

const KEY_BYTES = 18;
const ANSWER_MS = 10_000;
const STATUS = { min: 200, max: 599 };
/** Headers that are about the connection to the controller. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "cookie", "host", "connection"]);

export class WebHooks {
  readonly #ports: WebHookPorts;
  #answered: ((answer: WebHookAnswer) => void) | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(ports: WebHookPorts) {
    this.#ports = ports;
  }

  /** A new key with each turning on, so that an address that leaked is changed by turning it off and on. */
  turn(isOn: boolean): void {
    const { data, randomness } = this.#ports;
    if (isOn === (data.webHookKey !== null)) return;
    data.setWebHookKey(isOn ? randomness.bytes(KEY_BYTES).toString("base64url") : null);
  }

  /** @throws ControllerError PLUGIN_NOT_FOUND for a wrong key, TOO_MANY_REQUESTS, DEVICE_TIMEOUT */
  async forward(key: string, request: WebHookRequest, waits: boolean): Promise<WebHookAnswer> {
    this.#admit(key);
    if (!waits) {
      this.#send(request);
      return { status: 200, body: "" };
    }
    if (this.#waiting >= this.#ports.waitingMax) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 1 });
    this.#waiting += 1;
    const answer = this.#last.then(() => this.#exchange(request));
    this.#last = answer
      .catch(() => {})
      .finally(() => {
        this.#waiting -= 1;
      });
    return answer;
  }

  /** The plugin's answer; one that comes too late is passed over. */
  answer(value: unknown): void {
    const { body = "", status } = isRecord(value) ? value : {};
    const code = Math.trunc(Number(status));
    this.#answered?.({ status: code >= STATUS.min && code <= STATUS.max ? code : STATUS.min, body });
  }

  #admit(key: string): void {
    const wanted = this.#ports.data.webHookKey;
    if (wanted === null || !isSameSecret(key, wanted)) throw new ControllerError("PLUGIN_NOT_FOUND");
    const waitMs = Math.max(...this.#ports.rates.map((rate) => rate.count()));
    if (waitMs > 0) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: Math.ceil(waitMs / 1000) });
  }

  #send({ headers, query, body }: WebHookRequest): void {
    const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !WITHHELD.has(name)));
    this.#ports.send({ webhook: { headers: passed, query, body } });
  }

  #exchange(request: WebHookRequest): Promise<WebHookAnswer> {
    return new Promise((resolve, reject) => {
      const late = new ControllerError("DEVICE_TIMEOUT", { sentence: "The plugin did not answer in time." });
      const timer = this.#ports.clock.setTimer(() => settle(() => reject(late)), ANSWER_MS);
      const settle = (act: () => void) => {
        this.#answered = null;
        timer.cancel();
        act();
      };
      this.#answered = (answer) => settle(() => resolve(answer));
      this.#send(request);
    });
  }
}
