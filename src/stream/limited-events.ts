/**
 * The events of clients whose account reaches a part of the home only. An event about a thing in this part goes to them as it
 * goes to everybody; what is about several things is made again from the part, so that it names nothing else; the rest is left
 * out. A thing that comes into the part, or leaves it, is announced like one that was added or removed.
 */

import type { Change, ChangeOf, Entry } from "../home/change.ts";
import type { LimitedHome } from "../home/limited-home.ts";
import type { VariableType } from "../home/variables.ts";
import type { FrameSources } from "./frame.ts";
import { type LastSent, lastSentOf, remember } from "./last-sent.ts";

export class LimitedEvents {
  readonly #view: LimitedHome;
  readonly #sent: LastSent;

  constructor(view: LimitedHome) {
    this.#view = view.refresh();
    this.#sent = lastSentOf(view);
  }

  /**
   * Called once with every entry.
   * @param shared bodies for clients without limits.
   * @param bodiesOf makes bodies for one set of limits.
   */
  of<B>({ change, ...numbered }: Entry, shared: readonly B[], bodiesOf: BodiesOf<B>): readonly B[] {
    switch (change.type) {
      case "busy-changed":
      case "controller-changed":
        return shared;
      case "node-link-changed":
      case "property-changed":
      case "control-sent":
      case "write-progress":
      case "device-parameter":
        return this.#view.nodes.has(change.address) ? shared : [];
      case "node-added":
      case "node-revised":
      case "node-removed":
      case "node-renamed":
      case "node-enabled":
      case "parent-changed":
      case "group-added":
      case "group-removed":
      case "group-renamed":
      case "group-links-changed":
      case "folder-added":
      case "folder-removed":
      case "folder-renamed":
        return this.#treeChanges(change).flatMap((part) => this.#send({ ...numbered, change: part }, bodiesOf));
      case "program-added":
      case "program-changed":
        return this.#reaches(() => this.#view.programs.has(change.program.id)) ? shared : [];
      case "program-removed":
      case "program-ran":
        return this.#reaches(() => this.#view.programs.has(change.id)) ? shared : [];
      case "variable-added":
        return this.#reachesVariable(change.variable.type, change.variable.id) ? shared : [];
      case "variable-removed":
      case "variable-renamed":
      case "variable-precision-changed":
      case "variable-values-named":
      case "variable-written":
      case "variable-init-written":
        return this.#reachesVariable(change.variableType, change.id) ? shared : [];
      case "network-resource-put":
        return this.#reaches(() => this.#view.networkResources.has(change.resource.id)) ? shared : [];
      case "network-resource-removed":
      case "network-resource-fired":
        return this.#reaches(() => this.#view.networkResources.has(change.id)) ? shared : [];
      // Radio networks are for those who manage all of the home; clients know no event for the others.
      case "operation-moved":
      case "program-ordered":
      case "programs-started":
      case "guest-visited":
      case "programs-cut":
      case "program-progressed":
      case "program-held":
      case "integration-added":
      case "integration-changed":
      case "integration-removed":
      case "command-moved":
        return [];
    }
  }

  /** Before the change or after it: what is removed was there until now. */
  #reaches(isIn: () => boolean): boolean {
    if (isIn()) return true;
    this.#view.refresh();
    return isIn();
  }

  #reachesVariable(type: VariableType, id: number): boolean {
    return this.#reaches(() => this.#view.variables[type].has(id));
  }

  #send<B>(entry: Entry, bodiesOf: BodiesOf<B>): readonly B[] {
    const bodies = bodiesOf(entry, { home: this.#view, sent: this.#sent });
    remember(this.#sent, entry.change);
    return bodies;
  }

  /** The changes within this part of the home, naming nothing outside of it. */
  #treeChanges(change: TreeChange): readonly Change[] {
    const view = this.#view;
    const before = removalsOf(view);
    view.refresh();
    const gone = [...before].flatMap(([address, removal]) => (isThere(view, address) ? [] : [removal]));
    const come = [
      ...[...view.folders.values()].map((folder) => ({ type: "folder-added", folder }) as const),
      ...[...view.nodes.values()].map((node) => ({ type: "node-added", node }) as const),
      ...[...view.groups.values()].map((group) => ({ type: "group-added", group }) as const),
    ].filter((added) => !before.has(subjectOf(added)));
    const own = before.has(subjectOf(change)) && isThere(view, subjectOf(change)) ? narrowed(change, view) : [];
    return [...gone, ...come, ...own, ...this.#otherLinks([...come, ...own])];
  }

  /** Scenes that have other members here because a member came into this part or left it. */
  #otherLinks(sent: readonly TreeChange[]): readonly Change[] {
    const known = new Set(sent.map(subjectOf));
    return [...this.#view.groups.values()].flatMap((group) => {
      const before = this.#sent.members.get(group.address) ?? [];
      const isSame =
        before.length === group.members.length &&
        before.every(({ address }, at) => address === group.members[at]?.address);
      return isSame || known.has(group.address) ? [] : [{ type: "group-links-changed", group } as const];
    });
  }
}

/** Makes the bodies of an entry as they are with this home, and with what these clients were sent last. */
export type BodiesOf<B> = (entry: Entry, sources: Pick<FrameSources, "home" | "sent">) => readonly B[];

type TreeChange = ChangeOf<"node" | "group" | "folder" | "parent">;

function subjectOf(change: TreeChange): string {
  if ("node" in change) return change.node.address;
  if ("group" in change) return change.group.address;
  return "folder" in change ? change.folder.address : change.address;
}

function isThere({ nodes, groups, folders }: LimitedHome, address: string): boolean {
  return nodes.has(address) || groups.has(address) || folders.has(address);
}

/** By address, what says that the thing is gone. */
function removalsOf({ nodes, groups, folders }: LimitedHome): ReadonlyMap<string, Change> {
  return new Map<string, Change>([
    ...Array.from(nodes.keys(), (address) => [address, { type: "node-removed", address }] as const),
    ...Array.from(groups.keys(), (address) => [address, { type: "group-removed", address }] as const),
    ...Array.from(folders.keys(), (address) => [address, { type: "folder-removed", address }] as const),
  ]);
}

/** The change of a thing that stays in this part. Additions and removals are sent as such. */
function narrowed(change: TreeChange, view: LimitedHome): readonly TreeChange[] {
  switch (change.type) {
    case "node-added":
    case "node-removed":
    case "group-added":
    case "group-removed":
    case "folder-added":
    case "folder-removed":
      return [];
    case "group-links-changed": {
      const group = view.groups.get(change.group.address);
      return group ? [{ type: "group-links-changed", group }] : [];
    }
    case "node-revised":
    case "node-renamed":
    case "node-enabled":
    case "node-link-changed":
    case "parent-changed":
    case "group-renamed":
    case "folder-renamed":
      return [change];
  }
}
