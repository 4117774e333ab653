/**
 * The conversation with one plugin: its requests and reports, and the messages to it. Every message to a plugin is an
 * object with one member, because its libraries silently stop at anything else.
 *
 * @see docs/plugins.md
 */

import type { LinkState } from "../../home/nodes.ts";
import { foreignNumber, foreignText, ownMember, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { messageOf } from "../../util/message-of.ts";
import type { DriverCommand } from "../command.ts";
import type { DriverHost } from "../driver.ts";
import type { PluginMessage, PluginRefusal } from "../plugin-port.ts";
import type { FoundService, Searched } from "../search-network.ts";
import { CustomRequests } from "./custom-requests.ts";
import { writtenValue } from "./driver-value.ts";
import { searchedOf } from "./network-search.ts";
import type { PluginData } from "./plugin-data.ts";
import type { PluginDefinitions } from "./plugin-definitions.ts";
import { items, PluginNodes, type SettingsItem } from "./plugin-nodes.ts";
import { addressPrefix, recordOf, type StoredNode } from "./stored-node.ts";
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
  /** Parameters, notices or the sign-in of the plugin, which its owner sees, have changed. */
  dataChanged(): void;
  readonly webHooks: Pick<WebHooks, "answer">;
  /** @throws Error with a sentence */
  search(wanted: Searched): Promise<readonly FoundService[]>;
};

/** The answer under the same name, or a promise of it; undefined: no answer. */
type Handler = (value: unknown) => unknown;

const NOTIFICATION_OF: Readonly<Record<string, string>> = { setLogList: "setLogLevelList", push: "udm_alert" };
/** Keys that plugins do not expect back. */
const WITHOUT_ECHO: ReadonlySet<string> = new Set(["idata", "customparamsdoc"]);
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
  readonly #nodes: PluginNodes;
  readonly requests: CustomRequests;
  #isSearching = false;
  /** The disk did not take the latest change of its stored data. */
  #isUnsaved = false;

  constructor(ports: PluginSessionPorts) {
    this.#ports = ports;
    this.#prefix = addressPrefix(ports.slot);
    this.#nodes = new PluginNodes(ports);
    this.requests = new CustomRequests(ports.host, ports.send);
    this.#handlers = {
      system: this.#systemHandlers(),
      custom: {
        set: (value) => this.#setData(value),
        get: (value) => items(value).map(({ key }) => ({ key, value: ports.data.get(foreignText(key)) ?? "" })),
        getAll: () => ports.data.all(),
      },
      command: {
        addnode: (value) => this.#nodes.add(value),
        removenode: (value) => this.#nodes.remove(items(value).map(({ address }) => foreignText(address))),
        renamenode: (value) =>
          items(value).map(({ address, name }) => this.#nodes.rename(foreignText(address), foreignText(name))),
        changenode: (value) =>
          items(value).map(({ address, nodeDefId }) =>
            this.#nodes.change(foreignText(address), foreignText(nodeDefId)),
          ),
        command: (value) => items(value).map((item) => this.#nodes.reportCommand(item)),
        // A search takes seconds; the messages behind it do not wait.
        bonjour: (value) => void this.#search(items(value)),
      },
      status: {
        set: (value) => this.#nodes.setStatus(value),
        get: (value) =>
          items(value).map(({ address }) => ({ address, drivers: this.#nodes.driversOf(foreignText(address)) })),
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
    return this.#nodes.notes;
  }

  get nodes(): readonly StoredNode[] {
    return this.#ports.data.nodes();
  }

  /** Shows the nodes from before, with their last values. */
  showNodes(): void {
    this.#nodes.show();
  }

  /**
   * A message of the plugin. One that cannot be read, or names nothing known, is passed over. Long lists take several turns of the
   * event loop; the next message is to wait for their end.
   */
  async received(kind: string, payload: string): Promise<void> {
    const message = readForeignJson(payload);
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
      if (answer !== undefined) this.#ports.send({ [ownMember(NOTIFICATION_OF, verb) ?? verb]: answer });
    }
  }

  /** See PluginPort. */
  async handle({ kind, verb, item }: PluginMessage): Promise<PluginRefusal | null> {
    const [answer] = items(await this.#handlers[kind]?.[verb]?.([item]));
    return typeof answer?.error === "string" ? { error: answer.error, code: foreignNumber(answer.code ?? 400) } : null;
  }

  command({ address, command, parameters }: Pick<DriverCommand, "address" | "command" | "parameters">): void {
    const unnamed = parameters.find(({ id }) => id === "");
    const named = parameters.filter(({ id }) => id !== "");
    const value = unnamed ? { value: writtenValue(unnamed), uom: foreignText(unnamed.uom) } : {};
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
    const uom = known.properties.get(controller.driver)?.uom ?? this.#nodes.uomOf(controller.node, controller.driver);
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
        if (isRecord(value)) data.setController(foreignText(value.node), foreignText(value.driver));
        this.showConnection("connected");
        return this.#savedAnswer();
      },
      setPoll: setPolls,
      polls: setPolls,
      setLogLevel: (value) => {
        data.setLogLevel(isRecord(value) ? foreignText(value.level) : "");
        return { level: data.logLevel };
      },
      setLogList: (value) => {
        data.setLogLevels(isRecord(value) && Array.isArray(value.levels) ? value.levels.filter(isRecord) : []);
        return this.#savedAnswer();
      },
      push: () => ({ success: true }),
      customResponse: (value) => this.requests.answer(value),
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
    const refusals = given.map(({ key, value: stored }) => this.#ports.data.set(foreignText(key), stored));
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
      const text = this.#ports.data.get(foreignText(key));
      if (text !== null && !WITHOUT_ECHO.has(foreignText(key)))
        this.#ports.send({ custom: { [foreignText(key)]: text } });
    }
  }

  async #search(wanted: readonly SettingsItem[]): Promise<void> {
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

  #own(address: string): string {
    return address.slice(this.#prefix.length);
  }
}
