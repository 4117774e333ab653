/**
 * The file format, version 1: lines of JSON, compressed with gzip, encrypted in the age format where a passphrase is given.
 * The first line says what the file is, each further one is a row, the last one holds the sums of all before.
 *
 * @see docs/backup.md
 */

import { ControllerError } from "../../errors.ts";
import { isRecord } from "../../util/is-record.ts";
import { CONTENT_NAMES, type ContentName, type HistoryName, isHistory } from "./contents.ts";

export const FORMAT = "domovoi-backup";
/** Older ones are read; newer ones are refused. */
export const FORMAT_VERSION = 1;

/** The first line. */
export type BackupHeader = {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly takenAtMs: number;
  /** Number of the last journal entry that is part of the state. */
  readonly seq: number;
  /** Version of the Domovoi that made it. */
  readonly product: string;
  /** Step of the database's shape (its last migration). */
  readonly shape: number;
  readonly uuid: string;
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly contents: readonly ContentName[];
  /** Secret data that the home had and the file leaves out: a content's name, or `driver_store` and a driver's. */
  readonly leftOut: readonly string[];
};

type ContentSum = { readonly name: ContentName; readonly rows: number; readonly sha256: string };

/** The last line. Sums are SHA-256 in lower-case hex. */
export type BackupEnd = {
  readonly end: typeof FORMAT;
  /** Each over the bytes of its lines. */
  readonly contents: readonly ContentSum[];
  /** Over the canonical form of the logical state, see logical-hash.ts. */
  readonly logicalHash: string;
  /** Over the bytes of all lines before. */
  readonly sha256: string;
};

/**
 * A row of a table, or a file of `secrets`: its body is JSON. For the history: `key` has the columns beside the body.
 */
export type BackupRow =
  | { readonly name: Exclude<ContentName, HistoryName>; readonly key: string; readonly body: unknown }
  | { readonly name: "journal"; readonly key: readonly unknown[]; readonly body: unknown }
  | { readonly name: "trace"; readonly key: readonly unknown[]; readonly body: unknown };

/** @param why continues "The file …", such as "is cut off". */
export function refusedBackup(why: string, cause?: unknown): ControllerError {
  return new ControllerError("BACKUP_REFUSED", { sentence: `The file ${why}.`, cause });
}

/** @throws ControllerError BACKUP_REFUSED when it is no such line. The version is the caller's to look at. */
export function parseHeader(line: string): BackupHeader {
  const header = parseObject(line);
  if (header?.format !== FORMAT || !isWhole(header.version)) throw refusedBackup("is not a backup of Domovoi");
  const { version, takenAtMs, seq, product, shape, uuid, name, isEncrypted, contents, leftOut } = header;
  const isKnown =
    isWhole(takenAtMs) &&
    isWhole(seq) &&
    isWhole(shape) &&
    typeof product === "string" &&
    typeof uuid === "string" &&
    typeof name === "string" &&
    typeof isEncrypted === "boolean" &&
    isTexts(contents) &&
    isTexts(leftOut);
  if (version > FORMAT_VERSION) throw newerBackup(typeof product === "string" ? product : null);
  if (!isKnown) throw refusedBackup("is damaged: its first line is not a header");
  const known = contents.map(contentName);
  return { format: FORMAT, version, takenAtMs, seq, product, shape, uuid, name, isEncrypted, contents: known, leftOut };
}

export function newerBackup(product: string | null): ControllerError {
  const by = product === null ? "a newer Domovoi" : `a newer Domovoi (${product})`;
  return refusedBackup(`was made by ${by}. Use that version, or a newer one`);
}

/** null when the line is a row. @throws ControllerError BACKUP_REFUSED */
export function parseEnd(line: string): BackupEnd | null {
  if (!line.startsWith("{")) return null;
  const end = parseObject(line);
  const contents = end?.contents;
  if (end?.end !== FORMAT || typeof end.logicalHash !== "string" || typeof end.sha256 !== "string")
    throw refusedBackup("is damaged: a line is neither a row nor the end");
  if (!Array.isArray(contents)) throw refusedBackup("is damaged: its last line has no list of contents");
  const { logicalHash, sha256 } = end;
  return { end: FORMAT, contents: contents.map(contentSum), logicalHash, sha256 };
}

/** @throws ControllerError BACKUP_REFUSED */
export function parseRow(line: string, lineNumber: number): BackupRow {
  const row = parseJson(line);
  const [name, key, body] = Array.isArray(row) && row.length === 3 ? row : [];
  const known = CONTENT_NAMES.find((each) => each === name);
  if (known !== undefined && isHistory(known) && Array.isArray(key)) return { name: known, key, body };
  if (known !== undefined && !isHistory(known) && typeof key === "string") return { name: known, key, body };
  throw refusedBackup(`is damaged: its line ${lineNumber} is no row`);
}

function contentName(name: string): ContentName {
  const known = CONTENT_NAMES.find((each) => each === name);
  if (known === undefined) throw refusedBackup("is damaged: its first line names contents that there are not");
  return known;
}

function contentSum(sum: unknown): ContentSum {
  const { name, rows, sha256 } = isRecord(sum) ? sum : {};
  if (typeof name !== "string" || !isWhole(rows) || typeof sha256 !== "string")
    throw refusedBackup("is damaged: its last line does not hold its sums");
  return { name: contentName(name), rows, sha256 };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(line);
  return isRecord(value) ? value : null;
}

/** The controller's own data is far less nested. Parsing a line of millions of brackets takes gigabytes of memory. */
const DEPTH_MAX = 200;

/** @returns undefined for what is not JSON, or nested too deeply to be a row. */
function parseJson(line: string): unknown {
  if (isDeeperThan(line, DEPTH_MAX)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isDeeperThan(json: string, depthMax: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) isInText = !isInText;
    else if (isInText) at += character === BACKSLASH ? 1 : 0;
    else if (character === BRACKET || character === BRACE) depth += 1;
    else if (character === BRACKET_END || character === BRACE_END) depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
