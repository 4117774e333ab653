/** How a command ends: its exit status says what a program that called it must know. */

/** @see docs/cli.md */
export const STATUS = {
  done: 0,
  /** The controller refused it, or it could not be done; also what `domovoi verify` says when there are errors. */
  failed: 1,
  usage: 2,
  notFound: 3,
  unreachable: 4,
  credentials: 5,
  /** It was sent, and no report showed the effect in time. */
  unconfirmed: 6,
} as const;

export type Outcome = keyof typeof STATUS;

/** Ends a command with a status and a sentence for the person. */
export class CommandFailure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "CommandFailure";
    this.outcome = outcome;
  }
}

/** What a command has done: lines for a person, or a value for programs. */
export class Done {
  readonly lines: readonly string[];
  readonly json: unknown;

  constructor(lines: readonly string[], json: unknown) {
    this.lines = lines;
    this.json = json;
  }
}

/** @param text a line or several. @param json printed in their place with `--json`. */
export function done(text: string | readonly string[], json: unknown): Done {
  return new Done(typeof text === "string" ? [text] : text, json);
}

export function usageFailure(sentence: string, cause?: unknown): CommandFailure {
  return new CommandFailure("usage", sentence, cause);
}
