import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { StreamPort } from "../../src/http/request/listener-context.ts";
import { bodyOf, exchangeRaw, type FakeOptions, head, openFakeListener, statusOf } from "./fake-services.ts";

type Upgrade = Parameters<StreamPort["handleUpgrade"]>[0];

function recordUpgrades(): { readonly streams: StreamPort; readonly taken: Upgrade[] } {
  const taken: Upgrade[] = [];
  return {
    taken,
    streams: {
      follow() {},
      handleUpgrade(upgrade) {
        taken.push(upgrade);
        upgrade.socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      },
    },
  };
}

const upgradeHead = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  head(`GET ${path}`, {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  });

async function ask(
  bytes: string,
  options: FakeOptions = {},
): Promise<{ status: number; raw: string; taken: Upgrade[] }> {
  const { streams, taken } = recordUpgrades();
  await using context = await openFakeListener({ streams, ...options });
  const raw = await exchangeRaw(context.port, bytes);
  return { status: statusOf(raw), raw, taken };
}

const anonymous = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

describe("an upgrade", () => {
  test.each(["/rest/subscribe", "/rest/subscribe/", "//rest//subscribe", "/rest/rest/subscribe"])(
    "of %s is passed on with its principal",
    async (path) => {
      const { status, taken } = await ask(upgradeHead(path));
      expect(status).toBe(101);
      expect(taken[0]).toMatchObject({
        surface: "rest",
        principal: { login: "owner" },
        listener: "portal",
        remoteAddress: "127.0.0.1",
      });
    },
  );

  test("takes what came behind the head along", async () => {
    const { taken } = await ask(`${upgradeHead("/api/events/subscribe")}early`);
    expect(taken[0]?.surface).toBe("api");
    expect(taken[0]?.head.toString()).toBe("early");
  });

  test("needs no origin, and takes one that is no web site", async () => {
    expect((await ask(upgradeHead("/rest/subscribe", { Origin: "com.universal-devices.websockets.isy" }))).status).toBe(
      101,
    );
  });

  test("of the JSON stream may lack credentials, of the XML stream not", async () => {
    const json = await ask(anonymous("/api/events/subscribe"));
    expect([json.status, json.taken[0]?.principal]).toEqual([101, null]);
    const xml = await ask(anonymous("/rest/subscribe"), { listener: "local" });
    expect(xml.status).toBe(401);
    expect(xml.raw).toContain('WWW-Authenticate: Basic realm="/"\r\n');
    expect(xml.taken).toEqual([]);
  });

  test.each([
    ["bad", 401],
    ["slow down", 429],
    ["trouble", 503],
    ["bug", 500],
  ])("with credentials that are %s is answered %i in HTTP, then closed", async (authorization, status) => {
    for (const path of ["/rest/subscribe", "/api/events/subscribe"]) {
      const answer = await ask(upgradeHead(path, { Authorization: authorization }));
      expect(answer.status).toBe(status);
      expect(answer.raw).toContain("Connection: close\r\n");
      expect(answer.raw).toContain(`Content-Length: ${Buffer.byteLength(bodyOf(answer.raw))}\r\n`);
      expect(answer.raw).not.toContain("secret");
      expect(answer.taken).toEqual([]);
    }
  });

  test("of any other path is 404", async () => {
    expect((await ask(upgradeHead("/rest/echo"))).status).toBe(404);
    expect((await ask(upgradeHead("/api/events/subscribe"), { listener: "local" })).status).toBe(404);
    expect(
      (await ask(upgradeHead("/api/events/subscribe"), { listener: "local", config: { localApi: true } })).status,
    ).toBe(101);
    expect((await ask(upgradeHead("/rest/%2e%2e/subscribe"))).status).toBe(400);
  });

  test("without an Upgrade header, as behind a proxy that drops it, is answered with what is missing", async () => {
    const plain = async (path: string, options: FakeOptions = {}) => {
      await using context = await openFakeListener(options);
      return await exchangeRaw(context.port, head(`GET ${path}`, { Connection: "close", Authorization: "good" }));
    };
    const xml = await plain("/rest/subscribe");
    expect([statusOf(xml), bodyOf(xml)]).toEqual([426, expect.stringContaining('code="UPGRADE_REQUIRED"')]);
    expect(xml).toContain("Upgrade: websocket\r\n");
    expect(bodyOf(await plain("/api/events/subscribe"))).toContain('"code":"UPGRADE_REQUIRED"');
    expect(statusOf(await plain("/api/events/subscribe", { listener: "local" }))).toBe(404);
  });

  test("to another protocol is ignored: the request is answered as it stands", async () => {
    expect(
      (
        await ask(
          head("GET /rest/echo", {
            Connection: "Upgrade, HTTP2-Settings, close",
            Upgrade: "h2c",
            "HTTP2-Settings": "",
          }),
        )
      ).status,
    ).toBe(200);
  });

  test("whose client disconnects before it is authenticated is dropped", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<null>();
    const { streams, taken } = recordUpgrades();
    const authenticate = () => {
      asked.resolve();
      return answer.promise;
    };
    await using context = await openFakeListener({ streams, extra: { auth: { authenticate } as never } });
    const socket = connect(context.port, "127.0.0.1");
    socket.write(anonymous("/api/events/subscribe"));
    await asked.promise;
    socket.resetAndDestroy();
    await context.stop();
    answer.resolve(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toEqual([]);
  });
});

test("stopping closes streams that are still open", async () => {
  const taken = Promise.withResolvers<void>();
  const streams: StreamPort = { follow: () => {}, handleUpgrade: () => taken.resolve() };
  const context = await openFakeListener({ streams });
  const socket = connect(context.port, "127.0.0.1");
  socket.write(upgradeHead("/rest/subscribe"));
  await taken.promise;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await context.stop();
  await closed;
});
