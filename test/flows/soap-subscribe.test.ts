/** Event subscriptions on a kept connection, byte for byte as older clients write and read them. */

import { connect as connectPlain, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { envelope, outcomeOf, soapClient } from "../support/soap.ts";

const WAIT = { timeout: 5000, interval: 10 };

let controller: TestController;
const sockets: Socket[] = [];

beforeEach(async () => {
  controller = await startTestController({ virtualLatencyMs: 0, plainPort: 0, streamClientsPerAccountMax: 3 });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await controller.stop();
});

type Message = { readonly head: string; readonly body: string };

/** Reads as the strictest of these clients do: heads end with an empty line, and their length is exact. */
class Reader {
  readonly socket: Socket;
  isClosed = false;
  #bytes = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    sockets.push(socket);
    socket.on("data", (bytes) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isClosed = true;
    });
  }

  /** Everything that has come, message by message. */
  get messages(): readonly Message[] {
    const found: Message[] = [];
    for (let at = 0; ; ) {
      const end = this.#bytes.indexOf("\r\n\r\n", at);
      if (end < 0) return found;
      const head = this.#bytes.subarray(at, end).toString();
      const length = Number(/^CONTENT-LENGTH: ?(\d+)$/im.exec(head)?.[1]);
      if (this.#bytes.length < end + 4 + length) return found;
      found.push({ head, body: this.#bytes.subarray(end + 4, end + 4 + length).toString() });
      at = end + 4 + length;
    }
  }

  get events(): readonly string[] {
    return this.messages.filter(({ head }) => head.startsWith("POST ")).map(({ body }) => body);
  }
}

async function open(listener: "plain" | "local" = "plain"): Promise<Reader> {
  if (listener === "local") return new Reader(await controller.local.socket());
  const { port, hostname } = new URL(controller.controller.plainUrl ?? "");
  return new Reader(connectPlain(Number(port), hostname));
}

const authorization = () => controller.basic().Authorization;

/** As a library for Python writes it: bare line feeds in the head, all but the last two line ends. */
function bare(name: string, inner: string): string {
  const body = `<s:Envelope><s:Body>\n<u:${name} xmlns:u="urn:udi-com:service:X_Insteon_Lighting_Service:1">\n${inner}\n</u:${name}></s:Body></s:Envelope>\n\r\n\n`;
  return (
    `POST /services HTTP/1.1\nHost: 127.0.0.1:80\nAuthorization: ${authorization()}\nContent-Length: ${body.length}\n` +
    `Content-Type: text/xml; charset="utf-8"\nSOAPAction: urn:udi-com:device:X_Insteon_Lighting_Service:1#${name}\r\n\r\n${body}`
  );
}

const SUBSCRIBE = "<reportURL>REUSE_SOCKET</reportURL>\n<duration>infinite</duration>";

async function subscribed(listener: "plain" | "local" = "plain"): Promise<Reader> {
  const reader = await open(listener);
  reader.socket.write(bare("Subscribe", SUBSCRIBE));
  await vi.waitFor(() => expect(reader.events.length).toBeGreaterThan(50), WAIT);
  return reader;
}

describe("a subscription on a kept connection", () => {
  test.each(["plain", "local"] as const)(
    "at the %s listener begins with its number and the present state",
    async (listener) => {
      const { messages, events } = await subscribed(listener);
      const [answer] = messages;
      expect(answer?.head).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: \d+\r\n/);
      const [, sid] =
        /<s:Body><SubscriptionResponse><SID>(uuid:\d+)<\/SID><duration>0<\/duration>/.exec(answer?.body ?? "") ?? [];
      expect(sid).toBeDefined();
      expect(messages[1]?.head).toMatch(
        /^POST reuse HTTP\/1\.1\r\nHOST:\S+\r\nCONTENT-TYPE:text\/xml\r\nCONTENT-LENGTH:\d+\r\nConnection: Keep-Alive$/,
      );
      for (const [at, event] of events.entries())
        expect(event).toMatch(new RegExp(`^<\\?xml version="1.0"\\?><Event seqnum="${at}" sid="${sid}" .*</Event>$`));
    },
  );

  test("reports the changes that other clients cause, and heartbeats", async () => {
    const reader = await subscribed();
    await controller.local.get(`/rest/nodes/${encodeURIComponent("1A 2B 3C 1")}/cmd/DON/117`);
    const lamp = '<control>ST</control><action uom="100" prec="0">117</action><node>1A 2B 3C 1</node>';
    await vi.waitFor(() => expect(reader.events.some((event) => event.includes(lamp))).toBe(true), WAIT);
    const heartbeats = () =>
      reader.events.filter((event) => event.includes("<control>_0</control><action>30</action>"));
    const before = heartbeats().length;
    for (let minute = 0; minute < 10; minute += 1) await controller.clock.advance(60_000);
    await vi.waitFor(() => expect(heartbeats().length).toBe(before + 30), WAIT);
  });

  test("ends when the client says so on the same connection, or on another one", async () => {
    const reader = await subscribed();
    const { subscribers } = controller.services;
    expect(subscribers().length).toBe(1);
    reader.socket.write(bare("Unsubscribe", "<SID>uuid:1</SID>"));
    await vi.waitFor(() => expect(reader.isClosed).toBe(true), WAIT);
    expect(reader.messages.at(-1)?.body).toContain("<UDIDefaultResponse><status>200</status>");
    const other = await subscribed("local");
    const [last] = subscribers();
    const soap = soapClient(controller.local, controller.basic());
    const is = `<SID>uuid:${last?.sid}</SID>`;
    expect([(await soap("IsSubscribed", is)).status, (await soap("Unsubscribe", is)).status]).toEqual([200, 200]);
    await vi.waitFor(() => expect(other.isClosed).toBe(true), WAIT);
    expect([(await soap("IsSubscribed", is)).status, (await soap("Unsubscribe", is)).status]).toEqual([814, 814]);
    expect(subscribers()).toEqual([]);
  });

  test("is found also where the length of the request cuts off its end", async () => {
    const reader = await open();
    const body = `\r\n${envelope("Subscribe", SUBSCRIBE)}`.trimEnd();
    const head = `POST /services HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization()}\r\nContent-Length: ${body.length - 2}\r\n\r\n`;
    reader.socket.write(head + body);
    await vi.waitFor(() => expect(reader.events.length).toBeGreaterThan(50), WAIT);
  });

  test("may come in pieces", async () => {
    const reader = await open();
    const text = bare("Subscribe", SUBSCRIBE);
    for (let at = 0; at < text.length; at += 60) {
      reader.socket.write(text.slice(at, at + 60));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await vi.waitFor(() => expect(reader.events.length).toBeGreaterThan(50), WAIT);
  });

  test("is refused in the status line: too many, without credentials, to an address", async () => {
    for (let count = 0; count < 3; count += 1) await subscribed();
    const fourth = await open();
    fourth.socket.write(bare("Subscribe", SUBSCRIBE));
    await vi.waitFor(() => expect(fourth.isClosed).toBe(true), WAIT);
    expect(fourth.messages[0]?.head).toMatch(/^HTTP\/1\.1 817 /);
    const stranger = await open();
    stranger.socket.write(bare("Subscribe", SUBSCRIBE).replace(/Authorization: .*\n/, ""));
    await vi.waitFor(() => expect(stranger.messages[0]?.head).toMatch(/^HTTP\/1\.1 401 /), WAIT);
    const url = "<reportURL>http://192.0.2.9:8080/events</reportURL>";
    const answer = await soapClient(controller.local, controller.basic())("Subscribe", url);
    expect([answer.status, outcomeOf(answer)?.status]).toEqual([814, 814]);
  });

  test("does not loosen other requests: bare line feeds elsewhere are refused as before", async () => {
    for (const first of [
      "GET /rest/config HTTP/1.1",
      "POST /api/login HTTP/1.1",
      "POST /services HTTP/1.0",
      "post /services HTTP/1.1",
    ]) {
      const reader = await open();
      reader.socket.write(`${first}\nHost: 127.0.0.1\nAuthorization: ${authorization()}\r\n\r\n`);
      await vi.waitFor(() => expect(reader.messages[0]?.head).toMatch(/^HTTP\/1\.1 400 /), WAIT);
    }
    const twoLengths = await open();
    twoLengths.socket.write(bare("Subscribe", SUBSCRIBE).replace("Content-Type", "Content-Length: 5\nContent-Type"));
    await vi.waitFor(() => expect(twoLengths.messages[0]?.head).toMatch(/^HTTP\/1\.1 400 /), WAIT);
  });

  test("a client that floods the connection is cut, and one that goes leaves nothing behind", async () => {
    const flood = await subscribed();
    const timer = setInterval(() => flood.socket.write("x".repeat(10)), 1);
    await vi.waitFor(() => expect(flood.isClosed).toBe(true), { timeout: 20_000, interval: 10 });
    clearInterval(timer);
    const reader = await subscribed();
    reader.socket.destroy();
    await vi.waitFor(() => expect(controller.services.subscribers()).toEqual([]), WAIT);
  });

  test("the controller stops at once, with subscriptions open", async () => {
    const reader = await subscribed();
    const startedMs = performance.now();
    await controller.stop();
    expect(performance.now() - startedMs).toBeLessThan(2500);
    await vi.waitFor(() => expect(reader.isClosed).toBe(true), WAIT);
  });
});
