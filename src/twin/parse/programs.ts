/**
 * Programs and their trees. A statement that this controller does not know is kept as it was told; its program is then not
 * loaded, as with any foreign statement.
 */

import type { Action, Condition, Foreign, ProgramTree } from "../../home/program-syntax.ts";
import { type ProgramDefinition, ROOT_PROGRAM_ID, type RunState } from "../../home/programs.ts";
import { LocatedValue } from "../../http/api/located-value.ts";
import { parseConditions, parseTree } from "../../http/api/trigger-parse.ts";
import { isList, isObject, type Tree, type TreeObject } from "../../wire/spelling/tree.ts";
import { instant, object, objects, text, truth, whole } from "../../wire/loose.ts";

const ID_MAX = 65_535;

type Trigger = {
  readonly name: string;
  readonly parentId: number;
  readonly comment: string;
  readonly tree: ProgramTree;
  readonly error: string | null;
};

/** Every program of both documents, folders first; the root folder is always among them. */
export function readPrograms(programs: Tree | null, triggers: Tree | null): readonly ProgramDefinition[] {
  const trees = new Map(objects(object(triggers ?? {}).data).map((told) => [whole(told.id, 1) ?? 0, trigger(told)]));
  const listed = objects(object(programs ?? {}).data).flatMap((told) => entry(told, trees));
  const known = new Map(listed.map((each) => [each.id, each]));
  if (known.get(ROOT_PROGRAM_ID)?.kind !== "folder") known.set(ROOT_PROGRAM_ID, ROOT);
  for (const [id, told] of trees) if (id > 0 && id <= ID_MAX && !known.has(id)) known.set(id, ofTrigger(id, told));
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

function entry(told: TreeObject, trees: ReadonlyMap<number, Trigger>): readonly ProgramDefinition[] {
  const id = programId(told.id);
  if (id === null) return [];
  const common = {
    id,
    name: text(told.name),
    parentId: programId(told.parentId) ?? ROOT_PROGRAM_ID,
    status: truth(told.status),
    lastRunAtMs: instant(told.lastRunTime),
    lastFinishAtMs: instant(told.lastFinishTime),
    nextRunAtMs: instant(told.nextScheduledRunTime),
  };
  if (truth(told.folder)) return [{ kind: "folder", conditions: [], ...common }];
  const tree = trees.get(id);
  return [
    {
      kind: "program",
      ...common,
      enabled: truth(told.enabled, true),
      runAtStartup: truth(told.runAtStartup),
      running: running(text(told.running)),
      comment: tree?.comment ?? "",
      tree: tree?.tree ?? NO_TREE,
      invalid: tree?.error ?? null,
    },
  ];
}

const NO_TREE: ProgramTree = { if: [], then: [], else: [] };

function ofTrigger(id: number, { name, parentId, comment, tree, error }: Trigger): ProgramDefinition {
  const switches = { enabled: true, runAtStartup: false, running: "idle" as const };
  return { kind: "program", id, name, parentId, comment, tree, invalid: error, ...switches, ...NEVER_RAN };
}

function trigger(told: TreeObject): Trigger {
  return {
    name: text(told.name),
    parentId: whole(told.parent, 1) ?? ROOT_PROGRAM_ID,
    comment: text(told.comment),
    tree: {
      if: statements(told.if).map(condition),
      then: statements(told.then).map(action),
      else: statements(told.else).map(action),
    },
    error: truth(told.invalid) ? text(told.error) || "The controller of origin could not load it." : null,
  };
}

function statements(told: Tree | undefined): readonly TreeObject[] {
  return isList(told) ? told.filter(isObject) : [];
}

function condition(told: TreeObject): Condition {
  const [read] = attempt(() => parseConditions(placed([told]))) ?? [];
  return read ?? { andOr: text(told.andOr) === "or" ? "or" : "and", ...foreign(told) };
}

function action(told: TreeObject): Action {
  const tree = attempt(() => placed({ if: [], then: [told], else: [] }).object(parseTree));
  return tree?.then[0] ?? foreign(told);
}

/** Members that this controller does not know are passed over: they are told again as they came. */
function placed(told: unknown): LocatedValue {
  return new LocatedValue(JSON.parse(JSON.stringify(told)), "", "lenient");
}

function foreign(told: TreeObject): Foreign {
  const { andOr: _andOr, ...own } = told;
  return { kind: "foreign", json: JSON.stringify(own) };
}

function attempt<R>(read: () => R): R | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Hex digits in a text, or a decimal number; 0 is none. */
export function programId(told: Tree | undefined): number | null {
  const written = text(told);
  const id = typeof told === "number" ? told : /^[0-9a-f]{1,6}$/i.test(written) ? Number.parseInt(written, 16) : 0;
  return Number.isInteger(id) && id >= 1 && id <= ID_MAX ? id : null;
}

/** Words, or the status byte of frames. */
export function running(told: string): RunState {
  if (/then$/i.test(told) || /^[0-9a-f]2$/i.test(told)) return "then";
  return /else$/i.test(told) || /^[0-9a-f]3$/i.test(told) ? "else" : "idle";
}
