/** A property of a node: the last value that its driver reported. */

export type Property = {
  readonly id: string;
  /** Raw integer; displayed = value / 10^prec. null = not known yet. */
  readonly value: number | null;
  /** Unit of measure id, 0 = none. */
  readonly uom: number;
  readonly prec: number;
  /** Text that the driver gives for the value where no editor can format it, or null. */
  readonly text: string | null;
  /** When the value last changed; milliseconds since 1970. */
  readonly changedAtMs: number;
};

/** True when a report brings nothing new. */
export function samePropertyValue(a: Property, b: Property): boolean {
  return a.value === b.value && a.uom === b.uom && a.prec === b.prec && a.text === b.text;
}
