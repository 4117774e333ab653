/**
 * The short spelling in which the built-in tables and those of drivers are written, so that a definition is one readable line:
 *
 *     properties   "ST:I_OL OL:I_OL_PARAM ERR:I_ERR!"                 id:editor, "!" = hidden
 *     commands     "DON(I_OL_PARAM?) OL(I_OL_PARAM=OL) QUERY"         (editor), "?" = optional, "=X" = reads and writes X
 *     parameters   "CONFIG(NUM:I_NUM,VAL:I_VAL)"                      name:editor, comma between
 *
 * Labels are those of `command-ids-table.ts` unless the row gives others.
 */

import { invariant } from "../../errors.ts";
import type { Editor, EditorRange } from "../editor.ts";
import { parseLabels } from "../labels.ts";
import type { Linkdef } from "../linkdef.ts";
import type { CommandDefinition, CommandParameter, Nodedef, NodedefProperty } from "../nodedef.ts";
import { controlLabel } from "./command-ids-table.ts";

type Labels = Readonly<Record<string, string>>;

export type NodedefRow = {
  readonly name: string;
  readonly properties: string;
  readonly sends?: string;
  readonly accepts: string;
  /** Linkdef ids, separated by spaces. */
  readonly controlLinks?: string;
  readonly respondLinks?: string;
  /** Labels by id, of properties and of commands. */
  readonly labels?: Labels;
};

export function nodedef(id: string, row: NodedefRow): Nodedef {
  const labels = row.labels ?? {};
  return {
    id,
    name: row.name,
    nls: null,
    icon: null,
    properties: words(row.properties).map((word) => property(word, labels)),
    sends: words(row.sends ?? "").map((word) => command(word, labels)),
    accepts: words(row.accepts).map((word) => command(word, labels)),
    controlLinks: words(row.controlLinks ?? ""),
    respondLinks: words(row.respondLinks ?? ""),
  };
}

export type RangeRow = Partial<Omit<EditorRange, "names" | "uom">> & { readonly uom: number; readonly names?: string };

export function editor(id: string, ...ranges: readonly RangeRow[]): Editor {
  return { id, ranges: ranges.map(editorRange) };
}

/** Parameters are written like properties: "OL:I_OL_PARAM RR:I_RR". */
export function linkdef(id: string, name: string, protocol: string, parameters: string): Linkdef {
  const ids = words(parameters).map((word) => property(word, {}));
  return {
    id,
    name,
    protocol,
    cmd: false,
    format: null,
    parameters: ids.map((parameter) => ({ id: parameter.id, editor: parameter.editor, name: parameter.name })),
  };
}

/** The editors of a pool that nodedefs name. */
export function editorsUsedBy(nodedefs: readonly Nodedef[], pool: readonly Editor[]): readonly Editor[] {
  const used = new Set<string>();
  for (const { properties, accepts, sends } of nodedefs) {
    const parameters = [...accepts, ...sends].flatMap((command) => command.parameters);
    for (const { editor } of [...properties, ...parameters]) used.add(editor);
  }
  return pool.filter(({ id }) => used.has(id));
}

function editorRange(row: RangeRow): EditorRange {
  return {
    uom: row.uom,
    prec: row.prec ?? 0,
    min: row.min ?? null,
    max: row.max ?? null,
    step: row.step ?? null,
    subset: row.subset ?? null,
    names: parseLabels(row.names ?? ""),
  };
}

const PROPERTY = /^(\w+):(\w+)(!?)$/;
const COMMAND = /^(\w+)(?:\(([^)]*)\))?$/;
const PARAMETER = /^(?:(\w+):)?(\w+)(?:=(\w+))?(\??)$/;

function words(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

function property(word: string, labels: Labels): NodedefProperty {
  const [, id, editor, hidden] = parsed(PROPERTY, word);
  return { id, editor, name: labels[id] ?? controlLabel(id), hide: hidden === "!" };
}

function command(word: string, labels: Labels): CommandDefinition {
  const [, id, parameters = ""] = parsed(COMMAND, word);
  const list = parameters.split(",").filter((part) => part !== "");
  return {
    id,
    name: labels[id] ?? controlLabel(id),
    native: false,
    format: null,
    parameters: list.map((part) => parameter(part, labels)),
  };
}

function parameter(word: string, labels: Labels): CommandParameter {
  const [, id = "", editor, init, optional] = parsed(PARAMETER, word);
  const name = id === "" ? "" : (labels[id] ?? controlLabel(id));
  return { id, editor, name, init: init ?? null, optional: optional === "?" };
}

type Parts = readonly [all: string, first: string, second: string, third?: string, fourth?: string];

function parsed(pattern: RegExp, word: string): Parts {
  const match = pattern.exec(word);
  invariant(match, `The built-in definition "${word}" is well formed.`);
  return match as unknown as Parts;
}
