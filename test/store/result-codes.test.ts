/** What a result code of SQLite says of the disk and of the database. An extended code has the primary one in its lowest byte. */

import { expect, test } from "vitest";
import {
  isDamageAtOpen,
  isInputOutput,
  isPlainDamage,
  isReadOnlyDisk,
  isUnwritable,
  mayBeFullDisk,
} from "../../src/store/database/damage.ts";

const VERDICTS = { isDamageAtOpen, isInputOutput, isPlainDamage, isReadOnlyDisk, isUnwritable, mayBeFullDisk };

const of = (error: unknown) =>
  Object.entries(VERDICTS)
    .filter(([, says]) => says(error))
    .map(([name]) => name);

const ofCode = (errcode: number) => of(Object.assign(new Error("of SQLite"), { errcode }));

test.each([
  ["no error of SQLite", 0, []],
  ["an error in a statement", 1, ["isDamageAtOpen"]],
  ["busy", 5, []],
  ["read-only", 8, ["isReadOnlyDisk", "isUnwritable"]],
  ["read-only, of the directory", 1544, ["isReadOnlyDisk", "isUnwritable"]],
  ["input or output", 10, ["isInputOutput", "isUnwritable"]],
  ["a sync that failed", 1034, ["isInputOutput", "isUnwritable"]],
  ["a short read", 522, ["isDamageAtOpen", "isInputOutput", "isUnwritable"]],
  ["shared memory that cannot be opened", 4618, ["isInputOutput", "isUnwritable", "mayBeFullDisk"]],
  ["shared memory that cannot grow", 4874, ["isInputOutput", "isUnwritable", "mayBeFullDisk"]],
  ["corrupt", 11, ["isDamageAtOpen", "isPlainDamage"]],
  ["corrupt, in an index", 779, ["isDamageAtOpen", "isPlainDamage"]],
  ["full", 13, ["isUnwritable", "mayBeFullDisk"]],
  ["cannot open", 14, ["isUnwritable", "mayBeFullDisk"]],
  ["cannot open, because it is a directory", 526, ["isUnwritable", "mayBeFullDisk"]],
  ["not a database", 26, ["isDamageAtOpen", "isPlainDamage"]],
])("%s", (_name, errcode, verdicts) => {
  expect(ofCode(errcode)).toEqual(verdicts);
});

test("errors of the file system count by their name", () => {
  expect(of(Object.assign(new Error("full"), { code: "ENOSPC" }))).toEqual(["isUnwritable", "mayBeFullDisk"]);
  expect(of(Object.assign(new Error("read-only"), { code: "EROFS" }))).toEqual(["isReadOnlyDisk", "isUnwritable"]);
  expect(of("text")).toEqual([]);
});
