/** The driver of Zigbee devices keeps the contract of drivers, over a real broker. */

import { afterAll } from "vitest";
import { bulb } from "../../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../../simulators/zigbee/simulated-bridge.ts";
import { MqttDriver } from "../../../src/drivers/mqtt/mqtt-driver.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { freePort } from "../../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../../support/mqtt-brokers.ts";
import { describeDriver } from "../conformance.ts";
import { RecordingHost } from "../recording-host.ts";

const NAME = "Lamp";
let served: Promise<{ readonly broker: RunningBroker; readonly url: string }> | null = null;
const own = { discoveryPrefix: "", uuid: "00:21:b9:00:00:01" };
const ended: (() => Promise<void>)[] = [];
const lamp = bulb(NAME);

describeDriver("mqtt", async (store) => {
  served ??= serve();
  const { url } = await served;
  // Subjects before this one may still be there.
  const base = `home ${ended.length}`;
  const bridge = await SimulatedBridge.start(url, [lamp], base);
  const clock = new VirtualClock(0);
  const host = new RecordingHost(clock, store);
  const limits = { mqttMessageBytesMax: 1_000_000, mqttEntitiesMax: 100, zigbeeDevicesMax: 10 };
  const driver = new MqttDriver({
    reserved: () => [],
    name: "mqtt",
    url,
    user: "",
    password: "",
    ca: "",
    base,
    ...own,
    limits,
  });
  ended.push(async () => {
    await driver.stop();
    await bridge.stop();
  });
  return {
    driver,
    host,
    advance: (spanMs) => advance(clock, spanMs),
    lamp: "ZB001_1",
    deafen: () => void bridge.silent.add(NAME),
    press: null,
    parameters: null,
    lock: null,
  };
});

afterAll(async () => {
  for (const end of ended) await end();
  await (await served)?.broker.stop();
});

/** Messages travel through sockets of the machine, which need its own time. */
async function advance(clock: VirtualClock, spanMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < Math.min(spanMs, 20_000); passedMs += 50) {
    await clock.advance(50);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function serve() {
  const port = await freePort();
  return { broker: await startPlainBroker(port), url: `mqtt://127.0.0.1:${port}` };
}
