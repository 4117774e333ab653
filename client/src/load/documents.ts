/** Chooses the documents of a load and fetches them. `read-state.ts` reads them. */

import { readConfig, readConfigXml } from "../documents/answers.ts";
import { readEnvelope } from "../documents/json.ts";
import { ClientError } from "../errors.ts";
import type { ControllerConfig } from "../model/records.ts";
import type { Session } from "../transport/session.ts";

/** The bodies of a load; null for an optional one that is not there. */
export type Documents<Name extends string = string> = { readonly [N in Name]: string | null };

type Fetched<Name extends string> = {
  readonly documents: Documents<Name>;
  /** Problems with optional documents, except that they do not exist. */
  readonly problems: string[];
};

type Path = { readonly path: string; readonly optional?: readonly number[] };

/** More connections would cost both sides more in handshakes than they save in waiting. Older controllers take two with TLS. */
const AT_ONCE = { portal: 4, local: 2 } as const;
const ABSENT = [404] as const;
const NO_MODULE = [404, 503] as const;

/** Six that there must be; beside them what older or smaller controllers do not have. */
export const PORTAL = {
  profiles: { path: "/rest/profiles?include=nodedefs,editors,linkdefs" },
  nodes: { path: "/api/nodes" },
  status: { path: "/rest/status" },
  programs: { path: "/api/programs" },
  integers: { path: "/api/variables/1" },
  states: { path: "/api/variables/2" },
  groups: { path: "/api/groups", optional: ABSENT },
  triggers: { path: "/api/triggers", optional: ABSENT },
  resources: { path: "/rest/networking/resources", optional: NO_MODULE },
} as const satisfies Record<string, Path>;

/** Controllers of before have no profile, and one without programs may answer 404. */
export const LOCAL = {
  profiles: { path: "/rest/profiles?include=nodedefs,editors,linkdefs", optional: ABSENT },
  nodes: { path: "/rest/nodes" },
  status: { path: "/rest/status" },
  programs: { path: "/rest/programs?subfolders=true", optional: ABSENT },
  // Real units answer 404 when no variable of the type is defined.
  integers: { path: "/rest/vars/get/1", optional: ABSENT },
  states: { path: "/rest/vars/get/2", optional: ABSENT },
  integerNames: { path: "/rest/vars/definitions/1", optional: ABSENT },
  stateNames: { path: "/rest/vars/definitions/2", optional: ABSENT },
  resources: { path: "/rest/networking/resources", optional: NO_MODULE },
  time: { path: "/rest/time", optional: ABSENT },
} as const satisfies Record<string, Path>;

export type PortalDocuments = Documents<keyof typeof PORTAL>;
export type LocalDocuments = Documents<keyof typeof LOCAL>;

/** Some controllers want credentials for it, though it says nothing secret. @throws ClientError */
export async function fetchConfig(session: Session): Promise<ControllerConfig> {
  if (session.mode === "local") return readConfigXml(await session.get("/rest/config"));
  const path = "/api/config";
  const body = await session.get(path, { isOpen: true }).catch((error: unknown) => {
    if (error instanceof ClientError && error.code === "AUTH_FAILED") return session.get(path);
    throw error;
  });
  return readConfig(readEnvelope(body, path));
}

/** @throws ClientError of the first that must be there and cannot be had */
export async function fetchDocuments<Name extends string>(
  session: Session,
  paths: { readonly [N in Name]: Path },
): Promise<Fetched<Name>> {
  const problems: string[] = [];
  const bodies: Record<string, string | null> = {};
  const waiting = Object.entries<Path>(paths).values();
  const fetchOn = async () => {
    for (const [name, { path, optional }] of waiting)
      bodies[name] = optional ? await fetchOptional(session, path, optional, problems) : await session.get(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE[session.mode] }, fetchOn));
  // The names are those of `paths`, which Object.entries forgets.
  return { documents: bodies as Documents<Name>, problems };
}

/** Null when it is unavailable; noted as a problem unless the status says that it does not exist. */
export async function fetchOptional(
  session: Session,
  path: string,
  absent: readonly number[],
  problems: string[],
): Promise<string | null> {
  try {
    return await session.get(path);
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === "CLOSED") throw error;
    if (error.status === null || !absent.includes(error.status)) problems.push(`${path}: ${error.message}`);
    return null;
  }
}
