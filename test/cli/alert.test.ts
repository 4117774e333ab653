/** `domovoi alert`: what rings, who answered, and an answer by a button that counts once. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start({ alerts: true });
});
afterAll(() => line[Symbol.asyncDispose]());

test("an alert is shown, confirmed by its button, and the second answer reads who was first", async () => {
  const alert = (...args: readonly string[]) => line.run(["alert", ...args]);
  const button1 = "button1=Light: Set 'Hall Ceiling' On";
  const added = await line.run([
    "integration",
    "do",
    "alerts",
    "add-alert",
    "name=Freezer",
    "text=It is warm.",
    button1,
  ]);
  expect([added.code, added.stderr]).toEqual([0, ""]);
  expect((await alert()).stdout).toMatch(/^Water {3}off {3}n000_alert\d {3}home, 3 all$/m);
  expect((await line.run(["send", "Freezer", "DON"])).code).toBe(0);
  expect((await alert()).stdout).toMatch(/^Freezer {3}ringing since .+\n {4}It is warm\.$/m);
  const wrong = await alert("confirm", "Freezer", "--button", "Heat");
  expect([wrong.code === 0, wrong.stderr]).toEqual([false, expect.stringContaining('It has: "Light".')]);
  expect((await alert("confirm", "Freezer", "--button", "Light")).stdout).toBe("Confirmed. Light: Done.\n");
  expect((await alert("confirm", "Freezer")).stdout).toBe("owner@example.org was first. Light: Done.\n");
  expect((await alert()).stdout).toMatch(/^ {4}confirmed by owner@example\.org at .+ Light$/m);
  const none = await alert("confirm", "Fridge");
  expect([none.code === 0, none.stderr]).toEqual([false, expect.stringContaining('There is no alert "Fridge".')]);
}, 120_000);
