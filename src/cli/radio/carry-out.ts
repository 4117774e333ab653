/**
 * Follows an operation on a radio network from its begin to its end: prints every step, asks its questions, and on
 * Ctrl-C cancels it at the controller, which leaves nothing half done.
 */

import {
  ClientError,
  type EventOf,
  type IntegrationOperation,
  type Integrations,
  isOver,
  type OperationStep,
} from "@domovoi/client";
import { connected } from "../home/wait.ts";
import { onInterrupt } from "../interrupts.ts";
import { CommandFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { ProgressLine } from "../show/progress-line.ts";
import type { Chosen } from "./network.ts";
import type { AskedQuestion, GivenAnswer } from "./questions.ts";

type HowToCarryOut = {
  readonly json?: boolean;
  /** Answers a question; the signal ends when it is not waited for any more. Absent: others answer. */
  readonly answer?: (question: AskedQuestion, signal: AbortSignal) => Promise<GivenAnswer>;
};

/**
 * @param begin begins it, or takes hold of one that is under way
 * @returns its last step, which is `done`
 * @throws CommandFailure with its sentence when it failed or was cancelled
 */
export async function carryOut(
  chosen: Chosen,
  begin: () => Promise<IntegrationOperation>,
  how: HowToCarryOut,
): Promise<OperationStep> {
  const last = await follow(chosen, begin, how);
  if (last.stage !== "done") throw new CommandFailure("failed", last.detail);
  return last;
}

/** @returns its last step, however it ended. */
export async function follow(
  chosen: Chosen,
  begin: () => Promise<IntegrationOperation>,
  how: HowToCarryOut,
): Promise<OperationStep> {
  await connected(chosen.home);
  const following = new Following(chosen, how);
  try {
    return await following.run(begin);
  } finally {
    following.stop();
  }
}

const FORGOTTEN =
  "The controller was restarted, or works on something else by now. The outcome of the operation is unknown.";

class Following {
  readonly #chosen: Chosen;
  readonly #how: HowToCarryOut;
  readonly #printer: StepPrinter;
  readonly #over = Promise.withResolvers<OperationStep>();
  readonly #endings: (() => void)[] = [];
  /** Steps that arrived before the answer named the operation. */
  readonly #early: OperationStep[] = [];
  #id: string | null = null;
  #asking: AbortController | null = null;
  #isCancelled = false;
  #isLost = false;

  constructor(chosen: Chosen, how: HowToCarryOut) {
    this.#chosen = chosen;
    this.#how = how;
    this.#printer = new StepPrinter(how);
    // Reported below; it may fail before the begin is answered.
    this.#over.promise.catch(() => {});
    this.#endings.push(
      onInterrupt(() => this.#interrupt()),
      chosen.home.on("operation", ({ step }) => this.#take(step)),
      chosen.home.on("stream", (event) => this.#watchStream(event)),
    );
  }

  get #integrations(): Integrations {
    return this.#chosen.home.integrations;
  }

  async run(begin: () => Promise<IntegrationOperation>): Promise<OperationStep> {
    const operation = await begin();
    this.#id = operation.id;
    if (this.#isCancelled) this.#cancel();
    for (const step of this.#early) this.#take(step);
    // Every step is printed, in order; only the answer can be ahead of them or behind.
    if (this.#chosen.home.stream.status !== "connected") this.#take(operation);
    return this.#over.promise;
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#asking?.abort();
    this.#printer.end();
  }

  #take(step: OperationStep): void {
    if (this.#id === null) {
      this.#early.push(step);
      return;
    }
    if (step.id !== this.#id) return;
    const answersHere = step.question !== null && this.#how.answer !== undefined;
    this.#printer.tell(step, answersHere);
    this.#asking?.abort();
    this.#asking = null;
    if (isOver(step)) this.#over.resolve(step);
    else if (step.question) this.#ask(step.question);
  }

  #ask(question: AskedQuestion): void {
    const { answer } = this.#how;
    if (!answer || this.#isCancelled) return;
    const asking = new AbortController();
    this.#asking = asking;
    answer(question, asking.signal)
      .then((decided) => (asking.signal.aborted ? null : this.#integrations.answer(this.#chosen.network.name, decided)))
      .catch((error: unknown) => this.#answerFailed(error, asking.signal));
  }

  #answerFailed(error: unknown, { aborted }: AbortSignal): void {
    // The question was withdrawn or answered elsewhere; the next step shows it.
    if (aborted || (error instanceof ClientError && error.reason === "RADIO_ASKS_NOTHING")) return;
    // Ctrl-C at a question, too.
    if (error instanceof CommandFailure) this.#interrupt();
    else this.#over.reject(error);
  }

  #interrupt(): void {
    if (this.#isCancelled) {
      const hint = '"domovoi radio cancel" ends it.';
      this.#over.reject(new CommandFailure("failed", `The operation continues at the controller; ${hint}`));
      return;
    }
    this.#isCancelled = true;
    this.#asking?.abort();
    this.#printer.note("Canceling. The network is left in order.");
    // Before it has begun there is nothing to cancel.
    if (this.#id !== null) this.#cancel();
  }

  #cancel(): void {
    this.#integrations.cancel(this.#chosen.network.name).catch((error: unknown) => {
      // It has ended meanwhile; its last step was printed.
      if (!(error instanceof ClientError && error.reason === "RADIO_IDLE")) this.#over.reject(error);
    });
  }

  /** Reads the steps that were missed while the stream was down. */
  #watchStream({ status, isAgain }: EventOf<"stream">): void {
    if (status === "refused") this.#over.reject(new CommandFailure("credentials", "The event stream is refused."));
    if (status === "waiting" && !this.#isLost) {
      this.#isLost = true;
      this.#printer.note("The connection is lost. Reconnecting; the operation continues at the controller.");
    }
    if (status !== "connected" || !isAgain) return;
    this.#isLost = false;
    this.#integrations
      .operation(this.#chosen.network.name)
      .then((operation) => this.#takeUp(operation), this.#over.reject);
  }

  #takeUp(operation: IntegrationOperation | null): void {
    if (operation && operation.id === this.#id) this.#take(operation);
    else if (this.#id !== null) this.#over.reject(new CommandFailure("failed", FORGOTTEN));
  }
}

/** The steps of an operation: a line each for people, a bar where the length of the way is known, JSON for programs. */
const WHOLE = 100;

class StepPrinter {
  readonly #isJson: boolean;
  readonly #bar = new ProgressLine("");
  #stage: OperationStep["stage"] | null = null;
  #percent: number | null = null;
  #shown = "";

  constructor({ json = false }: { readonly json?: boolean }) {
    this.#isJson = json;
  }

  /** @param isAsked the question of the step is about to be shown */
  tell(step: OperationStep, isAsked: boolean): void {
    if (this.#isJson) this.#printStep(step);
    else this.#printText(step, isAsked);
  }

  #printText({ stage, percent, detail }: OperationStep, isAsked: boolean): void {
    // A bar that restarts measures something else.
    const isAnew = percent === null ? detail !== this.#shown : percent < (this.#percent ?? WHOLE);
    const isNew = stage !== this.#stage || isAnew;
    this.#stage = stage;
    this.#percent = percent;
    this.#shown = detail;
    // The caller prints the failure at the end.
    const isPrinted = isNew && !isAsked && stage !== "failed" && stage !== "cancelled";
    if (isPrinted || stage !== "working") this.#bar.end();
    if (isPrinted) process.stdout.write(`${plain(detail)}\n`);
    if (stage === "working" && percent !== null) this.#bar.show(percent, WHOLE);
  }

  /** Something that is no step, for people. */
  note(sentence: string): void {
    this.#bar.end();
    process.stderr.write(`domovoi: ${sentence}\n`);
  }

  end(): void {
    this.#bar.end();
  }

  #printStep(step: OperationStep): void {
    const { id, kind, stage, question, address, percent, result, detail } = step;
    const security = result.security ?? null;
    const text = plainJson({ id, kind, stage, question, address, percent, security, detail });
    // The first answer and the first event carry the same step.
    if (text !== this.#shown) process.stdout.write(`${text}\n`);
    this.#shown = text;
  }
}
