import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { decodeJsonText, parseJson } from "../../src/http/json-body.ts";

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ControllerError ? error.code : "threw";
  }
}

/** JSON.stringify spells large doubles as integers that are not exactly theirs. */
const isExact = (text: string) => !/\d{16,}/.test(text) && !text.includes("__proto__");

test("every JSON value that a double and UTF-8 can hold arrives as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      if (isExact(text)) expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("a text has no more values than allowed", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const values = valuesOf(value);
      if (!isExact(text)) return;
      expect(parseJson(text, values)).toEqual(JSON.parse(text));
      if (values > 0) expect(outcome(() => parseJson(text, values - 1))).toBe("BODY_TOO_LARGE");
    }),
  );
});

/** Entries of all lists and objects; an empty one counts as one. */
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const entries = Object.values(value);
  return entries.reduce<number>((sum, each) => sum + valuesOf(each), Math.max(1, entries.length));
}

test("any text either parses as JSON.parse does or is refused", () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom("{", "}", "[", "]", '"a"', '"', ":", ",", "1", "-", "e9", "\\", "true", " ", "\\u0041"), {
        maxLength: 14,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (body) => {
      const mine = outcome(() => parseJson(body));
      if (mine !== "BAD_JSON") expect(mine).toEqual(JSON.parse(body));
    }),
    { numRuns: 3000 },
  );
});

describe("refused", () => {
  test.each([
    ["a key given twice", '{"a":1,"b":{"a":2},"a":3}'],
    ["a key given twice in two spellings", '{"a":1,"\\u0061":2}'],
    ["__proto__", '{"__proto__":{"admin":true}}'],
    ["__proto__ in escapes", '{"\\u005f_proto__":1}'],
    ["a number beyond doubles", '{"a":1e400}'],
    ["a negative number beyond doubles", "[-1e400]"],
    ["an integer that a double does not hold", "[9007199254740993]"],
    ["half a surrogate pair", '["\\ud800"]'],
    ["half a surrogate pair in a key", '{"\\udc00":1}'],
    ["65 levels", "[".repeat(65) + "]".repeat(65)],
    ["100,000 levels", "[".repeat(100_000)],
    ["100,000 objects deep", '{"a":'.repeat(100_000)],
    ["trailing text", "{} {}"],
    ["single quotes", "{'a':1}"],
    ["a string that does not end", '{"a":"'],
    ["NaN", "[NaN]"],
  ])("%s", (_, text) => expect(outcome(() => parseJson(text))).toBe("BAD_JSON"));

  test("bytes that are not UTF-8, and a byte order mark", () => {
    expect(outcome(() => decodeJsonText(Buffer.from([0x22, 0xff, 0x22])))).toBe("BAD_JSON");
    expect(outcome(() => decodeJsonText(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])))).toBe("BAD_JSON");
    expect(outcome(() => decodeJsonText(Buffer.from("\ufeff{}")))).toBe("BAD_JSON");
  });
});

describe("accepted", () => {
  test("bytes that begin like a byte order mark and are none", () => {
    for (const text of ["\uf000", "\ufec0", "\ufefe"]) expect(decodeJsonText(Buffer.from(text))).toBe(text);
  });

  test.each([
    ["64 levels", "[".repeat(64) + "]".repeat(64)],
    ["the same key in two objects", '[{"a":1},{"a":1}]'],
    ["a string that looks like a key twice", '{"a":"b","b":"a"}'],
    ["a whole surrogate pair in escapes", '["\\ud83d\\ude00"]'],
    ["the largest safe integer", "[9007199254740991]"],
    ["a large number with an exponent", "[1e300]"],
    ["a decimal point", '{"value":51.0}'],
    ["quotes and brackets in strings", '{"a\\"}{":"][\\\\"}'],
    ["a bare value", "null"],
  ])("%s", (_, text) => expect(outcome(() => parseJson(text))).toEqual(JSON.parse(text)));
});

test("a body of one megabyte is read in well under a second", () => {
  const text = JSON.stringify({ a: Array.from({ length: 60_000 }, (_, index) => ({ [`k${index}`]: index })) });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});
