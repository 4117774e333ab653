/**
 * Verification of arbitrary programs: it never fails, its paths exist, and its impossible conditions are impossible.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition, VariableOperand } from "../../../src/home/program-syntax.ts";
import type { ProgramEntry } from "../../../src/home/programs.ts";
import type { Variable } from "../../../src/home/variables.ts";
import { type ConditionFacts, evaluateConditions } from "../../../src/programs/evaluate.ts";
import { Calendar } from "../../../src/programs/schedule/calendar.ts";
import { verifyPrograms } from "../../../src/programs/verify/verify-programs.ts";
import { createZone } from "../../../src/util/zone.ts";
import { arbitraryConditions, arbitraryTree } from "../../support/arbitrary-trees.ts";
import { inOneGo } from "../../support/in-one-go.ts";
import { type CaseProgram, FIRST_ID } from "./case-words.ts";
import { hasPath } from "./places.ts";
import { entriesOf, verifiedHome, verifyCase } from "./verify-case.ts";

const services = await verifiedHome();

const names = {
  addresses: [...services.home.nodes.keys(), ...services.home.groups.keys(), services.home.controller.uuid],
  words: ["ST", "OL", "DON", "DOF", "DFON", "BRT", "DIM", "QUERY", "CLISPH", "CLIMD", "SECMD"],
  ids: [1, 2, 3, 4, FIRST_ID, FIRST_ID + 1, FIRST_ID + 2],
};

const program: fc.Arbitrary<CaseProgram> = fc
  .record({
    tree: arbitraryTree(names),
    enabled: fc.boolean(),
    runAtStartup: fc.boolean(),
    gate: fc.option(arbitraryConditions(names)),
  })
  .map(({ tree, gate, ...flags }) => ({ ...tree, ...flags, ...(gate ? { gate } : {}) }));

test("a program with thousands of alternatives is verified without failing", () => {
  const isValue = (value: number): Condition => {
    const operand = { kind: "value", value, prec: 0 } as const;
    return { kind: "variable", andOr: "or", type: 2, id: 1, comparison: "IS", operand };
  };
  const alternatives = Array.from({ length: 8000 }, (_, value) => isValue(value));
  expect(verifyCase(services, [{ if: alternatives }]).filter(({ path }) => path !== "if")).toEqual([]);
});

describe("any programs", () => {
  test("are verified without failing, and every reported path exists", () => {
    fc.assert(
      fc.property(fc.array(program, { minLength: 1, maxLength: 4 }), (programs) => {
        const entries = new Map<number, ProgramEntry>(entriesOf(programs).map((entry) => [entry.id, entry]));
        for (const { program: id, path, chain } of verifyCase(services, programs)) {
          expect([path, hasPath(entries.get(id), path)]).toEqual([path, true]);
          for (const step of chain)
            if (step.program !== null) expect(hasPath(entries.get(step.program), step.path)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("have the same findings when they are verified again", () => {
    fc.assert(
      fc.property(fc.array(program, { minLength: 1, maxLength: 3 }), (programs) => {
        expect(verifyCase(services, programs)).toEqual(verifyCase(services, programs));
      }),
      { numRuns: 50 },
    );
  });
});

/** Small worlds that can be looked at whole: state variables 1 and 2, and the status of one program. */
const VALUES = [-1, 0, 1, 2, 3, 4, 5];
const andOr = fc.constantFrom("and" as const, "or" as const);
const small = fc.integer({ min: 0, max: 4 });
const variable = fc.constantFrom(1, 2);
const operand: fc.Arbitrary<VariableOperand> = fc.oneof(
  small.map((value) => ({ kind: "value" as const, value, prec: 0 })),
  variable.map((id) => ({ kind: "variable" as const, type: 2 as const, id })),
);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    andOr,
    kind: fc.constant("variable" as const),
    type: fc.constant(2 as const),
    id: variable,
    comparison: fc.constantFrom("GT", "GE", "LT", "LE", "IS", "ISNOT"),
    operand: fc.oneof(
      { weight: 5, arbitrary: small.map((value) => ({ kind: "value" as const, value, prec: 0 })) },
      operand,
    ),
  }),
  fc.record({ andOr, kind: fc.constant("program" as const), id: fc.constant(FIRST_ID + 1), is: fc.boolean() }),
);
const conditions = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: leaf },
    fc.record({
      andOr,
      kind: fc.constant("paren" as const),
      conditions: fc.array(leaf, { minLength: 1, maxLength: 3 }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

/** The truth of the conditions in every state of the small world, by the engine's own rules. */
function truths(given: readonly Condition[]): readonly boolean[] {
  const calendar = new Calendar(createZone("Europe/Berlin"), 52.5, 13.4);
  return VALUES.flatMap((first) =>
    VALUES.flatMap((second) =>
      [true, false].map((status) => {
        const values = [first, second];
        const facts = {
          property: () => null,
          variable: (_type, id) => ({ value: values[id - 1], prec: 0 }) as Variable,
          members: () => [],
          heldSinceMs: () => null,
          program: () => ({ status }) as ProgramEntry,
          calendar,
        } satisfies ConditionFacts;
        return evaluateConditions(given, facts, { atMs: 0, happening: null });
      }),
    ),
  );
}

describe("conditions that never hold, or always", () => {
  const codesOf = (given: readonly Condition[]) =>
    verifyCase(services, [{ if: given, then: [{ kind: "notify", recipient: 1, content: null }] }, {}])
      .filter(({ program: id, path }) => id === FIRST_ID && path === "if")
      .map(({ code }) => code);

  test("are called so only when the engine agrees in every state", () => {
    fc.assert(
      fc.property(conditions, (given) => {
        const codes = codesOf(given);
        const all = truths(given);
        if (codes.includes("CONDITION_NEVER")) expect(all).not.toContain(true);
        if (codes.includes("CONDITION_ALWAYS")) expect(all).not.toContain(false);
      }),
      { numRuns: 500 },
    );
  });

  test("are all found where each variable is compared with numbers", () => {
    const plain = conditions.filter((given) => !JSON.stringify(given).includes('"operand":{"kind":"variable"'));
    fc.assert(
      fc.property(plain, (given) => {
        const findings = inOneGo(
          verifyPrograms(services, entriesOf([{ if: given, then: [{ kind: "resource", id: 1 }] }, {}])),
        );
        const said = findings.some(({ code, program: id }) => id === FIRST_ID && /NEVER|ALWAYS|REACH/.test(code));
        const all = truths(given);
        if (!all.includes(true) || !all.includes(false)) expect(said).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
