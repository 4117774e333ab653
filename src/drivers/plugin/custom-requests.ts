/** Requests of owners' programs that a plugin answers as it likes: a question with an id, and the answer with the same id. */

import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { foreignNumber, foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { type Randomness, randomId } from "../../util/randomness.ts";

type RequestHost = { readonly clock: Clock; readonly randomness: Randomness };

const WAITING_MAX = 16;
const NOT_IMPLEMENTED = 501;
const SENTENCE_CHARS_MAX = 300;

export class CustomRequests {
  readonly #host: RequestHost;
  readonly #send: (message: object) => void;
  readonly #waiting = new Map<string, (payload: unknown) => void>();

  constructor(host: RequestHost, send: (message: object) => void) {
    this.#host = host;
    this.#send = send;
  }

  /**
   * @returns the plugin's answer, whatever it is.
   * @throws ControllerError NOT_SUPPORTED and DEVICE_FAILED with the plugin's words; DEVICE_TIMEOUT; TOO_MANY_REQUESTS
   */
  async ask(payload: unknown, timeoutMs: number): Promise<unknown> {
    const { clock, randomness } = this.#host;
    if (this.#waiting.size >= WAITING_MAX) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 1 });
    const requestId = randomId(randomness);
    const answer = await new Promise<unknown>((resolve, reject) => {
      const timer = clock.setTimer(() => {
        this.#waiting.delete(requestId);
        reject(new ControllerError("DEVICE_TIMEOUT", "The plugin did not answer in time."));
      }, timeoutMs);
      this.#waiting.set(requestId, (given) => {
        timer.cancel();
        resolve(given);
      });
      this.#send({ customRequest: { requestId, payload } });
    });
    return bodyOf(answer);
  }

  /** One that comes too late, or to no question, is dropped. */
  answer(value: unknown): void {
    if (!isRecord(value)) return;
    const requestId = foreignText(value.requestId);
    const settle = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    settle?.(value.payload);
  }
}

function bodyOf(payload: unknown): unknown {
  const { body = null, errorMessage, status } = isRecord(payload) ? payload : {};
  if (errorMessage === undefined) return body;
  const sentence = `The plugin: ${foreignText(errorMessage, SENTENCE_CHARS_MAX)}`;
  throw new ControllerError(foreignNumber(status) === NOT_IMPLEMENTED ? "NOT_SUPPORTED" : "DEVICE_FAILED", sentence);
}
