/** What verification found in a program. */

import type { Message } from "./routes.ts";

/** The findings of a controller with verification about a program. */
export type Finding = {
  readonly code: string;
  readonly severity: string;
  readonly path: string;
  /** Line in the text that was sent, or else in the program's text; null when the controller does not report one. */
  readonly line: number | null;
  readonly column: number | null;
  /** The whole line. */
  readonly lineText: string | null;
  readonly sentence: string;
  /** The same as a code with values, to say it in another language; null of controllers that send none. */
  readonly message: Message | null;
  readonly program: string | null;
  /** The proof, step by step. */
  readonly chain: readonly { readonly text: string; readonly message: Message | null }[];
};
