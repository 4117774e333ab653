/** Short words to write programs of the demo house with, beside those of the demo itself. */

import { has, sendValue, span } from "../../../src/demo/program-words.ts";
import type {
  Action,
  Comparison,
  Condition,
  ProgramControl,
  TimeOfDay,
  VariableOperator,
} from "../../../src/home/program-syntax.ts";
import type { VariableType } from "../../../src/home/variables.ts";
import type { RoleCommand, RoleWord } from "../../../src/profile/role-words.ts";
import type { StatusWord } from "../../../src/profile/status-words.ts";
import type { FindingCode } from "../../../src/programs/verify/finding.ts";

/** A program of a case. Its id is its position in the case plus `FIRST_ID`. */
export type CaseProgram = {
  readonly if?: readonly Condition[];
  readonly then?: readonly Action[];
  readonly else?: readonly Action[];
  readonly enabled?: boolean;
  readonly runAtStartup?: boolean;
  /** Conditions of the folder that it lies in. */
  readonly gate?: readonly Condition[];
};

/** The one finding of a program, the first of the case: code, place, then the programs. */
export type FaultyCase = readonly [code: FindingCode, path: string, ...programs: readonly CaseProgram[]];

export const FIRST_ID = 100;
export const [P0, P1, P2] = [FIRST_ID, FIRST_ID + 1, FIRST_ID + 2];

export const HALL = "1A 2B 3C 1";
export const KEYPAD = "1E 4 A0 1";
export const BUTTON = "1E 4 A0 5";
export const DOOR = "2C 10 5 1";
export const MOTION = "2D 7F E1 1";
export const DUSK = "2D 7F E1 2";
export const LOCK = "ZW010_1";
export const KITCHEN = "1A 30 1 1";
export const COUNTER = "1A 30 F4 1";
export const COFFEE = "3B 9 12 1";
export const LEAK = "2C 44 8 2";
export const WASHER_METER = "ZW005_143";
export const WINDOW = "ZW008_1";
export const FLOOR = "1A 2F 91 1";
export const DESK = "1A 2F A2 1";
export const FAN = "21 0 6D 2";
export const BLIND = "33 A 5 1";
export const THERMOSTAT = "15 E 20 1";
export const READING = "ZW002_1";
export const BEDROOM = "1A 44 7 1";
export const BEDSIDE = "ZY003_1";
export const RADIATOR = "ZY004_1";
export const BATH = "1A 51 33 1";
export const MIRROR = "1A 51 34 1";
export const BATH_MOTION = "ZW007_1";
export const TOWELS = "ZY005_1";
export const PORCH = "1A 60 A 1";
export const SIREN = "41 2 B7 1";
export const GARAGE = "ZY006_1";
export const STATION = "n020_station";
export const LAWN = "n021_zone1";
export const [EVENING_SCENE, MOVIE_SCENE, ALL_OFF] = ["31002", "31003", "31004"];

export const [PERCENT, LEVEL, CELSIUS, DEGREES, HALF_DEGREES, OFF_ON, LOCKED] = [51, 100, 4, 14, 101, 78, 11];
export const MODE = 98;

export const [HALL_ROOM, KITCHEN_ROOM] = ["11001", "11002"];

export const anyOf = (role: RoleWord, is: StatusWord, ...places: readonly string[]): Condition => ({
  andOr: "and",
  kind: "roles",
  selector: { role, places, except: [] },
  test: { how: "any", is },
});

export const toAll = (role: RoleWord, command: RoleCommand, ...places: readonly string[]) => ({
  kind: "roles" as const,
  selector: { role, places, except: [] },
  command,
  value: null,
});

/** Level of a wired node, as a byte. */
export const level = (node: string, comparison: Comparison, value: number, joined?: Condition["andOr"]): Condition =>
  has(node, "ST", comparison, { value, prec: 0, uom: LEVEL }, joined && { andOr: joined });

export const status = (
  node: string,
  property: string,
  comparison: Comparison,
  value: number,
  uom: number,
  prec = 0,
): Condition => has(node, property, comparison, { value, prec, uom });

export const or = (condition: Condition): Condition => ({ ...condition, andOr: "or" });
export const group = (...conditions: readonly Condition[]): Condition => ({ andOr: "and", kind: "paren", conditions });

export const compare = (
  [type, id]: readonly [VariableType, number],
  comparison: Comparison,
  [otherType, otherId]: readonly [VariableType, number],
): Condition => ({
  andOr: "and",
  kind: "variable",
  type,
  id,
  comparison,
  operand: { kind: "variable", type: otherType, id: otherId },
});

export const lasting = (from: TimeOfDay, minutes: number): Condition => ({
  andOr: "and",
  kind: "schedule",
  days: null,
  when: { kind: "from-for", from, lasting: span(minutes) },
});

export const onDate = (time: TimeOfDay, date: string): TimeOfDay => ({ ...time, date });

export const control = (id: number, verb: ProgramControl): Action => ({ kind: "program", id, control: verb });
export const times = (count: number): Action => ({ kind: "repeat-times", times: count, random: false });
export const every = (minutes: number, seconds = 0): Action => ({
  kind: "repeat-every",
  span: span(minutes, seconds),
  random: false,
});

export const whileIs = (type: VariableType, id: number, comparison: Comparison, value: number): Action => ({
  kind: "repeat-while",
  type,
  id,
  comparison,
  operand: { kind: "value", value, prec: 0 },
});

export const copy = (
  [type, id]: readonly [VariableType, number],
  operator: VariableOperator,
  [otherType, otherId]: readonly [VariableType, number],
): Action => ({ kind: "variable", type, id, operator, operand: { kind: "variable", type: otherType, id: otherId } });

export const copyStatus = (type: VariableType, id: number, node: string, property: string): Action => ({
  kind: "variable",
  type,
  id,
  operator: "EQ",
  operand: { kind: "status", node, property },
});

export const lock = (node: string, locked: boolean): Action => sendValue(node, "SECMD", locked ? 1 : 0, 84);
export const notify: Action = { kind: "notify", recipient: 1, content: null };
export const resource = (id: number): Action => ({ kind: "resource", id });
export const tellDegrees = (node: string, setpoint: number): Action => sendValue(node, "CLISPH", setpoint, DEGREES);
