/** Where a thing of the home is used: what to look at before it is removed. */

import type { ThingKind } from "../home/edit.ts";
import { thingWords } from "../home/editable.ts";
import type { Home } from "../home/home.ts";
import { PARENT_KINDS, type ParentKind } from "../home/nodes.ts";
import type { Selector } from "../home/program-syntax.ts";
import type { ProgramEntry } from "../home/programs.ts";
import { type Reference, referencesOf, selectorsOf } from "../programs/references.ts";
import { isMember } from "../programs/role-members.ts";
import { thingsIn, withContents } from "./edit-tree.ts";

type Use = {
  /**
   * `member`: of a scene; `reference`: in a program, which is marked invalid without the thing; `role`: a program means it by room and
   * role; `child`: it lies in it.
   */
  readonly as: "member" | "reference" | "role" | "child";
  /** Kind and key of the thing that uses it. */
  readonly kind: ThingKind;
  readonly key: string;
  readonly name: string;
  /** For people: `controls the scene "Evening"`. */
  readonly text: string;
};

type UsedKind = "node" | "group" | "folder" | "variable" | "program" | "resource";

/** @param key of a variable: `2/7`. */
export function usesOf(home: Home, kind: UsedKind, key: string): readonly Use[] {
  return [...usesByScenes(home, kind, key), ...usesByPrograms(home, kind, key), ...thingsWithin(home, kind, key)];
}

/** Uses that prevent an undo from removing the thing. A reference does not: the program is marked invalid. */
export function blockingUses(home: Home, kind: UsedKind, key: string): readonly Use[] {
  return [...usesByScenes(home, kind, key), ...thingsWithin(home, kind, key)];
}

function usesByScenes(home: Home, kind: UsedKind, key: string): readonly Use[] {
  if (kind !== "node") return [];
  return [...home.groups.values()].flatMap((group): readonly Use[] => {
    const member = group.members.find(({ address }) => address === key);
    if (!member) return [];
    const verb = member.isController ? "controls" : "responds in";
    const text = `${verb} the ${thingWords("group", group)}`;
    return [{ as: "member", kind: "group", key: group.address, name: group.name, text }];
  });
}

function usesByPrograms(home: Home, kind: UsedKind, key: string): readonly Use[] {
  const names = (reference: Reference): boolean => {
    switch (reference.kind) {
      case "address":
        return (kind === "node" || kind === "group") && reference.address === key;
      case "folder":
        return kind === "folder" && reference.address === key;
      case "variable":
        return kind === "variable" && `${reference.type}/${reference.id}` === key;
      case "program":
      case "resource":
        return kind === reference.kind && String(reference.id) === key;
    }
  };
  return [...home.programs.values()].flatMap((entry): readonly Use[] => {
    if (!referencesOf(entry).some(names)) {
      if (kind !== "node" || !selectorsOf(entry).some((selector) => isMember(home, selector, key))) return [];
      const byRole = `is meant by room and role by the ${thingWords("program", entry)}`;
      return [{ as: "role", kind: "program", key: String(entry.id), name: entry.name, text: byRole }];
    }
    const text = `is named by the ${thingWords("program", entry)}`;
    return [{ as: "reference", kind: "program", key: String(entry.id), name: entry.name, text }];
  });
}

/** A program that means a node by room and role from now on, or no longer. */
type Meaning = { readonly program: ProgramEntry; readonly isMeant: boolean };

/** Nodes of a folder that is moved; of a larger one the others are not looked at. */
const MEANT_NODES_MAX = 100;

/** Called before a change of the thing. @returns to be called after it: the programs that mean more or fewer of its nodes, each once */
export function watchMeaning(home: Home, kind: ParentKind, key: string): () => readonly Meaning[] {
  const things = withContents(home, { kind, address: key }).filter((each) => each.kind === "node");
  const nodes = things.slice(0, MEANT_NODES_MAX).map(({ address }) => address);
  const byRole = [...home.programs.values()].flatMap((program) => {
    const selectors = selectorsOf(program);
    return selectors.length > 0 ? [{ program, selectors }] : [];
  });
  const count = (selectors: readonly Selector[]) =>
    nodes.filter((address) => selectors.some((selector) => isMember(home, selector, address))).length;
  const before = byRole.map(({ selectors }) => count(selectors));
  return () =>
    byRole.flatMap(({ program, selectors }, at): readonly Meaning[] => {
      const difference = count(selectors) - (before[at] ?? 0);
      return difference === 0 ? [] : [{ program, isMeant: difference > 0 }];
    });
}

function thingsWithin(home: Home, kind: UsedKind, key: string): readonly Use[] {
  if (kind === "program") {
    const within = [...home.programs.values()].filter(({ parentId }) => String(parentId) === key);
    return within.map((entry) => ({
      as: "child",
      kind: "program",
      key: String(entry.id),
      name: entry.name,
      text: `holds the ${thingWords("program", entry)}`,
    }));
  }
  const parentKind = PARENT_KINDS.find((each) => each === kind);
  if (!parentKind) return [];
  return thingsIn(home, { kind: parentKind, address: key }).flatMap(({ kind: childKind, address }) => {
    const child = home[`${childKind}s`].get(address);
    if (!child) return [];
    const text = `holds the ${thingWords(childKind, child)}`;
    return [{ as: "child", kind: childKind, key: address, name: child.name, text }];
  });
}
