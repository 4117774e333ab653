/**
 * Refuses requests that another site's page makes a browser send, and pages under foreign host names. Programs, which
 * send neither Origin nor Sec-Fetch headers, are not affected.
 *
 * @see docs/interface/README.md, Rules for web pages
 */

import type { IncomingHttpHeaders } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";

export type HostRule = {
  /** Names beyond the local ones: of the machine, of the setting allowedHosts. Lower case. */
  readonly names: ReadonlySet<string>;
  /** The listener speaks TLS. */
  readonly encrypted: boolean;
  /** Of an owner's own pages, by the setting adminOrigins. */
  readonly origins: ReadonlySet<string>;
};

/**
 * Origins as browsers send them: scheme, name in lower case, and the port unless it is the usual one.
 * @throws ControllerError BAD_VALUE for another text.
 */
export function adminOrigins({ adminOrigins: origins }: Pick<Config, "adminOrigins">): ReadonlySet<string> {
  const wrong = origins.find((origin) => !WEB_ORIGIN.test(origin) || URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return new Set(origins);
  throw badValue(`"${wrong}" (setting adminOrigins) is no origin, such as http://192.168.1.20:5173.`);
}

/** Names of the machine and of the settings. */
export function ownNames(config: Pick<Config, "portalHost" | "allowedHosts" | "acmeNames">): ReadonlySet<string> {
  const names = [hostname(), config.portalHost, ...config.allowedHosts, ...config.acmeNames];
  return new Set(names.map((name) => name.toLowerCase()));
}

// Names that public DNS does not resolve, so no foreign site can point them here.
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|lan|home|home\.arpa|internal|localdomain|localhost))$/;
const HOST = /^(?<name>\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?$/i;
const WEB_ORIGIN = /^https?:\/\//i;
/** "com.universal-devices.websockets.isy": no browser sends an origin without a scheme, but for "null". */
const PROGRAM_ORIGIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
const EXTENSION_ORIGIN = /^(?:chrome|moz|safari-web)-extension:\/\/[\w.-]+$/;

/**
 * Refuses requests that another site's page caused. Reads are refused too unless the user navigates, so that basic
 * credentials cached by the browser reveal nothing to other sites. Only listed header values are allowed; an unknown
 * value counts as another site.
 * @throws ControllerError CROSS_SITE_REFUSED.
 */
export function checkSite(headers: IncomingHttpHeaders, rule: Omit<HostRule, "names">, changes: boolean): void {
  const site = headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  const isRefused = changes ? !isOwn || !mayChange(headers, rule) : !isOwn && headers["sec-fetch-mode"] !== "navigate";
  if (isRefused) throw new ControllerError("CROSS_SITE_REFUSED");
}

function mayChange(headers: IncomingHttpHeaders, { encrypted, origins }: Omit<HostRule, "names">): boolean {
  if (headers.origin !== undefined && origins.has(headers.origin)) return isOfOwnersPage(headers);
  if (headers.origin !== undefined) return originFits(headers.origin, headers.host, encrypted);
  // "none": the address comes from outside of the browser's pages, perhaps from a link in a message, and the browser adds the
  // basic credentials that it remembers.
  if (headers["sec-fetch-site"] !== undefined) return headers["sec-fetch-site"] === "same-origin";
  return refererFits(headers, encrypted);
}

/**
 * A page that the owner trusts, whose server passes its requests on. It shows basic credentials itself, and nothing that a browser
 * or a session of our own page would add; without any it is asked for them.
 */
function isOfOwnersPage({ authorization, cookie }: IncomingHttpHeaders): boolean {
  return cookie === undefined && (authorization === undefined || /^Basic /i.test(authorization));
}

/**
 * The defence against DNS rebinding. Programs may use any name over TLS, where a wrong one gains a page nothing.
 * @throws ControllerError BAD_REQUEST for a missing, doubled or malformed Host, HOST_REFUSED for a foreign name.
 */
export function checkHost(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  rule: Omit<HostRule, "origins">,
): void {
  const name = hostName(headers.host, rawHeaders);
  if (isAllowedName(name, rule.names)) return;
  if (!rule.encrypted || looksLikeBrowser(headers)) throw new ControllerError("HOST_REFUSED");
}

function hostName(host: string | undefined, rawHeaders: readonly string[]): string {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") count += 1;
  }
  const name = HOST.exec(host ?? "")?.groups?.name;
  if (count !== 1 || name === undefined) throw new ControllerError("BAD_REQUEST", "The Host header is malformed.");
  return name.toLowerCase();
}

function isAllowedName(name: string, names: ReadonlySet<string>): boolean {
  if (name.startsWith("[")) return isIPv6(name.slice(1, -1));
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  return isIPv4(bare) || LOCAL_NAME.test(bare) || names.has(bare);
}

function looksLikeBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined ||
    headers.referer !== undefined ||
    headers.cookie !== undefined ||
    headers["sec-fetch-site"] !== undefined ||
    headers["sec-fetch-mode"] !== undefined ||
    headers["sec-fetch-dest"] !== undefined ||
    isBrowserAgent(headers)
  );
}

function isBrowserAgent(headers: IncomingHttpHeaders): boolean {
  return headers["user-agent"]?.startsWith("Mozilla/") === true;
}

/** Our own pages, programs that name themselves as legacy clients do, and extensions of the browser. */
function originFits(origin: string, host: string | undefined, encrypted: boolean): boolean {
  if (PROGRAM_ORIGIN.test(origin) || EXTENSION_ORIGIN.test(origin)) return true;
  const from = ownPage(origin, host);
  // A page that came without TLS could be anybody's; the other way round a proxy may have ended TLS before us.
  return from !== null && !(encrypted && from.protocol !== "https:");
}

/** The origin of a page that came from this host; null for all others. */
export function ownPage(origin: string, host: string | undefined): URL | null {
  const from = WEB_ORIGIN.test(origin) ? URL.parse(origin) : null;
  return from && URL.parse(`${from.protocol}//${host}`)?.host === from.host ? from : null;
}

/** For browsers that leave Sec-Fetch out: all old ones, and every one on a listener without TLS. */
function refererFits(headers: IncomingHttpHeaders, encrypted: boolean): boolean {
  const { referer } = headers;
  if (referer !== undefined && WEB_ORIGIN.test(referer)) return originFits(referer, headers.host, encrypted);
  // A foreign page can request an image without naming its origin.
  return !isBrowserAgent(headers);
}
