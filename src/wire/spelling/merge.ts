/**
 * Two spellings of one document put together. `told` is how another controller told it, `base` how we spelled the same home
 * then, `ours` how we spell it now: what is the same in base and ours stands as it was told, what has changed since is ours,
 * in the way of writing that was told.
 */

import { isList, isObject, isSame, type Tree, type TreeObject } from "./tree.ts";

export type Rules = {
  /** What makes an item of this list the same as one of another spelling; undefined: the list is told as a whole. */
  keyOf(list: string): ((item: Tree) => string | null) | undefined;
  /** Items of this list that were not told stay untold, however they change. */
  staysUntold(item: Tree, list: string): boolean;
  /** Members that say nothing of the home and are left as they were told. */
  readonly fixed: ReadonlySet<string>;
  /** An item that is new, in the way of writing of the told ones. */
  itemInStyle?(item: Tree, told: readonly Tree[]): Tree;
  /** Our scalar in a told member's way of writing, where the general rule is not enough. */
  inStyle?(member: string, ours: Tree, told: Tree): Tree | undefined;
};

export function mergeTrees(told: Tree, base: Tree, ours: Tree, rules: Rules, member = ""): Tree {
  if (isSame(base, ours)) return told;
  if (isObject(told) && isObject(base) && isObject(ours)) return mergeObjects(told, base, ours, rules);
  const keyOf = rules.keyOf(member);
  if (keyOf && isList(base) && isList(ours)) {
    if (isList(told)) return mergeLists(told, base, ours, { rules, member, keyOf });
    // Converters from XML write a list of one as what is in it.
    if (isObject(told)) return alone(mergeLists([told], base, ours, { rules, member, keyOf }));
  }
  return rules.inStyle?.(member, ours, told) ?? inStyle(ours, told);
}

function mergeObjects(told: TreeObject, base: TreeObject, ours: TreeObject, rules: Rules): TreeObject {
  const members: [string, Tree][] = [];
  for (const [name, value] of Object.entries(told)) {
    const merged = mergeMember(name, value, base, ours, rules);
    if (merged !== undefined) members.push([name, merged]);
  }
  for (const [name, value] of Object.entries(ours)) {
    if (!Object.hasOwn(told, name) && !isSame(own(base, name), value)) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** undefined: it is gone. */
function mergeMember(name: string, told: Tree, base: TreeObject, ours: TreeObject, rules: Rules): Tree | undefined {
  if (rules.fixed.has(name)) return told;
  const [before, now] = [own(base, name), own(ours, name)];
  if (now === undefined) return before === undefined ? told : undefined;
  // A label that only the other controller knows outlives a value.
  if (before === undefined) return now === "" ? told : inStyle(now, told);
  return mergeTrees(told, before, now, rules, name);
}

type ListRules = {
  readonly rules: Rules;
  readonly member: string;
  readonly keyOf: (item: Tree) => string | null;
};

function mergeLists(
  told: readonly Tree[],
  base: readonly Tree[],
  ours: readonly Tree[],
  { rules, member, keyOf }: ListRules,
): readonly Tree[] {
  const [toldItems, before, now] = [keyed(told, keyOf), new Map(keyed(base, keyOf)), new Map(keyed(ours, keyOf))];
  const merged = toldItems.flatMap(([key, item]): readonly Tree[] => {
    const [was, is] = [before.get(key), now.get(key)];
    if (is === undefined) return was === undefined ? [item] : [];
    return [was === undefined ? is : mergeTrees(item, was, is, rules, member)];
  });
  const known = new Set(toldItems.map(([key]) => key));
  const added = [...now].filter(([key, item]) => {
    if (known.has(key)) return false;
    return !before.has(key) || !(rules.staysUntold(item, member) || isSame(before.get(key), item));
  });
  return [...merged, ...added.map(([, item]) => rules.itemInStyle?.(item, told) ?? item)];
}

function alone(items: readonly Tree[]): Tree {
  const [only] = items;
  return only !== undefined && items.length === 1 ? only : items;
}

/** With a key for every item. Equal ones, and those without, are told apart by their number: the second of two addresses. */
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

/** Texts stay texts, numbers numbers, truths truths, as far as nothing is lost by it. */
function inStyle(ours: Tree, told: Tree): Tree {
  if (typeof told === "string" && (typeof ours === "number" || typeof ours === "boolean")) return String(ours);
  if (typeof ours !== "string") return ours;
  if (typeof told === "boolean" && (ours === "true" || ours === "false")) return ours === "true";
  const isNumber =
    typeof told === "number" || (typeof told === "object" && told !== null && !isObject(told) && !isList(told));
  return isNumber && String(Number(ours)) === ours ? Number(ours) : ours;
}
