/**
 * Which command of a node's definition is meant by what was written: a command by its own name comes first, then what older
 * clients call it, then a settable property. The query is for every node, and a question to its driver, never a command,
 * also where a nodedef has it among its commands.
 *
 * @see docs/interface/commands.md
 */

import type { CommandDefinition, Nodedef } from "./nodedef.ts";
import type { NamedParameter } from "./parameter-text.ts";

/** Parameters that were given by name; unit null = none was given. */
export type NamedParameters = ReadonlyMap<string, NamedParameter>;

export type WrittenCommand = {
  readonly command: string;
  /** Decoded path segments after the command: values, or pairs of value and unit. */
  readonly segments: readonly string[];
  readonly named: NamedParameters;
};

export type Meaning = WrittenCommand & {
  readonly kind: "query" | "command";
  /** null: the node has no nodedef. */
  readonly definition: CommandDefinition | null;
};

/** null: the node does not accept it. */
export function findMeaning(nodedef: Nodedef | null, { command, segments, named }: WrittenCommand): Meaning | null {
  if (command === QUERY.id) return { kind: "query", command, definition: QUERY, segments, named };
  if (!nodedef) return { kind: "command", command, definition: null, segments, named };
  const definition = accepted(nodedef, command);
  if (definition) return { kind: "command", command: definition.id, definition, segments, named };
  const alias = ALIASES.get(command);
  const aliased = alias && accepted(nodedef, alias.command);
  if (aliased) {
    const { segments } = alias;
    return { kind: "command", command: aliased.id, definition: aliased, segments, named: withoutFirst(named) };
  }
  return findSetter(nodedef, { command, segments, named });
}

const QUERY: CommandDefinition = { id: "QUERY", name: "Query", native: false, format: null, parameters: [] };

/**
 * What older clients send to locks and covers, as the command that these accept. A cover's nodedef has no DOF, or clients
 * would take it for a lamp; those that send it mean to close.
 */
const ALIASES: ReadonlyMap<string, { readonly command: string; readonly segments: readonly string[] }> = new Map([
  ["LOCK", { command: "SECMD", segments: ["1"] }],
  ["UNLOCK", { command: "SECMD", segments: ["0"] }],
  ["DON", { command: "FDUP", segments: [] }],
  ["DFON", { command: "FDUP", segments: [] }],
  ["DOF", { command: "FDDOWN", segments: [] }],
  ["DFOF", { command: "FDDOWN", segments: [] }],
]);

/** The command that writes a property: the one with a parameter that starts from that property. */
function findSetter(nodedef: Nodedef, { command: property, segments, named }: WrittenCommand): Meaning | null {
  for (const definition of nodedef.accepts) {
    const parameter = definition.parameters.find(({ init }) => init === property);
    if (!parameter) continue;
    const setter = { kind: "command", command: definition.id, definition } as const;
    const [value, uom] = segments;
    const first =
      named.get("") ?? (value === undefined ? null : { value, uom: uom === undefined ? null : Number(uom) });
    if (definition.parameters[0] === parameter || !first) return { ...setter, segments, named };
    return { ...setter, segments: [], named: new Map([...withoutFirst(named), [parameter.id, first]]) };
  }
  return null;
}

function withoutFirst(named: NamedParameters): NamedParameters {
  return new Map([...named].filter(([id]) => id !== ""));
}

function accepted(nodedef: Nodedef, command: string): CommandDefinition | undefined {
  return nodedef.accepts.find(({ id }) => id === command);
}
