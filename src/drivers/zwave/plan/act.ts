/** What a command means on the air, as data: the tables decide it, `../perform.ts` does it. */

import type { CommandParameterValue } from "../../driver.ts";
import type { ValueKey } from "./device-view.ts";
import { fromDecimal } from "./exact.ts";

export type Act =
  /** Writes a value; the device's confirmation says what became of it. */
  | {
      readonly kind: "set";
      readonly value: ValueKey;
      readonly to: unknown;
      /** As the library spells spans: `10s`, `2m`; absent = the device's own. */
      readonly duration?: string;
      /** The value that tells the effect, and what it should then be. */
      readonly effect?: { readonly value: ValueKey; readonly expected: unknown };
    }
  /** A command that is no value: start to move, stop, show where you are. */
  | {
      readonly kind: "call";
      readonly commandClass: number;
      readonly endpoint: number;
      readonly method: string;
      readonly args: readonly unknown[];
      /** The value that it moves. */
      readonly effect?: { readonly value: ValueKey; readonly expected: undefined };
    }
  | { readonly kind: "configure"; readonly number: number; readonly value: number }
  | { readonly kind: "refuse"; readonly detail: string };

/** What a command was given, and what is known of the device. */
export type Given = {
  readonly parameters: readonly CommandParameterValue[];
  /** The value as the device last told it. */
  readonly current: (key: ValueKey) => unknown;
};

/** The parameter of this name, or null; "" is the main one. */
export function parameter({ parameters }: Given, id = ""): CommandParameterValue | null {
  return parameters.find((candidate) => candidate.id === id) ?? null;
}

/** The number as displayed of the main parameter, or null. */
export function mainNumber(given: Given): number | null {
  const main = parameter(given) ?? given.parameters[0];
  return main ? fromDecimal(main) : null;
}

const MINUTES = 45;
const SECONDS_MAX = 127;

/** The ramp of a level command; absent = the device's own. */
export function rampOf(given: Given): { readonly duration?: string } {
  const ramp = parameter(given, "RR");
  if (!ramp) return {};
  const amount = Math.round(fromDecimal(ramp));
  if (ramp.uom === MINUTES) return { duration: `${amount}m` };
  return { duration: amount > SECONDS_MAX ? `${Math.round(amount / 60)}m` : `${amount}s` };
}
