/** Commands of nodes as messages to devices, and what an acknowledged command makes of the node: a table per role. */

import { UOM } from "../../../profile/uom.ts";
import type { CommandParameterValue } from "../../command.ts";
import type { DeviceCommand } from "../line/messages.ts";
import type { DeviceNode, Role } from "./products.ts";

export const FULL = 255;

export type NodeMessage = Omit<DeviceCommand, "device">;

type NodeCommand = NodeMessage & {
  /** Raw values of the node after the device's acknowledgement; `query`: the device must be queried for them. */
  readonly effect: Readonly<Record<string, number>> | "query";
};

type Given = {
  readonly parameters: readonly CommandParameterValue[];
  readonly group: number;
  /** Last known raw value of a property of the node. */
  readonly known: (id: string) => number | null;
};

type Make = (given: Given) => NodeCommand | null;

const ON = 0x11;
const FAST_ON = 0x12;
const OFF = 0x13;
const FAST_OFF = 0x14;
const BRIGHTER = 0x15;
const DIMMER = 0x16;
const START_CHANGE = 0x17;
const STOP_CHANGE = 0x18;
const BEEP = 0x30;
const SETTINGS = 0x2e;
/** D1 that means the second load of a device. */
const SECOND_LOAD = 2;
/** D2 of a setting. */
const RAMP_RATE = 5;
const ON_LEVEL = 6;
const LED_MIN = 0x11;
const LED_MAX = 0x7f;
const FAN_MEDIUM = 191;
const HALF_DEGREES_STEP = 2;

const plain = (cmd1: number, cmd2: number, effect: NodeCommand["effect"] = {}): NodeCommand => ({
  cmd1,
  cmd2,
  effect,
});
const level = (value: number): NodeCommand => plain(value > 0 ? ON : OFF, value, { ST: value });
const always =
  (command: NodeCommand): Make =>
  () =>
    command;

const SWITCHING: Readonly<Record<string, Make>> = {
  DON: ({ parameters }) => level(levelOf(parameters, FULL) > 0 ? FULL : 0),
  DOF: always(level(0)),
  DFON: always(plain(FAST_ON, FULL, { ST: FULL })),
  DFOF: always(plain(FAST_OFF, 0, { ST: 0 })),
};
const FADING: Readonly<Record<string, Make>> = {
  FDUP: always(plain(START_CHANGE, 1)),
  FDDOWN: always(plain(START_CHANGE, 0)),
  FDSTOP: always(plain(STOP_CHANGE, 0, "query")),
};
const second = (value: number): NodeCommand => ({ ...level(value), data: [SECOND_LOAD] });

/** Low, medium, high: the ranges of the fan begin at 1, 128 and 255. */
export function fanLevel(value: number): number {
  if (value === 0) return 0;
  if (value < 0x80) return 64;
  return value < FULL ? 191 : FULL;
}

const setting =
  (id: string, number: number, read: (given: Given) => number): Make =>
  (given) => {
    const value = read(given);
    return { cmd1: SETTINGS, cmd2: 0, data: [given.group, number, value], effect: { [id]: value } };
  };

/** The thermostat's numbers for modes and fan modes of the interface. */
const CLIMATE_MODES: Readonly<Record<number, number>> = { 0: 9, 1: 4, 2: 5, 3: 6, 5: 10, 6: 10, 7: 10 };
const FAN_MODES: Readonly<Record<number, number>> = { 7: 7, 8: 8 };

const chosen =
  (id: string, numbers: Readonly<Record<number, number>>): Make =>
  ({ parameters }) => {
    const value = displayedOf(parameters) ?? -1;
    const number = numbers[value];
    return number === undefined ? null : plain(0x6b, number, { [id]: value });
  };

const setPoint =
  (id: string, cmd1: number): Make =>
  ({ parameters: [given] }) => {
    if (!given) return null;
    const shown = given.value / 10 ** given.prec;
    const halfDegrees = Math.round(shown * (given.uom === UOM.halfDegrees ? 1 : 2));
    return halfDegrees < 0 || halfDegrees > FULL ? null : plain(cmd1, halfDegrees, { [id]: halfDegrees });
  };

const COMMANDS: Readonly<Record<Role, Readonly<Record<string, Make>>>> = {
  dimmer: {
    ...SWITCHING,
    ...FADING,
    DON: ({ parameters, known }) => level(levelOf(parameters, known("OL") ?? FULL)),
    BRT: always(plain(BRIGHTER, 0, "query")),
    DIM: always(plain(DIMMER, 0, "query")),
    OL: setting("OL", ON_LEVEL, ({ parameters }) => levelOf(parameters, FULL)),
    RR: setting("RR", RAMP_RATE, ({ parameters }) => displayedOf(parameters) ?? 0),
  },
  relay: SWITCHING,
  "lower-outlet": {
    DON: ({ parameters }) => second(levelOf(parameters, FULL) > 0 ? FULL : 0),
    DOF: always(second(0)),
    DFON: always(second(FULL)),
    DFOF: always(second(0)),
  },
  fan: {
    DON: ({ parameters }) => second(fanLevel(levelOf(parameters, FAN_MEDIUM))),
    DOF: always(second(0)),
    DFON: always(second(FULL)),
    DFOF: always(second(0)),
  },
  motor: {
    ...FADING,
    DON: ({ parameters }) => level(levelOf(parameters, FULL)),
    FDDOWN: ({ parameters }) => (parameters.length > 0 ? level(levelOf(parameters, 0)) : plain(START_CHANGE, 0)),
  },
  thermostat: {
    CLISPC: setPoint("CLISPC", 0x6c),
    CLISPH: setPoint("CLISPH", 0x6d),
    CLIMD: chosen("CLIMD", CLIMATE_MODES),
    CLIFS: chosen("CLIFS", FAN_MODES),
    BRT: always(plain(0x68, HALF_DEGREES_STEP, "query")),
    DIM: always(plain(0x69, HALF_DEGREES_STEP, "query")),
  },
  button: {},
  input: {},
  sensor: {},
  x10: {},
  other: {},
};

/** null: the node has no such command, or not with these parameters. */
export function nodeCommand(node: DeviceNode, command: string, given: Omit<Given, "group">): NodeCommand | null {
  if (!node.accepts.has(command)) return null;
  if (command === "BEEP") return plain(BEEP, Math.min(FULL, Math.max(0, displayedOf(given.parameters) ?? 0)));
  if (command === "BL") return backlight(node, given.parameters);
  const commands = COMMANDS[node.role];
  const make = Object.hasOwn(commands, command) ? commands[command] : undefined;
  return make?.({ ...given, group: Number.parseInt(node.suffix, 16) }) ?? null;
}

/** Of a keypad the byte itself: the brightness of LEDs that are on, with that of the others in its upper half. */
function backlight({ led }: DeviceNode, parameters: Given["parameters"]): NodeCommand | null {
  const shown = displayedOf(parameters);
  if (!led || shown === null) return null;
  const isPercent = parameters[0]?.uom === UOM.percent;
  const value = isPercent ? LED_MIN + (shown * (LED_MAX - LED_MIN)) / 100 : shown;
  return {
    cmd1: SETTINGS,
    cmd2: 0,
    data: [1, led.command, Math.min(LED_MAX, Math.max(0, Math.round(value)))],
    effect: {},
  };
}

function displayedOf([given]: Given["parameters"]): number | null {
  return given ? given.value / 10 ** given.prec : null;
}

/** A level from percent or from the byte itself. */
export function levelOf([given]: Given["parameters"], otherwise: number): number {
  if (!given) return otherwise;
  const shown = given.value / 10 ** given.prec;
  return Math.min(FULL, Math.max(0, Math.round(given.uom === UOM.percent ? (shown * FULL) / 100 : shown)));
}
