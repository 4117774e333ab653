/** The options of a select. */

type Value = string | number;

type OptionsProps = {
  readonly of: readonly (readonly [value: Value, text: Value])[];
  /** In a select that keeps its value by itself: the one that it begins with. */
  readonly chosen?: Value | null | undefined;
};

export function Options({ of, chosen }: OptionsProps) {
  return of.map(([value, text]) => (
    <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
      {text}
    </option>
  ));
}
