/** Homes that earlier releases left behind, opened by this one. */

import { describe, expect, onTestFinished, test } from "vitest";
import { HOME_TABLE_NAMES, homeRow } from "../../src/store/home-tables.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { documentsOf, FORMATS, rowsOf, unpackHome } from "../support/format-homes.ts";
import { type OpenHome, openHome } from "../support/test-store.ts";

test("every format since the first is there", () => {
  expect(FORMATS.length).toBeGreaterThan(0);
  expect(FORMATS).toEqual(FORMATS.map((_, at) => at + 1));
});

describe.each(FORMATS)("a home of format %i", (format) => {
  const known = rowsOf(format);

  test("holds everything that it held, and nothing is reported as lost", async () => {
    const open = await openHome(unpackHome(format), { settings: { variablesAfterBoot: "keep" } });
    for (const table of HOME_TABLE_NAMES) {
      for (const [key, record] of Object.entries(known[table] ?? {})) {
        // A program's row keeps the run with which it was written; its latest run is a row of its own.
        const run = table === "programs" ? (known.program_runs?.[key] as { run: object } | undefined)?.run : {};
        expect.soft(rowOf(open, table, key), `${table} ${key}`).toMatchObject({ ...(record as object), ...run });
      }
    }
    expect(open.store.accounts.accounts()).toEqual(Object.values(known.accounts ?? {}));
    expect(open.log.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  });

  test("is the same home for its clients, and goes on with its programs", async () => {
    const controller = await open(unpackHome(format));
    for (const [path, document] of Object.entries(documentsOf(format))) {
      const answer = await controller.local.get(path);
      const now = path.startsWith("/api") ? answer.json<{ data: unknown }>().data : answer.text;
      expect.soft(withoutWords(now), path).toEqual(withoutWords(document));
    }
  });
});

function rowOf({ home }: OpenHome, table: (typeof HOME_TABLE_NAMES)[number], key: string): unknown {
  return JSON.parse(homeRow(home, table, key) ?? "null");
}

/** Display texts depend on the drivers, which are not loaded here. */
function withoutWords(document: unknown): unknown {
  return typeof document === "string"
    ? document
    : JSON.parse(JSON.stringify(document, (key, value) => (key === "formatted" || key === "name" ? undefined : value)));
}

async function open(data: string): Promise<TestController> {
  const settings = { demo: false, localApi: true, variablesAfterBoot: "keep" } as const;
  const clock = new VirtualClock(Date.UTC(2026, 10, 22, 14, 30));
  const controller = await startTestController(settings, { clock, data });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}
