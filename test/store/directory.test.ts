import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { MIGRATIONS } from "../../src/store/database/migrate.ts";
import { upgradeDatabase } from "../../src/store/database/upgrade.ts";
import { CHILD_OPTIONS, openHome, temporaryDirectory } from "../support/test-store.ts";

const WRITER = fileURLToPath(new URL("./acknowledging-writer.ts", import.meta.url));
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the data directory", () => {
  test("is used by one process at a time, and free again when that is killed", async () => {
    const dir = temporaryDirectory();
    const other = spawn(process.execPath, [WRITER, dir], CHILD_OPTIONS);
    await once(other.stdout, "data");
    await expect(openHome(dir)).rejects.toThrow(
      `The data directory "${dir}" (setting data) is in use by another Domovoi.`,
    );
    other.stdout.destroy();
    other.kill("SIGKILL");
    await once(other, "exit");
    const { home } = await openHome(dir);
    expect(home.variables[1].size).toBeGreaterThan(0);
  });

  test("is refused to a second store of the same process", async () => {
    const dir = temporaryDirectory();
    await openHome(dir);
    await expect(openHome(dir)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("is free for the next after a close", async () => {
    const dir = temporaryDirectory();
    await (await openHome(dir)).close();
    await (await openHome(dir)).close();
  });

  test("is named with its setting when it cannot be made", async () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    const dir = join(file, "data");
    await expect(openHome(dir)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `The data directory "${dir}" (setting data) cannot be written (a file is in the way).`,
    });
  });

  test("is refused where a file system makes no directories, instead of trying for ever", async () => {
    await expect(openHome("/proc/domovoi")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("is private to its owner, and so is everything in it", async () => {
    const dir = join(temporaryDirectory(), "new", "data");
    const elsewhere = join(temporaryDirectory(), "other", "backups");
    const { store, close } = await openHome(dir, { settings: { backupDirectory: elsewhere } });
    store.accounts.secret("ca.pem", () => "key");
    await store.accounts.putAccount({
      id: "a",
      kind: "local",
      login: "a",
      role: "owner",
      passwordHash: "h",
      createdAtMs: 0,
    });
    const { id } = await store.backups.make(null, false);
    await store.backups.settled(id, new AbortController().signal);
    const files = ["domovoi.sqlite", "domovoi.sqlite-wal", "domovoi.lock", "domovoi.last-commit", "secrets/ca.pem"];
    expect([dir, join(dir, "secrets"), elsewhere].map(mode)).toEqual(["700", "700", "700"]);
    expect(files.map((name) => mode(join(dir, name)))).toEqual(files.map(() => "600"));
    expect(readdirSync(elsewhere).map((name) => mode(join(elsewhere, name)))).toEqual(["600"]);
    await close();
    expect(mode(join(dir, "snapshots"))).toBe("700");
    expect(readdirSync(join(dir, "snapshots")).map((name) => mode(join(dir, "snapshots", name)))).toEqual(["600"]);
  });

  test("is refused when its database is newer than the program", async () => {
    const dir = temporaryDirectory();
    await (await openHome(dir)).close();
    await pretendNewer(dir);
    await expect(openHome(dir)).rejects.toThrow(/written by a newer Domovoi/);
  });
});

describe("a symbolic link in the data directory", () => {
  test.each(["domovoi.sqlite", "domovoi.sqlite-wal", "domovoi.lock", "domovoi.last-commit", "trace.sqlite"])(
    "in place of %s is refused, and what it leads to is left alone",
    async (name) => {
      const dir = temporaryDirectory();
      const elsewhere = join(temporaryDirectory(), "target");
      writeFileSync(elsewhere, "not ours");
      symlinkSync(elsewhere, join(dir, name));
      await expect(openHome(dir)).rejects.toThrow(`symbolic link in place of the file "${name}"`);
      expect(readFileSync(elsewhere, "utf8")).toBe("not ours");
    },
  );

  test("that leads nowhere is refused too: the database behind it may be on a disk that is not mounted yet", async () => {
    const dir = temporaryDirectory();
    symlinkSync("/nowhere/domovoi.sqlite", join(dir, "domovoi.sqlite"));
    await expect(openHome(dir)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("in place of a directory is followed, and so is one to the data directory", async () => {
    const dir = temporaryDirectory();
    const elsewhere = temporaryDirectory();
    for (const name of ["snapshots", "secrets", "backups"]) {
      mkdirSync(join(elsewhere, name));
      symlinkSync(join(elsewhere, name), join(dir, name));
    }
    const link = join(temporaryDirectory(), "data");
    symlinkSync(dir, link);
    const { store, close } = await openHome(link);
    store.accounts.secret("token-key", () => "secret");
    await close();
    expect(readdirSync(join(elsewhere, "secrets"))).toEqual(["token-key"]);
    expect(readdirSync(join(elsewhere, "snapshots"))).toHaveLength(1);
  });
});

describe("secrets", () => {
  test("are made once and kept", async () => {
    const dir = temporaryDirectory();
    const first = await openHome(dir);
    expect(first.store.accounts.findSecret("token-key")).toBeNull();
    expect(first.store.accounts.secret("token-key", () => "one")).toBe("one");
    await first.close();
    const second = await openHome(dir);
    expect(second.store.accounts.secret("token-key", () => "two")).toBe("one");
  });

  test("can be replaced", async () => {
    const { store } = await openHome(temporaryDirectory());
    store.accounts.secret("leaf.pem", () => "one");
    store.accounts.replaceSecret("leaf.pem", "two");
    expect(store.accounts.findSecret("leaf.pem")).toBe("two");
  });

  test("have no names that lead out of their directory", async () => {
    const { store } = await openHome(temporaryDirectory());
    expect(() => store.accounts.findSecret("../domovoi.sqlite")).toThrow("name of a file");
  });
});

async function pretendNewer(dir: string): Promise<void> {
  const next = {
    number: MIGRATIONS.length + 1,
    name: "from-the-future",
    statements: ["CREATE TABLE future (a TEXT) STRICT"],
  };
  await upgradeDatabase(join(dir, "domovoi.sqlite"), [...MIGRATIONS, next]);
}
