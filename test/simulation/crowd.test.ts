import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/test-store.ts";
import { Crowd, type CrowdClient, residentMegabytes } from "./crowd.ts";
import { FOLLOWERS, RETURNING, RING_FRAMES } from "./effort.ts";
import { type Service, startService } from "./service-process.ts";

const STALLED = Math.ceil(FOLLOWERS / 10);
/** Ten stalled clients hold 10 to 20 MB of a service with its default limits; the rest is what lies around uncollected. */
const MEMORY_MEGABYTES_MAX = 80;
const LAMP = "1A 2B 3C 1";
/** Renames between two looks, and so many of them at most: enough for every buffer between two processes, and the ring. */
const SHOUTS = 250;
const ROUNDS_MAX = 40 + RING_FRAMES / SHOUTS;

const inStep = (clients: readonly CrowdClient[], value: number) =>
  Promise.all(clients.map((client) => client.until(() => client.isReplayed && client.counted === value)));
const disorder = (clients: readonly CrowdClient[]) => clients.flatMap((client) => client.disorder);

test(
  `of ${FOLLOWERS} clients of a stream ${STALLED} stall: they alone are disconnected, the others get everything in order, memory stays bounded`,
  async () => {
    const service = await startService(temporaryDirectory(), serveCrowds());
    await using process = service.process;
    const crowd = await Crowd.before(service);
    await crowd.count(-1, 0);
    const clients = await crowd.come(FOLLOWERS);
    // The service allocates the buffers for lagging clients in any case.
    await crowd.shout(LAMP, Math.max(2 * SHOUTS, RING_FRAMES));
    await crowd.count(0, 20);
    await inStep(clients, 20);
    const before = residentMegabytes(process.pid) ?? 0;
    let most = before;

    const [stalled, lively] = [clients.slice(0, STALLED), clients.slice(STALLED)];
    for (const client of stalled) client.stall();
    let counted = 20;
    for (let round = 0; round < ROUNDS_MAX && (await crowd.followers()) > lively.length; round += 1) {
      await Promise.all([crowd.shout(LAMP, SHOUTS), crowd.count(counted, counted + 10)]);
      counted += 10;
      most = Math.max(most, residentMegabytes(process.pid) ?? 0);
    }
    await inStep(lively, counted);
    expect(await crowd.followers()).toBe(lively.length);
    expect(disorder(clients)).toEqual([]);
    for (const client of stalled) client.wakeUp();
    await Promise.all(stalled.map(({ closed }) => closed));
    expect(most - before).toBeLessThan(MEMORY_MEGABYTES_MAX);

    const again = await crowd.come(STALLED);
    await inStep(again, counted);
    console.info(
      `${STALLED} of ${FOLLOWERS} cut after ${((counted - 20) / 10) * SHOUTS} renames; memory + ${Math.round(most - before)} MB`,
    );
    leave(crowd, [...lively, ...again]);
  },
  120_000 + 20 * RING_FRAMES,
);

test(`${RETURNING} clients that reconnect at once, to a running home and after a kill, are all up to date and none is refused`, async () => {
  const data = temporaryDirectory();
  const first = await startService(data, serveCrowds());
  await using _first = first.process;
  const crowd = await Crowd.before(first);
  await crowd.count(-1, 0);
  const clients = await crowd.come(RETURNING);
  await crowd.count(0, 10);
  await inStep(clients, 10);

  for (const client of clients) client.leave();
  const living = await returnAtOnce(crowd, 10);
  await first.process.kill();
  await Promise.all(living.map(({ closed }) => closed));
  crowd.close();

  const second = await startService(data, [...serveCrowds(), ...portsOf(first)]);
  await using _second = second.process;
  const anew = await Crowd.before(second);
  const back = await returnAtOnce(anew, 60);
  leave(anew, back);
}, 120_000);

/** Everyone subscribes and loads the documents while the variable is counted up by fifty. */
async function returnAtOnce(crowd: Crowd, counted: number): Promise<readonly CrowdClient[]> {
  const beginMs = performance.now();
  const counting = crowd.count(counted, counted + 50);
  const [clients, statuses] = await Promise.all([crowd.come(RETURNING), loadDocuments(crowd)]);
  await counting;
  await inStep(clients, counted + 50);
  console.info(`${RETURNING} followers are back and in step in ${Math.round(performance.now() - beginMs)} ms`);
  expect(disorder(clients)).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await crowd.followers()).toBe(RETURNING);
  return clients;
}

function loadDocuments({ local, portal }: Crowd): Promise<readonly number[]> {
  const documents = Array.from({ length: RETURNING }, (_, index) =>
    index % 2 === 0
      ? [local.get("/rest/nodes"), local.get("/rest/status")]
      : [portal.get("/api/nodes"), portal.get("/api/programs")],
  );
  return Promise.all(documents.flat().map(async (answer) => (await answer).status));
}

function leave(crowd: Crowd, clients: readonly CrowdClient[]): void {
  for (const client of clients) client.leave();
  crowd.close();
}

function serveCrowds(): readonly string[] {
  const file = join(temporaryDirectory(), "settings.json");
  writeFileSync(file, JSON.stringify({ streamRingFrames: RING_FRAMES }));
  return ["--demo", "--still", "--config", file];
}

function portsOf({ portalUrl, localUrl }: Service): readonly string[] {
  return ["--portal-port", new URL(portalUrl).port, "--local-port", new URL(localUrl).port];
}
