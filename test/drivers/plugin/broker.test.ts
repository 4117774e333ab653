/** The message broker of plugins: nothing is lost at the start, and a plugin reads and writes only what is its own. */

import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BrokerLogin,
  type BrokerOptions,
  type BrokerUser,
  PluginBroker,
} from "../../../src/drivers/plugin/broker.ts";
import type { BrokerEvent } from "../../../src/drivers/plugin/broker-worker.ts";
import type { KeyPair } from "../../../src/drivers/plugin-port.ts";
import { makeAuthority, makeLeaf } from "../../../src/http/make-certificate.ts";
import { createLog } from "../../../src/util/log.ts";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { PLUGIN_STARTS } from "../../simulation/effort.ts";
import { packets } from "../../support/mqtt-packets.ts";

const OWN = "00:00:5e:00:53:07_1";
const OTHER = "00:00:5e:00:53:07_2";
const TOKEN = "a-token";
const REFUSED = 0x80;
/** Bytes of the two confirmations. */
const LOGIN_AND_SUBSCRIPTION = 9;
const CONNACK_BYTES = 4;
const PUBREC_BYTES = 4;
/** Messages of a plugin that the broker reads ahead of the controller. */
const UNHANDLED_MAX = 10;
const LIMITS = {
  pluginMessageBytesMax: 10_000,
  pluginMessagesPerSecond: 100_000,
  pluginsMessagesPerSecond: 100_000,
  pluginsMax: 60,
  pluginBrokerPort: 0,
};

let options: BrokerOptions;
let broker: PluginBroker;
let own: BrokerLogin;
let other: BrokerLogin;
let received: string[];
let exceeded: string[];
const logged: string[] = [];
/** A key pair that the controller's authority has signed for this name. */
let signed: (name: string) => Promise<KeyPair>;
/** Sessions that may watch. */
const watching = new Set(["s1"]);
/** Threads of brokers, the first one of `broker`. */
const threads: Worker[] = [];
const noteThread = (started: Worker) => void threads.push(started);

beforeAll(async () => {
  process.on("worker", noteThread);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const making = { nowMs: Date.now(), randomness: seededRandomness(1) };
  const ca = await makeAuthority(key, making);
  signed = async (subject) => {
    const usage = subject === "127.0.0.1" ? "server" : "client";
    return {
      key,
      cert: await makeLeaf({ keyPem: key, caKeyPem: key, caPem: ca, subject, usage, names: [] }, making),
      ca,
    };
  };
  const log = createLog("warn", { write: (line) => void logged.push(line) });
  options = {
    limits: LIMITS,
    authority: { broker: () => signed("127.0.0.1") },
    mayWatch: (id) => watching.has(id),
    clock: new VirtualClock(0),
    log,
  };
  broker = new PluginBroker(options);
  received = [];
  exceeded = [];
  const note = (id: string) => async (kind: string, payload: string) => {
    received.push(`${id} ${kind} ${payload}`);
    if (id === OWN) own.send({ config: {} });
  };
  own = await broker.register(user(OWN, note(OWN)));
  other = await broker.register(user(OTHER, note(OTHER)));
});
function user(id: string, received: BrokerUser["received"]): BrokerUser {
  const exceeds = (reason: string) => void exceeded.push(`${id}: ${reason}`);
  return { id, token: TOKEN, connected: () => {}, disconnected: () => {}, received, exceeded: exceeds };
}

afterAll(async () => {
  await Promise.all([own.release(), other.release()]);
  process.off("worker", noteThread);
});

const connecting = (id: string, token = TOKEN) => packets.connecting(id, token);
const { subscribing, publishing } = packets;

/**
 * Sends the first part at once, and the rest after the first answer.
 * @returns the received bytes once `isEnough` returns true or the connection has ended.
 */
async function exchange(
  bytes: Buffer,
  isEnough: (answer: Buffer) => boolean,
  later: Buffer | null = null,
  keys: Partial<KeyPair> = {},
  port = own.port,
): Promise<Buffer> {
  const socket: TLSSocket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...keys });
  socket.setNoDelay(true);
  let answer = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (isEnough(answer)) resolve();
    });
    if (later) socket.once("data", () => socket.write(later));
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
    socket.write(bytes);
  });
  socket.destroy();
  return answer;
}

test("an answer reaches a plugin that asks before its subscription is confirmed, in each start", async () => {
  const start = Buffer.concat([
    connecting(OWN),
    subscribing(`udi/pg3/ns/clients/${OWN}`),
    publishing(`udi/pg3/ns/system/${OWN}`, '{"config":{}}'),
  ]);
  let answered = 0;
  for (let round = 0; round < PLUGIN_STARTS; round += 1) {
    const answer = await exchange(start, (bytes) => bytes.includes('{"config":{}}'));
    if (answer.includes('{"config":{}}')) answered += 1;
  }
  expect(answered).toBe(PLUGIN_STARTS);
}, 120_000);

test("packets that a plugin sends before its login is answered are held back until then", async () => {
  const logins: BrokerLogin[] = [];
  for (let at = 0; at < 40; at += 1) {
    const login: BrokerLogin = await broker.register(
      user(`p${at}`, async () => {
        login.send({ config: {} });
      }),
    );
    logins.push(login);
  }
  const eager = resolve(import.meta.dirname, "../../support/eager-plugins.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [eager, String(own.port), TOKEN, "40"]);
  expect(stdout).toBe("40");
  await Promise.all(logins.map((login) => login.release()));
}, 60_000);

test.each([
  ["another plugin's messages", `udi/pg3/ns/clients/${OTHER}`],
  ["everything", "#"],
  ["every plugin's messages", "udi/pg3/ns/clients/+"],
  ["what another plugin writes", `udi/pg3/ns/status/${OTHER}`],
  ["what it writes itself", `udi/pg3/ns/status/${OWN}`],
  ["the broker's own topics", "$SYS/#"],
  ["a shared subscription", `$share/a/udi/pg3/ns/clients/${OTHER}`],
])("it cannot read %s", async (_what, topic) => {
  const answer = await exchange(
    Buffer.concat([connecting(OWN), subscribing(topic)]),
    (bytes) => bytes.length >= LOGIN_AND_SUBSCRIPTION,
  );
  expect(answer.at(-1)).toBe(REFUSED);
});

test.each([
  ["as another plugin", `udi/pg3/ns/status/${OTHER}`, 0],
  ["as the controller to another plugin", `udi/pg3/ns/clients/${OTHER}`, 0],
  ["as the controller to itself", `udi/pg3/ns/clients/${OWN}`, 0],
  ["for a front end", "udi/pg3/frontend/clients/x", 0],
  ["for those who connect later", `udi/pg3/ns/clients/${OTHER}`, 1],
  ["about the broker", "$SYS/broker", 0],
])("it cannot write %s", async (_what, topic, flags) => {
  received.length = 0;
  const answer = await exchange(Buffer.concat([connecting(OWN), publishing(topic, "{}", flags)]), () => false);
  // The answer to the login, and the end of the connection.
  expect(answer).toHaveLength(4);
  await publish(OWN, publishing(`udi/pg3/ns/status/${OWN}`, "1"));
  await expect.poll(() => received, WAIT).toEqual([`${OWN} status 1`]);
});

test.each([
  ["a wrong token", connecting(OWN, "wrong")],
  ["another one's id", connecting("00:00:5e:00:53:07_3")],
])("a login with %s is refused", async (_what, login) => {
  const answer = await exchange(login, (bytes) => bytes.length >= 4);
  expect([...answer]).toEqual([0x20, 2, 0, 4]);
});

const isLoggedIn = (answer: Buffer) => answer.length >= 4;
const WAIT = { timeout: 20_000, interval: 5 };

/** Sends the message, and waits until the broker has confirmed what comes behind it. */
function publish(id: string, message: Buffer): Promise<Buffer> {
  const parts = [connecting(id), message, subscribing(`udi/pg3/ns/clients/${id}`)];
  return exchange(Buffer.concat(parts), (answer) => answer.length >= LOGIN_AND_SUBSCRIPTION);
}

test("messages that come at once are handled one after the other", async () => {
  const order: string[] = [];
  const slow = await broker.register(
    user("slow", async (_kind, payload) => {
      order.push(`begins ${payload}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`ends ${payload}`);
    }),
  );
  const both = [publishing("udi/pg3/ns/status/slow", "a"), publishing("udi/pg3/ns/status/slow", "b")];
  const sending = exchange(
    Buffer.concat([connecting("slow"), ...both]),
    () => order.length === 4 || order.includes("ends b"),
  );
  await expect.poll(() => order, WAIT).toEqual(["begins a", "ends a", "begins b", "ends b"]);
  await slow.release();
  await sending;
});

test.each([
  { what: "ten messages", most: UNHANDLED_MAX, bytes: 100 },
  { what: "64 KiB", most: 8, bytes: 9000 },
])("the broker reads $what of a plugin ahead of the controller, and no more", async ({ most, bytes }) => {
  let handle = () => {};
  const isHandled = new Promise<void>((resolve) => {
    handle = resolve;
  });
  const handled: string[] = [];
  const handedOver: string[] = [];
  const texts = Array.from({ length: most + 1 }, (_, at) => `busy ${at}`.padEnd(bytes));
  const note = (events: readonly BrokerEvent[]) => {
    for (const event of events) if (event.kind === "received") handedOver.push(event.text);
  };
  threads[0]?.on("message", note);
  const busy = await broker.register(
    user("busy", async (_kind, payload) => {
      await isHandled;
      handled.push(payload);
    }),
  );
  const socket = connect({ port: own.port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {});
  socket.setNoDelay(true);
  socket.write(connecting("busy"));
  // Packets that arrive together with the login would be read at once.
  await once(socket, "data");
  for (const [at, text] of texts.entries()) {
    socket.write(publishing("udi/pg3/ns/status/busy", text));
    // Messages that arrive together would be read at once.
    await expect.poll(() => handedOver, WAIT).toEqual(texts.slice(0, Math.min(at + 1, most)));
  }
  // After another client was served, the broker would have read the last message.
  await exchange(connecting("first", "wrong"), isLoggedIn, null, {}, own.port);
  expect(handedOver).toHaveLength(most);
  expect(handled).toEqual([]);
  handle();
  await expect.poll(() => handled, WAIT).toEqual(texts);
  threads[0]?.off("message", note);
  socket.destroy();
  await busy.release();
});

test("its last will reaches no other plugin, and is no message of another one", async () => {
  received.length = 0;
  for (const topic of [`udi/pg3/ns/status/${OTHER}`, `udi/pg3/ns/clients/${OTHER}`]) {
    await exchange(packets.connectingWithWill(OWN, TOKEN, topic, "{}"), isLoggedIn);
  }
  await publish(OTHER, publishing(`udi/pg3/ns/status/${OTHER}`, "1"));
  await expect.poll(() => received, WAIT).toEqual([`${OTHER} status 1`]);
});

test("its retained messages are not stored", async () => {
  const retained = publishing(`udi/pg3/ns/status/${OWN}`, '"kept"', 1);
  await publish(OWN, retained);
  const start = Buffer.concat([connecting("watcher", ""), subscribing("udi/pg3/#")]);
  const answer = await exchange(
    start,
    (bytes) => bytes.length >= LOGIN_AND_SUBSCRIPTION,
    null,
    await signed("session s1"),
  );
  expect(answer.includes("kept")).toBe(false);
});

test("twenty half-open messages of QoS 2 are confirmed, one more ends the connection", async () => {
  // The other plugin, because this test answers each message of the first one.
  const qos2 = 4;
  const open = (count: number) =>
    Array.from({ length: count }, (_, at) => publishing(`udi/pg3/ns/status/${OTHER}`, "{}", qos2, at + 1));
  const confirmed = (answer: Buffer) => (answer.length - CONNACK_BYTES) / PUBREC_BYTES;
  const twenty = Buffer.concat([connecting(OTHER), ...open(20)]);
  expect(confirmed(await exchange(twenty, (answer) => confirmed(answer) === 20))).toBe(20);
  // It waits for the end of the connection.
  const more = await exchange(Buffer.concat([connecting(OTHER), ...open(21)]), () => false);
  expect(confirmed(more)).toBeLessThanOrEqual(20);
});

test("a client id of 60,000 characters is refused, and one that takes another's id does not disturb it", async () => {
  expect((await exchange(connecting("x".repeat(60_000)), isLoggedIn))[3] ?? 4).toBe(4);
  received.length = 0;
  const start = Buffer.concat([connecting(OWN), subscribing(`udi/pg3/ns/clients/${OWN}`)]);
  const later = publishing(`udi/pg3/ns/system/${OWN}`, '{"config":{}}');
  const mine = exchange(start, (answer) => answer.includes('{"config":{}}'), later);
  expect((await exchange(connecting(OWN, "wrong"), isLoggedIn))[3]).toBe(4);
  expect((await mine).includes('{"config":{}}')).toBe(true);
});

test("a hundred refused logins are one line in the log", async () => {
  const count = () => logged.filter((line) => line.includes("refused a login")).length;
  const before = count();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    expect((await exchange(connecting(OWN, "wrong"), isLoggedIn))[3]).toBe(4);
  }
  expect(count() - before).toBeLessThanOrEqual(1);
  expect(count()).toBeGreaterThan(0);
});

test("connections that open TLS and say nothing lock no plugin out, and end within seconds", {
  timeout: 20_000,
}, async () => {
  const silent = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect({ host: "127.0.0.1", port: own.port, rejectUnauthorized: false });
      socket.on("error", () => {});
      await new Promise<void>((resolve) => {
        for (const event of ["secureConnect", "close"]) socket.once(event, () => resolve());
      });
      return socket;
    }),
  );
  const isOpen = () => silent.filter((socket) => !socket.closed);
  await expect.poll(() => isOpen().length).toBeLessThanOrEqual(200);
  expect(isOpen().length).toBeGreaterThan(100);
  expect((await exchange(connecting(OWN), isLoggedIn))[3]).toBe(0);
  await expect.poll(() => isOpen().length, { timeout: 10_000 }).toBe(0);
});

test("a flood of subscriptions to the topics of others is refused, and others are answered meanwhile", async () => {
  const topics = Array.from({ length: 5000 }, (_, at) =>
    subscribing(`udi/pg3/ns/clients/${OTHER}${"/#".repeat(at % 2)}`),
  );
  const flood = exchange(Buffer.concat([connecting(OWN), ...topics]), (answer) => answer.length >= 5000);
  expect((await exchange(connecting(OTHER), isLoggedIn))[3]).toBe(0);
  const answers = (await flood).subarray(CONNACK_BYTES);
  for (let at = 4; at < answers.length; at += 5) expect(answers[at]).toBe(REFUSED);
});

test("a message that is too long is not collected, and its plugin is named", async () => {
  received.length = 0;
  await exchange(connecting(OWN), () => false, publishing(`udi/pg3/ns/custom/${OWN}`, "x".repeat(20_000)));
  await expect
    .poll(() => exceeded, WAIT)
    .toEqual([`${OWN}: The plugin sent a message that is longer than 10000 bytes (pluginMessageBytesMax).`]);
  expect(received).toEqual([]);
});

describe("certificates", () => {
  const status = `udi/pg3/ns/status/${OWN}`;
  const LOGGED_IN = 4;

  test("a plugin's own is taken beside its token, another one's is not", async () => {
    const enough = (answer: Buffer) => answer.length >= LOGGED_IN;
    expect((await exchange(connecting(OWN), enough, null, await signed(OWN)))[3]).toBe(0);
    expect((await exchange(connecting(OWN), enough, null, await signed(OTHER)))[3]).toBe(4);
    expect((await exchange(connecting(OWN, "wrong"), enough, null, await signed(OWN)))[3]).toBe(4);
    expect((await exchange(connecting("else"), enough, null, await signed(OWN)))[3]).toBe(4);
  });

  test("with that of its session an account reads what plugins publish, and nothing that they are sent", async () => {
    const start = Buffer.concat([connecting("watcher", ""), subscribing("udi/pg3/#")]);
    const watched = exchange(start, (answer) => answer.includes("seen"), null, await signed("session s1"));
    await expect
      .poll(async () => {
        await publish(OWN, publishing(status, '"seen"'));
        return Promise.race([watched.then((answer) => answer.includes("seen")), pause(50).then(() => false)]);
      }, WAIT)
      .toBe(true);
    expect((await watched).includes("udi/pg3/ns/clients/")).toBe(false);
  });

  test("it publishes nothing, and a session that is over or of an account without the right logs in no more", async () => {
    received.length = 0;
    const writing = Buffer.concat([connecting("watcher", ""), publishing(status, "{}")]);
    expect(await exchange(writing, () => false, null, await signed("session s1"))).toHaveLength(LOGGED_IN);
    expect(received).toEqual([]);
    const refused = await exchange(connecting("watcher", ""), () => false, null, await signed("session s2"));
    expect(refused[3]).toBe(4);
  });

  test("a certificate of another authority is refused", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const making = { nowMs: Date.now(), randomness: seededRandomness(2) };
    const caPem = await makeAuthority(key, making);
    const leaf = { keyPem: key, caKeyPem: key, caPem, subject: "session s1", usage: "client", names: [] } as const;
    const answer = await exchange(connecting("watcher", ""), () => false, null, {
      key,
      cert: await makeLeaf(leaf, making),
    });
    expect(answer[3]).toBe(4);
  });
});

test("a plugin waits when all plugins together have sent more than they may in a second", async () => {
  const clock = new VirtualClock(0);
  const limits = { ...LIMITS, pluginsMessagesPerSecond: 10 };
  const tight = new PluginBroker({ ...options, limits, clock });
  const handled: string[] = [];
  const note = (id: string) => user(id, async (_kind, payload) => void handled.push(`${id} ${payload}`));
  const [first, second] = [await tight.register(note("first")), await tight.register(note("second"))];
  const sending = (id: string, texts: readonly string[]) =>
    Buffer.concat([connecting(id), ...texts.map((text) => publishing(`udi/pg3/ns/status/${id}`, text))]);
  // What one read of the socket brings is handled; so the first plugin takes more than the burst of four seconds.
  const many = Array.from({ length: 60 }, (_, at) => String(at));
  const isDone = (last: string) => () => handled.includes(last);
  const { port } = first;
  const one = exchange(sending("first", many), () => false, null, {}, port);
  await expect.poll(isDone("first 59"), WAIT).toBe(true);
  const two = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {});
  two.write(sending("second", ["now"]));
  await expect.poll(isDone("second now"), WAIT).toBe(true);
  // The broker reads ten messages of a plugin ahead.
  for (let at = 1; at < UNHANDLED_MAX; at += 1) two.write(publishing("udi/pg3/ns/status/second", "meanwhile"));
  await expect.poll(() => handled.filter((text) => text === "second meanwhile").length, WAIT).toBe(UNHANDLED_MAX - 1);
  two.write(publishing("udi/pg3/ns/status/second", "later"));
  // By then the broker would have read it.
  await exchange(connecting("first", "wrong"), isLoggedIn, null, {}, port);
  expect(handled).not.toContain("second later");
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return handled.includes("second later");
    }, WAIT)
    .toBe(true);
  await Promise.all([first.release(), second.release()]);
  two.destroy();
  await one;
});

test("when its thread ends, plugins connect again at the same port and are answered", async () => {
  const before = threads.length;
  await threads[0]?.terminate();
  const start = Buffer.concat([
    connecting(OWN),
    subscribing(`udi/pg3/ns/clients/${OWN}`),
    publishing(`udi/pg3/ns/system/${OWN}`, '{"config":{}}'),
  ]);
  // Until the new thread listens, connections are refused.
  const answered = async () => (await exchange(start, (bytes) => bytes.includes('{"config":{}}'))).includes("config");
  await expect.poll(answered, WAIT).toBe(true);
  expect(threads.length).toBe(before + 1);
});
