/** Editors as codecs, and those that are written in their own id. @see client/RULES.md */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEditor } from "../../client/src/model/editor.ts";
import { decodeEditorId } from "../../client/src/model/encoded-editor.ts";
import type { EditorRange } from "../../client/src/model/profile.ts";
import { ProfileIndex } from "../../client/src/model/profile-index.ts";
import { encodeEditorId } from "../../src/profile/encoded-editor.ts";

const NONE = new Map<string, string>();
const range = (parts: Partial<EditorRange>): EditorRange => ({
  ...{ uom: "51", prec: 0, min: null, max: null, step: null, subset: null, names: new Map() },
  ...parts,
});
const editor = (...ranges: EditorRange[]) => createEditor({ id: "E", ranges });

describe("encoded ids", () => {
  test.each([
    [
      "_51_0_R_0_101_N_IX_LVL",
      {
        uom: "51",
        min: 0,
        max: 101,
        names: [
          [0, "Dark"],
          [101, "Unknown"],
        ],
      },
    ],
    ["_17_2_R_m5_10", { uom: "17", prec: 2, min: -5, max: 10 }],
    ["_25_0_S_0000000F", { uom: "25", subset: "0,1,2,3" }],
    ["_25_0_S_00000001_80000000", { uom: "25", subset: "0,63" }],
    ["_73_3", { uom: "73", prec: 3 }],
  ])("M14 %s", (id, parts) => {
    const labels = new Map([
      ["IX_LVL-0", "Dark"],
      ["IX_LVL-101", "Unknown"],
      ["IX_LVL-x", "no"],
      ["IX_LV-1", "no"],
    ]);
    const decoded = decodeEditorId(id, labels)?.ranges[0];
    expect(decoded && { ...decoded, names: [...decoded.names] }).toEqual({ ...range({}), names: [], ...parts });
  });

  test.each(["_sys_notify_full", "_51", "51_0", "_51_0_R_5", "_51_0_S_", "_51_0_X", "_51_0_N_", ""])(
    "M14 %j is the name of an editor",
    (id) => {
      expect(decodeEditorId(id, NONE)).toBeNull();
    },
  );

  test("M14 every encoding that a controller writes is read back", () => {
    const limits = fc.oneof(
      fc.constant({ bounds: null, values: null }),
      fc
        .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }))
        .map((bounds) => ({ bounds, values: null })),
      fc
        .uniqueArray(fc.integer({ min: 0, max: 63 }), { minLength: 1 })
        .map((values) => ({ bounds: null, values: values.sort((a, b) => a - b) })),
    );
    const encoded = fc.record({ uom: fc.integer({ min: 0, max: 9999 }), prec: fc.integer({ min: 0, max: 9 }), limits });
    fc.assert(
      fc.property(encoded, ({ uom, prec, limits: { bounds, values } }) => {
        const id = encodeEditorId({ uom, prec, bounds, values, prefix: null });
        expect(decodeEditorId(id, NONE)?.ranges).toEqual([
          range({
            uom: String(uom),
            prec,
            min: bounds?.[0] ?? null,
            max: bounds?.[1] ?? null,
            subset: values?.join(",") ?? null,
          }),
        ]);
      }),
    );
  });

  test("M14 an id that is none is looked up in its own instance, then the common one, then the first radio's", () => {
    const editors = (family: string, instance: string, ids: readonly string[]) => ({
      ...{ family, instance, nodedefs: [], linkdefs: [] },
      editors: ids.map((id) => ({ id, ranges: [range({ uom: `${family}${instance}` })] })),
    });
    const index = new ProfileIndex([
      editors("4", "1", ["A", "B", "C"]),
      editors("common", "1", ["A", "B"]),
      editors("10", "7", ["A", "_51_0"]),
    ]);
    const units = ["A", "B", "C", "D", "_51_0"].map((id) => index.editor(id, "10", "7")?.units.join() ?? null);
    expect(units).toEqual(["107", "common1", "41", null, "51"]);
  });
});

// Trying every way to part the digits would take hours.
test("a subset of a megabyte of digits is none", () => {
  const endless = editor(range({ subset: `${"1".repeat(1_000_000)}x` }));
  expect(() => endless.encode(1)).toThrow();
});

describe("values", () => {
  const OL = range({ min: 0, max: 100, names: new Map([[0, "Off"]]) });
  const INDEX = range({
    uom: "25",
    subset: "0-3,7",
    names: new Map([
      [1, "Slow"],
      [7, "Fast"],
    ]),
  });
  const TENTHS = range({ uom: "17", prec: 1, min: -40, max: 120, names: new Map([[705, "Cosy"]]) });

  test.each([
    ["a number in range", editor(OL), 40, { value: 40, uom: "51" }],
    ["the first range that takes it", editor(OL, INDEX), 7, { value: 7, uom: "51" }],
    ["the range of the unit", editor(OL, INDEX), { value: 7, uom: 25 }, { value: 7, uom: "25" }],
    ["a label", editor(OL, INDEX), "fast", { value: 7, uom: "25" }],
    ["a label of a scaled value", editor(TENTHS), "Cosy", { value: 70.5, uom: "17" }],
    ["an open subset", editor(range({ subset: "5-", max: 9 })), 9, { value: 9, uom: "51" }],
    ["a subset that is open below", editor(range({ subset: "-7", min: 2 })), 3, { value: 3, uom: "51" }],
    [
      "an open subset of labels",
      editor(
        range({
          subset: "-",
          names: new Map([
            [2, "b"],
            [4, "d"],
          ]),
        }),
      ),
      3,
      { value: 3, uom: "51" },
    ],
    ["labels without bounds", editor(range({ names: new Map([[2, "b"]]) })), 2, { value: 2, uom: "51" }],
    ["anything without limits", editor(range({})), -1.5, { value: -1.5, uom: "51" }],
    ["anything when nothing is known", editor(), 12.5, { value: 12.5, uom: "0" }],
  ])("C2 %s is taken", (_what, of, value, expected) => {
    expect(of.encode(value)).toEqual(expected);
  });

  test.each([
    ["above", editor(OL), 100.5, "100.5 is not accepted (editor E). Allowed: 0 to 100 (unit 51)."],
    ["below", editor(TENTHS), -41, "-41 is not accepted (editor E). Allowed: -40 to 120 (unit 17)."],
    [
      "between the choices",
      editor(INDEX),
      5,
      "5 is not accepted (editor E). Allowed: 0, 1 (Slow), 2, 3, 7 (Fast) (unit 25).",
    ],
    ["a fraction of a choice", editor(INDEX), 1.5, "1.5 is not accepted"],
    ["no label of it", editor(range({ names: new Map([[2, "b"]]) })), 3, "Allowed: 2 (b) (unit 51)."],
    ["another unit", editor(OL), { value: 1, uom: 17 }, "1 in unit 17 is not accepted"],
    ["an unknown label", editor(OL), "Dim", '"Dim" is not accepted'],
    ["infinite", editor(range({})), Number.POSITIVE_INFINITY, "Allowed: a number (unit 51)."],
    ["a label when nothing is known", editor(), "On", "Allowed: a number."],
  ])("C2 %s is refused, with the allowed values", (_what, of, value, sentence) => {
    expect(() => of.encode(value)).toThrow(sentence);
  });

  test("M13 what is reported in a unit of the editor is shown with its label, a byte as percent where only that is known", () => {
    const decode = (of: ReturnType<typeof editor>, value: string, uom: string, prec = 0) =>
      of.decode({ value, uom, prec });
    expect(decode(editor(OL), "0", "51")).toEqual({ value: 0, uom: "51", label: "Off" });
    expect(decode(editor(TENTHS), "705", "17", 1)).toEqual({ value: 70.5, uom: "17", label: "Cosy" });
    expect(decode(editor(OL), "127", "100")).toEqual({ value: 50, uom: "51", label: null });
    expect(decode(editor(OL), "0", "100")).toEqual({ value: 0, uom: "51", label: "Off" });
    expect(decode(editor(OL, range({ uom: "100" })), "127", "100")).toEqual({ value: 127, uom: "100", label: null });
    expect(decode(editor(OL), "156", "101")).toEqual({ value: 156, uom: "101", label: null });
    expect(decode(editor(OL), "", "51")).toEqual({ value: null, uom: "51", label: null });
    expect(decode(editor(OL), "on", "51")).toEqual({ value: null, uom: "51", label: null });
  });

  test("C2 M13 what an editor takes it shows as it was given", () => {
    const given = fc
      .integer({ min: 0, max: 4 })
      .chain((prec) =>
        fc.tuple(fc.integer({ min: -9999, max: 9999 }), fc.constant(prec), fc.integer({ min: 1, max: 99 })),
      );
    fc.assert(
      fc.property(given, ([raw, prec, uom]) => {
        const of = editor(range({ uom: String(uom), prec, min: -10_000, max: 10_000 }));
        const { value } = of.encode(raw / 10 ** prec);
        expect(of.decode({ value: String(Math.round(value * 10 ** prec)), uom: String(uom), prec }).value).toBe(
          raw / 10 ** prec,
        );
      }),
    );
  });
});
