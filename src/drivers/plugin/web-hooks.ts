/**
 * Requests of web services, forwarded to a plugin that has a web address. A plugin's answer does not say to which request it belongs.
 * So a request that waits for an answer is forwarded alone, and only when no answer to an earlier one can come any more.
 */

import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { foreignNumber } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import type { WebHookAnswer, WebHookRequest } from "../plugin-port.ts";
import type { MessageRate } from "./message-rate.ts";
import type { PluginData } from "./plugin-data.ts";

type WebHookPorts = {
  readonly clock: Clock;
  readonly data: PluginData;
  /** Of this plugin, and of all plugins together. */
  readonly rates: readonly MessageRate[];
  readonly waitingMax: number;
  send(message: object): void;
};

const ANSWER_MS = 10_000;
/** An answer may be so late after its caller has gone. */
const LATE_MS = 60_000;
/** Some plugins also answer requests whose caller does not wait. They do it at once. */
const UNASKED_MS = 1000;
const ACCEPTED: WebHookAnswer = { status: 200, body: "" };
const STATUS = { min: 200, max: 599 };
/** Headers that are about the connection to the controller. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "cookie", "host", "connection"]);

export class WebHooks {
  readonly #ports: WebHookPorts;
  #answered: ((answer: WebHookAnswer) => void) | null = null;
  /** Answers that may come until then, and for which no caller waits. */
  #owed = 0;
  #owedUntilMs = 0;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(ports: WebHookPorts) {
    this.#ports = ports;
  }

  /** @throws ControllerError PLUGIN_NOT_FOUND for a wrong key, DRIVER_UNAVAILABLE, TOO_MANY_REQUESTS, DEVICE_TIMEOUT */
  async forward(
    key: string,
    request: WebHookRequest,
    { waits, isConnected }: { readonly waits: boolean; readonly isConnected: boolean },
  ): Promise<WebHookAnswer> {
    this.#admit(key);
    if (!isConnected) throw new ControllerError("DRIVER_UNAVAILABLE", "The plugin is not connected.");
    if (!waits && this.#waiting === 0) {
      this.#notify(request);
      return ACCEPTED;
    }
    if (this.#waiting >= this.#ports.waitingMax) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 1 });
    this.#waiting += 1;
    const answer = this.#last.then(() => (waits ? this.#exchange(request) : this.#notify(request)));
    this.#last = answer
      .catch(() => {})
      .finally(() => {
        this.#waiting -= 1;
      });
    return waits ? answer : ACCEPTED;
  }

  /** The plugin's answer. One that comes too late is dropped. */
  answer(value: unknown): void {
    if (this.#owed > 0) {
      this.#owed -= 1;
      return;
    }
    const { body = "", status } = isRecord(value) ? value : {};
    const code = Math.trunc(foreignNumber(status));
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

  #notify(request: WebHookRequest): WebHookAnswer {
    this.#owe(UNASKED_MS);
    this.#send(request);
    return ACCEPTED;
  }

  async #exchange(request: WebHookRequest): Promise<WebHookAnswer> {
    await this.#quiet();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.#answered = null;
        timer.cancel();
        act();
      };
      const timer = this.#ports.clock.setTimer(() => {
        this.#owe(LATE_MS);
        settle(() => reject(timeout("The plugin did not answer in time.")));
      }, ANSWER_MS);
      this.#answered = (answer) => settle(() => resolve(answer));
      this.#send(request);
    });
  }

  #owe(lastingMs: number): void {
    this.#owed += 1;
    this.#owedUntilMs = Math.max(this.#owedUntilMs, this.#ports.clock.elapsed() + lastingMs);
  }

  /** Resolves when no answer to an earlier request is expected. @throws ControllerError DEVICE_TIMEOUT */
  async #quiet(): Promise<void> {
    const { clock } = this.#ports;
    const leftMs = this.#owed === 0 ? 0 : this.#owedUntilMs - clock.elapsed();
    if (leftMs > UNASKED_MS) throw timeout("The plugin has not answered an earlier request. Try again in a minute.");
    if (leftMs > 0) await new Promise<void>((resolve) => void clock.setTimer(resolve, leftMs));
    this.#owed = 0;
  }
}

function timeout(sentence: string): ControllerError {
  return new ControllerError("DEVICE_TIMEOUT", sentence);
}
