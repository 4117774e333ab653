import { join } from "node:path";
import { expect, test } from "vitest";
import { DamageError } from "../../src/store/database/damage.ts";
import { MIGRATIONS, type Migration } from "../../src/store/database/migrate.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { readState } from "../../src/store/database/read-tables.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const FIRST = MIGRATIONS.slice(0, 1);
const rename: Migration = {
  number: 2,
  name: "rename-a-member",
  statements: [`UPDATE folders SET body = json_set(json_remove(body, '$.old'), '$.new', body ->> '$.old')`],
};
const broken: Migration = {
  number: 2,
  name: "broken",
  statements: ["CREATE TABLE half (a TEXT) STRICT", "DROP TABLE nowhere"],
};

function leaveFirstVersion(): string {
  const path = join(temporaryDirectory(), "domovoi.sqlite");
  const db = openDatabase(path, FIRST);
  db.exec(`INSERT INTO folders VALUES ('1', '{"old":"kept"}', 0)`);
  db.close();
  return path;
}

test("a database of the first version is brought to the newest with all that is in it", () => {
  const path = leaveFirstVersion();
  const db = openDatabase(path, [...FIRST, rename]);
  expect(db.prepare("SELECT body FROM folders").get()).toEqual({ body: '{"new":"kept"}' });
  expect(db.prepare("SELECT number, name FROM migrations").all()).toEqual([
    { number: 1, name: "first-tables" },
    { number: 2, name: "rename-a-member" },
  ]);
  db.close();
});

test("a copy made before a step reads as it is: what came later is empty", () => {
  const db = openDatabase(join(temporaryDirectory(), "domovoi.sqlite"), FIRST);
  expect(readState(db).program_progress.size).toBe(0);
  db.close();
});

test("a step is done once", () => {
  const path = leaveFirstVersion();
  for (let start = 0; start < 3; start += 1) openDatabase(path, [...FIRST, rename]).close();
  const db = openDatabase(path, [...FIRST, rename]);
  expect(db.prepare("SELECT body FROM folders").get()).toEqual({ body: '{"new":"kept"}' });
  db.close();
});

test("a step that fails leaves the database as it was", () => {
  const path = leaveFirstVersion();
  expect(() => openDatabase(path, [...FIRST, broken])).toThrow("no such table");
  const db = openDatabase(path, FIRST);
  expect(db.prepare("SELECT body FROM folders").get()).toEqual({ body: '{"old":"kept"}' });
  db.close();
});

test("a shape that nobody made is damage", () => {
  const path = leaveFirstVersion();
  const db = openDatabase(path, FIRST);
  db.exec("ALTER TABLE folders ADD COLUMN more TEXT");
  db.close();
  expect(() => openDatabase(path, FIRST)).toThrow(DamageError);
});
