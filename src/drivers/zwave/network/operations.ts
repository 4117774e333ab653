/**
 * The one operation of a radio network: its steps, its question, its end. What is done in it is a `Work`; this file knows
 * nothing of Z-Wave but that the adapter can be lost in the middle.
 */

import { ControllerError } from "../../../errors.ts";
import { isOver, type RadioOperation, type RadioOperationKind, type RadioQuestion } from "../../../home/radio.ts";
import type { Timer } from "../../../util/clock.ts";
import { randomId } from "../../../util/randomness.ts";
import type { RadioAnswer } from "../../radio-port.ts";
import type { Radio } from "../radio.ts";
import { errorSentence } from "./error-sentence.ts";

export type Step = Partial<Pick<RadioOperation, "stage" | "address" | "percent" | "security" | "detail">>;

/** What a work is given. */
export type Turn = {
  readonly radio: Radio;
  /** Aborted when the operation is cancelled, and when the adapter is lost. */
  readonly signal: AbortSignal;
  tell(step: Step): void;
  /** Asks a person. Rejects when the question is withdrawn, the operation cancelled or the adapter lost. */
  ask(question: RadioQuestion, detail: string): Promise<RadioAnswer>;
  /** The question is not waited for any more. */
  withdraw(): void;
};

/** Resolves with the sentence that the operation ends with; rejects with why it failed. */
export type Work = (turn: Turn) => Promise<string>;

type Asked = { readonly settle: (answer: RadioAnswer) => void; readonly drop: () => void };
type Current = {
  readonly radio: Radio;
  readonly cancel: AbortController;
  operation: RadioOperation;
  asked: Asked | null;
};

/** A work that could not simply stop when it was cancelled says what it left behind. */
export class Cancelled extends Error {}

const CANCELLED = new Cancelled("Cancelled; nothing was changed.");

const LOST = "The adapter was lost in the middle.";
/** So long a work may take to notice that its adapter is gone. */
const LOST_MS = 5000;

export class Operations {
  #current: Current | null = null;

  current(): RadioOperation | null {
    return this.#current?.operation ?? null;
  }

  /** @throws ControllerError RADIO_BUSY while another one is under way. */
  begin(radio: Radio, kind: RadioOperationKind, address: string | null, detail: string, work: Work): RadioOperation {
    if (this.#current && !isOver(this.#current.operation)) throw new ControllerError("RADIO_BUSY");
    const now = radio.host.clock.now();
    const operation: RadioOperation = {
      id: randomId(radio.host.randomness),
      kind,
      stage: "starting",
      question: null,
      address,
      percent: null,
      security: null,
      detail,
      startedAtMs: now,
      movedAtMs: now,
    };
    const current: Current = { radio, cancel: new AbortController(), operation, asked: null };
    this.#current = current;
    radio.host.radio(radio.family, operation);
    void this.#run(current, work);
    return current.operation;
  }

  /** @throws ControllerError RADIO_ASKS_NOTHING, BAD_VALUE when it does not fit the question. */
  answer(answer: RadioAnswer): RadioOperation {
    const current = this.#current;
    if (!current?.asked) throw new ControllerError("RADIO_ASKS_NOTHING");
    checkAnswer(current.operation.question, answer);
    current.asked.settle(answer);
    return current.operation;
  }

  /** @throws ControllerError RADIO_IDLE when nothing is under way. */
  cancel(): RadioOperation {
    const current = this.#current;
    if (!current || isOver(current.operation)) throw new ControllerError("RADIO_IDLE");
    current.cancel.abort(CANCELLED);
    return current.operation;
  }

  async #run(current: Current, work: Work): Promise<void> {
    const signal = AbortSignal.any([current.cancel.signal, current.radio.signal]);
    const turn: Turn = {
      radio: current.radio,
      signal,
      tell: (step) => move(current, step),
      ask: (question, detail) => ask(current, signal, question, detail),
      withdraw: () => current.asked?.drop(),
    };
    const stopWatching = watchLoss(current);
    try {
      const detail = await work(turn);
      move(current, { stage: "done", detail });
    } catch (error) {
      move(current, endOf(current, error));
    } finally {
      stopWatching();
    }
  }
}

/** A work that waits on for an adapter that is gone does not keep the next operation from its turn. @returns what ends it. */
function watchLoss(current: Current): () => void {
  const { signal, host } = current.radio;
  let timer: Timer | null = null;
  const lose = () => {
    timer = host.clock.setTimer(() => move(current, { stage: "failed", detail: LOST }), LOST_MS);
  };
  signal.addEventListener("abort", lose, { once: true });
  return () => {
    signal.removeEventListener("abort", lose);
    timer?.cancel();
  };
}

function endOf({ cancel, radio }: Current, error: unknown): Step {
  if (radio.signal.aborted) return { stage: "failed", detail: LOST };
  if (cancel.signal.aborted)
    return { stage: "cancelled", detail: (error instanceof Cancelled ? error : CANCELLED).message };
  return { stage: "failed", detail: errorSentence(error, radio.library.ZWaveErrorCodes) };
}

function move(current: Current, step: Step): void {
  const { operation, radio } = current;
  if (isOver(operation)) return;
  const question = step.stage === undefined || step.stage === "asking" ? operation.question : null;
  current.operation = { ...operation, ...step, question, movedAtMs: radio.host.clock.now() };
  radio.host.radio(radio.family, current.operation);
}

function ask(current: Current, signal: AbortSignal, question: RadioQuestion, detail: string): Promise<RadioAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", drop);
      current.asked = null;
      current.operation = { ...current.operation, question: null };
      settle();
    };
    const drop = () => end(() => reject(new Error("The question is not waited for any more.")));
    if (signal.aborted) {
      drop();
      return;
    }
    signal.addEventListener("abort", drop);
    current.asked = { settle: (answer) => end(() => resolve(answer)), drop };
    current.operation = { ...current.operation, question };
    move(current, { stage: "asking", detail });
  });
}

function checkAnswer(question: RadioQuestion | null, answer: RadioAnswer): void {
  if (answer.kind === "refuse") return;
  if (answer.kind !== question?.kind) {
    throw new ControllerError("BAD_VALUE", { sentence: `The question is of kind "${question?.kind ?? "none"}".` });
  }
  if (answer.kind === "pin" && !/^\d{5}$/.test(answer.pin)) {
    throw new ControllerError("BAD_VALUE", { sentence: "The PIN has five digits." });
  }
  if (answer.kind === "grant" && question.kind === "grant") {
    const extra = answer.security.find((name) => !question.requested.includes(name));
    if (extra) throw new ControllerError("BAD_VALUE", { sentence: `The device does not ask for ${extra}.` });
  }
}
