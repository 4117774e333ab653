/**
 * Programs by room and role over `kill -9` and a takeover: a "for" that is pending at the end comes due once, as if nothing had
 * happened, and a command to a room reaches every lamp of it, at most once more for an end in its midst.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { seededRandomness } from "../../src/util/randomness.ts";
import { postgres, stopPostgres } from "../store/engines.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { PROGRAM_KILLS, SEED } from "./effort.ts";
import { CREDENTIALS, DomovoiProcess, serveArguments, untilReady } from "./service-process.ts";

const LASTING_MS = 2000;
const SETTLE_MS = 400;
const ROUND_MS_MAX = 40_000;
const SOURCES = join(import.meta.dirname, "../../src/cli/domovoi.ts");
const WITNESS = pathToFileURL(join(import.meta.dirname, "program-kills/witness.ts")).href;
const ROOM = "Bedroom";
const LAMPS = ["dimmer", "color-lamp", "white-lamp", "switch"];
const PROGRAM = `Program 'Evening'

If
    Status of any lamp in 'Kitchen' is On for ${LASTING_MS / 1000} seconds

Then
    Integer variable 'Runs' += 1
    Set all lamps in '${ROOM}' On 40%
`;

type Machines = { readonly folders: readonly string[]; readonly settings: Record<string, unknown> };
type Tree = {
  readonly nodes: {
    readonly node: readonly {
      readonly address: string;
      readonly role: string;
      readonly parent?: { readonly _: string };
    }[];
    readonly folder: readonly { readonly address: string; readonly name: string }[];
  };
};

stopPostgres();

test(
  `a "for" that is pending at kill -9 comes due once, and the room gets its command, ${PROGRAM_KILLS} times`,
  () => endInTheMidst({ folders: [temporaryDirectory()], settings: {} }),
  ROUND_MS_MAX * PROGRAM_KILLS,
);

test(
  `another machine takes over with a "for" pending, ${PROGRAM_KILLS} times: it comes due once`,
  async () => {
    const settings = { storeUrl: await (await postgres()).database(), leaseMs: 500 };
    await endInTheMidst({ folders: [temporaryDirectory(), temporaryDirectory()], settings });
  },
  ROUND_MS_MAX * PROGRAM_KILLS,
);

async function endInTheMidst({ folders, settings }: Machines): Promise<void> {
  const witness = join(folders[0] ?? "", "witness.txt");
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "settings.json"),
      JSON.stringify({ traceRecordsMax: 10_000, reportFlushMs: 10, ...settings }),
    );
  }
  writeFileSync(witness, "");
  const randomness = seededRandomness(SEED);
  let lives = 0;
  const start = () => {
    const folder = folders[lives++ % folders.length] ?? "";
    const env = { ...CREDENTIALS, NODE_OPTIONS: `--import=${WITNESS}`, DOMOVOI_WITNESS: witness };
    const args = ["--demo", "--still", "--local-api", "--config", join(folder, "settings.json")];
    return new DomovoiProcess(serveArguments(folder, args), { env, command: SOURCES });
  };
  let service = start();
  let client = await clientOf(service);
  const { trigger, members, variable } = await furnish(client);
  for (let round = 1; round <= PROGRAM_KILLS; round += 1) {
    await command(client, trigger, "DOF");
    await expect.poll(() => levelOf(client, trigger), { timeout: 10_000 }).toBe(0);
    const seenBefore = toldTo(witness, members);
    await command(client, trigger, "DON");
    await expect.poll(() => levelOf(client, trigger), { timeout: 10_000 }).toBe(100);
    // A report may wait for the disk for as long as `reportFlushMs`, and a kill takes it back with all that it began.
    await pause(SETTLE_MS + randomness.next() * LASTING_MS);
    client.close();
    await service.kill();
    service = start();
    client = await clientOf(service);
    await expect.poll(() => runsIn(client, variable), { timeout: 30_000 }).toBe(round);
    const isDone = () => toldTo(witness, members).every((count, at) => count > (seenBefore[at] ?? 0));
    await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
    await pause(300);
    expect(await runsIn(client, variable)).toBe(round);
    const told = toldTo(witness, members).map((count, at) => count - (seenBefore[at] ?? 0));
    expect(Math.max(...told)).toBeLessThanOrEqual(2);
  }
  client.close();
  service.signal("SIGTERM");
  const { stderr } = await service.ended;
  expect(stderr.split("\n").filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

/** Only one lamp of the kitchen is on at a time, and nothing else counts or touches the other room. */
async function furnish(client: HttpsClient) {
  for (const { id } of await dataOf<readonly { readonly id: string }[]>(client, "/api/programs"))
    await client.post(`/api/programs/${id}`, { enabled: false });
  const variable = await client.put("/api/variables/1", { name: "Runs" });
  const made = await client.post("/api/programs/text", { text: PROGRAM });
  expect([made.status, made.text]).toEqual([200, expect.stringContaining('"successful":true')]);
  const { node: nodes, folder: folders } = (await dataOf<Tree>(client, "/api/nodes")).nodes;
  const lampsIn = (name: string) => {
    const room = folders.find((each) => each.name === name)?.address;
    const lamps = nodes.filter(({ role, parent }) => parent?._ === room && LAMPS.includes(role));
    return lamps.map(({ address }) => address);
  };
  const [trigger = "", ...others] = lampsIn("Kitchen");
  for (const each of others) await command(client, each, "DOF");
  return { trigger, members: lampsIn(ROOM), variable: Number(variable.json<{ data: { id: string } }>().data.id) };
}

async function clientOf(service: DomovoiProcess): Promise<HttpsClient> {
  const { localUrl } = await untilReady(service);
  return createHttpsClient(() => localUrl, basicHeader);
}

async function command(client: HttpsClient, address: string, id: string): Promise<void> {
  const { status } = await client.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${id}`);
  expect(status).toBe(200);
}

async function levelOf(client: HttpsClient, address: string): Promise<number> {
  const text = (await client.get(`/rest/nodes/${encodeURIComponent(address)}/ST`)).text;
  return /formatted="Off"|formatted="0%"/.test(text) ? 0 : 100;
}

async function runsIn(client: HttpsClient, id: number): Promise<number> {
  const all = await dataOf<readonly { readonly id: string | number; readonly val: number }[]>(
    client,
    "/api/variables/1",
  );
  return Number(all.find((each) => Number(each.id) === id)?.val);
}

async function dataOf<T>(client: HttpsClient, path: string): Promise<T> {
  return (await client.get(path)).json<{ data: T }>().data;
}

/** How often each of the nodes was told to turn on. */
function toldTo(witness: string, addresses: readonly string[]): readonly number[] {
  const lines = readFileSync(witness, "utf8").split("\n");
  return addresses.map((address) => lines.filter((line) => line.startsWith(`${address}\tDON`)).length);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
