/** The only file access of the Z-Wave library: its database of devices. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigManager } from "@zwave-js/config";
import { expect, test } from "vitest";
import { DATABASE_FILES } from "../../../src/drivers/zwave/stack.ts";
import { temporaryDirectory } from "../../support/test-store.ts";

const HERE = import.meta.dirname;

test("a file is read unchanged", async () => {
  const own = fileURLToPath(import.meta.url);
  const [bytes, stats] = await Promise.all([DATABASE_FILES.readFile(own), DATABASE_FILES.stat(own)]);
  expect([new TextDecoder().decode(bytes).slice(0, 3), bytes.length]).toEqual(["/**", stats.size]);
});

test("without an index the files are listed, and the index that is made of them is written whole", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "device.json"), "{}");
  expect(await DATABASE_FILES.readDir(directory)).toEqual(["device.json"]);
  const index = join(directory, "index.json");
  await DATABASE_FILES.writeFile(index, new TextEncoder().encode("[]"));
  expect(readFileSync(index, "utf8")).toBe("[]");
  expect(readdirSync(directory).toSorted()).toEqual(["device.json", "index.json"]);
  expect(await DATABASE_FILES.readDir(directory)).toEqual([]);
});

test("the library knows the products of its database", async () => {
  const database = new ConfigManager({ bindings: DATABASE_FILES });
  await database.loadDeviceIndex();
  const product = await database.lookupDevice(0x0287, 0x0004, 0x0072, "3.12");
  expect(product?.label).toBe("iblinds V3");
}, 60_000);

test("nothing else is written, and nothing is copied, opened or deleted", async () => {
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
