/** Reads the documents of a running controller one after the other, so that a small controller is not overloaded. */

import { badValue, type ControllerError } from "../errors.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { objects, readObject, text } from "../wire/loose.ts";
import { isObject, parseJsonTree, type Tree } from "../wire/spelling/tree.ts";
import { type Call, fetchServices } from "./local/fetch-services.ts";
import { variableNamesDocument, variablesDocument } from "./local/variables.ts";
import { type Original, requireStructure, TIME_DOCUMENT, xmlDocument } from "./original.ts";
import { readTreeXml } from "./parse/nodes.ts";

/** Resolves to the text of a document, or to null when the controller does not have it. */
type Fetch = (path: string) => Promise<string | null>;

type Wanted = { readonly name: string; readonly path: string };

const PROFILES: Wanted = { name: "/rest/profiles", path: "/rest/profiles?include=nodedefs,editors,linkdefs" };
const same = (path: string): Wanted => ({ name: path, path });

/** The documents of the whole interface, and the part of them that local listeners serve. */
const PORTAL: readonly Wanted[] = [
  same("/api/config"),
  PROFILES,
  same("/api/nodes"),
  same("/rest/nodes"),
  same("/rest/status"),
  same("/api/groups"),
  same("/api/programs"),
  same("/api/triggers"),
  same("/api/variables/1"),
  same("/api/variables/2"),
  same("/rest/networking/resources"),
  same(TIME_DOCUMENT),
];
/** All that controllers without a portal have. */
const LOCAL: readonly Wanted[] = [
  same("/rest/config"),
  PROFILES,
  same("/rest/nodes"),
  same("/rest/status"),
  { name: "/rest/programs", path: "/rest/programs?subfolders=true" },
  ...([1, 2] as const).flatMap((type) => [same(variableNamesDocument(type)), same(variablesDocument(type))]),
  same("/rest/networking/resources"),
  same(TIME_DOCUMENT),
];
/** Tries the path of each family first, then the paths that other controllers use for the same protocol. */
const RADIOS: readonly (readonly [family: string, paths: readonly string[]])[] = RADIO_FAMILIES.map(
  ({ id, name, radio }) => {
    const others = RADIO_FAMILIES.filter((other) => other.id !== id && other.name === name);
    return [String(id), [radio, ...others.map((other) => other.radio)].map(({ path }) => `${path}/node/0/def/get`)];
  },
);

/**
 * @param charsMax characters of all documents together.
 * @param onDocument called for each document with its path and length; the length is null for a missing document.
 * @param call null: the portal of the controller is read; otherwise its local interface, with `/services`.
 * @throws ControllerError BAD_VALUE when no document has the structure of the home, or all documents together are too
 * long
 */
export async function fetchOriginal(
  get: Fetch,
  charsMax: number,
  onDocument: (path: string, characters: number | null) => void,
  call: Call | null = null,
): Promise<Original> {
  const documents = new Map<string, string>();
  let charsLeft = charsMax;
  const take = (name: string, path: string, body: string | null): boolean => {
    onDocument(path, body?.length ?? null);
    charsLeft -= body?.length ?? 0;
    if (charsLeft < 0) throw tooLong(charsMax);
    if (body !== null) documents.set(name, body);
    return body !== null;
  };
  const fetch = async ({ name, path }: Wanted) => take(name, path, await get(path));
  for (const wanted of call ? LOCAL : PORTAL) await fetch(wanted);
  const lacking = call ? "the controller has no /rest/nodes" : "the controller has neither /api/nodes nor /rest/nodes";
  requireStructure(documents, lacking);
  if (call) await fetchServices(documents, call, take);
  await fetchRadios(documents, fetch);
  return documents;
}

async function fetchRadios(documents: Original, fetch: (wanted: Wanted) => Promise<boolean>): Promise<void> {
  const families = familiesIn(documents);
  for (const [family, paths] of RADIOS) {
    if (!families.has(family)) continue;
    for (const path of paths) if (await fetch({ name: `def/get ${family} nodedef`, path })) break;
  }
  const labelled = RADIOS.map(([family]) => family).filter((family) => documents.has(`def/get ${family} nodedef`));
  if (labelled.length === 0) return;
  for (const family of ["-1", ...labelled]) await fetch({ name: `labels ${family} 1`, path: labelsPath(family) });
}

function tooLong(charsMax: number): ControllerError {
  return badValue(`The documents of the controller are longer than twinCharsMax allows (${charsMax} characters).`);
}

function labelsPath(family: string): string {
  return `/rest/profiles/family/${family}/profile/1/download/nls/en_US.txt`;
}

function familiesIn(documents: Original): ReadonlySet<string> {
  const json = documents.get("/api/nodes");
  if (json === undefined) {
    const xml = xmlDocument(documents, "/rest/nodes");
    return new Set(xml ? readTreeXml(xml).nodes.map(({ node }) => String(node.family)) : []);
  }
  let document: Tree = null;
  try {
    document = parseJsonTree(json);
  } catch {
    // Reported when the twin is planned.
  }
  const listed = objects(readObject(readObject(readObject(document).data).nodes).node);
  return new Set(listed.map(({ family }) => (isObject(family) ? text(family._) : text(family))));
}
