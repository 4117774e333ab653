/** `domovoi verify` as a process. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());

const verify = (...args: readonly string[]) => line.run(["verify", ...args]);

function textFile(name: string, statement: string): string {
  const path = join(line.directory, name);
  writeFileSync(
    path,
    `Program 'Hall Motion Light'\nFolder 'Lights'\nIf\n  Status 'Hall Motion' 'Status' > 0%\nThen\n  ${statement}\n`,
  );
  return path;
}

test("finds nothing in the demo home", async () => {
  expect(await verify()).toEqual({
    code: 0,
    stdout: "21 programs and folders: 0 errors, 0 warnings, 0 hints.\n",
    stderr: "",
  });
  expect((await verify("Hall Motion Light", "0009")).stdout).toBe(
    "2 programs and folders: 0 errors, 0 warnings, 0 hints.\n",
  );
});

test("ends with status 1 when a text has errors, and shows what proves them", async () => {
  const { code, stdout } = await verify("--text", textFile("bad.txt", "Set 'Hall Ceiling' 'On' 120%"));
  expect(code).toBe(1);
  expect(stdout).toBe(`0008  Hall Motion Light
  Line 6, column 3: error: Hall Ceiling refuses DON with 120%: it takes 0 to 100 % (unit 51). (PARAMETER_REFUSED)
      Set 'Hall Ceiling' 'On' 120%
      ^
      Hall Motion Light: Set 'Hall Ceiling' [1A 2B 3C 1] 'On' [DON] 120%
      DON takes 0 to 100 % (unit 51) as a value.

1 program or folder: 1 error, 0 warnings, 0 hints.
`);
});

test("ends with status 0 when there are only warnings and hints, also as JSON", async () => {
  const { code, stdout } = await verify("--json", "--text", textFile("hint.txt", "Repeat 3 times"));
  expect([code, JSON.parse(stdout).findings[0].code]).toEqual([0, "REPEAT_EMPTY"]);
});

test("says in one sentence what it does not find", async () => {
  expect(await verify("Nobody")).toEqual({
    code: 3,
    stdout: "",
    stderr: 'domovoi: There is no program "Nobody". "domovoi programs" shows them.\n',
  });
  expect((await verify("--text", join(line.directory, "none.txt"))).stderr).toMatch(
    /^domovoi: There is no file .*none\.txt\.\n$/,
  );
});
