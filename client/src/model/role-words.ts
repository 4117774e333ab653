// Written by `npm run client:types` from src/profile/role-words.ts.

/**
 * The words of programs by room and role: which nodes a word means, which states they have, and what can be commanded of all of
 * them. `npm run client:types` copies this file into the client library.
 */

import type { CommandWord } from "./command-words.ts";
import type { NodeRole, NodeUse } from "./routes.ts";
import type { StatusWord } from "./status-words.ts";

/** Values that are compared as numbers. */
export type Measure = "temperature" | "humidity" | "light" | "power";

/** Commands that name a state, so that they may be sent again. `heat` and `cool` are the set-points of a thermostat. */
export type RoleCommand = Extract<CommandWord, "on" | "off" | "open" | "close"> | "heat" | "cool";

type RoleRow = {
  readonly plural: string;
  readonly roles: readonly NodeRole[];
  /** Only nodes that are used so. */
  readonly uses?: readonly NodeUse[];
  /** Nodes of these uses are not meant. */
  readonly except?: readonly NodeUse[];
  /** Nodes of other roles that are used so are meant too. */
  readonly usedAs?: NodeUse;
  readonly states: readonly StatusWord[];
  readonly commands: readonly RoleCommand[];
};

const SWITCHED = { states: ["on", "off"], commands: ["on", "off"] } as const;
const SENSED = { states: ["on", "off"], commands: [] } as const;
const OPENED = { states: ["open", "closed"], commands: [] } as const;

/** Things that are secured have states and no commands: a command to many must never move a lock. */
export const ROLE_WORDS = {
  lamp: {
    plural: "lamps",
    roles: ["dimmer", "color-lamp", "white-lamp", "switch"],
    except: ["other"],
    usedAs: "lamp",
    ...SWITCHED,
  },
  outlet: { plural: "outlets", roles: ["outlet"], except: ["lamp"], ...SWITCHED },
  fan: { plural: "fans", roles: ["fan"], ...SWITCHED },
  valve: { plural: "valves", roles: ["valve"], ...SWITCHED },
  cover: { plural: "covers", roles: ["cover"], states: ["open", "closed"], commands: ["open", "close"] },
  thermostat: { plural: "thermostats", roles: ["thermostat"], states: [], commands: ["heat", "cool"] },
  "motion sensor": { plural: "motion sensors", roles: ["motion"], ...SENSED },
  "smoke detector": { plural: "smoke detectors", roles: ["smoke"], ...SENSED },
  siren: { plural: "sirens", roles: ["siren"], ...SENSED },
  contact: { plural: "contacts", roles: ["contact"], ...OPENED },
  window: { plural: "windows", roles: ["contact"], uses: ["window"], ...OPENED },
  door: { plural: "doors", roles: ["contact"], uses: ["door"], ...OPENED },
  gate: { plural: "gates", roles: ["contact"], uses: ["gate"], ...OPENED },
  "garage door": { plural: "garage doors", roles: ["garage-door"], ...OPENED },
  "leak sensor": { plural: "leak sensors", roles: ["leak", "leak-dry"], states: ["wet", "dry"], commands: [] },
  lock: { plural: "locks", roles: ["lock"], states: ["locked", "unlocked", "jammed"], commands: [] },
  person: { plural: "persons", roles: ["person"], states: ["home", "away"], commands: [] },
  button: { plural: "buttons", roles: ["button"], states: [], commands: [] },
} as const satisfies Readonly<Record<string, RoleRow>>;

export type RoleWord = keyof typeof ROLE_WORDS;

export const ROLE_WORD_NAMES = Object.keys(ROLE_WORDS) as readonly RoleWord[];

/** The properties that have the measure, the first known one counts, and its units. */
type MeasureRow = {
  readonly properties: Readonly<Partial<Record<NodeRole, readonly string[]>>>;
  readonly units: readonly number[];
};

export const MEASURES = {
  temperature: {
    properties: { temperature: ["ST", "CLITEMP"], thermostat: ["CLITEMP", "ST"], weather: ["CLITEMP"] },
    units: [4, 14, 17, 101],
  },
  humidity: {
    properties: { humidity: ["ST", "CLIHUM"], thermostat: ["CLIHUM"], weather: ["CLIHUM"] },
    units: [21, 22],
  },
  light: { properties: { light: ["ST", "LUMIN"], weather: ["LUMIN"] }, units: [36] },
  power: { properties: { meter: ["CPW", "ST"], outlet: ["CPW"], appliance: ["CPW"] }, units: [73] },
} as const satisfies Readonly<Record<Measure, MeasureRow>>;

export const MEASURE_NAMES = Object.keys(MEASURES) as readonly Measure[];

/** The status of a node that states are read from. */
const STATUS = ["ST"] as const;

type NodeKind = { readonly role?: NodeRole | undefined; readonly use?: NodeUse | undefined };

/** Whether the word means nodes of this role and use. */
export function isMeant(word: RoleWord | Measure, { role, use }: NodeKind): boolean {
  if (role === undefined) return false;
  if (isMeasure(word)) return propertiesOf(word, role).length > 0;
  const row: RoleRow = ROLE_WORDS[word];
  if (row.uses) return row.roles.includes(role) && use !== undefined && row.uses.includes(use);
  if (use !== undefined && row.except?.includes(use)) return false;
  return row.roles.includes(role) || (use !== undefined && use === row.usedAs);
}

/** The properties that a condition about such a node looks at. */
export function propertiesOf(word: RoleWord | Measure, role: NodeRole): readonly string[] {
  if (!isMeasure(word)) return STATUS;
  const row: MeasureRow = MEASURES[word];
  return row.properties[role] ?? [];
}

export function isMeasure(word: RoleWord | Measure): word is Measure {
  return word in MEASURES;
}
