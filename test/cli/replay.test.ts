/** `domovoi replay`: over the API, and of a data directory beside the running service. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReplayResult } from "@domovoi/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

const LIGHT = "Guests Light";
const TEXT = `Program '${LIGHT}'
If
    State variable 'Guests Now' is 1
Then
    Set 'Hall Ceiling' 'On' 40%
`;
let line: CommandLine;
/** A file with the text, changed. */
let changed: string;
/** The controller's clock is ahead of this machine's. */
let span: readonly string[];

beforeAll(async () => {
  line = await CommandLine.start();
  const { portal, clock } = line.controller;
  await line.controller.login();
  const made = await portal.put("/api/variables/2", { name: "Guests Now" });
  const { id } = made.json<{ data: { id: string } }>().data;
  expect((await portal.post("/api/programs/text", { text: TEXT })).status).toBe(200);
  await clock.advance(5 * 60_000);
  expect((await portal.post(`/api/variables/2/${id}`, { value: 1 })).status).toBe(200);
  await clock.advance(5 * 60_000);
  const iso = (agoMs: number) => new Date(clock.now() - agoMs).toISOString();
  span = ["--from", iso(6 * 60_000), "--until", iso(0)];
  changed = join(line.directory, "changed.txt");
  writeFileSync(changed, TEXT.replace("Then\n", "Then\n    Wait 10 seconds\n"));
}, 60_000);
afterAll(() => line[Symbol.asyncDispose]());

test.each([
  ["of a controller", () => []],
  ["of a data directory", () => ["--data", line.controller.data]],
])(
  "%s shows what the programs did, and what a changed one would have done",
  async (_what, where) => {
    const did = await line.read("replay", ...span, ...where());
    expect(did).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d to .* \(Europe\/Berlin\): \d+ recorded entries\.\n/);
    expect(did).toMatch(/\n {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Guests Light: Set 'Hall Ceiling' 'On'/);
    const changes = await line.read("replay", ...span, "--with", changed, ...where());
    expect(changes).toMatch(/\n~ +\S+ \S+ {2}Guests Light: Set 'Hall Ceiling' 'On'.* \(was at \S+ \S+\)\n/);
    const { differences } = await line.readJson<ReplayResult>("replay", ...span, "--with", changed, ...where());
    expect(differences[0]).toMatchObject({
      kind: "moved",
      program: { name: LIGHT },
      target: { name: "Hall Ceiling" },
      command: { name: "On" },
    });
  },
  60_000,
);

test("a text that is wrong is shown with its place", async () => {
  const wrong = join(line.directory, "wrong.txt");
  writeFileSync(wrong, `Program '${LIGHT}'\nThen\n    Set 'Hal Ceiling' 'On'\n`);
  const { code, stderr } = await line.run(["replay", "--from", "-10m", "--with", wrong]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${wrong}:3:9:`);
  expect(stderr).toContain("Did you mean 'Hall Ceiling'?");
});

test.each([
  [["--from", "sometime"], 2, /--from is a time such as/],
  [["--from", "now", "--until", "-1h"], 2, /--from is later than --until/],
  [["--from", "-10m", "--with", "/nowhere.txt"], 2, /There is no program file/],
  [["--from", "-10m", "--data", "/nowhere"], 1, /There is no home in the directory/],
  [[], 2, /--from/],
])("replay %j ends with one sentence", async (args, status, sentence) => {
  const { code, stderr, stdout } = await line.run(["replay", ...args]);
  expect([code, stdout]).toEqual([status, ""]);
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
