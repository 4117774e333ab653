/** A problem in a program's text, and its position. */

export type ProblemCode =
  /** Something else is expected at this place. */
  | "SYNTAX"
  /** A name, word or unit that does not exist. */
  | "UNKNOWN_NAME"
  /** A name that several things have. */
  | "AMBIGUOUS_NAME"
  /** A name and an id that belong to different things. */
  | "NAME_AND_ID_DIFFER";

export type TextProblem = {
  /** The first line is 1. */
  readonly line: number;
  /** Column in characters, from 1. */
  readonly column: number;
  readonly code: ProblemCode;
  /** A sentence for a person, with the suggestion. */
  readonly message: string;
  /** The correct words for this position; null when nothing comes close. */
  readonly suggestion: string | null;
};

/** The position of a condition or action in a text. */
export type TextPlace = {
  /** The first line is 1. */
  readonly line: number;
  /** Column of the first character that is not blank, in characters from 1. */
  readonly column: number;
  /** The whole line. */
  readonly text: string;
};
