/** The groups of a graph in which everything leads to everything else (Tarjan), without recursion. */

import type { Slices } from "../../../util/slices.ts";

export function* stronglyConnected(
  ids: readonly number[],
  successors: (id: number) => readonly number[],
): Slices<readonly (readonly number[])[]> {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const groups: number[][] = [];
  const known = new Set(ids);
  for (const root of ids) {
    if (index.has(root)) continue;
    const path: { readonly id: number; readonly next: number[] }[] = [];
    const enter = (id: number) => {
      index.set(id, index.size);
      low.set(id, index.size - 1);
      stack.push(id);
      onStack.add(id);
      path.push({ id, next: successors(id).filter((each) => known.has(each)) });
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        path.pop();
        leave(top.id, path.at(-1)?.id ?? null);
        yield;
      } else if (!index.has(next)) {
        enter(next);
        yield;
      } else if (onStack.has(next)) low.set(top.id, Math.min(low.get(top.id) ?? 0, index.get(next) ?? 0));
    }
  }
  return groups;

  function leave(id: number, parent: number | null): void {
    const lowest = low.get(id) ?? 0;
    if (parent !== null) low.set(parent, Math.min(low.get(parent) ?? 0, lowest));
    if (lowest !== index.get(id)) return;
    const group: number[] = [];
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      onStack.delete(member);
      group.push(member);
      if (member === id) break;
    }
    groups.push(group.sort((a, b) => a - b));
  }
}
