/** Commands that wait for what the bridge says of them: the new state of the device, an error in its log, or nothing. */

import type { Clock } from "../../util/clock.ts";
import { failed, type Outcome } from "../command.ts";
import type { Message } from "./feature.ts";
import { GIVEN_UP } from "./outcomes.ts";

type Waiting = {
  readonly id: string;
  readonly topic: string;
  /** What its answer is reported as. */
  readonly occasion: { readonly cause: "ack" | "query"; readonly commandId?: string };
  readonly isAnsweredBy: (message: Message) => boolean;
  readonly settle: (outcome: Outcome) => void;
};

const ACKED: Outcome = { kind: "acked" };
const STOPPED = failed("not-ready", "The connection to the broker was closed.", true);
const UNANSWERED: Outcome = { kind: "sent", detail: "It was sent, and the device did not report its state." };
const DETAIL_MAX = 200;

export class WaitingCommands {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param patienceMs without an answer it ends as sent */
  add(wanted: Omit<Waiting, "settle">, patienceMs: number, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        this.#waiting.delete(waiting);
        timer.cancel();
        signal.removeEventListener("abort", giveUp);
        resolve(outcome);
      };
      const giveUp = () => end(GIVEN_UP);
      const waiting: Waiting = { ...wanted, settle: end };
      const timer = this.#clock.setTimer(() => end(UNANSWERED), patienceMs);
      signal.addEventListener("abort", giveUp);
      this.#waiting.add(waiting);
    });
  }

  /**
   * The device reported this: ends the commands that it answers.
   * @returns the cause for the report, from the latest of these commands; null: it answers none.
   */
  answer(id: string, message: Message): Waiting["occasion"] | null {
    const answered = [...this.#waiting].filter((each) => each.id === id && each.isAnsweredBy(message));
    for (const each of answered) each.settle(ACKED);
    return answered.at(-1)?.occasion ?? null;
  }

  /** An error of the bridge: it names the device in quotes. @returns whose command it ended */
  fail(sentence: string): string | null {
    const verb = sentence.includes("'get'") ? "query" : "ack";
    const isMeant = ({ topic, id, occasion }: Waiting) =>
      occasion.cause === verb && (sentence.includes(`'${topic}'`) || sentence.includes(id));
    const failed = [...this.#waiting].find(isMeant);
    failed?.settle({ kind: "failed", reason: "no-ack", detail: sentence.slice(0, DETAIL_MAX), retryable: true });
    return failed?.topic ?? null;
  }

  end(): void {
    for (const each of [...this.#waiting]) each.settle(STOPPED);
  }
}
