/** Reads the documents of a running controller one after the other, so that a small controller is not overloaded. */

import { badValue, type ControllerError } from "../errors.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { hexId } from "../home/programs.ts";
import { childElements } from "../util/read-xml.ts";
import { escapeXml } from "../util/xml.ts";
import { objects, readObject, text } from "../wire/loose.ts";
import { isObject, parseJsonTree, type Tree } from "../wire/spelling/tree.ts";
import { programsDocument } from "./local/programs.ts";
import { sceneDocument } from "./local/scenes.ts";
import { variableNamesDocument, variablesDocument } from "./local/variables.ts";
import { type Original, requireStructure, TIME_DOCUMENT, xmlDocument } from "./original.ts";
import { readTreeXml } from "./parse/nodes.ts";
import { programId } from "./parse/programs.ts";

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

/** Resolves to the text of an answer; null: the controller has no such operation, or refuses it. */
type Call = (operation: string, content: string) => Promise<string | null>;

/** Stores a document; `shown` names it to a person. */
type Take = (name: string, shown: string, body: string | null) => boolean;

/**
 * What a controller without a portal says by `/services` alone: its programs, and the levels of its scenes. One request after the
 * other, because such a controller is small.
 * @param documents what was read by `/rest`. @throws ControllerError BAD_VALUE for a document of them that cannot be read
 */
async function fetchServices(documents: Original, call: Call, take: Take): Promise<void> {
  const all = withElement("trigger", await call("GetAllD2D", ""));
  if (!take(programsDocument(null), "programs", all)) await fetchPrograms(documents, call, take);
  const nodes = xmlDocument(documents, "/rest/nodes");
  for (const { address, members } of nodes ? readTreeXml(nodes).groups : []) {
    const controllers = members.filter(({ isController }) => isController);
    for (const controller of [null, ...controllers.map((member) => member.address)]) {
      const name = sceneDocument(address, controller);
      take(name, name, await fetchScene(address, controller, call));
    }
  }
}

/** Each by itself, from the files of the controller. */
async function fetchPrograms(documents: Original, call: Call, take: Take): Promise<void> {
  const listed = xmlDocument(documents, "/rest/programs");
  for (const { attributes } of listed ? childElements(listed, "program") : []) {
    const id = programId(attributes.get("id"));
    if (id === null) continue;
    const file = `${hexId(id)}.PGM`;
    const content = await call("GetSysConf", `<name>/CONF/D2D/${file}</name>`);
    take(programsDocument(file), `program ${file}`, withElement("trigger", content));
  }
}

/** Two spellings of the same question; the second one only about the scene by itself. */
async function fetchScene(scene: string, controller: string | null, call: Call): Promise<string | null> {
  const of = `<node>${escapeXml(controller ?? "none")}</node><controller>${escapeXml(scene)}</controller>`;
  const profiles = withElement("SceneProfiles", await call("GetSceneProfiles", of));
  if (profiles !== null || controller !== null) return profiles;
  const again = `<command>G_SP</command><scene>${escapeXml(scene)}</scene>`;
  return withElement("SceneProfiles", await call("DeviceSpecific", again));
}

/** An answer without the element is a refusal in an envelope. One that cannot be read is kept, so that it is named. */
function withElement(name: string, answer: string | null): string | null {
  return answer?.includes(`<${name}`) ? answer : null;
}
