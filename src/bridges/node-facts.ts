/** A node as far as its likeness in another system depends on it. */

import type { Node } from "../home/nodes.ts";
import { type CommandWord, commandOf, type WordCommand } from "../profile/command-words.ts";
import { displayedValue } from "../profile/editor-value.ts";
import type { Nodedef } from "../profile/nodedef.ts";
import type { Profile } from "../profile/profile.ts";
import { roleOf } from "../profile/roles.ts";
import type { NodeRole } from "../profile/roles-table.ts";
import { subsetValues } from "../profile/subset.ts";
import { UOM } from "../profile/uom.ts";

export type NodeFacts = {
  accepts(command: string): boolean;
  /** The command takes a value. */
  takesValue(command: string): boolean;
  /** Ids of the parameters of a command. */
  parameters(command: string): readonly string[];
  reports(property: string): boolean;
  /** The first property in one of these units that has a command of the same name; null: none. */
  settable(units: readonly number[], but?: string): string | null;
  /** Controls that it sends. */
  readonly sends: readonly string[];
  readonly role: NodeRole;
  /** null: the node has no such command. */
  commandFor(word: CommandWord): WordCommand | null;
  /** Of a property, as it is displayed. */
  value(property: string): number | null;
  /** Unit of a property; 0: none. */
  uom(property: string): number;
  /** The few values that a command takes; null: all between two bounds, or none. */
  steps(command: string): readonly number[] | null;
  /** Of the value that a command takes, as they are displayed. */
  bounds(command: string): { readonly min: number; readonly max: number } | null;
};

const STEPS_MAX = 20;

/** null while the definition of the node is not known. */
export function factsOf(profile: Profile, node: Node): NodeFacts | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) return null;
  const command = (id: string) => nodedef.accepts.find((each) => each.id === id);
  const uom = (id: string) => uomOf(profile, node, nodedef, id);
  const rangeOf = (id: string) => {
    const editor = command(id)?.parameters[0]?.editor;
    return editor === undefined ? null : (profile.editor(editor, node.family, node.instance)?.ranges[0] ?? null);
  };
  return {
    accepts: (id) => command(id) !== undefined,
    takesValue: (id) => (command(id)?.parameters.length ?? 0) > 0,
    parameters: (id) => command(id)?.parameters.map((each) => each.id) ?? [],
    reports: (id) => nodedef.properties.some((each) => each.id === id),
    settable: (units, but) =>
      nodedef.properties.find(({ id }) => id !== "ST" && id !== but && units.includes(uom(id)) && command(id))?.id ??
      null,
    sends: nodedef.sends.map(({ id }) => id),
    role: roleOf(profile, node),
    commandFor: (word) => commandOf(word, nodedef),
    value(id) {
      const property = node.properties.get(id);
      return property && property.value !== null
        ? displayedValue({ value: property.value, prec: property.prec })
        : null;
    },
    uom,
    steps(id) {
      const range = rangeOf(id);
      return range
        ? (subsetValues(range, STEPS_MAX)?.map((value) => displayedValue({ value, prec: range.prec })) ?? null)
        : null;
    },
    bounds(id) {
      const { min = null, max = null } = rangeOf(id) ?? {};
      return min === null || max === null ? null : { min, max };
    },
  };
}

/** The unit that it has now, else the first of its editor. */
function uomOf(profile: Profile, node: Node, { properties }: Nodedef, id: string): number {
  const reported = node.properties.get(id)?.uom;
  if (reported !== undefined && reported !== UOM.none) return reported;
  const editor = properties.find((each) => each.id === id)?.editor;
  if (editor === undefined) return UOM.none;
  return profile.editor(editor, node.family, node.instance)?.ranges[0]?.uom ?? UOM.none;
}
