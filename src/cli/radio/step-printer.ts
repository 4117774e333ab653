/** The steps of an operation: a line each for people, a bar where the length of the way is known, JSON for programs. */

import type { RadioStep } from "@domovoi/client";
import { plain, plainJson } from "../show/plain.ts";
import { ProgressLine } from "../show/progress-line.ts";

const WHOLE = 100;

export class StepPrinter {
  readonly #isJson: boolean;
  readonly #bar = new ProgressLine("");
  #stage: RadioStep["stage"] | null = null;
  #percent: number | null = null;
  #shown = "";

  constructor({ json = false }: { readonly json?: boolean }) {
    this.#isJson = json;
  }

  /** @param isAsked the question of the step is about to be shown */
  tell(step: RadioStep, isAsked: boolean): void {
    if (this.#isJson) this.#printStep(step);
    else this.#printText(step, isAsked);
  }

  #printText({ stage, percent, detail }: RadioStep, isAsked: boolean): void {
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

  #printStep(step: RadioStep): void {
    const { id, kind, stage, question, address, percent, security, detail } = step;
    const text = plainJson({ id, kind, stage, question, address, percent, security, detail });
    // The first answer and the first event carry the same step.
    if (text !== this.#shown) process.stdout.write(`${text}\n`);
    this.#shown = text;
  }
}
