/** Messages that a broker keeps and that no reader expects: the service reads or refuses them, over restarts too, and its devices work. */

import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plug } from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../simulators/zigbee/simulated-bridge.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { passingUntil, passUntil } from "../support/passing-time.ts";

const clock = new VirtualClock(START_MS);
const PLUG = plug("Plug");
const NO_TEXT = '{"toString":1,"valueOf":1}';
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

let broker: RunningBroker;
let bridge: SimulatedBridge;
let client: MqttClient;
let controller: TestController;

const announce = (name: string, config: string) =>
  client.publishAsync(`homeassistant/switch/${name}/config`, config, { retain: true });
const keep = (topic: string, payload: string) => client.publishAsync(topic, payload, { retain: true });
const configOf = (name: string, more: string) =>
  `{"unique_id":"${name}","name":"${name}","command_topic":"c/${name}","state_topic":"s/${name}",${more}}`;

beforeAll(async () => {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  broker = await startPlainBroker(port);
  client = await connectAsync(url);
  bridge = await SimulatedBridge.start(url, [PLUG]);
  controller = await passingUntil(clock, startTestController({ demo: false, mqttUrl: url }, { clock }));
  await passUntil(clock, () => link("ZB001_1") === "online");
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await bridge.stop();
  await client.endAsync();
  await broker.stop();
});

const OBJECT_MEMBERS = ["valueOf", "toString", "hasOwnProperty", "constructor", "__proto__"];

test.each([
  ["a payload of 100,000 nested lists", () => announce("a1", configOf("a1", `"payload_on":${nested(100_000)}`))],
  ["a template that is an object", () => announce("a2", configOf("a2", `"value_template":${NO_TEXT}`))],
  ["a template of 20,000 nested lists", () => announce("a2b", configOf("a2b", `"value_template":${nested(20_000)}`))],
  [
    "templates and availability with names that every object has",
    async () => {
      for (const [at, name] of OBJECT_MEMBERS.entries()) {
        const template = `{{ value ${name} value }}{{ {value_json: 1} }}`;
        const more = `"value_template":"${template}","availability_topic":"av/${at}","availability_template":"${template}"`;
        await announce(`a3${at}`, configOf(`a3${at}`, more));
        await announce(name, configOf(name, `"device_class":"${name}","payload_on":${NO_TEXT}`));
        await keep(`homeassistant/sensor/${name}/config`, `{"state_topic":"s/x","device_class":"${name}"}`);
        await keep(`homeassistant/${name}/${name}/config`, configOf(name, '"name":null'));
        await keep(`s/a3${at}`, NO_TEXT);
        await keep(`av/${at}`, NO_TEXT);
      }
    },
  ],
  [
    "a state of 32,000 open lists for a template that repeats it",
    async () => {
      await announce("a4", configOf("a4", '"value_template":"{{ value_json }}{{ value_json | tojson }}"'));
      await announce("a4b", configOf("a4b", '"value_template":"{{ {value_json: value_json} | tojson }}"'));
      for (const state of ["[".repeat(32_000), nested(32_000), NO_TEXT]) await keep("s/a4", state);
      await keep("s/a4b", NO_TEXT);
    },
  ],
  [
    "objects where the bridge sends texts",
    async () => {
      const wrong = `{"state":${NO_TEXT},"level":"error","message":${NO_TEXT},"transaction":${NO_TEXT},"error":${NO_TEXT},
        "type":${NO_TEXT},"data":{"ieee_address":${NO_TEXT},"friendly_name":${NO_TEXT},"status":${NO_TEXT}}}`;
      for (const path of [
        "bridge/logging",
        "bridge/event",
        "bridge/response/x",
        "Plug",
        "Plug/availability",
        "bridge/groups",
      ])
        await keep(`zigbee2mqtt/${path}`, wrong);
      await client.publishAsync("zigbee2mqtt/bridge/state", wrong, { retain: true });
      await client.publishAsync("zigbee2mqtt/bridge/state", '{"state":"online"}', { retain: true });
    },
  ],
  [
    "a list of devices whose words every object has",
    async () => {
      const exposes = OBJECT_MEMBERS.flatMap((name) => [
        { type: name, name, property: name, access: 7 },
        { type: "numeric", name: "temperature", property: name, unit: name, access: 7 },
        { type: "binary", name, property: name, value_on: name, access: 7 },
        {
          type: "climate",
          features: [{ type: "enum", name: "system_mode", property: name, values: [name], access: 7 }],
        },
      ]);
      const odd = { ieee_address: "0x00158d0001dddddd", friendly_name: "Odd", definition: { exposes } };
      await client.publishAsync("zigbee2mqtt/bridge/devices", JSON.stringify([PLUG.listed, odd]));
      await client.publishAsync(
        "zigbee2mqtt/Odd",
        JSON.stringify(Object.fromEntries(OBJECT_MEMBERS.map((n) => [n, n]))),
      );
    },
  ],
])(
  "%s",
  async (_name, publish) => {
    await publish();
    await isWorking();
    await passingUntil(clock, controller.restart());
    await isWorking();
  },
  30_000,
);

/** What is sent last is read last. */
async function isWorking(): Promise<void> {
  const before = status();
  const wanted = before === 100 ? "DOF" : "DON";
  await passUntil(clock, () => link("ZB001_1") === "online");
  const { status: code } = await passingUntil(clock, controller.local.get(`/rest/nodes/ZB001_1/cmd/${wanted}`));
  expect(code).toBe(200);
  expect(controller.services.integrations.find("mqtt").state).toBe("ready");
  expect(controller.lines.filter(({ message }) => message.startsWith("Input could not be processed"))).toEqual([]);
}

function link(address: string) {
  return controller.services.home.nodes.get(address)?.link;
}

function status() {
  return controller.services.home.nodes.get("ZB001_1")?.properties.get("ST")?.value;
}
