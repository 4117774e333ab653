/** Plugins at an external broker: mosquitto if it is installed, and one that supports MQTT 3.1.1 only. */

import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect as connectTo, createServer as listen } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createServer } from "node:tls";
import { Aedes } from "aedes";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExternalBroker } from "../../../src/drivers/plugin/external-broker.ts";
import type { BrokerLogin } from "../../../src/drivers/plugin/broker.ts";
import type { KeyPair } from "../../../src/drivers/plugin-port.ts";
import { makeAuthority, makeLeaf } from "../../../src/http/make-certificate.ts";
import { createLog } from "../../../src/util/log.ts";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";

const UUID = "00:00:5e:00:53:07";
const OWN = `${UUID}_1`;
const OTHER = `${UUID}_2`;
const WAIT = { timeout: 10_000, interval: 20 };
const MOSQUITTO = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].find(existsSync);
const RULES = ["system", "custom", "command", "status", "portal"].map((kind) => `pattern write udi/pg3/ns/${kind}/%u`);
const ACL = ["user domovoi", "topic readwrite udi/pg3/#", "pattern read udi/pg3/ns/clients/%u", ...RULES].join("\n");

type Running = { readonly port: number; stop(): Promise<void> };

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const making = { nowMs: Date.now(), randomness: seededRandomness(1) };
let directory: string;
let ca: string;

async function signed(subject: string, usage: "client" | "server" = "client"): Promise<KeyPair> {
  const names = usage === "server" ? ["127.0.0.1"] : [];
  return { key, cert: await makeLeaf({ keyPem: key, caKeyPem: key, caPem: ca, subject, usage, names }, making), ca };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "domovoi-broker-"));
  ca = await makeAuthority(key, making);
  await writeFile(join(directory, "ca.pem"), ca);
});
afterAll(() => rm(directory, { recursive: true }));

async function startAedes(): Promise<Running> {
  const aedes = await Aedes.createBroker();
  const server = createServer({ ...(await signed("broker", "server")), requestCert: true }, aedes.handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      await new Promise<void>((resolve) => aedes.close(resolve));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function startMosquitto(): Promise<Running> {
  const port = await freePort();
  const { cert } = await signed("broker", "server");
  const file = (name: string) => join(directory, name);
  await Promise.all([writeFile(file("cert.pem"), cert), writeFile(file("key.pem"), key), writeFile(file("acl"), ACL)]);
  const lines = [
    ...(process.getuid?.() === 0 ? ["user root"] : []),
    `listener ${port} 127.0.0.1`,
    `cafile ${file("ca.pem")}`,
    `certfile ${file("cert.pem")}`,
    `keyfile ${file("key.pem")}`,
    `acl_file ${file("acl")}`,
    "require_certificate true",
    "use_identity_as_username true",
    "persistence false",
  ];
  await writeFile(file("mosquitto.conf"), lines.join("\n"));
  const child: ChildProcess = spawn(String(MOSQUITTO), ["-c", file("mosquitto.conf")], { stdio: "ignore" });
  for (const giveUpMs = Date.now() + WAIT.timeout; !(await accepts(port)) && Date.now() < giveUpMs; ) await pause(50);
  return {
    port,
    stop: async () => {
      child.kill();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}

async function freePort(): Promise<number> {
  const server = listen().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

const BROKERS = [
  ["one of version 3.1.1", startAedes],
  ...(MOSQUITTO === undefined ? [] : ([["mosquitto", startMosquitto]] as const)),
] as const;

describe.each(BROKERS)("with %s", (name, start) => {
  let running: Running;
  let login: BrokerLogin;
  let plugin: MqttClient;
  let broker: ExternalBroker;
  const heard: string[] = [];
  const told: string[] = [];

  const clientOf = async (id: string) => {
    const { cert } = await signed(id);
    return connectAsync(`mqtts://127.0.0.1:${running.port}`, {
      protocolVersion: 4,
      clientId: id,
      key,
      cert,
      ca,
      reconnectPeriod: 0,
    });
  };

  beforeAll(async () => {
    running = await start();
    const limits = {
      pluginMessageBytesMax: 10_000,
      pluginMessagesPerSecond: 100,
      pluginBrokerUrl: `mqtts://127.0.0.1:${running.port}`,
      pluginBrokerCaFile: join(directory, "ca.pem"),
      pluginBrokerUser: "",
      pluginBrokerPasswordFile: "",
    };
    const log = createLog("silent", { write: () => {} });
    broker = new ExternalBroker({ limits, authority: { client: signed }, uuid: UUID, clock: new VirtualClock(0), log });
    login = await broker.register({
      id: OWN,
      token: "unused",
      connected: () => void told.push("connected"),
      disconnected: () => void told.push("disconnected"),
      received: async (kind, payload) => void told.push(`${kind} ${payload}`),
      exceeded: (reason) => void told.push(reason),
    });
    plugin = await clientOf(OWN);
    plugin.on("message", (_topic, payload) => void heard.push(String(payload)));
    await plugin.subscribeAsync(`udi/pg3/ns/clients/${OWN}`);
  }, 30_000);
  afterAll(async () => {
    await plugin.endAsync();
    await login.release();
    await running.stop();
  }, 30_000);

  test("messages go both ways, and the first one says that the plugin is connected", async () => {
    expect(login).toMatchObject({ host: "127.0.0.1", port: running.port });
    plugin.publish(`udi/pg3/ns/system/${OWN}`, '{"config":{}}');
    await expect.poll(() => told, WAIT).toEqual(["connected", 'system {"config":{}}']);
    login.send({ config: { nodes: [] } });
    await expect.poll(() => heard, WAIT).toEqual(['{"config":{"nodes":[]}}']);
  });

  test("a message that is too long and those of plugins that are not known do not arrive", async () => {
    told.length = 0;
    plugin.publish(`udi/pg3/ns/custom/${OWN}`, "x".repeat(20_000));
    plugin.publish(`udi/pg3/ns/status/${OWN}`, "after");
    await expect.poll(() => told.at(-1), WAIT).toBe("status after");
    expect(told.filter((each) => each.startsWith("custom"))).toEqual([]);
  });

  test.runIf(name === "mosquitto")("with its rules a plugin reads and writes nothing of another's", async () => {
    told.length = 0;
    const other = await clientOf(OTHER);
    const read: string[] = [];
    other.on("message", (topic) => void read.push(topic));
    await other.subscribeAsync(["#", `udi/pg3/ns/clients/${OWN}`]).catch(() => {});
    other.publish(`udi/pg3/ns/status/${OWN}`, "forged");
    other.publish(`udi/pg3/ns/clients/${OWN}`, "forged");
    heard.length = 0;
    login.send({ last: 1 });
    await expect.poll(() => heard, WAIT).toEqual(['{"last":1}']);
    await pause(0);
    expect({ read, told }).toEqual({ read: [], told: [] });
    await other.endAsync();
  });
});

test("a broker that cannot be reached is named, with the setting", async () => {
  const limits = {
    pluginMessageBytesMax: 1,
    pluginMessagesPerSecond: 1,
    pluginBrokerUrl: `mqtts://127.0.0.1:${await freePort()}`,
    pluginBrokerCaFile: "",
    pluginBrokerUser: "",
    pluginBrokerPasswordFile: "",
  };
  const log = createLog("silent", { write: () => {} });
  const broker = new ExternalBroker({
    limits,
    authority: { client: signed },
    uuid: UUID,
    clock: new VirtualClock(0),
    log,
  });
  const user = { id: OWN, token: "", connected() {}, disconnected() {}, received: async () => {}, exceeded() {} };
  await expect(broker.register(user)).rejects.toThrow(
    /^The message broker mqtts:.* \(pluginBrokerUrl\) cannot be used: /,
  );
});
