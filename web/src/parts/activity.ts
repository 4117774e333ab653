/** What a node's status means, by the law that controller and page share. */

import { isActive as isActiveValue, isTurnedOn, type Node, type Property, wordOfValue } from "@domovoi/client";

type Status = Pick<Property, "value" | "uom" | "prec"> | null | undefined;

/** On, open, unlocked, wet, in motion; null while that is not known. */
export function isActive({ role }: Pick<Node, "role">, status: Status): boolean | null {
  return isActiveValue(role, ...said(status));
}

/** Whether it is as On leaves it: on, open, locked. */
export function isOn(status: Status): boolean {
  return isTurnedOn(...said(status)) === true;
}

/** Whether a lock's bolt does not move. */
export function isJammed(status: Status): boolean {
  return wordOfValue(null, ...said(status)) === "jammed";
}

function said(status: Status): readonly [uom: number, displayed: number | null] {
  if (!status) return [0, null];
  return [Number(status.uom), status.value === "" ? null : Number(status.value) / 10 ** status.prec];
}
