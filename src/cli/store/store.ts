/** `domovoi store status`: which machine runs the home, also asked of a standby, which knows no accounts. */

import { get } from "node:https";
import { text } from "node:stream/consumers";
import { attempt } from "../../util/attempt.ts";
import { isRecord } from "../../util/is-record.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Access, findAccess } from "../connection/find-access.ts";
import { withSession } from "../connection/with-home.ts";
import { CommandFailure, Done } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { readableTime } from "../show/time.ts";

type Status = {
  readonly role: "writer" | "standby" | "alone";
  readonly epoch: number;
  readonly writer: string | null;
  readonly writerUrl?: string | null;
  readonly sinceMs: number | null;
  readonly isConfirmed?: boolean;
  readonly failure?: string | null;
};

const WAIT_MS = 10_000;

export async function showStoreStatus(options: ConnectionOptions): Promise<Done> {
  const access = await findAccess(options);
  const status = (await ofStandby(access)) ?? (await ofController(options));
  return new Done(linesOf(status), status);
}

/** null: the machine is no standby, or does not answer. */
async function ofStandby({ url, ca, insecure }: Access): Promise<Status | null> {
  if (!url.startsWith("https:")) return null;
  const trust = { rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }) };
  const answer = await new Promise<string>((resolve) => {
    get(`${url}/healthz`, { ...trust, signal: AbortSignal.timeout(WAIT_MS) }, (response) => {
      text(response).then(resolve, () => resolve(""));
    }).on("error", () => resolve(""));
  });
  return statusIn(parsed(answer), "standby");
}

async function ofController(options: ConnectionOptions): Promise<Status> {
  const answer = await withSession(options, (session) => session.document("/healthz"));
  const status = statusIn(parsed(answer), null);
  if (!status)
    throw new CommandFailure("failed", "The controller does not say who writes the home. It is of an older version.");
  return status;
}

/** @param status the answer must have; null: any. */
function statusIn(health: unknown, status: string | null): Status | null {
  if (!isRecord(health) || !isRecord(health.store)) return null;
  return status === null || health.status === status ? (health.store as Status) : null;
}

function parsed(body: string): unknown {
  return attempt(() => JSON.parse(body));
}

function linesOf({ role, writer, writerUrl, sinceMs, isConfirmed, failure }: Status): readonly string[] {
  const since = sinceMs === null ? "" : ` since ${readableTime(new Date(sinceMs).toISOString())}`;
  const name = plain(writer ?? "");
  if (role === "alone") return [`"${name}" runs the home alone${since}. Its data directory keeps it.`];
  if (role === "writer") {
    const doubt = isConfirmed === false ? ["The database does not confirm that at the moment."] : [];
    return [`"${name}" runs the home${since}. The database keeps it, and a standby can take over.`, ...doubt];
  }
  const where =
    writer === null
      ? "No machine runs the home."
      : `"${name}"${writerUrl ? ` at ${plain(writerUrl)}` : ""} runs the home${since}.`;
  return [
    `This machine is a standby. ${where}`,
    ...(failure ? [`The database cannot be read: ${plain(failure)}`] : []),
  ];
}
