/** Constants of a program in a client's body: raw numbers with their decimals and unit, and spans of time. */

import { SYNTAX_LIMITS as MAX, type Span, type SyntaxValue } from "../../home/program-syntax.ts";
import { partial } from "../schema.ts";
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

/** How long something has been so. */
export const lastingData = partial(
  { hours: { type: "integer" }, minutes: { type: "integer" }, seconds: { type: "integer" } },
  { description: "At least a second." },
);

/** @throws ControllerError BAD_BODY for no time at all */
export function parseLasting(placed: LocatedValue): Span {
  const span = placed.object(spanOf);
  if (span.hours + span.minutes + span.seconds === 0) throw placed.refuse("has to be at least a second");
  return span;
}

export function spanOf(members: Members): Span {
  const part = (name: string) => members.find(name)?.integer(0, MAX.spanPart) ?? 0;
  return { hours: part("hours"), minutes: part("minutes"), seconds: part("seconds") };
}

export function spanJson({ hours, minutes, seconds }: Span): Partial<Span> {
  return { ...(hours ? { hours } : {}), ...(minutes ? { minutes } : {}), ...(seconds ? { seconds } : {}) };
}
