/** The data directories that earlier releases left behind, see test/fixtures/homes/README.md. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { temporaryDirectory } from "./test-store.ts";

const HOMES = join(import.meta.dirname, "../fixtures/homes");

/** Numbers of all released formats. */
export const FORMATS: readonly number[] = readdirSync(HOMES)
  .filter((name) => name.startsWith("format-"))
  .map((name) => Number(name.slice("format-".length)))
  .sort((a, b) => a - b);

/** A copy of the data directory of the format. */
export function unpackHome(format: number): string {
  const packed = join(HOMES, `format-${format}`, "data");
  const target = temporaryDirectory();
  for (const entry of readdirSync(packed, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(target, path.slice(packed.length, -".gz".length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, gunzipSync(readFileSync(path)), { mode: 0o600 });
  }
  return target;
}

type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The stored rows of the release, by table and key. */
export function rowsOf(format: number): Rows {
  return readJson(format, "rows.json.gz") as Rows;
}

/** The release's answers by path just before it was killed: texts for /rest, the member `data` for /api. */
export function documentsOf(format: number): Readonly<Record<string, unknown>> {
  return readJson(format, "documents.json.gz") as Readonly<Record<string, unknown>>;
}

function readJson(format: number, name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(join(HOMES, `format-${format}`, name))).toString("utf8"));
}
