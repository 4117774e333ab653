/** Plugins with the unmodified library at a broker that the controller does not run. */

import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeAuthority, makeLeaf } from "../../src/http/make-certificate.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { BROKERS, type RunningBroker } from "../support/mqtt-brokers.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 20_000, interval: 30 };
const LAMP = "n001_lamp1";
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });

describe.each(BROKERS)("with %s", (_name, start) => {
  let controller: TestController;
  let broker: RunningBroker;
  let port: number;
  let directory: string;
  let key: string;
  let cert: string;

  beforeAll(async () => {
    key = generateKeyPairSync("ec", { namedCurve: "P-256" })
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    const making = { nowMs: Date.now(), randomness: seededRandomness(1) };
    const caPem = await makeAuthority(key, making);
    cert = await makeLeaf({ keyPem: key, caKeyPem: key, caPem, usage: "server", names: ["127.0.0.1"] }, making);
    directory = await mkdtemp(join(tmpdir(), "domovoi-broker-"));
    const pluginBrokerCaFile = join(directory, "ca.pem");
    await writeFile(pluginBrokerCaFile, caPem);
    port = await freePort();
    const pluginBrokerUrl = `mqtts://127.0.0.1:${port}`;
    controller = await startTestController({
      demo: false,
      pluginStartMs: 600_000,
      pluginBrokerUrl,
      pluginBrokerCaFile,
    });
    await controller.login();
  }, 30_000);
  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await broker.stop();
    await rm(directory, { recursive: true });
  }, 30_000);

  const plugin = async () => {
    await controller.clock.advance(1000);
    return (await controller.portal.get("/api/plugin/1")).json<{ data: { state: string; reason: string } }>().data;
  };
  const value = async (id: string, address = LAMP) => {
    const { text } = await controller.portal.get(`/rest/nodes/${address}/${id}`);
    return new RegExp(`<property id="${id}"[^>]* formatted="([^"]*)"`).exec(text)?.[1];
  };

  test("a plugin says that there is none, and runs when there is one", async () => {
    const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
    await controller.portal.request("POST", "/api/plugins?name=Lamp", { headers, body: await lampArchive() });
    await expect.poll(async () => (await plugin()).reason, WAIT).toContain("(pluginBrokerUrl) cannot be used");
    const clientCa = await readFile(join(controller.data, "secrets", "plugin-ca-cert"), "utf8");
    broker = await start(port, { key, cert, clientCa });
    await controller.portal.post("/api/plugin/Lamp/start");
    await expect.poll(async () => (await plugin()).state, WAIT).toBe("running");
    await expect.poll(() => value("ST"), WAIT).toBe("0%");
    expect(await value("ST", "n001_controller")).toBe("Connected");
  });

  test("commands, values and parameters go both ways", async () => {
    await controller.portal.get(`/rest/nodes/${LAMP}/cmd/DON/40/51`);
    await expect.poll(() => value("ST"), WAIT).toBe("40%");
    await controller.portal.post("/api/plugin/Lamp/config", { parameters: { room: null } });
    const notices = async () => (await controller.portal.get("/api/plugin/Lamp/config")).text;
    await expect.poll(notices, WAIT).toContain("Say in which room the lamp is");
  });

  test("it stops, starts again and leaves no node when it is removed", async () => {
    await controller.portal.post("/api/plugin/Lamp/stop");
    expect((await plugin()).state).toBe("stopped");
    await controller.portal.post("/api/plugin/Lamp/start");
    await expect.poll(async () => (await plugin()).state, WAIT).toBe("running");
    expect(await value("ST")).toBe("40%");
    await controller.portal.delete("/api/plugin/Lamp");
    expect((await controller.portal.get("/rest/nodes")).text).not.toContain("n001_");
  });
});
