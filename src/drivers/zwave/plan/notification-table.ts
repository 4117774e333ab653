/**
 * Notifications: what devices say by type and variable, each type on a node of its own. The order decides which variable of
 * a type is its node's status; variables that are not listed get a property of their own name.
 */

import { type Kind, namedEditor, OFF_ON, OPEN_CLOSED } from "./kinds.ts";

type NotificationRow = {
  readonly type: number;
  readonly variable: string;
  readonly category: number;
  readonly kind: Kind;
};

/** Idle is off, any other event is on. */
const ACTIVE: Kind = { ...OFF_ON, read: (value) => OFF_ON.read(typeof value === "number" ? value !== 0 : value) };
const OPEN = 22;
const CLOSED = 23;
/** Any other event than the two is not known. */
const DOOR: Kind = {
  ...OPEN_CLOSED,
  read(value) {
    const event = eventOf(value);
    return OPEN_CLOSED.read(event === OPEN ? true : event === CLOSED ? false : undefined);
  },
};
const POWER = namedEditor(93, "*_POWER_ALARM");
const APPLIANCE = namedEditor(94, "*_APPLIANCE_ALARM");

/** Clients take it for something that can be switched on. */
export const SIREN = 137;

export const NOTIFICATIONS: readonly NotificationRow[] = [
  { type: 1, variable: "Sensor status", category: 156, kind: ACTIVE },
  { type: 2, variable: "Sensor status", category: 151, kind: ACTIVE },
  { type: 3, variable: "Sensor status", category: 150, kind: ACTIVE },
  { type: 4, variable: "Heat sensor status", category: 154, kind: ACTIVE },
  { type: 5, variable: "Sensor status", category: 159, kind: ACTIVE },
  { type: 6, variable: "Door state", category: 160, kind: DOOR },
  { type: 7, variable: "Motion sensor status", category: 155, kind: ACTIVE },
  { type: 7, variable: "Sensor status", category: 172, kind: ACTIVE },
  { type: 7, variable: "Cover status", category: 157, kind: ACTIVE },
  { type: 8, variable: "Mains status", category: 181, kind: POWER },
  { type: 8, variable: "Power status", category: 181, kind: POWER },
  { type: 9, variable: "Hardware status", category: 174, kind: ACTIVE },
  { type: 9, variable: "Software status", category: 174, kind: ACTIVE },
  { type: 12, variable: "Appliance status", category: 182, kind: APPLIANCE },
  { type: 12, variable: "Program status", category: 182, kind: APPLIANCE },
  { type: 14, variable: "Siren status", category: SIREN, kind: ACTIVE },
  { type: 16, variable: "Rain alarm status", category: 159, kind: ACTIVE },
  { type: 16, variable: "Freeze alarm status", category: 152, kind: ACTIVE },
  { type: 18, variable: "Combustible gas status", category: 102, kind: ACTIVE },
];

/** Category of a type whose node no row describes. */
const CATEGORIES: Readonly<Record<number, number>> = { 6: 113, 8: 181, 9: 174, 10: 176, 11: 180, 12: 182, 13: 183 };
export const NOTIFICATION_SENSOR = 185;

/**
 * Variables of a lock whose states are news: jammed, keypad blocked, door and handle. Its other news are events without
 * a state.
 */
const LOCK_VARIABLES = ["Lock state", "Keypad state", "Door state", "Door handle state"];

/** Whether the states of the variable are events of its type; others are numbers of their own, or repeat a state. */
export function hasEvents(type: number, variable: string): boolean {
  if (type === ACCESS_CONTROL && LOCK_VARIABLES.includes(variable)) return true;
  return NOTIFICATIONS.some((row) => row.type === type && row.variable === variable);
}

export function categoryOfNotification(type: number): number {
  return CATEGORIES[type] ?? NOTIFICATION_SENSOR;
}

/** The event of a state: the library puts an event's parameter, such as the position of a tilted window, behind it. */
export function eventOf(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return null;
  return value > 0xff ? (value >> 8) & 0xff : value;
}

export const ACCESS_CONTROL = 6;

/** A lock's notifications about its bolt and keypad, by their number, in the words of unit 15; 0: it has no word. */
const LOCK_EVENTS = [
  0, 4, 6, 8, 9, 23, 24, 28, 28, 14, 15, 10, 29, 19, 20, 21, 31, 32, 33, 2, 34, 35, 36, 37, 38, 39, 0, 0, 0, 0, 0, 0,
  40, 23, 24, 23, 24,
];

/** null for an event that unit 15 has no word for. */
export function lockAlarm(event: number): number | null {
  return LOCK_EVENTS[event] || null;
}
