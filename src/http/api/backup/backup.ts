/** `/api/backup`: backups of this controller, made, proven, fetched. Restoring is for the command line. @see docs/interface/backup.md */

import { invariant } from "../../../errors.ts";
import type { Backup } from "../../../home/durability.ts";
import { isoTime } from "../../../wire/times.ts";
import { wholeNumber } from "../../query.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, integer, list, object, orNull, partial, textOrNull } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { waitFor } from "../../wait-for.ts";
import { apiRoute } from "../api-route.ts";

const BACKUP_FILE_TYPE = "application/octet-stream";

/** Seconds that an answer waits for a backup under way, at most. */
const WAIT_MAX_S = 15;

const sum = textOrNull("SHA-256 in lower-case hex; null until it is ready, and after a restart of the controller.");

const backupData = object(
  {
    id: { type: "string" },
    kind: { type: "string", enum: ["asked", "nightly"] },
    state: {
      type: "string",
      enum: ["making", "proving", "ready", "failed"],
      description: "proving: it is restored into memory and compared; ready: that went well.",
    },
    time: { type: "string", description: "When the home was copied. ISO 8601 in UTC." },
    encrypted: { type: "boolean" },
    progress: { type: "number", minimum: 0, maximum: 1, description: "Progress of writing and verifying the backup." },
    bytes: { type: ["integer", "null"], description: "null until it is ready." },
    sha256: { ...sum, description: `Checksum of the file. ${sum.description}` },
    logicalHash: { ...sum, description: `Checksum of the home's logical state. ${sum.description}` },
    failure: textOrNull("A sentence; null unless it failed."),
    test: orNull(
      object({
        time: { type: "string" },
        failure: textOrNull("A sentence; null: it restores."),
      }),
      { description: "The last self-test, when it was of this backup: it was read again and restored into memory." },
    ),
  },
  { title: "Backup" },
);

const backupsData = list(backupData, { description: "Newest first." });

const backupBody = orNull(
  partial(
    {
      passphrase: {
        type: "string",
        maxLength: 1024,
        description: "Encrypts it, secrets included; 12 characters or more.",
      },
      history: { type: "boolean", description: "Includes the journal and the trace of the programs." },
    },
    { description: "Nothing: an open backup, without secrets and history.", additionalProperties: false },
  ),
);

const backupQuery = { wait: integer(0, WAIT_MAX_S, "Seconds to wait while it is being made.") };

const route = apiRoute("backup", "administer");

export const backupRoutes: readonly Route[] = [
  route("GET /api/backup", "The stored backups.", listBackups, { data: backupsData }),
  route("POST /api/backup", "Starts a backup.", makeBackup, { body: backupBody, data: backupData }),
  route("GET /api/backup/:id", "One backup, with its progress.", getBackup, { query: backupQuery, data: backupData }),
  route("GET /api/backup/:id/file", "The file of a backup.", getBackupFile, { fileType: BACKUP_FILE_TYPE }),
  route("POST /api/backup/:id/test", "Starts a test that restores a backup into memory.", testBackup, {
    data: backupData,
  }),
  route("DELETE /api/backup/:id", "Removes a backup.", removeBackup),
];

function listBackups(_request: HttpRequest, { backups }: Services): Reply {
  return envelope(backups.list().map(backupJson));
}

async function makeBackup(request: HttpRequest, { backups }: Services): Promise<Reply> {
  const { passphrase = null, history = false } = bodyOf(request, backupBody) ?? {};
  return envelope(backupJson(await backups.make(passphrase, history)));
}

/** `wait=15`: when it is under way, the answer waits until it no longer is, or for so many seconds. */
async function getBackup({ params, query, signal }: HttpRequest, services: Services): Promise<Reply> {
  const { id = "" } = params;
  services.backups.find(id);
  await waitFor(services.clock, wholeNumber(query, "wait", WAIT_MAX_S) ?? 0, signal, (enough) =>
    services.backups.settled(id, enough),
  );
  return envelope(backupJson(services.backups.find(id)));
}

function getBackupFile({ params }: HttpRequest, { backups }: Services): Reply {
  const { id = "" } = params;
  const file = backups.file(id);
  invariant(/^[\w.-]+$/.test(file.name), "The name of a backup needs no quoting.");
  return {
    status: 200,
    contentType: BACKUP_FILE_TYPE,
    body: "",
    file,
    headers: { "Content-Disposition": `attachment; filename="${file.name}"` },
  };
}

function removeBackup({ params }: HttpRequest, { backups }: Services): Reply {
  backups.remove(params.id ?? "");
  return envelope(null);
}

function testBackup({ params }: HttpRequest, { backups }: Services): Reply {
  return envelope(backupJson(backups.prove(params.id ?? "")));
}

function backupJson({ takenAtMs, isEncrypted, test, ...backup }: Backup): Fits<typeof backupData> {
  const tested = test && { time: isoTime(test.atMs), failure: test.failure };
  return { ...backup, time: isoTime(takenAtMs), encrypted: isEncrypted, test: tested };
}
