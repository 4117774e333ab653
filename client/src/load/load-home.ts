/** A whole load, all but the configuration: documents, what they say, and what the radios still owe. */

import { readEnvelope } from "../documents/json.ts";
import { mergeDefinitions, readVariablesJson, readVariablesXml } from "../documents/variables.ts";
import type { VariableRecord, VariableType } from "../model/records.ts";
import type { HomeState } from "../model/state.ts";
import type { Session } from "../transport/session.ts";
import { type Documents, fetchDocuments, LOCAL, PORTAL } from "./documents.ts";
import { loadRadios } from "./radio.ts";
import { readLocal, readPortal } from "./read-state.ts";

export type Loaded = {
  readonly state: HomeState;
  /** Problems with optional documents. */
  readonly problems: readonly string[];
  /** Bodies by path. */
  readonly bodies: ReadonlyMap<string, string>;
};

/** @throws ClientError when a document that must be there cannot be had or read */
export async function loadHome(session: Session): Promise<Loaded> {
  if (session.mode === "local") {
    const { documents, problems } = await fetchDocuments(session, LOCAL);
    return withRadios(session, readLocal(documents, problems), problems, bodiesOf(LOCAL, documents));
  }
  const { documents, problems } = await fetchDocuments(session, PORTAL);
  return withRadios(session, readPortal(documents, problems), problems, bodiesOf(PORTAL, documents));
}

/** The table of one type, read again. */
export async function loadVariables(
  session: Session,
  state: HomeState,
  type: VariableType,
): Promise<ReadonlyMap<string, VariableRecord>> {
  if (session.mode === "portal") {
    const path = `/api/variables/${type}`;
    return readVariablesJson(readEnvelope(await session.get(path), path), type);
  }
  const variables = readVariablesXml(await session.get(`/rest/vars/get/${type}`), type, state.zone);
  const names = await session.get(`/rest/vars/definitions/${type}`).catch(() => "");
  mergeDefinitions(variables, names);
  return variables;
}

async function withRadios(
  session: Session,
  state: HomeState,
  problems: string[],
  bodies: Loaded["bodies"],
): Promise<Loaded> {
  await loadRadios(session, state, problems);
  return { state, problems, bodies };
}

function bodiesOf(paths: Readonly<Record<string, { readonly path: string }>>, documents: Documents) {
  return new Map(
    Object.entries(paths).flatMap(([name, { path }]) => {
      const body = documents[name] ?? null;
      return body === null ? [] : [[path, body] as const];
    }),
  );
}
