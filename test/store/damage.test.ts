import {
  appendFileSync,
  closeSync,
  copyFileSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { MIGRATIONS } from "../../src/store/database/migrate.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { listSnapshots } from "../../src/store/database/snapshot.ts";
import { rowSum } from "../../src/store/database/tables.ts";
import { NOTE } from "../../src/store/directory.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { CAUSE, CONTROLLER, type OpenHome, openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";

const PAGE_BYTES = 4096;
const NODES = 300;
const database = (dir: string) => join(dir, "domovoi.sqlite");

/** Enough nodes, reports and journal for tables of several levels. */
async function liveIn(dir: string, clock?: Clock): Promise<OpenHome> {
  const open = await openHome(dir, clock ? { clock } : {});
  const { feed, store } = open;
  for (let at = 0; at < NODES; at += 1) for (const change of nodeChanges(at)) feed.commit(change, CAUSE);
  await store.committed(feed.lastSeq);
  return open;
}

function nodeChanges(at: number): readonly Change[] {
  const address = `ZW${at}_1`;
  const record = { address, name: `Node ${at}`, nodeDefId: "UZW", family: 4, instance: 1, type: "4.17.1.0" } as const;
  const property = { id: "ST", value: at, uom: 51, prec: 0, text: null, changedAtMs: 1 } as const;
  return [
    {
      type: "node-added",
      node: { ...record, parent: null, primary: address, enabled: true, devtype: null, driver: "virtual" },
    },
    { type: "property-changed", address, property },
    { type: "node-renamed", address, name: `Lamp ${at}` },
  ];
}

async function leaveHome(dir: string) {
  const { home, close } = await liveIn(dir);
  await close();
  return homeSnapshot(home);
}

function overwrite(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

function truncate(path: string, bytes: number): void {
  const file = openSync(path, "r+");
  ftruncateSync(file, bytes);
  closeSync(file);
}

/** Turns one bit of every byte of a stretch, as a failing sector does. */
function flip(path: string, offset: number, count: number, bit: number): void {
  const bytes = Buffer.from(
    readFileSync(path)
      .subarray(offset, offset + count)
      .map((byte) => byte ^ (1 << bit)),
  );
  overwrite(path, offset, bytes);
}

/** Garbage in the place of the table's first page. */
function corruptTable(dir: string, table: string): void {
  const db = new DatabaseSync(database(dir));
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table) as {
    rootpage: number;
  };
  db.close();
  overwrite(database(dir), (rootpage - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xa5));
}

/** Everything behind the first page becomes garbage, and the writing connection is made to look again. */
function corruptWhileRunning(dir: string): void {
  const db = new DatabaseSync(database(dir));
  db.exec("UPDATE meta SET sum = sum WHERE key = 'boot_id'; PRAGMA wal_checkpoint(TRUNCATE)");
  overwrite(database(dir), PAGE_BYTES, Buffer.alloc(statSync(database(dir)).size - PAGE_BYTES, 0xa5));
  db.close();
}

function forgetThePast(dir: string): void {
  rmSync(join(dir, "snapshots"), { recursive: true });
  const db = new DatabaseSync(database(dir));
  db.exec("DELETE FROM journal");
  db.close();
}

const complaints = ({ log }: OpenHome) => log.lines.filter(({ level }) => level === "error" || level === "warn");
const setAside = (dir: string) => readdirSync(dir).filter((name) => /\.damaged-.*Z$/.test(name));

describe("a damaged database", () => {
  test.each(Array.from({ length: 10 }, (_, seed) => seed))(
    "with flipped bits never gives a wrong home (seed %i)",
    async (seed) => {
      const dir = temporaryDirectory();
      const before = await leaveHome(dir);
      const random = seededRandomness(seed);
      const offset = Math.floor(random.next() * statSync(database(dir)).size);
      flip(database(dir), offset, 1 + Math.floor(random.next() * 8), Math.floor(random.next() * 8));
      const open = await openHome(dir);
      expect(homeSnapshot(open.home)).toEqual(before);
      await open.write({ type: "folder-added", folder: { address: "f", name: "after", parent: null } });
      await open.close();
    },
  );

  test.each([0, 100, 4096, 0.5, 0.9])("cut off at %d gives the home of the snapshot and the journal", async (at) => {
    const dir = temporaryDirectory();
    const before = await leaveHome(dir);
    const size = statSync(database(dir)).size;
    truncate(database(dir), at < 1 ? Math.floor(size * at) : at);
    const open = await openHome(dir);
    expect(homeSnapshot(open.home)).toEqual(before);
    expect(complaints(open).length).toBeGreaterThan(0);
  });

  test("is set aside, and the log lists what was recovered and lost", async () => {
    const dir = temporaryDirectory();
    await leaveHome(dir);
    corruptTable(dir, "nodes");
    const open = await openHome(dir);
    expect(setAside(dir)).toHaveLength(1);
    expect(complaints(open)).toMatchObject([
      { level: "error", fields: { tablesDamaged: ["nodes"], rowsKept: { nodes: NODES }, journalEntriesMissing: 0 } },
    ]);
  });

  test("of an older shape lists no table as damaged that came later", async () => {
    const dir = temporaryDirectory();
    const db = openDatabase(database(dir), MIGRATIONS.slice(0, 1));
    const body = JSON.stringify(CONTROLLER);
    db.prepare("INSERT INTO controller VALUES (?, ?, ?)").run("controller", body, rowSum("controller", body));
    db.exec("INSERT INTO folders VALUES ('f', '{}', 0)");
    db.close();
    const open = await openHome(dir);
    expect(open.home.controller).toEqual(CONTROLLER);
    expect(complaints(open)).toMatchObject([{ level: "error", fields: { tablesDamaged: ["folders"] } }]);
  });

  test("loses one node, not the home, when a row is all that is broken and nothing older is left", async () => {
    const dir = temporaryDirectory();
    await leaveHome(dir);
    forgetThePast(dir);
    const db = new DatabaseSync(database(dir));
    db.exec("UPDATE nodes SET body = replace(body, 'Lamp 7', 'Lamp 8') WHERE key = 'ZW7_1'");
    db.close();
    const { home } = await openHome(dir);
    expect(home.nodes.size).toBe(NODES - 1);
    expect(home.nodes.get("ZW8_1")?.name).toBe("Lamp 8");
  });

  test.each([
    [31, 1],
    [32, 0],
  ])(
    "is detected at the start only in the last 32 rows of the journal: %d rows before the last one",
    async (before, reported) => {
      const dir = temporaryDirectory();
      await leaveHome(dir);
      const db = new DatabaseSync(database(dir));
      const row = "SELECT seq FROM journal ORDER BY seq DESC LIMIT 1 OFFSET ?";
      expect(db.prepare(`UPDATE journal SET sum = sum + 1 WHERE seq = (${row})`).run(before).changes).toBe(1);
      db.close();
      expect(complaints(await openHome(dir))).toHaveLength(reported);
    },
  );

  test("goes on from the snapshot with the journal since", async () => {
    const dir = temporaryDirectory();
    await leaveHome(dir);
    const second = await openHome(dir);
    await second.write({ type: "node-renamed", address: "ZW1_1", name: "since the snapshot" });
    await second.close();
    corruptTable(dir, "nodes");
    const { home } = await openHome(dir);
    expect(home.nodes.get("ZW1_1")?.name).toBe("since the snapshot");
    expect(home.nodes.size).toBe(NODES);
  });

  test("starts a new home when nothing at all can be read", async () => {
    const dir = temporaryDirectory();
    await leaveHome(dir);
    rmSync(join(dir, "snapshots"), { recursive: true });
    overwrite(database(dir), 0, Buffer.alloc(statSync(database(dir)).size, 0xa5));
    const open = await openHome(dir);
    expect(open.home.nodes.size).toBe(0);
    expect(setAside(dir)).toHaveLength(1);
  });

  test("is rebuilt once, and sound at the next start", async () => {
    const dir = temporaryDirectory();
    const before = await leaveHome(dir);
    corruptTable(dir, "properties");
    await (await openHome(dir)).close();
    const open = await openHome(dir);
    expect(homeSnapshot(open.home)).toEqual(before);
    expect(complaints(open)).toEqual([]);
  });

  test("whose rebuild was interrupted is found whole at the next start", async () => {
    const dir = temporaryDirectory();
    const before = await leaveHome(dir);
    copyFileSync(database(dir), `${database(dir)}.rebuilt`);
    rmSync(database(dir));
    const open = await openHome(dir);
    expect(homeSnapshot(open.home)).toEqual(before);
  });

  test("keeps its place when a rebuild of earlier did not come to its end", async () => {
    const dir = temporaryDirectory();
    const before = await leaveHome(dir);
    const empty = temporaryDirectory();
    await (await openHome(empty)).close();
    copyFileSync(database(empty), `${database(dir)}.rebuilt`);
    const open = await openHome(dir);
    expect(homeSnapshot(open.home)).toEqual(before);
    expect(readdirSync(dir).filter((name) => name.includes("rebuilt"))).toEqual([]);
  });

  test("gives the later one of a row's two versions, not the snapshot's", async () => {
    const dir = temporaryDirectory();
    const first = await openHome(dir);
    for (const key of ["kept", "spoiled"]) first.store.driverStore("virtual").set(key, "early");
    await first.close();
    const second = await openHome(dir);
    for (const key of ["kept", "spoiled"]) second.store.driverStore("virtual").set(key, "late");
    await second.store.saved();
    await second.close();
    const db = new DatabaseSync(database(dir));
    db.exec("UPDATE driver_store SET sum = sum + 1 WHERE key = 'virtual/spoiled'");
    db.close();
    const { store } = await openHome(dir);
    expect([store.driverStore("virtual").get("kept"), store.driverStore("virtual").get("spoiled")]).toEqual([
      "late",
      "early",
    ]);
  });

  test("keeps the rows of a sound table, against an older snapshot", async () => {
    const dir = temporaryDirectory();
    const { store, close } = await liveIn(dir);
    store.driverStore("virtual").set("level", "early");
    await close();
    const second = await openHome(dir);
    second.store.driverStore("virtual").set("level", "late");
    await second.close();
    corruptTable(dir, "nodes");
    expect((await openHome(dir)).store.driverStore("virtual").get("level")).toBe("late");
  });

  test("is replaced while the service runs", async () => {
    const dir = temporaryDirectory();
    const open = await liveIn(dir, systemClock);
    corruptWhileRunning(dir);
    const { seq } = open.feed.commit({ type: "node-renamed", address: "ZW1_1", name: "in the meantime" }, CAUSE);
    await expect(open.store.committed(seq)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await vi.waitFor(() => open.store.committed(seq), 5000);
    const before = homeSnapshot(open.home);
    await open.close();
    expect(setAside(dir)).toHaveLength(1);
    const again = await openHome(dir);
    expect(homeSnapshot(again.home)).toEqual(before);
  });
});

describe("a write-ahead log", () => {
  test("that ends in the middle of a write is read up to its last commit", async () => {
    const { dir, sizes } = await leaveKilled();
    appendFileSync(`${database(dir)}-wal`, readFileSync(`${database(dir)}-wal`).subarray(0, 4000));
    expect(sizes).toHaveLength(FOLDERS);
    const open = await openHome(dir);
    expect([...open.home.folders.keys()]).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(complaints(open)).toEqual([]);
  });

  test.each([10, 5000, 20_000])("that is cut off at %d gives a home as it was after some commit", async (at) => {
    const { dir } = await leaveKilled();
    truncate(`${database(dir)}-wal`, at);
    const open = await openHome(dir);
    const folders = [...open.home.folders.keys()];
    expect(folders).toEqual(folders.map((_, index) => String(index)));
    expect(complaints(open)).toMatchObject([{ level: "error" }]);
  });

  test("with flipped bits before its end reports how many commits are lost", async () => {
    const { dir, sizes } = await leaveKilled();
    flip(`${database(dir)}-wal`, (sizes[0] ?? 0) + 100, 4, 3);
    const open = await openHome(dir);
    expect([...open.home.folders.keys()]).toEqual(["0"]);
    expect(complaints(open)).toMatchObject([
      { level: "error", fields: { commitsLost: FOLDERS - 1, entriesLost: FOLDERS - 1, lastEntryKept: 2 } },
    ]);
  });

  test("that has lost its end leaves a gap in the journal, and no number is used twice", async () => {
    const { dir, sizes } = await leaveKilled();
    truncate(`${database(dir)}-wal`, sizes[2] ?? 0);
    const open = await openHome(dir);
    expect(open.feed.lastSeq).toBe(1 + FOLDERS);
    await open.write({ type: "folder-added", folder: { address: "next", name: "f", parent: null } });
    await open.close();
    const db = new DatabaseSync(database(dir));
    expect(db.prepare("SELECT first_seq FROM journal ORDER BY seq DESC LIMIT 1").get()).toEqual({
      first_seq: FOLDERS + 2,
    });
    db.close();
    expect(complaints(await openHome(dir))).toEqual([]);
  });

  test("that is missing before its first checkpoint does not make a home new", async () => {
    const { dir } = await leaveKilled();
    rmSync(`${database(dir)}-wal`);
    const open = await openHome(dir);
    expect(complaints(open)).toMatchObject([{ level: "error" }]);
    expect(setAside(dir)).toHaveLength(1);
  });

  test("that is missing while a snapshot is newer than the database gives the home of the snapshot", async () => {
    const { dir } = await leaveKilled(true);
    rmSync(`${database(dir)}-wal`);
    const open = await openHome(dir);
    expect([...open.home.folders.keys()]).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(complaints(open)).toMatchObject([{ level: "error" }]);
  });

  test("without the note of the last commit is trusted, with a warning", async () => {
    const { dir } = await leaveKilled();
    writeFileSync(join(dir, NOTE), "nonsense");
    const open = await openHome(dir);
    expect(open.home.folders.size).toBe(FOLDERS);
    expect(complaints(open)).toMatchObject([{ level: "warn" }]);
    await open.close();
    expect(complaints(await openHome(dir))).toEqual([]);
  });
});

describe("a database that is missing or empty", () => {
  const REMOVE = ["", "-wal", "-shm"];
  const lose = (dir: string, how: "missing" | "empty") => {
    for (const companion of REMOVE) rmSync(database(dir) + companion, { force: true });
    if (how === "empty") writeFileSync(database(dir), "");
  };

  test.each(["missing", "empty"] as const)("(%s) is restored from the newest snapshot", async (how) => {
    const dir = temporaryDirectory();
    const before = await leaveHome(dir);
    lose(dir, how);
    const open = await openHome(dir);
    expect(homeSnapshot(open.home)).toEqual(before);
    const damage = expect.objectContaining({ message: "The database is missing." });
    expect(complaints(open)).toMatchObject([
      { level: "error", fields: { damage, restoredFrom: expect.stringMatching(/^snapshot of /) } },
    ]);
  });

  test("is restored from a backup that is newer than the snapshot, with the accounts of the snapshot", async () => {
    const dir = temporaryDirectory();
    const { store, close } = await liveIn(dir);
    await store.accounts.putAccount(ACCOUNT);
    for (const driver of ["zwave", "virtual"]) store.driverStore(driver).set("key", "early");
    await store.saved();
    await close();
    const later = await openHome(dir, { clock: new VirtualClock(START_MS + HOUR_MS) });
    await later.write({ type: "node-renamed", address: "ZW1_1", name: "since the snapshot" });
    for (const driver of ["zwave", "virtual"]) later.store.driverStore(driver).set("key", "late");
    const { id } = await later.store.backups.make(null, false);
    await later.store.backups.settled(id, new AbortController().signal);
    await later.close();
    lose(dir, "missing");
    const open = await openHome(dir);
    expect(open.home.nodes.get("ZW1_1")?.name).toBe("since the snapshot");
    expect(open.store.accounts.accounts()).toEqual([ACCOUNT]);
    // An open backup holds nothing of the store of a radio.
    expect(["zwave", "virtual"].map((driver) => open.store.driverStore(driver).get("key"))).toEqual(["early", "late"]);
    expect(complaints(open)).toMatchObject([
      { level: "error", fields: { restoredFrom: expect.stringMatching(/^backup of /) } },
    ]);
  });

  test.each(["the note", "a secret", "the trace", "a log"])("is reported when all that is left is %s", async (left) => {
    const dir = temporaryDirectory();
    const { store, write, close } = await openHome(dir);
    await write({ type: "folder-added", folder: { address: "f", name: "f", parent: null } });
    store.accounts.secret("token-key", () => "secret");
    store.trace.append([1, null, 1, "body"]);
    await store.trace.read({ programId: null, beforeId: null, afterRecordId: null, untilMs: null, limit: 1 });
    await close();
    const kept = { "the note": NOTE, "a secret": "secrets", "the trace": "trace.sqlite", "a log": "" }[left];
    for (const name of readdirSync(dir)) if (name !== kept) rmSync(join(dir, name), { recursive: true });
    if (kept === "") writeFileSync(`${database(dir)}-wal`, "what is left of a log");
    const open = await openHome(dir);
    expect(open.home.folders.size).toBe(0);
    expect(complaints(open)).toMatchObject([{ level: "error", message: expect.stringContaining("nothing is left") }]);
    await open.close();
    expect(complaints(await openHome(dir))).toEqual([]);
  });

  test("in an empty directory is a new home, without a warning", async () => {
    const dir = temporaryDirectory();
    const open = await openHome(dir);
    expect(complaints(open)).toEqual([]);
  });

  test("is a new home after a first start that was cut short before anything was on disk", async () => {
    const dir = temporaryDirectory();
    openDatabase(database(dir)).close();
    for (const name of ["secrets", "backups"]) mkdirSync(join(dir, name));
    expect(complaints(await openHome(dir))).toEqual([]);
  });
});

const HOUR_MS = 3_600_000;
const ACCOUNT = {
  id: "a",
  kind: "local",
  login: "a",
  role: "owner",
  passwordHash: "h",
  createdAtMs: 1,
} as const;
const FOLDERS = 6;

/** A directory as a kill leaves it, and the size of its write-ahead log after each commit. */
async function leaveKilled(withSnapshot = false) {
  const running = temporaryDirectory();
  const clock = new VirtualClock(START_MS);
  const { write } = await openHome(running, { clock });
  const sizes: number[] = [];
  for (let at = 0; at < FOLDERS; at += 1) {
    await write({ type: "folder-added", folder: { address: String(at), name: "f", parent: null } });
    sizes.push(statSync(`${database(running)}-wal`).size);
  }
  if (withSnapshot) {
    await clock.advance(61_000);
    await vi.waitFor(() => expect(listSnapshots(join(running, "snapshots"))).toHaveLength(1));
  }
  const dir = temporaryDirectory();
  cpSync(running, dir, { recursive: true });
  return { dir, sizes };
}
