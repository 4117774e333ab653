import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { parseTarget, surfaceOf } from "../../src/http/target.ts";

function pathOf(raw: string): string {
  try {
    return parseTarget(raw).path;
  } catch (error) {
    return error instanceof ControllerError ? error.code : "threw";
  }
}

describe("spellings of clients in the field are read as what they mean", () => {
  test.each([
    ["/rest/nodes", "/rest/nodes"],
    ["/rest/nodes/", "/rest/nodes"],
    ["/rest/nodes?", "/rest/nodes"],
    ["/rest/", "/rest"],
    ["/rest/rest", "/rest/rest"],
    ["/rest/programs/?subfolders=true", "/rest/programs"],
    ["//rest///nodes//", "/rest/nodes"],
    ["/", "/"],
    ["//", "/"],
    ["/rest/nodes/11%2022%2033%201", "/rest/nodes/11%2022%2033%201"],
    ["/rest/nodes/11 22 33 1", "/rest/nodes/11%2022%2033%201"],
    ["/api/nodes/a:b&c", "/api/nodes/a%3Ab%26c"],
    ["/rest/nodes/a%2Fb", "/rest/nodes/a%2Fb"],
    ["/rest/nodes/a+b", "/rest/nodes/a%2Bb"],
    ["/%72est/%6eodes", "/rest/nodes"],
    ["/rest/nodes/%25", "/rest/nodes/%25"],
    ["/rest/nodes/%2525", "/rest/nodes/%2525"],
    ["/rest/nodes/%c3%a4", "/rest/nodes/%C3%A4"],
    ["/rest/nodes/n1/cmd/DON/()", "/rest/nodes/n1/cmd/DON/()"],
    ["/rest//rest/vars/set/1/2/3/", "/rest/vars/set/1/2/3"],
    ["/rest/rest/rest/vars/get/1", "/rest/vars/get/1"],
    ["/rest/vars\\set\\1\\2\\3", "/rest/vars/set/1/2/3"],
    ["/rest/vars\\\\set\\", "/rest/vars/set"],
    ["/rest/vars/set%5C1%5c2/3", "/rest/vars/set/1/2/3"],
    ["/rest/nodes/a\\b", "/rest/nodes/a%5Cb"],
    ["/rest/profiles/en_US.txt", "/rest/profiles/en_US.txt"],
    ["/rest/nodes/...", "/rest/nodes/..."],
  ])("%s", (raw, path) => expect(pathOf(raw)).toBe(path));
});

describe("ambiguous targets are refused", () => {
  test.each([
    "/rest/../api/config",
    "/rest/./nodes",
    "/rest/..",
    "/rest/%2e%2e/nodes",
    "/rest/.%2E/nodes",
    "/rest/vars/set\\..\\nodes",
    "/rest/vars%5C..%5Cnodes",
    "/rest/nodes/a%00b",
    "/rest/nodes/a%0ab",
    "/rest/nodes/a%7f",
    "/rest/nodes/a%C2%85",
    "/rest/nodes/%zz",
    "/rest/nodes/%",
    "/rest/nodes/%c3",
    "/rest/nodes/%c0%af",
    "/rest/nodes/%ed%a0%80",
    "/rest/nodes/ä",
    "/rest/nodes#top",
    "/rest/nodes?name=%ff",
    "/rest/nodes?name=ä",
    "/rest/nodes?name=a#top",
    "?",
    "http://elsewhere/rest/nodes",
    "*",
    "",
    "rest/nodes",
  ])("%s", (raw) => expect(pathOf(raw)).toBe("BAD_PATH"));
});

test("a query is kept as it came, commas included", () => {
  expect(parseTarget("/rest/profiles?include=nodedefs,editors,linkdefs").query).toBe(
    "include=nodedefs,editors,linkdefs",
  );
  expect(parseTarget("/rest/x?a?b").query).toBe("a?b");
});

test("the surface is decided by whole segments", () => {
  expect([
    surfaceOf("/api"),
    surfaceOf("/api/x"),
    surfaceOf("/apix"),
    surfaceOf("/rest"),
    surfaceOf("/restful"),
    surfaceOf("/"),
  ]).toEqual(["api", "api", "other", "rest", "other", "other"]);
});

const segment = fc.oneof(
  fc.constantFrom(
    "rest",
    "api",
    "vars",
    "nodes",
    "..",
    ".",
    "%2e",
    "%2E%2e",
    "a%2fb",
    "a%5Cb",
    "\\",
    "%5c",
    "%25",
    "%252e",
    " ",
    "",
    "%00",
    "+",
  ),
  fc.string({ maxLength: 8 }),
  fc
    .string({ unit: "binary", maxLength: 6 })
    .filter((text) => text.isWellFormed())
    .map(encodeURIComponent),
);
const target = fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join("/")}`);

describe("for any target", () => {
  test("normalising what is normalised changes nothing, so a decision is the same before and after", () => {
    fc.assert(
      fc.property(target, (raw) => {
        const path = pathOf(raw);
        if (path !== "BAD_PATH") expect(pathOf(path)).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });

  test("no segment of a normalised path is empty, a dot, or decodes to a control character", () => {
    fc.assert(
      fc.property(target, (raw) => {
        const path = pathOf(raw);
        if (path === "BAD_PATH" || path === "/") return;
        for (const part of path.slice(1).split("/").map(decodeURIComponent)) {
          expect(part).not.toMatch(/^\.{0,2}$|[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("a name survives its way through a segment", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => text.isWellFormed() && !/^\.{1,2}$|[\u0000-\u001f\u007f-\u009f]/.test(text));
    fc.assert(
      fc.property(name, (text) => {
        expect(
          pathOf(`/rest/nodes/${encodeURIComponent(text)}`)
            .split("/")
            .slice(3)
            .map(decodeURIComponent),
        ).toEqual([text]);
      }),
    );
  });
});
