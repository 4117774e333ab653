/** Hostile requests at the real listeners: paths (S8), WebSocket frames (S10), network targets (S12). Bodies: hostile-bodies.test.ts. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import type { NetworkResource } from "../../src/home/network-resources.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import type { Answer } from "../support/https-client.ts";

const CAUSE = { kind: "system", id: "test", by: null } as const;

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController({ networkTargets: ["127.0.0.7"], streamMessagesPerMinute: 50 });
  await controller.login();
});

afterAll(async () => {
  expect(controller.lines.filter(({ level }) => level === "error")).toEqual([]);
  await controller[Symbol.asyncDispose]();
});

describe("S8: a path", () => {
  const commit = (change: Change) => controller.services.feed.commit(change, CAUSE);
  const atLocal = (target: string) => controller.local.request("GET", target);
  const code = ({ text }: Answer) => /code="([A-Z_]+)"/.exec(text)?.[1] ?? "";

  test.each([
    ["/rest/..%2fapi/nodes", 404],
    ["/rest/..%2Fapi%2Fnodes", 404],
    ["/rest/%2e%2e/api/nodes", 400],
    ["/rest/%2E%2E/api/nodes", 400],
    ["/rest/../api/nodes", 400],
    ["/rest/./nodes", 400],
    ["/rest/nodes/..", 400],
    ["/rest/nodes/%2e", 400],
    ["/rest/nodes/..%2f..%2fapi", 404],
    ["/rest/nodes/%2e%2e%2f", 404],
    ["/rest/nodes/%252e%252e", 404],
    ["/rest/nodes/..;/api", 404],
    ["/rest\\..\\api\\nodes", 404],
    ["/rest/nodes/%00", 400],
    ["/rest/nodes/a%00b", 400],
    ["/rest/nodes/%0d%0aX:%20y", 400],
    ["/rest/nodes/%c0%ae", 400],
    ["/rest/nodes/%ff", 400],
    ["/rest/nodes/%ed%a0%80", 400],
    ["/rest/nodes/%", 400],
    ["/rest/nodes/%u0041", 400],
    ["/rest/nodes?x=%zz", 400],
    ["/Rest/nodes", 404],
    ["/rest%2fnodes", 404],
    ["/%2frest/nodes", 404],
    ["/api/nodes", 404],
    ["/api/../rest/nodes", 400],
  ])("%s is decided once, on what it means: %i", async (target, status) => {
    const answer = await atLocal(target);
    expect([target, answer.status]).toEqual([target, status]);
    expect(answer.text).not.toMatch(/"nodes"|<nodes>/);
    expect(answer.text).not.toContain("etc/passwd");
  });

  test.each([
    "//rest/nodes",
    "/rest//nodes",
    "/rest/nodes/",
    "/rest/nodes//",
    "///rest///nodes///",
    "/%72%65%73%74/nodes",
    "/rest/nod%65s",
    "/rest/rest/nodes",
    "/rest//rest/nodes/?members=false",
  ])("%s means /rest/nodes, with credentials and without", async (target) => {
    expect((await atLocal(target)).text).toContain("<nodes>");
    expect((await controller.local.request("GET", target, { headers: {} })).status).toBe(401);
    expect((await controller.local.request("POST", target)).status).toBe(405);
  });

  test("with an encoded slash or percent in an address names that address and no other", async () => {
    const addresses = ["a/b", "a%2Fb", "a", "../x", "a?b", "a#b", "%"];
    for (const address of addresses) commit({ type: "folder-added", folder: { address, name: address, parent: null } });
    for (const address of addresses) {
      const spelled = encodeURIComponent(address).replace(/^\.\.%2F/, "%2e%2e%2f");
      const name = `renamed ${address}`;
      const body = { name, nodeType: "folder" };
      expect([address, (await controller.portal.post(`/api/nodes/${spelled}`, body)).status]).toEqual([address, 200]);
      expect([...controller.services.home.folders.values()].filter((folder) => folder.name === name)).toEqual([
        { address, name, parent: null },
      ]);
      expect((await atLocal(`/rest/nodes/${spelled}`)).status).toBe(200);
    }
    for (const address of addresses) commit({ type: "folder-removed", address });
  });

  test("that does not exist gets the same answer in every spelling", async () => {
    const answers = await Promise.all(
      ["/rest/nowhere", "/rest//nowhere/", "/rest/no%77here", "//rest/nowhere"].map(atLocal),
    );
    expect(answers.map((answer) => [answer.status, code(answer)])).toEqual(Array(4).fill([404, "PATH_UNKNOWN"]));
  });

  test("of 64 KB is refused, and one of 16 KB with its code", async () => {
    expect([431, 414]).toContain((await atLocal(`/rest/nodes/${"a".repeat(40_000)}`)).status);
    const long = await atLocal(`/rest/nodes/${"a".repeat(17_000)}`);
    expect([long.status, code(long)]).toEqual([414, "URL_TOO_LONG"]);
    expect((await atLocal(`/rest/nodes/${"a".repeat(15_000)}`)).status).toBe(404);
  });
});

describe("S10: a WebSocket", () => {
  const raw = (stream: FrameStream) => Reflect.get(stream.socket, "_socket") as import("node:net").Socket;
  /** Each is a connection in another state: logged in, or waiting for its login. */
  const states = ["rest", "api", "waiting"] as const;

  async function open(state: (typeof states)[number]): Promise<FrameStream> {
    if (state === "waiting") return controller.subscribe("api", { headers: {} });
    const stream = await controller.subscribe(state, { listener: "portal" });
    await stream.next(({ control }) => control === "_0");
    return stream;
  }
  const codeAfter = async (state: (typeof states)[number], act: (stream: FrameStream) => void) => {
    const stream = await open(state);
    act(stream);
    return (await stream.closed).code;
  };

  test.each([
    ["a ping flood", 1008, (stream: FrameStream) => times(200, () => stream.socket.ping())],
    ["a pong flood", 1008, (stream: FrameStream) => times(200, () => stream.socket.pong())],
    ["endless fragments", 1008, (stream: FrameStream) => times(300, () => stream.socket.send("x", { fin: false }))],
    ["empty fragments", 1008, (stream: FrameStream) => times(300, () => stream.socket.send("", { fin: false }))],
    ["a message too large", 1009, (stream: FrameStream) => stream.socket.send("x".repeat(70_000))],
    [
      "a frame that says 2^40 bytes",
      1009,
      (stream: FrameStream) => raw(stream).write(Buffer.from("81ff000001000000000000000000", "hex")),
    ],
    ["a frame that is not masked", 1002, (stream: FrameStream) => raw(stream).write(Buffer.from("810141", "hex"))],
    ["a reserved bit", 1002, (stream: FrameStream) => raw(stream).write(Buffer.from("c18100000000c0", "hex"))],
    ["an unknown opcode", 1002, (stream: FrameStream) => raw(stream).write(Buffer.from("838000000000", "hex"))],
    ["text that is not UTF-8", 1007, (stream: FrameStream) => raw(stream).write(Buffer.from("818100000000ff", "hex"))],
    ["a long ping", 1002, (stream: FrameStream) => raw(stream).write(Buffer.from("89fe007e00000000", "hex"))],
  ] as const)("%s is closed with %i, logged in or not", async (_, code, act) => {
    for (const state of states) expect([state, await codeAfter(state, act)]).toEqual([state, code]);
  });

  test("of a stranger gets no frame before the login, for anything it sends", async () => {
    const events = [
      "",
      "null",
      "hello",
      "[]",
      "{}",
      '{"auth":{}}',
      '{"auth":{"token":""}}',
      '{"type":"subscribe"}',
      "{".repeat(5000),
    ];
    for (const message of [...events, '{"__proto__":{"auth":{"token":"x"}}}']) {
      const page = await open("waiting");
      page.send(message);
      expect([message.slice(0, 20), (await page.closed).code, page.frames.length]).toEqual([
        message.slice(0, 20),
        1008,
        0,
      ]);
    }
  });

  test("of a stranger that sends nothing is closed after five seconds", async () => {
    const page = await open("waiting");
    await controller.clock.advance(5000);
    expect([(await page.closed).code, page.frames.length]).toEqual([1008, 0]);
  });

  test("of a client may send invalid frames, and other clients are not affected", async () => {
    const [talker, other] = [await open("rest"), await open("api")];
    for (const message of ["<x", '{"auth":{"token":"stale"}}', "null"]) talker.send(message);
    talker.socket.send(Buffer.from([1, 2, 3]));
    const pong = once(talker.socket, "pong");
    talker.socket.ping();
    await pong;
    controller.services.feed.commit({ type: "busy-changed", busy: false }, CAUSE);
    await Promise.all([talker, other].map((stream) => stream.next(({ control }) => control === "_5")));
    await Promise.all([talker.close(), other.close()]);
  });
});

function times(count: number, act: () => void): void {
  for (let at = 0; at < count; at += 1) act();
}

describe("S12: a network resource", () => {
  let hits: string[];
  let port: number;
  let redirectTo = "";
  const servers = ["127.0.0.1", "127.0.0.7"].map((host) => {
    const server = createServer((request, response) => {
      hits.push(`${host} ${request.method} ${request.url}`);
      if (redirectTo !== "") response.writeHead(302, { Location: redirectTo });
      response.end("ok");
    });
    return { host, server };
  });
  const outcomes: string[] = [];

  beforeAll(async () => {
    // Both listen on one port, so that only the address distinguishes them.
    port = 0;
    for (const { host, server } of servers) {
      server.listen(port, host);
      await once(server, "listening");
      ({ port } = server.address() as AddressInfo);
    }
    hits = [];
    controller.services.feed.listen(({ change }) => {
      if (change.type === "network-resource-fired") outcomes.push(`${change.outcome} ${change.detail}`);
    });
  });
  afterAll(() => {
    for (const { server } of servers) server.close();
  });

  function put(id: number, resource: Partial<NetworkResource>): void {
    const fixed = {
      id,
      name: `Target ${id}`,
      protocol: "http",
      port,
      method: "GET",
      path: "/x",
      headers: [],
      body: "",
      timeoutMs: 1000,
    } as const;
    controller.services.feed.commit(
      { type: "network-resource-put", resource: { ...fixed, host: "127.0.0.1", ...resource } },
      CAUSE,
    );
  }
  const fire = (id: number) => controller.local.get(`/rest/networking/resources/${id}`);

  test.each([
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0",
    "0.0.0.0",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "::1",
    "[::1]",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "::ffff:0:7f00:1",
    "2002:7f00:1::",
    "169.254.169.254",
    "[::ffff:a9fe:a9fe]",
    "100.100.100.200",
    "fd00:ec2::254",
    "fe80::1",
    "224.0.0.1",
    "255.255.255.255",
    "①②⑦.0.0.1",
  ])("aimed at %s is refused at the door, over every protocol", async (host) => {
    for (const protocol of ["http", "https", "tcp", "udp"] as const) {
      put(200, { host, protocol });
      const answer = await fire(200);
      expect([protocol, answer.status, answer.text.includes('code="TARGET_REFUSED"')]).toEqual([protocol, 403, true]);
    }
    expect(hits).toEqual([]);
  });

  test.each(["127.0.0.1@example.org", "example.org/x", "a b", "", "127.0.0.1:80", "exa\r\nmple.org", "fe80::1%lo"])(
    "aimed at what is no host (%j) is refused as malformed",
    async (host) => {
      put(201, { host });
      const answer = await fire(201);
      expect([answer.status, answer.text.includes('code="BAD_VALUE"')]).toEqual([400, true]);
    },
  );

  test("aimed at this machine by its own name does not arrive either", async () => {
    outcomes.length = 0;
    put(202, { host: hostname() });
    const { status } = await fire(202);
    if (status === 200) await expect.poll(() => outcomes.length).toBe(1);
    expect([200, 403]).toContain(status);
    expect(outcomes.every((outcome) => outcome.startsWith("failed"))).toBe(true);
    expect(hits).toEqual([]);
  });

  test("reaches what the owner allowed, and follows no redirect from there to what is refused", async () => {
    put(203, { host: "127.0.0.7" });
    for (const location of ["", `http://127.0.0.1:${port}/stolen`, "http://169.254.169.254/latest/meta-data"]) {
      redirectTo = location;
      outcomes.length = 0;
      hits.length = 0;
      expect((await fire(203)).status).toBe(200);
      await expect.poll(() => outcomes.length).toBe(1);
      expect(hits).toEqual(["127.0.0.7 GET /x"]);
      expect(outcomes[0]).toMatch(location === "" ? /^done HTTP 200/ : /^failed HTTP 302: redirects/);
    }
  });

  test("cannot break out of its place in the request", async () => {
    for (const resource of [
      { path: "/x HTTP/1.1\r\nX: y" },
      { path: "http://127.0.0.1/" },
      { path: "//x\r\n" },
      { method: "GET / HTTP/1.1\r\n\r\nGET" },
      { method: "CONNECT" },
      { headers: [{ name: "X", value: "a\r\nY: b" }] },
      { headers: [{ name: "X: y\r\nZ", value: "a" }] },
      { headers: [{ name: "Transfer-Encoding", value: "chunked" }] },
      { port: 0 },
      { port: 70_000 },
    ]) {
      hits.length = 0;
      put(204, { host: "127.0.0.7", ...resource });
      expect([resource, (await fire(204)).status]).toEqual([resource, 400]);
      expect(hits).toEqual([]);
    }
  });
});
