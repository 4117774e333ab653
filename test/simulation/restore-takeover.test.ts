import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandomness } from "../../src/util/randomness.ts";
import { postgres, stopPostgres } from "../store/engines.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { RESTORE_KILLS, SEED } from "./effort.ts";
import { DomovoiProcess, runDomovoi, serveArguments, startService } from "./service-process.ts";

/** From the start of the process to the end of what it does with a restored home of this size, and a little more. */
const STARTING_MS_MAX = 1200;
const BEFORE = 11;
const SINCE = 22;

stopPostgres();

test(`${RESTORE_KILLS} restores that are killed while another machine takes over leave the old home or the whole restored one, and the next start completes them`, {
  timeout: 30_000 + 20_000 * RESTORE_KILLS,
}, async () => {
  const randomness = seededRandomness(SEED);
  const settings = join(temporaryDirectory(), "settings.json");
  writeFileSync(settings, JSON.stringify({ storeUrl: await (await postgres()).database(), leaseMs: 500 }));
  const args = ["--demo", "--still", "--config", settings];
  const [first, other] = [temporaryDirectory(), temporaryDirectory()];
  await lifeOf(first, (client) => set(client, BEFORE));
  const backup = join(temporaryDirectory(), "home.tar.gz");
  expect(await runDomovoi(["backup", "--data", first, backup])).toMatchObject({ code: 0 });
  const seen = new Set<string>();

  for (let round = 0; round < RESTORE_KILLS; round += 1) {
    await lifeOf(first, (client) => set(client, SINCE));
    expect(await runDomovoi(["restore", backup, "--data", first, "--replace"])).toMatchObject({ code: 0 });
    await using killed = new DomovoiProcess(serveArguments(first, args));
    await new Promise((resolve) => setTimeout(resolve, randomness.next() * STARTING_MS_MAX));
    await killed.kill();
    seen.add(await takeOver());
    // Whatever the other machine saw: who restored gets what was restored.
    expect(await lifeOf(first, variableOf)).toBe(BEFORE);
    expect(await lifeOf(other, variableOf)).toBe(BEFORE);
  }
  console.info(`${RESTORE_KILLS} restores (seed ${SEED}): the other machine found ${[...seen].sort().join(", ")}`);

  /** What the other machine serves, or that it refuses a database whose home is not whole. */
  async function takeOver(): Promise<"the old home" | "the restored home" | "none yet"> {
    await using process = new DomovoiProcess(serveArguments(other, args));
    await process.until(() => process.stdout.includes("ready ") || !process.isRunning).catch(() => {});
    if (!process.isRunning) {
      expect((await process.ended).stderr).toContain("start that machine again");
      return "none yet";
    }
    const [, , localUrl = ""] = process.stdout.trim().split(" ");
    const client = createHttpsClient(() => localUrl, basicHeader);
    const value = await variableOf(client);
    client.close();
    process.signal("SIGTERM");
    await process.ended;
    expect([BEFORE, SINCE]).toContain(value);
    return value === BEFORE ? "the restored home" : "the old home";
  }

  async function lifeOf<T>(dir: string, act: (client: Client) => Promise<T>): Promise<T> {
    const { process, localUrl } = await startService(dir, args);
    await using _ending = process;
    const client = createHttpsClient(() => localUrl, basicHeader);
    const result = await act(client);
    client.close();
    process.signal("SIGTERM");
    await process.ended;
    return result;
  }
});

type Client = ReturnType<typeof createHttpsClient>;

async function set(client: Client, value: number): Promise<void> {
  expect((await client.get(`/rest/vars/set/2/1/${value}`)).status).toBe(200);
}

async function variableOf(client: Client): Promise<number> {
  return Number(/<val>(\d+)<\/val>/.exec((await client.get("/rest/vars/get/2/1")).text)?.[1]);
}
