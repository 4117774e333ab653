/** Broken and hostile bytes on real sockets. Timeouts are the shortest that the settings allow. */

import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { exchangeRaw, FAKE_ROUTES, get, head, openFakeListener, readUntil, statusOf } from "./fake-services.ts";

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket
      .resume()
      .on("error", () => {})
      .once("close", () => resolve());
  });

describe("framing that two readers could read differently is refused and the connection closed", () => {
  const auth = "Host: localhost\r\nAuthorization: good\r\n";
  test.each([
    [
      "a length beside chunks",
      `POST /rest/put HTTP/1.1\r\n${auth}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["two lengths", `POST /rest/put HTTP/1.1\r\n${auth}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
    ["a list of lengths", `POST /rest/put HTTP/1.1\r\n${auth}Content-Length: 4, 5\r\n\r\nabcde`],
    ["a signed length", `POST /rest/put HTTP/1.1\r\n${auth}Content-Length: +4\r\n\r\nabcd`],
    ["a length in hex", `POST /rest/put HTTP/1.1\r\n${auth}Content-Length: 0x4\r\n\r\nabcd`],
    ["an unknown coding", `POST /rest/put HTTP/1.1\r\n${auth}Transfer-Encoding: xchunked\r\n\r\n`],
    ["chunked that is not last", `POST /rest/put HTTP/1.1\r\n${auth}Transfer-Encoding: chunked, identity\r\n\r\n`],
    ["a space before the colon", `POST /rest/put HTTP/1.1\r\n${auth}Transfer-Encoding : chunked\r\n\r\n`],
    ["bare line feeds", "GET /rest/echo HTTP/1.1\nHost: localhost\nAuthorization: good\n\n"],
    ["a bare carriage return", `GET /rest/echo HTTP/1.1\r\n${auth}X: a\rb\r\n\r\n`],
    ["a folded header", `GET /rest/echo HTTP/1.1\r\n${auth}X: a\r\n b: c\r\n\r\n`],
    ["a NUL in a header", `GET /rest/echo HTTP/1.1\r\n${auth}X: a\0b\r\n\r\n`],
    ["a chunk size that is no number", `POST /rest/put HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["a space in the target", `GET /rest/echo x HTTP/1.1\r\n${auth}\r\n`],
    [
      "the size of a chunk in another base",
      `POST /rest/put HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n`,
    ],
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    [
      "two hosts",
      "GET /rest/echo HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nAuthorization: good\r\nConnection: close\r\n\r\n",
    ],
    ["no host", "GET /rest/echo HTTP/1.1\r\nAuthorization: good\r\nConnection: close\r\n\r\n"],
    ["an absolute target", head("GET http://evil.example/rest/echo")],
  ])("%s", async (_, bytes) => {
    await using context = await openFakeListener();
    expect(statusOf(await exchangeRaw(context.port, bytes))).toBe(400);
    expect(context.lines.some(({ level }) => level === "error")).toBe(false);
  });

  test("the preface of HTTP/2 ends its connection", async () => {
    await using server = await openFakeListener();
    expect(
      await exchangeRaw(server.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"),
    ).not.toContain(" 200 ");
  });

  test.each(["gzip", "GZIP", "x-gzip", "br", "deflate", "gzip, identity", "identity, gzip", "zstd", ""])(
    "a body in the coding %j is refused and never unpacked",
    async (coding) => {
      await using server = await openFakeListener();
      const body = gzipSync(`{"name":"${"x".repeat(5_000_000)}"}`);
      const lines = {
        "Content-Type": "application/json",
        "Content-Encoding": coding,
        "Content-Length": String(body.length),
      };
      const answer = await exchangeRaw(server.port, Buffer.concat([Buffer.from(head("POST /rest/put", lines)), body]));
      expect(statusOf(answer)).toBe(415);
    },
  );

  test("a smuggled second request is never answered", async () => {
    await using context = await openFakeListener();
    const hidden = head("GET /rest/nodes/smuggled");
    const answer = await exchangeRaw(
      context.port,
      `POST /rest/put HTTP/1.1\r\nHost: localhost\r\nAuthorization: good\r\nContent-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    );
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(answer).not.toContain("smuggled");
  });
});

describe("sizes", () => {
  test("a target beyond its setting is 414, and the connection goes on", async () => {
    await using context = await openFakeListener({ config: { urlBytesMax: 1024 } });
    const answer = await get(context, `/rest/nodes/${"a".repeat(1100)}`, { Connection: "keep-alive, close" });
    expect([answer.status, answer.body.includes("URL_TOO_LONG")]).toEqual([414, true]);
  });

  test("64 KB of target or of headers are 431, and nothing else suffers", async () => {
    await using context = await openFakeListener();
    expect(statusOf(await exchangeRaw(context.port, head(`GET /rest/${"a".repeat(65_536)}`)))).toBe(431);
    expect(statusOf(await exchangeRaw(context.port, head("GET /rest/echo", { X: "a".repeat(65_536) })))).toBe(431);
    expect((await get(context, "/rest/echo")).status).toBe(200);
  });

  test("connections beyond their setting are closed", async () => {
    await using context = await openFakeListener({ config: { connectionsMax: 10 } });
    const held = await Promise.all(
      Array.from(
        { length: 10 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(context.port, "127.0.0.1", () => resolve(socket));
          }),
      ),
    );
    await closed(connect(context.port, "127.0.0.1"));
    for (const socket of held) socket.destroy();
  });
});

describe("requests that do not wait for their answers", () => {
  const keep = { Connection: "keep-alive" };
  /** The test decides when handlers of /rest/echo end. */
  async function heldListener() {
    const begun: { path: string; answer: () => void }[] = [];
    let onBegun = () => {};
    const handle: Route["handle"] = ({ query }) =>
      new Promise((resolve) => {
        const body = query.get("n") ?? "";
        begun.push({ path: body, answer: () => resolve({ status: 200, contentType: "text/plain", body }) });
        onBegun();
      });
    const routes = FAKE_ROUTES.map((route) => (route.path === "/rest/echo" ? { ...route, handle } : route));
    const server = await openFakeListener({ routes });
    const reach = (count: number) =>
      new Promise<void>((resolve) => {
        onBegun = () => void (begun.length >= count && resolve());
        onBegun();
      });
    return { begun, reach, server, [Symbol.asyncDispose]: () => server.stop() };
  }
  const numbered = (n: number, headers: Record<string, string> = keep) => head(`GET /rest/echo?n=${n}`, headers);

  test("thousands on one connection are begun one after the other", async () => {
    await using held = await heldListener();
    const socket = connect(held.server.port, "127.0.0.1");
    socket.write(Array.from({ length: 5000 }, (_, n) => numbered(n)).join(""));
    for (let n = 0; n < 5; n += 1) {
      await held.reach(n + 1);
      expect((await get(held.server, "/api/config")).status).toBe(200);
      expect(held.begun.map(({ path }) => path)).toEqual(Array.from({ length: n + 1 }, (_, at) => String(at)));
      held.begun[n]?.answer();
    }
    socket.destroy();
  });

  test("a later one that is malformed does not disturb the answer before it", async () => {
    await using held = await heldListener();
    const socket = connect(held.server.port, "127.0.0.1");
    socket.write(`${numbered(0)}nonsense\r\n\r\n`);
    await held.reach(1);
    held.begun[0]?.answer();
    const answer = await readUntil(socket);
    expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "400"]);
  });

  const body = '{"name":"a\\r\\n\\r\\nb"}';
  const put = (headers: Record<string, string>, content: string) =>
    `${head("POST /rest/put", { ...keep, "Content-Type": "application/json", ...headers })}${content}`;
  const withLength = put({ "Content-Length": String(body.length) }, body);
  const inChunks = put({ "Transfer-Encoding": "chunked" }, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  const withTrailer = put(
    { "Transfer-Encoding": "chunked" },
    `${body.length.toString(16)}\r\n${body}\r\n0\r\nA: b\r\n\r\n`,
  );
  const refused = put({ "Content-Length": "5", Authorization: "guest" }, "\r\n\r\nx");
  const all = [
    head("GET /rest/echo", keep),
    withLength,
    inChunks,
    withTrailer,
    refused,
    head("GET /rest/umlaut", keep),
  ];
  const statuses = ["200", "200", "200", "200", "403", "200", "200"];
  const bytes = all.join("") + head("GET /rest/echo");

  test.each([1, 2, 3, 5, 64, 997, bytes.length])(
    "are all answered when they come in pieces of %i bytes",
    async (size) => {
      await using server = await openFakeListener();
      const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true });
      const answer = readUntil(socket);
      for (let at = 0; at < bytes.length; at += size) {
        await new Promise<void>((resolve) => socket.write(bytes.slice(at, at + size), "latin1", () => resolve()));
      }
      expect([...(await answer).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(statuses);
    },
  );

  test("a chunked body of nothing but ends of heads is read to its end", async () => {
    await using server = await openFakeListener({ config: { bodyBytesMax: 1_000_000 } });
    const spaces = "\r\n\r\n".repeat(100_000);
    const chunk = `${spaces.length.toString(16)}\r\n${spaces}\r\n`;
    const request = put({ "Transfer-Encoding": "chunked" }, `${chunk}2\r\n{}\r\n0\r\n\r\n`);
    const answer = await exchangeRaw(server.port, request + head("GET /rest/echo"));
    expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(["400", "200"]);
  });
});

describe("an unusable connection ends without its client's help", {
  concurrent: true,
}, () => {
  /** A client that reads, keeps its side open and goes on sending. */
  function stubborn(port: number, bytes: string) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const answer = readUntil(socket, /\r\n\r\n/);
    socket.write(bytes);
    const more = setInterval(() => socket.writableLength < 1_000_000 && socket.write("x".repeat(65_536)), 10);
    const gone = closed(socket).then(() => clearInterval(more));
    return { answer, gone };
  }
  const long = { Connection: "keep-alive", "Content-Type": "application/json" };

  test.each([
    ["after bytes that are no HTTP", "nonsense\r\n\r\n", 400],
    [
      "after a body of 1 GB that was not requested",
      head("POST /rest/nowhere", { ...long, "Content-Length": "1000000000" }),
      404,
    ],
    ["after a body that may not be so long", head("POST /rest/put", { ...long, "Content-Length": "1000000000" }), 413],
    [
      "after endless chunks that were not requested",
      `${head("POST /rest/nowhere", { ...long, "Transfer-Encoding": "chunked" })}${"10000\r\n".repeat(1)}`,
      404,
    ],
  ] as const)("%s", async (_what, bytes, status) => {
    await using server = await openFakeListener();
    const { answer, gone } = stubborn(server.port, bytes);
    expect(statusOf(await answer)).toBe(status);
    await gone;
  });

  test("also when it says nothing more", async () => {
    await using server = await openFakeListener();
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write("nonsense\r\n\r\n");
    expect(statusOf(await readUntil(socket, /\r\n\r\n/))).toBe(400);
    // Only its own half is closed by now; what is written to a socket that is gone fails.
    await new Promise<void>((resolve) => {
      const probe = setInterval(() => socket.write("x"), 500);
      socket
        .on("error", () => {})
        .once("close", () => {
          clearInterval(probe);
          resolve();
        });
    });
  });
});

test("a refused upgrade releases its connection, for any bytes that follow", async () => {
  await using context = await openFakeListener({ config: { connectionsMax: 10 }, listener: "local" });
  for (const path of Array.from({ length: 30 }, (_, index) => `/api/events/subscribe?${index}`)) {
    const socket = connect({ port: context.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(head(`GET ${path}`, { Connection: "Upgrade", Upgrade: "websocket" }));
    expect(statusOf(await readUntil(socket, "PATH_UNKNOWN"))).toBe(404);
    socket.end("and more");
    await closed(socket);
  }
  expect((await get(context, "/rest/echo")).status).toBe(200);
});

describe("slowness is cut", { concurrent: true }, () => {
  const config = { headersTimeoutMs: 1000, requestTimeoutMs: 1000, idleFirstRequestMs: 1000 };

  test("a client that connects and sends nothing", async ({ expect }) => {
    await using context = await openFakeListener({ config });
    const sockets = Array.from({ length: 200 }, () => connect(context.port, "127.0.0.1"));
    await Promise.all(sockets.map(closed));
    expect((await get(context, "/rest/echo")).status).toBe(200);
  });

  test("a head that drips", async ({ expect }) => {
    await using context = await openFakeListener({ config });
    const socket = connect(context.port, "127.0.0.1");
    const drip = setInterval(() => socket.write("X"), 100);
    socket.write("GET /rest/echo HTTP/1.1\r\n");
    expect(statusOf(await readUntil(socket))).toBe(408);
    clearInterval(drip);
  });

  test("a body that drips", async ({ expect }) => {
    await using context = await openFakeListener({ config });
    const socket = connect(context.port, "127.0.0.1");
    socket.write(head("POST /rest/put", { "Content-Type": "application/json", "Content-Length": "1000" }));
    const drip = setInterval(() => socket.write(" "), 100);
    expect(statusOf(await readUntil(socket))).toBe(408);
    clearInterval(drip);
  });

  test("a head that drips on a connection that was used before", async ({ expect }) => {
    await using context = await openFakeListener({ config });
    const socket = connect(context.port, "127.0.0.1");
    socket.write(head("GET /rest/echo", { Connection: "keep-alive" }));
    await readUntil(socket, "}");
    socket.write("GET /rest/ec");
    expect(statusOf(await readUntil(socket))).toBe(408);
  });

  test("a connection that was used stays open longer than one that was not", async ({ expect }) => {
    await using context = await openFakeListener({ config });
    const used = connect(context.port, "127.0.0.1");
    used.write(head("GET /rest/echo", { Connection: "keep-alive" }));
    await readUntil(used, "}");
    await closed(connect(context.port, "127.0.0.1"));
    used.write(head("GET /rest/echo"));
    expect(statusOf(await readUntil(used))).toBe(200);
  });

  test.each([
    ["no credentials", "/rest/nowhere", "", 1],
    ["bad ones", "/rest/nowhere", "bad", 1],
    ["none where none are needed", "/api/config", "", 2],
  ])("one that was used with %s does not, and says so", async (_what, path, authorization, seconds) => {
    await using context = await openFakeListener({ config });
    const socket = connect(context.port, "127.0.0.1");
    socket.write(head(`GET ${path}`, { Connection: "keep-alive", Authorization: authorization }));
    const answer = await readUntil(socket, "Content-Length");
    expect(answer).toContain(`Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`);
    await closed(socket);
  });

  test("a reader that takes nothing of its answers", async ({ expect }) => {
    const ended = Promise.withResolvers<void>();
    const more = Buffer.alloc(32_000_000);
    let running = 1;
    const handle: Route["handle"] = ({ signal }) => {
      signal.addEventListener("abort", () => --running || ended.resolve());
      return { status: 200, contentType: "text/plain", body: more };
    };
    const routes = FAKE_ROUTES.map((route) => (route.path === "/rest/large" ? { ...route, handle } : route));
    await using context = await openFakeListener({ routes, config: { ...config, requestDeadlineMs: 1000 } });
    const socket = connect(context.port, "127.0.0.1").pause();
    socket.write(head("GET /rest/large", { Connection: "keep-alive" }).repeat(running));
    await ended.promise;
    expect((await get(context, "/rest/echo")).status).toBe(200);
    await closed(socket);
  });
});
