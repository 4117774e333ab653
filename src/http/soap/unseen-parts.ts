/**
 * What a simple editor of programs would lose. One admin of the originals reads the statements that it can show, and writes those back:
 * comparisons of variables, repetitions and decimal places are gone after a save in which nothing was changed, and a control that is *not*
 * switched on becomes one that is. Its owner cannot have meant that, because its editor shows none of it.
 */

import type { Condition } from "../../home/program-syntax.ts";
import type { Program } from "../../home/programs.ts";
import { programXml } from "../api/trigger-xml.ts";

/** Elements that such an editor shows. */
const SHOWN = new Set(
  (
    "trigger id name parent folder if then else comment and or paren status control schedule from to time sunrise sunset day " +
    "daysofweek mon tue wed thu fri sat sun val cmd p wait hours minutes seconds notify runif runthen runelse enable disable"
  ).split(" "),
);
const ELEMENT = /<([a-z0-9]+)/g;
/** Parts of elements that it shows: decimal places, the opposite of a control, named parameters. */
const WITHIN = [/ prec="[1-9]/g, /<control [^<>]*op="ISNOT"/g, /<p id="[^"]/g] as const;

/** How many parts of the program that such an editor does not show are no longer there. */
export function lostUnseenParts(before: Program, after: Program): number {
  const left = partsOf(after);
  let lost = 0;
  for (const [part, count] of partsOf(before)) lost += Math.max(0, count - (left.get(part) ?? 0));
  return lost;
}

function partsOf(program: Program): ReadonlyMap<string, number> {
  const text = programXml(program);
  const elements = [...text.matchAll(ELEMENT)].map(([, element = ""]) => element);
  const parts = new Map<string, number>();
  for (const element of elements) if (!SHOWN.has(element)) parts.set(element, (parts.get(element) ?? 0) + 1);
  parts.set(
    "nested paren",
    parensWithin(program.tree.if) - program.tree.if.filter(({ kind }) => kind === "paren").length,
  );
  for (const part of WITHIN) parts.set(part.source, text.match(part)?.length ?? 0);
  return parts;
}

function parensWithin(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, each) => sum + (each.kind === "paren" ? 1 + parensWithin(each.conditions) : 0), 0);
}
