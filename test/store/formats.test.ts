/** Homes that earlier releases left behind, opened by this one. */

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../src/store/database/migrate.ts";
import { openDatabase, openForSalvage } from "../../src/store/database/open-database.ts";
import { shapeOrNewest } from "../../src/store/database/upgraded-rows.ts";
import { HOME_TABLE_NAMES, homeRow } from "../../src/store/home-tables.ts";
import { isRecord } from "../../src/util/is-record.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { COMMAND, serveArguments } from "../simulation/service-process.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { documentsOf, FORMATS, rowsOf, unpackHome } from "../support/format-homes.ts";
import { type OpenHome, openHome } from "../support/test-store.ts";

const INTERRUPTED = join(import.meta.dirname, "interrupted-upgrade.ts");
const AWAY_MS = 20 * 60_000;
/** The last migration of each format. */
const SHAPES = [3, 5] as const;

test("every format since the first is there", () => {
  expect(FORMATS.length).toBeGreaterThan(0);
  expect(FORMATS).toEqual(SHAPES.map((_, at) => at + 1));
});

describe.each(FORMATS)("a home of format %i", (format) => {
  const known = rowsOf(format);

  test("holds everything that it held, and nothing is reported as lost", async () => {
    await expectWhole(unpackHome(format));
  });

  const steps = MIGRATIONS.filter(({ number }) => number > (SHAPES[format - 1] ?? 0)).map(({ name }) => name);
  const moments: readonly string[] = ["copied", ...steps, "migrated", "kept", "exchanged"];

  test.each(moments)("opens after an upgrade that was killed at the step '%s'", async (moment) => {
    const data = unpackHome(format);
    const args = [INTERRUPTED, join(data, "domovoi.sqlite"), moment];
    expect(spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }).signal).toBe("SIGKILL");
    await expectWhole(data);
    expect(readdirSync(data).filter((name) => name.includes(".upgraded"))).toEqual([]);
  });

  test("stays as it was when the upgrade fails half-way: the service says why, the older version opens it, the next start upgrades", {
    timeout: 60_000,
  }, async () => {
    const data = unpackHome(format);
    const path = join(data, "domovoi.sqlite");
    // No file may grow beyond half of the database, so the copy fails half-way, as on a full disk.
    const blocks = Math.floor(statSync(path).size / 1024 / 2);
    const limited = `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`;
    const command = [process.execPath, COMMAND, ...serveArguments(data)];
    const { status, stderr } = spawnSync("bash", ["-c", limited, "limited", ...command], { encoding: "utf8" });
    expect(stderr).toMatch(/could not be upgraded to step \d+ \(.+\)\. It is unchanged, and the version that wrote it/);
    expect(status).toBe(1);
    expect(readdirSync(data).filter((name) => /upgraded|before-upgrade/.test(name))).toEqual([]);
    const older = openDatabase(
      path,
      MIGRATIONS.filter(({ number }) => number <= (SHAPES[format - 1] ?? 0)),
    );
    expect(shapeOrNewest(older)).toBe(SHAPES[format - 1]);
    older.close();
    await expectWhole(data);
  });

  test("is upgraded once, and the database from before is kept as it was", async () => {
    const data = unpackHome(format);
    for (let start = 0; start < 2; start += 1) {
      const open = await openHome(data);
      const upgrades = open.log.lines.filter(({ message }) => message.includes("upgraded"));
      expect(upgrades).toHaveLength(start === 0 ? 1 : 0);
      await open.close();
    }
    const before = openForSalvage(join(data, "domovoi.sqlite.before-upgrade"));
    expect(shapeOrNewest(before)).toBe(SHAPES[format - 1]);
    before.close();
  });

  test("is restored from its own snapshot when its database is gone", async () => {
    const data = unpackHome(format);
    for (const companion of ["", "-wal", "-shm"]) rmSync(join(data, `domovoi.sqlite${companion}`), { force: true });
    const { home, log } = await openHome(data);
    // The version of format 2 took its snapshot before the programs of this fixture were written.
    const programs = [...home.programs.keys()].map(String);
    expect(Object.keys(known.programs ?? {})).toEqual(expect.arrayContaining(programs));
    expect(programs.length).toBeGreaterThan(10);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  async function expectWhole(data: string): Promise<void> {
    const open = await openHome(data, { settings: { variablesAfterBoot: "keep" } });
    for (const table of HOME_TABLE_NAMES) {
      for (const [key, record] of Object.entries(known[table] ?? {})) {
        // A program's row keeps the run with which it was written; its latest run is a row of its own.
        const run = table === "programs" ? (known.program_runs?.[key] as { run: object } | undefined)?.run : {};
        const held = withStatus({ ...(record as object), ...run });
        expect.soft(rowOf(open, table, key), `${table} ${key}`).toMatchObject(held);
      }
    }
    expect(open.store.accounts.accounts()).toEqual(Object.values(known.accounts ?? {}));
    expect(open.log.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  }

  test("is the same home for its clients, and goes on with its programs", async () => {
    const controller = await open(unpackHome(format));
    for (const [path, document] of Object.entries(documentsOf(format))) {
      const answer = await controller.local.get(path);
      const now = path.startsWith("/api") ? answer.json<{ data: unknown }>().data : answer.text;
      // Documents gain members; what was there is there.
      if (typeof document === "string") expect.soft(now, path).toEqual(document);
      else expect.soft(withoutWords(now), path).toMatchObject(withoutWords(document));
    }
  });
});

function rowOf({ home }: OpenHome, table: (typeof HOME_TABLE_NAMES)[number], key: string): unknown {
  return JSON.parse(homeRow(home, table, key) ?? "null");
}

/** Display texts depend on the drivers, which are not loaded here; the version of format 2 sent fewer flags of nodes. */
const VARYING = new Set(["formatted", "name", "flag"]);

function withoutWords(document: unknown): object {
  return JSON.parse(JSON.stringify(document, (key, value) => (VARYING.has(key) ? undefined : value))) as object;
}

async function open(data: string): Promise<TestController> {
  const settings = { demo: false, localApi: true, variablesAfterBoot: "keep" } as const;
  const [snapshot = ""] = readdirSync(join(data, "snapshots"));
  const madeAtMs = Number(/\d+/.exec(snapshot)?.[0]);
  // The home goes on where it was: a clock that is hours off would let schedules and waits pass.
  const clock = new VirtualClock(madeAtMs + AWAY_MS);
  // Only the machine that made the home knows its boot. After another boot, programs run at the start.
  const controller = await startTestController(settings, { clock, data, bootId: null });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}

/** Earlier versions stored no status for a program that never ran; it is false. */
function withStatus<T extends object>(record: T): T {
  const run = "run" in record && isRecord(record.run) ? { run: withStatus(record.run) } : {};
  return { ...record, ...run, ...("status" in record && record.status === null ? { status: false } : {}) };
}
