/** How a report shows that a command had its effect. Some commands have none that is reported: `BEEP`, `QUERY`. */

import type { CommandValue, Group, Home, Node, ParameterDefinition } from "@domovoi/client";
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

/** Without a level: what the status is not, or is, afterwards. */
const SWITCHES: Readonly<Record<string, (value: number) => boolean>> = {
  DON: (value) => value !== 0,
  DFON: (value) => value !== 0,
  DOF: (value) => value === 0,
  DFOF: (value) => value === 0,
};
/** Commands that move the status by a step. */
const STEPS: ReadonlySet<string> = new Set(["BRT", "DIM"]);
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
  const property = parameter?.init ?? (command in SWITCHES || STEPS.has(command) ? STATUS : null);
  if (property === null || !node.properties.has(property)) return null;
  if (parameter?.init && value === undefined) return null;
  const holds = value === undefined ? SWITCHES[command] : sameAs(value, node.properties.get(property)?.uom ?? "");
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

/** A group has no state of its own; its members report. */
export function groupEffect(home: Home, group: Group, command: string): CommandEffect | null {
  const wanted = SWITCHES[command];
  if (!wanted || !group.hasStateTarget) return null;
  const isOn = wanted(1);
  const members = new Set(group.members);
  return {
    holds: () => (isOn ? group.allOn : !group.anyOn),
    concerns: (address, id) => members.has(address) && id === STATUS,
    state: () => `${group.members.filter((each) => isNodeOn(home, each)).length} of ${members.size} members are on`,
    needsReport: false,
  };
}

function isNodeOn(home: Home, address: string): boolean {
  return (home.nodes.find(address)?.value(STATUS) ?? 0) !== 0;
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
