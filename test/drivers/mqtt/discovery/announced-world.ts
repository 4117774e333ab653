/** Devices that announce themselves, without a broker: what they announce and say, and what a command publishes. */

import { ANNOUNCED_DEVICES, NumberedDevices } from "../../../../src/drivers/exposed/numbered-devices.ts";
import { WaitingCommands } from "../../../../src/drivers/exposed/waiting-commands.ts";
import { AnnouncedDevices } from "../../../../src/drivers/mqtt/discovery/announced-devices.ts";
import { roleOf } from "../../../../src/profile/roles.ts";
import { atOnce } from "../../../../src/util/slices.ts";
import { VirtualClock } from "../../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../../recording-host.ts";

export const DEVICE = { identifiers: ["d1"], name: "Thing", manufacturer: "Maker", model: "One" };
export const FIRST = "n000_001_1";

export type AnnouncedWorld = ReturnType<typeof started>;

export function started(store = memoryStore(), entitiesMax = 50) {
  const clock = new VirtualClock(0);
  const host = new RecordingHost(clock, store);
  const devices = new NumberedDevices(host, ANNOUNCED_DEVICES);
  atOnce(devices.load());
  const topics = new Set<string>();
  const published: string[] = [];
  const announced = new AnnouncedDevices({
    ...{
      host,
      devices,
      entitiesMax,
      waiting: new WaitingCommands(clock),
      reserved: ["zigbee2mqtt", "homeassistant", "domovoi"],
    },
    isForeign: ({ origin }) => origin === "Zigbee2MQTT",
    subscribe: (all) => all.forEach((each) => void topics.add(each)),
    unsubscribe: (all) => all.forEach((each) => void topics.delete(each)),
    publish: ({ topic, payload }) => void published.push(`${topic} ${payload}`),
  });
  return { clock, host, devices, announced, topics, published };
}

export const bytes = (payload: unknown) => Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));

/** @param of the world of the test that runs */
export function actionsIn(of: () => AnnouncedWorld) {
  async function announce(path: string, config: unknown, isRetained = true) {
    of().announced.announce(path, { topic: "", payload: bytes(config), isRetained });
    await of().clock.advance(1000);
  }

  function hear(topic: string, payload: unknown, isRetained = false) {
    atOnce(of().announced.receive({ topic, payload: bytes(payload), isRetained }));
  }

  const value = (id: string, address = FIRST) => of().host.last(address, id)?.value;

  function role(address = FIRST) {
    const spec = of().host.nodes.get(address);
    return spec ? roleOf(of().host.profile, spec) : null;
  }

  /** What the command publishes. */
  function send(address: string, command: string, ...values: readonly number[]): readonly string[] {
    const found = of().devices.find(address);
    const known = found?.node.plan.commands.find(({ id }) => id === command);
    const message = known?.message(values.map((each) => ({ id: "", value: each, uom: 0, prec: 0 })));
    if (!found || !message) throw new Error(`${address} does not take ${command}.`);
    of().published.length = 0;
    const { signal } = new AbortController();
    void of().announced.send({ node: found.node, id: "1", signal }, found.device.device.id, message);
    return [...of().published];
  }
  return { announce, hear, value, role, send };
}
