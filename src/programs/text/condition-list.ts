/** The conditions of an `If` as they come line by line, parentheses opened and closed on lines of their own. */

import type { Condition } from "../../home/program-syntax.ts";
import type { Cursor } from "./cursor.ts";
import type { ConditionLine } from "./parse-condition.ts";

type Level = {
  readonly andOr: Condition["andOr"];
  readonly conditions: Condition[];
  /** Line of the opening parenthesis, from 1. */
  readonly line: number;
  /** Where in the tree it will be: `if[1]`. */
  readonly path: string;
};

/** Far more than a program may have; the setting is for the edit to hold, this for the reader not to lose its way. */
const DEPTH_MAX = 64;

export class ConditionList {
  readonly #whole: Condition[] = [];
  readonly #open: Level[] = [];

  /** The operators outside of closed parentheses. */
  get conditions(): readonly Condition[] {
    return this.#whole;
  }

  /** True where a list begins: the next condition needs no conjunction. */
  get isFirst(): boolean {
    return this.#current.length === 0;
  }

  /** Line of the innermost parenthesis that is open, or null. */
  get openSince(): number | null {
    return this.#open.at(-1)?.line ?? null;
  }

  /** Where in the tree the next condition will be: `if[1].conditions[0]`. */
  get nextPath(): string {
    const level = this.#open.at(-1);
    return `${level ? `${level.path}.conditions` : "if"}[${this.#current.length}]`;
  }

  /** @throws LineProblem for a parenthesis that closes nothing, or one too many. */
  add(line: ConditionLine, number: number, cursor: Cursor): void {
    switch (line.kind) {
      case "condition":
        this.#current.push(line.condition);
        break;
      case "open":
        if (this.#open.length >= DEPTH_MAX)
          throw cursor.problem("These are too many parentheses inside one another.", 0);
        this.#open.push({ andOr: line.andOr, conditions: [], line: number, path: this.nextPath });
        break;
      case "close": {
        const level = this.#open.pop();
        if (!level) throw cursor.problem("This parenthesis closes nothing.", 0);
        this.#current.push({ kind: "paren", andOr: level.andOr, conditions: level.conditions });
      }
    }
  }

  get #current(): Condition[] {
    return this.#open.at(-1)?.conditions ?? this.#whole;
  }
}
