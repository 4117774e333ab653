/** R15: backups of a running controller over the interface, by a person and by night, each proven by restoring it. */

import { chmodSync, existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../../src/config.ts";
import { restoreBackup } from "../../src/store/backup/restore-backup.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { temporaryDirectory } from "../support/test-store.ts";

type Backup = {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly encrypted: boolean;
  readonly progress: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly failure: string | null;
  readonly test: { readonly time: string; readonly failure: string | null } | null;
};

const PASSPHRASE = "four or five random words";
const DAY_MS = 86_400_000;
/** Deriving keys from passphrases takes its time on a busy machine. */
const SEALED = { timeout: 60_000 };

async function start(settings: Partial<Config> = {}): Promise<TestController> {
  const controller = await startTestController(settings);
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  return controller;
}

async function list({ portal }: TestController): Promise<readonly Backup[]> {
  return (await portal.get("/api/backup")).json<{ data: readonly Backup[] }>().data;
}

async function begin({ portal }: TestController, body?: object): Promise<Backup> {
  return (await portal.post("/api/backup", body)).json<{ data: Backup }>().data;
}

async function ended({ portal }: TestController, id: string): Promise<Backup> {
  let backup: Backup;
  do backup = (await portal.get(`/api/backup/${id}?wait=15`)).json<{ data: Backup }>().data;
  while (backup.state === "making" || backup.state === "proving");
  return backup;
}

/** The newest one, once it is no longer under way. */
async function newest(controller: TestController): Promise<Backup> {
  const [first] = await list(controller);
  return await ended(controller, first?.id ?? "");
}

/** The home of a second controller that is started on the restored file. */
async function restored(bytes: Buffer, passphrase: string | null): Promise<TestController> {
  const file = join(temporaryDirectory(), "fetched");
  writeFileSync(file, bytes);
  const data = join(temporaryDirectory(), "home");
  await restoreBackup(file, data, { passphrase, replaces: false, nowMs: START_MS });
  const controller = await startTestController({}, { data });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}

test("one that is requested during writes holds all acknowledged ones, and restores elsewhere", SEALED, async () => {
  const controller = await start();
  let written = 0;
  const writeUntil = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const { status } = await controller.portal.post("/api/variables/1/1", { value: written + 1 });
      expect(status).toBe(200);
      written += 1;
    }
  };
  await writeUntil(() => written === 20);
  let isDone = false;
  const writing = writeUntil(() => isDone);
  const acknowledged = written;
  const begun = await begin(controller, { passphrase: PASSPHRASE, history: true });
  const ready = await ended(controller, begun.id);
  const after = written + 1;
  isDone = true;
  await writing;
  expect(ready).toMatchObject({ state: "ready", progress: 1, encrypted: true, failure: null });
  const test = await controller.portal.post(`/api/backup/${begun.id}/test`);
  expect(test.json()).toMatchObject({ code: "BACKUP_REFUSED" });
  const answer = await controller.portal.get(`/api/backup/${begun.id}/file`);
  expect([answer.status, answer.bytes.length]).toEqual([200, ready.bytes]);
  const elsewhere = await restored(answer.bytes, PASSPHRASE);
  const value = elsewhere.services.home.variables[1].get(1)?.value ?? -1;
  expect(value).toBeGreaterThanOrEqual(acknowledged);
  expect(value).toBeLessThanOrEqual(after);
  await elsewhere.login();
  const { nodes, groups, networkResources } = homeSnapshot(controller.services.home);
  expect(homeSnapshot(elsewhere.services.home)).toMatchObject({ groups, networkResources });
  expect(elsewhere.services.home.nodes.size).toBe(nodes.length);
});

test("the download is the stored file, for its owner alone", async () => {
  const controller = await start();
  const { id } = await begin(controller);
  await ended(controller, id);
  const { headers, bytes } = await controller.portal.get(`/api/backup/${id}/file`);
  const name = `domovoi-${id}.jsonl.gz`;
  expect(headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
  const directory = join(controller.data, "backups");
  expect(readdirSync(directory)).toEqual([name]);
  expect([statSync(join(directory, name)).size, statSync(join(directory, name)).mode & 0o777]).toEqual([
    bytes.length,
    0o600,
  ]);
  const head = await controller.portal.request("HEAD", `/api/backup/${id}/file`);
  expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, String(bytes.length), 0]);
});

test("one is made at a time, and of those that were requested the newest stays", async () => {
  const controller = await start();
  const first = await begin(controller);
  const second = await controller.portal.post("/api/backup");
  expect([second.status, second.json<{ code: string }>().code]).toEqual([409, "BACKUP_UNDER_WAY"]);
  await ended(controller, first.id);
  await controller.clock.advance(1000);
  const third = await begin(controller);
  await ended(controller, third.id);
  expect((await list(controller)).map(({ id, state }) => [id, state])).toEqual([[third.id, "ready"]]);
  expect((await controller.portal.delete(`/api/backup/${third.id}`)).status).toBe(200);
  expect(await list(controller)).toEqual([]);
  for (const path of ["", "/file"])
    expect((await controller.portal.get(`/api/backup/${third.id}${path}`)).status).toBe(404);
});

test("bodies and ids that cannot be used are refused", async () => {
  const controller = await start();
  const refused = async (body: object) => (await controller.portal.post("/api/backup", body)).json<{ code: string }>();
  expect(await refused({ passphrase: "too short" })).toMatchObject({ code: "BAD_VALUE" });
  expect(await refused({ passphrase: 12 })).toMatchObject({ code: "BAD_BODY" });
  expect(await refused({ password: PASSPHRASE })).toMatchObject({ code: "BAD_BODY" });
  for (const id of ["..%2Fdomovoi.sqlite", "asked-2026-05-02T120000Z", "unfinished"])
    expect((await controller.portal.get(`/api/backup/${id}/file`)).status).toBe(404);
  expect(await list(controller)).toEqual([]);
});

test("every night one is made, proven and kept, the oldest go", async () => {
  const controller = await start({ backupHour: 3, backupsKept: 2, backupTestDays: 0 });
  const ids: string[] = [];
  for (const _night of [1, 2, 3]) {
    await controller.clock.advance(DAY_MS);
    await controller.login();
    const { id, kind, state } = await newest(controller);
    expect([kind, state]).toEqual(["nightly", "ready"]);
    ids.push(id);
  }
  expect(ids).toEqual(["2026-05-03", "2026-05-04", "2026-05-05"].map((day) => `nightly-${day}T010000Z`));
  expect((await list(controller)).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const proven = controller.lines.filter(({ message }) => message === "A backup was made and proven by restoring it.");
  expect(proven.map(({ fields }) => fields.backup)).toEqual(ids);
});

test(
  "with a passphrase file nightly backups are encrypted and complete; one that others may read is refused",
  SEALED,
  async () => {
    const file = join(temporaryDirectory(), "passphrase");
    writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o644 });
    await expect(startTestController({ backupPassphraseFile: file })).rejects.toMatchObject({ code: "BAD_VALUE" });
    chmodSync(file, 0o600);
    const controller = await start({ backupPassphraseFile: file });
    await controller.clock.advance(DAY_MS);
    await controller.login();
    const { id, encrypted } = await newest(controller);
    expect(encrypted).toBe(true);
    const { bytes } = await controller.portal.get(`/api/backup/${id}/file`);
    const elsewhere = await restored(bytes, PASSPHRASE);
    expect((await elsewhere.login()).accessToken).not.toBe("");
  },
);

test("a failed one is reported in the list and in the log, and the service continues", async () => {
  const blocked = join(temporaryDirectory(), "a file");
  writeFileSync(blocked, "");
  const controller = await start({ backupDirectory: blocked });
  const failed = await ended(controller, (await begin(controller)).id);
  expect(failed).toMatchObject({ state: "failed", failure: "The backup could not be written to the disk." });
  expect(controller.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "No backup could be made. The ones before are still there.",
  ]);
  expect((await controller.portal.get("/api/nodes")).status).toBe(200);
});

test("one of a damaged database fails with the reason", async () => {
  const controller = await start();
  const db = new DatabaseSync(join(controller.data, "domovoi.sqlite"));
  db.exec("UPDATE nodes SET sum = sum + 1");
  db.close();
  const { state, failure } = await ended(controller, (await begin(controller)).id);
  expect(state).toBe("failed");
  expect(failure).toMatch(
    /^A row of the table nodes is damaged\. It is repaired when the service starts the next time/,
  );
});

test("a stop in the middle leaves nothing behind", async () => {
  const controller = await start();
  await begin(controller);
  await controller.stop();
  const directory = join(controller.data, "backups");
  expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);
});

test("a home with an adapter is warned once that open backups lack its keys, and not when they are encrypted", async () => {
  const adapter = "tcp://127.0.0.1:9";
  const file = join(temporaryDirectory(), "passphrase");
  writeFileSync(file, PASSPHRASE, { mode: 0o600 });
  const open = await start({ demo: false, zwavePort: adapter });
  const sealed = await start({ demo: false, zwavePort: adapter, backupPassphraseFile: file });
  const told = ({ lines }: TestController) =>
    lines.filter(({ message }) => /lack the radio's keys/.test(message)).length;
  expect([told(open), told(sealed)]).toEqual([1, 0]);
});

test("a stored backup is proven again every month, and one that the disk has lost is an alarm", {
  timeout: 60_000,
}, async () => {
  const controller = await start({ backupHour: 3, diskFreeBytesMin: 0 });
  const errors = () => controller.lines.filter(({ level }) => level === "error").map(({ message }) => message);
  const codes = async () => {
    const answer = await controller.local.get("/healthz");
    return answer.json<{ reasons: readonly { code: string }[] }>().reasons.map(({ code }) => code);
  };
  await controller.clock.advance(DAY_MS);
  await controller.login();
  await newest(controller);
  const [first] = await list(controller);
  expect(first?.test).toBe(null);
  const tested = (await controller.portal.post(`/api/backup/${first?.id}/test`)).json<{ data: Backup }>().data;
  expect(tested).toMatchObject({ id: first?.id, state: "proving" });
  expect((await controller.portal.post(`/api/backup/${first?.id}/test`)).json()).toMatchObject({
    code: "BACKUP_UNDER_WAY",
  });
  const { test: proven } = await ended(controller, first?.id ?? "");
  expect(proven).toEqual({ time: expect.any(String), failure: null });
  await controller.restart();
  await controller.login();
  expect((await list(controller))[0]?.test?.failure).toBe(null);
  await controller.clock.advance(DAY_MS);
  await controller.login();
  await newest(controller);
  expect((await list(controller)).map(({ state, test }) => [state, test?.time])).toEqual([
    ["ready", undefined],
    ["ready", proven?.time],
  ]);
  const backups = join(controller.data, "backups");
  for (const name of readdirSync(backups)) truncateSync(join(backups, name), 100);
  controller.clock.moveTo(controller.clock.now() + 31 * DAY_MS);
  await controller.clock.advance(DAY_MS / 2);
  await controller.login();
  await vi.waitFor(() => expect(errors()).toContainEqual(expect.stringContaining("does not restore")), {
    timeout: 20_000,
  });
  expect(await codes()).toContain("BACKUP_TEST_FAILED");
  expect((await controller.portal.post("/api/backup/none/test")).status).toBe(404);
});
