/** Comparisons of values with different precisions. */

import type { Comparison } from "../home/program-syntax.ts";

export type Scaled = { readonly value: number; readonly prec: number };

/** Compares displayed values exactly: 0.1 equals 0.10, independent of binary fractions. */
export function compare(left: Scaled, comparison: Comparison, right: Scaled): boolean {
  const order = orderOf(left, right);
  switch (comparison) {
    case "GT":
      return order > 0;
    case "GE":
      return order >= 0;
    case "LT":
      return order < 0;
    case "LE":
      return order <= 0;
    case "IS":
      return order === 0;
    case "ISNOT":
      return order !== 0;
  }
}

function orderOf(left: Scaled, right: Scaled): number {
  if (left.prec === right.prec) return Math.sign(left.value - right.value);
  const prec = Math.max(left.prec, right.prec);
  const [a, b] = [upscaled(left, prec), upscaled(right, prec)];
  if (a === b) return 0;
  return a > b ? 1 : -1;
}

function upscaled({ value, prec }: Scaled, to: number): bigint {
  return BigInt(Math.round(value)) * 10n ** BigInt(to - prec);
}
