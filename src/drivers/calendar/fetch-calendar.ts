/** Gets a calendar from its address or file, unless it is as it was. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ControllerError } from "../../errors.ts";
import { readAnswer, sendChecked } from "../../util/checked-request.ts";
import type { TargetRules } from "../../util/network-target.ts";

/** How the former answer is known again: by the headers of an address, by the time of a file. */
export type Version = { readonly etag: string; readonly modified: string };
type Fetched = { readonly text: string; readonly version: Version };

export const UNKNOWN_VERSION: Version = { etag: "", modified: "" };

const BYTES_MAX = 10_485_760;
const REDIRECTS_MAX = 3;
const HEADER_CHARS_MAX = 500;
const TOO_LONG = `The calendar is longer than ${BYTES_MAX / 1_048_576} MB.`;

/** @returns null: it is as it was. @throws ControllerError, with a sentence for the owner that does not name the address */
export async function fetchCalendar(
  url: string,
  before: Version,
  rules: TargetRules,
  signal: AbortSignal,
): Promise<Fetched | null> {
  const { etag, modified } = before;
  const headers = {
    Accept: "text/calendar",
    "User-Agent": "domovoi",
    ...(etag !== "" && { "If-None-Match": etag }),
    ...(modified !== "" && { "If-Modified-Since": modified }),
  };
  const target = URL.parse(url.replace(/^webcal(s?):/, "https:"));
  if (!target) throw failed("The address is no address.");
  const request = { method: "GET", headers, rules, signal, redirectsMax: REDIRECTS_MAX } as const;
  const answer = await sendChecked(target, request).catch((error: unknown) => {
    if (error instanceof ControllerError) throw error;
    throw failed(`The address does not answer (${codeOf(error)}).`);
  });
  const { statusCode = 0 } = answer;
  if (statusCode !== 200) answer.destroy();
  if (statusCode === 304) return null;
  if (statusCode !== 200) throw failed(`The address answers with the status ${statusCode}.`);
  const body = await readAnswer(answer, BYTES_MAX).catch(() => {
    throw failed("The connection ended before the calendar did.");
  });
  if (body === null) throw failed(TOO_LONG);
  const header = (name: "etag" | "last-modified") => (answer.headers[name] ?? "").slice(0, HEADER_CHARS_MAX);
  return { text: body.toString("utf8"), version: { etag: header("etag"), modified: header("last-modified") } };
}

/** @returns null: it is as it was. @throws ControllerError */
export async function readCalendarFile(path: string, before: Version): Promise<Fetched | null> {
  // A named pipe without a writer would hold the opening for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    const why = codeOf(error);
    if (why === "ENOENT") throw failed("There is no such file on the controller's machine.");
    throw failed(`The controller cannot read the file (${why}).`);
  });
  try {
    const stat = await file.stat();
    const { size, mtimeMs } = stat;
    if (!stat.isFile()) throw failed("It is no file.");
    if (size > BYTES_MAX) throw failed(TOO_LONG);
    const modified = `${mtimeMs} ${size}`;
    return modified === before.modified ? null : { text: await file.readFile("utf8"), version: { etag: "", modified } };
  } finally {
    await file.close();
  }
}

function failed(sentence: string): ControllerError {
  return new ControllerError("SETTINGS_REFUSED", sentence);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "no answer";
}
