/**
 * Variables: made, removed, renamed, written. Values are raw integers here; `parseRawNumber` reads what clients write.
 *
 * @see docs/interface/variables.md
 */

import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import type { Home } from "../home/home.ts";
import { findVariable, type ValueNames, type Variable, type VariableType, variableKey } from "../home/variables.ts";
import { changed, created, type EditPorts, editHome, removed } from "./edit-home.ts";
import { checkName } from "./edit-nodes.ts";
import { newId } from "./new-ids.ts";

const PREC_MAX = 9;
const VALUE_NAMES_MAX = 50;
const VALUE_NAME_LENGTH_MAX = 50;
const RAW_MIN = -2_147_483_648;
const RAW_MAX = 2_147_483_647;

/**
 * A new variable is 0.
 *
 * @param given.init its raw value after a cold start; 0 when it is left out.
 * @throws ControllerError BAD_NAME; BAD_VALUE for a precision outside 0 to 9; LIMIT_REACHED; STORE_UNAVAILABLE
 */
export async function createVariable(
  ports: EditPorts,
  type: VariableType,
  given: { readonly name: string; readonly prec: number; readonly init?: number },
  cause: Cause,
): Promise<Variable> {
  const { home, config, clock } = ports;
  const name = checkName(given.name);
  const prec = checkPrecision(given.prec);
  const init = checkRaw(given.init ?? 0);
  if (home.variables[type].size >= config.variablesMax) throw new ControllerError("LIMIT_REACHED");
  const id = newId(home, `variable ${type}/`, home.variables[type]);
  const variable: Variable = { type, id, name, value: 0, init, prec, writtenAtMs: clock.now() };
  const things = [created("variable", variableKey(type, id), variable)];
  await editHome(ports, { title: `Create the variable "${name}"`, things }, cause);
  return variable;
}

/** @throws ControllerError VARIABLE_NOT_FOUND; STORE_UNAVAILABLE */
export async function deleteVariable(ports: EditPorts, type: VariableType, id: number, cause: Cause): Promise<void> {
  const { name } = requireVariable(ports.home, type, id);
  const things = [removed(ports, "variable", variableKey(type, id))];
  await editHome(ports, { title: `Remove the variable "${name}"`, things }, cause);
}

/**
 * Published also for an unchanged value: clients wait for the frame.
 *
 * @param rawValue integer in −2,147,483,648 … 2,147,483,647
 * @throws ControllerError VARIABLE_NOT_FOUND; BAD_VALUE; STORE_UNAVAILABLE
 */
export async function writeVariable(
  ports: EditPorts,
  type: VariableType,
  id: number,
  rawValue: number,
  cause: Cause,
): Promise<void> {
  const before = requireVariable(ports.home, type, id).value;
  const value = checkRaw(rawValue);
  const writtenAtMs = ports.clock.now();
  await commit(ports, { type: "variable-written", variableType: type, id, value, writtenAtMs, before }, cause);
}

/** One member: its name, the raw value after a cold start, the decimal places, with which the raw value stays, or names of values. */
export type VariablePatch =
  | { readonly name: string }
  | { readonly init: number }
  | { readonly prec: number }
  | { readonly valueNames: ValueNames };

/**
 * Published also when nothing is different: clients wait for the frame.
 *
 * @throws ControllerError VARIABLE_NOT_FOUND; BAD_NAME; BAD_VALUE; STORE_UNAVAILABLE
 */
export async function changeVariable(
  ports: EditPorts,
  type: VariableType,
  id: number,
  patch: VariablePatch,
  cause: Cause,
): Promise<void> {
  const { name } = requireVariable(ports.home, type, id);
  const { title, change } = plannedChange(`the variable "${name}"`, { variableType: type, id }, patch);
  const things = [changed(ports, "variable", variableKey(type, id), patch)];
  await editHome(ports, { title, things, otherwise: change }, cause);
}

function plannedChange(
  what: string,
  variable: { readonly variableType: VariableType; readonly id: number },
  patch: VariablePatch,
): { readonly title: string; readonly change: Change } {
  if ("name" in patch) {
    const title = `Rename ${what} to "${checkName(patch.name)}"`;
    return { title, change: { type: "variable-renamed", ...variable, ...patch } };
  }
  if ("init" in patch) {
    checkRaw(patch.init);
    const title = `Change the initial value of ${what}`;
    return { title, change: { type: "variable-init-written", ...variable, ...patch } };
  }
  if ("valueNames" in patch) {
    checkValueNames(patch.valueNames);
    return {
      title: `Name the values of ${what}`,
      change: { type: "variable-values-named", ...variable, ...patch },
    };
  }
  checkPrecision(patch.prec);
  return {
    title: `Change the precision of ${what}`,
    change: { type: "variable-precision-changed", ...variable, ...patch },
  };
}

/** Sign, whole part, decimals, exponent; at least one digit, which the caller checks. */
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
const NUMBER_LENGTH_MAX = 400;

/**
 * The raw value of a number as it was written. Exact decimal arithmetic: "5.1" at precision 2 is 510. Digits beyond the
 * precision are rounded, half away from zero.
 *
 * @param text a JSON number or a path segment; a leading plus and ".5" are understood.
 * @param prec decimals of the variable, 0 … 9.
 * @param floatIsDisplayed true: a number with a point or an exponent is a displayed value, scaled by the precision; one
 * without is raw. false: every number is raw.
 * @throws ControllerError BAD_VALUE for what is no number or lies outside −2,147,483,648 … 2,147,483,647.
 */
export function parseRawNumber(text: string, prec: number, options: { readonly floatIsDisplayed: boolean }): number {
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (text.length > NUMBER_LENGTH_MAX || whole + decimals === "") throw new ControllerError("BAD_VALUE");
  const isFloat = /[.eE]/.test(text);
  const scale = isFloat && options.floatIsDisplayed ? prec : 0;
  const digits = (whole + decimals).replace(/^0+/, "");
  const raw = shifted(digits, Number(exponent) - decimals.length + scale);
  return checkRaw(sign === "-" ? -raw : raw);
}

/** digits × 10^power, rounded half up; Infinity for what is far too large. */
function shifted(digits: string, power: number): number {
  const length = digits.length + power;
  if (digits === "" || length < 0) return 0;
  if (length > 15) return Number.POSITIVE_INFINITY;
  const kept = Number(digits.slice(0, length).padEnd(length, "0"));
  return digits.charAt(length) >= "5" ? kept + 1 : kept;
}

function checkRaw(value: number): number {
  if (!Number.isInteger(value) || value < RAW_MIN || value > RAW_MAX) throw new ControllerError("BAD_VALUE");
  return value === 0 ? 0 : value; // −0 is not a value of its own.
}

function checkPrecision(prec: number): number {
  const sentence = "The precision is a whole number from 0 to 9.";
  if (!Number.isInteger(prec) || prec < 0 || prec > PREC_MAX) throw badValue(sentence);
  return prec;
}

/**
 * A name must not read as a number, and stands for one value: both are written where a value is expected.
 *
 * @throws ControllerError BAD_VALUE; BAD_NAME
 */
function checkValueNames(valueNames: ValueNames): void {
  const entries = Object.entries(valueNames);
  if (entries.length > VALUE_NAMES_MAX) throw badValue(`At most ${VALUE_NAMES_MAX} values of a variable have names.`);
  for (const [raw, name] of entries) {
    if (!/^-?\d{1,10}$/.test(raw) || String(checkRaw(Number(raw))) !== raw) {
      throw badValue(`"${raw.slice(0, 20)}" is not a raw value: a whole number without leading zeros.`);
    }
    if (checkName(name).length > VALUE_NAME_LENGTH_MAX || /^[-+.\d]/.test(name)) {
      throw badValue(`The name of a value has 1 to ${VALUE_NAME_LENGTH_MAX} characters and begins with a letter.`);
    }
  }
  const names = new Set(entries.map(([, name]) => name.normalize("NFC").toLowerCase()));
  if (names.size < entries.length) throw badValue("Two values have the same name.");
}

/** @param name as it was written; letters may be large or small. @throws ControllerError BAD_VALUE */
export function valueNamed({ valueNames = {}, name: variable }: Variable, name: string): number {
  const wanted = name.normalize("NFC").toLowerCase();
  const found = Object.entries(valueNames).find(([, each]) => each.normalize("NFC").toLowerCase() === wanted);
  if (found) return Number(found[0]);
  const known = Object.values(valueNames).map((each) => `"${each}"`);
  const which = known.length === 0 ? "Its values have no names." : `Its values are ${known.join(", ")}.`;
  throw badValue(`The variable "${variable}" has no value "${name.slice(0, VALUE_NAME_LENGTH_MAX)}". ${which}`);
}

function requireVariable(home: Home, type: VariableType, id: number): Variable {
  const variable = findVariable(home, type, id);
  if (!variable) throw new ControllerError("VARIABLE_NOT_FOUND");
  return variable;
}

async function commit(ports: EditPorts, change: Change, cause: Cause): Promise<void> {
  await ports.durability.committed(ports.feed.commit(change, cause).seq);
}
