/**
 * Settings that a device stores in itself, by number and name. A flag is a bit of the byte that 1F reads; two values of 20 set
 * and clear it. A setting is a byte of the answer to 2E; a number in its second byte sets it.
 */

import type { Device } from "./device-book.ts";
import type { DeviceNode, Role } from "./products.ts";

type Flag = { readonly bit: number; readonly set: number; readonly clear: number };

export type ParameterAccess =
  | ({ readonly kind: "flag"; readonly isInverted?: true } & Flag)
  /** `at`: 1 is the first byte. `isOfButton`: of one button of a keypad, not of the device. `scale`: the byte before it is a factor, and this sets it. */
  | {
      readonly kind: "setting";
      readonly at: number;
      readonly command: number;
      readonly isOfButton?: true;
      readonly scale?: number;
    }
  /** The byte that the settings of the product's LED stand in. */
  | { readonly kind: "led" }
  /** A bit for each button in one byte: only a byte that was just read is written. */
  | { readonly kind: "button-led" }
  | { readonly kind: "button-mode" }
  | { readonly kind: "relay-mode" };

export type Parameter = {
  readonly number: number;
  readonly name: string;
  readonly max: number;
  /** Whether the device, at this node, has it. */
  readonly isOf: (device: Device, node: DeviceNode) => boolean;
  readonly access: ParameterAccess;
};

const has =
  (...roles: readonly Role[]) =>
  ({ nodes }: Device): boolean =>
    nodes.some(({ role }) => roles.includes(role));
const isLight = has("dimmer", "relay");
const isDimmer = has("dimmer");
const isKeypad = has("button");
const isInput = has("input");
/** The LED of the first button follows the load. */
const isFreeButton = (_device: Device, { role }: DeviceNode) => role === "button";
const isButton = (device: Device, { suffix, role }: DeviceNode) =>
  role === "button" || (suffix === "1" && isKeypad(device));

const flag = (bit: number, set: number, clear: number): ParameterAccess => ({ kind: "flag", bit, set, clear });

/** In tenths of a second. */
export const RELAY_DELAY: Parameter = {
  number: 14,
  name: "relay-delay",
  max: 255,
  isOf: isInput,
  access: { kind: "setting", at: 4, command: 6, scale: 7 },
};

export const PARAMETERS: readonly Parameter[] = [
  { number: 1, name: "led-brightness", max: 127, isOf: (_device, { led }) => led !== null, access: { kind: "led" } },
  {
    number: 2,
    name: "program-lock",
    max: 1,
    isOf: (each) => isLight(each) || isInput(each),
    access: flag(0, 0x00, 0x01),
  },
  {
    number: 3,
    name: "led-on-traffic",
    max: 1,
    isOf: (each) => isLight(each) || isInput(each),
    access: flag(1, 0x02, 0x03),
  },
  { number: 4, name: "resume-dim", max: 1, isOf: isDimmer, access: flag(2, 0x04, 0x05) },
  {
    number: 5,
    name: "led",
    max: 1,
    isOf: isLight,
    access: { kind: "flag", bit: 4, set: 0x08, clear: 0x09, isInverted: true },
  },
  { number: 6, name: "key-beep", max: 1, isOf: isLight, access: flag(5, 0x0a, 0x0b) },
  { number: 7, name: "button-led", max: 1, isOf: isFreeButton, access: { kind: "button-led" } },
  { number: 8, name: "button-mode", max: 2, isOf: isButton, access: { kind: "button-mode" } },
  {
    number: 9,
    name: "on-mask",
    max: 255,
    isOf: isButton,
    access: { kind: "setting", at: 3, command: 2, isOfButton: true },
  },
  {
    number: 10,
    name: "off-mask",
    max: 255,
    isOf: isButton,
    access: { kind: "setting", at: 4, command: 3, isOfButton: true },
  },
  { number: 11, name: "relay-follows-input", max: 1, isOf: isInput, access: flag(2, 0x04, 0x05) },
  { number: 12, name: "input-inverted", max: 1, isOf: isInput, access: flag(6, 0x0e, 0x0f) },
  { number: 13, name: "relay-mode", max: 3, isOf: isInput, access: { kind: "relay-mode" } },
  RELAY_DELAY,
];

/** Bits of a keypad's buttons, from the first. D10 and D13 of its settings. */
export const BUTTON_MODE = { fixed: { at: 10, command: 0x08 }, isOn: { at: 13, command: 0x0b } } as const;
/** Button modes: it switches over, or sends always the same. */
export const MODE = { toggle: 0, onOnly: 1, offOnly: 2 } as const;
export const BUTTON_LEDS = 0x09;

const MOMENTARY: Flag = { bit: 3, set: 0x06, clear: 0x07 };
const MOMENTARY_B: Flag = { bit: 4, set: 0x12, clear: 0x13 };
const MOMENTARY_C: Flag = { bit: 7, set: 0x14, clear: 0x15 };

/** Commands of a relay's mode: latching, then momentary A, B and C. */
export const RELAY_MODES: readonly (readonly number[])[] = [
  [MOMENTARY.clear],
  [MOMENTARY.set, MOMENTARY_B.clear, MOMENTARY_C.clear],
  [MOMENTARY.set, MOMENTARY_B.set, MOMENTARY_C.clear],
  [MOMENTARY.set, MOMENTARY_B.clear, MOMENTARY_C.set],
];

/** The relay's mode by its flags: 0 latching, 1 A, 2 B, 3 C. */
export function relayMode(flags: number): number {
  const isSet = ({ bit }: Flag) => ((flags >> bit) & 1) === 1;
  if (!isSet(MOMENTARY)) return 0;
  return isSet(MOMENTARY_C) ? 3 : isSet(MOMENTARY_B) ? 2 : 1;
}
