/** Whether a place that a finding names is there. */

import type { ProgramEntry } from "../../../src/home/programs.ts";

/** `if`, `then[2]`, `if[1].conditions[0]`; empty or null for the whole. */
export function hasPath(entry: ProgramEntry | undefined, path: string | null): boolean {
  if (!entry) return false;
  if (path === null || path === "") return true;
  const tree: unknown = entry.kind === "folder" ? { if: entry.conditions } : entry.tree;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  let at: unknown = tree;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = Reflect.get(at, key);
  }
  return true;
}
