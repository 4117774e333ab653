/** Periods with and without a load that take turns, so that drift of the machine and of the service falls on both. */

import type { Goal, Row } from "./measure.ts";
import { spreadOf } from "./statistics.ts";

export type Turns<T> = { readonly without: T[]; readonly beside: T[] };

type TurnsRow<T> = Pick<Row, "what" | "unit"> & {
  readonly goal?: Goal;
  /** What the periods without the load are called. */
  readonly peer: string;
  readonly figureOf: (felt: T) => number;
};

/** The medians of both kinds of periods. */
export function turnsRow<T>({ without, beside }: Turns<T>, { peer, figureOf, ...row }: TurnsRow<T>): Row {
  return {
    ...row,
    figure: medianOf(beside.map(figureOf)),
    peer: { name: peer, figure: medianOf(without.map(figureOf)) },
  };
}

/** Every period, so that the difference can be compared with the noise. */
export function turnsText<T>(what: string, { without, beside }: Turns<T>, figureOf: (felt: T) => number): string {
  const list = (felts: readonly T[]) => felts.map((felt) => figureOf(felt).toFixed(1)).join(", ");
  return `In turn, ${what}: without ${list(without)} ms, beside ${list(beside)} ms.`;
}

function medianOf(figures: readonly number[]): number {
  return spreadOf(figures).p50;
}
