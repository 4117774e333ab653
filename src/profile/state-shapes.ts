/** Properties with two named states, or of a bolt, as drivers make them: a driver says whether, and the law says the number. */

import { encodeEditorId } from "./encoded-editor.ts";
import { type StatusWord, UNKNOWN, valueOfWord } from "./status-words.ts";
import { UOM } from "./uom.ts";

export type StateShape = {
  readonly uom: number;
  /** Id of an encoded editor. */
  readonly editor: string;
  numberOf(is: boolean): number;
};

/** Longest list of values that an encoded editor can name one by one. */
const MASK_MAX = 63;

export const OPENED = twoStates(UOM.openClosed, "open", "closed");
export const SWITCHED = twoStates(UOM.offOn, "on", "off");
export const FLAGGED = twoStates(UOM.boolean, "on", "off");

export const BOLT = {
  uom: UOM.deadbolt,
  /** null: the bolt does not know. */
  numberOf: (word: "locked" | "unlocked" | "jammed" | null) => (word && valueOfWord(word, UOM.deadbolt)) ?? UNKNOWN,
} as const;

function twoStates(uom: number, whenTrue: StatusWord, whenFalse: StatusWord): StateShape {
  const [is, isNot] = [valueOfWord(whenTrue, uom) ?? UNKNOWN, valueOfWord(whenFalse, uom) ?? UNKNOWN];
  const last = Math.max(is, isNot);
  const isLong = last > MASK_MAX;
  const span = { bounds: isLong ? ([0, last] as const) : null, values: isLong ? null : [0, last] };
  return {
    uom,
    editor: encodeEditorId({ uom, prec: 0, ...span, prefix: null }),
    numberOf: (state) => (state ? is : isNot),
  };
}
