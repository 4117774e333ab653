/** An operation on an adapter. */

import type { Turn } from "../../operations.ts";
import type { Radio } from "../radio.ts";

export type RadioTurn = Turn & { readonly radio: Radio };

/** Resolves with the sentence that the operation ends with; rejects with why it failed. */
export type RadioWork = (turn: RadioTurn) => Promise<string>;
