/** Ramp rates of wired devices: numbers in a list, whose labels are times (`2.0 seconds`, `9.0 minutes`). */

const LABEL = /^([\d.]+) (minutes|seconds)$/;
const MINUTE_S = 60;

/**
 * @param labels of an editor's range, by raw value
 * @returns the raw value whose time is nearest; null when the labels are no times
 */
export function nearestRamp(labels: ReadonlyMap<number, string>, seconds: number): number | null {
  let nearest: { readonly value: number; readonly distance: number } | null = null;
  for (const [value, label] of labels) {
    const [, number, unit] = LABEL.exec(label) ?? [];
    if (number === undefined) continue;
    const distance = Math.abs(Number(number) * (unit === "minutes" ? MINUTE_S : 1) - seconds);
    if (nearest === null || distance < nearest.distance) nearest = { value, distance };
  }
  return nearest?.value ?? null;
}
