/** Members of a query: what is given is read whole or refused, what is not given is null. */

import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { instantInQuery, oneOfQuery, wholeNumber } from "../../src/http/query.ts";

type Read = (query: URLSearchParams, name: string) => unknown;

const limit: Read = (query, name) => wholeNumber(query, name, 1000);
const order: Read = (query, name) => oneOfQuery(query, name, ["name", "newest"]);

function outcome(read: Read, text: string): unknown {
  try {
    return read(new URLSearchParams(text), "x");
  } catch (error) {
    return error instanceof ControllerError ? `${error.code}: ${error.message}` : error;
  }
}

test.each([limit, order, instantInQuery])("a member that is not given is null: %o", (read) => {
  expect(outcome(read, "y=1")).toBeNull();
});

describe("a whole number", () => {
  test.each([
    ["0", 0],
    ["007", 7],
    ["999", 999],
    ["1000", 1000],
  ])("%s", (text, value) => expect(outcome(limit, `x=${text}`)).toBe(value));

  test.each(["", "1001", "-1", "%2B1", "1.0", "1e2", "0x10", "ten", "00000000000000001"])("refused: %j", (text) => {
    expect(outcome(limit, `x=${text}`)).toBe("BAD_VALUE: x is a whole number from 0 to 1000.");
  });
});

describe("one of several words", () => {
  test.each(["name", "newest"])("%s", (word) => expect(outcome(order, `x=${word}`)).toBe(word));

  test.each(["", "Name", "name,newest"])("refused: %j", (word) => {
    expect(outcome(order, `x=${word}`)).toBe("BAD_VALUE: x is one of name, newest.");
  });
});

describe("a time", () => {
  test.each([
    ["2026-05-02T12:00:00Z", Date.UTC(2026, 4, 2, 12)],
    ["2026-05-02T12:00:00.250%2B02:00", Date.UTC(2026, 4, 2, 10, 0, 0, 250)],
    ["1970-01-01T00:00:00Z", 0],
  ])("%s", (text, atMs) => expect(outcome(instantInQuery, `x=${text}`)).toBe(atMs));

  test.each(["", "yesterday", "2026-13-01T00:00:00Z"])("refused: %j", (text) => {
    expect(outcome(instantInQuery, `x=${text}`)).toBe(
      "BAD_VALUE: x is a time in ISO 8601, such as 2026-05-02T12:00:00Z.",
    );
  });
});
