/** The programs of the built-in home: fifteen in four folders, with every kind of condition and action somewhere. */

import type { Condition, ProgramTree } from "../home/program-syntax.ts";
import { BOLT } from "../profile/state-shapes.ts";
import {
  assign,
  at,
  between,
  clockTime,
  dimTo,
  doesNotSend,
  either,
  has,
  isOn,
  OR,
  programIs,
  runThen,
  sends,
  sendValue,
  span,
  sunTime,
  tell,
  variableIs,
  WORKDAYS,
  wait,
} from "./program-words.ts";
import { COUNTER, STATE } from "./seed-tables.ts";

export type FolderRow = { readonly name: string; readonly conditions: readonly Condition[] };
export type ProgramRow = {
  readonly name: string;
  /** Position of its folder in the list of folders. */
  readonly folder: number;
  readonly comment?: string;
  readonly enabled?: boolean;
  readonly runAtStartup?: boolean;
  readonly tree: Partial<ProgramTree>;
};

/** Id of the first folder, then of the first program after all folders. */
export const FIRST_FOLDER_ID = 3;

const LIGHTS = 0;
const CLIMATE = 1;
const SECURITY = 2;
const GARDEN = 3;

export const DEMO_FOLDERS: readonly FolderRow[] = [
  { name: "Lights", conditions: [] },
  { name: "Climate", conditions: [] },
  { name: "Security", conditions: [] },
  { name: "House & Garden", conditions: [variableIs(2, STATE.vacation, "IS", 0)] },
];

const programId = (position: number) => FIRST_FOLDER_ID + DEMO_FOLDERS.length + position;
/** Positions in the list below that other programs name. */
const MOTION_LIGHT = 1;
const ALARM = 10;

const [HALL, PORCH, MIRROR, COUNTER_LIGHT] = ["1A 2B 3C 1", "1A 60 A 1", "1A 51 34 1", "1A 30 F4 1"] as const;
const [MOTION, DARK, DOOR, SIREN] = ["2D 7F E1 1", "2D 7F E1 2", "2C 10 5 1", "41 2 B7 1"] as const;
const [THERMOSTAT, FAN, BLIND] = ["15 E 20 1", "21 0 6D 2", "33 A 5 1"] as const;
const [FRONT_LOCK, BEDSIDE, DISHWASHER] = ["ZW010_1", "ZY003_1", "ZW005_143"] as const;
const [STATION, LAWN, LEAK] = ["n020_station", "n021_zone1", "2C 44 8 2"] as const;
const [ALL_OFF, EVENING, BEEPS] = ["31004", "31002", "31010"] as const;
const HALF_DEGREES = 101;
const CELSIUS = 4;
const DEGREES = 14;
const MODE = 98;
const HEAT = 1;
const LEVEL = 100;
const WATTS = 73;
const MINUTES = 45;

export const DEMO_PROGRAMS: readonly ProgramRow[] = [
  {
    name: "Porch at Sunset",
    folder: LIGHTS,
    comment: "On from dusk, off before midnight.",
    tree: {
      if: [between(sunTime("sunset", 15), clockTime(23, 30))],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  },
  {
    name: "Hall Motion Light",
    folder: LIGHTS,
    tree: {
      if: [sends(MOTION, "DON"), isOn(DARK), variableIs(2, STATE.nightMode, "IS", 0)],
      then: [dimTo(HALL, 60), wait(5), tell(HALL, "DOF")],
    },
  },
  {
    name: "Hall Night Light",
    folder: LIGHTS,
    tree: {
      if: [sends(MOTION, "DON"), variableIs(2, STATE.nightMode, "IS", 1)],
      then: [dimTo(HALL, 10), wait(2, 30), tell(HALL, "DOF")],
    },
  },
  {
    name: "Morning Mirror",
    folder: LIGHTS,
    tree: { if: [at(clockTime(6, 30), WORKDAYS)], then: [dimTo(MIRROR, 70), wait(45), tell(MIRROR, "DOF")] },
  },
  {
    name: "Evening Scene",
    folder: LIGHTS,
    tree: {
      if: [at(sunTime("sunset")), variableIs(2, STATE.away, "IS", 0)],
      then: [tell(EVENING, "DON"), assign(1, COUNTER.evenings, "ADD=", 1)],
    },
  },
  {
    name: "Someone Is Home",
    folder: LIGHTS,
    comment: "While the home is empty, lights turn on and off.",
    tree: {
      if: [variableIs(2, STATE.away, "IS", 1), between(sunTime("sunset"), clockTime(22, 45))],
      then: [
        { kind: "repeat-every", span: span(40), random: true },
        dimTo(COUNTER_LIGHT, 65),
        wait(15, 0, true),
        tell(COUNTER_LIGHT, "DOF"),
      ],
      else: [tell(COUNTER_LIGHT, "DOF")],
    },
  },
  {
    name: "Heating by Night",
    folder: CLIMATE,
    tree: {
      if: [between(clockTime(22), clockTime(6, 0, 1))],
      then: [sendValue(THERMOSTAT, "CLISPH", 64, DEGREES)],
      else: [sendValue(THERMOSTAT, "CLISPH", 69, DEGREES)],
    },
  },
  {
    name: "Fan When Warm",
    folder: CLIMATE,
    tree: {
      if: [
        has(THERMOSTAT, "ST", "GT", { value: 156, prec: 0, uom: HALF_DEGREES }),
        either(
          has(STATION, "CLITEMP", "GE", { value: 240, prec: 1, uom: CELSIUS }),
          has(THERMOSTAT, "CLIMD", "ISNOT", { value: HEAT, prec: 0, uom: MODE }, OR),
        ),
      ],
      then: [tell(FAN, "DON"), dimTo(BLIND, 20)],
      else: [tell(FAN, "DOF")],
    },
  },
  {
    name: "Count Door Openings",
    folder: SECURITY,
    tree: { if: [sends(DOOR, "DON")], then: [assign(1, COUNTER.doorOpenings, "ADD=", 1)] },
  },
  {
    name: "Chime",
    folder: SECURITY,
    tree: {
      if: [sends(DOOR, "DON"), doesNotSend(DOOR, "DOF"), programIs(programId(ALARM), false)],
      then: [{ kind: "resource", id: 1 }, runThen(programId(MOTION_LIGHT))],
    },
  },
  {
    name: "Alarm While Away",
    folder: SECURITY,
    tree: {
      if: [variableIs(2, STATE.away, "IS", 1), either(sends(DOOR, "DON"), sends(MOTION, "DON", OR))],
      then: [
        { kind: "repeat-times", times: 3, random: false },
        tell(BEEPS, "DON"),
        wait(0, 10),
        { kind: "repeat-times", times: 1, random: false },
        tell(SIREN, "DON"),
        { kind: "notify", recipient: 1, content: null },
      ],
      else: [tell(SIREN, "DOF")],
    },
  },
  {
    name: "Lock Up",
    folder: SECURITY,
    tree: {
      if: [
        at(clockTime(23, 15)),
        has(FRONT_LOCK, "ST", "ISNOT", { value: BOLT.numberOf("locked"), prec: 0, uom: BOLT.uom }),
      ],
      then: [
        sendValue(FRONT_LOCK, "SECMD", 1, 84),
        tell(ALL_OFF, "DON"),
        dimTo(BEDSIDE, 15),
        assign(2, STATE.nightMode, "EQ", 1),
      ],
    },
  },
  {
    name: "Leak in the Kitchen",
    folder: SECURITY,
    runAtStartup: true,
    tree: {
      if: [has(LEAK, "ST", "GT", { value: 0, prec: 0, uom: LEVEL })],
      then: [
        { kind: "notify", recipient: 1, content: 2 },
        { kind: "resource", id: 2 },
      ],
    },
  },
  {
    name: "Water the Lawn",
    folder: GARDEN,
    tree: {
      if: [at(sunTime("sunrise", -30)), variableIs(1, COUNTER.rainDelay, "LE", 0)],
      then: [sendValue(LAWN, "DON", 15, MINUTES)],
      else: [tell(LAWN, "DOF"), assign(1, COUNTER.rainDelay, "SUB=", 1)],
    },
  },
  {
    name: "Dishwasher Done",
    folder: GARDEN,
    enabled: false,
    comment: "Disabled until the threshold is measured.",
    tree: {
      if: [has(DISHWASHER, "ST", "LT", { value: 50, prec: 1, uom: WATTS })],
      then: [
        {
          kind: "repeat-while",
          type: 2,
          id: STATE.guests,
          comparison: "GT",
          operand: { kind: "value", value: 0, prec: 0 },
        },
        wait(30),
      ],
    },
  },
];
