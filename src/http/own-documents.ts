/** Makes documents for ourselves, as a client would get them. */

import { familyOf } from "../families.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import { buildRouter } from "./request/router.ts";
import { routes } from "./routes.ts";
import type { Services } from "./services.ts";

const PARAM_LENGTH_MAX = 100;
const NO_FILE = new Uint8Array(0);

/**
 * Makes each of these documents once. Documents that the home does not have are skipped.
 * @param names as the documents cache has them.
 */
export async function makeDocuments(services: Services, names: readonly string[]): Promise<void> {
  const router = buildRouter(routes, PARAM_LENGTH_MAX);
  for (const name of names) {
    const path = pathOf(name);
    const match = router.find("GET", path);
    if (!match) continue;
    const request = { id: "own", method: "GET", path, params: match.params, query: new URLSearchParams(), headers: {} };
    const withoutLogin = {
      body: null,
      rawBody: "",
      file: NO_FILE,
      principal: null,
      remoteAddress: "",
      listener: "portal" as const,
      ownUrl: "",
      cause: SYSTEM_CAUSE,
    };
    const whole = { signal: new AbortController().signal, inTurn: async <T>(part: () => T) => part() };
    try {
      await match.route.handle({ ...request, ...withoutLogin, ...whole }, services);
    } catch (error) {
      services.log.debug("A document of a twin is not made yet.", { document: name, error });
    }
  }
}

function pathOf(name: string): string {
  const [, family] = /^def\/get (\d+) /.exec(name) ?? [];
  const [, of, instance] = /^labels (-?\d+) (\d+)$/.exec(name) ?? [];
  if (of !== undefined) return `/rest/profiles/family/${of}/profile/${instance}/download/nls/en_US.txt`;
  const radio = familyOf(Number(family)).radio;
  return radio ? `${radio.path}/node/0/def/get` : name;
}
