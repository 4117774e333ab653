/** Plugins and other companies' services: archives that the controller downloads, and sign-ins by OAuth. */

import { appendFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Bonjour } from "bonjour-service";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });
/** Stores the tokens that it gets, with its settings. */
const STORES_TOKENS = 'poly.on("oauth", (tokens) => poly.saveCustomData({ tokens }));';
/** Asks for services in the network and stores the answer. The library for Node has no call for it. */
const SEARCHES = `
poly.on("discover", () => poly._sendMessage({ bonjour: [{ type: "lamps-${process.pid}", subtypes: null, protocol: "tcp" }] }, "command"));
poly.on("mqttConnected", () => poly._mqttClient.on("message", (topic, text) => {
  const { bonjour } = JSON.parse(text);
  if (bonjour) poly.saveCustomData({ bonjour });
}));
`;
const TOKENS = { access_token: "access-1", refresh_token: "refresh-1", token_type: "Bearer" };

let controller: TestController;
let archive: Buffer;
let service: Server;
let address: string;
/** Bodies of the requests for tokens. */
const exchanges: URLSearchParams[] = [];

beforeAll(async () => {
  archive = await lampArchive({}, STORES_TOKENS + SEARCHES);
  service = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const networkTargets = [address.slice("http://".length)];
  controller = await startTestController({ demo: false, pluginStartMs: 600_000, networkTargets });
  await controller.login();
}, 30_000);
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  service.closeAllConnections();
  service.close();
}, 30_000);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "", address);
  if (pathname === "/lamp.tgz") response.end(archive);
  else if (pathname === "/moved") response.writeHead(302, { Location: "/lamp.tgz" }).end();
  else if (pathname === "/loop") response.writeHead(302, { Location: "/loop" }).end();
  else if (pathname === "/inside") response.writeHead(302, { Location: "http://169.254.169.254/" }).end();
  else if (pathname === "/large") response.end(Buffer.alloc(40_000_000));
  else if (pathname === "/token") {
    const form = new URLSearchParams(String(Buffer.concat(await request.toArray())));
    exchanges.push(form);
    const isRight = form.get("code") === "right";
    response.writeHead(isRight ? 200 : 400).end(JSON.stringify(isRight ? TOKENS : { error: "invalid_grant" }));
  } else response.writeHead(404).end();
}

type Reply = { readonly status: number; readonly data: unknown; readonly sentence: string };

async function post(path: string, body: object): Promise<Reply> {
  const { status, text } = await controller.portal.post(path, body);
  const { data, errorMessage } = JSON.parse(text);
  return { status, data, sentence: String(errorMessage) };
}

async function stateOf(): Promise<string> {
  await controller.clock.advance(1000);
  return (await controller.portal.get("/api/plugin/1")).json<{ data: { state: string } }>().data.state;
}

describe("an archive that the controller downloads", () => {
  test("becomes a running plugin, also behind a redirect, and can be upgraded", async () => {
    const installed = await post("/api/plugins/download", { url: `${address}/moved`, name: "Lamp" });
    expect(installed).toMatchObject({ status: 200, data: { name: "Lamp", profileNum: 1 } });
    await expect.poll(stateOf, WAIT).toBe("running");
    expect((await post("/api/plugin/1/download", { url: `${address}/lamp.tgz` })).status).toBe(200);
    await expect.poll(stateOf, WAIT).toBe("running");
  });

  test.each([
    ["ftp://example.org/a.zip", 400, "must start with https:// or http://"],
    ["https://user:secret@example.org/a.zip", 400, "contain no password"],
    ["http://127.0.0.1:1/a.zip", 403, "Requests to 127.0.0.1 are not allowed"],
    ["http://169.254.169.254/latest", 403, "Requests to 169.254.169.254 are not allowed"],
    ["http://localhost/a.zip", 403, "Requests to localhost are not allowed"],
    ["ADDRESS/inside", 403, "Requests to 169.254.169.254 are not allowed"],
    ["ADDRESS/loop", 400, "answered with status 302"],
    ["ADDRESS/missing", 400, "answered with status 404"],
    ["ADDRESS/large", 400, "is longer than 33554432 bytes (pluginArchiveBytesMax)"],
  ])("%s is refused", async (url, status, sentence) => {
    const refused = await post("/api/plugins/download", { url: url.replace("ADDRESS", address) });
    expect([refused.status, refused.sentence]).toEqual([status, expect.stringContaining(sentence)]);
  });
});

describe("a sign-in at the plugin's service", () => {
  const origin = "https://controller.lan:8443";
  const settings = () => ({
    name: "Service",
    client_id: "client-1",
    client_secret: "secret-1",
    auth_endpoint: "https://service.example/login?prompt=yes",
    token_endpoint: `${address}/token`,
    scope: "read write",
    parameters: { audience: "lamps" },
    token_parameters: { audience: "lamps" },
  });
  const begin = () => post("/api/plugin/1/oauth/start", { origin });
  const stateIn = (data: unknown) => new URL((data as { readonly url: string }).url).searchParams.get("state") ?? "";
  // The browser comes from another site, without credentials.
  const finish = (query: Readonly<Record<string, string>>) =>
    controller.portal.request("GET", `/api/plugins/oauth?${new URLSearchParams(query)}`, {
      headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
    });

  test("needs settings, which are named", async () => {
    expect(await begin()).toMatchObject({
      status: 400,
      sentence: expect.stringContaining("lack auth_endpoint, token"),
    });
    await post("/api/plugin/1/custom/oauth", { value: { ...settings(), auth_endpoint: "http://service.example/" } });
    expect(await begin()).toMatchObject({ status: 400, sentence: expect.stringContaining("no https:// address") });
  });

  test("leads to the service's page, and its code becomes the plugin's tokens", async () => {
    await post("/api/plugin/1/custom/oauth", { value: settings() });
    const { data } = await begin();
    expect(data).toMatchObject({ redirectUrl: `${origin}/api/plugins/oauth` });
    const page = new URL((data as { readonly url: string }).url);
    expect(Object.fromEntries(page.searchParams)).toEqual({
      prompt: "yes",
      scope: "read write",
      client_id: "client-1",
      response_type: "code",
      redirect_uri: `${origin}/api/plugins/oauth`,
      state: expect.stringMatching(/^1\.[\w-]{32}$/),
      audience: "lamps",
    });
    const done = await finish({ state: stateIn(data), code: "right" });
    expect([done.status, done.text]).toEqual([200, "The plugin is signed in. You can close this page.\n"]);
    expect(Object.fromEntries(exchanges.at(-1) ?? [])).toEqual({
      grant_type: "authorization_code",
      code: "right",
      redirect_uri: `${origin}/api/plugins/oauth`,
      client_id: "client-1",
      client_secret: "secret-1",
      scope: "read write",
      audience: "lamps",
    });
    const stored = async () => (await controller.portal.get("/api/plugin/1/custom/customdata")).text;
    await expect.poll(stored, WAIT).toContain('"access_token":"access-1"');
    expect(await stored()).toContain('"expires_in":31536000');
    expect(JSON.stringify(controller.lines)).not.toMatch(/access-1|secret-1/);
    // The library for Python writes tokens into its log.
    const { home } = (await controller.portal.get("/api/plugin/1")).json<{ data: { home: string } }>().data;
    const said = `Received oAuth tokens: ${JSON.stringify(TOKENS)}\nToken {'access_token': 'access-1'}\nchecking access_token / access-1\nbody refresh_token=refresh-1&a=b\n`;
    await appendFile(join(home, "logs", "debug.log"), said);
    const { text } = (await controller.portal.get("/api/plugin/1/log")).json<{ data: { text: string } }>().data;
    expect(text).toContain("body refresh_token=[secret]&a=b");
    expect(text).not.toMatch(/access-1|refresh-1/);
  });

  test("works once, for ten minutes, and with the right state alone", async () => {
    const state = stateIn((await begin()).data);
    const count = exchanges.length;
    expect((await finish({ state: `${state}x`, code: "right" })).status).toBe(404);
    expect((await finish({ state: state.replace("1.", "2."), code: "right" })).status).toBe(404);
    expect((await finish({ state, error: "access_denied" })).status).toBe(400);
    expect((await finish({ state, code: "right" })).status).toBe(200);
    expect((await finish({ state, code: "right" })).status).toBe(404);
    const unknown = [];
    for (const wrong of [`${state}x`, "1.x", "9.x", "x", ""])
      for (const more of [{ code: "right" }, { error: "access_denied" }])
        unknown.push((await finish({ state: wrong, ...more } as never)).text.replace(/"requestId":"[^"]*"/, ""));
    expect(new Set(unknown).size).toBe(1);
    const late = stateIn((await begin()).data);
    await controller.clock.advance(601_000);
    expect((await finish({ state: late, code: "right" })).status).toBe(404);
    expect(exchanges).toHaveLength(count + 1);
  });

  test("a code that the service refuses is answered with its reason", async () => {
    const refused = await finish({ state: stateIn((await begin()).data), code: "wrong" });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("refused the sign-in: invalid_grant"),
    ]);
  });
});

test("a plugin gets the services of the local network that it asks for", async () => {
  const network = new Bonjour({ interface: "127.0.0.1", bind: "0.0.0.0" } as object);
  const service = { name: `Bridge ${process.pid}`, type: `lamps-${process.pid}`, port: 8123, txt: { model: "B1" } };
  network.publish({ ...service, probe: false });
  const found = async () => {
    await controller.portal.post("/api/plugin/1/discover");
    await controller.clock.advance(1000);
    return (await controller.portal.get("/api/plugin/1/custom/customdata")).json<{ data: { value: unknown } }>().data
      .value;
  };
  await expect.poll(found, WAIT).toMatchObject({
    bonjour: { success: true, mdns: [{ ...service, protocol: "tcp", addresses: expect.any(Array) }] },
  });
  network.destroy();
});

test("clients that ask for a store and licenses get empty lists", async () => {
  for (const path of ["/api/plugins/licenses", "/api/plugins/store/prod/list/active"]) {
    expect((await controller.portal.get(path)).json()).toEqual({ successful: true, data: [] });
  }
});
