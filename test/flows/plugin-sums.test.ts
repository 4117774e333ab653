/** The limits on the sum over all plugins: none of these plugins exceeds a limit of its own, and the largest one has to go. */

import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { SANDBOX_PROCESSES } from "../support/sandbox.ts";

const WAIT = { timeout: 100_000, interval: 50 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 120_000 });
const LIMITS = {
  demo: false,
  pluginStartMs: 600_000,
  // All but "processes" are within it, also before "files" and "memory" are stopped; with "processes" it is exceeded, also after that.
  pluginsProcessesMax: 9 + 6 * SANDBOX_PROCESSES,
  pluginsDiskMaxMiB: 24,
  pluginsMemoryMaxMiB: 150,
};
const SLEEP = "exec sleep 600";
const CHILDREN = "for at in 1 2 3 4 5 6 7; do sleep 600 & done; echo started > started; exec sleep 600";
const MEMORY = `exec "${process.execPath}" -e 'globalThis.held = Buffer.alloc(120e6, 1); setInterval(() => {}, 1000)'`;
const FILE_BYTES = 20_000_000;

type Plugin = { readonly name: string; readonly state: string; readonly reason: string };

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController(LIMITS);
  await controller.login();
}, 30_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

async function install(name: string, deed: string, bytes = 0): Promise<void> {
  const files = {
    "plugin.sh": Buffer.from(`#!/bin/sh\n${deed}\n`),
    ...(bytes > 0 && { data: Buffer.alloc(bytes, 7) }),
  };
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  const path = `/api/plugins?name=${encodeURIComponent(name)}&type=binary&executable=plugin.sh`;
  const body = Buffer.from(zipSync(files));
  expect((await controller.portal.request("POST", path, { headers, body })).status).toBe(200);
}

test("above it the plugin with the most memory, files or processes is stopped, and the others go on", async () => {
  await install("small", SLEEP);
  await install("processes", CHILDREN);
  await install("files", SLEEP, FILE_BYTES);
  await install("memory", MEMORY);
  // Together with those above, these exceed the sums.
  await install("smaller processes", "for at in 1 2 3; do sleep 600 & done; exec sleep 600");
  await install("smaller files", SLEEP, FILE_BYTES / 2);
  await install("smaller memory", MEMORY.replace("120e6", "40e6"));
  const reasons = new Map<string, string>();
  const failed = async () => {
    await controller.clock.advance(250);
    const { data } = (await controller.portal.get("/api/plugins")).json<{ data: readonly Plugin[] }>();
    for (const { name, state, reason } of data) if (state === "failed") reasons.set(name, reason);
    return [...reasons.keys()].sort();
  };
  await expect.poll(failed, WAIT).toEqual(["files", "memory", "processes"]);
  const sentence = (unit: string, max: number, setting: string) =>
    new RegExp(
      `^All plugins together have \\d+ ${unit}; they may have ${max} \\(${setting}\\), and this one has the most\\.$`,
    );
  expect(reasons.get("processes")).toMatch(sentence("processes", LIMITS.pluginsProcessesMax, "pluginsProcessesMax"));
  expect(reasons.get("files")).toMatch(sentence("MiB of files", 24, "pluginsDiskMaxMiB"));
  expect(reasons.get("memory")).toMatch(sentence("MiB of memory", 150, "pluginsMemoryMaxMiB"));
});
