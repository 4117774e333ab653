/** The types of one home, as the text of a declaration file: the shape that `connect<MyHome>()` of the client takes. */

import type { CommandDefinition, Editor, Home, Node, Nodedef } from "@domovoi/client";
import { literal, remark, TypeNames } from "./source-text.ts";
import { inputType, propertyType } from "./value-types.ts";

/** @param typeName an identifier. @returns the same text for the same home. */
export function homeTypes(home: Home, typeName: string): string {
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
