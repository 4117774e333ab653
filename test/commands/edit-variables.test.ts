/** Variables: ids, writing, and numbers as clients write them. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeVariable,
  createVariable,
  deleteVariable,
  parseRawNumber,
  writeVariable,
} from "../../src/commands/edit-variables.ts";
import { ControllerError } from "../../src/errors.ts";
import { codeOf, createServices, REQUEST, START_MS, told } from "./command-services.ts";

const displayed = { floatIsDisplayed: true };
const raw = { floatIsDisplayed: false };
const INT_MAX = 2_147_483_647;

describe("a number as it was written", () => {
  test.each([
    ["51", 2, 51],
    ["51.0", 0, 51],
    ["51.0", 1, 510],
    ["5.1", 2, 510],
    ["1.005", 2, 101],
    ["-1.005", 2, -101],
    ["0.1", 9, 100_000_000],
    ["2.5", 0, 3],
    ["-2.5", 0, -3],
    ["2.4999999999999999999", 0, 2],
    ["5e0", 1, 50],
    ["5E-1", 1, 5],
    ["1.5e3", 0, 1500],
    ["0.0000000001e10", 0, 1],
    ["-0.0", 3, 0],
    ["-0", 0, 0],
    ["+7", 0, 7],
    [".5", 1, 5],
    ["5.", 1, 50],
    ["007", 0, 7],
    ["1e-999999", 9, 0],
    ["0.0789", 0, 0],
    ["0.0789", 1, 1],
    ["0e99", 0, 0],
    ["2147483647", 9, INT_MAX],
    ["-2147483648", 0, -INT_MAX - 1],
  ])("%s at precision %i is %i", (text, prec, expected) => {
    expect(parseRawNumber(text, prec, displayed)).toBe(expected);
  });

  test("a number has at most 400 characters", () => {
    expect(parseRawNumber(`5.${"0".repeat(398)}`, 0, displayed)).toBe(5);
    expect(() => parseRawNumber(`5.${"0".repeat(399)}`, 0, displayed)).toThrow(ControllerError);
  });

  test.each([
    ["21.0", 21],
    ["3.7", 4],
    ["12", 12],
    ["1e2", 100],
  ])("where every number is raw, %s is %i at any precision", (text, expected) => {
    expect(parseRawNumber(text, 5, raw)).toBe(expected);
  });

  test.each([
    "",
    " 1",
    "1 ",
    "abc",
    "--1",
    "1.2.3",
    "0x10",
    "1e",
    "e5",
    ".",
    "-",
    "NaN",
    "Infinity",
    "1e400",
    "2147483648",
    "-2147483649",
    "214748364.8e1",
    "1e99999999",
    "9".repeat(500),
    "1_000",
    "١",
  ])("%j is refused", (text) => {
    expect(() => parseRawNumber(text, 0, displayed)).toThrow(ControllerError);
  });

  test("agrees with exact decimal arithmetic, half away from zero", () => {
    const parts = fc.tuple(
      fc.boolean(),
      fc.nat(200_000),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
    );
    fc.assert(
      fc.property(parts, ([isNegative, whole, digits, exponent, prec]) => {
        const text = `${isNegative ? "-" : ""}${whole}.${digits.join("")}e${exponent}`;
        const numerator = BigInt(`${whole}${digits.join("")}`) * 10n ** BigInt(exponent + prec + 3);
        const denominator = 10n ** BigInt(digits.length + 3);
        const expected = Number((2n * numerator + denominator) / (2n * denominator));
        fc.pre(expected <= INT_MAX);
        expect(parseRawNumber(text, prec, displayed)).toBe(isNegative && expected !== 0 ? -expected : expected);
      }),
    );
  });

  test("reads back what displaying made of a raw value", () => {
    fc.assert(
      fc.property(fc.integer({ min: -INT_MAX - 1, max: INT_MAX }), fc.integer({ min: 0, max: 9 }), (value, prec) => {
        const shown = (value / 10 ** prec).toFixed(prec);
        expect(parseRawNumber(prec === 0 ? `${shown}.0` : shown, prec, displayed)).toBe(value);
      }),
    );
  });
});

describe("writing", () => {
  const given = { name: "Boost", prec: 1 };

  test("a new variable is 0, gets the next id of its type, and is on disk before it is answered", async () => {
    const services = await createServices();
    const first = await createVariable(services, 2, given, REQUEST);
    const second = await createVariable(services, 2, given, REQUEST);
    const other = await createVariable(services, 1, given, REQUEST);
    expect(first).toEqual({ type: 2, id: 1, name: "Boost", value: 0, init: 0, prec: 1, writtenAtMs: START_MS });
    expect([second.id, other.id]).toEqual([2, 1]);
    const made = services.entries.filter(({ change }) => change.type === "variable-added");
    expect(services.durable).toEqual(made.map(({ seq }) => seq));
  });

  test("minus zero is zero", async () => {
    const services = await createServices();
    const { id } = await createVariable(services, 1, { ...given, init: -0 }, REQUEST);
    await writeVariable(services, 1, id, -0, REQUEST);
    const { value, init } = services.home.variables[1].get(id) ?? {};
    expect([Object.is(value, 0), Object.is(init, 0)]).toEqual([true, true]);
  });

  test("the id of a removed variable is not given away while there are others", async () => {
    const services = await createServices();
    for (let n = 0; n < 3; n += 1) await createVariable(services, 1, given, REQUEST);
    await deleteVariable(services, 1, 2, REQUEST);
    expect((await createVariable(services, 1, given, REQUEST)).id).toBe(4);
  });

  test("the id of a removed variable is not given away when it was the only one", async () => {
    const services = await createServices();
    const { id } = await createVariable(services, 1, given, REQUEST);
    await deleteVariable(services, 1, id, REQUEST);
    expect((await createVariable(services, 1, given, REQUEST)).id).toBe(2);
  });

  test("gaps are filled when the ids have run out, and the settings' limit holds", async () => {
    const services = await createServices({ variablesMax: 2 });
    const last = { type: 1, id: 65_535, name: "Last", value: 0, init: 0, prec: 0, writtenAtMs: 0 } as const;
    services.feed.commit({ type: "variable-added", variable: last }, REQUEST);
    expect((await createVariable(services, 1, given, REQUEST)).id).toBe(1);
    expect(await codeOf(createVariable(services, 1, given, REQUEST))).toBe("LIMIT_REACHED");
  });

  test("an equal value is published too, with the value before, and keeps its time; init and precision leave the value alone", async () => {
    const services = await createServices();
    await createVariable(services, 1, given, REQUEST);
    await writeVariable(services, 1, 1, 51, REQUEST);
    await services.clock.advance(1000);
    await writeVariable(services, 1, 1, 51, REQUEST);
    await changeVariable(services, 1, 1, { init: 7 }, REQUEST);
    await changeVariable(services, 1, 1, { prec: 3 }, REQUEST);
    await changeVariable(services, 1, 1, { name: "Turbo" }, REQUEST);
    expect(told(services, "variable-written").map(({ before, value }) => [before, value])).toEqual([
      [0, 51],
      [51, 51],
    ]);
    expect(services.home.variables[1].get(1)).toEqual({
      type: 1,
      id: 1,
      name: "Turbo",
      value: 51,
      init: 7,
      prec: 3,
      writtenAtMs: START_MS,
    });
    expect(services.durable).toHaveLength(6);
  });

  test.each([
    ["a value beyond 32 bits", (h: Services) => writeVariable(h, 1, 1, 2 ** 31, REQUEST), "BAD_VALUE"],
    ["a fraction", (h: Services) => writeVariable(h, 1, 1, 1.5, REQUEST), "BAD_VALUE"],
    [
      "an init beyond 32 bits",
      (h: Services) => changeVariable(h, 1, 1, { init: -(2 ** 31) - 1 }, REQUEST),
      "BAD_VALUE",
    ],
    ["a precision of 10", (h: Services) => changeVariable(h, 1, 1, { prec: 10 }, REQUEST), "BAD_VALUE"],
    ["half a precision", (h: Services) => createVariable(h, 1, { name: "A", prec: 0.5 }, REQUEST), "BAD_VALUE"],
    ["a bad name", (h: Services) => createVariable(h, 1, { name: "", prec: 0 }, REQUEST), "BAD_NAME"],
    ["another bad name", (h: Services) => changeVariable(h, 1, 1, { name: "a\u0000" }, REQUEST), "BAD_NAME"],
    ["an unknown id", (h: Services) => writeVariable(h, 1, 2, 1, REQUEST), "VARIABLE_NOT_FOUND"],
    ["another type", (h: Services) => deleteVariable(h, 2, 1, REQUEST), "VARIABLE_NOT_FOUND"],
  ] as const)("%s is refused and changes nothing", async (_claim, work, code) => {
    const services = await createServices();
    await createVariable(services, 1, given, REQUEST);
    const before = [...services.entries];
    expect(await codeOf(work(services))).toBe(code);
    expect(services.entries).toEqual(before);
  });
});

type Services = Awaited<ReturnType<typeof createServices>>;
