/**
 * Zigbee2MQTT and the devices behind it, while the broker is connected. A command succeeds when the device's new state comes back; what
 * the bridge says of an error ends it as failed.
 *
 * @see docs/zigbee.md
 */

import { delay } from "../../util/clock.ts";
import { foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { randomId } from "../../util/randomness.ts";
import type { Slices } from "../../util/slices.ts";
import type { DriverCommand, Outcome } from "../command.ts";
import type { DriverHost, Groupcast } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import type { NumberedDevice, NumberedDevices, NumberedNode } from "../exposed/numbered-devices.ts";
import { ASKS_NOTHING, BAD_VALUE, UNSUPPORTED } from "../exposed/outcomes.ts";
import { WaitingCommands } from "../exposed/waiting-commands.ts";
import { bridgeDevices } from "./bridge-device.ts";
import { BridgeRequests } from "./bridge-requests.ts";
import { CoverTravels } from "./cover-travels.ts";
import { groupMessages, proposeGroups } from "./zigbee-groups.ts";

type ZigbeePorts = {
  readonly host: DriverHost;
  readonly devices: NumberedDevices;
  /** Topic that all of its topics begin with; "": there is no bridge. */
  readonly base: string;
  readonly devicesMax: number;
  publish(topic: string, payload: string): void;
  /** A device said something. */
  heard(device: NumberedDevice, message: Message): void;
};
type Found = { readonly device: NumberedDevice; readonly node: NumberedNode };
type Setting = {
  readonly id: string;
  readonly isAnsweredBy: (answer: Message) => boolean;
  readonly signal: AbortSignal;
};

/** Longest message of a device; only lists are longer. */
const STATE_BYTES_MAX = 65_536;
const ECHO_MS = 1500;
const QUERY_MS = 3000;
const ASK_EVERY_MS = 200;
/** Zigbee2MQTT repeats the states that it knows when it starts. */
const REPEATS_MS = 3000;

export class ZigbeeBridge {
  readonly host: DriverHost;
  readonly devices: NumberedDevices;
  readonly requests: BridgeRequests;
  /** Aborted when the connection is lost and when the driver stops. */
  readonly lost = new AbortController();
  sent = 0;
  received = 0;
  readonly #ports: ZigbeePorts;
  readonly #waiting: WaitingCommands;
  readonly #travels: CoverTravels;
  /** Over when the bridge has listed its devices. */
  readonly #listed = Promise.withResolvers<void>();
  /** Messages up to here repeat states from before the bridge's start. */
  #quietUntilMs: number;
  /** The latest list of groups; their members may be listed later. */
  #groups: unknown = null;

  constructor(ports: ZigbeePorts) {
    const { host, devices, base } = ports;
    this.#ports = ports;
    this.host = host;
    this.devices = devices;
    this.requests = new BridgeRequests(host, (path, message) =>
      ports.publish(`${base}/bridge/request/${path}`, JSON.stringify(message)),
    );
    this.#waiting = new WaitingCommands(host.clock);
    this.#travels = new CoverTravels({
      clock: host.clock,
      positionOf: (address) => host.seen(address)?.properties.get("ST")?.value ?? null,
      arrive: (device, message) => devices.receive(device, message, { cause: "report" }, false),
    });
    this.#quietUntilMs = host.clock.elapsed() + REPEATS_MS;
  }

  /** Settles when the bridge has listed its devices and each was asked for its state. A bridge that is not there lists nothing. */
  async listed(): Promise<void> {
    await this.#listed.promise;
    await this.#askAll();
  }

  stop(reason: string): void {
    this.lost.abort(new Error(reason));
    this.#travels.stop();
    this.#waiting.end();
  }

  async send({ device, node }: Found, { id, command, parameters, signal }: DriverCommand): Promise<Outcome> {
    const known = node.plan.commands.find((each) => each.id === command);
    if (!known) return UNSUPPORTED;
    const message = known.message(parameters);
    return message ? this.set(device, message, { id, signal }) : BAD_VALUE;
  }

  groupcast(commands: Parameters<Groupcast>[0]): void {
    const told = commands.flatMap(({ address, command, parameters }) => {
      const node = this.devices.find(address)?.node;
      const message = node?.plan.commands.find(({ id }) => id === command)?.message(parameters);
      return node && message ? [{ node, message }] : [];
    });
    for (const { topic, message } of groupMessages(this.devices, this.#groups, told))
      this.#publish(topic, "set", message);
  }

  /** @param given without `isAnsweredBy`: the new state shows that it was set */
  set(
    device: NumberedDevice,
    message: Message,
    given: Omit<Setting, "isAnsweredBy"> & Partial<Setting>,
  ): Promise<Outcome> {
    const { isAnsweredBy = (answer: Message) => fits(message, answer), signal } = given;
    this.#publish(device.device.topic, "set", message);
    const { id: deviceId, topic } = device.device;
    const occasion = { cause: "ack", commandId: given.id } as const;
    return this.#waiting.add({ id: deviceId, topic, occasion, isAnsweredBy }, ECHO_MS, signal);
  }

  /** Nothing shows that it has been set. */
  setUnseen(device: NumberedDevice, message: Message, signal: AbortSignal): Promise<Outcome> {
    return this.set(device, message, { id: randomId(this.host.randomness), isAnsweredBy: () => false, signal });
  }

  query(
    device: NumberedDevice,
    nodes: readonly NumberedNode[],
    signal: AbortSignal,
    commandId?: string,
  ): Promise<Outcome> | Outcome {
    const asked = [...new Set(nodes.flatMap(({ plan }) => plan.features.flatMap((feature) => feature.asked)))];
    return asked.length === 0 ? ASKS_NOTHING : this.ask(device, asked, signal, commandId);
  }

  ask(device: NumberedDevice, asked: readonly string[], signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const { id: deviceId, topic } = device.device;
    this.#publish(topic, "get", Object.fromEntries(asked.map((key) => [key, ""])));
    const occasion = { cause: "query", ...(commandId === undefined ? {} : { commandId }) } as const;
    const isAnsweredBy = (answer: Message) => asked.some((key) => key in answer);
    return this.#waiting.add({ id: deviceId, topic, occasion, isAnsweredBy }, QUERY_MS, signal);
  }

  /** @param path of the topic, below the base. @returns work for several turns, or null */
  receive(path: string, payload: Buffer, isRetained: boolean): Slices<void> | null {
    if (path === "bridge/devices") return this.#adopt(payload);
    if (payload.length > STATE_BYTES_MAX && path !== "bridge/info") return null;
    if (path.startsWith("bridge/")) this.#receiveFromBridge(path.slice("bridge/".length), payload);
    else this.#receiveFromDevice(path, payload, isRetained);
    return null;
  }

  /** States are not kept by the broker: each device that can be asked is, one after the other. */
  async #askAll(): Promise<void> {
    const { signal } = this.lost;
    try {
      const answers: (Promise<Outcome> | Outcome)[] = [];
      for (const device of this.devices.all()) {
        const answer = this.query(device, device.nodes, signal);
        answers.push(answer);
        await Promise.race([answer, delay(this.host.clock, ASK_EVERY_MS, signal)]);
      }
      await Promise.all(answers);
    } catch {
      // The connection was lost meanwhile.
    }
  }

  #publish(topic: string, verb: "set" | "get", message: Message): void {
    this.sent += 1;
    this.#ports.publish(`${this.#ports.base}/${topic}/${verb}`, JSON.stringify(message));
  }

  *#adopt(payload: Buffer): Slices<void> {
    const { host, devices } = this;
    try {
      yield* devices.adopt(bridgeDevices(payload), this.#ports.devicesMax);
    } catch (error) {
      host.log.warn("The list of Zigbee2MQTT's devices cannot be read.", { error });
    }
    this.#listed.resolve();
    proposeGroups(host, devices, this.#groups);
  }

  #receiveFromDevice(path: string, payload: Buffer, isRetained: boolean): void {
    const { devices, host } = this;
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
    this.received += 1;
    this.#ports.heard(device, message);
    const answered = isRetained ? null : this.#waiting.answer(device.device.id, message);
    const isRepeated = isRetained || host.clock.elapsed() < this.#quietUntilMs;
    const occasion = isRetained ? { cause: "restore" as const } : (answered ?? { cause: "report" as const });
    if (!isRetained) devices.reach(device, true, occasion.cause);
    const told = this.#travels.without(device, message, occasion.cause);
    devices.receive(device, told, occasion, !isRepeated);
  }

  #receiveFromBridge(path: string, payload: Buffer): void {
    const { host, devices, requests } = this;
    if (path === "state") {
      const isOnline = stateIn(payload) === "online";
      if (isOnline) {
        this.#quietUntilMs = host.clock.elapsed() + REPEATS_MS;
        if (devices.isAway) void this.#askAll();
      }
      devices.setAway(!isOnline);
      host.status(isOnline ? "ready" : "degraded", isOnline ? "" : "Zigbee2MQTT is not running.");
    }
    if (path === "groups") {
      this.#groups = readForeignJson(payload.toString());
      proposeGroups(host, devices, this.#groups);
    }
    if (path === "info") requests.info(payload);
    if (path !== "logging" && path !== "event" && !path.startsWith("response/")) return;
    const message = readForeignJson(payload.toString());
    if (!isRecord(message)) return;
    if (path === "logging" && message.level === "error") this.#fail(foreignText(message.message, 300));
    else if (path === "event") {
      const { type, ieee } = requests.event(message);
      const device = type === "device_leave" ? devices.ofId(ieee) : null;
      if (device) devices.leave(device);
    } else if (path.startsWith("response/")) requests.answer(message);
  }

  /** The bridge says of a command that it failed. */
  #fail(sentence: string): void {
    const topic = this.#waiting.fail(sentence);
    const device = topic === null ? null : this.devices.ofTopic(topic);
    // Some values cannot be read, and their device is there.
    if (device && sentence.includes("'set'")) this.devices.reach(device, false);
  }
}

/** Whether the answer shows what was set; a step or a movement shows itself by any answer. */
function fits(message: Message, answer: Message): boolean {
  return Object.entries(message).every(([key, value]) => {
    if (!(key in answer)) return /_(step|move)/.test(key);
    return typeof value === "object" || answer[key] === value;
  });
}

function hasValue({ device }: NumberedDevice, property: string): boolean {
  return device.exposes.some((each) => [each, ...each.features].some((own) => own.property === property));
}

function stateIn(payload: Buffer): string {
  const message = readForeignJson(payload.toString());
  // Older bridges send the word alone.
  return foreignText(isRecord(message) ? message.state : payload.toString("utf8", 0, 20), 20).trim();
}
