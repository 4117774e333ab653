/** How many commands, proposals and replays the assistants of an account may send: a budget of the last minute, whatever session or tool spends it. */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";

const MINUTE_MS = 60_000;

export class AssistantCommands {
  readonly #max: number;
  readonly #clock: Clock;
  /** When those of the last minute were sent, by account. */
  readonly #sent = new Map<string, readonly number[]>();

  constructor({ assistantCommandsPerMinute }: Pick<Config, "assistantCommandsPerMinute">, clock: Clock) {
    this.#max = assistantCommandsPerMinute;
    this.#clock = clock;
  }

  /** @throws ControllerError TOO_MANY_REQUESTS */
  take(accountId: string): void {
    const now = this.#clock.elapsed();
    const recent = (this.#sent.get(accountId) ?? []).filter((at) => at > now - MINUTE_MS);
    if (recent.length >= this.#max) {
      const sentence = `The assistants of an account send at most ${this.#max} commands and proposals a minute.`;
      const retryAfterS = ((recent[0] ?? now) + MINUTE_MS - now) / 1000;
      throw new ControllerError("TOO_MANY_REQUESTS", { sentence, retryAfterS });
    }
    this.#sent.set(accountId, [...recent, now]);
  }
}
