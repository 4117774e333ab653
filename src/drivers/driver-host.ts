/**
 * The controller as a driver sees it. Facts are checked, compared with the home, and published only when they change
 * something. A driver that breaks the contract is named in the log, once per node, and the fact is ignored.
 *
 * The owner's name, place and enabled flag of a node are never touched. Reports of a disabled node are ignored.
 */

import type { Config } from "../config.ts";
import { familyOf, isOfPlugin } from "../families.ts";
import type { Cause } from "../home/cause.ts";
import type { CommandState } from "../home/change.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import { type DeviceLink, deviceLinksOf } from "../home/device-links.ts";
import type { Home } from "../home/home.ts";
import { findNode, type LinkState, type Node, type NodeRecord } from "../home/nodes.ts";
import type { Operation } from "../home/operation.ts";
import { type Property, samePropertyValue } from "../home/property.ts";
import { isWithoutDevice } from "../home/without-device.ts";
import type { Definitions, Profile } from "../profile/profile.ts";
import { roleByDefinition } from "../profile/roles.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import type { Outcome } from "./command.ts";
import type { DriverHost, NodeSpec, ProposedScene, QueuedCommand, SeenNode } from "./driver.ts";
import { describeFailure, type Input } from "./failed-input.ts";
import { FloodGuard } from "./flood-guard.ts";
import type { DriverRegistry } from "./registry.ts";
import { removeNodeFromHome } from "./remove-node.ts";
import type { PropertyReport } from "./report.ts";
import {
  cleanName,
  cleanOrigin,
  cleanReportText,
  violationOfControl,
  violationOfReport,
  violationOfSpec,
} from "./report-checks.ts";
import type { ServiceState, ServiceStore } from "./service.ts";

type DriverHostPorts = {
  readonly config: Pick<Config, "nodesMax" | "nodeReportsPerSecond">;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly drivers: DriverRegistry;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  /** Hears which command a report shows the effect of; null = the report names none. */
  readonly queue: {
    readonly lives: {
      confirm(address: string, commandId: string | null): void;
      settle(feed: ChangeFeed, command: QueuedCommand, state: CommandState, detail: string, cause: Cause): void;
    };
  };
};

/** A violation is logged once per node, for at most this many nodes. */
const COMPLAINTS_MAX = 1000;
/** Not zero while a node does not answer. */
const HEALTH = "ERR";
const FROM_CHARS_MAX = 100;
/** Nodes of a driver that are marked in one turn of the event loop. */
const SWEEP_NODES = 200;

/** Reports of a flooding node that are held back. */
type Held =
  | { readonly kind: "report"; readonly report: PropertyReport }
  | { readonly kind: "control"; readonly address: string; readonly control: string; readonly value: number };

const STATE_OF = { acked: "acknowledged", sent: "sent", queued: "queued", failed: "failed" } as const;

export class HomeHost implements DriverHost {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly store: ServiceStore;
  readonly #ports: DriverHostPorts;
  readonly #name: string;
  readonly #propose: (scene: ProposedScene, cause: Cause) => string | null;
  readonly #roomFor: (room: string, cause: Cause) => string | null;
  readonly #ownCause: Cause;
  readonly #guard: FloodGuard<Held>;
  /** Nodes as the driver declared them; empty for a simulation. The owner may let a driver take over those that a simulation plays. */
  readonly declared = new Map<string, NodeSpec>();
  readonly #complained = new Set<string>();
  /** Nodes that were marked unreachable because the driver is down. */
  readonly #lost = new Set<string>();
  #isClosed = false;
  #sweeps = 0;

  /**
   * @param propose adds a scene that devices have; null: there is one with the same members
   * @param roomFor the folder of a room by its name; null: it gets none
   */
  constructor(
    ports: DriverHostPorts,
    name: string,
    store: ServiceStore,
    propose: (scene: ProposedScene, cause: Cause) => string | null = () => null,
    roomFor: (room: string, cause: Cause) => string | null = () => null,
  ) {
    const { clock } = ports;
    this.clock = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      setTimer: (callback, delayMs) => clock.setTimer(() => void this.guard({ from: "a timer" }, callback), delayMs),
    };
    this.randomness = ports.randomness;
    this.log = ports.log.child({ driver: name });
    this.store = store;
    this.#ports = ports;
    this.#name = name;
    this.#propose = propose;
    this.#roomFor = roomFor;
    this.#ownCause = { kind: "report", id: name, by: name };
    const nameFlood = (address: string) =>
      ports.log.warn("A device reports too often. Only its latest values are applied, once a second.", {
        driver: name,
        node: address,
        reportsPerSecondMax: ports.config.nodeReportsPerSecond,
      });
    this.#guard = new FloodGuard(
      this.clock,
      ports.config.nodeReportsPerSecond,
      (held) => this.#release(held),
      nameFlood,
    );
  }

  define(family: number, instance: number, definitions: Definitions, dynamic: boolean): void {
    if (this.#isClosed) return;
    const { home, feed, profile } = this.#ports;
    const { version } = profile;
    profile.declare(family, instance, definitions, dynamic, this.#name);
    if (profile.version === version) return;
    const changed = new Set(definitions.nodedefs?.map(({ id }) => id));
    const isMeant = (node: Node) =>
      node.family === family && node.instance === instance && (changed.size === 0 || changed.has(node.nodeDefId));
    for (const { properties: _properties, link: _link, version: _version, ...node } of this.#ownNodes().filter(
      isMeant,
    )) {
      const role = roleByDefinition(profile, node);
      const isOther = role !== node.role && home.nodes.has(node.address);
      if (isOther) feed.commit({ type: "node-revised", node: { ...node, role } }, this.#ownCause);
    }
  }

  retract(family: number, instance: number): void {
    this.#ports.profile.retract(this.#name, { family, instance });
  }

  node(spec: NodeSpec): string | null {
    if (this.#isClosed) return "The integration was removed.";
    const { home, feed } = this.#ports;
    // Its owner removed it; only they bring it back.
    if (home.hiddenNodes.has(spec.address)) return this.#refuseRemoved(spec.address);
    if (violationOfSpec(spec) === null && !this.#isSimulation(this.#name)) this.declared.set(spec.address, spec);
    const known = this.#renamed(spec);
    // Properties that the home has already are not checked: addresses in a twin follow the rules of other
    // controllers.
    const role = roleByDefinition(this.#ports.profile, { ...spec, role: known?.role });
    if (known?.driver === this.#name && sameRecord(known, { ...known, ...spec, name: known.name, role })) return null;
    const violation = violationOfSpec(spec) ?? this.#violationOfPlace(spec, known);
    if (known && this.declared.has(spec.address) && this.#isPlayedElsewhere(known)) return null;
    if (violation) {
      this.#complain(spec.address, violation);
      return violation;
    }
    const { address, nodeDefId, family, instance, type, primary, devtype } = spec;
    const own: Pick<NodeRecord, "name" | "parent" | "enabled" | "disabledBecause" | "use"> = known ?? {
      name: cleanName(spec.name, address),
      parent: parentOf(home, spec) ?? this.#roomOf(spec),
      enabled: true,
    };
    const { name, parent, enabled, disabledBecause, use } = own;
    const reason = { ...(disabledBecause !== undefined && { disabledBecause }), ...(use !== undefined && { use }) };
    const device = { nodeDefId, family, instance, type, primary, devtype, driver: this.#name, role };
    const node: NodeRecord = { address, name, parent, enabled, ...reason, ...device };
    if (!known) feed.commit({ type: "node-added", node }, this.#ownCause);
    else if (!sameRecord(known, node)) feed.commit({ type: "node-revised", node }, this.#ownCause);
    if (nodeDefId !== known?.nodeDefId) this.#showHealth(address, "unknown");
    return null;
  }

  #roomOf({ room = "" }: NodeSpec): NodeRecord["parent"] {
    const address = room === "" ? null : this.#roomFor(room, this.#ownCause);
    return address === null ? null : { address, kind: "folder" };
  }

  #refuseRemoved(address: string): string {
    const reason = `An owner removed ${address}. To bring it back, undo its removal: "domovoi history" shows its number for "domovoi undo".`;
    this.#logOnce(address, () =>
      this.#ports.log.info("A node that an owner removed is not added again.", { driver: this.#name, reason }),
    );
    return reason;
  }

  /** The node with its new name, if its owner has not renamed it. */
  #renamed({ address, name, formerName }: NodeSpec): Node | null {
    const { home, feed } = this.#ports;
    const known = findNode(home, address);
    if (known?.driver !== this.#name || formerName === undefined) return known;
    const better = cleanName(name, address);
    const isUnnamed = known.name === cleanName(formerName, address);
    if (isUnnamed && better !== known.name) {
      feed.commit({ type: "node-renamed", address, name: better }, this.#ownCause);
    }
    return findNode(home, address);
  }

  seen(address: string): SeenNode | null {
    const node = findNode(this.#ports.home, address);
    if (node?.driver !== this.#name) return null;
    return { name: node.name, enabled: node.enabled, properties: new Map(node.properties) };
  }

  gone(address: string): void {
    const { home, feed } = this.#ports;
    // A device that comes under its address is another one.
    if (home.hiddenNodes.has(address)) feed.commit({ type: "node-removed", address }, this.#ownCause);
    this.declared.delete(address);
    if (!this.#ownNode(address)) return;
    removeNodeFromHome(this.#ports, address, this.#ownCause);
    this.#guard.forget(address);
    this.#lost.delete(address);
  }

  report(reports: readonly PropertyReport[]): void {
    for (const report of reports) {
      const violation = violationOfReport(report);
      if (violation) this.#complain(report.address, violation);
      else if (this.#listensTo(report.address) && this.#admits(report.address, report.id, { kind: "report", report })) {
        this.#takeReport(report);
      }
    }
  }

  control(address: string, control: string, value: number): void {
    const violation = violationOfControl(control, value);
    if (violation) {
      this.#complain(address, violation);
      return;
    }
    const held: Held = { kind: "control", address, control, value };
    if (this.#listensTo(address) && this.#admits(address, ` ${control}`, held)) this.#release(held);
  }

  link(address: string, link: LinkState): void {
    const node = this.#ownNode(address);
    if (!node) return;
    this.#lost.delete(address);
    const shown = isWithoutDevice(this.#ports.home, node) ? "unreachable" : link;
    this.#setLink(node, shown);
    this.#showHealth(address, shown);
  }

  /** Plugins report this property themselves. @param link unknown: of a node that is new, and as it was for another one */
  #showHealth(address: string, link: LinkState): void {
    const { home, profile, feed, clock } = this.#ports;
    const node = findNode(home, address);
    if (!node?.enabled || isOfPlugin(node)) return;
    const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
    if (!nodedef?.properties.some(({ id }) => id === HEALTH)) return;
    const known = node.properties.get(HEALTH);
    const value = link === "unreachable" ? 1 : 0;
    if (known ? known.value === value || link === "unknown" : link !== "unknown") return;
    const uom = known?.uom ?? familyOf(node.family).healthUnit;
    const property: Property = { id: HEALTH, value, uom, prec: 0, text: null, changedAtMs: clock.now() };
    feed.commit({ type: "property-changed", address, property }, this.#ownCause);
  }

  settled(command: QueuedCommand, outcome: Outcome): void {
    const { feed, queue } = this.#ports;
    if (!this.#ownNode(command.address)) return;
    const detail = outcome.kind === "failed" || outcome.kind === "queued" ? outcome.detail : "";
    queue.lives.settle(feed, command, STATE_OF[outcome.kind], cleanReportText(detail) ?? "", this.#ownCause);
  }

  deviceLinks(): readonly DeviceLink[] {
    return deviceLinksOf(this.#ports.home, this.#name);
  }

  proposeScene(scene: ProposedScene): string | null {
    if (this.#isClosed || !scene.members.every(({ address }) => this.#ownNode(address))) return null;
    return this.#propose(scene, this.#ownCause);
  }

  writes(address: string, phase: "pending" | "writing", active: boolean): void {
    if (!this.#ownNode(address)) return;
    this.#ports.feed.commit({ type: "write-progress", address, phase, active }, this.#ownCause);
  }

  status(state: ServiceState, detail: string): void {
    if (this.#isClosed) return;
    const isOther = this.#ports.drivers.setStatus(this.#name, state, detail);
    if (state === "failed") this.lose();
    else if (state === "ready" && isOther) this.#welcomeNodes();
  }

  guard(input: Input, read: () => void | Promise<void>): void | Promise<void> {
    const { drivers } = this.#ports;
    if (drivers.failedInputs.has(this.#name, input)) return;
    const fail = (error: unknown) => {
      if (input.isOfDevice) {
        const drop = "A message of a device could not be processed. It is dropped.";
        this.#logOnce(`input ${input.from}`, () => this.log.error(drop, describeFailure(input, error)));
        return;
      }
      drivers.failedInputs.add(this.#name, input);
      this.log.error("Input could not be processed. The integration fails.", describeFailure(input, error));
      drivers.crash(
        this.#name,
        `It could not process what came from ${input.from.slice(0, FROM_CHARS_MAX)}. The log has details.`,
      );
    };
    try {
      const reading = read();
      return reading instanceof Promise ? reading.catch(fail) : undefined;
    } catch (error) {
      fail(error);
    }
  }

  operation(family: number, operation: Operation): void {
    if (this.#isClosed) return;
    this.#ports.feed.commit({ type: "operation-moved", driver: this.#name, family, operation }, this.#ownCause);
  }

  #release(held: Held): void {
    const { home, feed } = this.#ports;
    const address = held.kind === "report" ? held.report.address : held.address;
    // The node may have been removed or disabled while its report was held for up to a second.
    if (!findNode(home, address)?.enabled) return;
    if (held.kind === "report") this.#takeReport(held.report);
    else feed.commit({ type: "control-sent", address, control: held.control, value: held.value }, this.#ownCause);
  }

  #takeReport(report: PropertyReport): void {
    const { home, feed, clock, queue } = this.#ports;
    const { address, id, uom, prec, commandId } = report;
    const node = findNode(home, address);
    const isSimulated = node !== null && isWithoutDevice(home, node);
    const value = isSimulated && id === HEALTH ? 1 : report.value;
    const known = node?.properties.get(id);
    const text = cleanReportText(report.text);
    const property: Property = { id, value, uom, prec, text, changedAtMs: clock.now() };
    if (!known || !samePropertyValue(known, property)) {
      const cause = commandId === undefined ? this.#ownCause : { ...this.#ownCause, id: commandId };
      const origin = cleanOrigin(report.origin);
      feed.commit({ type: "property-changed", address, property, ...(origin && { origin }) }, cause);
    }
    // Values that a driver restores at its start confirm no command, and neither do those of a simulation.
    if (report.cause !== "restore" && !isSimulated) queue.lives.confirm(address, commandId ?? null);
  }

  #admits(address: string, key: string, held: Held): boolean {
    return this.#guard.admits(address, key, held);
  }

  #isPlayedElsewhere({ driver }: Node): boolean {
    return driver !== this.#name && this.#isSimulation(driver);
  }

  #isSimulation(name: string): boolean {
    return this.#ports.drivers.find(name)?.driver?.simulation?.mirror !== undefined;
  }

  #listensTo(address: string): boolean {
    return this.#ownNode(address)?.enabled === true;
  }

  #ownNode(address: string): Node | null {
    if (this.#isClosed) return null;
    const node = findNode(this.#ports.home, address);
    if (node?.driver === this.#name) return node;
    if (this.#ports.home.hiddenNodes.has(address)) return null;
    // Not a violation: another driver may still have the node, or already.
    if (node && (this.#isPlayedElsewhere(node) || this.#isSimulation(this.#name))) return null;
    this.#complain(address, node ? "The node belongs to another driver." : "There is no such node.");
    return null;
  }

  #violationOfPlace(spec: NodeSpec, known: Node | null): string | null {
    const { home, config } = this.#ports;
    if (known) return known.driver === this.#name ? null : "The node belongs to another driver.";
    if (home.groups.has(spec.address) || home.folders.has(spec.address)) return "A group or folder has this address.";
    return home.nodes.size < config.nodesMax ? null : `The home holds ${config.nodesMax} nodes already (nodesMax).`;
  }

  #setLink(node: Node, link: LinkState): void {
    if (node.link === link) return;
    const change = { type: "node-link-changed", address: node.address, link, before: node.link } as const;
    this.#ports.feed.commit(change, this.#ownCause);
  }

  #ownNodes(): readonly Node[] {
    return [...this.#ports.home.nodes.values()].filter((node) => node.driver === this.#name);
  }

  /** The driver is down: its nodes keep their last values and are marked unreachable. */
  lose(): void {
    this.#sweep((node) => {
      if (node.link !== "unreachable") this.#lost.add(node.address);
      this.#setLink(node, "unreachable");
    });
  }

  /** Nothing that the driver still reports is taken. */
  close(): void {
    this.#isClosed = true;
    this.#sweeps += 1;
  }

  /** The driver is back: nodes that it has not spoken of are unknown. */
  #welcomeNodes(): void {
    this.#sweep((node) => {
      if (this.#lost.delete(node.address)) this.#setLink(node, "unknown");
      if (isWithoutDevice(this.#ports.home, node)) this.link(node.address, "unreachable");
    });
  }

  /** Does something with each of the driver's nodes, in slices; a later sweep ends an earlier one. */
  #sweep(act: (node: Node) => void): void {
    this.#sweeps += 1;
    const sweep = this.#sweeps;
    const addresses = this.#ownNodes().map(({ address }) => address);
    const next = (from: number) => {
      if (this.#sweeps !== sweep) return;
      for (const address of addresses.slice(from, from + SWEEP_NODES)) {
        const node = findNode(this.#ports.home, address);
        if (node?.driver === this.#name) act(node);
      }
      if (from + SWEEP_NODES < addresses.length) setImmediate(next, from + SWEEP_NODES);
    };
    next(0);
  }

  #complain(address: string, violation: string): void {
    const node = cleanName(address, "-");
    this.#logOnce(address, () =>
      this.#ports.log.warn("A driver sent an invalid report; it is ignored.", { driver: this.#name, node, violation }),
    );
  }

  #logOnce(address: string, log: () => void): void {
    if (this.#complained.has(address) || this.#complained.size >= COMPLAINTS_MAX) return;
    this.#complained.add(address);
    log();
  }
}

/** A new node is placed below its device's first node. */
function parentOf(home: Home, { address, primary, below = primary }: NodeSpec): NodeRecord["parent"] {
  return below !== address && home.nodes.has(below) ? { address: below, kind: "node" } : null;
}

function sameRecord(known: NodeRecord, declared: NodeRecord): boolean {
  const [a, b] = [known.devtype, declared.devtype];
  const sameDevice =
    a === b || (a?.generic === b?.generic && a?.manufacturer === b?.manufacturer && a?.category === b?.category);
  const { nodeDefId, family, instance, type, primary } = known;
  const isSame = nodeDefId === declared.nodeDefId && family === declared.family && instance === declared.instance;
  const isOfRole = known.role === declared.role;
  return isSame && sameDevice && isOfRole && type === declared.type && primary === declared.primary;
}
