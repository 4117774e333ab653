/**
 * The request target, normalised once: every decision (routing, authorisation, handlers) sees only the result.
 * Accepts the spellings that clients in the field are known to send; everything ambiguous is refused.
 *
 * @see docs/interface/README.md
 */

import { ControllerError } from "../errors.ts";

export type Target = {
  /** One slash between segments, none at the end; each segment percent-encoded in one canonical way. "/" for the root. */
  readonly path: string;
  /** The query as received, without the question mark. */
  readonly query: string;
};

export type PathSurface = "api" | "rest" | "soap" | "other";

// Matches nearly every request: nothing to decode, no dot segment, no double slash.
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
/** Clients of the legacy surface write programs there. */
const UPLOADS = /^\/(?:program|file)\/(?:upload|delete)\//;
const PRINTABLE = /^[\x20-\x7e]*$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** @throws ControllerError BAD_PATH for what cannot be read in exactly one way. */
export function parseTarget(raw: string): Target {
  const mark = raw.indexOf("?");
  const rawPath = mark < 0 ? raw : raw.slice(0, mark);
  const query = mark < 0 ? "" : raw.slice(mark + 1);
  if (query !== "") checkQuery(query);
  if (PLAIN_PATH.test(rawPath) && !rawPath.startsWith("/rest/rest")) return { path: rawPath, query };
  return { path: canonicalPath(rawPath), query };
}

/** The surface that a normalized path belongs to. */
export function surfaceOf(path: string): PathSurface {
  if (path.startsWith("/api/") || path === "/api") return "api";
  if (path === "/services") return "soap";
  return path.startsWith("/rest/") || path === "/rest" || UPLOADS.test(path) ? "rest" : "other";
}

function canonicalPath(rawPath: string): string {
  if (!rawPath.startsWith("/") || rawPath.includes("#") || !PRINTABLE.test(rawPath))
    throw new ControllerError("BAD_PATH");
  let segments = rawPath.split("/").filter(isNotEmpty).map(decodeSegment);
  // A client of the legacy surface puts its prefix twice ("/rest//rest/vars/…").
  const prefixes = segments.findIndex((segment) => segment !== "rest");
  if (prefixes > 1) segments = segments.slice(prefixes - 1);
  // The same client separates the parts of a variable path with backslashes.
  if (segments[0] === "rest" && /^vars(?:\\|$)/.test(segments[1] ?? "")) {
    segments = segments.flatMap((segment) => segment.split("\\")).filter(isNotEmpty);
  }
  if (segments.some((segment) => segment === "." || segment === "..")) throw new ControllerError("BAD_PATH");
  return `/${segments.map(encodeURIComponent).join("/")}`;
}

function isNotEmpty(segment: string): boolean {
  return segment !== "";
}

function decodeSegment(segment: string): string {
  const decoded = segment.includes("%") ? decodeUtf8(segment) : segment;
  if (CONTROL.test(decoded)) throw new ControllerError("BAD_PATH");
  return decoded;
}

function checkQuery(query: string): void {
  if (!PRINTABLE.test(query) || query.includes("#")) throw new ControllerError("BAD_PATH");
  if (query.includes("%")) decodeUtf8(query);
}

/** `decodeURIComponent` refuses broken escapes, overlong forms and encoded surrogates. */
function decodeUtf8(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ControllerError("BAD_PATH", { cause });
  }
}
