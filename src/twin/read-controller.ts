/** Reads the home of a running controller through the client library. The controller is only read. */

import { ClientError, login, type NodeOptions } from "@domovoi/client";
import type { Config } from "../config.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { fetchOriginal } from "./fetch-original.ts";
import type { Original } from "./original.ts";

/**
 * @param access to its portal, or, with `mode` local, to a controller without one. The local listener of a controller with a
 * portal has programs and scenes only as older clients read them.
 * @param onDocument called for each document with its path and length; the length is null for a missing document.
 * @throws ClientError when it cannot be reached or refuses the account; ControllerError BAD_VALUE when it has no home that
 *   can be read.
 */
export async function readController(
  access: NodeOptions,
  { twinCharsMax, twinAnswerMs }: Pick<Config, "twinCharsMax" | "twinAnswerMs">,
  onDocument: (path: string, characters: number | null) => void,
): Promise<Original> {
  await using session = await login({ ...access, deadlineMs: twinAnswerMs });
  const get = (path: string) =>
    orNull(
      onceMore(() => session.document(path)),
      (error) => isBorne(path, error),
    );
  // Some answer an operation that they do not know as if the account were wrong.
  const call = (operation: string, content: string) =>
    orNull(session.service(operation, content), ({ code }) => code === "HTTP_STATUS" || code === "AUTH_FAILED");
  return await fetchOriginal(get, twinCharsMax, onDocument, session.mode === "local" ? call : null);
}

/** Older controllers lose a connection now and then. Nothing is changed by asking again. */
async function onceMore(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClientError && error.code === "CONNECTION_FAILED") return await ask();
    throw error;
  }
}

async function orNull(answer: Promise<string>, isBorneError: (error: ClientError) => boolean): Promise<string | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ClientError && isBorneError(error)) return null;
    throw error;
  }
}

/** Statuses of a document that a controller does not have. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501, 503]);
/** Clients can do without these documents, so any answer to them is accepted. */
const DISPENSABLE: readonly string[] = [
  ...(["/api/groups", "/api/triggers", "/rest/networking", "/rest/time", "/rest/profiles/family"] as const),
  ...RADIO_FAMILIES.map(({ radio }) => radio.path),
];

/** Some answer a document that they do not have with a sentence alone, which is no HTTP. */
function isBorne(path: string, { code, status, reason }: ClientError): boolean {
  if (code === "CONNECTION_FAILED") return reason?.startsWith("HPE_") ?? false;
  return ABSENT.has(status ?? 0) || (code === "HTTP_STATUS" && DISPENSABLE.some((start) => path.startsWith(start)));
}
