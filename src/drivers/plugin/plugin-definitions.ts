/**
 * The definitions of a plugin: those of its files, and over them those that it sends as JSON. They are published only when they
 * have changed: plugins ask for it at every start.
 */

import { isDeepStrictEqual } from "node:util";
import { PLUGINS } from "../../families.ts";
import type { Definitions } from "../../profile/profile.ts";
import { isRecord } from "../../util/is-record.ts";
import { editorJson, linkdefJson, nodedefJson, readDefinitions } from "../../wire/definition-json.ts";
import type { TreeObject } from "../../wire/spelling/tree.ts";
import type { DriverHost } from "../driver.ts";
import { readPluginProfile } from "./profile-files.ts";

const KINDS = ["editors", "nodedefs", "linkdefs"] as const;
type Kind = (typeof KINDS)[number];

/** Items by their id, as the plugin wrote them. */
type Sent = Readonly<Record<Kind, Readonly<Record<string, TreeObject>>>>;

const NOTHING: Sent = { editors: {}, nodedefs: {}, linkdefs: {} };
const STORED = "definitions";
const ALL = "*";
const ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const ITEMS_MAX = 5000;

type DefinitionParts = {
  readonly directory: string;
  readonly slot: number;
  readonly host: DriverHost;
  readonly bytesMax: number;
};

export class PluginDefinitions {
  readonly #parts: DefinitionParts;
  #files: Definitions = {};
  #sent: Sent;
  #published: Definitions | null = null;
  #problems = "";

  constructor(parts: DefinitionParts) {
    this.#parts = parts;
    this.#sent = (parts.host.store.get(STORED) as Sent | null) ?? NOTHING;
  }

  /** Reads the files. @param isAsked by the plugin: its files then replace what it sent of the same ids. */
  async load(isAsked: boolean): Promise<void> {
    const { directory, host } = this.#parts;
    const { definitions, problems } = await readPluginProfile(directory);
    if (this.#problems !== problems.join()) {
      for (const problem of problems) host.log.warn("A definition file of a plugin was passed over.", { problem });
    }
    this.#problems = problems.join();
    this.#files = definitions;
    const replaced = isAsked ? deleted(this.#sent, idsOf(definitions)) : this.#sent;
    if (!isDeepStrictEqual(replaced, this.#sent)) this.#store(replaced);
    this.#publish();
  }

  /** Deletes and adds what the plugin sent, all of it or nothing. @returns why it was refused, or null. */
  update(given: Readonly<Record<string, unknown>>): string | null {
    const { bytesMax } = this.#parts;
    const added = byKind(() => new Map<string, TreeObject>());
    for (const kind of KINDS) {
      const items = given[kind] ?? [];
      if (!Array.isArray(items)) return `"${kind}" is not a list.`;
      for (const item of items) {
        const refusal = refusalOf(kind, item);
        if (refusal !== null) return refusal;
        added[kind].set(item.id, item);
      }
    }
    const kept = deleted(this.#sent, isRecord(given.delete) ? given.delete : {});
    const merged = byKind((kind) => ({ ...kept[kind], ...Object.fromEntries(added[kind]) }));
    if (KINDS.some((kind) => Object.keys(merged[kind]).length > ITEMS_MAX))
      return `A plugin has at most ${ITEMS_MAX} definitions of a kind.`;
    if (JSON.stringify(merged).length > bytesMax) return `The definitions are longer than ${bytesMax} bytes.`;
    if (isDeepStrictEqual(merged, this.#sent)) return null;
    this.#store(merged);
    this.#publish();
    return null;
  }

  /** All of them, as the plugin sent them, or else as its files give them. */
  get current(): Readonly<Record<Kind, readonly object[]>> {
    const { editors = [], nodedefs = [], linkdefs = [] } = this.#files;
    const ofFiles = {
      editors: editors.map((each) => editorJson(each)),
      nodedefs: nodedefs.map((each) => nodedefJson(each)),
      linkdefs: linkdefs.map((each) => linkdefJson(each)),
    };
    return byKind((kind) => [
      ...ofFiles[kind].filter((item) => !Object.hasOwn(this.#sent[kind], (item as { readonly id: string }).id)),
      ...Object.values(this.#sent[kind]),
    ]);
  }

  #store(sent: Sent): void {
    this.#sent = sent;
    this.#parts.host.store.set(STORED, sent);
  }

  #publish(): void {
    const { host, slot } = this.#parts;
    const sent = readDefinitions(byKind((kind) => Object.values(this.#sent[kind])));
    const definitions: Definitions = {
      editors: [...(this.#files.editors ?? []), ...(sent.editors ?? [])],
      nodedefs: [...(this.#files.nodedefs ?? []), ...(sent.nodedefs ?? [])],
      linkdefs: [...(this.#files.linkdefs ?? []), ...(sent.linkdefs ?? [])],
      names: this.#files.names ?? new Map(),
    };
    if (isDeepStrictEqual(definitions, this.#published)) return;
    if (this.#published) host.retract(PLUGINS.id, slot);
    this.#published = definitions;
    host.define(PLUGINS.id, slot, definitions, false);
  }
}

function byKind<Value>(of: (kind: Kind) => Value): Record<Kind, Value> {
  return { editors: of("editors"), nodedefs: of("nodedefs"), linkdefs: of("linkdefs") };
}

/** @param given lists of ids by kind; `"*"` is all of a kind. */
function deleted(sent: Sent, given: Readonly<Record<string, unknown>>): Sent {
  return byKind((kind) => {
    const ids = new Set<unknown>([given[kind] ?? []].flat());
    if (ids.has(ALL)) return {};
    return Object.fromEntries(Object.entries(sent[kind]).filter(([id]) => !ids.has(id)));
  });
}

function idsOf(definitions: Definitions): Readonly<Record<Kind, readonly string[]>> {
  return byKind((kind) => (definitions[kind] ?? []).map(({ id }) => id));
}

function refusalOf(kind: Kind, item: unknown): string | null {
  if (!isRecord(item) || typeof item.id !== "string" || !ID.test(item.id))
    return `An item of "${kind}" has no usable id.`;
  if (kind === "editors" && !isListOfRecords(item.ranges)) return `The editor "${item.id}" has no list of ranges.`;
  if (kind === "nodedefs" && !isListOfRecords(item.properties ?? []))
    return `The properties of the nodedef "${item.id}" are not a list.`;
  return null;
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}
