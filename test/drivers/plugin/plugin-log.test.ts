/** The reason of a crash, in what the plugin wrote. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashReason } from "../../../src/drivers/plugin/plugin-log.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "domovoi-plugin-log-"));
});
afterAll(() => rm(directory, { recursive: true }));

const token = "0123456789abcdef".repeat(2);

test.each([
  ["Traceback:\nValueError: no such lamp\n", "ValueError: no such lamp"],
  ["  File x\n  requests.exceptions.ConnectionError: refused\nbye\n", "ConnectionError: refused"],
  ["Starting\nSegmentation fault\n", "Segmentation fault"],
  [`${"x".repeat(65_000)} XError: late`, `${"x".repeat(299)}…`],
  [`XError: ${"x".repeat(65_000)}`, `XError: ${"x".repeat(291)}…`],
  [`${"-".repeat(280)} XError: ${token}`, "XError: [secret]"],
])("of an output that begins with %.20s", async (output, reason) => {
  const startedAtMs = performance.now();
  expect(await crashReason(directory, output, 0, [token])).toBe(reason);
  expect(performance.now() - startedAtMs).toBeLessThan(100);
});
