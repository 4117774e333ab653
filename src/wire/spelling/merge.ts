/**
 * Merges two spellings of one document. `received` is the other controller's spelling, `base` is ours of the same
 * home at that time, `ours` is our current one. Members that are equal in base and ours keep the received spelling.
 * Changed members are ours, written in the style of the received document.
 */

import { isList, isObject, isRawNumber, isSame, type Tree, type TreeObject } from "./tree.ts";

export type Rules = {
  /** The key of an item of this list in every spelling; undefined: the list is merged as a whole. */
  keyOf(list: string): ((item: Tree) => string | null) | undefined;
  /** Items that the received list does not have stay out, even when they change. */
  staysUnlisted(item: Tree, list: string): boolean;
  /** Members that say nothing about the home and keep their received value. */
  readonly fixed: ReadonlySet<string>;
  /** Members that only this controller sends: they are added to received items. */
  readonly added: ReadonlySet<string>;
  /** Writes a new item in the style of the received items. */
  itemInStyle?(item: Tree, received: readonly Tree[]): Tree;
  /** Writes our scalar in the style of a received member, where the general rule is not enough. */
  inStyle?(member: string, ours: Tree, received: Tree): Tree | undefined;
};

export function mergeTrees(received: Tree, base: Tree, ours: Tree, rules: Rules, member = ""): Tree {
  if (isSame(base, ours)) return received;
  if (isObject(received) && isObject(base) && isObject(ours)) return mergeObjects(received, base, ours, rules);
  const keyOf = rules.keyOf(member);
  if (keyOf && isList(base) && isList(ours)) {
    if (isList(received)) return mergeLists(received, base, ours, { rules, member, keyOf });
    // Converters from XML write a list of one as its only item.
    if (isObject(received)) return alone(mergeLists([received], base, ours, { rules, member, keyOf }));
  }
  return rules.inStyle?.(member, ours, received) ?? inStyle(ours, received);
}

function mergeObjects(received: TreeObject, base: TreeObject, ours: TreeObject, rules: Rules): TreeObject {
  const members: [string, Tree][] = [];
  for (const [name, value] of Object.entries(received)) {
    const merged = mergeMember(name, value, base, ours, rules);
    if (merged !== undefined) members.push([name, merged]);
  }
  for (const [name, value] of Object.entries(ours)) {
    if (!Object.hasOwn(received, name) && !isSame(own(base, name), value)) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** undefined: the member was removed. */
function mergeMember(name: string, received: Tree, base: TreeObject, ours: TreeObject, rules: Rules): Tree | undefined {
  if (rules.fixed.has(name)) return received;
  const [before, now] = [own(base, name), own(ours, name)];
  if (now === undefined) return before === undefined ? received : undefined;
  // A label that only the other controller knows stays after its value has changed.
  if (before === undefined) return now === "" ? received : inStyle(now, received);
  return mergeTrees(received, before, now, rules, name);
}

type ListRules = {
  readonly rules: Rules;
  readonly member: string;
  readonly keyOf: (item: Tree) => string | null;
};

function mergeLists(
  received: readonly Tree[],
  base: readonly Tree[],
  ours: readonly Tree[],
  { rules, member, keyOf }: ListRules,
): readonly Tree[] {
  const [receivedItems, before, now] = [
    keyed(received, keyOf),
    new Map(keyed(base, keyOf)),
    new Map(keyed(ours, keyOf)),
  ];
  const merged = receivedItems.flatMap(([key, item]): readonly Tree[] => {
    const [was, is] = [before.get(key), now.get(key)];
    if (is === undefined) return was === undefined ? [item] : [];
    return [was === undefined ? is : mergeTrees(item, was, is, rules, member)];
  });
  const known = new Set(receivedItems.map(([key]) => key));
  const added = [...now].filter(([key, item]) => {
    if (known.has(key)) return false;
    return !before.has(key) || !(rules.staysUnlisted(item, member) || isSame(before.get(key), item));
  });
  return [...merged, ...added.map(([, item]) => rules.itemInStyle?.(item, received) ?? item)];
}

function alone(items: readonly Tree[]): Tree {
  const [only] = items;
  return only !== undefined && items.length === 1 ? only : items;
}

/**
 * Gives every item a key. Equal items, and items without a key, are distinguished by their position, such as the
 * second of two addresses.
 */
function keyed(items: readonly Tree[], keyOf: (item: Tree) => string | null): readonly (readonly [string, Tree])[] {
  const times = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const name = key === null ? "without" : `key ${key}`;
    const seen = times.get(name) ?? 0;
    times.set(name, seen + 1);
    return [`${name} ${seen}`, item];
  });
}

function own(object: TreeObject, name: string): Tree | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Texts stay texts, numbers numbers and booleans booleans, when that loses nothing. */
function inStyle(ours: Tree, received: Tree): Tree {
  if (typeof received === "string" && (typeof ours === "number" || typeof ours === "boolean")) return String(ours);
  if (typeof ours !== "string") return ours;
  if (typeof received === "boolean" && (ours === "true" || ours === "false")) return ours === "true";
  const isNumber = typeof received === "number" || isRawNumber(received);
  return isNumber && String(Number(ours)) === ours ? Number(ours) : ours;
}
