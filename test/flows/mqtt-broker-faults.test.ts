/** A broker with a certificate, accounts and rules, and what goes wrong with it: the home says so, and goes on when it is mended. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plug } from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../simulators/zigbee/simulated-bridge.ts";
import { makeAuthority, makeLeaf } from "../../src/http/make-certificate.ts";
import { makePrivateKey } from "../../src/util/private-key.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { MOSQUITTO, type RunningBroker, startGuardedBroker } from "../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const PASSWORD = "open sesame";
const ALL = ["topic readwrite #"];
const key = makePrivateKey();
const clock = new VirtualClock(START_MS);
let directory: string;
let port: number;
let cert: string;
let broker: RunningBroker;
let controller: TestController;

const file = (name: string) => join(directory, name);

async function started(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const own = {
    ...{ mqttUrl: `mqtts://127.0.0.1:${port}`, mqttUser: "home", mqttPasswordFile: file("password") },
    ...{ mqttCaFile: file("ca.pem"), mqttAnnounce: "guest", ...settings },
  };
  controller = await passingUntil(clock, startTestController({ demo: false, ...own }, { clock }));
}

const state = (id = "mqtt") => controller.services.integrations.find(id);

// Only mosquitto has accounts and rules.
describe.runIf(MOSQUITTO)("a guarded broker", () => {
  beforeAll(async () => {
    const making = { nowMs: Date.now(), randomness: seededRandomness(1) };
    directory = await mkdtemp(join(tmpdir(), "domovoi-mqtt-"));
    const ca = await makeAuthority(key, making);
    cert = await makeLeaf({ keyPem: key, caKeyPem: key, caPem: ca, usage: "server", names: ["127.0.0.1"] }, making);
    await writeFile(join(directory, "ca.pem"), ca);
    await writeFile(join(directory, "other.pem"), await makeAuthority(makePrivateKey(), making));
    await writeFile(join(directory, "password"), `${PASSWORD}\n`);
    await writeFile(join(directory, "wrong"), "guess");
    port = await freePort();
    broker = await startGuardedBroker(port, { key, cert }, PASSWORD, ALL);
  }, 30_000);

  afterAll(async () => {
    await broker.stop();
    await rm(directory, { recursive: true });
  });

  test("with the right certificate, account and password, both integrations are ready", async () => {
    await started();
    await passUntil(clock, () => state().state === "ready" && state("announce").state === "ready");
    await controller[Symbol.asyncDispose]();
  });

  test.each([
    ["another authority", { mqttCaFile: "other.pem" }, /^The broker at mqtts:.* cannot be reached: .*certificate/],
    [
      "a wrong password",
      { mqttPasswordFile: "wrong" },
      /^The broker at mqtts:.* refuses the login; check user and password: /,
    ],
  ])("with %s it fails with a reason, and the password is not in it", async (_name, wrong, reason) => {
    await started(Object.fromEntries(Object.entries(wrong).map(([setting, name]) => [setting, file(name)])));
    await passUntil(clock, () => state().state === "failed" && state("announce").state === "failed");
    expect(state().reason).toMatch(reason);
    expect(state().reason).not.toContain("guess");
    await controller[Symbol.asyncDispose]();
  });

  // It confirms such subscriptions, and drops what is published.
  test("with rules that allow Zigbee alone, Zigbee works and nothing fails", async () => {
    await broker.stop();
    broker = await startGuardedBroker(port, { key, cert }, PASSWORD, ["topic readwrite zigbee2mqtt/#"]);
    const url = `mqtts://127.0.0.1:${port}`;
    const login = { username: "home", password: PASSWORD, rejectUnauthorized: false };
    const bridge = await SimulatedBridge.start(url, [plug("Plug")], "zigbee2mqtt", login);
    await started();
    const node = () => controller.services.home.nodes.get("ZB001_1");
    await passUntil(clock, () => node()?.link === "online");
    expect([state().state, state("announce").state]).toEqual(["ready", "ready"]);
    await bridge.stop();
    await controller[Symbol.asyncDispose]();
  });

  test("a broker that is killed is lost and found again, and so is one that comes back with other rules", async () => {
    await broker.stop("SIGKILL");
    broker = await startGuardedBroker(port, { key, cert }, PASSWORD, ALL);
    await started();
    await passUntil(clock, () => state().state === "ready");
    await broker.stop("SIGKILL");
    await passUntil(clock, () => state().state === "failed" && state("announce").state === "failed");
    await pass(clock, 1000);
    broker = await startGuardedBroker(port, { key, cert }, PASSWORD, ALL);
    await passUntil(clock, () => state().state === "ready" && state("announce").state === "ready");
    await controller[Symbol.asyncDispose]();
  }, 40_000);
});
