import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEditorId, decodeRange, type EncodedRange, encodeEditorId } from "../../src/profile/encoded-editor.ts";
import { Profile } from "../../src/profile/profile.ts";

const NAMES = new Map([
  ["IX_LVL-0", "Off"],
  ["IX_LVL-101", "Unknown"],
  ["IX_LVL-x", "not a number"],
  ["IX_LVLS-0", "another prefix"],
]);

function onlyRange(id: string) {
  return decodeEditorId(id, NAMES)?.ranges[0];
}

describe("an encoded editor id", () => {
  test("carries bounds and the labels of its prefix", () => {
    expect(onlyRange("_51_0_R_0_101_N_IX_LVL")).toEqual({
      uom: 51,
      prec: 0,
      min: 0,
      max: 101,
      step: null,
      subset: null,
      names: new Map([
        [0, "Off"],
        [101, "Unknown"],
      ]),
    });
  });

  test.each([
    ["_17_2_R_m5_10", { uom: 17, prec: 2, min: -5, max: 10, subset: null }],
    ["_25_0_S_0000000F", { uom: 25, prec: 0, min: null, max: null, subset: "0-3" }],
    ["_25_0_S_00000005_80000001", { subset: "0,2,32,63" }],
    ["_73_3", { uom: 73, prec: 3, min: null, max: null, subset: null }],
  ])("%s is decoded", (id, expected) => {
    expect(onlyRange(id)).toMatchObject(expected);
  });

  test.each(["I_OL", "_sys_notify_full", "_", "_51", "_51_0_R_0", "_51_0_S_XYZ", "_51_0_Q_1", "_51_0_N_", ""])(
    "%s names an editor",
    (id) => {
      expect(decodeEditorId(id, NAMES)).toBeNull();
    },
  );

  test("needs no family that is known, and then has no labels; a name that is not encoded finds nothing", () => {
    const profile = new Profile();
    expect(profile.editor("_51_0_N_IX_LVL", 12, 1)?.ranges[0]?.names).toEqual(new Map());
    expect(profile.editor("I_OL", 12, 1)).toBeNull();
    expect(profile.nodedef("UZW1", 12, 1)).toBeNull();
  });

  test("keeps underscores in its prefix", () => {
    expect(decodeRange("_25_0_N_IX_A_B")?.prefix).toBe("IX_A_B");
  });

  const bound = fc.integer({ min: -1e9, max: 1e9 });
  const values = fc.uniqueArray(fc.integer({ min: 0, max: 63 })).map((list) => list.sort((a, b) => a - b));
  const encodedRange = fc.record<EncodedRange>({
    uom: fc.integer({ min: 0, max: 154 }),
    prec: fc.integer({ min: 0, max: 9 }),
    bounds: fc.option(fc.tuple(bound, bound)),
    values: fc.constant(null),
    prefix: fc.option(fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/)),
  });
  const anyRange = fc
    .tuple(encodedRange, fc.option(values))
    .map(([range, list]) => (list === null ? range : { ...range, bounds: null, values: list }));

  test("is read back as it was written", () => {
    fc.assert(
      fc.property(anyRange, (range) => {
        expect(decodeRange(encodeEditorId(range))).toEqual(range);
      }),
    );
  });

  test("never throws, for any id", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        decodeEditorId(text, NAMES);
        decodeEditorId(`_${text}`, NAMES);
      }),
    );
  });
});
