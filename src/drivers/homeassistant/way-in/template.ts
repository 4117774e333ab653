/** The few templates that say what the language of programs says too: states, numbers, the hour, joined by "and" and "or". */

import type { Comparison } from "../../../home/program-syntax.ts";

/** `attribute` "": the state itself. */
export type TemplateTest =
  | {
      readonly kind: "state";
      readonly entity: string;
      readonly attribute: string;
      readonly word: string;
      readonly is: boolean;
    }
  | {
      readonly kind: "number";
      readonly entity: string;
      readonly attribute: string;
      readonly comparison: Comparison;
      readonly number: number;
    }
  | { readonly kind: "hour"; readonly comparison: Comparison; readonly number: number }
  | { readonly kind: "trigger"; readonly id: string; readonly is: boolean }
  /** That a state is one: what becomes reachable starts nothing here. */
  | { readonly kind: "known" };

type Parts = Readonly<Partial<Record<string, string>>>;

const TEMPLATE_MAX = 500;
const OPERATORS: Readonly<Record<string, Comparison>> = {
  ...{ ">": "GT", ">=": "GE", "<": "LT", "<=": "LE", "==": "IS", "!=": "ISNOT" },
};
const NAME = String.raw`['"](?<entity>[a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]`;
const WORD = `['"](?<word>[^'"]{0,100})['"]`;
const ATTRIBUTE = String.raw`(?:, ?['"](?<attribute>\w{1,100})['"])?`;
const OF_STATE = String.raw`(?:states|state_attr)\(['"](?<entity>[a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"](?:, ?['"](?<attribute>\w{1,100})['"])?\)`;
const SAME = "(?<operator>==|!=)";

const stateOf = ({ entity = "", attribute = "", word = "", not, operator = "==" }: Parts): TemplateTest => ({
  ...{ kind: "state", entity, attribute, word, is: not === undefined && operator === "==" },
});
const comparisonOf = ({ operator = "" }: Parts) => OPERATORS[operator] ?? "IS";

/** Forms without spaces at the ends of parentheses. */
const FORMS: readonly (readonly [form: RegExp, test: (parts: Parts) => TemplateTest])[] = [
  [new RegExp(String.raw`^(?<not>not )?is_state(?:_attr)?\(${NAME}${ATTRIBUTE}, ?${WORD}\)$`), stateOf],
  [new RegExp(`^${OF_STATE} ?${SAME} ?${WORD}$`), stateOf],
  [
    new RegExp(
      String.raw`^\(?${OF_STATE} ?\| ?(?:float|int)(?:\([-\w.=]{0,20}\))?\)? ?(?<operator>>=|<=|==|!=|>|<) ?(?<number>-?\d{1,9}(?:\.\d{1,6})?)$`,
    ),
    (parts) => ({
      ...{ kind: "number", entity: parts.entity ?? "", attribute: parts.attribute ?? "" },
      ...{ comparison: comparisonOf(parts), number: Number(parts.number) },
    }),
  ],
  [
    /^now\(\)\.hour ?(?<operator>>=|<=|>|<) ?(?<number>\d{1,2})$/,
    (parts) => ({ kind: "hour", comparison: comparisonOf(parts), number: Number(parts.number) }),
  ],
  [
    new RegExp(`^trigger\\.id ?${SAME} ?${WORD}$`),
    ({ word = "", operator }) => ({ kind: "trigger", id: word, is: operator === "==" }),
  ],
  [
    /^trigger\.(?:from|to)_state\.state not in ?[[(](?:['"](?:unknown|unavailable)['"],? ?){1,2}[\])]$/,
    () => ({ kind: "known" }),
  ],
  [new RegExp(String.raw`^has_value\(${NAME}\)$`), () => ({ kind: "known" })],
];

/** Alternatives, each of tests that hold together. null: it says more than these can. */
export function testsIn(template: string): readonly (readonly TemplateTest[])[] | null {
  const text = template.length > TEMPLATE_MAX ? "" : template.trim();
  const inside = /^\{\{(?<inside>[^{}]{1,500})\}\}$/.exec(text)?.groups?.inside ?? "";
  const plain = inside.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")").trim();
  const all = plain.split(" or ").map((each) => each.split(" and ").map((part) => testIn(part.trim())));
  const known = all.map((each) => each.filter((test) => test !== null));
  return known.every((each, at) => each.length === all[at]?.length) ? known : null;
}

function testIn(text: string): TemplateTest | null {
  for (const [form, test] of FORMS) {
    const parts = form.exec(text)?.groups ?? (form.test(text) ? {} : null);
    if (parts) return test(parts);
  }
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
