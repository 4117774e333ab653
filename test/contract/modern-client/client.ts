/**
 * The modern client: a Python library that cannot be installed here, played from what it is known to send and to
 * require. It loads, follows the stream, and sends commands that it has checked against the nodedef.
 */

import type { Clock } from "../../../src/util/clock.ts";
import { readXml } from "../../support/read-xml.ts";
import { type Event, readEvent, type Told, takeEvent } from "./events.ts";
import type { Node } from "./home.ts";
import { type Config, type Loaded, loadConfig, loadHome, loadVariables } from "./load.ts";
import { type CommandDef, findEditor, type NodeDef, profileKey, type Range } from "./profile.ts";
import { ClientError, type Credentials, isObject, type Mode, Session } from "./session.ts";
import { Stream } from "./stream.ts";

export type ClientOptions = {
  readonly url: string;
  readonly mode: Mode;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Default: the XML stream. */
  readonly streamPath?: string;
  /** Reads the profile without the nodedefs of radio devices, as older controllers have it. */
  readonly hidesRadio?: boolean;
};

export class ModernClient {
  readonly session: Session;
  readonly stream: Stream;
  /** All calls of its listeners. */
  readonly told: Told[] = [];
  readonly events: Event[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #hidesRadio: boolean;
  #config: Config | null = null;
  #home: Loaded | null = null;

  constructor(options: ClientOptions) {
    this.session = new Session(options.url, options.mode, options.credentials, options.clock);
    this.#hidesRadio = options.hidesRadio ?? false;
    const path = options.streamPath ?? "/rest/subscribe";
    this.stream = new Stream(this.session, options.clock, path, (text) => this.#take(text));
  }

  get config(): Config {
    if (!this.#config) throw new Error("The client is not connected.");
    return this.#config;
  }

  get home(): Loaded {
    if (!this.#home) throw new Error("The client is not connected.");
    return this.#home;
  }

  get name(): string {
    return this.home.controllerName;
  }

  async connect(): Promise<void> {
    this.#config = await loadConfig(this.session);
    await this.refresh();
    await this.stream.open();
  }

  /** Loads everything but the configuration again. */
  async refresh(): Promise<void> {
    this.#home = await loadHome(this.session, this.#hidesRadio);
  }

  /** @returns the status with which the logout was answered. */
  async stop(): Promise<number> {
    await this.stream.close();
    const status = await this.session.logout();
    this.session.close();
    return status;
  }

  /** The first matching call from now on. */
  async hears(fits: (told: Told) => boolean): Promise<Told> {
    const since = this.told.length;
    const first = () => this.told.slice(since).find(fits);
    await this.#until(() => first() !== undefined);
    return first() as Told;
  }

  /** Settles when so many heartbeats have come; the first one ends the replay. */
  async heartbeats(count = 1): Promise<void> {
    await this.#until(() => this.events.filter(({ control }) => control === "_0").length >= count);
  }

  node(address: string): Node {
    const node = this.home.nodes.get(address);
    if (!node) throw new Error(`The client has no node ${address}.`);
    return node;
  }

  nodedef({ family, instance, nodeDefId }: Node): NodeDef | null {
    const key = profileKey(family, instance);
    return this.home.radio.get(`${key}/${nodeDefId}`) ?? this.home.profile.get(key)?.nodedefs.get(nodeDefId) ?? null;
  }

  /**
   * Its definition of a light with a level: DON accepts one, and the first range of its state has more than two
   * values.
   */
  isDimmable(address: string): boolean {
    const node = this.node(address);
    const nodedef = this.nodedef(node);
    const state = nodedef?.properties.find(({ id }) => id === "ST");
    const first = state && this.#ranges(node, state.editor)[0];
    const takesLevel = nodedef?.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);
    const isChoice = first?.subset !== null && (first?.subset.split(",").length ?? 0) <= 2;
    return takesLevel === true && first !== undefined && !isChoice && (first.max ?? 0) > 1;
  }

  /** A value that the first range of an editor takes. */
  anyValue(address: string, editor: string): number {
    const range = this.#ranges(this.node(address), editor)[0];
    if (range?.subset) return Number.parseInt(range.subset, 10);
    return range?.min ?? [...(range?.names.keys() ?? [])][0] ?? 0;
  }

  /** The displayed value and its unit; a byte is shown in percent where the editor knows percent and no bytes. */
  reading(address: string, id: string): { readonly value: number | null; readonly uom: string } {
    const node = this.node(address);
    const property = node.properties.get(id);
    if (!property || property.value === "") return { value: null, uom: property?.uom ?? "0" };
    const value = Number(property.value) / 10 ** property.prec;
    const editor = this.nodedef(node)?.properties.find((definition) => definition.id === id)?.editor;
    const uoms = this.#ranges(node, editor ?? "").map(({ uom }) => uom);
    const asPercent = property.uom === "100" && uoms.includes("51") && !uoms.includes("100");
    return asPercent ? { value: Math.round((value * 100) / 255), uom: "51" } : { value, uom: property.uom };
  }

  /** @throws ClientError when the nodedef does not take it. */
  async command(address: string, id: string, ...values: readonly number[]): Promise<void> {
    const node = this.node(address);
    const path = [`/rest/nodes/${quote(address)}/cmd`, ...this.#spell(node, id, values)].join("/");
    await this.session.get(path);
  }

  /** As given, without units. */
  async commandGroup(address: string, id: string, ...values: readonly number[]): Promise<void> {
    await this.session.get([`/rest/nodes/${quote(address)}/cmd`, id, ...values].join("/"));
  }

  async rename(address: string, nodeType: "node" | "group" | "folder", name: string): Promise<void> {
    await this.session.write("POST", `/api/nodes/${quote(address)}`, { name, nodeType });
  }

  async setVariable(type: 1 | 2, id: string, value: number): Promise<void> {
    await this.session.write("POST", `/api/variables/${type}/${id}`, { value: Math.trunc(value) });
  }

  async createVariable(type: 1 | 2, name: string, prec = 0): Promise<string> {
    const body = prec === 0 ? { name } : { name, prec };
    const { data } = await this.session.write("PUT", `/api/variables/${type}`, body);
    if (!isObject(data) || !data.id) throw new ClientError("The new variable has no id.");
    return String(data.id);
  }

  /** @throws ClientError quoting the status when the device did not answer. */
  async readParameter(address: string, number: number): Promise<{ readonly size: number; readonly value: number }> {
    const { text } = await this.session.get(`${this.#radioPath(address)}/config/query/${number}`);
    const { name, attributes } = readXml(text);
    if (name !== "config") throw new ClientError(`The parameter was answered with <${name}>.`);
    return { size: Number(attributes.size), value: Number(attributes.value) };
  }

  /** @param size bytes. */
  async writeParameter(address: string, number: number, value: number, size: 1 | 2 | 4): Promise<void> {
    await this.session.get(`${this.#radioPath(address)}/config/set/${number}/${value}/${size}`);
  }

  async setLockCode(address: string, slot: number, code: string): Promise<void> {
    await this.session.get(`${this.#radioPath(address)}/security/user/${slot}/set/code/${code}`);
  }

  async deleteLockCode(address: string, slot: number): Promise<void> {
    await this.session.get(`${this.#radioPath(address)}/security/user/${slot}/delete`);
  }

  #radioPath(address: string): string {
    const radio = this.node(address).family === "12" ? "/rest/zmatter/zwave" : "/rest/zwave";
    return `${radio}/node/${quote(address)}`;
  }

  #spell(node: Node, id: string, values: readonly number[]): readonly string[] {
    const nodedef = this.nodedef(node);
    if (!nodedef) return [id, ...values.map((value) => String(Math.trunc(value)))];
    const accepted = (fits: (command: CommandDef) => boolean) => nodedef.accepts.find(fits);
    const command =
      accepted((each) => each.id === id) ?? accepted(({ parameters }) => parameters.some(({ init }) => init === id));
    if (!command) throw new ClientError(`The nodedef ${nodedef.id} does not accept ${id}.`);
    const spelled = values.flatMap((value, index) => {
      const ranges = this.#ranges(node, command.parameters[index]?.editor ?? "");
      const range = ranges.find((each) => takes(each, value));
      if (!range) throw new ClientError(`${command.id} of ${nodedef.id} does not take ${value}.`);
      return range.uom === "0" ? [String(value)] : [String(value), range.uom];
    });
    return [command.id, ...spelled];
  }

  /** The first range of an editor, which decides what a value is to it. */
  range(node: Node, editor: string): Range | null {
    return this.#ranges(node, editor)[0] ?? null;
  }

  #ranges({ family, instance }: Node, editor: string): readonly Range[] {
    return findEditor(this.home.profile, family, instance, editor)?.ranges ?? [];
  }

  #take(text: string): void {
    const event = readEvent(text);
    if (!event) return;
    this.events.push(event);
    for (const told of takeEvent(this.home, event)) {
      if (told.kind === "variable-table") void this.#reloadVariables(told);
      else this.#tell(told);
    }
    this.#look();
  }

  /** Told when they have been read again. */
  async #reloadVariables(told: Extract<Told, { kind: "variable-table" }>): Promise<void> {
    this.home.variables[told.type] = await loadVariables(this.session, told.type);
    this.#tell(told);
  }

  #tell(told: Told): void {
    this.told.push(told);
    this.#look();
  }

  #look(): void {
    for (const look of [...this.#waiting]) look();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

function takes({ min, max, subset, names }: Range, value: number): boolean {
  if (subset !== null) return inSubset(subset, value, { min, max, names });
  if (min === null && max === null && names.size > 0) return names.has(value);
  return (min === null || value >= min) && (max === null || value <= max);
}

/** `0,100`, `0-31`, `5-`: an open end is the range's, or the outermost label. */
function inSubset(subset: string, value: number, { min, max, names }: Pick<Range, "min" | "max" | "names">): boolean {
  const keys = [...names.keys()];
  return subset.split(",").some((part) => {
    const [, low = "", dash = "", high = ""] = /^(-?\d*)(-?)(-?\d*)$/.exec(part.trim()) ?? [];
    if (dash === "") return value === Number(low);
    const lowest = low === "" ? (min ?? Math.min(...keys)) : Number(low);
    const highest = high === "" ? (max ?? Math.max(...keys)) : Number(high);
    return value >= lowest && value <= highest;
  });
}

/** Its URL library's form of a quoted address. */
function quote(address: string): string {
  return encodeURIComponent(address).replace(/%3A/g, ":").replace(/%26/g, "&");
}
