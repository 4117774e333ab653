/** An editor: which values, in which unit and precision, a property or a parameter can take. */

export type EditorRange = {
  /** Unit of measure id, 0 = none. @see src/profile/uom.ts */
  readonly uom: number;
  /** Decimal places: displayed = raw / 10^prec. */
  readonly prec: number;
  /** Inclusive, in displayed units; null = no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Hint for a slider, in displayed units. */
  readonly step: number | null;
  /** The raw integers that are allowed, as the interface spells them ("0,100", "0-3,5-7"); null = all within min and max. */
  readonly subset: string | null;
  /** Labels of raw integers. */
  readonly names: ReadonlyMap<number, string>;
};

export type Editor = { readonly id: string; readonly ranges: readonly EditorRange[] };
