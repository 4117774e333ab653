/** Whether a home is whole after an edit: everything lies in something that exists, scenes hold only what there is. */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import { type ThingEdit, thingKey } from "../home/edit.ts";
import { thingWords } from "../home/editable.ts";
import type { Group } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { PARENT_KINDS, type Parent, type ParentKind } from "../home/nodes.ts";

type EditLimits = Pick<
  Config,
  "foldersMax" | "folderDepthMax" | "scenesMax" | "sceneMembersMax" | "networkResourcesMax"
>;

type TreeEdit = Extract<ThingEdit, { readonly kind: ParentKind }>;

/**
 * @throws ControllerError BAD_REQUEST for a thing inside itself or a scene that does not fit together; NODE_NOT_FOUND for
 * a parent or a member that there is not; FOLDER_NOT_EMPTY; LIMIT_REACHED
 */
export function checkEdit(home: Home, limits: EditLimits, things: readonly ThingEdit[]): void {
  const after = new HomeAfter(home, things, limits);
  checkCounts(home, limits, things);
  for (const thing of things) {
    if (isInTree(thing) && thing.after && !isDeepStrictEqual(thing.before?.parent ?? null, thing.after.parent)) {
      checkParent(after, limits, thing, thing.after.parent);
    }
    if (thing.kind === "group" && thing.after) checkGroup(after, limits, thing.after, thing.before);
  }
  checkNothingLeftIn(home, after, things.filter(isInTree));
}

/** The tree as it will be. */
class HomeAfter {
  readonly #home: Home;
  readonly #edited: ReadonlyMap<string, ThingEdit>;
  readonly #folderDepthMax: number;
  #levels: ReadonlyMap<string, number> | null = null;

  constructor(home: Home, things: readonly ThingEdit[], { folderDepthMax }: EditLimits) {
    this.#home = home;
    this.#folderDepthMax = folderDepthMax;
    this.#edited = new Map(things.map((thing) => [thingKey(thing), thing]));
  }

  has(parent: Parent): boolean {
    return this.parentOf(parent) !== undefined;
  }

  /** undefined: there is no such thing. */
  parentOf({ kind, address: key }: Parent): Parent | null | undefined {
    const edited = this.#edited.get(thingKey({ kind, key }));
    if (edited && isInTree(edited)) return edited.after?.parent;
    return this.#home[`${kind}s`].get(key)?.parent;
  }

  /** Levels of folders inside this folder, which move with it. Counted for all folders at the first call. */
  levelsWithin(key: string): number {
    this.#levels ??= this.#countLevels();
    return this.#levels.get(key) ?? 0;
  }

  #countLevels(): ReadonlyMap<string, number> {
    const most = new Map<string, number>();
    for (const address of this.#home.folders.keys()) {
      let at: Parent | null | undefined = { kind: "folder", address };
      for (let levels = 0; at && levels <= this.#folderDepthMax; levels += 1) {
        if (at.kind === "folder") most.set(at.address, Math.max(most.get(at.address) ?? 0, levels));
        at = this.parentOf(at);
      }
    }
    return most;
  }
}

function isInTree(thing: ThingEdit): thing is TreeEdit {
  return thing.kind === "node" || thing.kind === "group" || thing.kind === "folder";
}

function checkCounts(home: Home, limits: EditLimits, things: readonly ThingEdit[]): void {
  const grown = (kind: ThingEdit["kind"]) =>
    things.filter((thing) => thing.kind === kind && !thing.before).length -
    things.filter((thing) => thing.kind === kind && !thing.after).length;
  const rows = [
    ["folder", home.folders.size, limits.foldersMax, "foldersMax"],
    ["group", home.groups.size, limits.scenesMax, "scenesMax"],
    ["resource", home.networkResources.size, limits.networkResourcesMax, "networkResourcesMax"],
  ] as const;
  for (const [kind, size, max, setting] of rows) {
    if (grown(kind) <= 0 || size + grown(kind) <= max) continue;
    throw new ControllerError("LIMIT_REACHED", `The controller holds ${max} of these already (${setting}).`);
  }
}

function checkParent(after: HomeAfter, { folderDepthMax }: EditLimits, thing: TreeEdit, parent: Parent | null): void {
  const seen = new Set([thingKey(thing)]);
  let folders = thing.kind === "folder" ? 1 + after.levelsWithin(thing.key) : 0;
  let above = parent;
  while (above) {
    const next: Parent | null | undefined = after.parentOf(above);
    if (next === undefined) {
      throw new ControllerError("NODE_NOT_FOUND", `There is no ${above.kind} with the address "${above.address}".`);
    }
    const key = thingKey({ kind: above.kind, key: above.address });
    if (seen.has(key)) throw bad("A folder cannot lie inside itself.");
    seen.add(key);
    if (above.kind === "folder") folders += 1;
    above = next;
  }
  if (folders > folderDepthMax) throw tooDeep(folderDepthMax);
}

function tooDeep(folderDepthMax: number): ControllerError {
  return new ControllerError(
    "LIMIT_REACHED",
    `At most ${folderDepthMax} folders lie inside one another (folderDepthMax).`,
  );
}

/** @throws ControllerError FOLDER_NOT_EMPTY when a removed thing still contains another one. */
function checkNothingLeftIn(home: Home, after: HomeAfter, things: readonly TreeEdit[]): void {
  const gone = new Map(things.filter((thing) => !thing.after).map((thing) => [thingKey(thing), thing]));
  if (gone.size === 0) return;
  for (const kind of PARENT_KINDS) {
    for (const { address, name } of home[`${kind}s`].values()) {
      const parent = after.parentOf({ kind, address });
      const holder = parent && gone.get(thingKey({ kind: parent.kind, key: parent.address }));
      if (!holder?.before) continue;
      throw new ControllerError(
        "FOLDER_NOT_EMPTY",
        `The ${thingWords(holder.kind, holder.before)} still holds "${name}".`,
      );
    }
  }
}

/** A scene that came from another controller may keep its contents. */
function checkGroup(after: HomeAfter, { sceneMembersMax }: EditLimits, group: Group, before: Group | null): void {
  if (isDeepStrictEqual(group.members, before?.members) && isDeepStrictEqual(group.blocks, before?.blocks)) return;
  const members = new Map(group.members.map((member) => [member.address, member]));
  if (members.size !== group.members.length) throw bad("A node is a member of a scene once.");
  if (members.size > sceneMembersMax) {
    throw new ControllerError("LIMIT_REACHED", `A scene has at most ${sceneMembersMax} members (sceneMembersMax).`);
  }
  const known = mentionedBy(before);
  for (const address of members.keys()) {
    if (known.has(address) || after.has({ kind: "node", address })) continue;
    throw new ControllerError("NODE_NOT_FOUND", `There is no node with the address "${address}".`);
  }
  for (const { controller, links } of group.blocks) {
    const controls = controller === group.address || members.get(controller)?.isController || known.has(controller);
    if (!controls) throw bad(`The node "${controller}" is not a controller of the scene "${group.name}".`);
    const stranger = links.find(({ node }) => !members.has(node) && !known.has(node));
    if (stranger) throw bad(`The node "${stranger.node}" is not a member of the scene "${group.name}".`);
  }
}

function mentionedBy(group: Group | null): ReadonlySet<string> {
  const blocks = group?.blocks ?? [];
  return new Set([
    ...(group?.members ?? []).map(({ address }) => address),
    ...blocks.flatMap(({ controller, links }) => [controller, ...links.map(({ node }) => node)]),
  ]);
}

function bad(sentence: string): ControllerError {
  return new ControllerError("BAD_REQUEST", sentence);
}
