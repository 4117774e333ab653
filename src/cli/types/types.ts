/** `domovoi types`: what the compiler may know of a home. */

import type { CommandDefinition, Editor, EditorRange, Home, Node, Nodedef } from "@domovoi/client";
import { findUom, uomName } from "../../profile/uom.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import { literal, remark, TypeNames } from "./source-text.ts";

type TypesOptions = ConnectionOptions & { readonly name: string };

const IDENTIFIER = /^[A-Z][A-Za-z0-9_]*$/;

/** Writes the declaration file to standard output. */
export async function printTypes(home: Home, { name }: TypesOptions): Promise<void> {
  if (!IDENTIFIER.test(name)) throw usageFailure(`"${name}" is not a valid name for a type. Example: MyHome`);
  process.stdout.write(homeTypes(home, name));
}

/**
 * The types of one home, as the text of a declaration file: the shape that `connect<MyHome>()` of the client takes.
 * @param typeName an identifier. @returns the same text for the same home.
 */
function homeTypes(home: Home, typeName: string): string {
  return new Writer(home, typeName).write();
}

/** Names that the file declares or imports itself. */
const IMPORTED = ["AnyNode", "CommandValue"];

class Writer {
  readonly #home: Home;
  readonly #typeName: string;
  readonly #names: TypeNames;
  readonly #declarations: string[] = [];
  readonly #ofNodedef = new Map<Nodedef, string>();
  readonly #ofEditor = new Map<Editor, string>();

  constructor(home: Home, typeName: string) {
    this.#home = home;
    this.#typeName = typeName;
    this.#names = new TypeNames([...IMPORTED, typeName]);
  }

  write(): string {
    const { nodes, groups, programs, variables, resources } = this.#home;
    const byKey = keyed([...nodes], ({ address }) => address, [({ path }) => path, ({ name }) => name]);
    const keys = {
      groups: keyed([...groups], ({ address }) => address, [({ path }) => path, ({ name }) => name]),
      programs: keyed([...programs], ({ id }) => id, [({ path }) => path, ({ name }) => name]),
      variables: keyed([...variables], ({ key }) => key, [({ name }) => name]),
      resources: keyed([...resources], ({ id }) => id, [({ name }) => name]),
    };
    const nodeLines = [...byKey].flatMap(([key, node]) => [
      `    /** ${remark(`${node.path}, ${node.address}, ${node.nodedef?.name || node.nodeDefId}`)} */`,
      `    readonly ${literal(key)}: ${this.#nodeType(node)};`,
    ]);
    return [
      `/**`,
      ` * The home "${remark(this.#home.name)}" as types, written by "domovoi types". Write it again when things are added, removed or`,
      ` * get other names.`,
      ` *`,
      ` *     const home = await connect<${this.#typeName}>({ … });`,
      ` *     await home.node("…").don(40);`,
      ` */`,
      ``,
      `import type { AnyNode, CommandValue } from "@domovoi/client";`,
      ``,
      `export type ${this.#typeName} = {`,
      `  readonly nodes: {`,
      ...nodeLines,
      `  };`,
      ...Object.entries(keys).map(([kind, of]) => `  readonly ${kind}: ${union(of.keys())};`),
      `};`,
      ``,
      ...this.#declarations,
      // Imports that this home does not need.
      `export type Unchecked = { readonly node: AnyNode; readonly value: CommandValue };`,
      ``,
    ].join("\n");
  }

  #nodeType(node: Node): string {
    const { nodedef } = node;
    if (!nodedef) return "AnyNode";
    const known = this.#ofNodedef.get(nodedef);
    if (known !== undefined) return known;
    const properties = nodedef.properties.map(({ id, editor, name }) => {
      const type = propertyType(this.#home.profile.editor(editor, nodedef.family, nodedef.instance));
      return `    /** ${remark(name)} */\n    readonly ${literal(id)}: ${type};`;
    });
    const commands = nodedef.accepts.map((command) => this.#command(nodedef, command));
    const content = [`readonly commands: {`, ...commands, `  };`, `  readonly properties: {`, ...properties, `  };`];
    const name = this.#declare(nodedef.id, `{\n  ${content.join("\n")}\n}`, nodedef.name);
    this.#ofNodedef.set(nodedef, name);
    return name;
  }

  #command(nodedef: Nodedef, { id, name, parameters }: CommandDefinition): string {
    const lastNeeded = parameters.findLastIndex(({ optional }) => !optional);
    const values = parameters.map((parameter, at) => {
      const label = /^[A-Za-z]\w*$/.test(parameter.id)
        ? parameter.id.toLowerCase()
        : at === 0
          ? "value"
          : `value${at + 1}`;
      return `${label}${at > lastNeeded ? "?" : ""}: ${this.#value(nodedef, parameter.editor)}`;
    });
    return `    /** ${remark(name)} */\n    readonly ${literal(id)}: readonly [${values.join(", ")}];`;
  }

  #value(nodedef: Nodedef, editorId: string): string {
    const editor = this.#home.profile.editor(editorId, nodedef.family, nodedef.instance);
    if (!editor) return "CommandValue";
    const known = this.#ofEditor.get(editor);
    if (known !== undefined) return known;
    const { type, about } = inputType(editor);
    const name = this.#declare(editorId, type, about);
    this.#ofEditor.set(editor, name);
    return name;
  }

  /** Equal contents get one type. */
  #declare(wanted: string, content: string, about: string): string {
    const { name, isNew } = this.#names.nameFor(wanted, content);
    if (isNew) this.#declarations.push(`/** ${remark(about)} */`, `export type ${name} = ${content};`, ``);
    return name;
  }
}

/**
 * Collects every name by which the library finds a thing, in the order of its lookup: key first. A shared name finds
 * nothing. Sorted by path or name, so that the file changes only with the home.
 */
function keyed<T>(
  things: readonly T[],
  keyOf: (thing: T) => string,
  names: readonly ((thing: T) => string)[],
): Map<string, T> {
  const found = new Map(things.map((thing) => [keyOf(thing), thing]));
  for (const nameOf of names) {
    const counts = Map.groupBy(things, nameOf);
    for (const [name, [thing, ...others]] of counts) {
      if (thing !== undefined && others.length === 0 && name !== "" && !found.has(name)) found.set(name, thing);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function union(keys: Iterable<string>): string {
  const all = [...keys];
  return all.length === 0 ? "never" : all.map((key) => `\n    | ${literal(key)}`).join("");
}

/** Tenths over 250 degrees are still written out. The compiler takes far more; people who read the file do not. */
const LITERALS_MAX = 2501;

type ValueType = {
  /** A type expression. */
  readonly type: string;
  /** The allowed values, for a person. */
  readonly about: string;
};

/**
 * The allowed values of an editor as a TypeScript type: every number, each label, and each number with its unit.
 * TypeScript has no number ranges, so a range is written out. A range with too many values becomes `number`, and the
 * library checks it when it is sent.
 */
function inputType({ ranges }: Editor): ValueType {
  if (ranges.length === 0) return { type: "CommandValue", about: "any number" };
  const numbers = ranges.map(numberType);
  const labels = ranges.flatMap(({ names }) => [...names.values()].map(literal));
  const withUnit = ranges.map((range, at) => `{ readonly value: ${numbers[at]}; readonly uom: ${Number(range.uom)} }`);
  const bare = numbers.includes("number") ? ["number"] : numbers;
  return {
    type: [...new Set([...bare, ...labels, ...withUnit])].join(" | "),
    about: ranges.map(describeRange).join(", or "),
  };
}

/** Labels that its values can have; `number` where some have none. */
function propertyType(editor: Editor | null): string {
  const ranges = editor?.ranges ?? [];
  const labels = ranges.flatMap(({ names }) => [...names.values()].map(literal));
  const allHaveLabels =
    ranges.length > 0 && ranges.every((range) => allowed(range)?.every((raw) => range.names.has(raw)));
  return [...new Set(allHaveLabels ? labels : ["number", ...labels])].join(" | ");
}

function numberType(range: EditorRange): string {
  const raws = allowed(range);
  if (raws === null) return "number";
  if (raws.length === 0) return "never";
  return raws.map((raw) => String(raw / 10 ** range.prec)).join(" | ");
}

/** Raw integers, ascending; null when there are more than `LITERALS_MAX`, or no bounds. */
function allowed(range: EditorRange): readonly number[] | null {
  const { subset, min, max, prec, names } = range;
  if (subset !== null) return listed(runsOf(subset, range));
  if (min !== null && max !== null) return listed([[Math.ceil(min * 10 ** prec), Math.floor(max * 10 ** prec)]]);
  return min === null && max === null && names.size > 0 ? [...names.keys()].sort((a, b) => a - b) : null;
}

type Run = readonly [first: number, last: number];

function listed(runs: readonly Run[]): readonly number[] | null {
  const size = runs.reduce((sum, [first, last]) => sum + Math.max(0, last - first + 1), 0);
  if (!(size <= LITERALS_MAX)) return null;
  const raws = runs.flatMap(([first, last]) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at),
  );
  return [...new Set(raws)].sort((a, b) => a - b);
}

/** `0-3,5-7`, ends may be open. */
function runsOf(subset: string, { min, max, prec, names }: EditorRange): readonly Run[] {
  const lowest = min === null ? Math.min(...names.keys()) : min * 10 ** prec;
  const highest = max === null ? Math.max(...names.keys()) : max * 10 ** prec;
  return subset.split(",").flatMap((part) => {
    const [, first, dash, last] = /^(\d+)?(?:(-)(\d+)?)?$/.exec(part.trim()) ?? [];
    if (first === undefined && dash === undefined) return [];
    const low = first === undefined ? lowest : Number(first);
    return [[low, dash === undefined ? low : last === undefined ? highest : Number(last)] as const];
  });
}

function describeRange(range: EditorRange): string {
  const { min, max, subset, names, uom } = range;
  const unit = findUom(Number(uom)).suffix;
  const named = `unit ${uom}, ${uomName(Number(uom))}`;
  if (subset !== null) return names.size > 0 ? `a choice (${named})` : `${subset}${unit} (${named})`;
  if (min === null && max === null) return names.size > 0 ? `a choice (${named})` : `any number (${named})`;
  return `${min ?? "anything"} to ${max ?? "anything"}${unit} (${named})`;
}
