/** `domovoi backup`: of a running controller or of a data directory, into a file; and what such a file holds. */

import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Backup, Backups, ControllerSession } from "@domovoi/client";
import { badValue, ControllerError } from "../../errors.ts";
import { readBackup } from "../../store/backup/read-backup.ts";
import { verifyBackup } from "../../store/backup/verify-backup.ts";
import { type BackupContent, writeBackup } from "../../store/backup/write-backup.ts";
import { systemClock } from "../../util/clock.ts";
import { productVersion } from "../../version.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withSession } from "../connection/with-home.ts";
import { printJson, printList } from "../home/list.ts";
import { ProgressLine } from "../show/progress-line.ts";
import type { Column } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import { checkNewFile, savePieces, writeWholeFile } from "../whole-file.ts";
import { contentJson, contentText, leftOutText } from "./backup-text.ts";
import { knownPassphrase, newPassphrase } from "./passphrase.ts";

type BackupOptions = ConnectionOptions & {
  readonly data?: string;
  readonly encrypt?: boolean;
  readonly history?: boolean;
  readonly passphraseFile?: string;
};
type ReadOptions = { readonly passphraseFile?: string; readonly json?: boolean };

type Order = { readonly passphrase: string | null; readonly withHistory: boolean };

/** Ends with the file in its place, or with status 1 and none. */
export async function runBackup(file: string, options: BackupOptions): Promise<void> {
  checkNewFile(file);
  const passphrase = await newPassphrase(options);
  const order = { passphrase, withHistory: options.history ?? false };
  const { data } = options;
  if (data === undefined) await fromController(file, options, order);
  else await fromDirectory(file, data, order);
}

export async function listBackups({ backups }: ControllerSession, options: ConnectionOptions): Promise<void> {
  const columns: readonly Column<Backup>[] = [
    { title: "BACKUP", text: ({ id }) => id },
    { title: "MADE", text: ({ time }) => readableTime(time) },
    { title: "STATE", text: ({ state }) => state },
    { title: "BYTES", text: ({ bytes }) => (bytes === null ? "" : String(bytes)), isRight: true },
    { title: "ENCRYPTED", text: ({ encrypted }) => (encrypted ? "yes" : "no") },
    { title: "TESTED", text: ({ test }) => (test ? `${readableTime(test.time)} ${test.failure ?? "restores"}` : "") },
  ];
  printList(await backups.list(), options, "The controller holds no backups.", columns);
}

/** @param id undefined: the newest one. */
export async function testBackup(
  { backups }: ControllerSession,
  id: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  const wanted = id ?? (await backups.list()).find(({ state }) => state === "ready")?.id;
  if (wanted === undefined) throw badValue("The controller holds no backups.");
  await backups.test(wanted);
  const { test } = await followed(backups, wanted, "Restoring into memory");
  if (test?.failure !== null) throw badValue(test?.failure ?? "The self-test was cut short. Run it again.");
  if (options.json) printJson({ backup: wanted, ...test });
  else process.stdout.write(`${wanted} restores.\n`);
}

/** Settles when it is no longer under way. */
async function followed(backups: Backups, id: string, what: string): Promise<Backup> {
  const line = new ProgressLine(what);
  let backup = await backups.follow(id);
  while (backup.state === "making" || backup.state === "proving") {
    line.show(backup.progress, 1);
    backup = await backups.follow(id);
  }
  line.end();
  return backup;
}

/** Verifying proves that it restores; showing looks at its sums only. */
export async function readBackupFile(how: "verify" | "show", file: string, options: ReadOptions): Promise<void> {
  const line = new ProgressLine(how === "verify" ? "Restoring into memory" : "Reading");
  const passphrase = await knownPassphrase(file, options.passphraseFile);
  const read = how === "verify" ? verifyBackup : lookThrough;
  const content = await read(file, passphrase, line.show).finally(line.end);
  const proven = how === "verify" ? "Verified: the restored home has the same logical hash.\n" : "";
  process.stdout.write(options.json ? contentJson(content) : `${contentText(content)}${proven}`);
}

async function lookThrough(
  file: string,
  passphrase: string | null,
  onProgress: ProgressLine["show"],
): Promise<BackupContent> {
  let header: BackupContent["header"] | null = null;
  for await (const part of readBackup(file, passphrase, onProgress)) {
    if (part.kind === "header") header = part.header;
    else if (part.kind === "end" && header) return { header, end: part.end };
  }
  throw new ControllerError("BACKUP_REFUSED");
}

async function fromDirectory(file: string, data: string, { passphrase, withHistory }: Order): Promise<void> {
  const source = {
    database: join(data, "domovoi.sqlite"),
    secrets: join(data, "secrets"),
    trace: join(data, "trace.sqlite"),
  };
  if (!existsSync(source.database)) throw badValue(`There is no home in "${data}".`);
  await whole(file, async (unfinished) => {
    const making = new ProgressLine("Making");
    const order = { passphrase, withHistory, nowMs: systemClock.now(), product: productVersion };
    const { header } = await writeBackup(source, unfinished, order, making.show).finally(making.end);
    const proving = new ProgressLine("Proving");
    await verifyBackup(unfinished, passphrase, proving.show).finally(proving.end);
    return header;
  });
}

function fromController(file: string, options: BackupOptions, { passphrase, withHistory }: Order): Promise<void> {
  return withSession(options, async ({ backups }) => {
    const { id } = await backups.begin({ history: withHistory, ...(passphrase === null ? {} : { passphrase }) });
    const backup = await followed(backups, id, "Making and proving");
    if (backup.state !== "ready") throw badValue(backup.failure ?? "The controller could not make the backup.");
    await whole(file, async (unfinished) => {
      await savePieces(await backups.download(id), unfinished);
      if ((await sha256Of(unfinished)) !== backup.sha256)
        throw badValue("The backup was damaged on its way. Try again.");
      return passphrase === null ? headerOf(unfinished) : null;
    });
    await backups.remove(id);
  });
}

/** Tells what was made. @param make returns the header where something can be left out. */
async function whole(
  file: string,
  make: (unfinished: string) => Promise<BackupContent["header"] | null>,
): Promise<void> {
  const header = await writeWholeFile(file, make);
  process.stdout.write(`${file}: ${statSync(file).size} bytes, proven by restoring it.\n`);
  if (header) process.stdout.write(leftOutText(header.leftOut));
}

async function headerOf(file: string): Promise<BackupContent["header"] | null> {
  for await (const part of readBackup(file, null)) if (part.kind === "header") return part.header;
  return null;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
