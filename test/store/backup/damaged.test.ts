/** A damaged backup is refused with the reason, and changes nothing. */

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRow } from "../../../src/store/backup/format.ts";
import { readBackup } from "../../../src/store/backup/read-backup.ts";
import { restoreBackup } from "../../../src/store/backup/restore-backup.ts";
import { verifyBackup } from "../../../src/store/backup/verify-backup.ts";
import { openHome, START_MS, temporaryDirectory } from "../../support/test-store.ts";
import { backUp, encryptLightly, fileOf, linesOf, newFile, PASSPHRASE, pack } from "./backup-case.ts";

const DAMAGED = /^The file is (damaged: .+|cut off(: .+)?|not a backup of Domovoi)\.$/;

/** Node unpacks gzip in pieces of this size. */
const UNPACKED_BYTES = 16_384;

async function sample() {
  const dir = temporaryDirectory();
  await (await openHome(dir)).close();
  const { path, end } = await backUp(dir, null, true);
  return { bytes: readFileSync(path), lines: linesOf(path), hash: end.logicalHash };
}

/** The verified logical hash, or the reason for none. */
async function outcomeOf(bytes: Uint8Array, passphrase: string | null = PASSPHRASE): Promise<string> {
  return await verifyBackup(fileOf(bytes), passphrase).then(
    ({ end }) => end.logicalHash,
    (error: Error) => error.message,
  );
}

function flip(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  return copy;
}

const bit = fc.nat(7);
const within = (bytes: Buffer) => fc.nat(bytes.length - 1);

describe("a flipped bit", () => {
  test("anywhere in an open backup is refused, but for spare bits behind the last one of gzip, which say nothing", async () => {
    const { bytes, hash } = await sample();
    // Deflate ends within a byte; what is left of that byte is followed by a checksum and a length of four bytes each.
    const padded = bytes.length - 9;
    const places = within(bytes).filter((at) => at !== padded);
    await fc.assert(
      fc.asyncProperty(places, bit, async (at, which) => {
        expect(await outcomeOf(flip(bytes, at, which))).toMatch(DAMAGED);
      }),
      { numRuns: 400 },
    );
    expect(await outcomeOf(flip(bytes, padded, 7))).toSatisfy((said: string) => said === hash || DAMAGED.test(said));
  });

  test("anywhere in an encrypted backup is refused", async () => {
    const bytes = await encryptLightly((await sample()).bytes);
    await fc.assert(
      fc.asyncProperty(within(bytes), bit, async (at, which) => {
        expect(await outcomeOf(flip(bytes, at, which))).toMatch(/^The file (is|does not open) /);
      }),
      { numRuns: 200 },
    );
  });
});

test("a file that is cut off anywhere is refused, encrypted or not", async () => {
  const { bytes } = await sample();
  const encrypted = await encryptLightly(bytes);
  await fc.assert(
    fc.asyncProperty(within(bytes), async (length) => {
      expect(await outcomeOf(bytes.subarray(0, length))).toMatch(DAMAGED);
      expect(await outcomeOf(encrypted.subarray(0, length))).toMatch(/^The file (is|does not open) /);
    }),
    { numRuns: 100 },
  );
});

test("the unharmed file is proven, open and encrypted", async () => {
  const { bytes, hash } = await sample();
  expect(await outcomeOf(bytes, null)).toBe(hash);
  expect(await outcomeOf(await encryptLightly(bytes))).toBe(hash);
});

test("a wrong passphrase, and a missing one, have errors of their own", async () => {
  const bytes = await encryptLightly((await sample()).bytes);
  expect(await outcomeOf(bytes, "another passphrase")).toBe(
    "The file does not open with this passphrase: it is another one, or the file's first lines are damaged.",
  );
  expect(await outcomeOf(bytes, null)).toBe("The file is encrypted: it needs the passphrase with which it was made.");
});

describe("a file that was put together wrongly", () => {
  const told = async (change: (lines: readonly string[]) => readonly string[]) => {
    const { lines } = await sample();
    return outcomeOf(pack(change(lines).join("\n")));
  };
  const withHeader =
    (patch: object) =>
    ([header = "", ...rest]: readonly string[]) => [JSON.stringify({ ...JSON.parse(header), ...patch }), ...rest];

  const withRow = (row: string) => (all: readonly string[]) => all.toSpliced(1, 0, row);

  /** Of the last line: another name in the place of a content's, and contents that are added. */
  const renamed =
    (from: string, to: string, ...more: readonly object[]) =>
    (all: readonly string[]) => {
      const end = JSON.parse(all.at(-2) ?? "") as { contents: { name: string }[] };
      const contents = end.contents.map((each) => (each.name === from ? { ...each, name: to } : each));
      return all.with(-2, JSON.stringify({ ...end, contents: [...contents, ...more] }));
    };

  test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    ["of a newer version", withHeader({ version: 2, product: "9.1.0" }), "was made by a newer Domovoi (9.1.0). Use"],
    ["of a newer shape", withHeader({ shape: 999, product: "9.1.0" }), "was made by a newer Domovoi (9.1.0). Use"],
    ["of another kind", withHeader({ format: "other" }), "is not a backup of Domovoi"],
    ["with an unknown content", withHeader({ contents: ["cellar"] }), "is damaged: its first line names contents"],
    ["with fewer contents", withHeader({ contents: ["controller"] }), "is damaged: its line"],
    ["with another first line", withHeader({ name: "Else" }), "is damaged: the sum of the whole is wrong"],
    [
      "with an end of other contents",
      renamed("folders", "groups"),
      "its last line lists other contents than its first",
    ],
    [
      "with an end of more contents",
      renamed("x", "x", { name: "trace", rows: 0, sha256: "" }),
      "the sum of the whole is",
    ],
    ["without an end", (all) => all.slice(0, -2), "is cut off: its end is missing"],
    ["without a row", (all) => all.toSpliced(1, 1), "is damaged: of controller it holds 0 rows instead of 1"],
    ["with a row behind the end", (all) => [...all.slice(0, -1), all[1] ?? "", ""], "is damaged: data after its end"],
    ["with a line that is none", (all) => all.toSpliced(1, 0, "[1]"), "is damaged: its line 2 is no row"],
    ["with a row twice", (all) => all.toSpliced(2, 0, all[1] ?? ""), "is damaged: a row of controller is invalid"],
    ["with an entry without its members", withRow('["journal",[1],{}]'), "is damaged: a journal entry is invalid"],
    [
      "with an entry that cannot be read",
      withRow('["journal",[9,9,0,"system","",null,"reports",2],7]'),
      "is damaged: an entry of the journal is invalid",
    ],
    ["with a record without its members", withRow('["trace",[1],{}]'), "is damaged: a trace record is invalid"],
    ["with a row changed", (all) => all.with(1, (all[1] ?? "").replace("52.5", "52.6")), "the sum of controller is"],
  ])("%s is told", async (_name, change, sentence) => {
    expect(await told(change)).toContain(sentence);
  });

  test.each([-1, 0, 1])(
    "is read to the same result with a line break %i bytes behind an unpacked piece",
    async (past) => {
      const { lines } = await sample();
      const [header = ""] = lines;
      const { name } = JSON.parse(header);
      const longer = "x".repeat(UNPACKED_BYTES + past - header.length + name.length);
      const changed = withHeader({ name: longer })(lines);
      expect(changed[0]).toHaveLength(UNPACKED_BYTES + past);
      expect(await outcomeOf(pack(changed.join("\n")))).toBe("The file is damaged: the sum of the whole is wrong.");
    },
  );

  test("with a row nested 20 million deep is refused without much memory", async () => {
    const { lines } = await sample();
    const bytes = pack(lines.toSpliced(1, 0, `${"[".repeat(20_000_000)}${"]".repeat(20_000_000)}`).join("\n"));
    const before = process.resourceUsage().maxRSS;
    expect(await outcomeOf(bytes)).toBe("The file is damaged: its line 2 is no row.");
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(500);
  });

  test("is nested at most 200 deep, its own brackets included", () => {
    const row = (depth: number) => `["nodes","key",${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}]`;
    expect(parseRow(row(200), 2)).toMatchObject({ name: "nodes", key: "key" });
    expect(() => parseRow(row(201), 2)).toThrow("The file is damaged: its line 2 is no row.");
  });

  test("with brackets in a text is not taken for nested", async () => {
    const { lines } = await sample();
    const row = JSON.stringify(["secrets", "name", `"\\${"[{".repeat(1000)}`]);
    const [header = "", ...rest] = lines;
    const open = JSON.stringify({ ...JSON.parse(header), contents: ["secrets"] });
    expect(await outcomeOf(pack([open, row, ...rest].join("\n")))).not.toContain("no row");
  });

  test("and what is no backup at all", async () => {
    expect(await outcomeOf(Buffer.from("PK a zip file of some kind"))).toBe("The file is not a backup of Domovoi.");
    expect(await outcomeOf(Buffer.alloc(0))).toBe("The file is not a backup of Domovoi.");
    expect(await outcomeOf(Buffer.concat([(await sample()).bytes, Buffer.from("more")]))).toMatch(DAMAGED);
  });

  test("a line that is longer than any of ours is refused, before it fills the memory", async () => {
    const bytes = pack("x".repeat(68_000_000));
    expect(await outcomeOf(bytes)).toBe("The file is not a backup of Domovoi: a line is too long.");
  });

  test("many long lines are none that is too long, and a file of several pieces has one header", async () => {
    const { lines } = await sample();
    const rows = Array.from({ length: 70 }, (_, at) =>
      JSON.stringify(["told_documents", `d${at}`, "x".repeat(1_000_000)]),
    );
    const bytes = pack(`${[lines[0], ...rows].join("\n")}\n`);
    expect(bytes.length).toBeGreaterThan(65_536);
    expect(await outcomeOf(bytes)).toBe("The file is cut off: its end is missing.");
  });

  test.each([
    ["more", "it cannot be unpacked"],
    ["\0".repeat(100), "data after its end"],
  ])("with data behind its packed end (%j) is damaged: %s", async (more, reason) => {
    const { bytes } = await sample();
    expect(await outcomeOf(Buffer.concat([bytes, Buffer.from(more)]))).toBe(`The file is damaged: ${reason}.`);
  });

  test("without the break of its last line is read all the same", async () => {
    const { lines, hash } = await sample();
    expect(await outcomeOf(pack(lines.join("\n").trimEnd()))).toBe(hash);
  });

  test("that is encrypted is refused for what is wrong in it", async () => {
    const { lines } = await sample();
    const bytes = await encryptLightly(pack(`${lines[0]}\n`));
    expect(await outcomeOf(bytes)).toBe("The file is cut off: its end is missing.");
  });

  test("a secret cannot lead out of its directory", async () => {
    const row = '["secrets","../../leaked","x"]';
    const { lines } = await sample();
    const [header = "", ...rest] = lines;
    const open = JSON.stringify({ ...JSON.parse(header), contents: ["secrets"] });
    const said = await outcomeOf(pack([open, row, ...rest].join("\n")));
    expect(said).toBe("The file is damaged: a secret has no name.");
  });
});

test("a reader that stops in the middle leaves no file open", async () => {
  const { bytes } = await sample();
  const path = fileOf(bytes);
  for await (const part of readBackup(path, null)) if (part.kind === "row") break;
  const isOpen = () => readdirSync("/proc/self/fd").some((fd) => linkOf(`/proc/self/fd/${fd}`) === path);
  await expect.poll(isOpen).toBe(false);
});

/** The directory's own descriptor is gone by the time it is looked at. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

test("a damaged backup changes nothing: no directory, no home", async () => {
  const { bytes } = await sample();
  const file = fileOf(flip(bytes, bytes.length >> 1, 3));
  const fresh = newFile("home");
  const order = { passphrase: null, nowMs: START_MS };
  await expect(restoreBackup(file, fresh, { ...order, replaces: false })).rejects.toMatchObject({
    code: "BACKUP_REFUSED",
  });
  expect(existsSync(fresh)).toBe(false);
  const dir = temporaryDirectory();
  await (await openHome(dir)).close();
  const before = readFileSync(join(dir, "domovoi.sqlite"));
  const names = readdirSync(dir);
  await expect(restoreBackup(file, dir, { ...order, replaces: true })).rejects.toMatchObject({
    code: "BACKUP_REFUSED",
  });
  expect(readdirSync(dir)).toEqual(names);
  expect(readFileSync(join(dir, "domovoi.sqlite")).equals(before)).toBe(true);
});
