/** A listener with a small table of routes: the handling that all requests share. */

import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import {
  bodyOf,
  exchangeRaw,
  FAKE_ROUTES,
  get,
  head,
  LARGE,
  openFakeListener,
  readUntil,
  statusOf,
} from "./fake-services.ts";

const XML_FAILURE =
  /^<\?xml version="1.0" encoding="UTF-8"\?><RestResponse succeeded="false"><status>(\d+)<\/status><reason code="([A-Z_]+)">[^<]+<\/reason><\/RestResponse>$/;

describe("routing", () => {
  test("a handler sees the normalised path, decoded parameters and the query", async () => {
    await using context = await openFakeListener();
    const { body } = await get(context, "//rest/nodes/11%2022%2033%201/cmd/DON/75%2F1/51/?a=b+c&d=%C3%A4");
    expect(JSON.parse(body)).toMatchObject({
      path: "/rest/nodes/11%2022%2033%201/cmd/DON/75%2F1/51",
      params: { address: "11 22 33 1", command: "DON", "*": "75%2F1/51" },
      query: [
        ["a", "b c"],
        ["d", "ä"],
      ],
      by: "owner",
    });
  });

  test("the slips of an old client arrive as what they mean", async () => {
    await using context = await openFakeListener();
    for (const path of ["/rest//rest/vars/set/1/2/3/", "/rest/vars\\set\\1\\2\\3", "/rest/vars%5Cset/1/2/3"]) {
      const { body } = await get(context, path);
      expect(JSON.parse(body).params).toEqual({ type: "1", id: "2", value: "3" });
    }
  });

  test("a long parameter is still a parameter", async () => {
    await using context = await openFakeListener();
    const { status } = await get(context, `/rest/nodes/${"a".repeat(4000)}`);
    expect(status).toBe(200);
  });

  test("HEAD is GET without the body", async () => {
    await using context = await openFakeListener();
    const raw = await exchangeRaw(context.port, head("HEAD /rest/umlaut"));
    expect(statusOf(raw)).toBe(200);
    expect(raw).toContain("Content-Length: 17\r\n");
    expect(bodyOf(raw)).toBe("");
  });

  test("HEAD never acts: a path that does something has none", async () => {
    await using context = await openFakeListener();
    const raw = await exchangeRaw(context.port, head("HEAD /rest/nodes/1/cmd/DON"));
    expect(statusOf(raw)).toBe(405);
    expect(raw).toContain("Allow: GET\r\n");
  });

  test("unknown paths are 401 for strangers and 404 for the known, in the language of their surface", async () => {
    await using context = await openFakeListener();
    expect((await get(context, "/rest/nothing", { Authorization: "bad" })).status).toBe(401);
    expect(
      statusOf(await exchangeRaw(context.port, "GET /api/nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")),
    ).toBe(401);
    expect((await get(context, "/rest/nothing")).body).toMatch(XML_FAILURE);
    expect(JSON.parse((await get(context, "/api/nothing")).body)).toEqual({
      successful: false,
      data: null,
      error: "There is nothing at this path.",
      code: "PATH_UNKNOWN",
      errorMessage: "There is nothing at this path.",
      errorCode: "PATH_UNKNOWN",
    });
    expect((await get(context, "/", { Authorization: "bad" })).status).toBe(404);
    expect((await get(context, "/index.html", { Authorization: "bad" })).body).toContain("PATH_UNKNOWN");
  });

  test("another method is 405 and lists the allowed ones", async () => {
    await using context = await openFakeListener();
    const raw = await exchangeRaw(context.port, head("DELETE /rest/put"));
    expect(statusOf(raw)).toBe(405);
    expect(raw).toContain("Allow: POST, PUT\r\n");
    expect(await exchangeRaw(context.port, head("PATCH /rest/echo"))).toContain("Allow: GET, HEAD\r\n");
    expect(statusOf(await exchangeRaw(context.port, head("POST /api/config", { Authorization: "bad" })))).toBe(405);
  });

  test("a preflight is refused and allows nothing", async () => {
    await using context = await openFakeListener();
    const foreign = await exchangeRaw(
      context.port,
      head("OPTIONS /rest/put", { Origin: "https://evil.example", "Access-Control-Request-Method": "PUT" }),
    );
    const own = await exchangeRaw(context.port, head("OPTIONS /rest/put"));
    expect([statusOf(foreign), statusOf(own)]).toEqual([403, 405]);
    expect(foreign + own).not.toMatch(/access-control/i);
  });

  test("the JSON surface does not exist on the local listener unless it is configured", async () => {
    await using local = await openFakeListener({ listener: "local" });
    const answer = await get(local, "/api/config", { Authorization: "bad" });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body).code).toBe("PATH_UNKNOWN");
    await using withApi = await openFakeListener({ listener: "local", config: { localApi: true } });
    expect((await get(withApi, "/api/config", { Authorization: "bad" })).status).toBe(200);
  });
});

describe("authentication", () => {
  test("public paths look at no credentials, stale ones included", async () => {
    await using context = await openFakeListener();
    expect((await get(context, "/api/config", { Authorization: "bad" })).status).toBe(200);
    expect((await get(context, "/api/config", { Authorization: "bug" })).status).toBe(200);
  });

  test("each listener asks for credentials in its own way", async () => {
    await using portal = await openFakeListener();
    await using local = await openFakeListener({ listener: "local" });
    expect((await get(portal, "/rest/echo", { Authorization: "bad" })).raw).toContain("WWW-Authenticate: Bearer\r\n");
    expect((await get(local, "/rest/echo", { Authorization: "bad" })).raw).toContain(
      'WWW-Authenticate: Basic realm="/"\r\n',
    );
    expect((await get(local, "/rest/echo")).raw).not.toContain("WWW-Authenticate");
  });

  test("a role that may not is 403, and a body is not even read", async () => {
    await using context = await openFakeListener();
    const raw = await exchangeRaw(
      context.port,
      head("POST /rest/put", { Authorization: "guest", "Content-Length": "9", "Content-Type": "text/plain" }),
    );
    expect(statusOf(raw)).toBe(403);
  });

  test("a policy that depends on the body receives it", async () => {
    await using context = await openFakeListener();
    const put = (authorization: string, body: string) =>
      exchangeRaw(
        context.port,
        `${head("PUT /rest/put", { Authorization: authorization, "Content-Type": "application/json", "Content-Length": String(body.length) })}${body}`,
      );
    expect(
      await Promise.all([put("guest", ""), put("guest", "{}"), put("good", "{}"), put("bad", "{}")]).then((all) =>
        all.map(statusOf),
      ),
    ).toEqual([200, 403, 200, 401]);
  });

  test("a throttled login attempt and a failing store say when to retry", async () => {
    await using context = await openFakeListener();
    const throttled = await get(context, "/rest/echo", { Authorization: "slow down" });
    expect([throttled.status, throttled.raw.includes("Retry-After: 7\r\n")]).toEqual([429, true]);
    const trouble = await get(context, "/rest/echo", { Authorization: "trouble" });
    expect([trouble.status, trouble.raw.includes("Retry-After: 1\r\n")]).toEqual([503, true]);
  });
});

describe("bodies", () => {
  const post = (port: number, body: string | Buffer, headers: Record<string, string> = {}) =>
    exchangeRaw(
      port,
      Buffer.concat([
        Buffer.from(
          head("POST /rest/put", {
            "Content-Type": "application/json",
            "Content-Length": String(Buffer.byteLength(body)),
            ...headers,
          }),
        ),
        Buffer.from(body),
      ]),
    );

  test("a JSON body arrives parsed and as written", async () => {
    await using context = await openFakeListener();
    const raw = await post(context.port, '{"name": "ä", "value": 51.0}', {
      "Content-Type": "application/json; charset=utf-8",
    });
    expect(JSON.parse(bodyOf(raw))).toMatchObject({
      body: { name: "ä", value: 51 },
      rawBody: '{"name": "ä", "value": 51.0}',
    });
  });

  test("a chunked body is a body", async () => {
    await using context = await openFakeListener();
    const raw = await exchangeRaw(
      context.port,
      `${head("POST /rest/put", { "Content-Type": "application/json", "Transfer-Encoding": "chunked" })}5\r\n{"nam\r\n7\r\ne":"x"}\r\n0\r\n\r\n`,
    );
    expect(JSON.parse(bodyOf(raw)).body).toEqual({ name: "x" });
  });

  test.each([
    ["no JSON", "{", {}, 400, "BAD_JSON"],
    ["not the shape of the path", "{}", {}, 400, "BAD_BODY"],
    ["nothing where something is needed", "", {}, 400, "BAD_BODY"],
    ["another type", '{"name":"x"}', { "Content-Type": "text/plain" }, 415, "MEDIA_TYPE_REFUSED"],
    ["a form", "name=x", { "Content-Type": "application/x-www-form-urlencoded" }, 415, "MEDIA_TYPE_REFUSED"],
    ["compressed", gzipSync('{"name":"x"}'), { "Content-Encoding": "gzip" }, 415, "MEDIA_TYPE_REFUSED"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), {}, 400, "BAD_JSON"],
    ["larger than the setting", `{"name":"${"x".repeat(2000)}"}`, {}, 413, "BODY_TOO_LARGE"],
    ["of many small values", `{"name":[${"[],".repeat(998)}[]]}`, {}, 413, "BODY_TOO_LARGE"],
  ])("refused: %s", async (_, body, headers, status, code) => {
    await using context = await openFakeListener({ config: { bodyBytesMax: 1900, bodyValuesMax: 1000 } });
    const raw = await post(context.port, body, headers);
    expect([statusOf(raw), bodyOf(raw)]).toEqual([status, expect.stringContaining(code)]);
  });

  test("50 MB are refused at once, before they arrive, and a chunked flood as soon as it is too much", async () => {
    await using context = await openFakeListener();
    const declared = connect(context.port, "127.0.0.1");
    declared.write(
      head("POST /rest/put", {
        "Content-Type": "application/json",
        "Content-Length": "50000000",
        Connection: "keep-alive",
      }),
    );
    expect(statusOf(await readUntil(declared, "\r\n\r\n"))).toBe(413);
    declared.destroy();
    const chunked = connect(context.port, "127.0.0.1");
    chunked.write(
      head("POST /rest/put", {
        "Content-Type": "application/json",
        "Transfer-Encoding": "chunked",
        Connection: "keep-alive",
      }),
    );
    const answer = readUntil(chunked, "\r\n\r\n");
    for (let count = 0; count < 20; count += 1) chunked.write(`10000\r\n${"x".repeat(0x10000)}\r\n`);
    expect(statusOf(await answer)).toBe(413);
    chunked.destroy();
  });

  test("paths without a body ignore any body", async () => {
    await using context = await openFakeListener();
    expect(
      statusOf(
        await exchangeRaw(context.port, `${head("GET /rest/echo", { "Transfer-Encoding": "chunked" })}0\r\n\r\n`),
      ),
    ).toBe(200);
    expect(statusOf(await exchangeRaw(context.port, `${head("GET /rest/echo", { "Content-Length": "3" })}abc`))).toBe(
      200,
    );
    expect(
      statusOf(
        await exchangeRaw(
          context.port,
          head("POST /api/jwt/logout", { "Content-Type": "application/octet-stream", "Content-Length": "0" }),
        ),
      ),
    ).toBe(200);
  });

  test("the connection is used further after every kind of failure and an unread body", async () => {
    await using context = await openFakeListener({ config: { bodyBytesMax: 1024 } });
    const socket = connect(context.port, "127.0.0.1");
    const keep = { Connection: "keep-alive" };
    const steps: readonly [string, number][] = [
      [head("GET /rest/nothing", keep), 404],
      [head("GET /rest/echo", { ...keep, Authorization: "bad" }), 401],
      [`${head("GET /rest/echo", { ...keep, "Content-Length": "5" })}abcde`, 200],
      [
        `${head("POST /rest/put", { ...keep, "Content-Type": "application/json", "Content-Length": "3000" })}${"x".repeat(3000)}`,
        413,
      ],
      [`${head("POST /rest/put", { ...keep, Authorization: "guest", "Content-Length": "5" })}abcde`, 403],
      [head("GET /rest/%00", keep), 400],
      [head("GET /rest/echo"), 200],
    ];
    for (const [bytes, status] of steps) {
      socket.write(bytes);
      expect(statusOf(await readUntil(socket, /\r\n\r\n[\s\S]+[>}]$/))).toBe(status);
    }
  });
});

describe("replies", () => {
  test("lengths are bytes, and there is nothing that names the software", async () => {
    await using context = await openFakeListener();
    const { raw, body } = await get(context, "/rest/umlaut");
    expect(raw).toContain("Content-Length: 17\r\n");
    expect(raw).toContain("Content-Type: text/xml; charset=UTF-8\r\n");
    expect(body).toBe("<a>äöü😀</a>");
    expect(raw).not.toMatch(/\r\n(server|x-powered-by|access-control-[a-z-]+|strict-transport-security):/i);
    expect(raw).toContain("Cache-Control: no-store\r\n");
    expect(raw).toContain("X-Content-Type-Options: nosniff\r\n");
    expect(raw).toContain("frame-ancestors 'none'");
  });

  const tagged = { status: 200, contentType: "text/xml", body: LARGE, etag: 'W/"v1"', gzip: () => gzipSync(LARGE) };
  const routes = [
    ...FAKE_ROUTES,
    { ...FAKE_ROUTES[2], path: "/rest/tagged", handle: () => tagged },
  ] as typeof FAKE_ROUTES;

  test.each([
    ['W/"v1"', 304],
    ['"v1"', 304],
    ['W/"v0", W/"v1"', 304],
    ["*", 304],
    ['W/"v0"', 200],
  ])("If-None-Match: %s is answered %i", async (header, status) => {
    await using context = await openFakeListener({ routes });
    const { raw } = await get(context, "/rest/tagged", { "If-None-Match": header });
    expect(statusOf(raw)).toBe(status);
    expect(raw).toContain('ETag: W/"v1"\r\nVary: Accept-Encoding\r\n');
    expect(raw).toContain("Cache-Control: no-cache\r\n");
  });

  test.each([
    ["gzip, deflate", true],
    ["br;q=1, gzip;q=0.8", true],
    ["*", true],
    ["identity", false],
    ["gzip;q=0", false],
    ["gzip; q=0.000", false],
    ["xgzip", false],
    ["GZIP ; Q=0.001", true],
    ["gzip;q=0, *", false],
    ["*;q=0.5, gzip;q=0", false],
    ["*;q=0", false],
    ["gzip;q=high", false],
    ["gzip;q=2", false],
  ])("Accept-Encoding: %s", async (header, packs) => {
    await using context = await openFakeListener({ routes });
    const { raw } = await get(context, "/rest/tagged", { "Accept-Encoding": header });
    expect(raw.includes("Content-Encoding: gzip")).toBe(packs);
    const body = Buffer.from(raw.slice(raw.indexOf("\r\n\r\n") + 4), "latin1");
    expect((packs ? gunzipSync(body) : body).equals(LARGE)).toBe(true);
  });

  // Backtracking over one of these would take days.
  test.each([
    ["a quality without end", `gzip;q=.${"1".repeat(30_000)}x`],
    ["codings without end", "gzip ; q=1 x,".repeat(2000)],
    ["spaces without end", `gzip;${" ".repeat(30_000)}q=1${" ".repeat(1000)}x`],
  ])("%s in Accept-Encoding holds nobody up", async (_what, header) => {
    await using context = await openFakeListener({ routes });
    expect((await get(context, "/rest/tagged", { "Accept-Encoding": header })).raw).not.toContain("Content-Encoding");
  });

  test("without Accept-Encoding a body is not compressed", async () => {
    await using context = await openFakeListener({ routes });
    expect((await get(context, "/rest/tagged")).raw).not.toContain("Content-Encoding");
  });

  test("a bug is reported without its message, and logged with it", async () => {
    await using context = await openFakeListener();
    const { status, body, raw } = await get(context, "/rest/bug");
    expect([status, body]).toEqual([500, expect.stringMatching(XML_FAILURE)]);
    expect(body).not.toContain("secret");
    const id = /X-Request-Id: (\S+)/.exec(raw)?.[1];
    expect(context.lines.find(({ level }) => level === "error")?.fields).toMatchObject({
      request: id,
      route: "GET /rest/bug",
    });
  });

  test("no line of the log holds a path, a query or credentials", async () => {
    await using context = await openFakeListener();
    await get(context, "/rest/nodes/canary1/cmd/SET/canary2?key=canary3", { Authorization: "canary4" });
    await get(context, "/rest/canary5");
    expect(context.lines.length).toBeGreaterThan(1);
    expect(JSON.stringify(context.lines)).not.toContain("canary");
  });

  test("request ids differ", async () => {
    await using context = await openFakeListener();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => /X-Request-Id: (\S+)/.exec((await get(context, "/rest/echo")).raw)?.[1]),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe("time", () => {
  test("a request that takes longer than its deadline is answered 503 and its signal is aborted", async () => {
    const clock = new VirtualClock(0);
    let asked = () => {};
    const began = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = FAKE_ROUTES.find(({ path }) => path === "/rest/never");
    const routes = [
      {
        ...never,
        handle: (...args: Parameters<NonNullable<typeof never>["handle"]>) => {
          asked();
          return never?.handle(...args);
        },
      },
    ] as typeof FAKE_ROUTES;
    await using context = await openFakeListener({ clock, routes });
    const answer = get(context, "/rest/never");
    await began;
    await clock.advance(20_000);
    expect(await answer).toMatchObject({ status: 503, body: expect.stringContaining("DEADLINE_PASSED") });
  });

  test("the signal is aborted when the client disconnects", async () => {
    const aborted = Promise.withResolvers<void>();
    const route = {
      ...FAKE_ROUTES[2],
      handle: ({ signal }: { signal: AbortSignal }) =>
        new Promise(() => {
          socket.destroy();
          signal.addEventListener("abort", () => aborted.resolve());
        }),
    };
    await using context = await openFakeListener({ routes: [route] as unknown as typeof FAKE_ROUTES });
    const socket = connect(context.port, "127.0.0.1");
    socket.write(head("GET /rest/echo"));
    await aborted.promise;
  });

  test("50 requests at once from one client are all answered", async () => {
    await using context = await openFakeListener();
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(context, "/rest/large")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  });

  test("pipelined requests are answered in their order", async () => {
    await using context = await openFakeListener();
    const keep = { Connection: "keep-alive" };
    const answer = await exchangeRaw(
      context.port,
      head("GET /rest/nodes/a", keep) + head("GET /rest/nothing", keep) + head("GET /rest/nodes/b"),
    );
    expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404", "200"]);
  });

  test("stopping lets a running request end, and closes idle connections at once", async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const route = {
      ...FAKE_ROUTES[2],
      handle: async () => {
        begun.resolve();
        await go.promise;
        return { status: 200, contentType: "text/plain", body: "done" };
      },
    };
    const context = await openFakeListener({ routes: [route] as unknown as typeof FAKE_ROUTES });
    const idle = connect(context.port, "127.0.0.1");
    const idleClosed = new Promise((resolve) => idle.once("close", resolve));
    const answer = get(context, "/rest/echo", { Connection: "keep-alive" });
    await begun.promise;
    const stopped = context.stop();
    go.resolve();
    expect(await answer).toMatchObject({
      status: 200,
      body: "done",
      raw: expect.stringContaining("Connection: close"),
    });
    await stopped;
    await idleClosed;
  });

  test("an idle keep-alive connection says how long it is kept: more than 75 seconds", async () => {
    await using context = await openFakeListener();
    const agent = new Agent({ keepAlive: true });
    const header = await new Promise((resolve, reject) => {
      httpRequest({ port: context.port, path: "/rest/echo", agent, headers: { Authorization: "good" } }, (response) => {
        response.resume();
        resolve(response.headers["keep-alive"]);
      })
        .on("error", reject)
        .end();
    });
    agent.destroy();
    expect(Number(/timeout=(\d+)/.exec(String(header))?.[1])).toBeGreaterThanOrEqual(75);
  });
});

describe("starting", () => {
  test("a port in use is reported with the name of its setting", async () => {
    await using context = await openFakeListener();
    await expect(openFakeListener({ port: context.port })).rejects.toThrow(
      `Port ${context.port} (setting plainPort) is already in use on 127.0.0.1.`,
    );
  });

  test("an address of another machine is reported with the name of its setting", async () => {
    await expect(openFakeListener({ host: "192.0.2.1" })).rejects.toThrow(
      "The address 192.0.2.1 (setting plainHost) is not one of this machine's.",
    );
  });
});
