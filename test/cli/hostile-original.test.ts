/** `domovoi twin` of a controller that means no good: answers without end, packed bombs, redirects, names that steer a terminal. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ACCOUNT, json, ScriptedServer, text } from "../client/support/scripted-server.ts";
import { NODES, PROGRAMS } from "../client/support/small-home.ts";
import { basicHeader } from "../simulation/clients.ts";
import { residentMegabytes } from "../simulation/crowd.ts";
import { CREDENTIALS, DomovoiProcess } from "../simulation/service-process.ts";
import { createHttpsClient } from "../support/https-client.ts";

/** Memory limit of the process that reads; a plain run needs about 100. */
const MEMORY_MB_MAX = 500;
const MEBIBYTE = 1024 * 1024;
/** Everything a terminal would carry out, but line ends. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const READY = /^ready (\S+) (\S+)/m;

const directory = mkdtempSync(join(tmpdir(), "domovoi-original-"));
let server: ScriptedServer;
let env: Readonly<Record<string, string>>;
let count = 0;

beforeAll(async () => {
  server = await ScriptedServer.start();
  env = {
    ...CREDENTIALS,
    DOMOVOI_URL: server.url,
    DOMOVOI_USER: ACCOUNT.user,
    DOMOVOI_PASSWORD: ACCOUNT.password,
    DOMOVOI_CONTROLLERS: join(directory, "controllers.json"),
  };
});
beforeEach(() => {
  server.forget();
  server.nowMs = Date.now;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

const newData = () => {
  count += 1;
  return join(directory, `twin-${count}`);
};

/** Runs to the end. @returns the largest memory of the process */
async function twin(settings: object = {}) {
  const data = newData();
  const config = `${data}.json`;
  writeFileSync(config, JSON.stringify(settings));
  await using child = new DomovoiProcess(["twin", "--data", data, "--config", config], { env });
  let peakMb = 0;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, residentMegabytes(child.pid) ?? 0)), 20);
  const { code, stdout, stderr } = await child.ended;
  clearInterval(timer);
  return { code, stdout, last: stderr.trimEnd().split("\n").at(-1) ?? "", stderr, peakMb, isMade: existsSync(data) };
}

/** As fast as it is taken. */
function pour(response: ServerResponse, into: NodeJS.WritableStream = response): null {
  const piece = Buffer.alloc(MEBIBYTE, " ");
  const more = () => {
    while (!response.destroyed && into.write(piece));
    into.once("drain", more);
  };
  response.on("error", () => {});
  more();
  return null;
}

const [NODE] = NODES.nodes.node;
const nodes = (list: readonly object[]) => json({ nodes: { ...NODES.nodes, node: list } });

test.each([
  ["without end", (response: ServerResponse) => pour(response.writeHead(200))],
  [
    "documents that decompress without end",
    (response: ServerResponse) => {
      const packed = createGzip();
      packed.pipe(response.writeHead(200, { "Content-Encoding": "gzip" }));
      return pour(response, packed);
    },
  ],
])("an answer %s is given up at its limit, with bounded memory", { timeout: 60_000 }, async (_how, answer) => {
  server.on("GET /api/nodes", (_seen, response) => answer(response));
  const { code, last, peakMb, isMade } = await twin();
  expect([code, last]).toEqual([
    4,
    expect.stringContaining("/api/nodes was not answered: The answer is larger than 64 MiB"),
  ]);
  expect(peakMb).toBeLessThan(MEMORY_MB_MAX);
  expect(isMade).toBe(false);
});

test("an answer that comes byte by byte is given up at the deadline", async () => {
  const timers: NodeJS.Timeout[] = [];
  server.on("GET /api/nodes", (_seen, response) => {
    response.writeHead(200);
    timers.push(setInterval(() => response.write(" "), 20));
    response.on("close", () => timers.forEach(clearInterval));
    return null;
  });
  const { code, last, isMade } = await twin({ twinAnswerMs: 500 });
  expect([code, last, isMade]).toEqual([
    4,
    `domovoi: The controller at ${server.url} cannot be read: /api/nodes was not answered within 500 ms.`,
    false,
  ]);
});

test("documents that are large together are given up at the sum", async () => {
  server.on("GET /rest/networking/resources", text("x".repeat(MEBIBYTE)));
  const { code, last } = await twin({ twinCharsMax: MEBIBYTE });
  expect([code, last]).toEqual([
    1,
    "domovoi: The documents of the controller are longer than twinCharsMax allows (1048576 characters).",
  ]);
});

test.each([
  [
    "nodesMax",
    "3 nodes",
    "GET /api/nodes",
    nodes([1, 2, 3].map((n) => ({ ...NODE, address: `n001_${n}`, pnode: `n001_${n}` }))),
  ],
  [
    "programsMax",
    "6 programs",
    "GET /api/programs",
    json([...PROGRAMS, ...[1, 2, 3].map((n) => ({ ...PROGRAMS.at(-1), id: `00F${n}` }))]),
  ],
])("a home beyond %s is refused, and nothing is made", async (setting, what, path, answer) => {
  server.on(path, answer);
  const { code, last, isMade } = await twin({ [setting]: 2 });
  expect([code, last, isMade]).toEqual([1, expect.stringContaining(what), false]);
  expect(last).toContain(`${setting} allows 2`);
});

test.each([
  ["deep JSON", text(`{"successful":true,"data":{"nodes":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`)],
  ["JSON that breaks off", text('{"successful":true,"data":{"nodes":')],
  ["a page with a control sequence", text("<html>\u001b[31mhello</html>")],
])("%s is refused in one sentence", async (_what, answer) => {
  server.on("GET /api/nodes", answer);
  const { code, last, stderr, isMade } = await twin();
  expect([code, last, isMade]).toEqual([
    1,
    expect.stringMatching(/^domovoi: The document \/api\/nodes cannot be read: .+\.$/),
    false,
  ]);
  expect(stderr).not.toMatch(STEERING);
});

test("a redirection is not followed", async () => {
  await using elsewhere = await ScriptedServer.start();
  server.on("GET /api/nodes", { status: 302, headers: { Location: `${elsewhere.url}/api/nodes` } });
  const { code, last } = await twin();
  expect([code, last]).toEqual([1, expect.stringContaining("/api/nodes was answered 302")]);
  expect(elsewhere.seen).toEqual([]);
});

test("names that steer a terminal are shown as signs, and names of JavaScript's own objects are names", async () => {
  const hostile = ["\u001b[2J\u001b]0;owned\u0007X", "__proto__", "constructor", "a\nb\u202e"];
  server.on(
    "GET /api/nodes",
    nodes(
      hostile.map((word, at) => ({
        ...NODE,
        address: `n001_${at}${word}`,
        pnode: `n001_${at}${word}`,
        nodeDefId: word,
        name: word,
      })),
    ),
  );
  const { code, stdout, stderr } = await twin();
  expect([code, stdout.split("\n")[1]]).toEqual([0, "Nodes            4, 0 of them disabled"]);
  expect(stdout).toContain("␛[2J␛]0;owned␇X");
  for (const output of [stdout, stderr]) expect(output).not.toMatch(STEERING);
});

test("a twin that follows goes on while its original sends what no controller sends", { timeout: 60_000 }, async () => {
  const data = newData();
  const args = ["twin", "--data", data, "--follow", "--portal-port", "0", "--local-port", "0"];
  await using follower = new DomovoiProcess(args, { env });
  await follower.until(() => READY.test(follower.stdout));
  const url = READY.exec(follower.stdout)?.[2] ?? "";
  await server.until(() => server.sockets.length > 0);
  const event = (control: string, rest: string) =>
    `<?xml version="1.0"?><Event seqnum="1" sid="uuid:1" timestamp="2031-01-01T00:00:00+00:00"><control>${control}</control>${rest}</Event>`;
  server.send(
    "<Event".repeat(1000),
    Buffer.from([0, 1, 2]),
    event("_3", "<action>ND</action><node>nobody</node><eventInfo></eventInfo>"),
    event(
      "ST",
      `<action uom="51" prec="99">${"9".repeat(100_000)}</action><node>${NODE?.address}</node><eventInfo></eventInfo>`,
    ),
    event("_1", "<action>6</action><node></node><eventInfo><var type='9' id='x'><val>NaN</val></var></eventInfo>"),
    ...Array.from({ length: 2000 }, (_, at) =>
      event("DON", `<action>${at}</action><node>${NODE?.address}</node><eventInfo></eventInfo>`),
    ),
    `<a>${"<b>".repeat(200_000)}`,
    "x".repeat(15 * MEBIBYTE),
  );
  // A frame that is too long ends the connection, and the twin reconnects.
  server.send(Buffer.alloc(17 * MEBIBYTE, "x").toString());
  await server.until(() => server.sockets.length > 1);
  const client = createHttpsClient(() => url, basicHeader);
  expect((await client.get("/rest/config")).status).toBe(200);
  client.close();
  expect(follower.isRunning).toBe(true);
  expect(follower.stderr).not.toMatch(STEERING);
  expect(readFileSync(join(data, "domovoi.sqlite")).length).toBeLessThan(64 * MEBIBYTE);
  follower.signal("SIGTERM");
  expect((await follower.ended).code).toBe(0);
});
