/**
 * The on-screen keypad for a number. The keypads of phones with only digits have no minus sign, so a field whose number can be negative
 * gets the usual keys.
 */
export function keypadFor(
  min: number | null | undefined,
  step: number | "any" | null | undefined,
): "numeric" | "decimal" | undefined {
  if (min === null || min === undefined || min < 0) return undefined;
  return typeof step === "number" && Number.isInteger(step) && Number.isInteger(min) ? "numeric" : "decimal";
}
