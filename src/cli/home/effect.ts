/** How a report shows that a command had its effect. Some commands have none that is reported: `BEEP`, `QUERY`. */

import type { CommandValue, Group, Node, ParameterDefinition } from "@domovoi/client";
import { isTurnedOn, turnsOn } from "../../profile/command-words.ts";
import { UOM } from "../../profile/uom.ts";
import { shownValue, wordsOf } from "./property.ts";

export type CommandEffect = {
  /** Whether what is known now shows it. */
  readonly holds: () => boolean;
  /** Whether a report of this property may show it. */
  readonly concerns: (address: string, property: string) => boolean;
  /** The present state, in words. */
  readonly state: () => string;
  /** No value is known that would show it; the next report does. */
  readonly needsReport: boolean;
};

/** Commands that switch; with a level they say how far. */
const TAKES_LEVEL: ReadonlySet<string> = new Set(["DON", "DFON", "DOF", "DFOF"]);
/** Commands that move the status by a step or for a while: the next report shows them. */
const STEPS: ReadonlySet<string> = new Set(["BRT", "DIM", "FDUP", "FDDOWN", "TOGGLE"]);
/** Commands that move a set-point by their value. */
const SHIFTS: Readonly<Record<string, string>> = { CLISPHD: "CLISPH", CLISPCD: "CLISPC" };
const STATUS = "ST";
const RAW_LEVEL_MAX = 255;
/** A percent becomes a raw level and back with this error. */
const LEVEL_TOLERANCE = 1;

/** @param parameter that the first value is for */
export function nodeEffect(
  node: Node,
  command: string,
  values: readonly CommandValue[],
  parameter: ParameterDefinition | undefined,
): CommandEffect | null {
  const [value] = values;
  const meaning = meaningOf(node, command, value) ?? writtenProperty(node, command, value, parameter);
  if (meaning === null || !node.properties.has(meaning.property)) return null;
  const { property, holds } = meaning;
  return {
    holds: () => {
      const level = levelOf(node, property);
      return level !== null && (holds === undefined || holds(level));
    },
    concerns: (address, id) => address === node.address && id === property,
    state: () => `${node.properties.get(property)?.name || property} is ${wordsOf(node, property)}`,
    needsReport: holds === undefined,
  };
}

/** The property that a command is about, and what its value is afterwards; `holds` undefined: any report shows it. */
type Meaning = { readonly property: string; readonly holds: ((value: number) => boolean) | undefined };

/** Commands that mean the same at every device. */
function meaningOf(node: Node, command: string, value: CommandValue | undefined): Meaning | null {
  const status = (holds: Meaning["holds"]): Meaning => ({ property: STATUS, holds });
  const uom = Number(node.properties.get(STATUS)?.uom ?? UOM.none);
  const wanted = turnsOn(command, value === undefined ? null : Number(typeof value === "object" ? value.value : value));
  if (command in SHIFTS) return { property: SHIFTS[command] ?? STATUS, holds: undefined };
  if (STEPS.has(command)) return status(undefined);
  if (wanted === null || (TAKES_LEVEL.has(command) && value !== undefined)) return null;
  return status((level) => isTurnedOn(uom === UOM.level ? UOM.percent : uom, level) === wanted);
}

/** A value that is written to a property: where the parameter begins with one, else the one with the command's name or editor. */
function writtenProperty(
  node: Node,
  command: string,
  value: CommandValue | undefined,
  parameter: ParameterDefinition | undefined,
): Meaning | null {
  if (value === undefined) return null;
  const own = node.nodedef?.properties ?? [];
  const edited = own.filter(({ editor }) => editor === parameter?.editor);
  const named = own.find(({ id }) => id === command || `SET${id}` === command || `SET_${id}` === command);
  const only = edited.length === 1 ? edited[0]?.id : undefined;
  const property = parameter?.init ?? (TAKES_LEVEL.has(command) ? STATUS : (named?.id ?? only));
  if (property === undefined) return null;
  return { property, holds: sameAs(value, node.properties.get(property)?.uom ?? "") };
}

/** A group has no state of its own; its members report. */
export function groupEffect(group: Group, command: string): CommandEffect | null {
  const isOn = TAKES_LEVEL.has(command) ? turnsOn(command, null) : null;
  if (isOn === null || !group.hasStateTarget) return null;
  const members = new Set(group.members);
  return {
    holds: () => (isOn ? group.allOn : !group.anyOn),
    concerns: (address, id) => members.has(address) && id === STATUS,
    state: () => `${group.membersOn.on} of ${group.membersOn.counted} members are on`,
    needsReport: false,
  };
}

/** Converts raw levels to percent, the unit of commands. */
function levelOf(node: Node, id: string): number | null {
  const property = node.properties.get(id);
  const value = property ? shownValue(property) : null;
  return value !== null && property?.uom === String(UOM.level) ? (value * 100) / RAW_LEVEL_MAX : value;
}

/** Undefined where the numbers cannot be compared; then any report of the property shows it. @param reported its unit */
function sameAs(value: CommandValue, reported: string): ((level: number) => boolean) | undefined {
  if (typeof value === "string") return undefined;
  const { value: wanted, uom } = typeof value === "number" ? { value, uom: null } : value;
  const isLevel = uom === UOM.percent || uom === UOM.level;
  if (uom !== null && String(uom) !== reported && !(isLevel && reported === String(UOM.level))) return undefined;
  const percent = uom === UOM.level ? (wanted * 100) / RAW_LEVEL_MAX : wanted;
  return (level) => Math.abs(level - percent) <= LEVEL_TOLERANCE;
}
