/** Sends what changes something, and looks whether the controller says that it did. */

import { checkAcknowledged } from "../documents/answers.ts";
import { readEnvelope } from "../documents/json.ts";
import { ClientError } from "../errors.ts";
import type { Sending, Session } from "../transport/session.ts";

/** A GET of the legacy surface. @throws ClientError `REFUSED` when the answer says that it failed */
export async function order(session: Session, path: string, sending: Sending = {}): Promise<void> {
  checkAcknowledged(await session.get(path, sending));
}

/**
 * A write of the JSON surface.
 * @param secrets stand in the request, and must not be shown
 * @returns `data`; null for an empty answer
 */
export async function write(
  session: Session,
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  secrets: readonly string[] = [],
): Promise<unknown> {
  const text = await session.send(method, path, body ? { body, secrets } : { secrets });
  return text.trim() === "" ? null : readEnvelope(text, path);
}

/** @throws ClientError `NOT_IN_LOCAL_MODE` */
export function requirePortal({ mode }: Session, what: string): void {
  if (mode === "local") throw new ClientError("NOT_IN_LOCAL_MODE", `${what} needs the portal of the controller.`);
}
