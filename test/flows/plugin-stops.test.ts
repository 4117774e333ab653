/** Plugins that restart themselves while an owner stops or removes them. */

import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });
/** It stays connected after the stop message, so that each stop waits for the clock. */
const STAYS = `
poly.removeAllListeners("stop");
poly.on("discover", () => poly._sendMessage({ restart: {} }, "system"));
`;
type Plugin = { readonly state: string; readonly home: string; readonly pid: number | null };

let controller: TestController;

beforeAll(async () => {
  // The virtual clock runs ahead of the processes of plugins.
  controller = await startTestController({ demo: false, pluginStartMs: 600_000 });
  await controller.login();
  await install("Other");
}, 30_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

async function install(name: string, more = ""): Promise<void> {
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  const body = await lampArchive({}, more);
  await controller.portal.request("POST", `/api/plugins?name=${name}`, { headers, body });
}

async function plugin(name: string): Promise<Plugin> {
  return (await controller.portal.get(`/api/plugin/${name}`)).json<{ data: Plugin }>().data;
}

/** Ids of the processes that run in the directory. */
function processesIn(directory: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false;
    }
  });
}

test.each(["stop", "remove"])(
  "one that restarts itself does not run after a %s",
  async (verb) => {
    const name = `Restless-${verb}`;
    const state = async (of = name) => (await plugin(of)).state;
    await install(name, STAYS);
    await expect.poll(() => state(), WAIT).toBe("running");
    const { home } = await plugin(name);
    await controller.portal.post(`/api/plugin/${name}/discover`);
    await expect.poll(() => state(), WAIT).toBe("stopped");
    const { portal } = controller;
    const path = `/api/plugin/${name}`;
    const passing = setInterval(() => void controller.clock.advance(1000), 50);
    const answer = await (verb === "stop" ? portal.post(`${path}/stop`) : portal.delete(path));
    expect(answer.status).toBe(200);
    // The system takes a moment to end what was killed.
    await expect.poll(() => processesIn(home), WAIT).toEqual([]);
    expect(existsSync(home)).toBe(verb === "stop");
    // Meanwhile the restart would have started its process.
    await portal.post("/api/plugin/Other/restart");
    await expect.poll(() => state("Other"), WAIT).toBe("running");
    clearInterval(passing);
    expect(processesIn(home)).toEqual([]);
    expect(existsSync(home)).toBe(verb === "stop");
  },
  60_000,
);
