/**
 * Edits of a program's tree as pure functions. Each returns the new tree and the path of the statement in it. A
 * statement that an edit does not change stays the same object. An edit that is not possible returns null.
 */

import { type AndOr, type Place, type Statement, statementAt, type Tree } from "./tree.ts";

export type Edited = { readonly tree: Tree; readonly place: Place };
type List = readonly Statement[];

/** @param place where it shall stand; the next ones move down */
export function insert(tree: Tree, place: Place, statement: Statement): Edited {
  const [above, at] = split(place);
  return {
    tree: withList(tree, above, (list) => placed(list, [...list.slice(0, at), statement, ...list.slice(at)])),
    place,
  };
}

/** Keeps how it is joined. */
export function replace(tree: Tree, place: Place, statement: Statement): Edited {
  const andOr = statementAt(tree, place)?.andOr;
  const next = andOr === undefined ? statement : { ...statement, andOr };
  const [above, at] = split(place);
  return { tree: withList(tree, above, (list) => list.with(at, next)), place };
}

/** Parentheses that become empty go too. The place is that of the statement that has come there, or of the last one. */
export function remove(tree: Tree, place: Place): Edited {
  const [above, at] = split(place);
  const rest = listAt(tree, above).length - 1;
  if (rest === 0 && above.indexes.length > 0) return remove(tree, above);
  const next = withList(tree, above, (list) => firstJoinedByAnd(list.toSpliced(at, 1)));
  return { tree: next, place: child(above, Math.max(0, Math.min(at, rest - 1))) };
}

/** Conditions move among their neighbors, and conjunctions stay where they are; actions also between Then and Else. */
export function move(tree: Tree, place: Place, by: -1 | 1): Edited | null {
  const [above, at] = split(place);
  const list = listAt(tree, above);
  const to = at + by;
  if (to >= 0 && to < list.length) {
    const swapped = list.with(at, list[to] as Statement).with(to, list[at] as Statement);
    return { tree: withList(tree, above, () => placed(list, swapped)), place: child(above, to) };
  }
  const other = place.clause === "then" && by === 1 ? "else" : place.clause === "else" && by === -1 ? "then" : null;
  const statement = list[at];
  if (other === null || !statement) return null;
  const target: Place = { clause: other, indexes: [by === 1 ? 0 : tree.then.length] };
  return insert(remove(tree, place).tree, target, statement);
}

/** Toggles between `and` and `or`. The first condition of a list has neither. */
export function toggleJoin(tree: Tree, place: Place): Edited | null {
  const [above, at] = split(place);
  const statement = statementAt(tree, place);
  if (at === 0 || place.clause !== "if" || !statement) return null;
  return {
    tree: withList(tree, above, (list) => list.with(at, joined(statement, statement.andOr === "or" ? "and" : "or"))),
    place,
  };
}

/** Into the parentheses above it; where there are none, new ones hold it and the condition above it. */
export function parenthesize(tree: Tree, place: Place): Edited | null {
  const [above, at] = split(place);
  const statement = statementAt(tree, place);
  const before = listAt(tree, above)[at - 1];
  if (place.clause !== "if" || !statement || !before) return null;
  const inside = before.conditions ?? [joined(before, "and")];
  const paren: Statement = { type: "paren", andOr: before.andOr ?? "and", conditions: [...inside, statement] };
  return {
    tree: withList(tree, above, (list) => list.toSpliced(at - 1, 2, paren)),
    place: child(child(above, at - 1), inside.length),
  };
}

/** Moves a condition out of its parentheses, to the position after them. Parentheses themselves are removed. */
export function takeOut(tree: Tree, place: Place): Edited | null {
  const [above, at] = split(place);
  const statement = statementAt(tree, place);
  if (statement?.conditions) {
    const [first, ...others] = statement.conditions;
    const inside = first ? [joined(first, statement.andOr ?? "and"), ...others] : [];
    return { tree: withList(tree, above, (list) => firstJoinedByAnd(list.toSpliced(at, 1, ...inside))), place };
  }
  if (!statement || above.indexes.length === 0) return null;
  const [outside, parenAt] = split(above);
  const isOnly = listAt(tree, above).length === 1;
  const join = isOnly ? (statementAt(tree, above)?.andOr ?? "and") : (statement.andOr ?? "and");
  const to = child(outside, isOnly ? parenAt : parenAt + 1);
  const removed = remove(tree, place).tree;
  const next = withList(removed, outside, (list) =>
    firstJoinedByAnd(list.toSpliced(to.indexes.at(-1) as number, 0, joined(statement, join))),
  );
  return { tree: next, place: to };
}

/** Whether `and` and `or` stand beside each other in one list, so that it matters which binds first. */
export function isMixed(list: List): boolean {
  return new Set(list.slice(1).map(({ andOr }) => andOr)).size > 1;
}

/** The list that contains a statement, named by its owner, and the statement's index in it. */
function split({ clause, indexes }: Place): readonly [above: Place, at: number] {
  return [{ clause, indexes: indexes.slice(0, -1) }, indexes.at(-1) ?? 0];
}

function child({ clause, indexes }: Place, at: number): Place {
  return { clause, indexes: [...indexes, at] };
}

function listAt(tree: Tree, above: Place): List {
  return above.indexes.length === 0 ? tree[above.clause] : (statementAt(tree, above)?.conditions ?? []);
}

function withList(tree: Tree, { clause, indexes }: Place, change: (list: List) => List): Tree {
  const within = (list: List, [at, ...deeper]: readonly number[]): List => {
    if (at === undefined) return change(list);
    const statement = list[at];
    return statement ? list.with(at, { ...statement, conditions: within(statement.conditions ?? [], deeper) }) : list;
  };
  return { ...tree, [clause]: within(tree[clause], indexes) };
}

/** A list in another order or with one more: each position keeps its conjunction, a new one begins with "and". */
function placed(before: List, after: List): List {
  const isOfConditions = after.some(({ andOr }) => andOr !== undefined);
  if (!isOfConditions) return after;
  if (before.length === after.length)
    return after.map((statement, at) => joined(statement, before[at]?.andOr ?? "and"));
  return firstJoinedByAnd(after.map((statement) => (statement.andOr ? statement : joined(statement, "and"))));
}

function firstJoinedByAnd(list: List): List {
  const [first, ...others] = list;
  return first?.andOr === "or" ? [joined(first, "and"), ...others] : list;
}

function joined(statement: Statement, andOr: AndOr): Statement {
  return statement.andOr === andOr ? statement : { ...statement, andOr };
}
