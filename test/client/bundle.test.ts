/** The library as a browser gets it: small, without anything of Node, and at work. */

import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import type { Home } from "@domovoi/client";
import { beforeAll, expect, test } from "vitest";
import { buildBundle } from "./support/build-bundle.ts";
import { type Stage, startStage } from "./support/connected.ts";
import { ACCOUNT, status } from "./support/scripted-server.ts";

const GZIP_BYTES_MAX = 40 * 1024;

let bundle = "";
let imports: readonly string[] = [];

beforeAll(async () => {
  const chunk = await buildBundle(join(import.meta.dirname, "support/page.ts"));
  bundle = chunk.code;
  imports = [...chunk.imports, ...chunk.dynamicImports];
});

test(`is at most ${GZIP_BYTES_MAX} bytes with gzip`, () => {
  const bytes = gzipSync(bundle, { level: 9 }).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX);
});

test("imports nothing, of Node or elsewhere", () => {
  expect(imports).toEqual([]);
  // The XML parser asks whether there is a Buffer; that it works without one is the next claim.
  expect(bundle.match(/\brequire\(|\bimport\(|["'`]node:|__vite-browser-external|\bprocess\./g)).toBeNull();
});

test("loads a home and follows it with what a browser has, and nothing else", async () => {
  await using stage = await startStage();
  const home = await open(stage);
  expect(home.node("Garden/Porch Lantern").value("ST")).toBe(75);
  await stage.server.until(() => stage.server.socketMessages.length === 1);
  const token = stage.server.seen.find(({ path }) => path === "/api/nodes")?.authorization.replace("Bearer ", "");
  expect(JSON.parse(stage.server.socketMessages[0] ?? "")).toEqual({ auth: { token } });
  expect(stage.server.seen.find(({ method }) => method === "UPGRADE")).toMatchObject({
    path: "/api/events/subscribe",
    authorization: "",
  });
  await home.node("Porch Lantern").send("DOF");
  await home.close();
});

test("S9 a login in the first message that is refused is tried again with other tokens", async () => {
  await using stage = await startStage();
  const home = await open(stage);
  await stage.server.until(() => stage.server.socketMessages.length === 1);
  stage.server.sockets[0]?.close(1008);
  await stage.server.until(() => stage.server.socketMessages.length === 2);
  expect(stage.server.paths().filter((path) => /UPGRADE|jwt/.test(path))).toEqual([
    "UPGRADE /api/events/subscribe",
    "POST /api/jwt/refresh",
    "UPGRADE /api/events/subscribe",
  ]);
  await home.close();
});

test("G6 a file comes in pieces, and one that is refused with its reason", async () => {
  await using stage = await startStage();
  stage.server.on("GET /api/radios/zwave/memory", { body: "the memory of an adapter" });
  stage.server.on("GET /api/radios/zwave2/memory", status(409, '{"successful":false,"error":"None."}'));
  const home = await open(stage);
  const pieces: Uint8Array[] = [];
  for await (const piece of await home.radios.network("zwave").memory()) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe("the memory of an adapter");
  await expect(home.radios.network("zwave2").memory()).rejects.toMatchObject({ status: 409, message: "None." });
  await home.close();
});

/** Runs the bundle among the globals of a page. */
function open({ server, clock }: Stage): Promise<Home> {
  const { fetch, WebSocket, URL, AbortController, AbortSignal, TextEncoder, TextDecoder } = globalThis;
  const { setTimeout, clearTimeout, atob, btoa } = globalThis;
  const page = createContext({
    ...{ fetch, WebSocket, URL, AbortController, AbortSignal, TextEncoder, TextDecoder },
    ...{ setTimeout, clearTimeout, atob, btoa },
    options: { url: server.url, ...ACCOUNT, clock },
  });
  return runInContext(`${bundle}\npage.connect(options)`, page);
}
