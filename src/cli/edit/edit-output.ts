/** Shared by the commands that edit the home: the end of their sentences, and the spelling of levels, times and numbers. */

import { usageFailure } from "../outcome.ts";

/** The end of a sentence about an edit. */
export function editNote(edit: number | null): string {
  return edit === null ? " (nothing was different)" : ` (edit ${edit})`;
}

type Meaning = { readonly name: string; readonly isMeant: boolean };

/** Programs by room and role for which a change of a thing makes a difference, as a sentence with a blank in front. */
export function meaningNote(programs: readonly Meaning[]): string {
  const named = (isMeant: boolean) =>
    programs.filter((each) => each.isMeant === isMeant).map(({ name }) => `"${name}"`);
  const [more, fewer] = [named(true), named(false)];
  const parts = [
    ...(more.length > 0 ? [`meant now by ${more.join(", ")}`] : []),
    ...(fewer.length > 0 ? [`no longer by ${fewer.join(", ")}`] : []),
  ];
  return parts.length === 0 ? "" : ` Programs by room and role: ${parts.join("; ")}.`;
}

type Located = { readonly name: string; readonly path: string; readonly address: string };

/** A sentence where others have the name of a new thing: from now on the name alone is refused. */
export function sameNameNote(all: Iterable<Located>, name: string): string {
  const others = [...all].filter((each) => each.name === name);
  const places = others.map(({ path, address }) => `${path.includes("/") ? path : `/${path}`} (${address})`);
  return others.length === 0 ? "" : ` Others have this name, so use paths or addresses: ${places.join(", ")}.`;
}

/** @param written `60%` or `60`. @throws CommandFailure usage */
export function readLevel(written: string): number {
  const level = /^\d{1,3}(?:\.\d+)?(?=%?$)/.exec(written.replaceAll(" ", ""))?.[0];
  if (level !== undefined && Number(level) <= 100) return Number(level);
  throw usageFailure(`"${written}" is not a level. Write 0% to 100%.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, "": 1, m: 60, h: 3600, d: 86_400 };

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|)$/;

/** @param written `2s`, `500ms`, `3m`; seconds without a unit. @throws CommandFailure usage */
export function readSeconds(written: string): number {
  const [, number, unit = ""] = DURATION.exec(written.replaceAll(" ", "").toLowerCase()) ?? [];
  const factor = UNITS[unit === "ms" ? unit : unit.slice(0, 1)];
  if (number !== undefined && factor !== undefined) return Number(number) * factor;
  throw usageFailure(`"${written}" is not a length of time. Write 500ms, 2s, 30m, 2h or 3d.`);
}

/** @throws CommandFailure usage */
export function readNumber(written: string, name: string): number {
  const value = Number(written.replace(",", "."));
  if (written.trim() !== "" && Number.isFinite(value)) return value;
  throw usageFailure(`${name} takes a number, not "${written}".`);
}
