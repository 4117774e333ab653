/**
 * Reads programs and their trees. An unknown statement is stored as received, and its program is not loaded, as with
 * any foreign statement.
 */

import type { Action, Condition, Foreign, ProgramTree } from "../../home/program-syntax.ts";
import { type ProgramDefinition, ROOT_PROGRAM_ID, type RunState } from "../../home/programs.ts";
import { LocatedValue } from "../../http/api/located-value.ts";
import { parseAction, parseCondition } from "../../http/api/trigger-json.ts";
import { attempt } from "../../util/attempt.ts";
import { objects, readInstant, readObject, text, truth, whole } from "../../wire/loose.ts";
import { isList, isObject, type Tree, type TreeObject } from "../../wire/spelling/tree.ts";

const ID_MAX = 65_535;

/** A program, or the conditions of a folder, as its tree was received. */
export type Trigger = {
  readonly kind: "program" | "folder";
  readonly name: string;
  readonly parentId: number | null;
  readonly comment: string;
  readonly tree: ProgramTree;
  readonly error: string | null;
};

/** By id of the program. */
export type Triggers = ReadonlyMap<number, Trigger>;

/** @param document `/api/triggers` */
export function readTriggersJson(document: Tree | null): Triggers {
  return new Map(
    objects(readObject(document ?? {}).data).map((received) => [whole(received.id, 1) ?? 0, trigger(received)]),
  );
}

/**
 * Every program of both documents, folders first. The root folder is always included.
 *
 * @param listed states of programs, as `/api/programs` or `/rest/programs` list them
 * @param instantOf of a time in that list; null where it is none
 */
export function readPrograms(
  listed: readonly TreeObject[],
  trees: Triggers,
  instantOf: (time: Tree | undefined) => number | null = readInstant,
): readonly ProgramDefinition[] {
  const entries = listed.flatMap((received) => entry(received, trees, instantOf));
  const known = new Map(entries.map((each) => [each.id, each]));
  if (known.get(ROOT_PROGRAM_ID)?.kind !== "folder") known.set(ROOT_PROGRAM_ID, ROOT);
  for (const [id, received] of trees)
    if (id > 0 && id <= ID_MAX && !known.has(id)) known.set(id, ofTrigger(id, received));
  const isFolder = (id: number | null) => id !== null && known.get(id)?.kind === "folder";
  const placed = [...known.values()].map((each) => {
    if (each.id === ROOT_PROGRAM_ID) return { ...each, parentId: null };
    return isFolder(each.parentId) && each.parentId !== each.id ? each : { ...each, parentId: ROOT_PROGRAM_ID };
  });
  return placed.sort((a, b) => Number(a.kind === "program") - Number(b.kind === "program"));
}

const NEVER_RAN = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };
const ROOT: ProgramDefinition = {
  kind: "folder",
  id: ROOT_PROGRAM_ID,
  parentId: null,
  name: "My Programs",
  conditions: [],
  ...NEVER_RAN,
};

function entry(
  received: TreeObject,
  trees: Triggers,
  instantOf: (time: Tree | undefined) => number | null,
): readonly ProgramDefinition[] {
  const id = programId(received.id);
  if (id === null) return [];
  const common = {
    id,
    name: text(received.name),
    parentId: programId(received.parentId) ?? ROOT_PROGRAM_ID,
    status: truth(received.status),
    lastRunAtMs: instantOf(received.lastRunTime),
    lastFinishAtMs: instantOf(received.lastFinishTime),
    nextRunAtMs: instantOf(received.nextScheduledRunTime),
  };
  const tree = trees.get(id);
  if (truth(received.folder)) return [{ kind: "folder", conditions: tree?.tree.if ?? [], ...common }];
  return [
    {
      kind: "program",
      ...common,
      enabled: truth(received.enabled, true),
      runAtStartup: truth(received.runAtStartup),
      running: running(text(received.running)),
      comment: tree?.comment ?? "",
      tree: tree?.tree ?? NO_TREE,
      invalid: tree?.error ?? null,
    },
  ];
}

const NO_TREE: ProgramTree = { if: [], then: [], else: [] };

function ofTrigger(id: number, { kind, name, parentId, comment, tree, error }: Trigger): ProgramDefinition {
  if (kind === "folder") return { kind, id, name, parentId, conditions: tree.if, ...NEVER_RAN };
  const switches = { enabled: true, runAtStartup: false, running: "idle" as const };
  return { kind, id, name, parentId, comment, tree, invalid: error, ...switches, ...NEVER_RAN };
}

function trigger(received: TreeObject): Trigger {
  return {
    kind: "program",
    name: text(received.name),
    parentId: whole(received.parent, 1) ?? ROOT_PROGRAM_ID,
    comment: text(received.comment),
    tree: {
      if: statements(received.if).map(condition),
      then: statements(received.then).map(action),
      else: statements(received.else).map(action),
    },
    error: truth(received.invalid) ? text(received.error) || "The controller of origin could not load it." : null,
  };
}

function statements(received: Tree | undefined): readonly TreeObject[] {
  return isList(received) ? received.filter(isObject) : [];
}

function condition(received: TreeObject): Condition {
  const andOr = text(received.andOr) === "or" ? "or" : "and";
  return attempt(() => parseCondition(placed(received))) ?? { andOr, ...foreign(received) };
}

function action(received: TreeObject): Action {
  return attempt(() => parseAction(placed(received))) ?? foreign(received);
}

/** Skips members that this controller does not know. The document is still served with them. */
function placed(received: unknown): LocatedValue {
  return new LocatedValue(JSON.parse(JSON.stringify(received)), "", "lenient");
}

function foreign(received: TreeObject): Foreign {
  const { andOr: _andOr, ...own } = received;
  return { kind: "foreign", json: JSON.stringify(own) };
}

/** Accepts hex digits in a text, or a decimal number. 0 means none. */
export function programId(received: Tree | undefined): number | null {
  const written = text(received);
  const id =
    typeof received === "number" ? received : /^[0-9a-f]{1,6}$/i.test(written) ? Number.parseInt(written, 16) : 0;
  return Number.isInteger(id) && id >= 1 && id <= ID_MAX ? id : null;
}

/** Accepts words, or the status byte of frames. */
export function running(received: string): RunState {
  if (/then$/i.test(received) || /^[0-9a-f]2$/i.test(received)) return "then";
  return /else$/i.test(received) || /^[0-9a-f]3$/i.test(received) ? "else" : "idle";
}
