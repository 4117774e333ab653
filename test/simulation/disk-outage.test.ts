/**
 * A service whose disk fails: devices can still be controlled, the log says so, nothing is acknowledged that is not
 * on disk, and the service recovers.
 */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { type Fault, FaultyDisk, hasFaultyDisk } from "../support/disk/faulty-disk.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { CREDENTIALS, type Service, startService } from "./service-process.ts";

const ARGS = ["--demo", "--still", "--local-api"];
const LAMP = "1A%202B%203C%201";
const ALARM_WITHIN_MS = 5000;
/** The longest pause between two tries to write is five seconds. */
/** Longer than the pause before the samples of a write are written. */
const SAMPLES_MS = 1500;
const RECOVERS_WITHIN_MS = 15_000;

type Running = { readonly service: Service; readonly client: HttpsClient };

async function start(data: string, disk: FaultyDisk): Promise<Running> {
  const service = await startService(data, ARGS, { env: { ...CREDENTIALS, ...disk.environment } });
  const client = createHttpsClient(() => service.localUrl, basicHeader);
  onTestFinished(async () => {
    client.close();
    await service.process.kill();
  });
  return { service, client };
}

const put = (client: HttpsClient, value: number) => client.post("/api/variables/1/1", { value });
const storedValue = async (client: HttpsClient) =>
  (await client.get("/api/variables/1/")).json<{ data: { id: string; val: number }[] }>().data[0]?.val;

async function lampIs(client: HttpsClient, command: "DON" | "DOF"): Promise<boolean> {
  const answer = await client.get(`/rest/nodes/${LAMP}/cmd/${command}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const wanted = command === "DON" ? 'value="255"' : 'value="0"';
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await client.get(`/rest/status/${LAMP}`)).text.includes(wanted)) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

async function untilAlarm({ process }: Service, level: RegExp): Promise<number> {
  const fromMs = performance.now();
  await process.until(() => level.test(process.stderr));
  return performance.now() - fromMs;
}

async function untilWritable(client: HttpsClient, value: number): Promise<void> {
  const deadlineMs = performance.now() + RECOVERS_WITHIN_MS;
  for (;;) {
    const { status } = await put(client, value);
    if (status === 200) return;
    if (performance.now() > deadlineMs) throw new Error(`Still refused with ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const REFUSING = ["full", "read-only", "sync fails"] as const satisfies readonly Fault[];

describe.skipIf(!hasFaultyDisk)("a disk", { timeout: 90_000 }, () => {
  test.each(REFUSING)("that starts to fail (%s) stops neither control nor reading", async (fault) => {
    const data = temporaryDirectory();
    const disk = new FaultyDisk(data);
    const { service, client } = await start(data, disk);
    expect((await put(client, 1)).status).toBe(200);
    disk.set(fault);
    const alarm = untilAlarm(service, /"level":"error"/);
    const statuses = new Set<number>();
    let acknowledged = 1;
    for (let value = 2; statuses.size === 0 || !statuses.has(503); value += 1) {
      const { status } = await put(client, value);
      statuses.add(status);
      if (status === 200) acknowledged = value;
    }
    expect(await alarm).toBeLessThan(ALARM_WITHIN_MS);
    expect(await lampIs(client, "DON")).toBe(true);
    expect(await lampIs(client, "DOF")).toBe(true);
    await service.process.kill();
    disk.cutPower();
    disk.set("none");
    const again = await start(data, disk);
    expect(await storedValue(again.client)).toBeGreaterThanOrEqual(acknowledged);
  });

  test.each(REFUSING)("that failed (%s) and works again is used again without a restart", async (fault) => {
    const data = temporaryDirectory();
    const disk = new FaultyDisk(data);
    const { service, client } = await start(data, disk);
    disk.set(fault);
    for (let value = 1; (await put(client, value)).status !== 503; value += 1);
    disk.set("none");
    await untilWritable(client, 77);
    await service.process.until(() => service.process.stderr.includes("The disk accepts writes again."));
    await service.process.kill();
    disk.cutPower();
    const again = await start(data, disk);
    expect(await storedValue(again.client)).toBe(77);
  });

  test("that stalls for five seconds delays writes and nothing else, and the log names it meanwhile", async () => {
    const data = temporaryDirectory();
    const disk = new FaultyDisk(data);
    const { service, client } = await start(data, disk);
    disk.set("stalls");
    const alarm = untilAlarm(service, /"level":"warn"/);
    const write = put(client, 5);
    expect(await lampIs(client, "DON")).toBe(true);
    expect(await alarm).toBeLessThan(ALARM_WITHIN_MS);
    expect(await Promise.race([write.then(() => "answered"), lampIs(client, "DOF").then(() => "still waits")])).toBe(
      "still waits",
    );
    disk.set("none");
    expect((await write).status).toBe(200);
  });

  test.each(["full", "read-only"] as const)(
    "that fails at the start (%s): reads, commands and logins work",
    async (fault) => {
      const data = temporaryDirectory();
      const disk = new FaultyDisk(data);
      const first = await start(data, disk);
      expect((await put(first.client, 41)).status).toBe(200);
      await first.service.process.kill();
      disk.set(fault);
      const { service, client } = await start(data, disk);
      await untilAlarm(service, /"level":"error"/);
      expect(await storedValue(client)).toBe(41);
      expect(await lampIs(client, "DON")).toBe(true);
      expect((await put(client, 42)).status).toBe(503);
      const portal = createHttpsClient(
        () => service.portalUrl,
        () => ({}),
      );
      onTestFinished(() => portal.close());
      const login = await portal.post("/api/login", OWNER);
      expect(login.status).toBe(200);
      const { accessToken } = login.json<{ data: { accessToken: string } }>().data;
      const headers = { Authorization: `Bearer ${accessToken}` };
      expect((await portal.request("GET", "/api/nodes", { headers })).status).toBe(200);
      disk.set("none");
      await untilWritable(client, 43);
      await service.process.kill();
      const again = await start(data, disk);
      expect(await storedValue(again.client)).toBe(43);
    },
  );

  test("that becomes full costs the reserve, once, and the service continues, also over a start", async () => {
    const data = temporaryDirectory();
    const disk = new FaultyDisk(data);
    const reserve = join(data, "domovoi.reserve");
    const first = await start(data, disk);
    writeFileSync(reserve, "space");
    await untilWritable(first.client, 50);
    disk.set("full until a file is removed");
    // The samples of that write are written a second later, and are the first to find the disk full.
    await new Promise((resolve) => setTimeout(resolve, SAMPLES_MS));
    await untilWritable(first.client, 51);
    expect(existsSync(reserve)).toBe(false);
    await first.service.process.until(() => first.service.process.stderr.includes("gave up its reserve"));
    await first.service.process.kill();
    writeFileSync(reserve, "space");
    disk.set("full until a file is removed");
    const second = await start(data, disk);
    expect(existsSync(reserve)).toBe(false);
    expect(await storedValue(second.client)).toBe(51);
    await untilWritable(second.client, 52);
  });
});
