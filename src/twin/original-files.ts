/**
 * Saved documents of an original in a directory, by the names of their files. A backup of an older controller is read as it was
 * saved: a ZIP file, which holds another one.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { badValue } from "../errors.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { programsDocument } from "./local/programs.ts";
import { variableNamesDocument, variablesDocument } from "./local/variables.ts";
import { type Original, RADIO_DOCUMENT, requireStructure, TIME_DOCUMENT } from "./original.ts";

/** More would not fit into the limit on all documents. */
const BYTES_MAX = 256 * 1024 * 1024;
/** A ZIP file within the backup. */
const ARCHIVES_DEPTH = 2;

const REST: readonly string[] = [
  ...(["/rest/config", "/rest/nodes", "/rest/status", "/rest/programs", "/rest/networking/resources"] as const),
  TIME_DOCUMENT,
  ...([1, 2] as const).flatMap((type) => [variablesDocument(type), variableNamesDocument(type)]),
];

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(REST.map((path) => [`${path.slice(1).replaceAll("/", "-")}.xml`, path])),
  "api-config.json": "/api/config",
  "api-nodes.json": "/api/nodes",
  "api-groups.json": "/api/groups",
  "api-programs.json": "/api/programs",
  "api-triggers.json": "/api/triggers",
  "api-variables-1.json": "/api/variables/1",
  "api-variables-2.json": "/api/variables/2",
  "programs.xml": programsDocument(null),
  "profiles.json": "/rest/profiles",
  "rest-profiles.json": "/rest/profiles",
  "status.xml": "/rest/status",
  "networking-resources.xml": "/rest/networking/resources",
  "radio-nodedefs.xml": RADIO_DOCUMENT,
  ...Object.fromEntries(RADIO_FAMILIES.map(({ id }) => [`radio-nodedefs-${id}.xml`, `def/get ${id} nodedef`])),
  // Of a backup. They hold the names of variables, and no values.
  "INTEGER.VAR": variableNamesDocument(1),
  "STATE.VAR": variableNamesDocument(2),
};

/** @throws ControllerError BAD_VALUE when the directory cannot be read, or holds no document of a home's structure. */
export function readOriginal(directory: string): Original {
  const documents = new Map<string, string>();
  for (const path of listFiles(directory)) {
    if (isWanted(path)) takeFile(documents, path, readFileSync(join(directory, path)), 0);
  }
  const isBackup = [...documents.keys()].some((name) => name.startsWith(programsDocument("")));
  const hint = isBackup ? ". A backup has no nodes that can be read: save the page /rest/nodes as rest-nodes.xml" : "";
  requireStructure(documents, `in ${directory} there is neither api-nodes.json nor rest-nodes.xml${hint}`);
  return documents;
}

function isWanted(path: string): boolean {
  return isArchive(path) || documentOf(fileName(path)) !== null;
}

function isArchive(path: string): boolean {
  return /\.zip$/i.test(path);
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? "";
}

/** A document that was saved by itself goes before the one of a backup. */
function takeFile(documents: Map<string, string>, path: string, bytes: Uint8Array, depth: number): void {
  if (isArchive(path)) {
    if (depth === ARCHIVES_DEPTH) return;
    for (const [inner, content] of unpacked(path, bytes)) takeFile(documents, inner, content, depth + 1);
    return;
  }
  const document = documentOf(fileName(path));
  if (document !== null && !(depth > 0 && documents.has(document))) documents.set(document, textOf(bytes));
}

function documentOf(name: string): string | null {
  if (Object.hasOwn(FILES, name)) return FILES[name] ?? null;
  if (/\.pgm$/i.test(name)) return programsDocument(name);
  if (/^scene .+\.xml$/.test(name)) return name.slice(0, -".xml".length);
  return labelsDocument(name);
}

function unpacked(path: string, bytes: Uint8Array): readonly (readonly [string, Uint8Array])[] {
  let bytesLeft = BYTES_MAX;
  try {
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      if (!isWanted(name)) return false;
      bytesLeft -= originalSize;
      if (bytesLeft < 0) throw new Error("it is too large");
      return true;
    };
    return Object.entries(unzipSync(bytes, { filter })).sort(([a], [b]) => (a < b ? -1 : 1));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badValue(`The archive ${path} cannot be read: ${reason}.`, cause);
  }
}

const UTF_16: readonly (readonly [mark: string, encoding: string])[] = [
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];
const DECLARED = /^<\?xml[^>]*?encoding=["']([\w-]+)["']/;
const DECLARATION_BYTES_MAX = 100;

/** Detects the encoding by the first bytes: some consoles save their output as UTF-16. */
function textOf(given: Uint8Array): string {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const [, marked] = UTF_16.find(([mark]) => bytes.toString("hex", 0, 2) === mark) ?? [];
  const declared = DECLARED.exec(bytes.toString("latin1", 0, DECLARATION_BYTES_MAX))?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? "utf-8").decode(bytes);
  } catch {
    // An unknown encoding.
    return bytes.toString("utf8");
  }
}

/** Paths below the directory. An unpacked backup has directories. */
function listFiles(directory: string): readonly string[] {
  try {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(join(directory, "/").length)).sort();
  } catch (cause) {
    throw badValue(`The directory ${directory} cannot be read.`, cause);
  }
}

/** `nls-4-1.txt`: labels of one family and instance; `nls--1-1.txt`, `nls-global.txt`, `en_US.txt`: of all. null for other files. */
function labelsDocument(file: string): string | null {
  if (!/\.txt$/i.test(file) || !/nls|en_us/i.test(file)) return null;
  const written = file.replace(/en_us/i, "").matchAll(/[-_ ](-?\d+)|[a-z](\d+)/gi);
  const numbers = Array.from(written, ([, apart, behind]) => Number(apart ?? behind));
  const [family = -1, instance = 1] = numbers;
  return `labels ${family} ${instance}`;
}
