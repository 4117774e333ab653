/** The radio form of a command, as data: the tables decide it, `../perform.ts` sends it. */

import type { CommandParameterValue } from "../../command.ts";
import type { ValueKey } from "./device-view.ts";
import { fromDecimal } from "./exact.ts";

export type Act =
  /** Writes a value; the device's confirmation says what became of it. */
  | {
      readonly kind: "set";
      readonly value: ValueKey;
      readonly to: unknown;
      /** Duration as the library writes it: `10s`, `2m`; absent = the device's default. */
      readonly duration?: string;
      /** The value that shows the effect, and its expected state. */
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

/** The parameters of a command, and the known state of the device. */
export type Given = {
  readonly parameters: readonly CommandParameterValue[];
  /** The last reported value. */
  readonly current: (key: ValueKey) => unknown;
};

/** The parameter of this name, or null; "" is the main one. */
export function givenParameter({ parameters }: Given, id = ""): CommandParameterValue | null {
  return parameters.find((candidate) => candidate.id === id) ?? null;
}

/** The number as displayed of the main parameter, or null. */
export function mainNumber(given: Given): number | null {
  const main = givenParameter(given) ?? given.parameters[0];
  return main ? fromDecimal(main) : null;
}

const MINUTES = 45;
const SECONDS_MAX = 127;

/** The ramp of a level command; absent = the device's own. */
export function rampOf(given: Given): { readonly duration?: string } {
  const ramp = givenParameter(given, "RR");
  if (!ramp) return {};
  const amount = Math.round(fromDecimal(ramp));
  if (ramp.uom === MINUTES) return { duration: `${amount}m` };
  return { duration: amount > SECONDS_MAX ? `${Math.round(amount / 60)}m` : `${amount}s` };
}
