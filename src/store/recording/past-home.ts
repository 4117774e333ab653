/**
 * The home at an instant of the past: from a snapshot taken before it and the journal since; from the journal alone when it
 * reaches back to the first entry; otherwise from the present, with everything that has changed since taken back as far as
 * the journal says what was there before.
 */

import { applyChange, applyEntry, entriesOf } from "../../home/apply-change.ts";
import { type Change, type ChangeOf, isStateChange, type JournalEntry, type StateChange } from "../../home/change.ts";
import { type ThingEdit, thingKey } from "../../home/edit.ts";
import { changesOf } from "../../home/editable.ts";
import { Home } from "../../home/home.ts";
import type { PastHome } from "../../home/past.ts";
import type { Property } from "../../home/property.ts";
import { variableKey } from "../../home/variables.ts";

/** @param before all entries since `home` was like this, up to the instant. */
export function homeByReplaying(home: Home | null, before: Iterable<JournalEntry>): Home | null {
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
export function homeByUndoing(present: Home, before: Iterable<JournalEntry>, after: Iterable<JournalEntry>): PastHome {
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

  counts(): PastHome["unknown"] {
    return { properties: this.#properties.size, others: this.#others.size };
  }

  /** The journal holds it after all. */
  found(change: Change): void {
    if (!isStateChange(change)) return;
    const { key } = backOf(change);
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
    if (!isStateChange(change)) return;
    const { key, inverse } = backOf(change);
    if (!this.#isFirst(key)) return;
    if (change.type === "property-changed") {
      this.#takeBackProperty(change, key);
      return;
    }
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

/** @param inverse what undoes the change; null where the journal does not say what was there before. */
type Back = { readonly key: string; readonly inverse: Change | null };

/** The subject of a change, as a key, and the inverse change. */
function backOf(change: StateChange): Back {
  switch (change.type) {
    case "property-changed": // It has its own way back, because a property that was not there is removed.
      return lost(`property ${change.address} ${change.property.id}`);
    case "node-link-changed":
      return back(`link ${change.address}`, { ...change, link: change.before });
    case "node-added":
      return back(`node ${change.node.address}`, { type: "node-removed", address: change.node.address });
    case "node-revised":
      return lost(`node ${change.node.address}`);
    case "node-removed":
    case "node-renamed":
    case "node-enabled":
      return lost(`node ${change.address}`);
    case "group-added":
      return back(`group ${change.group.address}`, { type: "group-removed", address: change.group.address });
    case "group-links-changed":
      return lost(`group ${change.group.address}`);
    case "group-removed":
    case "group-renamed":
      return lost(`group ${change.address}`);
    case "folder-added":
      return back(`folder ${change.folder.address}`, { type: "folder-removed", address: change.folder.address });
    case "folder-removed":
    case "folder-renamed":
      return lost(`folder ${change.address}`);
    case "parent-changed":
      return lost(`parent ${change.address}`);
    case "program-added":
      return back(`program ${change.program.id}`, { type: "program-removed", id: change.program.id });
    case "program-changed":
      return lost(`program ${change.program.id}`);
    case "program-removed":
      return lost(`program ${change.id}`);
    case "program-ran":
      return back(`run ${change.id}`, { ...change, run: { status: null, running: "idle" } });
    case "program-progressed":
      return back(`progress ${change.id}`, { ...change, progress: null });
    case "program-held":
      return back(`hold ${change.id} ${change.key}`, { ...change, hold: null });
    case "variable-added": {
      const { type: variableType, id } = change.variable;
      return back(`variable ${variableKey(variableType, id)}`, { type: "variable-removed", variableType, id });
    }
    case "variable-removed":
    case "variable-renamed":
    case "variable-precision-changed":
    case "variable-values-named":
      return lost(`variable ${variableKey(change.variableType, change.id)}`);
    case "variable-written": {
      const inverse = { ...change, value: change.before, writtenAtMs: 0 };
      return back(`value ${variableKey(change.variableType, change.id)}`, inverse);
    }
    case "variable-init-written":
      return lost(`init ${variableKey(change.variableType, change.id)}`);
    case "network-resource-put":
      return lost(`resource ${change.resource.id}`);
    case "network-resource-removed":
      return lost(`resource ${change.id}`);
    case "integration-added":
    case "integration-changed":
    case "integration-removed":
      return integrationBack(change);
    case "controller-changed":
      return lost("controller");
  }
}

function integrationBack(change: ChangeOf<"integration">): Back {
  switch (change.type) {
    case "integration-added": {
      const { integration } = change;
      return back(`integration ${integration.id}`, {
        type: "integration-removed",
        id: integration.id,
        before: integration,
      });
    }
    case "integration-changed": {
      const { before } = change;
      return back(`integration ${before.id}`, { type: "integration-changed", integration: before, before });
    }
    case "integration-removed":
      return back(`integration ${change.id}`, { type: "integration-added", integration: change.before });
  }
}

function lost(key: string): Back {
  return { key, inverse: null };
}

function back(key: string, inverse: Change): Back {
  return { key, inverse };
}
