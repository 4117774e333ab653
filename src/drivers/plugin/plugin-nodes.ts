/**
 * The nodes of a plugin: added, removed, renamed and given values by its messages. What it may not do is refused in the answer, and
 * shown to the owner.
 */

import { foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";
import type { PropertyReport } from "../report.ts";
import { reportedUom, reportedValue } from "./driver-value.ts";
import type { PluginData } from "./plugin-data.ts";
import { addressPrefix, readNode, recordOf, refusalOfNodedef, type StoredNode, specOf } from "./stored-node.ts";

type PluginNodesPorts = {
  readonly slot: number;
  /** Address of the controller, lower case with colons. */
  readonly uuid: string;
  readonly host: DriverHost;
  readonly data: PluginData;
  readonly nodesMax: number;
  /** It does what no plugin may. @param reason a sentence */
  exceeded(reason: string): void;
};

export type SettingsItem = Readonly<Record<string, unknown>>;

/** Nodes or reports of a list that are taken in one turn of the event loop. */
const SLICE = 50;
/** Nodes above the limit that are only refused; a plugin that goes on adding is stopped. */
const REFUSED_NODES_MAX = 100;
/** Refusals that are shown to the owner. */
const NOTES_MAX = 20;
const SHOWN_CHARS_MAX = 40;

export class PluginNodes {
  readonly #ports: PluginNodesPorts;
  readonly #prefix: string;
  readonly #notes: string[] = [];
  #refusedNodes = 0;

  constructor(ports: PluginNodesPorts) {
    this.#ports = ports;
    this.#prefix = addressPrefix(ports.slot);
  }

  /** What was refused, in sentences, each once. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Shows the nodes from before, with their last values. */
  show(): void {
    const { host, slot, data } = this.#ports;
    for (const node of primariesFirst(data.nodes())) {
      host.node(specOf(node, host.seen(this.#prefix + node.address)?.name ?? node.address, slot));
    }
  }

  add(value: unknown): unknown {
    const given = items(value);
    if (given.length > this.#ports.nodesMax + REFUSED_NODES_MAX) return this.#tooManyNodes();
    return given.length <= SLICE ? this.#addSlice(given) : this.#addInSlices(given);
  }

  /** Primary nodes first: the others stand below them. */
  async #addInSlices(given: readonly SettingsItem[]): Promise<unknown> {
    const isPrimary = ({ address, primaryNode = address }: SettingsItem) => primaryNode === address;
    const order = [...given.filter(isPrimary), ...given.filter((item) => !isPrimary(item))];
    const records = new Map<SettingsItem, unknown>();
    for (let at = 0; at < order.length; at += SLICE) {
      const slice = order.slice(at, at + SLICE);
      const answers = this.#addSlice(slice);
      slice.forEach((item, index) => void records.set(item, answers[index]));
      await nextTurn();
    }
    return given.map((item) => records.get(item));
  }

  #tooManyNodes(): undefined {
    this.#ports.exceeded(`The plugin adds more than ${this.#ports.nodesMax} nodes (pluginNodesMax).`);
  }

  #addSlice(given: readonly SettingsItem[]): readonly unknown[] {
    const { host } = this.#ports;
    const wanted = given.map((item) => ({ item, request: readNode(item, host.clock.now()) }));
    const errors = new Map<SettingsItem, string>();
    const isOwnPrimary = ({ request }: (typeof wanted)[number]) =>
      typeof request !== "string" && request.node.primaryNode === request.node.address;
    for (const each of [...wanted.filter(isOwnPrimary), ...wanted.filter((other) => !isOwnPrimary(other))]) {
      const { item, request } = each;
      const error = typeof request === "string" ? request : this.#addNode(request, item);
      if (error !== null) errors.set(item, error);
    }
    return wanted.map(({ item, request }) => {
      const error = errors.get(item);
      const node = typeof request === "string" ? undefined : this.#ports.data.node(request.node.address);
      if (error !== undefined || !node)
        return { address: item.address, error: error ?? "The node was not added.", code: 400 };
      return recordOf(node, host, this.#ports);
    });
  }

  /** @returns why it was not added, or null. */
  #addNode({ node, name, renames }: Exclude<ReturnType<typeof readNode>, string>, item: SettingsItem): string | null {
    const { host, data, slot, nodesMax } = this.#ports;
    const { address, primaryNode } = node;
    const before = data.node(address);
    if (!before && data.nodeCount >= nodesMax) {
      this.#refusedNodes += 1;
      if (this.#refusedNodes > REFUSED_NODES_MAX) this.#tooManyNodes();
      return `The plugin has ${nodesMax} nodes already.`;
    }
    if (primaryNode !== address && !data.node(primaryNode)) return `There is no primary node "${primaryNode}".`;
    const known = host.seen(this.#prefix + address);
    const formerName = renames && known ? { formerName: known.name } : {};
    const refusal = host.node({ ...specOf(node, name, slot), ...formerName });
    const added = host.seen(this.#prefix + address);
    if (refusal !== null || !added) return this.#noted(refusal ?? "The controller has no such node.");
    data.putNode(before ? { ...node, timeAdded: before.timeAdded } : node);
    host.link(this.#prefix + address, "online");
    const drivers = (Array.isArray(item.drivers) ? item.drivers : []).filter(isRecord);
    const unseen = drivers.filter(({ driver }) => !added.properties.has(foreignText(driver)));
    host.report(unseen.map((driver) => this.#reportOf(address, driver, reportedValue(driver.value), "restore")));
    return null;
  }

  /** Of one message, nodes below others go first. */
  remove(addresses: readonly string[]): readonly object[] {
    const isPrimary = (address: string) => this.#ports.data.node(address)?.primaryNode === address;
    const all = [...new Set(addresses)];
    const order = [...all.filter((each) => !isPrimary(each)), ...all.filter(isPrimary)];
    const answers = new Map(order.map((address) => [address, this.#removeOne(address)]));
    return addresses.flatMap((address) => answers.get(address) ?? []);
  }

  #removeOne(address: string): object {
    const { data, host } = this.#ports;
    if (!data.node(address)) return { address, error: "There is no such node.", code: 404 };
    const below = data.nodes().filter((node) => node.primaryNode === address && node.address !== address);
    if (below.length > 0) {
      const others = below.length === 1 ? "another node" : `${below.length} other nodes`;
      const error = `It is the primary node of ${others}. Remove ${below.length === 1 ? "it" : "these"} first.`;
      return { address, error, code: 409 };
    }
    data.removeNode(address);
    host.gone(this.#prefix + address);
    return { address, success: true };
  }

  rename(address: string, name: string): object {
    const { data, host, slot } = this.#ports;
    const node = data.node(address);
    const known = host.seen(this.#prefix + address);
    if (!node || !known) return { address, name, error: "There is no such node.", code: 404 };
    host.node({ ...specOf(node, name, slot), formerName: known.name });
    return { address, name, success: true };
  }

  change(address: string, nodeDefId: string): object {
    const { data, host, slot } = this.#ports;
    const node = data.node(address);
    if (!node) return { address, nodeDefId, error: "There is no such node.", code: 404 };
    const error = refusalOfNodedef(nodeDefId);
    if (error !== null) return { address, nodeDefId, error, code: 400 };
    const changed = { ...node, nodeDefId };
    data.putNode(changed);
    host.node(specOf(changed, host.seen(this.#prefix + address)?.name ?? address, slot));
    return { address, nodeDefId, success: true };
  }

  /** The answer leaves the command out: a plugin would carry it out, and report it again. */
  reportCommand({ address, cmd, value }: SettingsItem): object {
    const { host } = this.#ports;
    if (!this.#ports.data.node(foreignText(address))) return { address, error: "There is no such node.", code: 404 };
    host.control(this.#prefix + foreignText(address), foreignText(cmd), reportedValue(value)?.value ?? 0);
    return { address, success: true };
  }

  setStatus(value: unknown): unknown {
    const given = items(value);
    return given.length <= SLICE ? this.#setSlice(given) : this.#setInSlices(given);
  }

  async #setInSlices(given: readonly SettingsItem[]): Promise<unknown> {
    const answers: unknown[] = [];
    for (let at = 0; at < given.length; at += SLICE) {
      answers.push(...this.#setSlice(given.slice(at, at + SLICE)));
      await nextTurn();
    }
    return answers;
  }

  #setSlice(given: readonly SettingsItem[]): readonly unknown[] {
    const reports: PropertyReport[] = [];
    const answers = given.map((item) => {
      const { address, driver, value: given, uom } = item;
      if (!this.#ports.data.node(foreignText(address)))
        return { address, driver, error: "There is no such node.", code: 404 };
      const value = reportedValue(given);
      if (value === null) {
        const error = this.#noted(
          `${shown(driver)} of ${shown(address)} takes a number, not "${shown(given)}". Its value stays.`,
        );
        return { address, driver, error, code: 400 };
      }
      reports.push(this.#reportOf(foreignText(address), item, value, "report"));
      return { address, driver, value: given, uom };
    });
    this.#ports.host.report(reports);
    return answers;
  }

  #reportOf(
    address: string,
    { driver, uom, text }: SettingsItem,
    given: ReturnType<typeof reportedValue>,
    cause: "report" | "restore",
  ): PropertyReport {
    return {
      address: this.#prefix + address,
      id: foreignText(driver),
      ...(given ?? { value: null, prec: 0 }),
      uom: reportedUom(uom ?? this.uomOf(address, foreignText(driver))),
      ...(typeof text === "string" && text !== "" ? { text } : {}),
      cause,
    };
  }

  /** Shows a refusal to the owner, each once. */
  #noted(reason: string): string {
    if (!this.#notes.includes(reason) && this.#notes.length < NOTES_MAX) this.#notes.push(reason);
    return reason;
  }

  driversOf(address: string): unknown {
    const node = this.#ports.data.node(address);
    return node ? (recordOf(node, this.#ports.host, this.#ports) as { drivers: unknown }).drivers : [];
  }

  uomOf(address: string, driver: string): number {
    return this.#ports.data.node(address)?.drivers.find((each) => each.driver === driver)?.uom ?? 0;
  }
}

/** A value in a sentence. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value;
  return typeof value === "number" ? foreignText(value) : typeof value;
}

/** A list, also where there is one item without a list around it. */
export function items(value: unknown): readonly SettingsItem[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function primariesFirst(nodes: readonly StoredNode[]): readonly StoredNode[] {
  const isPrimary = ({ address, primaryNode }: StoredNode) => address === primaryNode;
  return [...nodes.filter(isPrimary), ...nodes.filter((node) => !isPrimary(node))];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
