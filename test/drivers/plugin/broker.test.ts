/** The message broker of plugins: nothing is lost at the start, and a plugin reads and writes only what is its own. */

import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrokerLogin, type BrokerUser, PluginBroker } from "../../../src/drivers/plugin/broker.ts";
import { makeAuthority } from "../../../src/http/make-certificate.ts";
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
const LIMITS = {
  pluginMessageBytesMax: 10_000,
  pluginMessagesPerSecond: 100_000,
  pluginsMessagesPerSecond: 100_000,
  pluginsMax: 60,
};

let broker: PluginBroker;
let own: BrokerLogin;
let other: BrokerLogin;
let received: string[];
let exceeded: string[];

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const cert = await makeAuthority(key, { nowMs: Date.now(), randomness: seededRandomness(1) });
  const log = createLog("silent", { write: () => {} });
  broker = new PluginBroker({ limits: LIMITS, tls: async () => ({ key, cert }), clock: new VirtualClock(0), log });
  received = [];
  exceeded = [];
  const note = (id: string) => async (kind: string, payload: Buffer) => {
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

afterAll(() => Promise.all([own.release(), other.release()]));

const connecting = (id: string, token = TOKEN) => packets.connecting(id, token);
const { subscribing, publishing } = packets;

/**
 * Sends all of it at once, and what comes later after the first answer.
 * @returns what has come when `isEnough` says so, or the connection has ended.
 */
async function exchange(
  bytes: Buffer,
  isEnough: (answer: Buffer) => boolean,
  later: Buffer | null = null,
): Promise<Buffer> {
  const socket: TLSSocket = connect({ port: own.port, host: "127.0.0.1", rejectUnauthorized: false });
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

test("what a plugin sends before its login is answered is held back until then", async () => {
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
}, 30_000);

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
  expect(received).toEqual([]);
});

test.each([
  ["a wrong token", connecting(OWN, "wrong")],
  ["another one's id", connecting("00:00:5e:00:53:07_3")],
])("a login with %s is refused", async (_what, login) => {
  const answer = await exchange(login, (bytes) => bytes.length >= 4);
  expect([...answer]).toEqual([0x20, 2, 0, 4]);
});

test("a message that is too long is not collected, and its plugin is named", async () => {
  received.length = 0;
  await exchange(connecting(OWN), () => false, publishing(`udi/pg3/ns/custom/${OWN}`, "x".repeat(20_000)));
  expect(received).toEqual([]);
  expect(exceeded).toEqual([
    `${OWN}: The plugin sent a message that is longer than 10000 bytes (pluginMessageBytesMax).`,
  ]);
});
