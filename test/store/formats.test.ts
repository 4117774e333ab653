/** Homes that earlier releases left behind, opened by this one. */

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../src/store/database/migrate.ts";
import { openForSalvage } from "../../src/store/database/open-database.ts";
import { shapeOf } from "../../src/store/database/upgraded-rows.ts";
import { HOME_TABLE_NAMES, homeRow } from "../../src/store/home-tables.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { documentsOf, FORMATS, rowsOf, unpackHome } from "../support/format-homes.ts";
import { type OpenHome, openHome } from "../support/test-store.ts";

const INTERRUPTED = join(import.meta.dirname, "interrupted-upgrade.ts");
/** The last migration of each format. */
const SHAPES = [3] as const;

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

  test("is upgraded once, and the database from before is kept as it was", async () => {
    const data = unpackHome(format);
    for (let start = 0; start < 2; start += 1) {
      const open = await openHome(data);
      const upgrades = open.log.lines.filter(({ message }) => message.includes("upgraded"));
      expect(upgrades).toHaveLength(start === 0 ? 1 : 0);
      await open.close();
    }
    const before = openForSalvage(join(data, "domovoi.sqlite.before-upgrade"));
    expect(shapeOf(before)).toBe(SHAPES[format - 1]);
    before.close();
  });

  test("is restored from its own snapshot when its database is gone", async () => {
    const data = unpackHome(format);
    for (const companion of ["", "-wal", "-shm"]) rmSync(join(data, `domovoi.sqlite${companion}`), { force: true });
    const { home, log } = await openHome(data);
    const programs = Object.keys(known.programs ?? {});
    expect([...home.programs.keys()].map(String).sort()).toEqual(programs.sort());
    expect(programs.length).toBeGreaterThan(10);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  async function expectWhole(data: string): Promise<void> {
    const open = await openHome(data, { settings: { variablesAfterBoot: "keep" } });
    for (const table of HOME_TABLE_NAMES) {
      for (const [key, record] of Object.entries(known[table] ?? {})) {
        // A program's row keeps the run with which it was written; its latest run is a row of its own.
        const run = table === "programs" ? (known.program_runs?.[key] as { run: object } | undefined)?.run : {};
        expect.soft(rowOf(open, table, key), `${table} ${key}`).toMatchObject({ ...(record as object), ...run });
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

/** Display texts depend on the drivers, which are not loaded here. */
function withoutWords(document: unknown): object {
  return JSON.parse(
    JSON.stringify(document, (key, value) => (key === "formatted" || key === "name" ? undefined : value)),
  ) as object;
}

async function open(data: string): Promise<TestController> {
  const settings = { demo: false, localApi: true, variablesAfterBoot: "keep" } as const;
  const clock = new VirtualClock(Date.UTC(2026, 10, 22, 14, 30));
  const controller = await startTestController(settings, { clock, data });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}
