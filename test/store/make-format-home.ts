/**
 * Makes a fixture for formats.test.ts: the data directory of a used controller that was killed. Run it once for every
 * released format, with a checkout of the release: `node test/store/make-format-home.ts CHECKOUT FORMAT`.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { basicHeader } from "../simulation/clients.ts";
import { startService } from "../simulation/service-process.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";

const [checkout = "", format = ""] = process.argv.slice(2);
if (checkout === "" || !/^\d+$/.test(format)) throw new Error("Usage: make-format-home.ts CHECKOUT FORMAT");

/** The data that is compared after an upgrade. */
const DOCUMENTS = [
  "/api/nodes",
  "/api/groups",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/api/accounts",
  "/rest/networking/resources",
];

const WAITING = `Program 'Waits for an hour'
If
    Integer variable 'Tries' is 2
Then
    Integer variable 'Tries' += 10
    Wait 1 hour
    Integer variable 'Tries' += 100
`;
const REPEATING = `Program 'Repeats every two hours'
Comment 'First line.'
Comment 'Second & third line.'
Run at startup yes
If
    From sunset - 15 minutes to 23:30:15 (next day)
Then
    Repeat 3 times
        Set 'Hall Ceiling' 'On' 60%
        Wait 2 hours (random)
Else
    Set 'Hall Ceiling' 'Off'
`;

const data = join(tmpdir(), `domovoi-format-${format}-${process.pid}`);
const target = join(import.meta.dirname, "../fixtures/homes", `format-${format}`);
await run(edit, "SIGTERM");
const documents = await run(live, "SIGKILL");
rmSync(target, { recursive: true, force: true });
pack(data, join(target, "data"));
writeFileSync(join(target, "rows.json.gz"), compress(JSON.stringify(await readRows())));
writeFileSync(join(target, "documents.json.gz"), compress(JSON.stringify(documents)));
rmSync(data, { recursive: true });

async function run<R>(work: (client: HttpsClient) => Promise<R>, signal: NodeJS.Signals): Promise<R> {
  const command = join(checkout, "bin", "domovoi.js");
  const args = ["--demo", "--demo-radio", "--still", "--local-api"];
  const service = await startService(data, args, { command, node: join(checkout, "node_modules/.bin/node") });
  const client = createHttpsClient(() => service.localUrl, basicHeader);
  try {
    return await work(client);
  } finally {
    client.close();
    service.process.signal(signal);
    await service.process.ended;
  }
}

/** Every row of the state tables, by table and key, as the release itself reads it. */
async function readRows(): Promise<Record<string, Record<string, unknown>>> {
  const { readState } = await import(join(checkout, "src/store/database/read-tables.ts"));
  const copy = join(tmpdir(), `domovoi-format-${format}-${process.pid}-copy`);
  cpSync(data, copy, { recursive: true });
  const db = new DatabaseSync(join(copy, "domovoi.sqlite"));
  const tables = Object.entries(readState(db) as Record<string, Map<string, string>>);
  db.close();
  rmSync(copy, { recursive: true });
  return Object.fromEntries(
    tables.map(([table, rows]) => [
      table,
      Object.fromEntries([...rows].map(([key, body]) => [key, JSON.parse(body) as unknown])),
    ]),
  );
}

/** The first run. It ends in order, so a snapshot is taken. */
async function edit(client: HttpsClient): Promise<void> {
  const [, , , first, second] = (await idsOf(client, "node")) as [string, string, string, string, string];
  const [group] = (await idsOf(client, "group")) as [string];
  const [folder] = (await idsOf(client, "folder")) as [string];
  await post(client, `/api/nodes/${encodeURIComponent(first)}`, { name: "Lamp & “Ночь” 灯", nodeType: "node" });
  await post(client, `/api/nodes/${encodeURIComponent(group)}`, { name: "Renamed scene", nodeType: "group" });
  await post(client, `/api/nodes/${encodeURIComponent(folder)}`, { name: "Renamed folder", nodeType: "folder" });
  await get(client, `/rest/nodes/${encodeURIComponent(second)}/disable`);
  const tries = await addVariable(client, 1, { name: "Tries" });
  await post(client, `/api/variables/1/${tries}`, { init: 1 });
  await post(client, `/api/variables/1/${tries}`, { value: 2 });
  const level = await addVariable(client, 2, { name: "Level of water", prec: 2 });
  await post(client, `/api/variables/2/${level}`, { value: -1250 });
  for (const text of [WAITING, REPEATING]) await post(client, "/api/programs/text", { text });
  await post(client, "/api/accounts", {
    kind: "portal",
    login: "user@example.org",
    role: "user",
    password: "a test password",
  });
  await post(client, "/api/accounts", { kind: "local", login: "guest", role: "guest", password: "a test password" });
}

/** The second run. It is killed, so its last writes stand in the write-ahead log only. */
async function live(client: HttpsClient): Promise<Record<string, unknown>> {
  const nodes = (await idsOf(client, "node")).slice(0, 20);
  for (const command of ["DON", "DOF", "DON/128/100"])
    for (const address of nodes) await client.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${command}`);
  for (const { id, name } of await list<{ id: string; name: string }>(client, "/api/programs")) {
    if (name.startsWith("Waits") || name.startsWith("Repeats")) await get(client, `/rest/programs/${id}/runThen`);
  }
  const tries = (await list<{ name: string; val: number }>(client, "/api/variables/1")).find(
    ({ name }) => name === "Tries",
  );
  if (tries?.val !== 12) throw new Error(`The program has not run: ${JSON.stringify(tries)}`);
  await get(client, "/rest/networking/resources/1");
  return settled(client);
}

/** The documents once nothing moves any more. By then all reports are on disk too. */
async function settled(client: HttpsClient): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 15; tries += 1) {
    const before = await readAll(client);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const after = await readAll(client);
    if (JSON.stringify(before) === JSON.stringify(after)) return after;
  }
  throw new Error("The home still changes.");
}

async function readAll(client: HttpsClient): Promise<Record<string, unknown>> {
  const documents: Record<string, unknown> = {};
  for (const path of DOCUMENTS) {
    const { text } = await get(client, path);
    documents[path] = path.startsWith("/api") ? (JSON.parse(text) as { data: unknown }).data : text;
  }
  return documents;
}

async function idsOf(client: HttpsClient, kind: "node" | "group" | "folder"): Promise<readonly string[]> {
  const { nodes } = (await get(client, "/api/nodes")).json<{
    data: { nodes: Record<string, { address: string }[]> };
  }>().data;
  return (nodes[kind] ?? []).map(({ address }) => address);
}

async function list<T>(client: HttpsClient, path: string): Promise<readonly T[]> {
  return (await get(client, path)).json<{ data: T[] }>().data;
}

async function addVariable(client: HttpsClient, type: 1 | 2, body: object): Promise<string> {
  return accepted(await client.put(`/api/variables/${type}`, body)).json<{ data: { id: string } }>().data.id;
}

async function post(client: HttpsClient, path: string, body: object): Promise<void> {
  accepted(await client.post(path, body));
}

async function get(client: HttpsClient, path: string) {
  return accepted(await client.get(path));
}

function accepted<A extends { readonly status: number; readonly text: string }>(answer: A): A {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

/** A file each, compressed, so that a listing shows what a data directory of the format consists of. */
function pack(from: string, to: string): void {
  const files = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const path = join(to, parentPath.slice(from.length), `${name}.gz`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, compress(readFileSync(join(parentPath, name))));
  }
}

function compress(content: string | Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}
