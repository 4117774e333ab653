import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { DamageError } from "../../src/store/database/damage.ts";
import { latest, MIGRATIONS, type Migration } from "../../src/store/database/migrate.ts";
import { OlderDatabaseError, openDatabase } from "../../src/store/database/open-database.ts";
import { readState, readTable } from "../../src/store/database/read-tables.ts";
import { rowSum } from "../../src/store/database/tables.ts";
import { pathBeforeUpgrade, upgradeDatabase } from "../../src/store/database/upgrade.ts";
import { upgradedRows } from "../../src/store/database/upgraded-rows.ts";
import { temporaryDirectory } from "../support/test-store.ts";

/** A step that no release has. */
const rewrite: Migration = {
  number: MIGRATIONS.length + 1,
  name: "rewrite-folders",
  statements: [],
  rows(rows) {
    rows.each("folders", (key, record) => {
      const { old } = record as { readonly old: string };
      return old === "goes" ? null : [`${key}a`, { new: old }];
    });
    rows.put("meta", "rewritten", true);
  },
};
const NEXT = [...MIGRATIONS, rewrite];
const broken: Migration = {
  ...rewrite,
  name: "broken",
  rows(rows) {
    rewrite.rows?.(rows);
    throw new Error("This step is wrong");
  },
};

/** A database without that step, with two folders, one of which a step removes. */
function leaveOlder(): string {
  const path = join(temporaryDirectory(), "domovoi.sqlite");
  const db = openDatabase(path, MIGRATIONS);
  for (const [key, old] of [
    ["1", "kept"],
    ["2", "goes"],
  ] as const) {
    const body = JSON.stringify({ old });
    db.prepare("INSERT INTO folders VALUES (?, ?, ?)").run(key, body, rowSum(key, body));
  }
  db.close();
  return path;
}

function foldersOf(path: string, migrations: readonly Migration[]): unknown {
  const db = openDatabase(path, migrations);
  try {
    return Object.fromEntries(readTable(db, "folders"));
  } finally {
    db.close();
  }
}

describe("a database of an older shape", () => {
  test("is not opened unchanged", () => {
    const path = leaveOlder();
    expect(() => openDatabase(path, NEXT)).toThrow(OlderDatabaseError);
  });

  test("is upgraded with all that is in it: rows are moved and rewritten with right checksums", async () => {
    const path = leaveOlder();
    await upgradeDatabase(path, NEXT);
    expect(foldersOf(path, NEXT)).toEqual({ "1a": '{"new":"kept"}' });
    const db = new DatabaseSync(path);
    expect(db.prepare("SELECT number, name FROM migrations").all()).toEqual(
      NEXT.map(({ number, name }) => ({ number, name })),
    );
    expect(readTable(db, "meta").get("rewritten")).toBe("true");
    db.close();
  });

  test("is kept from before the upgrade, private to its owner, and opens with the older version", async () => {
    const path = leaveOlder();
    await upgradeDatabase(path, NEXT);
    expect(foldersOf(pathBeforeUpgrade(path), MIGRATIONS)).toEqual({ 1: '{"old":"kept"}', 2: '{"old":"goes"}' });
    const modes = [path, pathBeforeUpgrade(path)].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  test("takes writes of its log along", async () => {
    const path = leaveOlder();
    const db = openDatabase(path, MIGRATIONS);
    const body = JSON.stringify({ old: "in the log" });
    db.prepare("INSERT INTO folders VALUES (?, ?, ?)").run("3", body, rowSum("3", body));
    const killed = join(temporaryDirectory(), "domovoi.sqlite");
    for (const companion of ["", "-wal"]) copyFileSync(path + companion, killed + companion);
    db.close();
    await upgradeDatabase(killed, NEXT);
    expect(foldersOf(killed, NEXT)).toMatchObject({ "3a": '{"new":"in the log"}' });
  });

  test("is unchanged by an upgrade that fails, which is reported", async () => {
    const path = leaveOlder();
    const before = readFileSync(path);
    await expect(upgradeDatabase(path, [...MIGRATIONS, broken])).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `The database could not be upgraded to step ${broken.number} (This step is wrong). It is unchanged, and the version that wrote it still starts.`,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(foldersOf(path, MIGRATIONS)).toEqual({ 1: '{"old":"kept"}', 2: '{"old":"goes"}' });
  });

  test("is not upgraded while another program reads it", async () => {
    const path = leaveOlder();
    const db = openDatabase(path, MIGRATIONS);
    db.exec("DELETE FROM folders WHERE key = '2'");
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN; SELECT count(*) FROM folders");
    db.close();
    await expect(upgradeDatabase(path, NEXT)).rejects.toThrow(/another program reads it/);
    reader.close();
    await upgradeDatabase(path, NEXT);
  });

  test("that is damaged is reported as damaged, not as a failed upgrade", async () => {
    const path = leaveOlder();
    const db = new DatabaseSync(path);
    db.exec("UPDATE folders SET sum = sum + 1");
    db.close();
    await expect(upgradeDatabase(path, NEXT)).rejects.toThrow(DamageError);
  });

  test("can be read without an upgrade: later tables are empty", () => {
    const db = openDatabase(join(temporaryDirectory(), "domovoi.sqlite"), MIGRATIONS.slice(0, 1));
    expect(readState(db).program_progress.size).toBe(0);
    db.close();
  });
});

test("rows of an older shape that are found elsewhere are rewritten as an upgrade would", () => {
  const rows = { folders: new Map([["1", '{"old":"kept"}']]) };
  const upgraded = upgradedRows(rows, MIGRATIONS.length, NEXT);
  expect(upgraded.folders).toEqual(new Map([["1a", '{"new":"kept"}']]));
  expect(upgraded.nodes).toBeUndefined();
});

test("an unknown schema is damage", () => {
  const path = leaveOlder();
  const db = new DatabaseSync(path);
  db.exec("ALTER TABLE folders ADD COLUMN more TEXT");
  db.close();
  expect(() => openDatabase(path, MIGRATIONS)).toThrow(DamageError);
});

test("steps are numbered without a gap", () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, at) => at + 1));
  expect(latest(MIGRATIONS)).toBe(MIGRATIONS.length);
});
