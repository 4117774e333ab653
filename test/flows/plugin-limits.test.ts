/** R8: plugins that do what no plugin may are stopped with the reason, while the controller and another plugin go on. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { create } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const LIBRARY = resolve(import.meta.dirname, "../../node_modules/polyinterface-v3");
const WAIT = { timeout: 30_000, interval: 50 };
const LIMITS = {
  demo: true,
  pluginStartMs: 600_000,
  pluginCpuWindowMs: 3000,
  // On a busy machine a process that never rests gets a part of a processor only.
  pluginCpuMaxPercent: 10,
  pluginMemoryMaxMiB: 160,
  pluginMessageBytesMax: 100_000,
  pluginNodesMax: 50,
};
/** What each plugin does after it has connected. */
const DEEDS = {
  good: "",
  crashes: 'console.error("TypeError: no device"); process.exit(1);',
  computes: "for (;;) Math.random();",
  hoards: "globalThis.kept = Buffer.alloc(300e6, 1);",
  multiplies:
    'poly._sendMessage({ addnode: Array.from({ length: 200 }, (_, at) => ({ address: "n" + at, name: "N", nodeDefId: "N", primaryNode: "n" + at, drivers: [] })) }, "command");',
  shouts: 'poly._sendMessage({ set: [{ key: "k", value: "x".repeat(200e3) }] }, "custom");',
} as const;

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController(LIMITS);
  await controller.login();
}, 30_000);
afterAll(async () => {
  // One that is just being started again may not answer: its time to stop has to pass.
  const passing = setInterval(() => void controller.clock.advance(1000), 100);
  await controller[Symbol.asyncDispose]();
  clearInterval(passing);
}, 30_000);

async function archiveOf(deed: string): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), "domovoi-plugin-"));
  const program = `const { Interface } = require(${JSON.stringify(LIBRARY)});
const poly = new Interface([]);
poly.on("config", () => { ${deed} });
poly.start();
`;
  await writeFile(join(directory, "plugin.js"), program);
  await create({ gzip: true, cwd: directory, file: join(directory, "plugin.tgz") }, ["plugin.js"]);
  const bytes = await readFile(join(directory, "plugin.tgz"));
  await rm(directory, { recursive: true });
  return bytes;
}

type Plugin = { readonly name: string; readonly state: string; readonly reason: string };

async function plugins(): Promise<readonly Plugin[]> {
  await controller.clock.advance(250);
  return (await controller.portal.get("/api/plugins")).json<{ data: readonly Plugin[] }>().data;
}

test("each is stopped with the reason, and the others go on", async () => {
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  for (const [name, deed] of Object.entries(DEEDS)) {
    const body = await archiveOf(deed);
    expect((await controller.portal.request("POST", `/api/plugins?name=${name}`, { headers, body })).status).toBe(200);
  }
  const reasons = new Map<string, string>();
  const seen = async () => {
    for (const { name, state, reason } of await plugins()) {
      if (state === "failed" || state === "crashed") reasons.set(name, `${state}: ${reason}`);
    }
    return [...reasons.keys()].sort();
  };
  await expect.poll(seen, WAIT).toEqual(["computes", "crashes", "hoards", "multiplies", "shouts"]);
  expect(reasons.get("crashes")).toBe("crashed: The plugin ended with code 1: TypeError: no device");
  expect(reasons.get("computes")).toMatch(/^failed: The plugin used \d+ % of a processor for \d+ seconds/);
  expect(reasons.get("hoards")).toMatch(/^failed: The plugin took \d+ MiB of memory; it may have 160 /);
  expect(reasons.get("multiplies")).toBe("failed: The plugin adds more than 50 nodes (pluginNodesMax).");
  expect(reasons.get("shouts")).toMatch(/^failed: The plugin sent a message that is longer than 100000 bytes/);
  const good = (await plugins()).find(({ name }) => name === "good");
  expect(good).toMatchObject({ state: "running", reason: "" });
  expect((await controller.portal.get("/rest/nodes/ZW002_1/cmd/DON")).status).toBe(200);
}, 60_000);

test("the measured use of each is shown", async () => {
  const usage = async () => {
    await plugins();
    const { data } = (await controller.portal.get("/api/plugin/good")).json<{ data: { memoryMiB: number } }>();
    return data.memoryMiB;
  };
  await expect.poll(usage, WAIT).toBeGreaterThan(10);
});
