/** The stored data of a plugin: its nodes, the values under keys of its own, and its settings. */

import { foreignNumber, foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import type { ServiceStore } from "../service.ts";
import type { Manifest } from "./manifest.ts";
import type { StoredNode } from "./stored-node.ts";

type LogLevel = Readonly<Record<string, unknown>> & { readonly level: number; readonly value: string };

type Controller = { readonly node: string; readonly driver: string };

const NODE = "node:";
const DATA = "data:";
const KEY_CHARS_MAX = 200;
const POLL_S = { min: 1, max: 86_400 };
const DEFAULT_LEVEL = "INFO";
/** Numbers are those of Python's logging. */
const LEVELS: readonly LogLevel[] = [
  { id: 0, name: "Debug", value: "DEBUG", level: 10 },
  { id: 1, name: "Info", value: "INFO", level: 20 },
  { id: 2, name: "Warning", value: "WARNING", level: 30 },
  { id: 3, name: "Error", value: "ERROR", level: 40 },
  { id: 4, name: "Critical", value: "CRITICAL", level: 50 },
];

type PluginDefaults = Pick<Manifest, "shortPollS" | "longPollS" | "logLevel" | "parameters">;

export class PluginData {
  readonly #store: ServiceStore;
  readonly #defaults: PluginDefaults;
  readonly #bytesMax: number;
  readonly #nodes = new Map<string, StoredNode>();

  constructor(store: ServiceStore, defaults: PluginDefaults, bytesMax: number) {
    this.#store = store;
    this.#defaults = defaults;
    this.#bytesMax = bytesMax;
    for (const key of store.keys()) {
      if (key.startsWith(NODE)) this.#nodes.set(key.slice(NODE.length), store.get(key) as StoredNode);
    }
    // Some plugins fail where there are no parameters at all.
    if (this.get("customparams") === null) this.set("customparams", defaults.parameters);
  }

  /** Settles when all of it is on disk. @throws ControllerError STORE_UNAVAILABLE */
  saved(): Promise<void> {
    return this.#store.saved();
  }

  nodes(): readonly StoredNode[] {
    return [...this.#nodes.values()];
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  node(address: string): StoredNode | null {
    return this.#nodes.get(address) ?? null;
  }

  putNode(node: StoredNode): void {
    this.#nodes.set(node.address, node);
    this.#store.set(NODE + node.address, node);
  }

  removeNode(address: string): void {
    this.#nodes.delete(address);
    this.#store.delete(NODE + address);
  }

  /** The text that is stored under the key, or null. */
  get(key: string): string | null {
    const text = this.#store.get(DATA + key);
    return typeof text === "string" ? text : null;
  }

  /** Objects are stored as JSON, texts as they are. @returns why it was refused, or null. */
  set(key: string, value: unknown): string | null {
    if (key === "" || key.length > KEY_CHARS_MAX) return `A key has 1 to ${KEY_CHARS_MAX} characters.`;
    const text = typeof value === "string" ? value : foreignText(value) || "{}";
    const others = this.all().filter((each) => each.key !== key);
    const bytes = others.reduce((sum, each) => sum + each.key.length + Buffer.byteLength(each.value), 0);
    if (bytes + Buffer.byteLength(text) > this.#bytesMax) return `A plugin stores at most ${this.#bytesMax} bytes.`;
    this.#store.set(DATA + key, text);
    return null;
  }

  all(): readonly { readonly key: string; readonly value: string }[] {
    const keys = this.#store.keys().filter((key) => key.startsWith(DATA));
    return keys.map((key) => ({ key: key.slice(DATA.length), value: this.get(key.slice(DATA.length)) ?? "" }));
  }

  /** The value of the key, read as JSON; null without one. */
  json(key: string): unknown {
    return readForeignJson(this.get(key) ?? "null") ?? null;
  }

  /** The value of the key as an object; empty when it is something else. */
  record(key: string): Readonly<Record<string, unknown>> {
    const value = this.json(key);
    return isRecord(value) ? value : {};
  }

  get notices(): Readonly<Record<string, unknown>> {
    return this.record("notices");
  }

  get controller(): Controller | null {
    return (this.#store.get("controller") as Controller | null) ?? null;
  }

  setController(node: string, driver: string): void {
    this.#store.set("controller", { node, driver } satisfies Controller);
  }

  /** The secret part of its web address; null: it has none. */
  get webHookKey(): string | null {
    return (this.#store.get("webHookKey") as string | null) ?? null;
  }

  setWebHookKey(key: string | null): void {
    this.#store.set("webHookKey", key);
  }

  get shortPollS(): number {
    return this.#poll("short") ?? this.#defaults.shortPollS;
  }

  get longPollS(): number {
    return this.#poll("long") ?? this.#defaults.longPollS;
  }

  setPolls(given: Readonly<Record<string, unknown>>): void {
    const known = (this.#store.get("polls") as Readonly<Record<string, unknown>> | null) ?? {};
    this.#store.set("polls", { ...known, ...given });
  }

  get logLevel(): string {
    const level = this.#store.get("logLevel") ?? this.#defaults.logLevel;
    return this.logLevels.some(({ value }) => value === level) ? String(level) : DEFAULT_LEVEL;
  }

  setLogLevel(level: string): void {
    this.#store.set("logLevel", level.toUpperCase());
  }

  get logLevels(): readonly LogLevel[] {
    return (this.#store.get("logLevels") as readonly LogLevel[] | null) ?? LEVELS;
  }

  /** Older libraries leave the number out, which newer ones need. */
  setLogLevels(levels: readonly Readonly<Record<string, unknown>>[]): void {
    const numbered = levels.map((level, at): LogLevel => {
      const value = foreignText(level.value ?? level.name ?? DEFAULT_LEVEL).toUpperCase();
      const number = foreignNumber(level.level ?? LEVELS.find((each) => each.value === value)?.level ?? (at + 1) * 10);
      return { ...level, value, level: Number.isInteger(number) ? number : (at + 1) * 10 };
    });
    if (numbered.length > 0) this.#store.set("logLevels", numbered);
  }

  #poll(which: "short" | "long"): number | null {
    const polls = this.#store.get("polls");
    const seconds = isRecord(polls) ? Math.round(foreignNumber(polls[which])) : Number.NaN;
    return seconds >= POLL_S.min && seconds <= POLL_S.max ? seconds : null;
  }
}
