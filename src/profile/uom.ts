/** Units of measure: lookups over the table of `builtin/uom-table.ts`. Unknown ids behave like 0, "no unit". */

import { UOM_ROWS, UOM_VALUE_ROWS } from "./builtin/uom-table.ts";
import { parseLabels } from "./labels.ts";

type Uom = {
  readonly id: number;
  /** Empty when the number has no suffix. */
  readonly symbol: string;
  readonly meaning: string;
  /** The suffix of a displayed number: the symbol, with a space in front where one is written. */
  readonly suffix: string;
  /** Labels of enumerated raw values; empty for a measurement. */
  readonly names: ReadonlyMap<number, string>;
};

/** Units that rules elsewhere name. */
export const UOM = {
  none: 0,
  boolean: 2,
  celsius: 4,
  deadbolt: 11,
  degrees: 14,
  fahrenheit: 17,
  index: 25,
  percent: 51,
  seconds: 58,
  offOn: 78,
  openClosed: 79,
  barrier: 97,
  level: 100,
  halfDegrees: 101,
} as const;

export function findUom(id: number): Uom {
  return UOMS[id] ?? NO_UOM;
}

/** Every unit, in the order of ids. */
export function allUoms(): readonly Uom[] {
  return UOMS;
}

/** The first unit that has the symbol, or null. */
export function uomOfSymbol(symbol: string): number | null {
  return symbol === "" ? null : (UOMS.find((uom) => uom.symbol === symbol)?.id ?? null);
}

/** Words for units that are understood, and never printed. */
export const UNIT_WORDS: readonly (readonly [word: string, uom: number])[] = [
  ["percent", UOM.percent],
  ["fahrenheit", UOM.fahrenheit],
  ["celsius", UOM.celsius],
  ["F", UOM.fahrenheit],
  ["C", UOM.celsius],
  ["seconds", UOM.seconds],
  ["second", UOM.seconds],
  ["minutes", 45],
  ["minute", 45],
  ["hours", 20],
  ["hour", 20],
  ["days", 10],
  ["day", 10],
];

/** `F`, `percent`, `kWh`, also in brackets; null for any other word. */
export function uomOfWord(text: string): number | null {
  const word = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const known = UNIT_WORDS.find(([each]) => each.toLowerCase() === word.toLowerCase());
  return known?.[1] ?? uomOfSymbol(word);
}

/** How a sentence calls the unit: its symbol, else what it measures. */
export function uomName(id: number): string {
  const { symbol, meaning } = findUom(id);
  return id === UOM.none ? "no unit" : symbol === "" ? meaning : symbol;
}

/** Written out, as the original controllers do; programs and clients compare these texts. */
const SUFFIXES: ReadonlyMap<number, string> = new Map([[73, " Watts"]]);

const UOMS: readonly Uom[] = UOM_ROWS.map(([symbol, meaning], id) => ({
  id,
  symbol,
  meaning,
  suffix: SUFFIXES.get(id) ?? suffixOf(symbol),
  names: parseLabels(UOM_VALUE_ROWS[id] ?? ""),
}));

const NO_UOM: Uom = { id: 0, symbol: "", meaning: "unknown", suffix: "", names: new Map() };

/** Kinds of percent show as a plain percent sign; degrees and percent stand close to their number. */
function suffixOf(symbol: string): string {
  if (symbol === "") return "";
  if (symbol.startsWith("%")) return "%";
  return symbol.startsWith("°") ? symbol : ` ${symbol}`;
}
