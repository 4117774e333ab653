/** Arbitrary conditions and statements by room and role, as the service accepts them. */

import fc from "fast-check";
import {
  COMPARISONS,
  ROLE_SUMMARIES,
  type RoleTest,
  type Selector,
  type Span,
  type SyntaxValue,
} from "../../src/home/program-syntax.ts";
import { valueNeed } from "../../src/profile/role-commands.ts";
import { MEASURE_NAMES, ROLE_WORD_NAMES, ROLE_WORDS, type RoleCommand } from "../../src/profile/role-words.ts";
import type { StatusWord } from "../../src/profile/status-words.ts";

const statesOf = (word: (typeof ROLE_WORD_NAMES)[number]): readonly StatusWord[] => ROLE_WORDS[word].states;
const commandsOf = (word: (typeof ROLE_WORD_NAMES)[number]): readonly RoleCommand[] => ROLE_WORDS[word].commands;

const comparison = fc.constantFrom(...COMPARISONS);

function selectorOf<R extends Selector["role"]>(role: fc.Arbitrary<R>, address: fc.Arbitrary<string>) {
  const addresses = fc.array(address, { maxLength: 3 });
  return fc.record({ role, places: addresses, except: addresses });
}

/** @param word of a command */
export function arbitraryRoleCondition(
  address: fc.Arbitrary<string>,
  word: fc.Arbitrary<string>,
  value: fc.Arbitrary<SyntaxValue>,
  lasting: fc.Arbitrary<Span>,
) {
  const kind = fc.constant("roles" as const);
  const andOr = fc.constantFrom("and" as const, "or" as const);
  const how = fc.constantFrom("any" as const, "all" as const, "none" as const);
  const withStates = ROLE_WORD_NAMES.filter((each) => statesOf(each).length > 0);
  const ofState = selectorOf(fc.constantFrom(...withStates), address).chain((selector) => {
    const is = fc.constantFrom(...statesOf(selector.role));
    const test: fc.Arbitrary<RoleTest> = fc.oneof(
      fc.record({ how, is }),
      fc.record({ how, is, lasting }),
      fc.record({ how: fc.constant("number" as const), is, comparison, number: fc.nat(99_999) }),
    );
    return fc.record({ andOr, kind, selector: fc.constant(selector), test });
  });
  const ofMeasure = fc.record({
    andOr,
    kind,
    selector: selectorOf(fc.constantFrom(...MEASURE_NAMES), address),
    test: fc.record({ how: fc.constantFrom(...ROLE_SUMMARIES), comparison, value }),
  });
  const ofCommand = fc.record({
    andOr,
    kind,
    selector: selectorOf(fc.constantFrom(...ROLE_WORD_NAMES), address),
    test: fc.record({
      how: fc.constant("sends" as const),
      command: word,
      comparison: fc.constantFrom("IS" as const, "ISNOT" as const),
    }),
  });
  return fc.oneof(ofState, ofMeasure, ofCommand);
}

export function arbitraryRoleAction(address: fc.Arbitrary<string>, value: fc.Arbitrary<SyntaxValue>) {
  const commanded = ROLE_WORD_NAMES.filter((each) => commandsOf(each).length > 0);
  return selectorOf(fc.constantFrom(...commanded), address).chain((selector) =>
    fc.constantFrom(...commandsOf(selector.role)).chain((command) => {
      const need = valueNeed(command);
      const given = need === "none" ? fc.constant(null) : need === "required" ? value : fc.option(value);
      return fc.record({
        kind: fc.constant("roles" as const),
        selector: fc.constant(selector),
        command: fc.constant(command),
        value: given,
      });
    }),
  );
}
