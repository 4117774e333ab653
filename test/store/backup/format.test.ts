/** The lines of a backup: a header, rows and an end are read back as they were; every other line is refused with a reason. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../../src/errors.ts";
import { CONTENT_NAMES, isHistory } from "../../../src/store/backup/contents.ts";
import { FORMAT_VERSION, parseEnd, parseHeader, parseRow } from "../../../src/store/backup/format.ts";

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ControllerError ? `${error.code}: ${error.message}` : error;
  }
}

const HEADER = {
  format: "domovoi-backup",
  version: FORMAT_VERSION,
  takenAtMs: 1_777_777_777_000,
  seq: 12,
  product: "1.2.3",
  shape: 7,
  uuid: "02:00:00:00:00:01",
  name: "Home",
  isEncrypted: false,
  contents: ["controller", "variables"],
  leftOut: ["secrets"],
};
const SUM = { name: "variables", rows: 3, sha256: "ab" };
const END = { end: "domovoi-backup", contents: [SUM], logicalHash: "cd", sha256: "ef" };

const header = (of: object) => outcome(() => parseHeader(JSON.stringify({ ...HEADER, ...of })));
const end = (of: object) => outcome(() => parseEnd(JSON.stringify({ ...END, ...of })));
const row = (line: string) => outcome(() => parseRow(line, 5));

describe("the first line", () => {
  test("is read back as it was, and what a later version adds is left out", () => {
    expect(header({ more: 1 })).toEqual(HEADER);
    expect(header({ takenAtMs: 0, seq: 0, shape: 0, contents: [], leftOut: [], isEncrypted: true })).toEqual({
      ...HEADER,
      takenAtMs: 0,
      seq: 0,
      shape: 0,
      contents: [],
      leftOut: [],
      isEncrypted: true,
    });
  });

  test.each([[{ format: "tar" }], [{ version: "1" }], [{ version: -1 }], [{ version: undefined }]])(
    "that says %j is of no backup",
    (of) => {
      expect(header(of)).toBe("BACKUP_REFUSED: The file is not a backup of Domovoi.");
    },
  );

  test.each(["", "null", "[]", "7", "{", `{"format":"domovoi-backup"`])("%j is of no backup", (line) => {
    expect(outcome(() => parseHeader(line))).toBe("BACKUP_REFUSED: The file is not a backup of Domovoi.");
  });

  test("of a newer format names the version that made it, whatever else it holds", () => {
    const version = FORMAT_VERSION + 1;
    expect(header({ version })).toContain("was made by a newer Domovoi (1.2.3). Use that version, or a newer one.");
    expect(header({ version, product: 7, uuid: null })).toContain("was made by a newer Domovoi. Use that version");
  });

  test.each(Object.keys(HEADER).filter((member) => member !== "format" && member !== "version"))(
    "without a right %s is damaged",
    (member) => {
      for (const wrong of [undefined, null, {}, [7], 1.5]) {
        expect(header({ [member]: wrong })).toBe(
          "BACKUP_REFUSED: The file is damaged: its first line is not a header.",
        );
      }
    },
  );

  test("names only contents that there are", () => {
    expect(header({ contents: [...CONTENT_NAMES] })).toEqual({ ...HEADER, contents: [...CONTENT_NAMES] });
    expect(header({ contents: ["variables", "weather"] })).toContain("names contents that there are not.");
  });
});

describe("a row", () => {
  test("of every content is read back as it was", () => {
    const one = fc.constantFrom(...CONTENT_NAMES).chain((name) => {
      const key = isHistory(name) ? fc.array(fc.oneof(fc.integer(), fc.string())) : fc.string();
      return fc.tuple(fc.constant(name), key, fc.jsonValue({ maxDepth: 5 }));
    });
    fc.assert(
      fc.property(one, ([name, key, body]) => {
        const written = JSON.parse(JSON.stringify([name, key, body]));
        expect(row(JSON.stringify(written))).toEqual({ name, key: written[1], body: written[2] });
      }),
    );
  });

  test.each([
    "",
    "[]",
    "{}",
    '["variables","1/2"]',
    '["variables","1/2",{},0]',
    '["weather","1",{}]',
    '["variables",1,{}]',
    '["variables",["1"],{}]',
    '["journal","1",{}]',
    '["trace",7,{}]',
    '["variables","1",{}',
  ])("that is %j is refused with its line", (line) => {
    expect(row(line)).toBe("BACKUP_REFUSED: The file is damaged: its line 5 is no row.");
  });

  test("has 200 levels at most; brackets in texts are none", () => {
    const nested = (levels: number) => `["variables","1",${"[".repeat(levels)}${"]".repeat(levels)}]`;
    const objects = (levels: number) => `["variables","1",${'{"a":'.repeat(levels)}1${"}".repeat(levels)}]`;
    expect([nested(199), objects(199)].map(row)).toEqual([
      expect.objectContaining({ name: "variables" }),
      expect.objectContaining({ name: "variables" }),
    ]);
    for (const line of [nested(200), objects(200)]) expect(row(line)).toContain("is no row");
    const body = [`${"[".repeat(500)}\\"${"{".repeat(500)}`, ...Array.from({ length: 500 }, () => [{}])];
    expect(row(JSON.stringify(["variables", "1", body]))).toEqual({ name: "variables", key: "1", body });
  });
});

describe("the last line", () => {
  test("is read back as it was; a row is none", () => {
    expect(end({})).toEqual(END);
    expect(end({ contents: [] })).toEqual({ ...END, contents: [] });
    expect(outcome(() => parseEnd('["variables","1",{}]'))).toBeNull();
  });

  test.each([[{ end: "x" }], [{ logicalHash: 1 }], [{ sha256: null }]])(
    "with %j is neither a row nor the end",
    (of) => {
      expect(end(of)).toBe("BACKUP_REFUSED: The file is damaged: a line is neither a row nor the end.");
    },
  );

  test.each([
    ["has no list of contents", { contents: {} }],
    ["does not hold its sums", { contents: [7] }],
    ["does not hold its sums", { contents: [{ ...SUM, name: 1 }] }],
    ["does not hold its sums", { contents: [{ ...SUM, rows: -1 }] }],
    ["does not hold its sums", { contents: [{ ...SUM, sha256: 1 }] }],
  ])("%s: %j", (why, of) => {
    expect(end(of)).toBe(`BACKUP_REFUSED: The file is damaged: its last line ${why}.`);
  });
});
