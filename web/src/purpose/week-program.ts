/**
 * The week of a thermostat as a program, and back: warm in some windows of the week, else cooler. Such a program is one of any other, so
 * that its page, its trace and what-if work for it.
 */

import { clock, DAYS, type Day, type Window } from "../parts/windows.ts";

/** A set-point as a program has it. @see docs/interface/triggers.md */
export type SetPoint = { readonly value: number /** "0": none, which is the device's own. */; readonly uom: string };

export type Week<T> = { readonly inside: T; readonly otherwise: T; readonly windows: readonly Window[] };

const COMMAND = "CLISPH";
const DAY_MINUTES = 1440;

/** @param name of the program @param week with set-points as in the text of programs: `21°C` */
export function weekText(
  name: string,
  node: { readonly name: string; readonly address: string },
  week: Week<string>,
): string {
  const target = `${quoted(node.name)} [${node.address}]`;
  const windows = week.windows.map(({ days, from, to }, at) => {
    const on = days.length === DAYS.length ? "" : `On ${days.map((day) => capital(day)).join(", ")} `;
    const next = to <= from ? " (next day)" : "";
    return `${at === 0 ? "" : "Or "}${on}From ${clock(from)} to ${clock(to)}${next}`;
  });
  const lines = [
    "If",
    ...windows,
    "Then",
    `Set ${target} ${COMMAND} ${week.inside}`,
    "Else",
    `Set ${target} ${COMMAND} ${week.otherwise}`,
  ];
  return `Program ${quoted(name)}\n${lines.join("\n")}\n`;
}

/** null: the program is no week of this thermostat. @param tree as the controller sends it */
export function weekOf(tree: object, address: string): Week<SetPoint> | null {
  const {
    if: conditions = [],
    then = [],
    else: otherwise = [],
  } = tree as Record<string, readonly Statement[] | undefined>;
  const windows = conditions.map((condition, at) => (at > 0 && condition.andOr !== "or" ? null : windowOf(condition)));
  const [first, second] = [setPointOf(then, address), setPointOf(otherwise, address)];
  if (windows.length === 0 || first === null || second === null) return null;
  const known = windows.filter((window) => window !== null);
  return known.length === windows.length ? { inside: first, otherwise: second, windows: known } : null;
}

type Statement = {
  readonly type?: string;
  readonly andOr?: string;
  readonly daysofweek?: Readonly<Partial<Record<Day, boolean>>>;
  readonly from?: Time;
  readonly to?: Time;
  readonly id?: unknown;
  readonly node?: unknown;
  readonly p?: readonly { readonly val?: { readonly value: number; readonly prec?: number; readonly uom?: number } }[];
};
type Time = { readonly type?: string; readonly time?: number };

function windowOf({ type, daysofweek, from, to }: Statement): Window | null {
  if (type !== "schedule" || from?.type !== "time" || to?.type !== "time") return null;
  if (from.time === undefined || to.time === undefined) return null;
  const days = DAYS.filter((day) => !daysofweek || daysofweek[day] === true);
  return { days, from: Math.round(from.time / 60) % DAY_MINUTES, to: Math.round(to.time / 60) % DAY_MINUTES };
}

function setPointOf(statements: readonly Statement[], address: string): SetPoint | null {
  const [only, ...more] = statements;
  if (!only || more.length > 0 || only.type !== "cmd" || only.node !== address || only.id !== COMMAND) return null;
  const value = only.p?.[0]?.val;
  return value ? { value: value.value / 10 ** (value.prec ?? 0), uom: String(value.uom ?? 0) } : null;
}

function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, "\\$&")}'`;
}

function capital(day: Day): string {
  return day.charAt(0).toUpperCase() + day.slice(1);
}
