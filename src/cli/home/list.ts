/** Shared by all lists of the command line: sorted, filtered, as a table for people or as JSON for programs. */

import { usageFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { type Column, tableText } from "../show/table.ts";

export type ListOptions = { readonly json?: boolean; readonly csv?: boolean };

/** Numbers in names count as numbers: "Lamp 2" before "Lamp 10". */
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** @returns a sorted copy; what is equal is in the order of the last key. */
export function sortedBy<T>(things: Iterable<T>, ...keys: readonly ((thing: T) => string)[]): readonly T[] {
  return [...things].sort((a, b) => {
    for (const key of keys) {
      const order = COLLATOR.compare(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** @throws CommandFailure usage for a key that is none. */
export function sortKey<T>(name: string, keys: Readonly<Record<string, (thing: T) => string>>): (thing: T) => string {
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key) return key;
  throw usageFailure(`--sort is one of ${Object.keys(keys).join(", ")}.`);
}

/** Columns by their titles, or with color and alignment. */
type Columns<T> = Readonly<Record<string, (thing: T) => string>> | readonly Column<T>[];

/**
 * @param empty what a person reads instead of an empty table; on standard error, so that a pipe gets nothing
 * @param toJson one element of the list for programs
 */
export function printList<T>(
  things: readonly T[],
  { json = false, csv = false }: ListOptions,
  empty: string,
  columns: Columns<T>,
  toJson: (thing: T) => unknown = (thing) => thing,
): void {
  if (json) printJson(things.map(toJson));
  else if (csv) process.stdout.write(csvText(listed(columns), things));
  else if (things.length === 0) process.stderr.write(`${plain(empty)}\n`);
  else process.stdout.write(tableText(listed(columns), things));
}

function listed<T>(columns: Columns<T>): readonly Column<T>[] {
  if (Array.isArray(columns)) return columns;
  return Object.entries(columns).map(([title, text]) => ({ title, text }));
}

/** RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvText<T>(columns: readonly Column<T>[], things: readonly T[]): string {
  const cell = (text: string) => {
    const safe = /^[=+\-@\t]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [
    columns.map(({ title }) => title),
    ...things.map((thing) => columns.map(({ text }) => plain(text(thing)))),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

export function printJson(value: unknown): void {
  process.stdout.write(`${plainJson(value, 2)}\n`);
}
