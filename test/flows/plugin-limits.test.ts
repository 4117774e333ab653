/** R8: plugins that do what no plugin may are stopped with the reason, while the controller and another plugin go on. */

import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { create } from "tar";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const LIBRARY = resolve(import.meta.dirname, "../../node_modules/polyinterface-v3");
const WAIT = { timeout: 100_000, interval: 50 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 120_000 });
const LIMITS = {
  demo: true,
  pluginStartMs: 600_000,
  pluginCpuWindowMs: 3000,
  // On a busy machine a process that never rests gets a part of a processor only.
  pluginCpuMaxPercent: 10,
  pluginMemoryMaxMiB: 160,
  pluginMessageBytesMax: 100_000,
  pluginNodesMax: 50,
  pluginProcessesMax: 12,
  pluginOpenFilesMax: 200,
  pluginDiskMaxMiB: 48,
};
/** What each plugin does after it has connected. */
const DEEDS = {
  good: "",
  crashes: 'console.error("TypeError: no device"); process.exit(1);',
  computes: "for (;;) Math.random();",
  hoards: "globalThis.kept = Buffer.alloc(300e6, 1);",
  multiplies:
    'poly._sendMessage({ addnode: Array.from({ length: 200 }, (_, at) => ({ address: "n" + at, name: "N", nodeDefId: "N", primaryNode: "n" + at, drivers: [] })) }, "command");',
  // Each leaves the process group of the plugin, as services do that put themselves into the background.
  forks:
    'const { spawn } = require("node:child_process"); const options = { detached: true, stdio: "ignore" }; for (let at = 0; at < 20; at += 1) require("node:fs").appendFileSync("children", spawn("sleep", ["600"], options).pid + "\\n");',
  fills: 'for (let at = 0; at < 100; at += 1) require("node:fs").writeFileSync("file" + at, Buffer.alloc(1e6));',
  // With some to spare at the end, which its libraries need.
  opens:
    'process.on("uncaughtException", () => {}); const fs = require("node:fs"); const all = []; try { for (;;) all.push(fs.openSync(__filename)); } catch { for (const each of all.splice(0, 20)) fs.closeSync(each); }',
  prints: 'const text = "x".repeat(200e3); setInterval(() => process.stdout.write(text), 50);',
  stays: 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);',
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

type Plugin = {
  readonly name: string;
  readonly state: string;
  readonly reason: string;
  readonly pid: number | null;
  readonly home: string;
  readonly openFiles: number | null;
};

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
      // One whose files are refused may need another one for itself, and crash.
      if (name !== "opens" && (state === "failed" || state === "crashed")) reasons.set(name, `${state}: ${reason}`);
    }
    return [...reasons.keys()].sort();
  };
  await expect.poll(seen, WAIT).toEqual(["computes", "crashes", "fills", "forks", "hoards", "multiplies", "shouts"]);
  expect(reasons.get("crashes")).toBe("crashed: The plugin ended with code 1: TypeError: no device");
  expect(reasons.get("computes")).toMatch(/^failed: The plugin used \d+ % of a processor for \d+ seconds/);
  expect(reasons.get("hoards")).toMatch(/^failed: The plugin took \d+ MiB of memory; it may have 160 /);
  expect(reasons.get("multiplies")).toBe("failed: The plugin adds more than 50 nodes (pluginNodesMax).");
  expect(reasons.get("shouts")).toMatch(/^failed: The plugin sent a message that is longer than 100000 bytes/);
  expect(reasons.get("forks")).toMatch(
    /^failed: The plugin has \d\d processes; it may have 12 \(pluginProcessesMax\)\.$/,
  );
  expect(reasons.get("fills")).toMatch(
    /^failed: The plugin's files take \d+ MiB; they may take 48 \(pluginDiskMaxMiB\)\. Delete some in \S+, or raise the limit\.$/,
  );
  const good = (await plugins()).find(({ name }) => name === "good");
  expect(good).toMatchObject({ state: "running", reason: "" });
  expect((await controller.portal.get("/rest/nodes/ZW002_1/cmd/DON")).status).toBe(200);
});

async function one(name: string): Promise<Plugin | undefined> {
  return (await plugins()).find((each) => each.name === name);
}

test("one that is stopped at a limit shows the reason until it is started again", async () => {
  // A restart by its owner does not wait for the end of a pause.
  await controller.portal.post("/api/plugin/shouts/restart");
  await expect.poll(async () => (await one("shouts"))?.state, WAIT).toBe("failed");
  // The registry tries to start it within the pause of a minute.
  for (let seconds = 0; seconds < 20; seconds += 1) await controller.clock.advance(1000);
  const shown = async () => (await controller.portal.get("/api/plugin/shouts")).json<{ data: Plugin }>().data;
  await expect.poll(shown, WAIT).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("longer than 100000"),
  });
});

test("its child processes end with it, also those that left its process group", async () => {
  const { home = "" } = (await one("forks")) ?? {};
  const children = (await readFile(join(home, "children"), "utf8")).split("\n").filter(Boolean);
  expect(children.length).toBeGreaterThan(10);
  await expect.poll(() => processesIn(home), WAIT).toEqual([]);
});

/** In a sandbox a plugin numbers its processes in its own way, so they are found by their working directory. */
function processesIn(directory: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false; // It has ended.
    }
  });
}

test("one that opens files without end is refused more, and of what another prints the end is stored", async () => {
  const openFiles = async () => {
    const { state, reason, openFiles: count } = (await one("opens")) ?? {};
    // Without files its libraries may fail, and a busy machine counts its start as computing.
    if (state === "failed" || state === "crashed") await controller.portal.post("/api/plugin/opens/restart");
    return count ?? `${state}: ${reason}`;
  };
  await expect.poll(openFiles, WAIT).toSatisfy((count) => typeof count === "number" && count > 150);
  expect(await openFiles()).toBeLessThanOrEqual(200);
  const log = async () => (await controller.portal.get("/api/plugin/prints/log")).text;
  await expect.poll(log, WAIT).toContain("xxxx");
  expect((await log()).length).toBeLessThan(200_000);
});

test("one that ignores its signal is stopped", async () => {
  await expect.poll(async () => (await one("stays"))?.state, WAIT).toBe("running");
  const { pid } = (await one("stays")) ?? {};
  const stopped = controller.portal.post("/api/plugin/stays/stop");
  await expect
    .poll(async () => {
      await controller.clock.advance(1000);
      return existsSync(`/proc/${pid}`);
    }, WAIT)
    .toBe(false);
  expect((await stopped).json()).toMatchObject({ data: { state: "stopped" } });
});

test("the measured use of each is shown", async () => {
  const usage = async () => {
    await plugins();
    const { data } = (await controller.portal.get("/api/plugin/good")).json<{ data: { memoryMiB: number } }>();
    return data.memoryMiB;
  };
  await expect.poll(usage, WAIT).toBeGreaterThan(10);
});

test("one that leaves the broker and does not return has failed", async () => {
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  const body = await archiveOf(
    "poly._mqttClient.removeAllListeners('error').on('error', () => {}); poly._mqttClient.end(true); setInterval(() => {}, 1000);",
  );
  await controller.portal.request("POST", "/api/plugins?name=leaves", { headers, body });
  const reason = async () => (await one("leaves"))?.reason;
  await expect.poll(reason, WAIT).toBe("The plugin has lost its connection.");
  await controller.clock.advance(LIMITS.pluginStartMs - 5000);
  await expect.poll(reason, WAIT).toBe("It lost its connection and did not connect again within 600 seconds.");
});
