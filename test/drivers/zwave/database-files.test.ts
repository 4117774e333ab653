/** The only file access of the Z-Wave library: reading its database of devices. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DATABASE_FILES } from "../../../src/drivers/zwave/stack.ts";

const HERE = import.meta.dirname;

test("a file is read unchanged", async () => {
  const own = fileURLToPath(import.meta.url);
  const [bytes, stats] = await Promise.all([DATABASE_FILES.readFile(own), DATABASE_FILES.stat(own)]);
  expect([new TextDecoder().decode(bytes).slice(0, 3), bytes.length]).toEqual(["/**", stats.size]);
});

test("no directory shows what could be younger than an index", async () => {
  expect(await DATABASE_FILES.readDir(HERE)).toEqual([]);
});

test("nothing is written, copied, opened or deleted", async () => {
  const flags = { read: true, write: true, create: true, truncate: true };
  const attempts = [
    DATABASE_FILES.writeFile(`${HERE}/new`, new Uint8Array(1)),
    DATABASE_FILES.copyFile(import.meta.filename, `${HERE}/new`),
    DATABASE_FILES.open(`${HERE}/new`, flags),
    DATABASE_FILES.deleteDir(`${HERE}/new`),
    DATABASE_FILES.makeTempDir("new"),
  ];
  const ends = await Promise.allSettled(attempts);
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["rejected"]));
});
