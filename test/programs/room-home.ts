/** A home with rooms, contacts and lamps for the engine alone, and short words for conditions by room and role. */

import type { NodeRecord } from "../../src/home/nodes.ts";
import type { Action, Comparison, Condition, RoleTest, Selector } from "../../src/home/program-syntax.ts";
import type { StatusWord } from "../../src/profile/status-words.ts";
import { Stage, type StageOptions } from "./stage.ts";

/** A floor with two rooms, and one room beside it. */
export const [FLOOR, BED, BATH, HALL] = ["100", "101", "102", "103"] as const;
const FOLDERS = [
  [FLOOR, null],
  [BED, FLOOR],
  [BATH, FLOOR],
  [HALL, null],
] as const;

const parentOf = (folder: string | null) => (folder === null ? null : ({ address: folder, kind: "folder" } as const));

export function roomHome(programs: StageOptions["programs"], options: Omit<StageOptions, "programs"> = {}): Stage {
  const home = new Stage(options);
  for (const [address, parent] of FOLDERS)
    home.commit({ type: "folder-added", folder: { address, name: address, parent: parentOf(parent) } });
  for (const [id, script] of Object.entries(programs ?? {})) home.put(Number(id), script);
  return home;
}

export function nodeIn(
  folder: string | null,
  address: string,
  { role = "contact", ...more }: Partial<NodeRecord> = {},
): NodeRecord {
  const plain = {
    nodeDefId: "X",
    family: 1,
    instance: 1,
    type: "1.1.1.1",
    devtype: null,
    driver: "test",
    enabled: true,
  };
  return { ...plain, address, name: address, primary: address, parent: parentOf(folder), role, ...more };
}

export function add(home: Stage, node: NodeRecord): void {
  home.commit({ type: "node-added", node });
}

export function move(home: Stage, address: string, folder: string | null, kind: "node" | "folder" = "node"): void {
  home.commit({ type: "parent-changed", address, kind, parent: parentOf(folder) });
}

export const windows = (...places: readonly string[]): Selector => ({ role: "window", places, except: [] });
export const contacts = (...places: readonly string[]): Selector => ({ role: "contact", places, except: [] });
export const lamps = (...places: readonly string[]): Selector => ({ role: "lamp", places, except: [] });

export const roles = (selector: Selector, test: RoleTest, andOr: "and" | "or" = "and"): Condition => ({
  andOr,
  kind: "roles",
  selector,
  test,
});

export const any = (selector: Selector, is: StatusWord = "open") => roles(selector, { how: "any", is });
export const all = (selector: Selector, is: StatusWord = "open") => roles(selector, { how: "all", is });
export const none = (selector: Selector, is: StatusWord = "open") => roles(selector, { how: "none", is });
export const numberOf = (selector: Selector, comparison: Comparison, number: number, is: StatusWord = "open") =>
  roles(selector, { how: "number", is, comparison, number });

export const setAll = (selector: Selector, command: "on" | "off"): Action => ({
  kind: "roles",
  selector,
  command,
  value: null,
});
