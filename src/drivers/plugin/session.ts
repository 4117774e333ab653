/**
 * The conversation with one plugin: its requests and reports, and the messages to it. Every message to a plugin is an
 * object with one member, because its libraries silently stop at anything else.
 *
 * @see docs/plugins.md
 */

import type { LinkState } from "../../home/nodes.ts";
import { isRecord } from "../../util/is-record.ts";
import { messageOf } from "../../util/message-of.ts";
import type { DriverCommand } from "../command.ts";
import type { DriverHost } from "../driver.ts";
import type { PluginMessage, PluginRefusal } from "../plugin-port.ts";
import type { PropertyReport } from "../report.ts";
import type { FoundService, Searched } from "../search-network.ts";
import { reportedUom, reportedValue, writtenValue } from "./driver-value.ts";
import { searchedOf } from "./network-search.ts";
import type { PluginData } from "./plugin-data.ts";
import type { PluginDefinitions } from "./plugin-definitions.ts";
import { addressPrefix, readNode, recordOf, refusalOfNodedef, type StoredNode, specOf } from "./stored-node.ts";
import type { WebHooks } from "./web-hooks.ts";

type PluginSessionPorts = {
  readonly slot: number;
  /** Address of the controller, lower case with colons. */
  readonly uuid: string;
  readonly name: string;
  readonly host: DriverHost;
  readonly data: PluginData;
  readonly nodesMax: number;
  send(message: object): void;
  readonly definitions: Pick<PluginDefinitions, "load" | "update" | "current">;
  /** As plugins read it; null: the plugin may not use the REST interface. */
  readonly connection: () => object | null;
  restart(): void;
  stop(): void;
  /** It does what no plugin may. @param reason a sentence */
  exceeded(reason: string): void;
  pollsChanged(): void;
  /** What an owner sees of the plugin is another: parameters, notices, its sign-in. */
  dataChanged(): void;
  readonly webHooks: Pick<WebHooks, "answer">;
  /** @throws Error with a sentence */
  search(wanted: Searched): Promise<readonly FoundService[]>;
};

type Item = Readonly<Record<string, unknown>>;
/** The answer under the same name, or a promise of it; undefined: no answer. */
type Handler = (value: unknown) => unknown;

const NOTIFICATION_OF: Readonly<Record<string, string>> = { setLogList: "setLogLevelList", push: "udm_alert" };
/** Keys that plugins do not expect back. */
const WITHOUT_ECHO: ReadonlySet<string> = new Set(["idata", "customparamsdoc"]);
/** Nodes or reports of a list that are taken in one turn of the event loop. */
const SLICE = 50;
/** Nodes above the limit that are only refused; a plugin that goes on adding is stopped. */
const REFUSED_NODES_MAX = 100;
/** Refusals that are shown to the owner. */
const NOTES_MAX = 20;
const SHOWN_CHARS_MAX = 40;
/** Searches of one message. */
const SEARCHES_MAX = 4;
const CONNECTION = { stopped: 0, connected: 1, lost: 2 } as const;
type ConnectionValue = keyof typeof CONNECTION;

export class PluginSession {
  readonly #ports: PluginSessionPorts;
  readonly #prefix: string;
  readonly #handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>>;
  /** Version of the plugin, as it says itself. */
  version = "";
  readonly #notes: string[] = [];
  #refusedNodes = 0;
  #isSearching = false;
  /** The disk did not take the latest change of its stored data. */
  #isUnsaved = false;

  constructor(ports: PluginSessionPorts) {
    this.#ports = ports;
    this.#prefix = addressPrefix(ports.slot);
    this.#handlers = {
      system: this.#systemHandlers(),
      custom: {
        set: (value) => this.#setData(value),
        get: (value) => items(value).map(({ key }) => ({ key, value: ports.data.get(String(key)) ?? "" })),
        getAll: () => ports.data.all(),
      },
      command: {
        addnode: (value) => this.#addNodes(value),
        removenode: (value) => this.#removeNodes(items(value).map(({ address }) => String(address))),
        renamenode: (value) => items(value).map((item) => this.#renameNode(String(item.address), String(item.name))),
        changenode: (value) =>
          items(value).map((item) => this.#changeNode(String(item.address), String(item.nodeDefId))),
        command: (value) => items(value).map((item) => this.#reportCommand(item)),
        // A search takes seconds; the messages behind it do not wait.
        bonjour: (value) => void this.#search(items(value)),
      },
      status: {
        set: (value) => this.#setStatus(value),
        get: (value) => items(value).map(({ address }) => ({ address, drivers: this.#driversOf(String(address)) })),
      },
      portal: {
        // Whether a plugin has a web address is its owner's decision.
        webhookStart: () => undefined,
        webhook: (value) => ports.webHooks.answer(value),
      },
    };
  }

  /** What the controller refused to the plugin, in sentences, since it was started. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  get nodes(): readonly StoredNode[] {
    return this.#ports.data.nodes();
  }

  /** Shows the nodes from before, with their last values. */
  showNodes(): void {
    const { host, slot } = this.#ports;
    for (const node of primariesFirst(this.nodes)) {
      host.node(specOf(node, host.seen(this.#prefix + node.address)?.name ?? node.address, slot));
    }
  }

  /**
   * A message of the plugin. One that cannot be read, or names nothing known, is passed over. Long lists take several turns of the
   * event loop; the next message is to wait for their end.
   */
  async received(kind: string, payload: string): Promise<void> {
    const message = parsed(payload);
    if (!isRecord(message)) {
      this.#ports.host.log.debug("A message of a plugin is not a JSON object.", { kind });
      return;
    }
    for (const [verb, value] of Object.entries(message)) {
      const handler = ownMember(ownMember(this.#handlers, kind) ?? {}, verb);
      if (!handler) {
        this.#ports.host.log.debug("A message of a plugin names nothing known.", { kind, verb });
        continue;
      }
      const handled = handler(value);
      const answer = handled instanceof Promise ? await handled : handled;
      if (answer !== undefined) this.#ports.send({ [NOTIFICATION_OF[verb] ?? verb]: answer });
    }
  }

  /** See PluginPort. */
  async handle({ kind, verb, item }: PluginMessage): Promise<PluginRefusal | null> {
    const [answer] = items(await this.#handlers[kind]?.[verb]?.([item]));
    return typeof answer?.error === "string" ? { error: answer.error, code: Number(answer.code ?? 400) } : null;
  }

  command({ address, command, parameters }: Pick<DriverCommand, "address" | "command" | "parameters">): void {
    const unnamed = parameters.find(({ id }) => id === "");
    const named = parameters.filter(({ id }) => id !== "");
    const value = unnamed ? { value: writtenValue(unnamed), uom: String(unnamed.uom) } : {};
    const query = Object.fromEntries(named.map((each) => [`${each.id}.uom${each.uom}`, writtenValue(each)]));
    this.#ports.send({ command: { address: this.#own(address), cmd: command, ...value, query } });
  }

  query(address: string): void {
    this.#ports.send({ query: { address: this.#own(address) } });
  }

  get data(): PluginData {
    return this.#ports.data;
  }

  /** Stores an owner's setting and informs the plugin; `data.saved` settles when it is on disk. @returns the reason of a refusal, or null. */
  setData(key: string, value: unknown): string | null {
    const refusal = this.#ports.data.set(key, value);
    if (refusal === null) this.#echo([{ key }]);
    return refusal;
  }

  setLink(link: LinkState): void {
    for (const { address } of this.nodes) {
      if (this.#ports.host.seen(this.#prefix + address)) this.#ports.host.link(this.#prefix + address, link);
    }
  }

  /** Shows on the property that the plugin chose whether it is connected. */
  showConnection(state: ConnectionValue): void {
    const { data, host } = this.#ports;
    const { controller } = data;
    if (!controller) return;
    const address = this.#prefix + controller.node;
    const known = host.seen(address);
    if (!known) return;
    const uom = known.properties.get(controller.driver)?.uom ?? this.#uomOf(controller.node, controller.driver);
    const report = { address, id: controller.driver, value: CONNECTION[state], uom, prec: 0, cause: "report" } as const;
    host.report([report]);
  }

  #systemHandlers(): Readonly<Record<string, Handler>> {
    const { data, definitions, connection, restart, stop, pollsChanged } = this.#ports;
    const setPolls = (value: unknown) => {
      data.setPolls(isRecord(value) ? value : {});
      pollsChanged();
      return this.#savedAnswer();
    };
    return {
      config: (value) => {
        if (isRecord(value) && typeof value.version === "string") this.version = value.version;
        return this.#config();
      },
      getIsyInfo: () => connection(),
      getNsInfo: () => [this.#about()],
      installprofile: () => {
        void definitions.load(true);
        return { success: true };
      },
      getprofile: () => ({ success: true, ...definitions.current }),
      updateprofile: (value) => this.#updateProfile(value),
      setController: (value) => {
        if (isRecord(value)) data.setController(String(value.node), String(value.driver));
        this.showConnection("connected");
        return this.#savedAnswer();
      },
      setPoll: setPolls,
      polls: setPolls,
      setLogLevel: (value) => {
        data.setLogLevel(isRecord(value) ? String(value.level) : "");
        return { level: data.logLevel };
      },
      setLogList: (value) => {
        data.setLogLevels(isRecord(value) && Array.isArray(value.levels) ? value.levels.filter(isRecord) : []);
        return this.#savedAnswer();
      },
      push: () => ({ success: true }),
      restart: () => void restart(),
      stop: () => void stop(),
    };
  }

  /** @returns why the stored data is not on disk, or null. */
  async #saved(): Promise<string | null> {
    const { data, host } = this.#ports;
    try {
      await data.saved();
      this.#isUnsaved = false;
      return null;
    } catch (error) {
      if (!this.#isUnsaved) host.log.warn("A plugin's data is not stored, and the plugin is informed.", { error });
      this.#isUnsaved = true;
      return messageOf(error);
    }
  }

  async #savedAnswer(): Promise<object> {
    const error = await this.#saved();
    return error === null ? { success: true } : { success: false, error };
  }

  async #updateProfile(value: unknown): Promise<object> {
    const given = isRecord(value) ? value : {};
    const { requestId = "" } = given;
    const message = this.#ports.definitions.update(given) ?? (await this.#saved());
    return message === null ? { requestId, success: true } : { requestId, success: false, message };
  }

  #about(): object {
    const { uuid, slot, name, data } = this.#ports;
    const { shortPollS, longPollS } = data;
    const [shortPoll, longPoll] = [shortPollS, longPollS];
    return { uuid, profileNum: slot, name, version: this.version, enabled: 1, connected: 1, shortPoll, longPoll };
  }

  #config(): object {
    const { data, host } = this.#ports;
    return {
      ...this.#about(),
      logLevel: data.logLevel,
      logLevelList: JSON.stringify(data.logLevels),
      notices: data.notices,
      nodes: this.nodes.map((node) => recordOf(node, host, this.#ports)),
    };
  }

  /** Plugins change their own copy of what they store only when they hear of it, so the echo follows the answer. */
  async #setData(value: unknown): Promise<undefined> {
    const given = items(value);
    const refusals = given.map(({ key, value: stored }) => this.#ports.data.set(String(key), stored));
    const failure = await this.#saved();
    const answers = given.map(({ key }, at) => {
      const error = refusals[at] ?? failure;
      return error === null ? { success: true, key } : { success: false, key, error };
    });
    this.#ports.send({ set: answers });
    if (failure === null) this.#echo(value);
  }

  #echo(value: unknown): void {
    this.#ports.dataChanged();
    for (const { key } of items(value)) {
      const text = this.#ports.data.get(String(key));
      if (text !== null && !WITHOUT_ECHO.has(String(key))) this.#ports.send({ custom: { [String(key)]: text } });
    }
  }

  #addNodes(value: unknown): unknown {
    const given = items(value);
    if (given.length > this.#ports.nodesMax + REFUSED_NODES_MAX) return this.#tooManyNodes();
    return given.length <= SLICE ? this.#addSlice(given) : this.#addInSlices(given);
  }

  /** Primary nodes first: the others stand below them. */
  async #addInSlices(given: readonly Item[]): Promise<unknown> {
    const isPrimary = ({ address, primaryNode = address }: Item) => primaryNode === address;
    const order = [...given.filter(isPrimary), ...given.filter((item) => !isPrimary(item))];
    const records = new Map<Item, unknown>();
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

  #addSlice(given: readonly Item[]): readonly unknown[] {
    const { host } = this.#ports;
    const wanted = given.map((item) => ({ item, request: readNode(item, host.clock.now()) }));
    const errors = new Map<Item, string>();
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
  #addNode({ node, name, renames }: Exclude<ReturnType<typeof readNode>, string>, item: Item): string | null {
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
    const unseen = drivers.filter(({ driver }) => !added.properties.has(String(driver)));
    host.report(unseen.map((driver) => this.#reportOf(address, driver, reportedValue(driver.value), "restore")));
    return null;
  }

  /** Of one message, nodes below others go first. */
  #removeNodes(addresses: readonly string[]): readonly object[] {
    const isPrimary = (address: string) => this.#ports.data.node(address)?.primaryNode === address;
    const all = [...new Set(addresses)];
    const order = [...all.filter((each) => !isPrimary(each)), ...all.filter(isPrimary)];
    const answers = new Map(order.map((address) => [address, this.#removeNode(address)]));
    return addresses.flatMap((address) => answers.get(address) ?? []);
  }

  #removeNode(address: string): object {
    const { data, host } = this.#ports;
    if (!data.node(address)) return { address, error: "There is no such node.", code: 404 };
    const below = this.nodes.filter((node) => node.primaryNode === address && node.address !== address);
    if (below.length > 0) {
      const others = below.length === 1 ? "another node" : `${below.length} other nodes`;
      const error = `It is the primary node of ${others}. Remove ${below.length === 1 ? "it" : "these"} first.`;
      return { address, error, code: 409 };
    }
    data.removeNode(address);
    host.gone(this.#prefix + address);
    return { address, success: true };
  }

  #renameNode(address: string, name: string): object {
    const { data, host, slot } = this.#ports;
    const node = data.node(address);
    const known = host.seen(this.#prefix + address);
    if (!node || !known) return { address, name, error: "There is no such node.", code: 404 };
    host.node({ ...specOf(node, name, slot), formerName: known.name });
    return { address, name, success: true };
  }

  #changeNode(address: string, nodeDefId: string): object {
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

  async #search(wanted: readonly Item[]): Promise<void> {
    const found = async (): Promise<object> => {
      if (this.#isSearching) return { success: false, error: "A search is under way already." };
      this.#isSearching = true;
      try {
        const lists = await Promise.all(
          wanted.slice(0, SEARCHES_MAX).map((item) => this.#ports.search(searchedOf(item))),
        );
        return { success: true, mdns: lists.flat() };
      } catch (error) {
        return { success: false, error: messageOf(error) };
      } finally {
        this.#isSearching = false;
      }
    };
    this.#ports.send({ bonjour: await found() });
  }

  /** The answer leaves the command out: a plugin would carry it out, and report it again. */
  #reportCommand({ address, cmd, value }: Item): object {
    const { host } = this.#ports;
    if (!this.#ports.data.node(String(address))) return { address, error: "There is no such node.", code: 404 };
    host.control(this.#prefix + String(address), String(cmd), reportedValue(value)?.value ?? 0);
    return { address, success: true };
  }

  #setStatus(value: unknown): unknown {
    const given = items(value);
    return given.length <= SLICE ? this.#setSlice(given) : this.#setInSlices(given);
  }

  async #setInSlices(given: readonly Item[]): Promise<unknown> {
    const answers: unknown[] = [];
    for (let at = 0; at < given.length; at += SLICE) {
      answers.push(...this.#setSlice(given.slice(at, at + SLICE)));
      await nextTurn();
    }
    return answers;
  }

  #setSlice(given: readonly Item[]): readonly unknown[] {
    const reports: PropertyReport[] = [];
    const answers = given.map((item) => {
      const { address, driver, value: given, uom } = item;
      if (!this.#ports.data.node(String(address)))
        return { address, driver, error: "There is no such node.", code: 404 };
      const value = reportedValue(given);
      if (value === null) {
        const error = this.#noted(
          `${shown(driver)} of ${shown(address)} takes a number, not "${shown(given)}". Its value stays.`,
        );
        return { address, driver, error, code: 400 };
      }
      reports.push(this.#reportOf(String(address), item, value, "report"));
      return { address, driver, value: given, uom };
    });
    this.#ports.host.report(reports);
    return answers;
  }

  #reportOf(
    address: string,
    { driver, uom, text }: Item,
    given: ReturnType<typeof reportedValue>,
    cause: "report" | "restore",
  ): PropertyReport {
    return {
      address: this.#prefix + address,
      id: String(driver),
      ...(given ?? { value: null, prec: 0 }),
      uom: reportedUom(uom ?? this.#uomOf(address, String(driver))),
      ...(typeof text === "string" && text !== "" ? { text } : {}),
      cause,
    };
  }

  /** Shows a refusal to the owner, each once. */
  #noted(reason: string): string {
    if (!this.#notes.includes(reason) && this.#notes.length < NOTES_MAX) this.#notes.push(reason);
    return reason;
  }

  #driversOf(address: string): unknown {
    const node = this.#ports.data.node(address);
    return node ? (recordOf(node, this.#ports.host, this.#ports) as { drivers: unknown }).drivers : [];
  }

  #uomOf(address: string, driver: string): number {
    return this.#ports.data.node(address)?.drivers.find((each) => each.driver === driver)?.uom ?? 0;
  }

  #own(address: string): string {
    return address.slice(this.#prefix.length);
  }
}

/** What plugins send may be named like a member that every object has. */
function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A value in a sentence. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value;
  return typeof value === "number" ? String(value) : typeof value;
}

/** A list, also where there is one item without a list around it. */
function items(value: unknown): readonly Item[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function primariesFirst(nodes: readonly StoredNode[]): readonly StoredNode[] {
  const isPrimary = ({ address, primaryNode }: StoredNode) => address === primaryNode;
  return [...nodes.filter(isPrimary), ...nodes.filter((node) => !isPrimary(node))];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}
