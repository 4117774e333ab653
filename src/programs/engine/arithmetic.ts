/**
 * The result of an assignment: whole numbers in the variable's own precision. An operand of another precision is
 * converted, half away from zero. Without a result (a division by zero, an unknown operand, a number too large for a
 * variable) the variable stays unchanged.
 */

import type { VariableOperator } from "../../home/program-syntax.ts";
import type { Variable } from "../../home/variables.ts";

type Scaled = { readonly value: number; readonly prec: number };
type Assigned = { readonly value: number } | { readonly refusal: string };

const RAW_MIN = -2_147_483_648n;
const RAW_MAX = 2_147_483_647n;

/**
 * @param operand null when it is not known.
 * @param drawBelow a random whole number from 0 to n − 1; called for a random assignment only.
 */
export function assignedValue(
  { value, prec }: Variable,
  operator: VariableOperator,
  operand: Scaled | null,
  drawBelow: (below: number) => number,
): Assigned {
  if (!operand) return { refusal: "The value of the operand is not known." };
  const other = atPrecision(operand, prec);
  const result = compute(operator, BigInt(value), other, 10n ** BigInt(prec), drawBelow);
  if (typeof result === "string") return { refusal: result };
  if (result < RAW_MIN || result > RAW_MAX) return { refusal: "The result is too large for a variable." };
  return { value: Number(result) };
}

function compute(
  operator: VariableOperator,
  value: bigint,
  other: bigint,
  one: bigint,
  drawBelow: (below: number) => number,
): bigint | string {
  switch (operator) {
    case "EQ":
    case "INIT":
      return other;
    case "ADD=":
      return value + other;
    case "SUB=":
      return value - other;
    case "MUL=":
      return (value * other) / one;
    case "DIV=":
      return other === 0n ? "A division by zero." : (value * one) / other;
    case "REM=":
      return other === 0n ? "A division by zero." : value % other;
    case "AND=":
      return value & other;
    case "OR=":
      return value | other;
    case "XOR=":
      return value ^ other;
    case "RDM=":
      if (other <= one) return one;
      return other > RAW_MAX ? "The limit is too large." : one + BigInt(drawBelow(Number(other - one) + 1));
  }
}

function atPrecision({ value, prec }: Scaled, to: number): bigint {
  const raw = BigInt(Math.round(value));
  if (prec <= to) return raw * 10n ** BigInt(to - prec);
  const step = 10n ** BigInt(prec - to);
  const half = raw < 0n ? -step / 2n : step / 2n;
  return (raw + half) / step;
}
