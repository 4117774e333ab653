/**
 * The scenes of the built-in home. A keypad's button begins its scene and is no part of it when another begins it,
 * because a button accepts no command to switch its light.
 */

import type { LinkParameter } from "../home/groups.ts";

/** A level in percent, or what else the node does when the scene is turned on. */
export type SceneDoing =
  | number
  | "default"
  | "ignore"
  | { readonly command: string; readonly parameters: readonly LinkParameter[] };

export type SceneRow = {
  readonly name: string;
  readonly room: string | null;
  readonly controllers: readonly string[];
  /** By the address of the node. */
  readonly links: Readonly<Record<string, SceneDoing>>;
};

const HALL_CEILING = "1A 2B 3C 1";
const KEYPAD_WELCOME = "1E 4 A0 3";
const KEYPAD_EVENING = "1E 4 A0 4";
const KEYPAD_MOVIE = "1E 4 A0 5";
const KEYPAD_ALL_OFF = "1E 4 A0 6";
const KITCHEN_CEILING = "1A 30 1 1";
const KITCHEN_COUNTER = "1A 30 F4 1";
const LIVING_CEILING = "1A 2F 90 1";
const FLOOR_LAMP = "1A 2F 91 1";
const FAN_LIGHT = "21 0 6D 1";
const FAN_MOTOR = "21 0 6D 2";
const BLIND = "33 A 5 1";
const READING_LAMP = "ZW002_1";
const BEDROOM_CEILING = "1A 44 7 1";
const CLOSET = "1A 44 C 1";
const BEDSIDE = "ZY003_1";
const BATHROOM_CEILING = "1A 51 33 1";
const MIRROR = "1A 51 34 1";
const TOWEL_WARMER = "ZY005_1";
const PORCH = "1A 60 A 1";
const STRING_LIGHTS = "1A 60 22 1";
const SIREN = "41 2 B7 1";
const FRONT_LOCK = "ZW010_1";

const SECURE_MODE = 84;
const LOCK: SceneDoing = { command: "SECMD", parameters: [{ id: "", value: 1, uom: SECURE_MODE, prec: 0 }] };
const BEEP: SceneDoing = { command: "BEEP", parameters: [] };

/** What "All Off" turns off. */
const DARKENED = [
  HALL_CEILING,
  KITCHEN_CEILING,
  KITCHEN_COUNTER,
  LIVING_CEILING,
  FLOOR_LAMP,
  FAN_LIGHT,
  FAN_MOTOR,
  READING_LAMP,
  BEDROOM_CEILING,
  CLOSET,
  BEDSIDE,
  BATHROOM_CEILING,
  MIRROR,
  STRING_LIGHTS,
] as const;

export const DEMO_SCENES: readonly SceneRow[] = [
  {
    name: "Welcome Home",
    room: "Hall",
    controllers: [KEYPAD_WELCOME],
    links: {
      [KEYPAD_WELCOME]: "ignore",
      [HALL_CEILING]: 80,
      [KITCHEN_CEILING]: 100,
      [LIVING_CEILING]: 40,
      [PORCH]: 100,
    },
  },
  {
    name: "Evening",
    room: "Living Room",
    controllers: [KEYPAD_EVENING, FLOOR_LAMP],
    links: {
      [KEYPAD_EVENING]: "ignore",
      [FLOOR_LAMP]: 60,
      [READING_LAMP]: 40,
      [HALL_CEILING]: 30,
      [LIVING_CEILING]: 0,
    },
  },
  {
    name: "Movie",
    room: "Living Room",
    controllers: [KEYPAD_MOVIE],
    links: {
      [KEYPAD_MOVIE]: "ignore",
      [LIVING_CEILING]: 5,
      [FLOOR_LAMP]: 15,
      [READING_LAMP]: 0,
      [BLIND]: 0,
      [FAN_MOTOR]: "ignore",
    },
  },
  {
    name: "All Off",
    room: "Hall",
    controllers: [KEYPAD_ALL_OFF],
    links: { [KEYPAD_ALL_OFF]: "ignore", ...Object.fromEntries(DARKENED.map((node) => [node, 0])) },
  },
  {
    name: "Good Night",
    room: "Bedroom",
    controllers: [BEDROOM_CEILING],
    links: { [BEDROOM_CEILING]: 0, [BEDSIDE]: 10, [CLOSET]: 0, [FRONT_LOCK]: LOCK },
  },
  {
    name: "Bathroom Morning",
    room: "Bathroom",
    controllers: [MIRROR, BATHROOM_CEILING],
    links: { [MIRROR]: 100, [BATHROOM_CEILING]: 100, [TOWEL_WARMER]: 100 },
  },
  {
    name: "Cooking",
    room: "Kitchen",
    controllers: [KITCHEN_COUNTER],
    links: { [KITCHEN_COUNTER]: 100, [KITCHEN_CEILING]: "default" },
  },
  {
    name: "Fresh Air",
    room: "Living Room",
    controllers: [],
    links: { [FAN_MOTOR]: 75, [BLIND]: 100 },
  },
  {
    name: "Terrace Party",
    room: "Terrace",
    controllers: [],
    links: { [STRING_LIGHTS]: "default", [PORCH]: "default" },
  },
  {
    name: "Find & Beep",
    room: null,
    controllers: [],
    links: { [HALL_CEILING]: BEEP, [KITCHEN_COUNTER]: BEEP, [SIREN]: BEEP, [PORCH]: "ignore" },
  },
];
