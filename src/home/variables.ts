/** Variables: integers with a precision, type 1 (integer) or 2 (state). */

import type { Versions } from "./parts.ts";

export type VariableType = 1 | 2;

/** Values are raw integers in −2,147,483,648 … 2,147,483,647; displayed = raw / 10^prec. */
export type Variable = {
  readonly type: VariableType;
  readonly id: number;
  readonly name: string;
  readonly value: number;
  readonly init: number;
  /** 0 … 9. */
  readonly prec: number;
  /** Names of raw values, such as 1 "Away"; absent: none. */
  readonly valueNames?: ValueNames;
  /** When the value last changed, milliseconds since 1970; an equal write leaves it. */
  readonly writtenAtMs: number;
};

/** By raw value in decimal digits; no two names are the same. */
export type ValueNames = Readonly<Record<string, string>>;

/** The part of the home that holds them. */
type VariablesTable = Versions & {
  readonly variables: Readonly<Record<VariableType, Map<number, Variable>>>;
};

/** Key of a variable among those of both types. */
export function variableKey(type: VariableType, id: number): string {
  return `${type}/${id}`;
}

export function findVariable(home: VariablesTable, type: VariableType, id: number): Variable | null {
  return home.variables[type].get(id) ?? null;
}

/** The value as people see it: its name, or the displayed number. */
export function shownValue({ valueNames, prec }: Pick<Variable, "valueNames" | "prec">, raw: number): string | number {
  return valueNames?.[raw] ?? raw / 10 ** prec;
}

export function putVariable(home: VariablesTable, variable: Variable): void {
  home.variables[variable.type].set(variable.id, variable);
  home.touch(variable.type === 1 ? "integerVariables" : "stateVariables");
}

export function removeVariable(home: VariablesTable, type: VariableType, id: number): void {
  if (!home.variables[type].delete(id)) return;
  home.touch(type === 1 ? "integerVariables" : "stateVariables");
}
