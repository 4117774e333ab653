/**
 * The home at an instant of the past: from a snapshot taken before it and the journal since; from the journal alone when it
 * reaches back to the first entry; otherwise from the present, with everything that has changed since taken back as far as
 * the journal tells what was there before.
 */

import { applyChange } from "../../home/apply-change.ts";
import type { Change, Entry } from "../../home/change.ts";
import { Home } from "../../home/home.ts";
import { variableKey } from "../../home/variables.ts";

export type Unknown = { readonly properties: number; readonly others: number };
export type HomeThen = { readonly home: Home; readonly unknown: Unknown };

/** @param before all entries since `home` was like this, up to the instant. */
export function brought(home: Home | null, before: Iterable<Entry>): Home | null {
  let then = home;
  for (const { change } of before) {
    if (!then && change.type === "controller-changed") then = new Home(change.controller);
    if (then) applyChange(then, change);
  }
  return then;
}

/**
 * @param present the home now; it is changed.
 * @param before entries up to the instant, as far back as the journal goes.
 * @param after entries from the instant to the present.
 */
export function takenBack(present: Home, before: Iterable<Entry>, after: Iterable<Entry>): HomeThen {
  const lost = new Lost(present);
  // The first change of a thing after the instant tells what was there before; later ones tell nothing more.
  for (const { change } of after) lost.takeBack(change);
  for (const { change } of before) {
    applyChange(present, change);
    lost.found(change);
  }
  return { home: present, unknown: lost.counts() };
}

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

  /** The journal tells it after all. */
  found(change: Change): void {
    const key = keyOf(change);
    this.#properties.delete(key);
    this.#others.delete(key);
  }

  takeBack(change: Change): void {
    const key = keyOf(change);
    if (key === "" || this.#seen.has(key)) return;
    this.#seen.add(key);
    if (change.type === "property-changed") {
      const { address, property } = change;
      const properties = this.#home.nodes.get(address)?.properties as Map<string, unknown> | undefined;
      if (properties?.delete(property.id)) this.#properties.add(key);
      return;
    }
    const inverse = inverseOf(change);
    if (inverse) applyChange(this.#home, inverse);
    else this.#others.add(key);
    if (change.type === "program-ran") this.#others.add(key);
  }
}

/** What undoes it; null where the journal does not tell what was there before. */
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
    default:
      return null;
  }
}

/** What a change is about; empty for what leaves no state. */
function keyOf(change: Change): string {
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
    default:
      return "";
  }
}
