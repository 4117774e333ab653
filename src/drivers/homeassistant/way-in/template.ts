/** The few templates that say what the language of programs says too: states, numbers, the hour, joined by "and" and "or". */

import type { Comparison } from "../../../home/program-syntax.ts";

export type TemplateTest =
  | {
      readonly kind: "state";
      readonly entity: string;
      readonly attribute: string | null;
      readonly word: string;
      readonly is: boolean;
    }
  | {
      readonly kind: "number";
      readonly entity: string;
      readonly attribute: string | null;
      readonly comparison: Comparison;
      readonly number: number;
    }
  | { readonly kind: "hour"; readonly comparison: Comparison; readonly number: number }
  | { readonly kind: "trigger"; readonly id: string; readonly is: boolean }
  /** That a state is one: what becomes reachable starts nothing here. */
  | { readonly kind: "known" };

const TEMPLATE_MAX = 500;
const OPERATORS: Readonly<Record<string, Comparison>> = {
  ...{ ">": "GT", ">=": "GE", "<": "LT", "<=": "LE", "==": "IS", "!=": "ISNOT" },
};
const WORD = `(?:'([^'"]{0,100})'|"([^'"]{0,100})")`;
const NAME = String.raw`\s{0,5}['"]([a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]\s{0,5}`;
const OF_STATE = String.raw`(?:states\(\s{0,5}['"]([a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]\s{0,5}\)|state_attr\(\s{0,5}['"]([a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]\s{0,5},\s{0,5}['"](\w{1,100})['"]\s{0,5}\))`;
const NUMBER = String.raw`(-?\d{1,9}(?:\.\d{1,6})?)`;
const IS_STATE = new RegExp(
  String.raw`^(not )?\s{0,5}is_state(?:_attr)?\(${NAME}(?:,\s{0,5}['"](\w{1,100})['"]\s{0,5})?,\s{0,5}${WORD}\s{0,5}\)$`,
);
const SAME = new RegExp(String.raw`^${OF_STATE}\s{0,5}(==|!=)\s{0,5}${WORD}$`);
const COUNTED = new RegExp(
  String.raw`^\(?${OF_STATE}\s{0,5}\|\s{0,5}(?:float|int)(?:\([-\w.=]{0,20}\))?\s{0,5}\)?\s{0,5}(>=|<=|==|!=|>|<)\s{0,5}${NUMBER}$`,
);
const HOUR = /^now\(\)\.hour\s{0,5}(>=|<=|>|<)\s{0,5}(\d{1,2})$/;
const TRIGGER = new RegExp(String.raw`^trigger\.id\s{0,5}(==|!=)\s{0,5}${WORD}$`);

const IS_KNOWN =
  /^trigger\.(?:from|to)_state\.state\s{1,5}not in\s{0,5}[[(](?:\s{0,5}['"](?:unknown|unavailable)['"],?){1,2}\s{0,5}[\])]$/;

/** Alternatives, each of tests that hold together. null: it says more than these can. */
export function testsIn(template: string): readonly (readonly TemplateTest[])[] | null {
  const text = template.length > TEMPLATE_MAX ? "" : template.trim();
  const inside = text.startsWith("{{") && text.endsWith("}}") ? text.slice(2, -2).trim() : "";
  if (inside === "" || inside.includes("{{") || inside.includes("{%")) return null;
  const all = inside.split(/\sor\s/).map((each) => each.split(/\sand\s/).map((part) => testIn(part.trim())));
  const known = all.map((each) => each.filter((test) => test !== null));
  return known.every((each, at) => each.length === all[at]?.length) ? known : null;
}

function testIn(text: string): TemplateTest | null {
  const [is, same, counted, hour, trigger] = [IS_STATE, SAME, COUNTED, HOUR, TRIGGER].map((form) => form.exec(text));
  if (is) {
    const [, not, entity = "", attribute = null, single, double] = is;
    return { kind: "state", entity, attribute, word: single ?? double ?? "", is: not === undefined };
  }
  if (same) {
    const [, state, ofAttribute, attribute = null, operator, single, double] = same;
    return {
      kind: "state",
      entity: state ?? ofAttribute ?? "",
      attribute,
      word: single ?? double ?? "",
      is: operator === "==",
    };
  }
  if (counted) {
    const [, state, ofAttribute, attribute = null, operator = "", number] = counted;
    const comparison = OPERATORS[operator] ?? "IS";
    return { kind: "number", entity: state ?? ofAttribute ?? "", attribute, comparison, number: Number(number) };
  }
  if (hour) return { kind: "hour", comparison: OPERATORS[hour[1] ?? ""] ?? "IS", number: Number(hour[2]) };
  if (IS_KNOWN.test(text)) return { kind: "known" };
  if (trigger) return { kind: "trigger", id: trigger[2] ?? trigger[3] ?? "", is: trigger[1] === "==" };
  return null;
}

const VALUE =
  /^(?:states\(\s{0,5}['"]([a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]\s{0,5}\)|states\.([a-z0-9_]{1,100}\.[a-z0-9_]{1,100})\.state)(?:\s{0,5}\|\s{0,5}\w{1,20}(?:\([-\w.,=\s]{0,30}\))?){0,3}$/;

/** A text with values of entities in it. @param shown null: there is none of the entity. @returns null: it has other templates */
export function textWithValues(text: string, shown: (entity: string) => string | null): string | null {
  if (text.includes("{%") || text.includes("{#")) return null;
  const [first = "", ...rest] = text.split("{{");
  const parts = rest.map((part) => {
    const end = part.indexOf("}}");
    const found = end < 0 || end > TEMPLATE_MAX ? null : VALUE.exec(part.slice(0, end).trim());
    const value = found && shown(found[1] ?? found[2] ?? "");
    return value === null ? null : value + part.slice(end + 2);
  });
  return parts.includes(null) ? null : first + parts.join("");
}
