/** Backups in tests: of a directory, taken apart, put together by hand. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Encrypter } from "age-encryption";
import type { NetworkResource } from "../../../src/home/network-resources.ts";
import type { ContentName } from "../../../src/store/backup/contents.ts";
import { logicalHashOf } from "../../../src/store/backup/logical-hash.ts";
import { GZIP_HEADER, writeBackup } from "../../../src/store/backup/write-backup.ts";
import { openForSalvage } from "../../../src/store/database/open-database.ts";
import { readState } from "../../../src/store/database/read-tables.ts";
import { openHome, START_MS, temporaryDirectory } from "../../support/test-store.ts";

export const PASSPHRASE = "four or five random words";

export function sourceOf(dir: string) {
  return { database: join(dir, "domovoi.sqlite"), secrets: join(dir, "secrets"), trace: join(dir, "trace.sqlite") };
}

/** Path of a new file. */
export function newFile(name = "home.backup"): string {
  return join(temporaryDirectory(), name);
}

export async function backUp(dir: string, passphrase: string | null = null, withHistory = false) {
  const path = newFile();
  const order = { passphrase, withHistory, nowMs: START_MS, product: "0.0.0" };
  return { path, ...(await writeBackup(sourceOf(dir), path, order)) };
}

/** The home that a directory stores now. */
export function hashOf(dir: string, contents: readonly ContentName[]): string {
  const db = openForSalvage(join(dir, "domovoi.sqlite"));
  try {
    return logicalHashOf(readState(db), contents);
  } finally {
    db.close();
  }
}

export function linesOf(path: string): readonly string[] {
  return gunzipSync(readFileSync(path)).toString("utf8").split("\n");
}

/** An open backup out of lines, as its writer packs them. */
export function pack(text: string): Buffer {
  const bytes = gzipSync(text);
  bytes.set(GZIP_HEADER);
  return bytes;
}

export function fileOf(bytes: Uint8Array): string {
  const path = newFile();
  writeFileSync(path, bytes);
  return path;
}

/** Encrypted with so little effort that a test can open it a hundred times. */
export async function encryptLightly(bytes: Uint8Array): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(1);
  return Buffer.from(await encrypter.encrypt(bytes));
}

function resourceWith(canary: string): NetworkResource {
  return {
    id: 1,
    name: "Bell",
    protocol: "http",
    host: "example.org",
    port: 80,
    method: "POST",
    path: `/${canary}-path`,
    headers: [{ name: "Authorization", value: `${canary}-header` }],
    body: `${canary}-body`,
    timeoutMs: 1000,
  };
}

/** A home with a canary in everything that is secret, also of the journal. @returns the canaries. */
export async function fillWithCanaries(dir: string): Promise<readonly string[]> {
  const { store, write, close } = await openHome(dir);
  const login = "canary-login";
  await Promise.all([
    store.accounts.putAccount({
      id: "a",
      kind: "local",
      login,
      role: "owner",
      passwordHash: "canary-hash",
      createdAtMs: 1,
    }),
    store.accounts.putSession({
      id: "canary-session",
      accountId: "a",
      refreshTokenId: "canary-session",
      createdAtMs: 1,
      expiresAtMs: 2,
    }),
  ]);
  store.accounts.putKnownDevice("canary-device", 5);
  store.accounts.secret("radio-keys", () => "canary-key");
  store.driverStore("zwave").set("7 user code 1", "canary-code");
  store.driverStore("virtual").set("x", "open");
  store.driverStore("virtual").set("waiting 7 ZW005_1", "canary-waiting");
  store.driverStore("virtual").set("waiting", ["canary-waiting"]);
  store.receivedDocuments.set("/rest/networking/resources", { text: "<NetConfig>canary-told</NetConfig>", base: null });
  store.receivedDocuments.set("/api/config", { text: "{}", base: null });
  await write({ type: "network-resource-put", resource: resourceWith("canary-old") });
  await write({ type: "network-resource-put", resource: resourceWith("canary-new") });
  await close();
  const sent = ["canary-old", "canary-new"].flatMap((each) => [`${each}-path`, `${each}-header`, `${each}-body`]);
  return [
    login,
    "canary-hash",
    "canary-session",
    "canary-device",
    "canary-key",
    "canary-code",
    "canary-told",
    "canary-waiting",
    ...sent,
  ];
}
