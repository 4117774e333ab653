/** Reads the home of a running controller through the client library. The controller is only read. */

import { ClientError, login, type NodeOptions } from "@domovoi/client";
import type { Config } from "../config.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { fetchOriginal } from "./fetch-original.ts";
import type { Original } from "./original.ts";

/**
 * @param access to its portal, because the local listener has no programs and links.
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
  const fetch = async (path: string) => {
    try {
      return await session.document(path);
    } catch (error) {
      if (error instanceof ClientError && isBorne(path, error)) return null;
      throw error;
    }
  };
  return await fetchOriginal(fetch, twinCharsMax, onDocument);
}

/** Statuses of a document that a controller does not have. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501, 503]);
/** Clients can do without these documents, so any answer to them is accepted. */
const DISPENSABLE: readonly string[] = [
  ...(["/api/groups", "/api/triggers", "/rest/networking", "/rest/time", "/rest/profiles/family"] as const),
  ...RADIO_FAMILIES.map(({ radio }) => radio.path),
];

function isBorne(path: string, { code, status }: ClientError): boolean {
  return ABSENT.has(status ?? 0) || (code === "HTTP_STATUS" && DISPENSABLE.some((start) => path.startsWith(start)));
}
