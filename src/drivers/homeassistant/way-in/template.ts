/** The few templates that say what conditions say too: states, numbers, the hour, joined by "and" and "or". */

import { allKnown, type Fields, timeText } from "./read.ts";

type Parts = Readonly<Partial<Record<string, string>>>;

const TEMPLATE_MAX = 500;
/** Limits of numbers; "above" and "below" are those of conditions. */
const LIMITS: Parts = { ">": "above", ">=": "from", "<": "below", "<=": "to", "==": "is", "!=": "isnot" };
const NAME = String.raw`['"](?<entity>[a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"]`;
const WORD = `['"](?<word>[^'"]{0,100})['"]`;
const ATTRIBUTE = String.raw`(?:, ?['"](?<attribute>\w{1,100})['"])?`;
const OF_STATE = String.raw`(?:states|state_attr)\(['"](?<entity>[a-z0-9_]{1,100}\.[a-z0-9_]{1,100})['"](?:, ?['"](?<attribute>\w{1,100})['"])?\)`;
const SAME = "(?<operator>==|!=)";
/** What becomes reachable starts nothing here, so that a state is one. */
const KNOWN: Fields = { condition: "and", conditions: [] };

const turned = (isTurned: boolean, fields: Fields): Fields =>
  isTurned ? { condition: "not", conditions: [fields] } : fields;
const stateOf = ({ entity, attribute, word, not, operator = "==" }: Parts): Fields =>
  turned(not !== undefined || operator === "!=", { condition: "state", entity_id: entity, attribute, state: [word] });

/** Texts without spaces at the ends of parentheses. */
const FORMS: readonly (readonly [form: RegExp, condition: (parts: Parts) => Fields])[] = [
  [new RegExp(String.raw`^(?<not>not )?is_state(?:_attr)?\(${NAME}${ATTRIBUTE}, ?${WORD}\)$`), stateOf],
  [new RegExp(`^${OF_STATE} ?${SAME} ?${WORD}$`), stateOf],
  [
    new RegExp(
      String.raw`^\(?${OF_STATE} ?\| ?(?:float|int)(?:\([-\w.=]{0,20}\))?\)? ?(?<operator>>=|<=|==|!=|>|<) ?(?<number>-?\d{1,9}(?:\.\d{1,6})?)$`,
    ),
    ({ entity, attribute, operator = "", number }) => ({
      ...{ condition: "numeric_state", entity_id: entity, attribute, [LIMITS[operator] ?? ""]: number },
    }),
  ],
  [/^now\(\)\.hour ?(?<operator>>=|<=|>|<) ?(?<number>\d{1,2})$/, hours],
  [
    new RegExp(`^trigger\\.id ?${SAME} ?${WORD}$`),
    ({ word, operator }) => turned(operator === "!=", { condition: "trigger", id: [word] }),
  ],
  [/^trigger\.(?:from|to)_state\.state not in ?[[(](?:['"](?:unknown|unavailable)['"],? ?){1,2}[\])]$/, () => KNOWN],
  [new RegExp(String.raw`^has_value\(${NAME}\)$`), () => KNOWN],
];

function hours({ operator = "", number }: Parts): Fields {
  const isFrom = operator.startsWith(">");
  const hour = Number(number) + (operator === ">" || operator === "<=" ? 1 : 0);
  if (hour > 0 && hour < 24) return { condition: "time", [isFrom ? "after" : "before"]: timeText(hour) };
  return turned(hour <= 0 !== isFrom, KNOWN);
}

/** null: it says more than these can. */
export function conditionIn(template: string): Fields | null {
  const text = template.length > TEMPLATE_MAX ? "" : template.trim();
  const inside = /^\{\{(?<inside>[^{}]{1,500})\}\}$/.exec(text)?.groups?.inside ?? "";
  const plain = inside.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
  const alternatives = plain.split(" or ").map((each) => {
    const conditions = allKnown(each.split(" and ").map((part) => testIn(part.trim())));
    return conditions && { condition: "and", conditions };
  });
  const conditions = allKnown(alternatives);
  return conditions && { condition: "or", conditions };
}

function testIn(text: string): Fields | null {
  for (const [form, condition] of FORMS) {
    const found = form.exec(text);
    if (found) return condition(found.groups ?? {});
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
