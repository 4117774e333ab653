/** Computed numbers where a type asks for one of a range: checked when the program runs, known to the compiler from then on. */

import { ClientError } from "../errors.ts";

/** The whole numbers from `Min` to `Max`, both from 0 to 998; beyond that the compiler would have to count too far. */
export type Whole<Min extends number, Max extends number> = Exclude<Below<Max>, Below<Min>> | Max;

type Below<N extends number, Counted extends readonly number[] = []> = Counted["length"] extends N
  ? Counted[number]
  : Below<N, readonly [...Counted, Counted["length"]]>;

/**
 * Rounds to a whole number.
 * @throws ClientError `BAD_PARAMETER` when it is below `min` or above `max`, or no number
 */
export function within<const Min extends number, const Max extends number>(
  value: number,
  min: Min,
  max: Max,
): Whole<Min, Max> {
  const whole = Math.round(value);
  // The comparison is the proof that the compiler cannot see.
  if (whole >= min && whole <= max) return whole as Whole<Min, Max>;
  throw new ClientError("BAD_PARAMETER", `${value} is not within ${min} and ${max}.`);
}
