/** Lines of events, each followed by the causes of the event, in the order of the events. */

import type { Why } from "@domovoi/client";
import { plain } from "../show/plain.ts";
import { painted } from "../show/table.ts";

/** Events that wait for their answer. Of further ones only the line is shown. */
const WAITING_MAX = 50;

export class ExplainedLines {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param ask null where nothing explains the event @param written called when the line is out */
  add(line: string, ask: (() => Promise<Why>) | null, written: () => void): void {
    const answer = ask && this.#waiting < WAITING_MAX ? ask().catch(() => null) : Promise.resolve(null);
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      const why = await answer;
      this.#waiting -= 1;
      process.stdout.write([line, ...causesOf(why)].map((each) => `${each}\n`).join(""));
      written();
    });
  }
}

/** The event itself says what happened, and that a device reported it. */
function causesOf(why: Why | null): readonly string[] {
  const steps = why?.steps.filter(({ kind }) => kind !== "device") ?? [];
  const sentences = why?.kind === "program" ? why.sentences : steps.map(({ sentence }) => sentence);
  return sentences.map((sentence) => painted("gray", `                ${plain(sentence)}`));
}
