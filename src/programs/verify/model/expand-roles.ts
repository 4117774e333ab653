/**
 * Programs by room and role as programs about single devices, for the checks that search and play. A few of the devices that are meant
 * stand for all of them, those that other programs name before others: four give the same findings as many, and many take too long.
 * Conditions with "for" and summaries of measures stay as they are, and are taken as ones that may hold or not.
 */

import type { Home } from "../../../home/home.ts";
import type { Node } from "../../../home/nodes.ts";
import type { Action, Comparison, Condition, RoleTest, Selector } from "../../../home/program-syntax.ts";
import type { ProgramEntry } from "../../../home/programs.ts";
import type { Profile } from "../../../profile/profile.ts";
import { memberCommand } from "../../../profile/role-commands.ts";
import { isSecured } from "../../../profile/roles.ts";
import { isLevel, type StatusWord, valueOfWord } from "../../../profile/status-words.ts";
import { isTimed } from "../../holds.ts";
import { membersOf } from "../../role-members.ts";

const MEMBERS_MIN = 4;
/** More combinations of devices are not written out. */
const MEMBERS_COUNTED_MAX = 6;

export type Expanded = {
  readonly entry: ProgramEntry;
  /** The place in the program as it is written. */
  readonly writtenPath: (path: string) => string;
};

/** @param isNamed whether another program names the node */
export function expandRoles(
  home: Home,
  profile: Profile,
  entry: ProgramEntry,
  isNamed: (address: string) => boolean,
): Expanded | null {
  const expander = new Expander(home, profile, isNamed);
  if (entry.kind === "folder") {
    const conditions = expander.conditions(entry.conditions, "if");
    return expander.isUsed ? { entry: { ...entry, conditions }, writtenPath: (path) => expander.written(path) } : null;
  }
  const { tree } = entry;
  const expanded = {
    if: expander.conditions(tree.if, "if"),
    then: expander.actions(tree.then, "then"),
    else: expander.actions(tree.else, "else"),
  };
  return expander.isUsed
    ? { entry: { ...entry, tree: expanded }, writtenPath: (path) => expander.written(path) }
    : null;
}

class Expander {
  isUsed = false;
  readonly #home: Home;
  readonly #profile: Profile;
  readonly #isNamed: (address: string) => boolean;
  /** Places of conditions that were written out: what is below them is theirs. */
  readonly #conditions: string[] = [];
  /** Indexes as they are written, by those of the expanded clause. */
  readonly #indexes = new Map<string, readonly number[]>();

  constructor(home: Home, profile: Profile, isNamed: (address: string) => boolean) {
    this.#home = home;
    this.#profile = profile;
    this.#isNamed = isNamed;
  }

  written(path: string): string {
    const condition = this.#conditions.find((each) => path.startsWith(`${each}.`));
    if (condition !== undefined) return condition;
    return path.replace(/^(then|else)\[(\d+)\]/, (whole, clause: string, at: string) => {
      const index = this.#indexes.get(clause)?.[Number(at)];
      return index === undefined ? whole : `${clause}[${index}]`;
    });
  }

  conditions(list: readonly Condition[], path: string): readonly Condition[] {
    return list.map((condition, at) => {
      const place = `${path}[${at}]`;
      if (condition.kind === "paren")
        return { ...condition, conditions: this.conditions(condition.conditions, `${place}.conditions`) };
      if (condition.kind !== "roles" || isTimed(condition)) return condition;
      const written = this.#expandedTest(condition.selector, condition.test);
      if (!written) return condition;
      this.isUsed = true;
      this.#conditions.push(place);
      return { ...written, andOr: condition.andOr };
    });
  }

  actions(list: readonly Action[], clause: "then" | "else"): readonly Action[] {
    const indexes: number[] = [];
    const expanded = list.flatMap((action, at): readonly Action[] => {
      const made = action.kind === "roles" ? this.#commands(action) : [action];
      for (const _each of made) indexes.push(at);
      return made;
    });
    this.#indexes.set(clause, indexes);
    return expanded;
  }

  #commands({ selector, command, value }: Extract<Action, { readonly kind: "roles" }>): readonly Action[] {
    this.isUsed = true;
    return this.#few(selector, MEMBERS_MIN).flatMap((node) => {
      const given = isSecured(this.#profile, node) ? null : memberCommand(this.#profile, node, command, value);
      return given ? [{ kind: "command", node: node.address, ...given }] : [];
    });
  }

  #few(selector: Selector, max: number): readonly Node[] {
    const rank = ({ address }: Node) => (this.#isNamed(address) ? 0 : 1);
    const nodes = membersOf(this.#home, selector).flatMap(({ address }) => this.#home.nodes.get(address) ?? []);
    return nodes.sort((a, b) => rank(a) - rank(b)).slice(0, max);
  }

  /** null: it stays as it is. */
  #expandedTest(selector: Selector, test: RoleTest): Condition | null {
    switch (test.how) {
      case "any":
      case "all":
      case "none":
      case "number": {
        const max = test.how === "number" ? Math.max(MEMBERS_MIN, test.number + 2) : MEMBERS_MIN;
        const nodes = this.#few(selector, max).filter((node) => stateOf(node, test.is, true) !== null);
        if (nodes.length === 0) return null;
        const matches = nodes.map((node) => stateOf(node, test.is, true) as Condition);
        const others = nodes.map((node) => stateOf(node, test.is, false) as Condition);
        if (test.how === "number") return nodes.length > MEMBERS_COUNTED_MAX ? null : counted(test, matches, others);
        if (test.how === "none") return joined(others, "and");
        return joined(matches, test.how === "any" ? "or" : "and");
      }
      case "sends": {
        const controls = this.#few(selector, MEMBERS_MIN).map(
          ({ address: node }): Condition => ({
            andOr: "and",
            kind: "control",
            node,
            command: test.command,
            comparison: test.comparison,
          }),
        );
        return controls.length === 0 ? null : joined(controls, test.comparison === "IS" ? "or" : "and");
      }
      case "average":
      case "min":
      case "max":
        return null;
    }
  }
}

/** Whether the status of the node is the word, or is another one. null: its unit cannot say it. */
function stateOf({ address, role, properties }: Node, is: StatusWord, isSo: boolean): Condition | null {
  const uom = properties.get("ST")?.uom;
  const value = uom === undefined ? null : valueOfWord(is, uom, role ?? null);
  if (uom === undefined || value === null) return null;
  const isUpperLevel = isLevel(uom) && value > 0;
  const comparison: Comparison = isUpperLevel ? (isSo ? "GT" : "IS") : isSo ? "IS" : "ISNOT";
  const compared = { value: isUpperLevel ? 0 : value, prec: 0, uom };
  return { andOr: "and", kind: "status", node: address, property: "ST", comparison, value: compared };
}

type Counting = Extract<RoleTest, { readonly how: "number" }>;

function counted(
  { comparison, number }: Counting,
  matches: readonly Condition[],
  others: readonly Condition[],
): Condition {
  const atLeast = (count: number) =>
    joined(
      combinations(matches, count).map((each) => joined(each, "and")),
      "or",
    );
  const atMost = (count: number) =>
    joined(
      combinations(others, others.length - count).map((each) => joined(each, "and")),
      "or",
    );
  switch (comparison) {
    case "GE":
      return atLeast(number);
    case "GT":
      return atLeast(number + 1);
    case "LE":
      return atMost(number);
    case "LT":
      return atMost(number - 1);
    case "IS":
      return joined([atLeast(number), atMost(number)], "and");
    case "ISNOT":
      return joined([atMost(number - 1), atLeast(number + 1)], "or");
  }
}

/** Every choice of so many of them; none for more than there are. */
function combinations<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  if (count < 0 || count > all.length) return [];
  if (count === 0) return [[]];
  const [first, ...rest] = all;
  if (first === undefined) return [];
  return [...combinations(rest, count - 1).map((each) => [first, ...each]), ...combinations(rest, count)];
}

function joined(conditions: readonly Condition[], andOr: "and" | "or"): Condition {
  const parts = conditions.length === 0 && andOr === "or" ? [UNDECIDED] : conditions;
  return { andOr: "and", kind: "paren", conditions: parts.map((each) => ({ ...each, andOr })) };
}

/** Stands for "or" over no conditions. The variable does not exist, so verification takes the condition as one that may hold or not. */
const UNDECIDED: Condition = {
  andOr: "and",
  kind: "variable",
  type: 1,
  id: 0,
  comparison: "IS",
  operand: { kind: "value", value: 0, prec: 0 },
};
