/** The truth of an `if`, as a function of the home and the moment. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../../src/home/program-syntax.ts";
import { evaluateConditions } from "../../src/programs/evaluate.ts";
import { HomeFacts } from "../../src/programs/home-facts.ts";
import type { ConditionValue } from "../../src/programs/trace-record.ts";
import { type CommandServices, createServices, REQUEST, report, START_MS, spec } from "../commands/command-services.ts";

const FALSE: Condition = { andOr: "and", kind: "control", node: "a", command: "DON", comparison: "IS" };
const TRUE: Condition = { ...FALSE, comparison: "ISNOT" };

describe("the truth of an if", () => {
  const moment = { atMs: START_MS, happening: null };
  const factsOf = ({ home, profile, config }: CommandServices) =>
    Object.assign(new HomeFacts(home, profile, config), { heldSinceMs: () => null });
  const truth = (services: CommandServices, ...conditions: Condition[]) =>
    evaluateConditions(conditions, factsOf(services), moment);

  test("AND binds before OR, as in any boolean algebra", async () => {
    const facts = factsOf(await createServices());
    const terms = fc.array(fc.tuple(fc.boolean(), fc.constantFrom("and", "or")), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(terms, (list) => {
        const conditions = list.map(([value, andOr]): Condition => ({ ...(value ? TRUE : FALSE), andOr }));
        const text = list
          .map(([value, andOr], index) => (index ? (andOr === "and" ? "&&" : "||") : "") + value)
          .join(" ");
        const expected = new Function(`return ${text}`)();
        expect(evaluateConditions(conditions, facts, moment)).toBe(expected);
        const paren: Condition = { andOr: "and", kind: "paren", conditions };
        expect(evaluateConditions([paren], facts, moment)).toBe(expected);
      }),
    );
  });

  const LAMP = "ZW002_1";
  const status = (
    comparison: "GT" | "GE" | "LT" | "LE" | "IS" | "ISNOT",
    value: number,
    prec = 0,
    uom = 51,
  ): Condition => ({
    andOr: "and",
    kind: "status",
    node: LAMP,
    property: "ST",
    comparison,
    value: { value, prec, uom },
  });

  test.each([
    [status("IS", 50), { value: 50 }, true],
    [status("IS", 500, 1), { value: 50 }, true],
    [status("GT", 499, 1), { value: 50 }, true],
    [status("GE", 501, 1), { value: 50 }, false],
    [status("LT", 50), { value: 499, prec: 1 }, true],
    [status("LE", 50), { value: 501, prec: 1 }, false],
    [status("ISNOT", 50), { value: 501, prec: 1 }, true],
    [status("IS", 40), { value: 102, uom: 100 }, true],
    [status("IS", 102, 0, 100), { value: 40, uom: 51 }, true],
    [status("IS", 50), { value: 127, uom: 100 }, true],
    [status("IS", 50), { value: 128, uom: 100 }, true],
    [status("GT", 50), { value: 128, uom: 100 }, false],
    [status("GE", 50), { value: 126, uom: 100 }, false],
    [status("IS", 128, 0, 100), { value: 50, uom: 51 }, true],
    [status("LT", 128, 0, 100), { value: 50, uom: 51 }, false],
    [status("GT", 128, 0, 100), { value: 501, prec: 1, uom: 51 }, true],
    [status("IS", 20), { value: 510, prec: 1, uom: 100 }, true],
    [status("IS", 255, 0, 100), { value: 255, uom: 100 }, true],
    [status("IS", 21, 0, 17), { value: 21, uom: 4 }, false],
    [status("IS", 707, 1, 17), { value: 215, prec: 1, uom: 4 }, true],
    [status("GT", 30, 0, 4), { value: 707, prec: 1, uom: 17 }, false],
    [status("GT", 70, 0, 17), { value: 143, uom: 101 }, true],
    [status("GT", 75, 0, 14), { value: 143, uom: 101 }, false],
    [status("GT", 143, 0, 101), { value: 143, uom: 101 }, false],
    [status("IS", 21, 0, 51), { value: 21, uom: 4 }, true],
    [status("ISNOT", 1), { value: null }, false],
    [status("IS", 1), { value: null }, false],
  ])("%o with %o is %s", async (condition, reported, expected) => {
    const services = await createServices();
    services.host.node(spec(LAMP));
    services.host.report([report(LAMP, reported.value, reported)]);
    expect(truth(services, condition)).toBe(expected);
  });

  test("a missing value is false", async () => {
    const services = await createServices();
    services.host.node(spec(LAMP));
    expect(truth(services, status("ISNOT", 1))).toBe(false);
    expect(truth(services, { ...status("ISNOT", 1), node: "nowhere" } as Condition)).toBe(false);
    expect(truth(services, { andOr: "and", kind: "program", id: 77, is: false })).toBe(false);
    const operand = { kind: "value", value: 0, prec: 0 } as const;
    expect(truth(services, { andOr: "and", kind: "variable", type: 1, id: 9, comparison: "ISNOT", operand })).toBe(
      false,
    );
  });

  test("variables are compared as displayed, with a number or with each other", async () => {
    const services = await createServices();
    const put = (id: number, value: number, prec: number) =>
      services.feed.commit(
        { type: "variable-added", variable: { type: 2, id, name: "v", value, init: 0, prec, writtenAtMs: 0 } },
        REQUEST,
      );
    put(1, 51, 1);
    put(2, 5100, 3);
    const is = (operand: Extract<Condition, { kind: "variable" }>["operand"]) =>
      truth(services, { andOr: "and", kind: "variable", type: 2, id: 1, comparison: "IS", operand });
    expect(is({ kind: "variable", type: 2, id: 2 })).toBe(true);
    expect(is({ kind: "value", value: 510, prec: 2 })).toBe(true);
    expect(is({ kind: "value", value: 51, prec: 0 })).toBe(false);
    expect(is({ kind: "variable", type: 2, id: 3 })).toBe(false);
  });
});

test("every condition is reported with its value, in the order of the tree, also one that did not matter", async () => {
  const services = await createServices();
  services.host.node(spec("ZW002_1"));
  services.host.report([report("ZW002_1", 50)]);
  const level: Condition = {
    andOr: "and",
    kind: "status",
    node: "ZW002_1",
    property: "ST",
    comparison: "GT",
    value: { value: 60, prec: 0, uom: 51 },
  };
  const found: ConditionValue[] = [];
  const conditions: Condition[] = [FALSE, { andOr: "or", kind: "paren", conditions: [TRUE, level] }];
  const facts = Object.assign(new HomeFacts(services.home, services.profile, services.config), {
    heldSinceMs: () => null,
  });
  expect(evaluateConditions(conditions, facts, { atMs: START_MS, happening: null }, found)).toBe(false);
  for (const { found: value } of found) expect(Object.keys(value ?? { value: 0, prec: 0 })).toEqual(["value", "prec"]);
  expect(found.map(({ path, isTrue, found: value }) => [path, isTrue, value?.value ?? null])).toEqual([
    [[0], false, null],
    [[1], false, null],
    [[1, 0], true, null],
    [[1, 1], false, 50],
  ]);
});
