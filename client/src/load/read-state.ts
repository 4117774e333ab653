/** The documents of a load, read into the state of a home: no network, so that it can be measured and tested by itself. */

import { readZone } from "../documents/answers.ts";
import { mergeGroups } from "../documents/groups.ts";
import { parseJson, readEnvelope } from "../documents/json.ts";
import { readNodesJson } from "../documents/nodes-json.ts";
import { readNodesXml } from "../documents/nodes-xml.ts";
import { readProfile } from "../documents/profile-json.ts";
import { readProgramsJson, readProgramsXml } from "../documents/programs.ts";
import { readResources } from "../documents/resources.ts";
import { mergeStatus } from "../documents/status.ts";
import type { Tree } from "../documents/tree.ts";
import { readTrees } from "../documents/triggers.ts";
import { mergeDefinitions, readVariablesJson, readVariablesXml } from "../documents/variables.ts";
import { ClientError } from "../errors.ts";
import { ProfileIndex } from "../model/profile-index.ts";
import type { HomeState } from "../model/state.ts";
import { LOCAL, type LocalDocuments, PORTAL, type PortalDocuments } from "./documents.ts";

/** @throws ClientError `BAD_DOCUMENT`, `REFUSED` for a document that must be there; others are noted as problems */
export function readPortal(documents: PortalDocuments, problems: string[]): HomeState {
  const tree = named(PORTAL.nodes.path, () => readNodesJson(readEnvelope(documents.nodes ?? "", PORTAL.nodes.path)));
  named(PORTAL.status.path, () => mergeStatus(tree.nodes, documents.status ?? ""));
  const { groups, triggers } = documents;
  if (groups !== null) {
    tolerantly(problems, () => mergeGroups(tree.groups, readEnvelope(groups, PORTAL.groups.path)));
  }
  const trees =
    triggers === null ? [] : tolerantly(problems, () => readTrees(readEnvelope(triggers, PORTAL.triggers.path)));
  return {
    ...stateOf(tree, documents.profiles ?? "", documents.resources),
    programs: readProgramsJson(readEnvelope(documents.programs ?? "", PORTAL.programs.path)),
    variables: {
      1: readVariablesJson(readEnvelope(documents.integers ?? "", PORTAL.integers.path), 1),
      2: readVariablesJson(readEnvelope(documents.states ?? "", PORTAL.states.path), 2),
    },
    trees: trees ?? [],
    zone: null,
  };
}

/** @throws ClientError `BAD_DOCUMENT` for a document that must be there; others are noted as problems */
export function readLocal(documents: LocalDocuments, problems: string[]): HomeState {
  const zone = documents.time === null ? null : readZone(documents.time);
  const tree = named(LOCAL.nodes.path, () => readNodesXml(documents.nodes ?? ""));
  named(LOCAL.status.path, () => mergeStatus(tree.nodes, documents.status ?? ""));
  const variables = {
    1: named(LOCAL.integers.path, () => readVariablesXml(documents.integers ?? "", 1, zone)),
    2: named(LOCAL.states.path, () => readVariablesXml(documents.states ?? "", 2, zone)),
  };
  tolerantly(problems, () => mergeDefinitions(variables[1], documents.integerNames ?? ""));
  tolerantly(problems, () => mergeDefinitions(variables[2], documents.stateNames ?? ""));
  return {
    ...stateOf(tree, documents.profiles ?? NO_PROFILE, documents.resources),
    programs: named(LOCAL.programs.path, () => readProgramsXml(documents.programs ?? NO_PROGRAMS, zone)),
    variables,
    trees: [],
    zone,
  };
}

const NO_PROGRAMS = "<programs></programs>";
const NO_PROFILE = '{"families":[]}';

function stateOf({ controllerName, nodes, groups, folders }: Tree, profiles: string, resources: string | null) {
  const profile = parseJson(profiles);
  if (profile === undefined) throw new ClientError("BAD_DOCUMENT", `${PORTAL.profiles.path} is not JSON.`);
  return {
    controllerName,
    nodes,
    groups,
    folders,
    resources: readResources(resources ?? ""),
    profile: new ProfileIndex(readProfile(profile)),
  };
}

/** Says in a failure which document it was. */
function named<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== "BAD_DOCUMENT") throw error;
    throw new ClientError("BAD_DOCUMENT", `${path}: ${error.message}`, { cause: error });
  }
}

function tolerantly<T>(problems: string[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    problems.push(error.message);
    return null;
  }
}
