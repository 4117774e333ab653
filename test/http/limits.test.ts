/**
 * Limits against floods: order of requests, memory for bodies, work under way, connections, and the client's address.
 */

import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Principal } from "../../src/auth/principal.ts";
import { ClientAddresses } from "../../src/http/request/client-addresses.ts";
import { FairQueue, type Source } from "../../src/http/request/fair-queue.ts";
import type { Route } from "../../src/http/route.ts";
import {
  bodyOf,
  exchangeRaw,
  FAKE_ROUTES,
  type FakeListener,
  type FakeOptions,
  get,
  head,
  openFakeListener,
  readUntil,
  statusOf,
} from "./fake-services.ts";

const account = (id: string): Source => ({ kind: "account", id });
const address = (id: string): Source => ({ kind: "address", id });

/** Keeps the loop busy for longer than one turn may take, so that what follows has to wait. */
function spendTurn(): void {
  const untilMs = performance.now() + 20;
  while (performance.now() < untilMs);
}

describe("turns", () => {
  /** In which order tasks of these sources run that come while the loop is busy. */
  async function order(sources: readonly Source[]): Promise<readonly string[]> {
    const queue = new FairQueue();
    const ran: string[] = [];
    const all = Promise.withResolvers<void>();
    queue.run(account("first"), spendTurn);
    const accounts = new Set(sources.filter(({ kind }) => kind === "account").map(({ id }) => id));
    for (const id of accounts) queue.run(account(id), () => {});
    for (const source of sources) {
      queue.run(source, () => {
        ran.push(source.id);
        if (ran.length === sources.length) all.resolve();
      });
    }
    expect(ran).toEqual([]);
    await all.promise;
    return ran;
  }

  test("rotate between the sources, for any number of requests", async () => {
    expect(await order([account("a"), account("a"), account("a"), account("b"), account("c")])).toEqual([
      "a",
      "b",
      "c",
      "a",
      "a",
    ]);
  });

  test("go to an account after one address, however many addresses wait", async () => {
    const crowd = Array.from({ length: 100 }, (_, n) => address(`stranger ${n}`));
    const ran = await order([...crowd, account("owner")]);
    expect(ran.indexOf("owner")).toBeLessThanOrEqual(1);
    expect(ran).toHaveLength(101);
  });

  test("are given at once to an account that had none in this turn of the loop, and only once", async () => {
    const queue = new FairQueue();
    const ran: string[] = [];
    const all = Promise.withResolvers<void>();
    queue.run(account("guest"), spendTurn);
    for (let n = 0; n < 100; n += 1) queue.run(address(`stranger ${n}`), () => {});
    queue.run(account("owner"), () => ran.push("first"));
    queue.run(account("owner"), () => all.resolve());
    queue.run(account("owner"), () => ran.push("third"));
    expect(ran).toEqual(["first"]);
    await all.promise;
    expect(ran).toEqual(["first"]);
  });

  test("come in the order of requests within a source", async () => {
    const queue = new FairQueue();
    const ran: number[] = [];
    queue.run(account("a"), spendTurn);
    await new Promise<void>((resolve) => {
      for (let n = 0; n < 200; n += 1) queue.run(account("a"), () => void (ran.push(n) === 200 && resolve()));
    });
    expect(ran).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  test("are given at once while no other request waits", () => {
    const queue = new FairQueue();
    let ran = 0;
    queue.run(account("a"), () => (ran += 1));
    queue.run(address("b"), () => (ran += 1));
    expect(ran).toBe(2);
  });

  /** Turns of the loop that a waiting task waits while a connection is accepted in each of the first ones. */
  async function turnsWhileAccepting(connections: number): Promise<number> {
    const queue = new FairQueue();
    let hasRun = false;
    queue.run(account("a"), spendTurn);
    queue.run(address("b"), () => {
      hasRun = true;
    });
    let turns = 0;
    for (; !hasRun; turns += 1) {
      if (turns < connections) queue.accepted();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return turns;
  }

  test("let connections that arrived meanwhile be accepted first, so that these are not held up either", async () => {
    const without = await turnsWhileAccepting(0);
    expect(await turnsWhileAccepting(10)).toBe(without + 10);
  });

  test("are not held up for ever by connections", async () => {
    expect(await turnsWhileAccepting(Number.POSITIVE_INFINITY)).toBeLessThan(40);
  });

  test("that take long yield to the loop between two of them", async () => {
    const queue = new FairQueue();
    const happened: string[] = [];
    const done = Promise.withResolvers<void>();
    queue.run(account("a"), spendTurn);
    queue.run(account("a"), () => {});
    for (const name of ["one", "two", "three"]) {
      queue.run(account("a"), () => {
        happened.push(name);
        spendTurn();
        if (name === "three") done.resolve();
      });
    }
    const beat = setInterval(() => happened.push("timer"), 1);
    await done.promise;
    clearInterval(beat);
    const between = happened.slice(happened.indexOf("one"), happened.indexOf("three"));
    expect(between.filter((name) => name === "timer").length).toBeGreaterThanOrEqual(2);
  });
});

const base = { summary: "", page: "", listener: "both", changes: true } as const;
const said = (body: string) => ({ status: 200, contentType: "text/plain", body });
const LOGIN: Route = {
  ...base,
  method: "POST",
  path: "/api/login",
  access: "public",
  body: { type: "object" },
  handle: () => said("in"),
};

const keep = { Connection: "keep-alive", "Content-Type": "application/json" };

function open(server: FakeListener, from = "127.0.0.1"): Socket {
  return connect({ port: server.port, host: "127.0.0.1", localAddress: from });
}

/** Declares a body and sends nothing of it. */
function slowBody(server: FakeListener, line: string, bytes: number, headers: Record<string, string>, from?: string) {
  const socket = open(server, from);
  socket.write(head(line, { ...keep, ...headers, "Content-Length": String(bytes) }));
  return { socket, answer: readUntil(socket) };
}

/** Settles when the server has read everything that was sent to it before: it answers in the order of arrival. */
const settled = (server: FakeListener) => get(server, "/rest/echo", { Authorization: "guest" });

describe("bodies of strangers", () => {
  const MIB = 1_048_576;
  const SMALL = 16_384;
  const stranger = { Authorization: "" };
  const listen = (options: FakeOptions = {}) =>
    openFakeListener({
      ...options,
      routes: [...FAKE_ROUTES, LOGIN],
      config: { strangerBodiesBytesMax: MIB, ...options.config },
    });
  const isOpen = ({ socket }: { readonly socket: Socket }) => !socket.destroyed && !socket.readableEnded;

  test("that take their time make space for others from their address, the oldest first", async () => {
    await using server = await listen();
    const slow = [];
    // An eighth of the budget is one address's.
    for (let n = 0; n < 8; n += 1) {
      slow.push(slowBody(server, "POST /api/login", SMALL, stranger));
      await settled(server);
    }
    expect(slow.map(isOpen)).toEqual(Array(8).fill(true));
    const login = await exchangeRaw(
      server.port,
      `${head("POST /api/login", { ...stranger, "Content-Type": "application/json", "Content-Length": "2" })}{}`,
    );
    expect(bodyOf(login)).toBe("in");
    const answer = await slow[0]?.answer;
    expect(statusOf(answer ?? "")).toBe(429);
    expect(answer).toContain("Retry-After: 1\r\n");
    expect(answer).toContain("Connection: close\r\n");
    expect(slow.slice(1).map(isOpen)).toEqual(Array(7).fill(true));
    for (const { socket } of slow) socket.destroy();
  });

  test("of other addresses are not cut until all together are too many", async () => {
    await using server = await listen();
    const slow = [];
    for (let n = 0; n < 64; n += 1) {
      slow.push(slowBody(server, "POST /api/login", SMALL, stranger, `127.0.1.${1 + (n % 8)}`));
      await settled(server);
    }
    expect(slow.every(isOpen)).toBe(true);
    slow.push(slowBody(server, "POST /api/login", SMALL, stranger, "127.0.2.1"));
    expect(statusOf((await slow[0]?.answer) ?? "")).toBe(429);
    expect(slow.slice(1).every(isOpen)).toBe(true);
    for (const { socket } of slow) socket.destroy();
  });

  test("that are longer than a login may be are refused", async () => {
    await using server = await listen();
    const { socket, answer } = slowBody(server, "POST /api/login", SMALL + 1, { ...stranger, Connection: "close" });
    expect(statusOf(await answer)).toBe(413);
    socket.destroy();
  });

  test("release their space when they end, in every case", async () => {
    await using server = await listen();
    const login = (bytes: string) =>
      exchangeRaw(
        server.port,
        `${head("POST /api/login", { ...stranger, "Content-Type": "application/json", "Content-Length": String(bytes.length) })}${bytes}`,
      );
    for (let n = 0; n < 20; n += 1) {
      const [good, bad] = await Promise.all([login(`{"a":"${"x".repeat(16_000)}"}`), login("x".repeat(16_000))]);
      expect([statusOf(good), statusOf(bad)]).toEqual([200, 400]);
      const { socket } = slowBody(server, "POST /api/login", SMALL, stranger);
      await settled(server);
      socket.destroy();
    }
  });
});

describe("bodies of accounts", () => {
  const MIB = 1_048_576;
  const put = async (server: FakeListener, authorization: string) => {
    const line = head("PUT /rest/put", {
      Authorization: authorization,
      "Content-Type": "application/json",
      "Content-Length": "2",
    });
    return statusOf(await exchangeRaw(server.port, `${line}{}`));
  };

  test("have a budget for each account", async () => {
    const config = { accountBodiesBytesMax: MIB, smallBodyBytesMax: MIB };
    const access: Route["access"] = { least: "read", action: () => "read" };
    const routes = FAKE_ROUTES.map((route) => (route.method === "PUT" ? { ...route, access } : route));
    await using server = await openFakeListener({ config, routes });
    const slow = slowBody(server, "PUT /rest/put", MIB, { Authorization: "good" });
    await settled(server);
    expect(await Promise.all([put(server, "good"), put(server, "guest")])).toEqual([429, 200]);
    slow.socket.write(`{"a":"${"x".repeat(MIB - 8)}"}`);
    expect(statusOf(await readUntil(slow.socket, "}"))).toBe(200);
    expect(await put(server, "good")).toBe(200);
    slow.socket.destroy();
  });

  test("are not read before the account is allowed the least of what they may ask for", async () => {
    const access: Route["access"] = { least: "write-variable", action: () => "write-variable" };
    const routes = FAKE_ROUTES.map((route) => (route.method === "PUT" ? { ...route, access } : route));
    await using server = await openFakeListener({ routes });
    const { socket } = slowBody(server, "PUT /rest/put", 10_000, { Authorization: "guest" });
    expect(statusOf(await readUntil(socket, "FORBIDDEN"))).toBe(403);
    socket.destroy();
  });
});

describe("work under way", () => {
  /** Handlers wait until the test lets them answer. */
  async function busy(options: FakeOptions) {
    const begun: (() => void)[] = [];
    const handle: Route["handle"] = () => new Promise((resolve) => begun.push(() => resolve(said("done"))));
    const slow: Route = { ...base, method: "GET", path: "/rest/slow", changes: false, access: "read", handle };
    const open: Route = { ...slow, path: "/api/slow", access: "public" };
    const server = await openFakeListener({ ...options, routes: [...FAKE_ROUTES, slow, open] });
    const ask = (path: string, authorization: string, from?: string) => {
      const socket = connect({ port: server.port, host: "127.0.0.1", ...(from ? { localAddress: from } : {}) });
      socket.write(head(`GET ${path}`, { Authorization: authorization }));
      return { socket, answer: readUntil(socket) };
    };
    const reach = async (count: number) => {
      while (begun.length < count) await settled(server);
      for (let more = 0; more < 5; more += 1) await settled(server);
      expect(begun).toHaveLength(count);
    };
    return { begun, server, ask, reach, [Symbol.asyncDispose]: () => server.stop() };
  }

  test("of one account beyond its limit waits, is never refused, and delays no other account", async () => {
    await using context = await busy({ config: { accountRequestsMax: 8 } });
    const all = Array.from({ length: 20 }, () => context.ask("/rest/slow", "good"));
    await context.reach(8);
    const guest = context.ask("/rest/slow", "guest");
    await context.reach(9);
    for (let at = 0; at < 21; at += 1) {
      while (!context.begun[at]) await new Promise((resolve) => setImmediate(resolve));
      context.begun[at]?.();
    }
    const statuses = (await Promise.all([...all, guest].map(({ answer }) => answer))).map(statusOf);
    expect(statuses).toEqual(Array(21).fill(200));
  });

  test("of strangers is limited for an address and for all together", async () => {
    await using context = await busy({ config: { addressRequestsMax: 4, strangerRequestsMax: 8 } });
    const all = ["127.0.1.1", "127.0.1.2", "127.0.1.3"].flatMap((from) =>
      Array.from({ length: 6 }, () => context.ask("/api/slow", "", from)),
    );
    await context.reach(8);
    const owner = context.ask("/rest/slow", "good");
    await context.reach(9);
    for (let at = 0; at < 19; at += 1) {
      while (!context.begun[at]) await new Promise((resolve) => setImmediate(resolve));
      context.begun[at]?.();
    }
    const statuses = (await Promise.all([...all, owner].map(({ answer }) => answer))).map(statusOf);
    expect(statuses).toEqual(Array(19).fill(200));
  });

  test("in parts lets others have their turns between these", async () => {
    let [begun, ended] = [0, 0];
    const handle: Route["handle"] = async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      begun += 1;
      for (let part = 0; part < 5; part += 1) await request.inTurn(spendTurn);
      ended += 1;
      return said("done");
    };
    const long: Route = { ...base, method: "GET", path: "/rest/long", changes: false, access: "read", handle };
    await using server = await openFakeListener({ routes: [...FAKE_ROUTES, long] });
    const asked = Array.from({ length: 8 }, () => get(server, "/rest/long", { Authorization: "guest" }));
    while (begun < asked.length) await new Promise((resolve) => setImmediate(resolve));
    await get(server, "/rest/echo", { Authorization: "good" });
    expect(ended).toBeLessThan(asked.length);
    await Promise.all(asked);
  });

  test("releases its place when its client disconnects, also while it waits", async () => {
    await using context = await busy({ config: { accountRequestsMax: 8 } });
    const all = Array.from({ length: 16 }, () => context.ask("/rest/slow", "good"));
    await context.reach(8);
    for (const { socket } of all) socket.destroy();
    await Promise.all(all.map(({ answer }) => answer));
    const last = context.ask("/rest/slow", "good");
    while (context.begun.length < 9) await settled(context.server);
    for (const answer of context.begun) answer();
    expect(statusOf(await last.answer)).toBe(200);
  });
});

describe("connections of one address", () => {
  const opened = (socket: Socket) => new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const closed = (socket: Socket) =>
    new Promise<void>((resolve) => {
      socket
        .resume()
        .on("error", () => {})
        .once("close", () => resolve());
    });
  const echo = async (server: FakeListener, from: string) => {
    const socket = open(server, from);
    socket.write(head("GET /rest/echo"));
    return statusOf(await readUntil(socket));
  };

  test("are limited, and leave room for others", async () => {
    await using server = await openFakeListener({ config: { connectionsPerAddressMax: 10 } });
    const held = Array.from({ length: 10 }, () => open(server, "127.0.1.1"));
    await Promise.all(held.map(opened));
    await closed(open(server, "127.0.1.1"));
    expect(await echo(server, "127.0.1.2")).toBe(200);
    held[0]?.destroy();
    await closed(held[0] as Socket);
    expect(await echo(server, "127.0.1.1")).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test("may be more when it is a trusted proxy", async () => {
    const config = { connectionsPerAddressMax: 10, trustedProxies: ["127.0.1.0/24"] };
    await using server = await openFakeListener({ config });
    const held = Array.from({ length: 12 }, () => open(server, "127.0.1.1"));
    await Promise.all(held.map(opened));
    expect(await echo(server, "127.0.1.1")).toBe(200);
    for (const socket of held) socket.destroy();
  });
});

describe("the address of a client", () => {
  const of = (trusted: readonly string[], peer: string, forwarded?: string) =>
    new ClientAddresses(trusted).of({
      socket: { remoteAddress: peer } as Socket,
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    });
  const proxies = ["10.0.0.1", "10.1.0.0/16", "2001:db8:1::/48"];
  const HOPS = Array.from({ length: 20 }, (_, index) => `10.2.0.${20 - index}`).join();

  test.each([
    ["nobody is believed by default", [], "10.0.0.1", "192.0.2.9", "10.0.0.1"],
    ["a stranger is not believed", proxies, "192.0.2.1", "192.0.2.9", "192.0.2.1"],
    ["a proxy is believed", proxies, "10.0.0.1", "192.0.2.9", "192.0.2.9"],
    ["on a dual-stack socket too", proxies, "::ffff:10.0.0.1", "192.0.2.9", "192.0.2.9"],
    ["also one of a range", proxies, "10.1.200.3", "192.0.2.9", "192.0.2.9"],
    ["also with IPv6", proxies, "2001:db8:1::5", "2001:DB8:0:0::9", "2001:db8::9"],
    ["without a header it is the proxy's own", proxies, "10.0.0.1", undefined, "10.0.0.1"],
    [
      "entries that a client adds itself are further left and are not trusted",
      proxies,
      "10.0.0.1",
      "1.1.1.1, 192.0.2.9",
      "192.0.2.9",
    ],
    ["proxies behind one another are passed over", proxies, "10.0.0.1", "1.1.1.1, 192.0.2.9, 10.1.0.4", "192.0.2.9"],
    ["only proxies: the first of them", proxies, "10.0.0.1", "10.1.0.4, 10.1.0.5", "10.1.0.4"],
    ["nonsense ends the list", proxies, "10.0.0.1", "192.0.2.9, unknown", "10.0.0.1"],
    ["nothing between commas ends it too", proxies, "10.0.0.1", "192.0.2.9,,", "10.0.0.1"],
    ["ports are left out", proxies, "10.0.0.1", "192.0.2.9:4711", "192.0.2.9"],
    ["brackets too", proxies, "10.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"],
    ["IPv4 inside IPv6 is IPv4", proxies, "10.0.0.1", "::ffff:c000:209", "192.0.2.9"],
    ["numbers of another base are no address", proxies, "10.0.0.1", "0300.0.2.9", "10.0.0.1"],
    ["the sixteenth proxy is the last that is passed over", ["10.0.0.0/8"], "10.0.0.1", HOPS, "10.2.0.16"],
    [
      "a long list is not read to its end",
      ["0.0.0.0/0"],
      "10.0.0.1",
      `1.1.1.1,${"2.2.2.2,".repeat(4000)}3.3.3.3`,
      "2.2.2.2",
    ],
  ] as const)("%s", (_what, trusted, peer, forwarded, expected) => {
    expect(of(trusted, peer, forwarded)).toBe(expected);
  });

  test.each([
    ["an address", "for=192.0.2.9", "192.0.2.9"],
    ["among other parameters, in any case", "proto=https;For=192.0.2.9;by=10.0.0.1", "192.0.2.9"],
    ["IPv6 with a port", 'for="[2001:db8::9]:4711"', "2001:db8::9"],
    ["what a client adds itself stands left", 'for="1.1.1.1, for=192.0.2.9', "192.0.2.9"],
    ["proxies behind one another", "for=1.1.1.1, for=192.0.2.9, for=10.1.0.4", "192.0.2.9"],
    ["a hidden client is its proxy", "for=_hidden", "10.0.0.1"],
    ["no client", "proto=https", "10.0.0.1"],
    ["no header", undefined, "10.0.0.1"],
  ])("of the header Forwarded: %s", (_what, forwarded, expected) => {
    const headers = { "x-forwarded-for": "198.51.100.1", ...(forwarded !== undefined && { forwarded }) };
    const socket = { remoteAddress: "10.0.0.1" } as Socket;
    expect(new ClientAddresses(proxies, "Forwarded").of({ socket, headers })).toBe(expected);
  });

  test("in the header Forwarded is not trusted unless the setting names it", () => {
    const headers = { "x-forwarded-for": "192.0.2.9", forwarded: "for=198.51.100.1" };
    const socket = { remoteAddress: "10.0.0.1" } as Socket;
    expect(new ClientAddresses(proxies).of({ socket, headers })).toBe("192.0.2.9");
  });

  test.each(["Via", "constructor", ""])("the setting of the header refuses %j", (name) => {
    expect(() => new ClientAddresses(proxies, name)).toThrow("forwardedHeader");
  });

  test.each(["proxy.lan", "10.0.0.0/33", "10.0.0.1:80", "", "10.0.0.0/8/8"])("the setting refuses %j", (entry) => {
    expect(() => new ClientAddresses([entry])).toThrow("trustedProxies");
  });

  test("is the address for accounts and limits, in requests and upgrades", async () => {
    const seen: string[] = [];
    const owner: Principal = { accountId: "a1", login: "owner", role: "owner", sessionId: null, view: null };
    const authenticate = async (_authorization: unknown, _listener: unknown, remoteAddress: string) => {
      seen.push(remoteAddress);
      return owner;
    };
    const upgraded: string[] = [];
    await using server = await openFakeListener({
      config: { trustedProxies: ["127.0.0.1"] },
      extra: { auth: { authenticate } } as never,
      streams: {
        follow() {},
        handleUpgrade({ remoteAddress, socket }) {
          upgraded.push(remoteAddress);
          socket.destroy();
        },
      },
    });
    await get(server, "/rest/echo", { "X-Forwarded-For": "192.0.2.7" });
    await exchangeRaw(
      server.port,
      head("GET /rest/subscribe", { Connection: "Upgrade", Upgrade: "websocket", "X-Forwarded-For": "192.0.2.8" }),
    );
    expect([seen, upgraded]).toEqual([["192.0.2.7", "192.0.2.8"], ["192.0.2.8"]]);
  });
});
