/**
 * The driver of a message broker's devices: Zigbee devices behind Zigbee2MQTT, and those that announce themselves. A command succeeds
 * when the device's new state comes back; what the bridge says of an error ends it as failed.
 *
 * @see docs/zigbee.md
 * @see docs/announced-devices.md
 */

import type { Config } from "../../config.ts";
import { invariant } from "../../errors.ts";
import { delay } from "../../util/clock.ts";
import { foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { randomId } from "../../util/randomness.ts";
import { inSlices, type Slices } from "../../util/slices.ts";
import type { DriverCommand, Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { Groupcast } from "../groupcast.ts";
import { type MqttConnection, openMqtt, ownIdentity } from "../mqtt-connection.ts";
import { BridgeRequests } from "./bridge-requests.ts";
import {
  ANNOUNCED_DEVICES,
  type BrokerDevice,
  BrokerDevices,
  type BrokerNode,
  ZIGBEE_DEVICES,
} from "./broker-devices.ts";
import { CoverTravels } from "./cover-travels.ts";
import { AnnouncedDevices } from "./discovery/announced-devices.ts";
import type { Message } from "./feature.ts";
import { Inbox, type Received } from "./inbox.ts";
import { jsonItems } from "./json-items.ts";
import type { Running } from "./running.ts";
import { WaitingCommands } from "./waiting-commands.ts";
import { createZigbeeCodes } from "./zigbee-codes.ts";
import { ZigbeeCommissioning } from "./zigbee-commissioning.ts";
import { groupMessages, proposeGroups } from "./zigbee-groups.ts";
import { createZigbeeNetwork } from "./zigbee-network.ts";
import { ZigbeeParameters } from "./zigbee-parameters.ts";

export type MqttOptions = {
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Authority of the broker, PEM; "": the machine's trusted ones. */
  readonly ca: string;
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
/** Longest message of a device; only lists are longer. */
const STATE_BYTES_MAX = 65_536;
const ECHO_MS = 1500;
const QUERY_MS = 3000;
const ASK_EVERY_MS = 200;
const LIST_MS = 2000;
/** Zigbee2MQTT repeats the states that it knows when it starts. */
const REPEATS_MS = 3000;
const CONNECTION = { from: "the connection to the broker" };
const NOT_READY = failed("not-ready", "The broker is not connected.", true);
const UNKNOWN = failed("unreachable", "Zigbee2MQTT does not list this device.", false);
const UNSUPPORTED = failed("unsupported", "The device does not take this command.", false);
const GIVEN_UP = failed("timeout", "The command was given up.", true);
const ASKS_NOTHING: Outcome = { kind: "sent", detail: "The device reports by itself and cannot be asked." };

type Known = Pick<Running, "host" | "devices" | "announcing">;
type Reached = {
  readonly running: Running;
  readonly device: BrokerDevice;
  readonly node: BrokerNode;
  readonly isAnnounced: boolean;
};

export class MqttDriver implements Driver {
  readonly name: string;
  readonly commissioning = new ZigbeeCommissioning(() => this.#running);
  readonly network = createZigbeeNetwork(
    () => this.#running,
    (address, signal) => this.query(address, signal),
  );
  readonly parameters = new ZigbeeParameters(() => this.#parameterPorts());
  readonly codes = createZigbeeCodes(
    (address) => this.#known?.devices.find(address)?.device ?? null,
    (address, message, signal) => this.#set(address, message, signal),
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

  /** Planned once, not again at each start. */
  async #devicesOf(host: DriverHost): Promise<Known> {
    if (this.#known?.host !== host) {
      const devices = new BrokerDevices(host, ZIGBEE_DEVICES);
      const announcing = new BrokerDevices(host, ANNOUNCED_DEVICES);
      await inSlices(devices.load());
      await inSlices(announcing.load());
      this.#known = { host, devices, announcing };
    }
    return this.#known;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    const { url, user, password, ca, base, discoveryPrefix, limits } = this.#options;
    const { devices, announcing } = await this.#devicesOf(host);
    const inbox = new Inbox(host, limits.mqttMessageBytesMax * WAITING_BYTES, (message) => this.#receive(message));
    const connection = await openMqtt(
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
    if (signal.aborted) {
      await connection.end();
      signal.throwIfAborted();
    }
    const lost = new AbortController();
    const publish = (topic: string, message: Message) => connection.publish(topic, JSON.stringify(message));
    const requests = new BridgeRequests(host, (path, message) => publish(`${base}/bridge/request/${path}`, message));
    const waiting = new WaitingCommands(host.clock);
    const announced = this.#announcedOf(host, announcing, connection, waiting);
    const travels = new CoverTravels({
      clock: host.clock,
      positionOf: (address) => host.seen(address)?.properties.get("ST")?.value ?? null,
      arrive: (device, message) => devices.receive(device, message, { cause: "report" }, false),
    });
    const running: Running = {
      ...{ host, connection, inbox, devices, announcing, announced, travels, waiting, requests, lost },
      listed: Promise.withResolvers(),
      ...{ quietUntilMs: host.clock.elapsed() + REPEATS_MS, sent: 0, received: 0, groups: null },
    };
    this.#running = running;
    if (base !== "") {
      await connection.subscribe([`${base}/#`]);
      // A bridge that is not there lists nothing.
      const asked = running.listed.promise.then(() => this.#askAll(running));
      await Promise.race([asked, delay(host.clock, LIST_MS, signal)]);
    }
    if (discoveryPrefix !== "") {
      await connection.subscribe([`${discoveryPrefix}/+/+/config`, `${discoveryPrefix}/+/+/+/config`]);
      // Devices that do not have their announcements kept announce themselves again.
      connection.publish(`${discoveryPrefix}/status`, "online");
    }
    running.lost.signal.throwIfAborted();
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.lost.abort(new Error("The driver was stopped."));
    running.inbox.close();
    running.announced.stop();
    running.travels.stop();
    running.waiting.end();
    await running.connection.end();
    running.host.status("stopped", "");
  }

  async send({ id, address, command, parameters, signal }: DriverCommand): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node, isAnnounced } = found;
    const known = node.plan.commands.find((each) => each.id === command);
    if (!known) return UNSUPPORTED;
    const message = known.message(parameters);
    if (!message) return failed("bad-parameter", "The device does not take this value.", false);
    if (isAnnounced) return running.announced.send({ node, id, signal }, device.device.id, message);
    const isAnsweredBy = (answer: Message) => fits(message, answer);
    return this.#setDevice(running, device, message, { id, isAnsweredBy, signal });
  }

  #parameterPorts() {
    const known = this.#known;
    if (!known) return null;
    return {
      host: known.host,
      find: (address: string) => known.devices.find(address)?.device ?? null,
      ask: async (address: string, property: string, signal: AbortSignal) => {
        const found = this.#reachable(address, signal);
        return "kind" in found ? found : this.#askFor(found.running, found.device, [property], signal);
      },
      set: async (address: string, message: Message, signal: AbortSignal, id = "") => {
        const found = this.#reachable(address, signal);
        if ("kind" in found) return found;
        const isAnsweredBy = (answer: Message) => fits(message, answer);
        return this.#setDevice(found.running, found.device, message, { id, isAnsweredBy, signal });
      },
    };
  }

  groupcast(commands: Parameters<Groupcast>[0]): void {
    const running = this.#running;
    if (!running) return;
    const told = commands.flatMap(({ address, command, parameters }) => {
      const node = running.devices.find(address)?.node;
      const message = node?.plan.commands.find(({ id }) => id === command)?.message(parameters);
      return node && message ? [{ node, message }] : [];
    });
    for (const { topic, message } of groupMessages(running.devices, running.groups, told)) {
      running.sent += 1;
      running.connection.publish(`${this.#options.base}/${topic}/set`, JSON.stringify(message));
    }
  }

  /** Nothing shows that it has been set. */
  async #set(address: string, message: Message, signal: AbortSignal): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const id = randomId(found.running.host.randomness);
    return this.#setDevice(found.running, found.device, message, { id, isAnsweredBy: () => false, signal });
  }

  #setDevice(
    running: Running,
    device: BrokerDevice,
    message: Message,
    given: {
      readonly id: string;
      readonly isAnsweredBy: (answer: Message) => boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<Outcome> {
    this.#publish(running, device, "set", message);
    const { id: deviceId, topic } = device.device;
    const { isAnsweredBy, signal } = given;
    const occasion = { cause: "ack", commandId: given.id } as const;
    return running.waiting.add({ id: deviceId, topic, occasion, isAnsweredBy }, ECHO_MS, signal);
  }

  async query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node, isAnnounced } = found;
    if (isAnnounced) return ASKS_NOTHING;
    return this.#ask(running, device, [node], signal, commandId);
  }

  /** The home ignores what a disabled node reports. */
  setEnabled(address: string, enabled: boolean): void {
    const running = this.#running;
    const found = running?.devices.find(address);
    if (running && found && enabled) void this.#ask(running, found.device, [found.node], running.lost.signal);
  }

  /** States are not kept by the broker: each device that can be asked is, one after the other. */
  async #askAll(running: Running): Promise<void> {
    const { host, devices, lost } = running;
    try {
      const answers: (Promise<Outcome> | Outcome)[] = [];
      for (const device of devices.all()) {
        const answer = this.#ask(running, device, device.nodes, lost.signal);
        answers.push(answer);
        await Promise.race([answer, delay(host.clock, ASK_EVERY_MS, lost.signal)]);
      }
      await Promise.all(answers);
    } catch {
      // The connection was lost meanwhile.
    }
  }

  #ask(
    running: Running,
    device: BrokerDevice,
    nodes: readonly BrokerNode[],
    signal: AbortSignal,
    commandId?: string,
  ): Promise<Outcome> | Outcome {
    const asked = [...new Set(nodes.flatMap(({ plan }) => plan.features.flatMap((feature) => feature.asked)))];
    return asked.length === 0 ? ASKS_NOTHING : this.#askFor(running, device, asked, signal, commandId);
  }

  #askFor(
    running: Running,
    device: BrokerDevice,
    asked: readonly string[],
    signal: AbortSignal,
    commandId?: string,
  ): Promise<Outcome> {
    this.#publish(running, device, "get", Object.fromEntries(asked.map((key) => [key, ""])));
    const { id: deviceId, topic } = device.device;
    const occasion = { cause: "query", ...(commandId === undefined ? {} : { commandId }) } as const;
    const isAnsweredBy = (answer: Message) => asked.some((key) => key in answer);
    return running.waiting.add({ id: deviceId, topic, occasion, isAnsweredBy }, QUERY_MS, signal);
  }

  #publish(running: Running, { device }: BrokerDevice, verb: "set" | "get", message: Message): void {
    running.sent += 1;
    running.connection.publish(`${this.#options.base}/${device.topic}/${verb}`, JSON.stringify(message));
  }

  #reachable(address: string, signal: AbortSignal): Outcome | Reached {
    const running = this.#running;
    if (!running) return NOT_READY;
    const zigbee = running.devices.find(address);
    const found = zigbee ?? running.announcing.find(address);
    if (!found) return UNKNOWN;
    return signal.aborted ? GIVEN_UP : { running, ...found, isAnnounced: zigbee === null };
  }

  #lose(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.lost.abort(new Error("The connection to the broker was lost."));
    running.inbox.close();
    running.announced.stop();
    running.travels.stop();
    running.waiting.end();
    void running.connection.end().catch(() => {});
    running.host.status("failed", "The connection to the broker was lost.");
  }

  #announcedOf(
    host: DriverHost,
    devices: BrokerDevices,
    connection: MqttConnection,
    waiting: WaitingCommands,
  ): AnnouncedDevices {
    const { base, uuid, limits } = this.#options;
    const subscribe = (topics: readonly string[]) =>
      void connection.subscribe(topics).catch((error: unknown) => {
        host.log.warn("The broker refuses topics of announced devices.", { topics: topics.slice(0, 10), error });
      });
    return new AnnouncedDevices({
      ...{ host, devices, waiting, subscribe, entitiesMax: limits.mqttEntitiesMax, reserved: this.#options.reserved() },
      unsubscribe: (topics) => void connection.unsubscribe(topics).catch(() => {}),
      publish: ({ topic, payload, isRetained }) => connection.publish(topic, payload, isRetained),
      // Zigbee2MQTT announces its devices too, and this controller its nodes.
      isForeign: ({ origin, device }) =>
        (origin === "Zigbee2MQTT" && base !== "") || (device?.id.startsWith(`${ownIdentity(uuid)}_`) ?? false),
    });
  }

  #receive(message: Received): Slices<void> | null {
    const running = this.#running;
    const { base, discoveryPrefix } = this.#options;
    const { topic, payload, isRetained } = message;
    if (!running) return null;
    if (discoveryPrefix !== "" && topic.startsWith(`${discoveryPrefix}/`) && topic.endsWith("/config")) {
      running.announced.announce(topic.slice(discoveryPrefix.length + 1, -"/config".length), message);
      return null;
    }
    const isOfZigbee = base !== "" && topic.startsWith(`${base}/`);
    const path = topic.slice(base.length + 1);
    if (isOfZigbee && path === "bridge/devices") return this.#adopt(running, payload);
    if (payload.length > STATE_BYTES_MAX && path !== "bridge/info") return null;
    if (isOfZigbee) {
      if (path.startsWith("bridge/")) this.#receiveFromBridge(running, path.slice("bridge/".length), payload);
      else this.#receiveFromDevice(running, path, payload, isRetained);
    }
    return running.announced.reads(topic) ? running.announced.receive(message) : null;
  }

  *#adopt(running: Running, payload: Buffer): Slices<void> {
    const { host, devices, listed } = running;
    try {
      yield* devices.adopt(jsonItems(payload), this.#options.limits.zigbeeDevicesMax);
    } catch (error) {
      host.log.warn("The list of Zigbee2MQTT's devices cannot be read.", { error });
    }
    listed.resolve();
    proposeGroups(host, devices, running.groups);
  }

  #receiveFromDevice(running: Running, path: string, payload: Buffer, isRetained: boolean): void {
    const { devices, waiting, travels, host } = running;
    const slash = path.lastIndexOf("/");
    const [name, part] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
    // Zigbee2MQTT can publish each value on a topic of its own. A name may hold a slash.
    const whole = devices.ofTopic(path);
    const device = whole ?? devices.ofTopic(name);
    if (!device) return;
    if (!whole && part === "availability") {
      devices.reach(device, stateIn(payload) === "online", isRetained ? "restore" : "report");
      return;
    }
    const text = payload.toString();
    const value = readForeignJson(text) ?? text;
    const message = whole ? value : hasValue(device, part) ? { [part]: value } : null;
    if (!isRecord(message)) return;
    running.received += 1;
    this.parameters.hear(device, message);
    const answered = isRetained ? null : waiting.answer(device.device.id, message);
    const isRepeated = isRetained || host.clock.elapsed() < running.quietUntilMs;
    const occasion = isRetained ? { cause: "restore" as const } : (answered ?? { cause: "report" as const });
    if (!isRetained) devices.reach(device, true, occasion.cause);
    const told = travels.without(device, message, occasion.cause);
    devices.receive(device, told, occasion, !isRepeated);
  }

  #receiveFromBridge(running: Running, path: string, payload: Buffer): void {
    const { host, devices, requests, waiting } = running;
    if (path === "state") {
      const isOnline = stateIn(payload) === "online";
      if (isOnline) {
        running.quietUntilMs = host.clock.elapsed() + REPEATS_MS;
        if (devices.isAway) void this.#askAll(running);
      }
      devices.setAway(!isOnline);
      host.status(isOnline ? "ready" : "degraded", isOnline ? "" : "Zigbee2MQTT is not running.");
    }
    if (path === "groups") {
      running.groups = readForeignJson(payload.toString());
      proposeGroups(host, devices, running.groups);
    }
    if (path === "info") requests.info(payload);
    if (path !== "logging" && path !== "event" && !path.startsWith("response/")) return;
    const message = readForeignJson(payload.toString());
    if (!isRecord(message)) return;
    if (path === "logging" && message.level === "error") {
      const sentence = foreignText(message.message, 300);
      const topic = waiting.fail(sentence);
      const device = topic === null ? null : devices.ofTopic(topic);
      // Some values cannot be read, and their device is there.
      if (device && sentence.includes("'set'")) devices.reach(device, false);
    } else if (path === "event") {
      const { type, ieee } = requests.event(message);
      const device = type === "device_leave" ? devices.ofId(ieee) : null;
      if (device) devices.leave(device);
    } else if (path.startsWith("response/")) requests.answer(message);
  }
}

/** Whether the answer shows what was set; a step or a movement shows itself by any answer. */
function fits(message: Message, answer: Message): boolean {
  return Object.entries(message).every(([key, value]) => {
    if (!(key in answer)) return /_(step|move)/.test(key);
    return typeof value === "object" || answer[key] === value;
  });
}

function hasValue({ device }: BrokerDevice, property: string): boolean {
  return device.exposes.some((each) => [each, ...each.features].some((own) => own.property === property));
}

function stateIn(payload: Buffer): string {
  const message = readForeignJson(payload.toString());
  // Older bridges send the word alone.
  return foreignText(isRecord(message) ? message.state : payload.toString("utf8", 0, 20), 20).trim();
}

function failed(
  reason: "not-ready" | "unreachable" | "unsupported" | "timeout" | "bad-parameter",
  detail: string,
  retryable: boolean,
): Outcome {
  return { kind: "failed", reason, detail, retryable };
}
