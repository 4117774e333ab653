/**
 * The hash of a home's logical state: equal for two homes that are the same, wherever and whenever they are kept. It runs over
 * one line for each row, `["nodes","ZW002_1",{…}]`, tables in the order of a backup, rows in the order in which they came,
 * bodies as canonical JSON (RFC 8785: members sorted, no spaces).
 */

import { createHash } from "node:crypto";
import type { StateRows } from "../database/read-tables.ts";
import { type ContentName, isBackupTable, isLogical } from "./contents.ts";

export class LogicalHash {
  readonly #hash = createHash("sha256");

  /** @param body of the row, as a value. Rows that are not part of the logical state are passed over. */
  add(name: ContentName, key: string, body: unknown): void {
    if (isLogical(name)) this.#hash.update(`${canonicalJson([name, key, body])}\n`);
  }

  /** Lower-case hex; ends it. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}

/** @param contents those of the backup that the rows are compared with. */
export function logicalHashOf(rows: StateRows, contents: readonly ContentName[]): string {
  const hash = new LogicalHash();
  for (const name of contents.filter(isBackupTable))
    for (const [key, body] of rows[name]) hash.add(name, key, JSON.parse(body));
  return hash.digest();
}

/** A list, a record or a plain value of JSON, in the one way in which it is hashed. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
