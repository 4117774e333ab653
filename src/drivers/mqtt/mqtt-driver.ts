/**
 * The driver of a message broker's devices: Zigbee devices behind Zigbee2MQTT, and those that announce themselves, over one connection.
 *
 * @see docs/zigbee.md
 * @see docs/announced-devices.md
 */

import type { Config } from "../../config.ts";
import { invariant } from "../../errors.ts";
import { delay } from "../../util/clock.ts";
import { inSlices, type Slices } from "../../util/slices.ts";
import type { Broker } from "../broker-settings.ts";
import type { DriverCommand, Outcome } from "../command.ts";
import type { Driver, DriverHost, Groupcast, UserCodes } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import {
  ANNOUNCED_DEVICES,
  type NumberedDevice,
  NumberedDevices,
  type NumberedNode,
  ZIGBEE_DEVICES,
} from "../exposed/numbered-devices.ts";
import { ASKS_NOTHING, BAD_VALUE, GIVEN_UP, NOT_READY, UNKNOWN, UNSUPPORTED } from "../exposed/outcomes.ts";
import { type MqttConnection, openMqtt, ownIdentity } from "../mqtt-connection.ts";
import { AnnouncedDevices } from "./discovery/announced-devices.ts";
import { Inbox, type Received } from "./inbox.ts";
import { ZigbeeBridge } from "./zigbee-bridge.ts";
import { ZigbeeCommissioning } from "./zigbee-commissioning.ts";
import { createZigbeeNetwork } from "./zigbee-network.ts";
import { ZigbeeParameters } from "./zigbee-parameters.ts";

export type MqttOptions = Broker & {
  readonly name: string;
  /** Base topic of Zigbee2MQTT; "": none. */
  readonly base: string;
  /** Prefix of the topics on which devices announce themselves; "": they are not read. */
  readonly discoveryPrefix: string;
  /** Topics that announced devices must not command. */
  readonly reserved: () => readonly string[];
  /** Identity of this controller, by which it knows what it has announced itself. */
  readonly uuid: string;
  readonly limits: Pick<Config, "mqttMessageBytesMax" | "mqttEntitiesMax" | "zigbeeDevicesMax">;
};

/** All waiting messages, in the longest ones. */
const WAITING_BYTES = 4;
/** Longest state of a device that announced itself. */
const STATE_BYTES_MAX = 65_536;
const LIST_MS = 2000;
const CONNECTION = { from: "the connection to the broker" };

/** Planned once, not again at each start. */
type Known = { readonly host: DriverHost; readonly zigbee: NumberedDevices; readonly announcing: NumberedDevices };
type Running = {
  readonly host: DriverHost;
  readonly connection: MqttConnection;
  readonly inbox: Inbox;
  readonly bridge: ZigbeeBridge;
  readonly announcing: NumberedDevices;
  readonly announced: AnnouncedDevices;
};
type Found = { readonly device: NumberedDevice; readonly node: NumberedNode };

export class MqttDriver implements Driver {
  readonly name: string;
  readonly commissioning = new ZigbeeCommissioning(() => this.#running?.bridge ?? null);
  readonly network = createZigbeeNetwork(
    () => this.#running?.bridge ?? null,
    () => this.#running?.announced.findings() ?? [],
    (address, signal) => this.query(address, signal),
  );
  readonly parameters = new ZigbeeParameters(() => this.#parameterPorts());
  readonly codes = createZigbeeCodes(
    (address) => this.#known?.zigbee.find(address)?.device ?? null,
    async (address, message, signal) => {
      const found = this.#zigbeeAt(address, signal);
      return "kind" in found ? found : found.bridge.setUnseen(found.device, message, signal);
    },
  );
  readonly #options: MqttOptions;
  #running: Running | null = null;
  #known: Known | null = null;

  constructor(options: MqttOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async restore(host: DriverHost): Promise<void> {
    await this.#devicesOf(host);
  }

  async #devicesOf(host: DriverHost): Promise<Known> {
    if (this.#known?.host !== host) {
      const zigbee = new NumberedDevices(host, ZIGBEE_DEVICES);
      const announcing = new NumberedDevices(host, ANNOUNCED_DEVICES);
      await inSlices(zigbee.load());
      await inSlices(announcing.load());
      this.#known = { host, zigbee, announcing };
    }
    return this.#known;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    const { base, discoveryPrefix, limits } = this.#options;
    const { zigbee, announcing } = await this.#devicesOf(host);
    const inbox = new Inbox(host, limits.mqttMessageBytesMax * WAITING_BYTES, (message) => this.#receive(message));
    const connection = await this.#connect(host, inbox);
    if (signal.aborted) {
      await connection.end();
      signal.throwIfAborted();
    }
    const bridge = new ZigbeeBridge({
      ...{ host, devices: zigbee, base, devicesMax: limits.zigbeeDevicesMax },
      publish: (topic, payload) => connection.publish(topic, payload),
      heard: (device, message) => this.parameters.hear(device, message),
    });
    const announced = this.#announcedOf(host, announcing, connection);
    this.#running = { host, connection, inbox, bridge, announcing, announced };
    if (base !== "") {
      await connection.subscribe([`${base}/#`]);
      await Promise.race([bridge.listed(), delay(host.clock, LIST_MS, signal)]);
    }
    if (discoveryPrefix !== "") {
      await connection.subscribe([`${discoveryPrefix}/+/+/config`, `${discoveryPrefix}/+/+/+/config`]);
      // Devices that do not have their announcements kept announce themselves again.
      connection.publish(`${discoveryPrefix}/status`, "online");
    }
    bridge.lost.signal.throwIfAborted();
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    const running = this.#end("The driver was stopped.");
    if (!running) return;
    await running.connection.end();
    running.host.status("stopped", "");
  }

  async send(command: DriverCommand): Promise<Outcome> {
    const { id, address, parameters, signal } = command;
    const running = this.#running;
    if (!running) return NOT_READY;
    const announced = running.announcing.find(address);
    if (!announced) {
      const found = this.#zigbeeAt(address, signal);
      return "kind" in found ? found : found.bridge.send(found, command);
    }
    if (signal.aborted) return GIVEN_UP;
    const known = announced.node.plan.commands.find((each) => each.id === command.command);
    if (!known) return UNSUPPORTED;
    const message = known.message(parameters);
    if (!message) return BAD_VALUE;
    return running.announced.send({ node: announced.node, id, signal }, announced.device.device.id, message);
  }

  async query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    if (this.#running?.announcing.find(address)) return signal.aborted ? GIVEN_UP : ASKS_NOTHING;
    const found = this.#zigbeeAt(address, signal);
    return "kind" in found ? found : found.bridge.query(found.device, [found.node], signal, commandId);
  }

  groupcast(commands: Parameters<Groupcast>[0]): void {
    this.#running?.bridge.groupcast(commands);
  }

  #zigbeeAt(address: string, signal: AbortSignal): Outcome | (Found & { readonly bridge: ZigbeeBridge }) {
    const bridge = this.#running?.bridge;
    if (!bridge) return NOT_READY;
    const found = bridge.devices.find(address);
    if (!found) return UNKNOWN;
    return signal.aborted ? GIVEN_UP : { bridge, ...found };
  }

  #parameterPorts() {
    const known = this.#known;
    if (!known) return null;
    return {
      host: known.host,
      find: (address: string) => known.zigbee.find(address)?.device ?? null,
      ask: async (address: string, property: string, signal: AbortSignal) => {
        const found = this.#zigbeeAt(address, signal);
        return "kind" in found ? found : found.bridge.ask(found.device, [property], signal);
      },
      set: async (address: string, message: Message, signal: AbortSignal, id = "") => {
        const found = this.#zigbeeAt(address, signal);
        return "kind" in found ? found : found.bridge.set(found.device, message, { id, signal });
      },
    };
  }

  #connect(host: DriverHost, inbox: Inbox): Promise<MqttConnection> {
    const { url, user, password, ca, limits } = this.#options;
    return openMqtt(
      {
        ...{ url, user, password, ca, key: "", cert: "" },
        clientId: `domovoi-${this.name}-${host.randomness.bytes(4).toString("hex")}`,
        messageBytesMax: limits.mqttMessageBytesMax,
      },
      {
        log: host.log,
        received: (topic, payload, isRetained) => inbox.push({ topic, payload, isRetained }),
        connected() {},
        disconnected: () => void host.guard(CONNECTION, () => this.#lose()),
      },
    );
  }

  #announcedOf(host: DriverHost, devices: NumberedDevices, connection: MqttConnection): AnnouncedDevices {
    const { base, uuid, limits } = this.#options;
    const subscribe = (topics: readonly string[]) =>
      void connection.subscribe(topics).catch((error: unknown) => {
        host.log.warn("The broker refuses topics of announced devices.", { topics: topics.slice(0, 10), error });
      });
    return new AnnouncedDevices({
      ...{ host, devices, subscribe, entitiesMax: limits.mqttEntitiesMax, reserved: this.#options.reserved() },
      unsubscribe: (topics) => void connection.unsubscribe(topics).catch(() => {}),
      publish: ({ topic, payload, isRetained }) => connection.publish(topic, payload, isRetained),
      // Zigbee2MQTT announces its devices too, and this controller its nodes.
      isForeign: ({ origin, device }) =>
        (origin === "Zigbee2MQTT" && base !== "") || (device?.id.startsWith(`${ownIdentity(uuid)}_`) ?? false),
    });
  }

  #lose(): void {
    const running = this.#end("The connection to the broker was lost.");
    if (!running) return;
    void running.connection.end().catch(() => {});
    running.host.status("failed", "The connection to the broker was lost.");
  }

  #end(reason: string): Running | null {
    const running = this.#running;
    this.#running = null;
    running?.inbox.close();
    running?.bridge.stop(reason);
    running?.announced.stop();
    return running;
  }

  /** @returns work for several turns, or null */
  #receive(message: Received): Slices<void> | null {
    const running = this.#running;
    const { base, discoveryPrefix } = this.#options;
    const { topic, payload, isRetained } = message;
    if (!running) return null;
    const { bridge, announced } = running;
    if (discoveryPrefix !== "" && topic.startsWith(`${discoveryPrefix}/`) && topic.endsWith("/config")) {
      announced.announce(topic.slice(discoveryPrefix.length + 1, -"/config".length), message);
      return null;
    }
    if (base !== "" && topic.startsWith(`${base}/`)) {
      const work = bridge.receive(topic.slice(base.length + 1), payload, isRetained);
      if (work) return work;
    }
    return payload.length <= STATE_BYTES_MAX && announced.reads(topic) ? announced.receive(message) : null;
  }
}

const SLOTS = 30;
const KEY = "pin_code";

/** Codes of locks behind Zigbee2MQTT: it does not say how many a lock has, and refuses those beyond. */
function createZigbeeCodes(
  find: (address: string) => NumberedDevice | null,
  set: (address: string, message: Message, signal: AbortSignal) => Promise<Outcome>,
): UserCodes {
  return {
    slots: (address) => (find(address)?.device.exposes.some(({ name }) => name === KEY) ? SLOTS : 0),
    // As a text, because a number has no zeros in front.
    set: (address, slot, code, signal) =>
      set(address, { [KEY]: { user: slot, user_type: "unrestricted", user_enabled: true, [KEY]: code } }, signal),
    clear: (address, slot, signal) => set(address, { [KEY]: { user: slot, [KEY]: null } }, signal),
  };
}
