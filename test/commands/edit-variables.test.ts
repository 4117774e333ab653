/** Variables: ids, writing, and numbers as clients write them. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createVariable,
  deleteVariable,
  parseRawNumber,
  renameVariable,
  setVariablePrecision,
  writeVariable,
  writeVariableInit,
} from "../../src/commands/edit-variables.ts";
import { ControllerError } from "../../src/errors.ts";
import { codeOf, createHouse, REQUEST, START_MS, told } from "./command-house.ts";

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
    ["2147483647", 9, INT_MAX],
    ["-2147483648", 0, -INT_MAX - 1],
  ])("%s at precision %i is %i", (text, prec, expected) => {
    expect(parseRawNumber(text, prec, displayed)).toBe(expected);
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
    const house = await createHouse();
    const first = await createVariable(house, 2, given, REQUEST);
    const second = await createVariable(house, 2, given, REQUEST);
    const other = await createVariable(house, 1, given, REQUEST);
    expect(first).toEqual({ type: 2, id: 1, name: "Boost", value: 0, init: 0, prec: 1, writtenAtMs: START_MS });
    expect([second.id, other.id]).toEqual([2, 1]);
    const made = house.entries.filter(({ change }) => change.type === "variable-added");
    expect(house.durable).toEqual(made.map(({ seq }) => seq));
  });

  test("the id of a removed variable is not given away while there are others", async () => {
    const house = await createHouse();
    for (let n = 0; n < 3; n += 1) await createVariable(house, 1, given, REQUEST);
    await deleteVariable(house, 1, 2, REQUEST);
    expect((await createVariable(house, 1, given, REQUEST)).id).toBe(4);
  });

  test("gaps are filled when the ids have run out, and the settings' limit holds", async () => {
    const house = await createHouse({ variablesMax: 2 });
    const last = { type: 1, id: 65_535, name: "Last", value: 0, init: 0, prec: 0, writtenAtMs: 0 } as const;
    house.feed.commit({ type: "variable-added", variable: last }, REQUEST);
    expect((await createVariable(house, 1, given, REQUEST)).id).toBe(1);
    expect(await codeOf(createVariable(house, 1, given, REQUEST))).toBe("LIMIT_REACHED");
  });

  test("an equal value is told too, with the value before; init and precision leave the value alone", async () => {
    const house = await createHouse();
    await createVariable(house, 1, given, REQUEST);
    await writeVariable(house, 1, 1, 51, REQUEST);
    await house.clock.advance(1000);
    await writeVariable(house, 1, 1, 51, REQUEST);
    await writeVariableInit(house, 1, 1, 7, REQUEST);
    await setVariablePrecision(house, 1, 1, 3, REQUEST);
    await renameVariable(house, 1, 1, "Turbo", REQUEST);
    expect(told(house, "variable-written").map(({ before, value }) => [before, value])).toEqual([
      [0, 51],
      [51, 51],
    ]);
    expect(house.home.variables[1].get(1)).toEqual({
      type: 1,
      id: 1,
      name: "Turbo",
      value: 51,
      init: 7,
      prec: 3,
      writtenAtMs: START_MS + 1000,
    });
    expect(house.durable).toHaveLength(6);
  });

  test.each([
    ["a value beyond 32 bits", (h: House) => writeVariable(h, 1, 1, 2 ** 31, REQUEST), "BAD_VALUE"],
    ["a fraction", (h: House) => writeVariable(h, 1, 1, 1.5, REQUEST), "BAD_VALUE"],
    ["an init beyond 32 bits", (h: House) => writeVariableInit(h, 1, 1, -(2 ** 31) - 1, REQUEST), "BAD_VALUE"],
    ["a precision of 10", (h: House) => setVariablePrecision(h, 1, 1, 10, REQUEST), "BAD_VALUE"],
    ["half a precision", (h: House) => createVariable(h, 1, { name: "A", prec: 0.5 }, REQUEST), "BAD_VALUE"],
    ["a bad name", (h: House) => createVariable(h, 1, { name: "", prec: 0 }, REQUEST), "BAD_NAME"],
    ["another bad name", (h: House) => renameVariable(h, 1, 1, "a\u0000", REQUEST), "BAD_NAME"],
    ["an unknown id", (h: House) => writeVariable(h, 1, 2, 1, REQUEST), "VARIABLE_NOT_FOUND"],
    ["another type", (h: House) => deleteVariable(h, 2, 1, REQUEST), "VARIABLE_NOT_FOUND"],
  ] as const)("%s is refused and changes nothing", async (_claim, work, code) => {
    const house = await createHouse();
    await createVariable(house, 1, given, REQUEST);
    const before = [...house.entries];
    expect(await codeOf(work(house))).toBe(code);
    expect(house.entries).toEqual(before);
  });
});

type House = Awaited<ReturnType<typeof createHouse>>;
