import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { level, nodeRecord, openStreamServices, type Reader, START_MS, type StreamServices } from "./services.ts";

const LAMP = "5C 2 D1 1";
const API = "/api/events/subscribe";
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

let services: StreamServices;
beforeEach(async () => {
  services = await openStreamServices({ streamClientsMax: 4, streamMessagesPerMinute: 20 });
  services.commit({ type: "node-added", node: nodeRecord(LAMP) });
  services.commit({
    type: "property-changed",
    address: LAMP,
    property: level(127, { changedAtMs: START_MS - 86_400_000 }),
  });
  services.commit({ type: "property-changed", address: LAMP, property: level(null, { id: "RR", uom: 25 }) });
  services.commit({ type: "property-changed", address: LAMP, property: level(255, { id: "OL" }) });
});
afterEach(() => services.close());

const login = (token: string) => JSON.stringify({ type: "auth", creds: { token } });

async function refusal(
  path: string,
  options = {},
): Promise<{ readonly status: number; readonly headers: object; readonly body: string }> {
  const ws = new WebSocket(`${services.url}${path}`, options);
  ws.on("error", () => {});
  const [, response] = await once(ws, "unexpected-response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

/** An upgrade with a head of one's own. */
async function upgrade(path: string, headers: Readonly<Record<string, string>>) {
  const sent = request(`${services.url.replace("ws", "http")}${path}`, {
    headers: { connection: "Upgrade", upgrade: "websocket", authorization: "good", ...headers },
  });
  const answered = once(sent, "response");
  sent.end();
  const [response] = await answered;
  let body = "";
  for await (const chunk of response) body += chunk;
  const { "content-type": type, "sec-websocket-version": version } = response.headers;
  return { status: response.statusCode, type, version, body };
}

async function webPage(...messages: readonly (string | Buffer)[]): Promise<Reader> {
  const reader = services.follow(API, {});
  await once(reader.ws, "open");
  for (const message of messages) reader.ws.send(message);
  return reader;
}

describe("the handshake", () => {
  test("greets on the XML stream with the id that every event carries", async () => {
    const reader = await services.follow().untilReplayed();
    expect(reader.messages[0]).toBe(
      "<SubscriptionResponse><SID>uuid:1</SID><duration>0</duration></SubscriptionResponse>",
    );
    expect(new Set(reader.events().map(({ sid }) => sid))).toEqual(new Set(["uuid:1"]));
  });

  test("echoes ISYSUB when it is offered, and asks for nothing else", async () => {
    const headers = { authorization: "good" };
    const offering = new WebSocket(`${services.url}/rest/subscribe`, ["other", "ISYSUB"], {
      headers,
      origin: "com.universal-devices.websockets.isy",
    });
    await once(offering, "open");
    expect(offering.protocol).toBe("ISYSUB");
    expect(offering.extensions).toBe("");
    offering.terminate();
    const plain = await services.follow().untilReplayed();
    expect(plain.ws.protocol).toBe("");
  });

  test("is refused without credentials on the XML stream", async () => {
    const { status, body } = await refusal("/rest/subscribe");
    expect(status).toBe(401);
    expect(body).toContain('<RestResponse succeeded="false"><status>401</status><reason code="UNAUTHENTICATED">');
  });

  test.each([
    ["no key", { "sec-websocket-version": "13" }],
    ["a key that is none", { "sec-websocket-version": "13", "sec-websocket-key": "short" }],
    ["a version that nobody speaks", { "sec-websocket-version": "99", "sec-websocket-key": KEY }],
    [
      "protocols that are no words",
      { "sec-websocket-version": "13", "sec-websocket-key": KEY, "sec-websocket-protocol": "," },
    ],
  ])("with %s is refused in the surface's own words", async (_what, headers) => {
    const xml = await upgrade("/rest/subscribe", headers);
    expect([xml.status, xml.type, xml.version]).toEqual([400, "text/xml; charset=UTF-8", "13"]);
    expect(xml.body).toContain('<RestResponse succeeded="false"><status>400</status><reason code="BAD_REQUEST">');
    const json = await upgrade(API, headers);
    expect([json.status, json.type]).toEqual([400, "application/json; charset=UTF-8"]);
    expect(JSON.parse(json.body)).toMatchObject({ successful: false, code: "BAD_REQUEST" });
  });

  test("is 503 with a time to come again when there are too many clients", async () => {
    for (let index = 0; index < 4; index += 1) await services.follow().untilReplayed();
    const full = await refusal(API, { headers: { authorization: "good" } });
    expect(full).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(JSON.parse(full.body)).toMatchObject({ successful: false, data: null, code: "TOO_MANY_SUBSCRIBERS" });
  });

  test("a client that leaves frees its place", async () => {
    const reader = await services.follow().untilReplayed();
    expect(services.streams.subscribers()).toEqual([{ sid: 1, isPortal: true, remoteAddress: "127.0.0.1" }]);
    reader.ws.terminate();
    await once(services.sockets[0] ?? reader.ws, "close");
    expect(services.streams.subscribers()).toEqual([]);
  });

  test("after the stop every stream is closed and further ones are refused", async () => {
    const reader = await services.follow().untilReplayed();
    const guest = await webPage();
    services.streams.stop();
    expect((await reader.untilClosed()).code).toBe(1001);
    expect((await guest.untilClosed()).code).toBe(1001);
    expect((await refusal(API)).status).toBe(503);
  });
});

describe("the replay", () => {
  beforeEach(() => {
    services.commit({ type: "node-added", node: nodeRecord("AA 1 1 1") });
    services.commit({ type: "node-link-changed", address: "AA 1 1 1", link: "unreachable", before: "online" });
    services.commit({
      type: "variable-added",
      variable: { type: 1, id: 2, name: "v", value: 5, init: 6, prec: 0, writtenAtMs: START_MS },
    });
    const times = { lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };
    services.commit({
      type: "program-added",
      program: { kind: "folder", id: 1, name: "My Programs", parentId: null, status: true, ...times, conditions: [] },
    });
    const idle = { enabled: true, runAtStartup: false, running: "idle", invalid: null, comment: "" } as const;
    services.commit({
      type: "program-added",
      program: { kind: "program", id: 2, name: "p", parentId: 1, status: true, ...times, ...idle, tree: EMPTY_TREE },
    });
    services.commit({ type: "control-sent", address: LAMP, control: "DON", value: 1 });
    services.commit({ type: "busy-changed", busy: true });
  });

  test("sends the state: values with their original times, lost nodes, programs, variables, modes, then a heartbeat", async () => {
    const events = (await services.follow().untilReplayed()).events();
    expect(events.map(({ control, action, node }) => `${control} ${action} ${node}`.trim())).toEqual([
      "_5 1",
      `OL 255 ${LAMP}`,
      `ST 127 ${LAMP}`,
      "_3 NE AA 1 1 1",
      "_1 0",
      "_1 6",
      "_1 7",
      "_4 5",
      "_4 6",
      "_0 30",
    ]);
    expect(events.map(({ seqnum }) => seqnum)).toEqual(events.map((_, index) => index));
    expect(events[2]?.timestamp).toBe("2031-02-02T04:05:06.123000-07:00");
  });

  test("on the JSON stream is followed by a word with the number of its last event", async () => {
    const reader = await services.follow(API).untilReplayed();
    expect(reader.messages.every((message) => message.startsWith('{"type":'))).toBe(true);
    expect(reader.messages.at(-2)).toBe('{"type":"replayed","data":"{\\"seqnum\\":8}"}');
    expect(reader.events().at(-1)).toMatchObject({ seqnum: 9, control: "_0" });
  });

  test("is the same on both streams", async () => {
    const rest = await services.follow().untilReplayed();
    const api = await services.follow(API).untilReplayed();
    const inner = (reader: Reader) => reader.documents().map((document) => document.replace(/sid="[^"]*"/, ""));
    expect(inner(api)).toEqual(inner(rest));
  });

  test.each([
    ["runs", { lastRunAtMs: START_MS - 1000, lastFinishAtMs: START_MS - 2000 }, "04:05:05"],
    ["has ended", { lastRunAtMs: START_MS - 3000, lastFinishAtMs: START_MS - 2000 }, "04:05:04"],
    ["has run and not ended", { lastRunAtMs: START_MS - 1000, lastFinishAtMs: null }, "04:05:05"],
  ])("a program that %s has the time at which it was last seen doing something", async (_what, run, time) => {
    services.commit({ type: "program-ran", id: 2, run });
    const program = (await services.follow().untilReplayed()).events().find(({ control }) => control === "_1");
    expect(program?.timestamp).toBe(`2031-02-03T${time}.123000-07:00`);
  });

  test("shows a renamed property and a new value in the next one", async () => {
    await services.follow().untilReplayed();
    services.commit({ type: "property-changed", address: LAMP, property: level(0) });
    services.commit({ type: "property-changed", address: LAMP, property: level(null, { id: "OL" }) });
    const again = await services.follow().untilReplayed();
    expect(again.events().filter(({ node }) => node === LAMP)).toMatchObject([
      { control: "ST", action: "0", fmtAct: "Off" },
    ]);
  });
});

describe("live", () => {
  test("every client gets every event under its own numbers", async () => {
    const readers = await Promise.all([services.follow().untilReplayed(), services.follow(API).untilReplayed()]);
    services.commit({ type: "property-changed", address: LAMP, property: level(1) });
    services.commit({ type: "control-sent", address: LAMP, control: "DON", value: 0 });
    for (const reader of readers) {
      await reader.until(() => reader.documents().at(-1)?.includes("<control>DON</control>") === true);
      const events = reader.events();
      expect(events.map(({ seqnum }) => seqnum)).toEqual(events.map((_, index) => index));
      expect(events.slice(-2).map(({ control, action }) => [control, action])).toEqual([
        ["ST", "1"],
        ["DON", "0"],
      ]);
    }
  });

  test("text outside ASCII and outside XML arrives whole", async () => {
    const readers = await Promise.all([services.follow().untilReplayed(), services.follow(API).untilReplayed()]);
    services.commit({ type: "node-renamed", address: LAMP, name: 'Küche "💡" \\ \u0001<b>' });
    for (const reader of readers) {
      await reader.until(() => reader.documents().at(-1)?.includes("newName") === true);
      expect(reader.events().at(-1)?.info).toBe("<newName>Küche &quot;💡&quot; \\ &lt;b&gt;</newName>");
    }
  });

  test("events on both sides of a frame's length limits are framed right", async () => {
    const reader = await services.follow().untilReplayed();
    const before = reader.messages.length;
    services.commit({ type: "node-renamed", address: LAMP, name: "" });
    await reader.until(() => reader.messages.length > before);
    const bare = (reader.messages.at(-1)?.length ?? 0) + 1; // The next numbers have one digit more.
    const lengths = [65_533, 65_534, 65_535, 65_536, 65_537, 200_000, 300].map((size) => size - bare);
    for (let count = 0; count < 3; count += 1) services.commit({ type: "busy-changed", busy: true });
    for (const length of lengths) services.commit({ type: "node-renamed", address: LAMP, name: "x".repeat(length) });
    await reader.until(() => reader.messages.length === before + 4 + lengths.length);
    expect(reader.messages.slice(-7).map((message) => message.length)).toEqual([
      65_533, 65_534, 65_535, 65_536, 65_537, 200_000, 300,
    ]);
    expect(
      reader
        .events()
        .slice(-7)
        .map(({ info }) => info.length - "<newName></newName>".length),
    ).toEqual(lengths);
  });

  test("after the home moved to another zone, times have its offset", async () => {
    const reader = await services.follow().untilReplayed();
    services.commit({
      type: "controller-changed",
      controller: { ...services.home.controller, timeZone: "Asia/Kolkata" },
    });
    await reader.until(() => reader.events().at(-1)?.control === "_4");
    expect(reader.events().at(-1)).toMatchObject({ action: "1", timestamp: "2031-02-03T16:35:06.123000+05:30" });
    const again = await services.follow().untilReplayed();
    expect(again.events().every(({ timestamp }) => timestamp.endsWith("+05:30"))).toBe(true);
  });

  test("a heartbeat comes every 20 s, and promises the next within 30 s", async () => {
    const reader = await services.follow().untilReplayed();
    const beats = () => reader.events().filter(({ control }) => control === "_0");
    for (let count = 2; count < 5; count += 1) {
      await services.clock.advance(19_999);
      await services.clock.advance(1);
      await reader.until(() => beats().length === count);
    }
    expect(new Set(beats().map(({ action }) => action))).toEqual(new Set(["30"]));
  });

  test("only heartbeats are sent in a quiet home", async () => {
    const reader = await services.follow().untilReplayed();
    const before = reader.messages.length;
    await services.clock.advance(15_000);
    reader.ws.ping();
    await once(reader.ws, "pong");
    expect(reader.messages).toHaveLength(before);
  });
});

describe("the login by a first message", () => {
  test.each([
    ["of one spelling", JSON.stringify({ auth: { token: "good" } })],
    ["of the other", login("good")],
  ])("%s starts the stream", async (_, message) => {
    const reader = await webPage(message);
    await reader.untilReplayed();
    expect(services.streams.subscribers()).toHaveLength(1);
  });

  test("is not needed when the header was good", async () => {
    const reader = await services.follow(API).untilReplayed();
    reader.ws.send(login("bad"));
    reader.ws.ping();
    await once(reader.ws, "pong");
    expect(reader.closed).toBeNull();
  });

  test.each([
    ["a bad token", login("bad"), 1008],
    ["trouble that passes", login("trouble"), 1013],
    ["no JSON", "hello", 1008],
    ["JSON that is no object", "[1]", 1008],
    ["another message", '{"type":"auth","creds":{}}', 1008],
    ["a binary message", Buffer.from(login("good")), 1008],
  ])("%s closes the stream", async (_, message, code) => {
    const reader = await webPage(message);
    expect((await reader.untilClosed()).code).toBe(code);
    expect(reader.messages).toEqual([]);
  });

  test("must come within five seconds", async () => {
    const reader = await webPage();
    await services.clock.advance(4999);
    expect(reader.closed).toBeNull();
    await services.clock.advance(1);
    expect((await reader.untilClosed()).code).toBe(1008);
  });

  test("of a page that disconnects while its token is checked starts nothing", async () => {
    const page = await webPage(login("slow"));
    page.ws.ping();
    await once(page.ws, "pong");
    const gone = once(services.sockets.at(-1) ?? page.ws, "close");
    page.ws.terminate();
    await gone;
    services.endChecks();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(services.streams.subscribers()).toEqual([]);
  });

  test("is the first message only: one that comes while its token is checked means nothing", async () => {
    const page = await webPage(login("slow"), login("bad"));
    page.ws.ping();
    await once(page.ws, "pong");
    services.endChecks();
    await page.untilReplayed();
    expect(services.streams.subscribers()).toHaveLength(1);
  });

  test("whose check ends after the deadline is refused", async () => {
    const page = await webPage(login("slow"));
    page.ws.ping();
    await once(page.ws, "pong");
    await services.clock.advance(5000);
    services.endChecks();
    expect((await page.untilClosed()).code).toBe(1008);
    expect(services.streams.subscribers()).toEqual([]);
  });

  test("finds its way in past strangers who wait and say nothing: those who waited longest go", async () => {
    const silent: Reader[] = [];
    while (silent.length < 4) silent.push(await webPage());
    const page = await webPage(login("good"));
    await page.untilReplayed();
    expect((await silent[0]?.untilClosed())?.code).toBe(1013);
    expect(silent.slice(1).map(({ ws }) => ws.readyState)).toEqual([1, 1, 1]);
  });

  test("finds no place when others took them all, and waiting ones take none", async () => {
    const reader = await webPage();
    for (let index = 0; index < 4; index += 1) await services.follow().untilReplayed();
    reader.ws.send(login("good"));
    expect((await reader.untilClosed()).code).toBe(1013);
  });
});

describe("the end of a session", () => {
  test("closes its streams and no others", async () => {
    const reader = await services.follow().untilReplayed();
    services.endSessions(["another"]);
    services.commit({ type: "busy-changed", busy: true });
    await reader.until(() => reader.events().at(-1)?.control === "_5");
    services.endSessions(["session-1"]);
    expect(await reader.untilClosed()).toEqual({ code: 1008, reason: "The session has ended." });
    expect(services.streams.subscribers()).toEqual([]);
  });
});

describe("liveness", () => {
  test("a client that answers pings stays, one that does not is cut", async () => {
    const lively = await services.follow().untilReplayed();
    const deaf = await services
      .follow("/rest/subscribe", { headers: { authorization: "good" }, autoPong: false })
      .untilReplayed();
    const asked = Promise.all([once(lively.ws, "ping"), once(deaf.ws, "ping")]);
    await services.clock.advance(30_000);
    await asked;
    lively.ws.ping();
    await once(lively.ws, "pong");
    await services.clock.advance(30_000);
    expect((await deaf.untilClosed()).code).toBe(1013);
    expect(lively.closed).toBeNull();
  });
});

describe("messages of clients", () => {
  test("is ignored on both streams", async () => {
    for (const path of ["/rest/subscribe", API]) {
      const reader = await services.follow(path).untilReplayed();
      reader.ws.send("anything");
      reader.ws.send(Buffer.from([0, 1, 2]));
      services.commit({ type: "busy-changed", busy: false });
      await reader.until(() => reader.events().at(-1)?.control === "_5");
    }
  });

  test("is limited in number", async () => {
    const reader = await services.follow().untilReplayed();
    for (let index = 0; index < 20; index += 1) reader.ws.send("x");
    await services.clock.advance(60_000);
    for (let index = 0; index < 21; index += 1) reader.ws.send("x");
    expect((await reader.untilClosed()).code).toBe(1008);
  });

  test.each(["/rest/subscribe", API])(
    "an event longer than a frame may be is left out on %s, and the next one is sent",
    async (path) => {
      const reader = services.follow(path);
      await reader.untilReplayed();
      const rename = (name: string) => services.commit({ type: "node-renamed", address: LAMP, name });
      rename("Long ".repeat(250_000));
      rename("Short");
      await reader.until(({ messages }) => messages.at(-1)?.includes("Short") === true);
      expect(Math.max(...reader.messages.map(({ length }) => length))).toBeLessThan(1_048_576);
      const numbers = reader.events().map(({ seqnum }) => Number(seqnum));
      expect(numbers).toEqual(numbers.map((_, at) => at));
    },
  );

  test.each(["/rest/subscribe", API])("the longest event on %s makes no frame longer than the limit", async (path) => {
    const frameMax = 65_536;
    const small = await openStreamServices({ streamFrameBytesMax: frameMax });
    onTestFinished(() => small.close());
    small.commit({ type: "node-added", node: nodeRecord(LAMP) });
    const reader = small.follow(path);
    await reader.untilReplayed();
    for (let chars = frameMax - 1500; chars < frameMax; chars += 50)
      small.commit({ type: "node-renamed", address: LAMP, name: "x".repeat(chars) });
    small.commit({ type: "node-renamed", address: LAMP, name: "Short" });
    await reader.until(({ messages }) => messages.at(-1)?.includes("Short") === true);
    const longest = Math.max(...reader.messages.map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(frameMax);
    expect(longest).toBeGreaterThan(frameMax - 512);
  });

  test("a flood of pings is cut, also before the login", async () => {
    const reader = await webPage();
    for (let index = 0; index < 1000; index += 1) reader.ws.ping();
    expect((await reader.untilClosed()).code).toBe(1008);
  });

  test("a large message is cut, also before the login", async () => {
    const reader = await webPage("x".repeat(100_000));
    expect((await reader.untilClosed()).code).toBe(1009);
  });

  test("endless fragments are cut, empty ones too", async () => {
    for (const piece of ["", "x"]) {
      const reader = await webPage();
      for (let index = 0; index < 1000; index += 1) reader.ws.send(piece, { fin: false });
      expect((await reader.untilClosed()).code).toBe(1008);
    }
  });

  test("a protocol error is closed with its code", async () => {
    const reader = await services.follow().untilReplayed();
    const socket = Reflect.get(reader.ws, "_socket") as import("node:net").Socket;
    socket.write(Buffer.from([0x81, 0x01, 0x41])); // A client's frame that is not masked.
    expect((await reader.untilClosed()).code).toBe(1002);
  });
});
