/**
 * The one operation of a driver at a time: its steps, its question, its end. The driver supplies its content as a
 * `Work`. For drivers that implement the port in commissioning.ts.
 */

import { badValue, ControllerError } from "../errors.ts";
import { isOver, type Operation, type OperationQuestion } from "../home/operation.ts";
import type { Timer } from "../util/clock.ts";
import { schemaViolation } from "../util/json-schema.ts";
import { randomId } from "../util/randomness.ts";
import type { OperationAnswer } from "./commissioning.ts";
import type { DriverHost } from "./driver.ts";

type OperationStep = Partial<Pick<Operation, "stage" | "address" | "percent" | "result" | "detail">>;

/** The means of a work. */
export type Turn = {
  /** Aborted when the operation is cancelled, and when the transport is lost. */
  readonly signal: AbortSignal;
  tell(step: OperationStep): void;
  /** Asks a person. Rejects when the question is withdrawn, the operation cancelled or the transport lost. */
  ask(question: OperationQuestion, detail: string): Promise<OperationAnswer>;
  /** The question was answered or has expired. */
  withdraw(): void;
};

/** Resolves with the sentence that the operation ends with; rejects with why it failed. */
type OperationWork = (turn: Turn) => Promise<string>;

/** The dependencies of an operation. */
type Ground = {
  readonly host: DriverHost;
  /** Addresses of the nodes. */
  readonly family: number;
  /** Aborted when the transport is lost. */
  readonly lost: AbortSignal;
  /** Why a work failed, for people. */
  readonly sentenceOf: (error: unknown) => string;
};

type Asked = { readonly settle: (answer: OperationAnswer) => void; readonly drop: () => void };
type Current = {
  readonly ground: Ground;
  readonly cancel: AbortController;
  operation: Operation;
  asked: Asked | null;
};

/** A work that could not simply stop when it was cancelled says what it left behind. */
export class Cancelled extends Error {}

const CANCELLED = new Cancelled("Canceled. Nothing was changed.");

const LOST = "The adapter was lost during the operation.";
/** Time for an operation to notice that its transport is gone. */
const LOST_MS = 5000;

export class Operations {
  #current: Current | null = null;

  current(): Operation | null {
    return this.#current?.operation ?? null;
  }

  /** @throws ControllerError RADIO_BUSY while another one is under way. */
  begin(ground: Ground, kind: string, address: string | null, detail: string, work: OperationWork): Operation {
    if (this.#current && !isOver(this.#current.operation)) throw new ControllerError("RADIO_BUSY");
    const now = ground.host.clock.now();
    const operation: Operation = {
      id: randomId(ground.host.randomness),
      kind,
      stage: "starting",
      question: null,
      address,
      percent: null,
      result: {},
      detail,
      startedAtMs: now,
      movedAtMs: now,
    };
    const current: Current = { ground, cancel: new AbortController(), operation, asked: null };
    this.#current = current;
    ground.host.operation(ground.family, operation);
    void this.#run(current, work);
    return current.operation;
  }

  /** @throws ControllerError RADIO_ASKS_NOTHING, BAD_VALUE when it does not fit the question. */
  answer(answer: OperationAnswer): Operation {
    const current = this.#current;
    if (!current?.asked) throw new ControllerError("RADIO_ASKS_NOTHING");
    checkAnswer(current.operation.question, answer);
    current.asked.settle(answer);
    return current.operation;
  }

  /** @throws ControllerError RADIO_IDLE when nothing is under way. */
  cancel(): Operation {
    const current = this.#current;
    if (!current || isOver(current.operation)) throw new ControllerError("RADIO_IDLE");
    current.cancel.abort(CANCELLED);
    return current.operation;
  }

  async #run(current: Current, work: OperationWork): Promise<void> {
    const signal = AbortSignal.any([current.cancel.signal, current.ground.lost]);
    const turn: Turn = {
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

/** A work that waits on for a transport that is gone does not keep the next operation from its turn. @returns what ends it. */
function watchLoss(current: Current): () => void {
  const { lost: signal, host } = current.ground;
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

function endOf({ cancel, ground }: Current, error: unknown): OperationStep {
  if (ground.lost.aborted) return { stage: "failed", detail: LOST };
  if (cancel.signal.aborted)
    return { stage: "cancelled", detail: (error instanceof Cancelled ? error : CANCELLED).message };
  return { stage: "failed", detail: ground.sentenceOf(error) };
}

function move(current: Current, step: OperationStep): void {
  const { operation, ground } = current;
  if (isOver(operation)) return;
  const question = step.stage === undefined || step.stage === "asking" ? operation.question : null;
  current.operation = { ...operation, ...step, question, movedAtMs: ground.host.clock.now() };
  ground.host.operation(ground.family, current.operation);
}

function ask(
  current: Current,
  signal: AbortSignal,
  question: OperationQuestion,
  detail: string,
): Promise<OperationAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", drop);
      current.asked = null;
      current.operation = { ...current.operation, question: null };
      settle();
    };
    const drop = () => end(() => reject(new Error("The question was answered or has expired.")));
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

function checkAnswer(question: OperationQuestion | null, answer: OperationAnswer): void {
  if (answer.kind === "refuse") return;
  if (answer.kind !== question?.kind) {
    throw badValue(`The question is of kind "${question?.kind ?? "none"}".`);
  }
  const { kind: _kind, ...members } = answer;
  const violation = schemaViolation(question.answer, members);
  if (!violation) return;
  const place = violation.path.length === 0 ? "The answer" : `"${violation.path.join(".")}" of the answer`;
  throw badValue(`${place} ${violation.rule}.`);
}
