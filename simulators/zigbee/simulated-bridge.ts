/**
 * A bridge with simulated Zigbee devices that speaks the topics of Zigbee2MQTT on a real broker: the list of devices, states,
 * availability, set and get, errors, joining and leaving.
 */

import { randomUUID } from "node:crypto";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";

type Message = Readonly<Record<string, unknown>>;

export type SimulatedDevice = {
  /** As on `bridge/devices`. */
  readonly listed: { readonly ieee_address: string; readonly friendly_name: string } & Message;
  /** The state that it has and reports. */
  readonly state: Record<string, unknown>;
};

const SCHEMA_LENGTH = 100_000;

export class SimulatedBridge {
  /** Devices that do not answer, by name. */
  readonly silent = new Set<string>();
  /** Devices that publish nothing when they are set to what they have, by name. */
  readonly terse = new Set<string>();
  /** What was set, in the order of its arrival. */
  readonly received: { readonly name: string; readonly message: Message }[] = [];
  /** Names of the members of each group, by its name. */
  readonly groups = new Map<string, readonly string[]>();
  /** Options that were set, in the order of their arrival. */
  readonly options: Message[] = [];
  /** Requests have no answer. */
  isDeaf = false;
  /** Joins when the network is open. */
  newcomer: SimulatedDevice | null = null;
  readonly #client: MqttClient;
  readonly #base: string;
  readonly #devices: Map<string, SimulatedDevice>;

  private constructor(client: MqttClient, base: string, devices: readonly SimulatedDevice[]) {
    this.#client = client;
    this.#base = base;
    this.#devices = new Map(devices.map((each) => [each.listed.friendly_name, each]));
  }

  static async start(
    url: string,
    devices: readonly SimulatedDevice[],
    base = "zigbee2mqtt",
    login: IClientOptions = {},
  ): Promise<SimulatedBridge> {
    const client = await connectAsync(url, { clientId: `bridge-${randomUUID()}`, ...login });
    const bridge = new SimulatedBridge(client, base, devices);
    client.on("message", (topic, payload) => void bridge.#receive(topic.slice(base.length + 1), payload.toString()));
    await client.subscribeAsync(`${base}/#`);
    await bridge.#announce();
    // The broker was away, and may have forgotten what it kept.
    client.on("connect", () => void bridge.#announce());
    return bridge;
  }

  async #announce(): Promise<void> {
    await this.list();
    await this.publish("bridge/state", { state: "online" }, true);
    for (const name of this.#devices.keys()) await this.setAvailable(name, true);
  }

  async publish(path: string, message: unknown, retain = false): Promise<void> {
    if (this.#client.disconnecting) return;
    const payload = typeof message === "string" ? message : JSON.stringify(message);
    await this.#client.publishAsync(`${this.#base}/${path}`, payload, { retain });
  }

  list(): Promise<void> {
    const devices = [...this.#devices.values()].map(({ listed }) => listed);
    return this.publish(
      "bridge/devices",
      [{ type: "Coordinator", ieee_address: "0x00124b0000000001" }, ...devices],
      true,
    );
  }

  /** Whether devices can join now; the whole message is long, because it holds the schema of the configuration. */
  setOpen(isOpen: boolean): Promise<void> {
    return this.publish("bridge/info", { permit_join: isOpen, config_schema: "x".repeat(SCHEMA_LENGTH) }, true);
  }

  /** The device leaves by itself. */
  async leave(name: string): Promise<void> {
    const device = this.#devices.get(name);
    if (!device) return;
    const { friendly_name, ieee_address } = device.listed;
    this.#devices.delete(name);
    await this.publish("bridge/event", { type: "device_leave", data: { friendly_name, ieee_address } });
    await this.list();
  }

  setAvailable(name: string, isAvailable: boolean): Promise<void> {
    return this.publish(`${name}/availability`, { state: isAvailable ? "online" : "offline" }, true);
  }

  /** The device reports these, with all that it reported before. */
  async report(name: string, change: Message, retain = false): Promise<void> {
    const device = this.#devices.get(name);
    if (!device) return;
    Object.assign(device.state, change);
    await this.publish(name, device.state, retain);
    delete device.state.action;
  }

  async stop(): Promise<void> {
    await this.publish("bridge/state", { state: "offline" }, true);
    await this.#client.endAsync();
  }

  async #receive(path: string, payload: string): Promise<void> {
    if (path.startsWith("bridge/request/")) {
      return this.#answer(path.slice("bridge/request/".length), JSON.parse(payload) as Message);
    }
    const [, name = "", verb] = /^(.+)\/(set|get)$/.exec(path) ?? [];
    const members = this.groups.get(name);
    const device = this.#devices.get(name);
    if (!(device || members) || verb === undefined) return;
    const message = JSON.parse(payload) as Message;
    if (verb === "set") this.received.push({ name, message });
    for (const each of members ?? []) await this.report(each, message);
    if (!device) return;
    if (this.silent.has(name)) {
      const error = `z2m: Publish '${verb}' '${Object.keys(message)[0]}' to '${name}' failed: 'Error: Timeout'`;
      return this.publish("bridge/logging", { level: "error", message: error });
    }
    const change = verb === "set" ? settled(device, message) : {};
    const isNew = Object.entries(change).some(([key, value]) => device.state[key] !== value);
    if (verb === "get" || isNew || !this.terse.has(name)) await this.report(name, change);
  }

  async #answer(path: string, { transaction, id, time, from, to, options }: Message): Promise<void> {
    if (this.isDeaf) return;
    const isTaken = path === "device/rename" && this.#devices.has(String(to));
    const status = this.silent.has(String(id)) || isTaken ? "error" : "ok";
    const error = status === "error" ? { error: "The device does not answer." } : {};
    if (path === "permit_join") await this.setOpen(Number(time) > 0);
    await this.publish(`bridge/response/${path}`, { data: {}, status, transaction, ...error });
    if (path === "permit_join" && Number(time) > 0 && this.newcomer) await this.#join(this.newcomer);
    if (path === "device/remove" && status === "ok") {
      for (const [name, { listed }] of this.#devices) if (listed.ieee_address === id) this.#devices.delete(name);
      await this.list();
    }
    if (path === "device/rename" && status === "ok") await this.#rename(from, String(to));
    if (path === "device/options") this.options.push({ id, options });
  }

  async #rename(id: unknown, name: string): Promise<void> {
    const device = [...this.#devices.values()].find(({ listed }) => listed.ieee_address === id);
    if (device) {
      this.#devices.delete(device.listed.friendly_name);
      this.#devices.set(name, { ...device, listed: { ...device.listed, friendly_name: name } });
    }
    await this.list();
  }

  async #join(device: SimulatedDevice): Promise<void> {
    this.newcomer = null;
    const { friendly_name, ieee_address } = device.listed;
    const data = { friendly_name, ieee_address };
    await this.publish("bridge/event", { type: "device_joined", data });
    await this.publish("bridge/event", { type: "device_interview", data: { ...data, status: "started" } });
    this.#devices.set(friendly_name, device);
    await this.list();
    await this.publish("bridge/event", { type: "device_interview", data: { ...data, status: "successful" } });
  }
}

/** A lamp that gets a brightness turns on, and a step moves it. A siren publishes nothing of its commands. */
function settled({ state }: SimulatedDevice, message: Message): Message {
  const { brightness_step_onoff: step, brightness_move_onoff: _move, brightness_move: _stop, ...rest } = message;
  const { warning: _warning, ...set } = rest;
  if (typeof step === "number") return { brightness: Math.min(254, Number(state.brightness ?? 0) + step), state: "ON" };
  return typeof set.brightness === "number" ? { state: "ON", ...set } : set;
}
