/** Numbers keep their value, addresses their meaning. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAddress, parseAddress } from "../../../src/drivers/zwave/addresses.ts";
import { fromDecimal, levelToPercent, percentToLevel, toDecimal } from "../../../src/drivers/zwave/plan/exact.ts";
import { quantity } from "../../../src/drivers/zwave/plan/kinds.ts";

/** Numbers as devices send them: up to four bytes, and a number of decimals of three bits. */
const sent = fc.tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 7 }));

describe("numbers", () => {
  test("are the integers that the device sent, before any conversion of the library", () => {
    fc.assert(
      fc.property(sent, ([integer, decimals]) => {
        const told = toDecimal(integer / 10 ** decimals, decimals);
        expect(told).toEqual({ value: integer, prec: decimals });
      }),
    );
  });

  test("have no more decimals than they need, and at least those of their kind", () => {
    fc.assert(
      fc.property(sent, fc.integer({ min: 0, max: 3 }), ([integer, decimals], least) => {
        const told = toDecimal(integer / 10 ** decimals, least);
        expect(told && fromDecimal(told)).toBe(integer / 10 ** decimals);
        expect(told?.prec).toBeGreaterThanOrEqual(least);
        expect(told?.prec).toBeLessThanOrEqual(Math.max(least, decimals));
      }),
    );
  });

  test("in thousandths are the same in ones", () => {
    const kilo = quantity(136, 1, null, 1);
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (thousandths) => {
        const told = kilo.read(thousandths / 1000);
        expect((told?.value ?? 0) / 10 ** (told?.prec ?? 0)).toBe(thousandths);
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e300])("%d is none", (number) => {
    expect(toDecimal(number, 0)).toBeNull();
  });

  test("zero has no sign", () => {
    expect(Object.is(toDecimal(-0, 1)?.value, 0)).toBe(true);
  });
});

describe("levels", () => {
  test("that are sent are reported equal, but for the one step that Z-Wave does not have", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
        const back = levelToPercent(percentToLevel(percent));
        expect(back).toBe(percent === 99 ? 100 : percent);
      }),
    );
  });

  test("rise with their percent, from off to full", () => {
    fc.assert(
      fc.property(fc.double({ min: -20, max: 120, noNaN: true }), (percent) => {
        const level = percentToLevel(percent);
        expect(level).toBeGreaterThanOrEqual(0);
        expect(level).toBeLessThanOrEqual(99);
        expect(percentToLevel(percent + 1)).toBeGreaterThanOrEqual(level);
      }),
    );
  });
});

const place = fc.record({
  nodeId: fc.integer({ min: 1, max: 4000 }),
  endpoint: fc.integer({ min: 0, max: 127 }),
  part: fc.oneof(fc.constantFrom(0, 143), fc.integer({ min: 301, max: 499 })),
});
const family = fc.constantFrom(4 as const, 12 as const);

describe("addresses", () => {
  test("are read back as the node that they name", () => {
    fc.assert(
      fc.property(family, place, (radio, node) => {
        expect(parseAddress(radio, formatAddress(radio, node))).toEqual(node);
      }),
    );
  });

  test("of the other radio, or of another form, match no node", () => {
    const others = ["ZY005_1", "ZW5_1", "ZW005", "ZW005_0", "ZW005_1234567", "5C 2 D1 1", ""];
    expect(others.map((address) => parseAddress(4, address))).toEqual(others.map(() => null));
  });
});
