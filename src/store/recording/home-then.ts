/**
 * The home at an instant of the past: from a snapshot taken before it and the journal since; from the journal alone when it
 * reaches back to the first entry; otherwise from the present, with everything that has changed since taken back as far as
 * the journal says what was there before.
 */

import { applyChange, applyEntry, entriesOf } from "../../home/apply-change.ts";
import type { Change, JournalEntry } from "../../home/change.ts";
import { type ThingEdit, thingKey } from "../../home/edit.ts";
import { changesOf } from "../../home/editable.ts";
import { Home } from "../../home/home.ts";
import type { Property } from "../../home/property.ts";
import { variableKey } from "../../home/variables.ts";

export type Unknown = { readonly properties: number; readonly others: number };
export type HomeThen = { readonly home: Home; readonly unknown: Unknown };

/** @param before all entries since `home` was like this, up to the instant. */
export function brought(home: Home | null, before: Iterable<JournalEntry>): Home | null {
  let then = home;
  for (const entry of before) {
    for (const { change } of then ? [] : entriesOf(entry))
      if (change.type === "controller-changed") then = new Home(change.controller);
    if (then) applyEntry(then, entry);
  }
  return then;
}

/**
 * @param present the home now; it is changed.
 * @param before entries up to the instant, as far back as the journal goes.
 * @param after entries from the instant to the present.
 */
export function takenBack(present: Home, before: Iterable<JournalEntry>, after: Iterable<JournalEntry>): HomeThen {
  const lost = new Lost(present);
  // The first change of a thing after the instant says what was there before; later ones say nothing more.
  for (const entry of after) lost.takeBack(entry);
  for (const entry of before) {
    applyEntry(present, entry);
    for (const { change } of entriesOf(entry)) lost.found(change);
  }
  return { home: present, unknown: lost.counts() };
}

type PropertyChange = Extract<Change, { readonly type: "property-changed" }>;

class Lost {
  readonly #home: Home;
  readonly #seen = new Set<string>();
  readonly #properties = new Set<string>();
  readonly #others = new Set<string>();

  constructor(home: Home) {
    this.#home = home;
  }

  counts(): Unknown {
    return { properties: this.#properties.size, others: this.#others.size };
  }

  /** The journal holds it after all. */
  found(change: Change): void {
    const key = keyOf(change);
    if (key === null) return;
    this.#properties.delete(key);
    this.#others.delete(key);
  }

  takeBack(entry: JournalEntry): void {
    if ("edit" in entry) for (const thing of entry.edit.things.toReversed()) this.#takeBackThing(thing);
    else this.#takeBackChange(entry.change);
  }

  /** An edit has both records of a thing. */
  #takeBackThing(thing: ThingEdit): void {
    if (!this.#isFirst(thingKey(thing))) return;
    const inverse = { ...thing, before: thing.after, after: thing.before } as ThingEdit;
    for (const change of changesOf(inverse)) applyChange(this.#home, change);
  }

  #takeBackChange(change: Change): void {
    const key = keyOf(change);
    if (key === null || !this.#isFirst(key)) return;
    if (change.type === "property-changed") {
      this.#takeBackProperty(change, key);
      return;
    }
    const inverse = inverseOf(change);
    if (inverse) applyChange(this.#home, inverse);
    if (!inverse || change.type === "program-ran") this.#others.add(key);
  }

  /** Entries of the first format do not know what was before. */
  #takeBackProperty({ address, property, before }: PropertyChange, key: string): void {
    const properties = this.#home.nodes.get(address)?.properties as Map<string, Property> | undefined;
    if (before) properties?.set(property.id, before);
    else if (properties?.delete(property.id) && before === undefined) this.#properties.add(key);
  }

  #isFirst(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

/** What undoes it; null where the journal does not say what was there before. Facts that leave no state need none. */
function inverseOf(change: Change): Change | null {
  switch (change.type) {
    case "variable-written": {
      const { variableType, id, before } = change;
      return { type: "variable-written", variableType, id, value: before, before, writtenAtMs: 0 };
    }
    case "node-link-changed":
      return { ...change, link: change.before };
    case "node-added":
      return { type: "node-removed", address: change.node.address };
    case "group-added":
      return { type: "group-removed", address: change.group.address };
    case "folder-added":
      return { type: "folder-removed", address: change.folder.address };
    case "program-added":
      return { type: "program-removed", id: change.program.id };
    case "variable-added":
      return { type: "variable-removed", variableType: change.variable.type, id: change.variable.id };
    case "integration-added":
      return { type: "integration-removed", id: change.integration.id, before: change.integration };
    case "integration-changed":
      return { type: "integration-changed", integration: change.before, before: change.integration };
    case "integration-removed":
      return { type: "integration-added", integration: change.before };
    case "program-ran":
      return { type: "program-ran", id: change.id, run: { status: null, running: "idle" } };
    case "program-progressed":
      return { type: "program-progressed", id: change.id, progress: null };
    case "property-changed": // It has its own way back, because a property that was not there is removed.
    case "controller-changed":
    case "node-revised":
    case "node-removed":
    case "node-renamed":
    case "node-enabled":
    case "parent-changed":
    case "group-removed":
    case "group-renamed":
    case "group-links-changed":
    case "folder-removed":
    case "folder-renamed":
    case "program-changed":
    case "program-removed":
    case "variable-removed":
    case "variable-renamed":
    case "variable-precision-changed":
    case "variable-init-written":
    case "network-resource-put":
    case "network-resource-removed":
    case "busy-changed":
    case "control-sent":
    case "write-progress":
    case "program-ordered":
    case "programs-started":
    case "programs-cut":
    case "network-resource-fired":
    case "command-moved":
    case "device-parameter":
    case "operation-moved":
      return null;
  }
}

/** What a change is about; null for what leaves no state. */
function keyOf(change: Change): string | null {
  switch (change.type) {
    case "property-changed":
      return `property ${change.address} ${change.property.id}`;
    case "node-link-changed":
      return `link ${change.address}`;
    case "node-added":
    case "node-revised":
      return `node ${change.node.address}`;
    case "node-removed":
    case "node-renamed":
    case "node-enabled":
      return `node ${change.address}`;
    case "group-added":
    case "group-links-changed":
      return `group ${change.group.address}`;
    case "group-removed":
    case "group-renamed":
      return `group ${change.address}`;
    case "folder-added":
      return `folder ${change.folder.address}`;
    case "folder-removed":
    case "folder-renamed":
      return `folder ${change.address}`;
    case "parent-changed":
      return `parent ${change.address}`;
    case "program-added":
    case "program-changed":
      return `program ${change.program.id}`;
    case "program-removed":
      return `program ${change.id}`;
    case "program-ran":
      return `run ${change.id}`;
    case "program-progressed":
      return `progress ${change.id}`;
    case "variable-added":
      return `variable ${variableKey(change.variable.type, change.variable.id)}`;
    case "variable-removed":
    case "variable-renamed":
    case "variable-precision-changed":
      return `variable ${variableKey(change.variableType, change.id)}`;
    case "variable-written":
      return `value ${variableKey(change.variableType, change.id)}`;
    case "variable-init-written":
      return `init ${variableKey(change.variableType, change.id)}`;
    case "network-resource-put":
      return `resource ${change.resource.id}`;
    case "network-resource-removed":
      return `resource ${change.id}`;
    case "integration-added":
    case "integration-changed":
      return `integration ${change.integration.id}`;
    case "integration-removed":
      return `integration ${change.id}`;
    case "controller-changed":
      return "controller";
    case "busy-changed":
    case "control-sent":
    case "write-progress":
    case "program-ordered":
    case "programs-started":
    case "programs-cut":
    case "network-resource-fired":
    case "command-moved":
    case "device-parameter":
    case "operation-moved":
      return null;
  }
}
