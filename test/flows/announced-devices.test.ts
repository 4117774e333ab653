/** Devices that announce themselves on a real broker, in a whole service. */

import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const LAMP = "n000_001_1";
const clock = new VirtualClock(START_MS);
let broker: RunningBroker;
let device: MqttClient;
let controller: TestController;

/** An ESPHome lamp as it announces itself, and what it does. */
const CONFIG = {
  ...{
    schema: "json",
    brightness: true,
    sup_clrm: ["brightness"],
    name: null,
    uniq_id: "esp1light",
    stat_t: "esp/light/state",
  },
  ...{ cmd_t: "esp/light/command", avty_t: "esp/status", dev: { ids: "esp1", name: "Desk", mf: "espressif" } },
};

beforeAll(async () => {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  broker = await startPlainBroker(port);
  device = await connectAsync(url);
  device.on("message", (_topic, payload) => {
    const { state, brightness = 255 } = JSON.parse(payload.toString());
    device.publish("esp/light/state", JSON.stringify({ state, brightness, color_mode: "brightness" }), {
      retain: true,
    });
  });
  await device.subscribeAsync("esp/light/command");
  await device.publishAsync("homeassistant/light/esp/light/config", JSON.stringify(CONFIG), { retain: true });
  await device.publishAsync("esp/light/state", '{"state":"ON","brightness":51}', { retain: true });
  await device.publishAsync("esp/status", "online", { retain: true });
  controller = await passingUntil(clock, startTestController({ demo: false, mqttUrl: url }, { clock }));
  await passUntil(clock, () => node()?.link === "online");
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await device.endAsync();
  await broker.stop();
});

test("it is a node with the value that the broker has kept", async () => {
  await passUntil(clock, () => status() === 20);
  expect(node()).toMatchObject({ name: "Desk", family: 10, instance: 0 });
});

test("a command is done when its state comes back", async () => {
  const answer = await passingUntil(clock, controller.local.get(`/rest/nodes/${LAMP}/cmd/DON/60`));
  expect([answer.status, status()]).toEqual([200, 60]);
});

test("its definition is in the profile of the family, and clients find the node by it", async () => {
  const { text } = await passingUntil(clock, controller.local.get("/rest/profiles"));
  expect(text).toContain(node()?.nodeDefId);
});

test("its last will is its link", async () => {
  await device.publishAsync("esp/status", "offline", { retain: true });
  await passUntil(clock, () => node()?.link === "unreachable");
});

test("after a restart it is there with its last value, and a withdrawn announcement removes it", async () => {
  await passingUntil(clock, controller.restart());
  expect(status()).toBe(60);
  await pass(clock, 3000);
  await device.publishAsync("homeassistant/light/esp/light/config", "", { retain: true });
  await passUntil(clock, () => node() === undefined);
});

function node() {
  return controller.services.home.nodes.get(LAMP);
}

function status() {
  return node()?.properties.get("ST")?.value;
}
