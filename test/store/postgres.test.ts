/** A home in PostgreSQL: who may write it, and how a home moves between a directory and a database. */

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { parseConfig } from "../../src/config.ts";
import type { Home } from "../../src/home/home.ts";
import { restoreBackup } from "../../src/store/backup/restore-backup.ts";
import { claimHome } from "../../src/store/postgres/claim.ts";
import { systemClock } from "../../src/util/clock.ts";
import { CAUSE, nodeAdded, openHome, recordingLog, stateReported, temporaryDirectory } from "../support/test-store.ts";
import { postgres, stopPostgres } from "./engines.ts";

stopPostgres();

const LEASE_MS = 500;

async function newDatabase(): Promise<string> {
  return (await postgres()).database();
}

function openAt(dir: string, storeUrl: string, onLost = () => {}) {
  return openHome(dir, { clock: systemClock, settings: { storeUrl, leaseMs: LEASE_MS, storeAnswerMs: 1000 }, onLost });
}

const folder = (address: string) =>
  ({ type: "folder-added", folder: { address, name: address, parent: null } }) as const;

describe("a home in PostgreSQL", { timeout: 30_000 }, () => {
  test("goes on from another directory, with its secrets and its past", async () => {
    const url = await newDatabase();
    const first = await openAt(temporaryDirectory(), url);
    await first.write(nodeAdded("n001_a"));
    await first.write(stateReported("n001_a", 30));
    first.store.secrets.replaceSecret("key", "secret text");
    await first.store.saved();
    await first.close();
    const second = await openAt(temporaryDirectory(), url);
    expect(second.home.nodes.get("n001_a")?.properties.get("ST")?.value).toBe(30);
    expect(second.store.secrets.findSecret("key")).toBe("secret text");
    const past = await second.store.past.homeAt(systemClock.now());
    expect(past.home?.nodes.get("n001_a")?.properties.get("ST")?.value).toBe(30);
  });

  test("moves in from a directory with its journal, and out again when the directory is opened without the database", async () => {
    const [dir, url] = [temporaryDirectory(), await newDatabase()];
    const alone = await openHome(dir, { clock: systemClock });
    await alone.write(folder("before"));
    alone.store.secrets.replaceSecret("key", "text");
    await alone.close();
    const shared = await openAt(dir, url);
    expect([...shared.home.folders.keys()]).toEqual(["before"]);
    await shared.write(folder("shared"));
    await shared.close();
    const elsewhere = await openAt(temporaryDirectory(), url);
    expect([...elsewhere.home.folders.keys()]).toEqual(["before", "shared"]);
    expect(elsewhere.feed.lastSeq).toBe(shared.feed.lastSeq);
    expect(elsewhere.store.secrets.findSecret("key")).toBe("text");
    await elsewhere.close();
    const out = await openHome(dir, { clock: systemClock });
    expect([...out.home.folders.keys()]).toEqual(["before", "shared"]);
    expect(out.log.lines.map(({ message }) => message).join()).toContain("From now on this directory keeps it");
  });

  test("moves in and out with more than a thread takes at once", async () => {
    const [dir, url] = [temporaryDirectory(), await newDatabase()];
    const alone = await openHome(dir, { clock: systemClock });
    const text = "x".repeat(150);
    for (let at = 0; at < 30_000; at += 1)
      alone.feed.commit({ type: "folder-added", folder: { address: `f${at}`, name: text, parent: null } }, CAUSE);
    await alone.store.committed(alone.feed.lastSeq);
    await alone.close();
    const keys = (home: Home) => [...home.folders.keys()].join();
    const shared = await openAt(dir, url);
    expect(keys(shared.home)).toBe(keys(alone.home));
    await shared.close();
    const elsewhere = temporaryDirectory();
    const other = await openAt(elsewhere, url);
    await other.close();
    const out = await openHome(elsewhere, { clock: systemClock });
    expect(keys(out.home)).toBe(keys(alone.home));
  });

  test("refuses to let a copy that is not complete stand for the home", async () => {
    const [dir, url] = [temporaryDirectory(), await newDatabase()];
    await (await openAt(dir, url)).close();
    const origin = join(dir, "domovoi.origin");
    writeFileSync(origin, `partial ${readFileSync(origin, "utf8")}`);
    await expect(openHome(dir, { clock: systemClock })).rejects.toThrow(/holds a part of a home/);
    await (await openAt(dir, url)).close();
    await (await openHome(dir, { clock: systemClock })).close();
  });

  test("refuses a directory that holds a home of its own", async () => {
    const [dir, url] = [temporaryDirectory(), await newDatabase()];
    await (await openAt(temporaryDirectory(), url)).close();
    await (await openHome(dir, { clock: systemClock })).close();
    await expect(openAt(dir, url)).rejects.toThrow(/holds a home of its own, and the database another one/);
  });

  test("refuses to put a copy into a database that is empty", async () => {
    const dir = temporaryDirectory();
    await (await openAt(dir, await newDatabase())).close();
    await expect(openAt(dir, await newDatabase())).rejects.toThrow(/start it once without storeUrl/);
  });

  test("sets the copy of another home aside", async () => {
    const dir = temporaryDirectory();
    await (await openAt(dir, await newDatabase())).close();
    const other = await newDatabase();
    const first = await openAt(temporaryDirectory(), other);
    await first.write(folder("other"));
    await first.close();
    const { home } = await openAt(dir, other);
    expect([...home.folders.keys()]).toEqual(["other"]);
    expect(readdirSync(dir).some((name) => name.startsWith("copy-of-"))).toBe(true);
  });

  test("is replaced by a backup that is restored into the directory of its copy", async () => {
    const [dir, url] = [temporaryDirectory(), await newDatabase()];
    const first = await openAt(dir, url);
    await first.write(folder("kept"));
    const { id } = await first.store.backups.make(null, true);
    await vi.waitFor(() => expect(first.store.backups.find(id).state).toBe("ready"), 10_000);
    const stored = readdirSync(join(dir, "backups")).find((name) => name.includes(id)) ?? "";
    const file = join(temporaryDirectory(), stored);
    copyFileSync(join(dir, "backups", stored), file);
    await first.write(folder("lost"));
    await first.close();
    await restoreBackup(file, dir, { passphrase: null, replaces: true, nowMs: systemClock.now() });
    const second = await openAt(dir, url);
    expect([...second.home.folders.keys()]).toEqual(["kept"]);
    await second.close();
    const third = await openAt(temporaryDirectory(), url);
    expect([...third.home.folders.keys()]).toEqual(["kept"]);
  });
});

describe("the writer of a home in PostgreSQL", { timeout: 30_000 }, () => {
  test("is not joined by a second one while it lives", async () => {
    const url = await newDatabase();
    const first = await openAt(temporaryDirectory(), url);
    await expect(openAt(temporaryDirectory(), url)).rejects.toThrow(/The home is written by/);
    await first.write(folder("still"));
  });

  test("writes nothing more once another one has the home, and hears of it", async () => {
    const url = await newDatabase();
    const onLost = vi.fn();
    const first = await openAt(temporaryDirectory(), url, onLost);
    await first.write(folder("mine"));
    await (await postgres()).run(new URL(url).pathname.slice(1), "UPDATE domovoi.home SET epoch = epoch + 1");
    await expect(first.write(folder("late"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce());
    expect(first.store.mayAct?.("local")).toBe(false);
    const state = await (await postgres()).run(
      new URL(url).pathname.slice(1),
      "SELECT key FROM domovoi.state WHERE tab = 'folders'",
    );
    expect(state).toEqual([{ key: "mine" }]);
  });

  test("may not act without a fence while the database does not answer, and goes on when it does", async () => {
    const server = await postgres();
    const { store, write, log } = await openAt(temporaryDirectory(), await newDatabase());
    expect(store.mayAct?.("none")).toBe(true);
    await server.kill();
    await vi.waitFor(() => expect(store.mayAct?.("none")).toBe(false), 5000);
    expect(store.mayAct?.("local")).toBe(true);
    expect(store.mayAct?.("connection")).toBe(true);
    await expect(write(folder("away"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await server.restart();
    await vi.waitFor(() => expect(store.mayAct?.("none")).toBe(true), 10_000);
    await vi.waitFor(() => write(folder("back")), 10_000);
    expect(log.lines.some(({ message }) => message === "The database answers again.")).toBe(true);
  });

  test("writes a batch once although the answer to it was lost", async () => {
    const server = await postgres();
    const url = await newDatabase();
    const database = new URL(url).pathname.slice(1);
    const { write, close } = await openAt(temporaryDirectory(), url);
    for (let round = 0; round < 20; round += 1) {
      const written = write(folder(`f${round}`)).catch(() => {});
      await server.run(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'domovoi writer%' AND state = 'active'",
      );
      await written;
    }
    await vi.waitFor(() => write(folder("last")), 10_000);
    await close();
    const { home } = await openAt(temporaryDirectory(), url);
    expect([...home.folders.keys()]).toEqual([...Array.from({ length: 20 }, (_, round) => `f${round}`), "last"]);
  });

  test("acknowledges nothing while the database's replica is gone, and has everything once when it is back", async () => {
    const server = await postgres();
    const url = await newDatabase();
    const { store, write, close } = await openAt(temporaryDirectory(), url);
    const replicas = async (names: string) => {
      await server.run("postgres", `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await server.run("postgres", "SELECT pg_reload_conf()");
    };
    await write(folder("before"));
    await replicas("gone");
    try {
      await vi.waitFor(() => expect(store.mayAct?.("none")).toBe(false), 5000);
      await expect(write(folder("meanwhile"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(store.mayAct?.("local")).toBe(true);
      // The server calls a wait that is ended by force a success.
      const waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await server.run("postgres", waiting);
      await expect(write(folder("cancelled"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    } finally {
      await replicas("");
    }
    await vi.waitFor(() => expect(store.mayAct?.("none")).toBe(true), 10_000);
    await vi.waitFor(() => write(folder("back")), 10_000);
    await close();
    const { home } = await openAt(temporaryDirectory(), url);
    expect([...home.folders.keys()]).toEqual(["before", "meanwhile", "cancelled", "back"]);
  });

  test("gives the home up when it ends in order, so that the next one need not wait", async () => {
    const url = await newDatabase();
    await (await openAt(temporaryDirectory(), url)).close();
    const config = parseConfig({ storeUrl: url, leaseMs: 60_000 });
    const claim = await claimHome({ config, clock: systemClock, log: recordingLog(), onLost: () => {} });
    expect(claim).toMatchObject({ epoch: 2, isTakeover: false, before: null });
    await claim.lease.release();
  });
});
