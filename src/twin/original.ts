/**
 * The documents of the original of a twin, by the names that the received documents have, and the names of files that
 * hold them.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { badValue } from "../errors.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { programsDocument } from "./parse/local.ts";

/** Text of each available document, by its name. */
export type Original = ReadonlyMap<string, string>;

/** Time and place of the original. The twin shows its own clock in their place. */
export const TIME_DOCUMENT = "/rest/time";
/** Radio nodedefs of an unknown family. */
export const RADIO_DOCUMENT = "def/get";

const FILES: Readonly<Record<string, string>> = {
  "api-config.json": "/api/config",
  "api-nodes.json": "/api/nodes",
  "api-groups.json": "/api/groups",
  "api-programs.json": "/api/programs",
  "api-triggers.json": "/api/triggers",
  "api-variables-1.json": "/api/variables/1",
  "api-variables-2.json": "/api/variables/2",
  "programs.xml": programsDocument(null),
  "rest-programs.xml": "/rest/programs",
  "profiles.json": "/rest/profiles",
  "rest-profiles.json": "/rest/profiles",
  "status.xml": "/rest/status",
  "rest-status.xml": "/rest/status",
  "rest-nodes.xml": "/rest/nodes",
  "rest-time.xml": TIME_DOCUMENT,
  "networking-resources.xml": "/rest/networking/resources",
  "rest-networking-resources.xml": "/rest/networking/resources",
  "radio-nodedefs.xml": RADIO_DOCUMENT,
  ...Object.fromEntries(RADIO_FAMILIES.map(({ id }) => [`radio-nodedefs-${id}.xml`, `def/get ${id} nodedef`])),
};

/** @throws ControllerError BAD_VALUE when the directory cannot be read, or holds no document of a home's structure. */
export function readOriginal(directory: string): Original {
  const documents = new Map<string, string>();
  for (const name of listFiles(directory)) {
    const document = Object.hasOwn(FILES, name) ? FILES[name] : labelsDocument(name);
    if (document !== undefined && document !== null)
      documents.set(document, textOf(readFileSync(join(directory, name))));
  }
  requireStructure(documents, `In ${directory} there is neither api-nodes.json nor rest-nodes.xml`);
  return documents;
}

/** @param otherwise what is missing, as half a sentence. @throws ControllerError BAD_VALUE */
export function requireStructure(documents: Original, otherwise: string): void {
  if (documents.has("/api/nodes") || documents.has("/rest/nodes")) return;
  throw badValue(`${otherwise}, so the home cannot be read.`);
}

const UTF_16: readonly (readonly [mark: string, encoding: string])[] = [
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];
const DECLARED = /^<\?xml[^>]*?encoding=["']([\w-]+)["']/;
const DECLARATION_BYTES_MAX = 100;

/** Detects the encoding by the first bytes: some consoles save their output as UTF-16. */
function textOf(bytes: Buffer): string {
  const [, marked] = UTF_16.find(([mark]) => bytes.toString("hex", 0, 2) === mark) ?? [];
  const declared = DECLARED.exec(bytes.toString("latin1", 0, DECLARATION_BYTES_MAX))?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? "utf-8").decode(bytes);
  } catch {
    // An unknown encoding.
    return bytes.toString("utf8");
  }
}

function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
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
