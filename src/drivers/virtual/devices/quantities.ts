/** Units that virtual devices measure in, and the conversion of command parameters to them. */

import { RAMP_RATE_SECONDS } from "../../../profile/builtin/uom-table.ts";
import type { CommandParameterValue } from "../../command.ts";
import type { PropertyModel, ReceivedCommand } from "../device-model.ts";

export const FULL = 255;

/** A level of family 1: raw 0 … 255. */
export const level = (id: string, value: number): PropertyModel => ({ id, uom: 100, prec: 0, value });
export const percent = (id: string, value: number): PropertyModel => ({ id, uom: 51, prec: 0, value });
export const reading = (id: string, uom: number, prec: number, value: number | null): PropertyModel => ({
  id,
  uom,
  prec,
  value,
});
/** Kept, never reported. */
export const inner = (id: string, value: number): PropertyModel => ({ id, uom: 0, prec: 0, value, inner: true });
/** Trouble with the line to the device; 0 = none. */
export const BATTERY = percent("BATLVL", 94);

/** The ramp rate index that new dimmers have: half a second. */
export const RAMP_DEFAULT = 28;

/** Milliseconds that a change over the whole range takes; index 0 … 31. */
export function rampMs(index: number): number {
  return (RAMP_RATE_SECONDS[index] ?? 0.5) * 1000;
}

/** The parameter of this name, or the first that has no name of its own. */
export function parameter(received: ReceivedCommand, id = ""): CommandParameterValue | null {
  return received.parameters.find((candidate) => candidate.id === id) ?? null;
}

/** The command's main value: the unnamed parameter, else the first. */
export function mainParameter(received: ReceivedCommand): CommandParameterValue | null {
  return parameter(received) ?? received.parameters[0] ?? null;
}

export function displayed({ value, prec }: { readonly value: number; readonly prec: number }): number {
  return value / 10 ** prec;
}

/** A level as family 1 keeps it, 0 … 255, from percent or from the byte itself. */
export function asByte(given: CommandParameterValue): number {
  const shown = displayed(given);
  return clamp(Math.round(given.uom === 51 ? (shown * FULL) / 100 : shown), 0, FULL);
}

/** A level in percent, from percent or from a byte. */
export function asPercent(given: CommandParameterValue): number {
  const shown = displayed(given);
  return clamp(Math.round(given.uom === 100 ? (shown * 100) / FULL : shown), 0, 100);
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
