/**
 * Shows the nodes of the home on a message broker, announced the way of Home Assistant, and sends the commands that come back with the rights
 * of an account of its own. It follows the change feed, publishes only what has changed, and nothing that came from the same broker.
 *
 * @see docs/announcing.md
 */

import type { CommandPorts } from "../../commands/ports.ts";
import type { Broker } from "../../drivers/broker-settings.ts";
import { type MqttConnection, openMqtt, ownIdentity } from "../../drivers/mqtt-connection.ts";
import type { Service, ServiceHost } from "../../drivers/service.ts";
import { ControllerError, invariant } from "../../errors.ts";
import type { Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import type { GivenCommand, ParameterValue } from "../../profile/command-resolver.ts";
import { UOM } from "../../profile/uom.ts";
import { readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { BridgeCommands } from "../bridge-commands.ts";
import { Following } from "../following.ts";
import { type Access, isShown, type Shown } from "../shown-nodes.ts";
import { announcementOf, textOf, topicOf } from "./announced-node.ts";
import { COLOR, LEVELS, NO_VALUE } from "./component-table.ts";

export type BridgeOptions = Shown &
  Broker & {
    readonly name: string;
    readonly base: string;
    readonly discoveryPrefix: string;
    readonly access: Access;
    readonly version: string;
  };

type Running = {
  readonly host: ServiceHost;
  readonly connection: MqttConnection;
  /** What the broker has of us, by topic. */
  readonly published: Map<string, string>;
  /** Nodes to announce, and topics to publish. */
  readonly changed: Set<string>;
  readonly values: Map<string, string>;
  /** Addresses by their part of a topic. */
  readonly addresses: Map<string, string>;
  /** Of lamps with hue and saturation, by address: their ids, for they are one value for others. */
  readonly colors: Map<string, readonly string[]>;
  readonly lost: AbortController;
  readonly commands: BridgeCommands;
  readonly following: Following;
};

/** Values that change several times meanwhile are published once. */
const GATHER_MS = 100;
const NODES_PER_TURN = 10;
const VALUES_PER_TURN = 200;
const COMMANDS_PER_SECOND = 20;
const COMMAND_BYTES_MAX = 4096;
const MESSAGE_BYTES_MAX = 65_536;
const CONNECTION = { from: "the connection to the broker" };
const ANNOUNCED = "announced";
/** No announcement is this text. */
const NOT_KNOWN = "?";

export class MqttBridge implements Service {
  readonly name: string;
  readonly #ports: CommandPorts;
  readonly #options: BridgeOptions;
  #running: Running | null = null;

  constructor(ports: CommandPorts, options: BridgeOptions) {
    this.name = options.name;
    this.#ports = ports;
    this.#options = options;
  }

  async start(host: ServiceHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A bridge is stopped before it is started again.");
    const { url, user, password, ca, base, discoveryPrefix } = this.#options;
    const status = `${base}/status`;
    let receive = (_topic: string, _payload: Buffer, _isRetained: boolean): void => {};
    const connection = await openMqtt(
      {
        ...{ url, user, password, ca, key: "", cert: "", messageBytesMax: MESSAGE_BYTES_MAX },
        clientId: `domovoi-${this.name}-${host.randomness.bytes(4).toString("hex")}`,
        will: { topic: status, payload: "offline" },
      },
      {
        log: host.log,
        received: (topic, payload, isRetained) => receive(topic, payload, isRetained),
        connected() {},
        disconnected: () => void host.guard(CONNECTION, () => this.#lose()),
      },
    );
    if (signal.aborted) {
      await connection.end();
      signal.throwIfAborted();
    }
    const running: Running = {
      ...{ host, connection, published: new Map(), changed: new Set(), values: new Map(), addresses: new Map() },
      ...{ colors: new Map(), lost: new AbortController() },
      commands: new BridgeCommands(this.#ports, host, { ...this.#options, perSecondMax: COMMANDS_PER_SECOND }),
      following: this.#follow(host, () => running),
    };
    this.#running = running;
    receive = (topic, payload, isRetained) =>
      void host.guard({ from: topic, content: payload }, () => this.#receive(running, topic, payload, isRetained));
    await connection.subscribe([`${base}/+/set`, `${discoveryPrefix}/status`]);
    connection.publish(status, "online", true);
    this.#recall(running);
    this.#announceAll(running);
  }

  /** What others have of us goes with us: nothing stays on the broker. */
  async leave(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    for (const topic of running.published.keys()) running.connection.publish(topic, "", true);
    running.connection.publish(`${this.#options.base}/status`, "", true);
    running.host.store.delete(ANNOUNCED);
    this.#end(running, "The integration is removed.");
    await running.connection.end();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    running.connection.publish(`${this.#options.base}/status`, "offline", true);
    this.#remember(running);
    this.#end(running, "The bridge was stopped.");
    await running.connection.end();
  }

  #lose(): void {
    const running = this.#running;
    if (!running) return;
    this.#end(running, "The connection to the broker was lost.");
    void running.connection.end().catch(() => {});
    running.host.status("failed", "The connection to the broker was lost.");
  }

  #end(running: Running, sentence: string): void {
    this.#running = null;
    running.following.stop();
    running.lost.abort(new Error(sentence));
  }

  /** What an earlier run has left on the broker: it may be out of date, and not be wanted any more. */
  #recall(running: Running): void {
    const { base, discoveryPrefix } = this.#options;
    const stored = running.host.store.get(ANNOUNCED);
    const { base: oldBase, discoveryPrefix: oldPrefix, nodes } = isRecord(stored) ? stored : {};
    const isMoved = oldBase !== base || oldPrefix !== discoveryPrefix;
    if (typeof oldBase === "string" && oldBase !== base) running.connection.publish(`${oldBase}/status`, "", true);
    for (const [address, ids] of Object.entries(isRecord(nodes) ? nodes : {})) {
      const parts = Array.isArray(ids) ? ids.map(String) : [];
      const values = parts.map((id) => `${String(oldBase)}/${topicOf(address)}/${id}`);
      for (const topic of [this.#configTopic(address, String(oldPrefix)), ...values]) {
        running.published.set(topic, NOT_KNOWN);
        if (isMoved) this.#publish(running, topic, "");
      }
      running.changed.add(address);
    }
  }

  #announceAll(running: Running): void {
    for (const address of this.#ports.home.nodes.keys()) running.changed.add(address);
    running.following.wake();
  }

  #follow(host: ServiceHost, running: () => Running): Following {
    return new Following(this.#ports.feed, host.clock, GATHER_MS, {
      shape: (address) => void running().changed.add(address),
      reported: (change) => {
        const { type, address } = change;
        if (type === "property-changed") this.#property(running(), address, change.property);
        else if (type === "node-link-changed") this.#value(running(), address, "link", linkWord(change.link));
        else this.#event(running(), address, change.control);
        return running().values.size > 0;
      },
      turn: () => this.#turn(running()),
    });
  }

  #event({ addresses, connection }: Running, address: string, control: string): void {
    const topic = topicOf(address);
    if (addresses.get(topic) !== address) return;
    connection.publish(`${this.#options.base}/${topic}/event`, JSON.stringify({ event_type: control }));
  }

  #property(running: Running, address: string, property: Property): void {
    this.#value(running, address, property.id, textOf(property));
    const color = running.colors.get(address);
    if (!color?.includes(property.id)) return;
    const { properties } = this.#ports.home.nodes.get(address) ?? {};
    const parts = color.map((id) => properties?.get(id)).map((each) => (each ? textOf(each) : NO_VALUE));
    this.#value(running, address, COLOR, parts.includes(NO_VALUE) ? NO_VALUE : parts.join(","));
  }

  #value(running: Running, address: string, id: string, text: string): void {
    const topic = topicOf(address);
    if (running.addresses.get(topic) !== address) return;
    running.values.set(`${this.#options.base}/${topic}/${id}`, text);
  }

  /** Some nodes, then some values; the rest in the next turn of the event loop. */
  #turn(running: Running): boolean {
    const { changed, values } = running;
    const some = [...changed].slice(0, NODES_PER_TURN);
    for (const address of some) {
      changed.delete(address);
      this.#announce(running, address);
    }
    if (some.length > 0 && changed.size === 0) this.#remember(running);
    for (const [topic, text] of [...values].slice(0, VALUES_PER_TURN)) {
      values.delete(topic);
      this.#publish(running, topic, text);
    }
    return changed.size > 0 || values.size > 0;
  }

  #remember({ host, addresses, colors }: Running): void {
    const { base, discoveryPrefix } = this.#options;
    const idsOf = (address: string) => [
      ...["link", ...(colors.has(address) ? [COLOR] : [])],
      ...(this.#ports.home.nodes.get(address)?.properties.keys() ?? []),
    ];
    const nodes = Object.fromEntries([...addresses.values()].map((address) => [address, idsOf(address)]));
    host.store.set(ANNOUNCED, { base, discoveryPrefix, nodes });
  }

  #announce(running: Running, address: string): void {
    const { base, version } = this.#options;
    const { home } = this.#ports;
    const topic = topicOf(address);
    const own = ownIdentity(home.controller.uuid);
    const config = this.#configTopic(address);
    const node = home.nodes.get(address);
    const other = running.addresses.get(topic);
    if (other !== undefined && other !== address) return;
    const made = node && this.#isShown(node) ? announcementOf(this.#ports, node, { own, base, version }) : null;
    if (!node || !made) {
      if (!running.published.has(config)) return;
      running.addresses.delete(topic);
      running.colors.delete(address);
      for (const each of [config, ...this.#topicsOf(running, topic)]) this.#publish(running, each, "");
      return;
    }
    running.addresses.set(topic, address);
    if (made.color) running.colors.set(address, made.color);
    else running.colors.delete(address);
    this.#publish(running, config, JSON.stringify(made.config));
    this.#value(running, address, "link", linkWord(node.link));
    for (const property of node.properties.values()) this.#property(running, address, property);
  }

  #configTopic(address: string, prefix = this.#options.discoveryPrefix): string {
    const own = ownIdentity(this.#ports.home.controller.uuid);
    return `${prefix}/device/${own}_${topicOf(address)}/config`;
  }

  /** Values of a node that the broker has kept. */
  #topicsOf({ published, values }: Running, topic: string): readonly string[] {
    const begin = `${this.#options.base}/${topic}/`;
    for (const each of [...values.keys()]) if (each.startsWith(begin)) values.delete(each);
    return [...published.keys()].filter((each) => each.startsWith(begin));
  }

  #publish({ published, connection }: Running, topic: string, text: string): void {
    if ((published.get(topic) ?? "") === text) return;
    if (text === "") published.delete(topic);
    else published.set(topic, text);
    connection.publish(topic, text, true);
  }

  /** Nodes of the same broker are announced by their own makers, and a Home Assistant that supplies some has them. */
  #isShown(node: Node): boolean {
    const { url, nodes } = this.#options;
    const { type, settings } = this.#ports.home.integrations.get(node.driver) ?? {};
    const isThere = settings?.url === url || (type === "homeassistant" && !nodes.includes(node.address));
    return !isThere && isShown(this.#ports, node, this.#options);
  }

  #receive(running: Running, topic: string, payload: Buffer, isRetained: boolean): void {
    const { base, discoveryPrefix } = this.#options;
    if (topic === `${discoveryPrefix}/status`) {
      if (isRetained || payload.toString("utf8", 0, 20) !== "online") return;
      // Home Assistant has started, and may have missed what was not kept.
      for (const each of running.published.keys()) running.published.set(each, NOT_KNOWN);
      this.#announceAll(running);
      return;
    }
    const address = running.addresses.get(topic.slice(base.length + 1, -"/set".length));
    // A command that is kept would be repeated at each start.
    if (address === undefined || isRetained || payload.length > COMMAND_BYTES_MAX || !running.commands.admits()) return;
    const hasByteLevels = this.#ports.home.nodes.get(address)?.properties.get("ST")?.uom === UOM.level;
    const command = async () => {
      const commands = commandsOf(payload).map((each) => (hasByteLevels ? inPercent(each) : each));
      return running.commands.send(address, commands, running.lost.signal);
    };
    void command().catch((error: unknown) => {
      running.host.log.info("A command from the broker was refused.", { node: address, error });
    });
  }
}

/** Without a unit, a level of such a device would be its byte. */
function inPercent(given: GivenCommand): GivenCommand {
  if (!LEVELS.has(given.command)) return given;
  return { ...given, parameters: given.parameters.map((each) => ({ ...each, uom: UOM.percent })) };
}

function linkWord(link: Node["link"]): string {
  return link === "unreachable" ? "offline" : "online";
}

const COMMANDS_MAX = 4;
const PARAMETERS_MAX = 10;
const DECIMALS_MAX = 6;

/**
 * What comes on the topic of a node's commands.
 * `{"command":"DON","parameters":[50]}`, or a list of some: displayed values. @throws ControllerError BAD_PARAMETER
 */
function commandsOf(payload: Buffer): readonly GivenCommand[] {
  const message = readForeignJson(payload.toString());
  const all: readonly unknown[] = Array.isArray(message) ? message : [message];
  if (all.length > COMMANDS_MAX)
    throw new ControllerError("BAD_PARAMETER", `At most ${COMMANDS_MAX} commands are taken.`);
  return all.map(commandOf);
}

function commandOf(message: unknown): GivenCommand {
  const { command, parameters = [] } = isRecord(message) ? message : {};
  if (typeof command !== "string" || !Array.isArray(parameters) || parameters.length > PARAMETERS_MAX) {
    throw new ControllerError("BAD_PARAMETER", 'A command is {"command":"DON","parameters":[50]}.');
  }
  return { command, parameters: parameters.map(parameterOf) };
}

function parameterOf(given: unknown): ParameterValue {
  if (
    typeof given !== "number" ||
    !Number.isFinite(given) ||
    Math.abs(given) > Number.MAX_SAFE_INTEGER / 10 ** DECIMALS_MAX
  ) {
    throw new ControllerError("BAD_PARAMETER", "The parameters of a command are numbers.");
  }
  let prec = 0;
  while (prec < DECIMALS_MAX && !Number.isInteger(Number((given * 10 ** prec).toFixed(6)))) prec += 1;
  return { id: "", value: Math.round(given * 10 ** prec), uom: 0, prec };
}
