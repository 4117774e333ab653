/** Plugins at an external broker: mosquitto if it is installed, and one that supports MQTT 3.1.1 only. */

import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrokerLogin } from "../../../src/drivers/plugin/broker.ts";
import { ExternalBroker } from "../../../src/drivers/plugin/external-broker.ts";
import type { KeyPair } from "../../../src/drivers/plugin-port.ts";
import { makeAuthority, makeLeaf } from "../../../src/http/make-certificate.ts";
import { createLog } from "../../../src/util/log.ts";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { freePort } from "../../support/free-port.ts";
import { BROKERS, type RunningBroker } from "../../support/mqtt-brokers.ts";

const UUID = "00:00:5e:00:53:07";
const OWN = `${UUID}_1`;
const OTHER = `${UUID}_2`;
const WAIT = { timeout: 10_000, interval: 20 };
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

describe.each(BROKERS)("with %s", (name, start) => {
  let running: RunningBroker;
  let port: number;
  let login: BrokerLogin;
  let plugin: MqttClient;
  let broker: ExternalBroker;
  const heard: string[] = [];
  const told: string[] = [];

  const clientOf = async (id: string) => {
    const { cert } = await signed(id);
    return connectAsync(`mqtts://127.0.0.1:${port}`, {
      protocolVersion: 4,
      clientId: id,
      key,
      cert,
      ca,
      reconnectPeriod: 0,
    });
  };

  beforeAll(async () => {
    port = await freePort();
    running = await start(port, { ...(await signed("broker", "server")), clientCa: ca });
    const limits = {
      pluginMessageBytesMax: 10_000,
      pluginMessagesPerSecond: 100,
      pluginsMessagesPerSecond: 100,
      pluginBrokerUrl: `mqtts://127.0.0.1:${port}`,
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
    expect(login).toMatchObject({ host: "127.0.0.1", port });
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
    expect({ read, told }).toEqual({ read: [], told: [] });
    await other.endAsync();
  });
  test("the controller connects again when it has lost its connection", async () => {
    told.length = 0;
    // The broker closes the connection of a client whose id another one takes.
    const other = await clientOf(`domovoi_${UUID.replaceAll(":", "")}`);
    await expect.poll(() => told, WAIT).toEqual(["disconnected", "connected"]);
    const arrived = async () => {
      await plugin.publishAsync(`udi/pg3/ns/status/${OWN}`, "again");
      return told.includes("status again");
    };
    await expect.poll(arrived, WAIT).toBe(true);
    other.end(true);
  });
});

test("a broker that cannot be reached is named, with the setting", async () => {
  const limits = {
    pluginMessageBytesMax: 1,
    pluginMessagesPerSecond: 1,
    pluginsMessagesPerSecond: 1,
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
