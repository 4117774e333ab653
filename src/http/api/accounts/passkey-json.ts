/** What the routes of passkeys share: the site of the page that asks, and texts of authenticators. @see docs/interface/passkeys.md */

import { isIPv4 } from "node:net";
import type { Site } from "../../../auth/passkey-challenges.ts";
import type { Principal } from "../../../auth/principal.ts";
import { ControllerError, invariant } from "../../../errors.ts";
import { ownPage } from "../../browser-rules.ts";
import type { HttpRequest } from "../../route.ts";

/** Of 1,023 bytes, the most that an authenticator may use. */
export const PASSKEY_ID_CHARS_MAX = 1364;

export function base64url<N extends number>(maxLength: N) {
  return { type: "string", pattern: "^[A-Za-z0-9_-]+$", maxLength } as const;
}

/** @throws ControllerError BAD_REQUEST for a request of no page from here, PASSKEY_NEEDS_NAME */
export function siteOf({ headers: { origin, host } }: Pick<HttpRequest, "headers">): Site {
  const page = typeof origin === "string" && typeof host === "string" ? ownPage(origin, host) : null;
  if (!page)
    throw new ControllerError(
      "BAD_REQUEST",
      "Passkeys work on the page of the controller: the header Origin names it.",
    );
  const rpId = page.hostname;
  if (isIPv4(rpId) || rpId.startsWith("[")) throw new ControllerError("PASSKEY_NEEDS_NAME");
  return { origin: page.origin, rpId };
}

export function principalOf({ principal }: HttpRequest): Principal {
  invariant(principal, "The route requires a login.");
  return principal;
}
