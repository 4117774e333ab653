/** A command of a statement as clients write commands, so that what programs and clients ask is read by the same rules. */

import type { Action } from "../home/program-syntax.ts";
import type { WrittenCommand } from "../profile/command-meaning.ts";

/**
 * A value without a name goes to the first parameter with its unit: as segments of a path, value and unit could be taken for
 * two values. Several of them stand in their order. Unit 0 is none.
 */
export function writtenCommand({
  command,
  parameters,
}: Pick<Extract<Action, { readonly kind: "command" }>, "command" | "parameters">): WrittenCommand {
  const segments: string[] = [];
  const named = new Map<string, { value: string; uom: number | null }>();
  const isOne = parameters.filter(({ id }) => id === "").length === 1;
  for (const { id, value, prec, uom } of parameters) {
    const text = String(value / 10 ** prec);
    if (id !== "" || isOne) named.set(id, { value: text, uom: uom === 0 ? null : uom });
    else segments.push(...(uom === 0 ? [text] : [text, String(uom)]));
  }
  return { command, segments, named };
}
