/**
 * Shows the nodes of the home on a message broker, announced the way of Home Assistant, and sends the commands that come back with the rights
 * of an account of its own. It follows the change feed, publishes only what has changed, and nothing that came from the same broker.
 *
 * @see docs/announcing.md
 */

import { authorize } from "../../auth/policy.ts";
import type { Principal } from "../../auth/principal.ts";
import type { CommandPorts } from "../../commands/ports.ts";
import { needsFor } from "../../commands/secured-command.ts";
import { sendCommand } from "../../commands/send-command.ts";
import { type MqttConnection, openMqtt, ownIdentity } from "../../drivers/mqtt-connection.ts";
import type { Service, ServiceHost } from "../../drivers/service.ts";
import { ControllerError, invariant } from "../../errors.ts";
import type { Change } from "../../home/change.ts";
import type { Node } from "../../home/nodes.ts";
import type { ParameterValue } from "../../profile/command-resolver.ts";
import { isSecured } from "../../profile/roles.ts";
import type { Timer } from "../../util/clock.ts";
import { isRecord } from "../../util/is-record.ts";
import { randomId } from "../../util/randomness.ts";
import { configOf, textOf, topicOf } from "./announced-node.ts";

export type BridgeOptions = {
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly ca: string;
  readonly base: string;
  readonly discoveryPrefix: string;
  /** Whose rights commands from the broker have; "none": none are taken. */
  readonly access: "none" | "guest" | "user";
  /** Locks, garage doors, sirens and alarms too. */
  readonly secured: boolean;
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
  readonly lost: AbortController;
  timer: Timer | null;
  commands: number;
  commandsSinceMs: number;
  isFlooded: boolean;
  unlisten: () => void;
};

/** Values that change several times meanwhile are published once. */
const GATHER_MS = 100;
const NODES_PER_TURN = 10;
const VALUES_PER_TURN = 200;
const COMMANDS_PER_SECOND = 20;
const COMMAND_BYTES_MAX = 4096;
const MESSAGE_BYTES_MAX = 65_536;
const PARAMETERS_MAX = 10;
const DECIMALS_MAX = 6;
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
        disconnected: () => this.#lose(),
      },
    );
    if (signal.aborted) {
      await connection.end();
      signal.throwIfAborted();
    }
    const running: Running = {
      ...{ host, connection, published: new Map(), changed: new Set(), values: new Map(), addresses: new Map() },
      ...{ lost: new AbortController(), timer: null, commands: 0, commandsSinceMs: 0, isFlooded: false },
      unlisten: this.#ports.feed.listen(({ change }) => this.#follow(running, change)),
    };
    this.#running = running;
    receive = (topic, payload, isRetained) => this.#receive(running, topic, payload, isRetained);
    await connection.subscribe([`${base}/+/set`, `${discoveryPrefix}/status`]);
    connection.publish(status, "online", true);
    const before = host.store.get(ANNOUNCED);
    const known = Array.isArray(before) ? before.map(String) : [];
    this.#announceAll(running, known);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    running.connection.publish(`${this.#options.base}/status`, "offline", true);
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
    running.unlisten();
    running.timer?.cancel();
    running.lost.abort(new Error(sentence));
  }

  /** @param known addresses that an earlier run announced */
  #announceAll(running: Running, known: readonly string[]): void {
    // What they are announced as is not known, and may be out of date.
    for (const address of known) running.published.set(this.#configTopic(address), NOT_KNOWN);
    for (const address of [...known, ...this.#ports.home.nodes.keys()]) running.changed.add(address);
    this.#wake(running);
  }

  #follow(running: Running, change: Change): void {
    const { type } = change;
    if (type === "property-changed") {
      this.#value(running, change.address, change.property.id, textOf(change.property));
    } else if (type === "node-link-changed") {
      this.#value(running, change.address, "link", linkWord(change.link));
    } else if (type === "control-sent") this.#event(running, change.address, change.control);
    else if (type === "node-added" || type === "node-revised") this.#change(running, change.node.address);
    else if (type === "node-renamed" || type === "node-enabled" || type === "node-removed") {
      this.#change(running, change.address);
    }
  }

  #event({ addresses, connection }: Running, address: string, control: string): void {
    const topic = topicOf(address);
    if (addresses.get(topic) !== address) return;
    connection.publish(`${this.#options.base}/${topic}/event`, JSON.stringify({ event_type: control }));
  }

  #change(running: Running, address: string): void {
    running.changed.add(address);
    this.#wake(running);
  }

  #value(running: Running, address: string, id: string, text: string): void {
    const topic = topicOf(address);
    if (running.addresses.get(topic) !== address) return;
    running.values.set(`${this.#options.base}/${topic}/${id}`, text);
    this.#wake(running);
  }

  #wake(running: Running): void {
    running.timer ??= running.host.clock.setTimer(() => this.#turn(running), GATHER_MS);
  }

  /** Some nodes, then some values; the rest in the next turn of the event loop. */
  #turn(running: Running): void {
    const { changed, values, host } = running;
    running.timer = null;
    const some = [...changed].slice(0, NODES_PER_TURN);
    for (const address of some) {
      changed.delete(address);
      this.#announce(running, address);
    }
    if (some.length > 0 && changed.size === 0) host.store.set(ANNOUNCED, [...running.addresses.values()]);
    for (const [topic, text] of [...values].slice(0, VALUES_PER_TURN)) {
      values.delete(topic);
      this.#publish(running, topic, text);
    }
    if (changed.size > 0 || values.size > 0) running.timer = host.clock.setTimer(() => this.#turn(running), 0);
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
    const made = node && this.#isShown(node) ? configOf(this.#ports, node, { own, base, version }) : null;
    if (!node || !made) {
      running.addresses.delete(topic);
      for (const each of [config, ...this.#topicsOf(running, topic)]) this.#publish(running, each, "");
      return;
    }
    running.addresses.set(topic, address);
    this.#publish(running, config, JSON.stringify(made));
    this.#value(running, address, "link", linkWord(node.link));
    for (const property of node.properties.values()) this.#value(running, address, property.id, textOf(property));
  }

  #configTopic(address: string): string {
    const own = ownIdentity(this.#ports.home.controller.uuid);
    return `${this.#options.discoveryPrefix}/device/${own}_${topicOf(address)}/config`;
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

  /** Nodes of the same broker are announced by their own makers. */
  #isShown(node: Node): boolean {
    const { home, profile } = this.#ports;
    const isOfBroker = home.integrations.get(node.driver)?.settings.url === this.#options.url;
    return node.enabled && !isOfBroker && (this.#options.secured || !isSecured(profile, node));
  }

  #receive(running: Running, topic: string, payload: Buffer, isRetained: boolean): void {
    const { base, discoveryPrefix } = this.#options;
    if (topic === `${discoveryPrefix}/status`) {
      if (isRetained || payload.toString("utf8", 0, 20) !== "online") return;
      // Home Assistant has started, and may have missed what was not kept.
      running.published.clear();
      this.#announceAll(running, []);
      return;
    }
    const address = running.addresses.get(topic.slice(base.length + 1, -"/set".length));
    // A command that is kept would be repeated at each start.
    if (address === undefined || isRetained || payload.length > COMMAND_BYTES_MAX || !this.#admits(running)) return;
    void this.#command(running, address, payload).catch((error: unknown) => {
      running.host.log.info("A command from the broker was refused.", { node: address, error });
    });
  }

  #admits(running: Running): boolean {
    const nowMs = running.host.clock.elapsed();
    if (nowMs - running.commandsSinceMs >= 1000) {
      running.commandsSinceMs = nowMs;
      running.commands = 0;
    }
    running.commands += 1;
    if (running.commands <= COMMANDS_PER_SECOND) return true;
    if (!running.isFlooded) {
      running.host.log.warn("More commands come from the broker than are taken.", {
        perSecondMax: COMMANDS_PER_SECOND,
      });
    }
    running.isFlooded = true;
    return false;
  }

  /** @throws ControllerError when it is no command, is not allowed, or fails */
  async #command({ host, lost }: Running, address: string, payload: Buffer): Promise<void> {
    const { access } = this.#options;
    if (access === "none") throw new ControllerError("FORBIDDEN");
    const { command, parameters } = commandOf(payload);
    const principal: Principal = {
      ...{ accountId: `service ${this.name}`, login: this.name, role: access, sessionId: null, view: null },
    };
    const thing = { kind: "node", address, command } as const;
    for (const need of ["command-node" as const, ...needsFor(this.#ports, address, command)]) {
      authorize(principal, need, thing);
    }
    const cause = { kind: "request", id: randomId(host.randomness), by: this.name } as const;
    await sendCommand(this.#ports, { address, command, parameters }, cause, lost.signal);
  }
}

function linkWord(link: Node["link"]): string {
  return link === "unreachable" ? "offline" : "online";
}

/** `{"command":"DON","parameters":[50]}`: displayed values. @throws ControllerError BAD_PARAMETER */
function commandOf(payload: Buffer): { readonly command: string; readonly parameters: readonly ParameterValue[] } {
  let message: unknown;
  try {
    message = JSON.parse(payload.toString());
  } catch {
    message = null;
  }
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
