/** Basic authentication: user name and password of a local account, or of a service account, with every request. */

import { ControllerError } from "../errors.ts";
import type { Credentials } from "./credentials.ts";
import type { Principal } from "./principal.ts";
import { type PrincipalPorts, principalOf } from "./principal-of.ts";
import type { ServiceAccountBook } from "./service-accounts.ts";

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param value of the Authorization header, after the scheme: base64 of `user:password` in UTF-8, or else in Latin-1.
 * @throws ControllerError LOGIN_FAILED, also when it is malformed; TOO_MANY_TRIES, LOGINS_BUSY.
 */
export async function localPrincipal(
  ports: PrincipalPorts & { readonly credentials: Credentials; readonly services: ServiceAccountBook },
  value: string,
  remoteAddress: string,
): Promise<Principal> {
  const { login, password } = decode(value);
  const service = ports.services.find(login, password, remoteAddress);
  if (service) return service;
  const account = await ports.credentials.check({ kind: "local", login, password, remoteAddress });
  return principalOf(ports, account, null);
}

/** A password may hold colons, a user name may not. */
function decode(value: string): { readonly login: string; readonly password: string } {
  if (!BASE64.test(value)) throw new ControllerError("LOGIN_FAILED");
  const text = decodeText(Buffer.from(value, "base64"));
  const colon = text.indexOf(":");
  if (colon < 0) throw new ControllerError("LOGIN_FAILED");
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** RFC 7617 leaves the encoding open: browsers write UTF-8, aiohttp and requests, on which the clients of Python stand, Latin-1. */
function decodeText(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}
