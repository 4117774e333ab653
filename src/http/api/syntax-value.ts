/** A constant of a program in a client's body: a raw number with its decimals and unit. */

import { SYNTAX_LIMITS as MAX, type SyntaxValue } from "../../home/program-syntax.ts";
import type { LocatedValue, Members } from "./located-value.ts";

export function syntaxValue(placed: LocatedValue): SyntaxValue {
  return placed.object((members) => ({
    value: rawValue(members),
    prec: precision(members),
    uom: members.find("uom")?.integer(0, MAX.uom) ?? 0,
  }));
}

export function rawValue(members: Members): number {
  return members.get("value").integer(-MAX.value, MAX.value);
}

export function precision(members: Members): number {
  return members.find("prec")?.integer(0, MAX.prec) ?? 0;
}
