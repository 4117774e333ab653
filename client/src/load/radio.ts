/**
 * Loads the nodedefs that a radio generates for its devices, with their labels, when the profile does not have them.
 */

import { labelNodedef, readLabels } from "../documents/nls.ts";
import { readRadioNodedefs } from "../documents/nodedefs-xml.ts";
import { ClientError } from "../errors.ts";
import type { Nodedef } from "../model/profile.ts";
import type { HomeState } from "../model/state.ts";
import type { Session } from "../transport/session.ts";
import { fetchOptional } from "./documents.ts";

/** By family, the paths of its nodedefs; the second is requested when the first has none. */
const DEFINITIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["4", ["/rest/zwave/node/0/def/get", "/rest/zmatter/zwave/node/0/def/get"]],
  ["12", ["/rest/zmatter/zwave/node/0/def/get", "/rest/zwave/node/0/def/get"]],
  ["14", ["/rest/zmatter/zigbee/node/0/def/get"]],
]);
/** Two names of the labels that all families share. */
const GLOBAL_FAMILIES = ["-1", "1"] as const;
const ABSENT = [404] as const;

/** @throws ClientError `BAD_DOCUMENT` when nodedefs are malformed; other failures are noted as problems */
export async function loadRadios(session: Session, state: HomeState, problems: string[]): Promise<void> {
  const missing = [...state.nodes.values()].filter(
    ({ family, instance, nodeDefId }) => DEFINITIONS.has(family) && !state.profile.nodedef(nodeDefId, family, instance),
  );
  const scopes = new Set(missing.map(({ family, instance }) => `${family}/${instance}`));
  await Promise.all(Array.from(scopes, (scope) => loadRadio(session, state, scope, problems)));
}

async function loadRadio(session: Session, state: HomeState, scope: string, problems: string[]): Promise<void> {
  const [family = "", instance = ""] = scope.split("/");
  const nodedefs = await fetchNodedefs(session, family, instance, problems);
  if (nodedefs.length === 0) return;
  const ask = (of: string) =>
    fetchOptional(session, `/rest/profiles/family/${of}/profile/${instance}/download/nls/en_US.txt`, ABSENT, problems);
  const [global, own] = await Promise.all([firstOf(GLOBAL_FAMILIES, ask), ask(family)]);
  const labels = readLabels(global ?? "", own ?? "");
  state.profile.setLabels(family, instance, labels);
  for (const nodedef of nodedefs) state.profile.addNodedef(labelNodedef(nodedef, labels));
}

async function fetchNodedefs(
  session: Session,
  family: string,
  instance: string,
  problems: string[],
): Promise<readonly Nodedef[]> {
  for (const path of DEFINITIONS.get(family) ?? []) {
    const document = await fetchOptional(session, path, ABSENT, problems);
    const nodedefs = document === null ? [] : readNodedefs(document, path, family, instance);
    if (nodedefs.length > 0) return nodedefs;
  }
  return [];
}

function readNodedefs(document: string, path: string, family: string, instance: string): readonly Nodedef[] {
  try {
    return readRadioNodedefs(document, family, instance);
  } catch (error) {
    throw new ClientError("BAD_DOCUMENT", `${path}: the nodedefs cannot be read.`, { cause: error });
  }
}

async function firstOf(
  families: readonly string[],
  ask: (family: string) => Promise<string | null>,
): Promise<string | null> {
  for (const family of families) {
    const answer = await ask(family);
    if (answer !== null) return answer;
  }
  return null;
}
