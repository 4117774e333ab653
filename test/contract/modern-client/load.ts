/** The modern client's load: the configuration, nine documents at once, then what the radio networks still owe. */

import { children, readXml, textOf } from "../../support/read-xml.ts";
import {
  mergeGroups,
  mergeStatus,
  type Program,
  readPrograms,
  readTree,
  readVariables,
  successful,
  type Tree,
  type Variable,
} from "./home.ts";
import {
  type Labels,
  type NodeDef,
  type Profile,
  profileKey,
  readLabels,
  readProfile,
  readRadioNodeDefs,
} from "./profile.ts";
import { type Answer, AuthError, ClientError, HttpError, isObject, parseJson, type Session } from "./session.ts";

export type Config = { readonly uuid: string; readonly version: string; readonly portalHost: string | null };
type NetworkResource = { readonly id: string; readonly name: string };

export type Loaded = Tree & {
  readonly profile: Profile;
  /** Nodedefs that came from a radio network, by family, instance and id. */
  readonly radio: ReadonlyMap<string, NodeDef>;
  readonly labels: Labels;
  readonly programs: ReadonlyMap<string, Program>;
  readonly triggers: readonly unknown[];
  readonly variables: { 1: Map<string, Variable>; 2: Map<string, Variable> };
  readonly resources: readonly NetworkResource[];
};

export async function loadConfig(session: Session): Promise<Config> {
  const document = await json(session.get("/api/config"));
  if (!isObject(document)) throw new ClientError("The configuration is no object.");
  const data = "data" in document ? document.data : document;
  if (!isObject(data)) throw new ClientError("The configuration has no data.");
  const portalHost = data.portalHost === undefined ? null : String(data.portalHost);
  return { uuid: String(data.uuid ?? ""), version: String(data.version ?? ""), portalHost };
}

/** Families whose nodedefs older controllers do not list in the profile. */
const RADIO_FAMILIES = ["4", "12"];

/**
 * The nine are sent in this order and at the same moment; the first that fails fails the load.
 * @param hidesRadio reads the profile as if it were that of an older controller, without the nodedefs of radio devices.
 */
export async function loadHome(session: Session, hidesRadio: boolean): Promise<Loaded> {
  const [profileDocument, nodes, status, programs, triggers, integers, states, resources, groups] = await Promise.all([
    json(session.get("/rest/profiles?include=nodedefs,editors,linkdefs")),
    json(session.get("/api/nodes")),
    session.get("/rest/status"),
    json(session.get("/api/programs")),
    json(session.get("/api/triggers")),
    json(session.get("/api/variables/1")),
    json(session.get("/api/variables/2")),
    tolerant(session.get("/rest/networking/resources")),
    tolerant(session.get("/api/groups")),
  ]);
  const profile = hidesRadio ? withoutRadio(readProfile(profileDocument)) : readProfile(profileDocument);
  const tree = readTree(nodes);
  mergeStatus(tree, status.text);
  if (groups) mergeGroups(tree, strictJson(groups));
  return {
    ...tree,
    profile,
    ...(await loadRadio(session, tree, profile)),
    programs: readPrograms(programs),
    triggers: successful(triggers),
    variables: { 1: readVariables(integers), 2: readVariables(states) },
    resources: resources ? readResources(resources.text) : [],
  };
}

function withoutRadio(profile: Profile): Profile {
  const keys = RADIO_FAMILIES.map((family) => profileKey(family, "1"));
  return new Map(
    Array.from(profile, ([key, each]) => [key, keys.includes(key) ? { ...each, nodedefs: new Map() } : each]),
  );
}

export async function loadVariables(session: Session, type: 1 | 2): Promise<Map<string, Variable>> {
  return readVariables(await json(session.get(`/api/variables/${type}`)));
}

const RADIO: Readonly<Record<string, readonly string[]>> = {
  4: ["/rest/zwave/node/0/def/get", "/rest/zmatter/zwave/node/0/def/get"],
  12: ["/rest/zmatter/zwave/node/0/def/get", "/rest/zwave/node/0/def/get"],
};

/** Asked for the networks with nodes whose nodedef the profile does not have. */
async function loadRadio(session: Session, tree: Tree, profile: Profile) {
  const radio = new Map<string, NodeDef>();
  const labels = new Map<string, string>();
  for (const [family, candidates] of Object.entries(RADIO)) {
    const own = [...tree.nodes.values()].filter((node) => node.family === family);
    const missing = own.filter(
      ({ instance, nodeDefId }) => !profile.get(profileKey(family, instance))?.nodedefs.has(nodeDefId),
    );
    for (const instance of new Set(missing.map((node) => node.instance))) {
      const nodedefs = await firstRadioNodeDefs(session, candidates);
      if (nodedefs.length === 0) continue;
      for (const nodedef of nodedefs) radio.set(`${profileKey(family, instance)}/${nodedef.id}`, nodedef);
      for (const scope of ["-1", family]) {
        const path = `/rest/profiles/family/${scope}/profile/${instance}/download/nls/en_US.txt`;
        const answer = await tolerant(session.get(path));
        for (const [key, label] of readLabels(answer?.text ?? "")) labels.set(key, label);
      }
    }
  }
  return { radio, labels };
}

async function firstRadioNodeDefs(session: Session, candidates: readonly string[]): Promise<readonly NodeDef[]> {
  for (const path of candidates) {
    const answer = await tolerant(session.get(path));
    const nodedefs = answer ? readRadioNodeDefs(readXml(answer.text)) : [];
    if (nodedefs.length > 0) return nodedefs;
  }
  return [];
}

function readResources(text: string): readonly NetworkResource[] {
  return children(readXml(text), "NetRule").map((rule) => ({ id: textOf(rule, "id"), name: textOf(rule, "name") }));
}

/** Invalid JSON ends the load. */
async function json(answered: Promise<Answer>): Promise<unknown> {
  return strictJson(await answered);
}

function strictJson({ text }: Answer): unknown {
  const read = parseJson(text);
  if (read === undefined) throw new ClientError("An answer is not JSON.");
  return read;
}

/** Null for every failure but that of the credentials in local mode. */
async function tolerant(answered: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answered;
  } catch (error) {
    if (error instanceof AuthError || !(error instanceof HttpError)) throw error;
    return null;
  }
}
