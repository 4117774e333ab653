/** Values of variables with names: written, shown and compared by name, while clients of the originals see numbers. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const MODES = { "0": "Home", "1": "Away", "2": "Night" };

let controller: TestController;
let path: string;
let id: string;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  id = (await (await put("/api/variables/2", { name: "Mode" })).json<{ data: { id: string } }>()).data.id;
  path = `/api/variables/2/${id}`;
  expect((await controller.portal.post(path, { valueNames: MODES })).status).toBe(200);
});
afterAll(() => controller[Symbol.asyncDispose]());

function put(target: string, body: object) {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  return controller.portal.request("PUT", target, { headers, body: JSON.stringify(body) });
}

const value = () => controller.services.home.variables[2].get(Number(id))?.value;
const write = async (body: object) => {
  const answer = await controller.portal.post(path, body);
  return { status: answer.status, error: answer.json<{ error?: string }>().error };
};

test("a value is written by its name, in any case, or by its number", async () => {
  expect(await write({ value: "away" })).toMatchObject({ status: 200 });
  expect(value()).toBe(1);
  await write({ value: 2 });
  expect(value()).toBe(2);
});

test("a name that no value has is refused, and changes nothing", async () => {
  await write({ value: 0 });
  expect(await write({ value: "Vacation" })).toEqual({
    status: 400,
    error: 'The variable "Mode" has no value "Vacation". Its values are "Home", "Away", "Night".',
  });
  expect(value()).toBe(0);
});

test.each([
  ["two of the same", { "0": "Home", "1": "home" }, "Two values have the same name."],
  [
    "one that reads as a number",
    { "0": "1st" },
    "The name of a value has 1 to 50 characters and begins with a letter.",
  ],
  ["a key that is no raw value", { "1.5": "Half" }, '"1.5" is not a raw value'],
  ["a key with a leading zero", { "01": "One" }, '"01" is not a raw value'],
  [
    "more than fifty",
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, `N${at}`])),
    "At most 50 values of a variable have names.",
  ],
])("refuses %s", async (_what, valueNames, error) => {
  const answer = await write({ valueNames });
  expect(answer.status).toBe(400);
  expect(answer.error).toContain(error);
  expect(controller.services.home.variables[2].get(Number(id))?.valueNames).toEqual(MODES);
});

test("a program compares and sets by name, and its text and Why say the name", async () => {
  const text = [
    "Program 'Good night'",
    "If",
    "State variable 'Mode' is Night",
    "Then",
    "State variable 'Mode' = 'Home'",
  ].join("\n");
  const applied = await controller.portal.post("/api/programs/text", { text });
  expect(applied.json()).toMatchObject({ successful: true });
  const program = [...controller.services.home.programs.values()].find(({ name }) => name === "Good night");
  const hex = program?.id.toString(16).toUpperCase().padStart(4, "0");
  const shown = (await controller.portal.get(`/api/programs/${hex}/text`)).text;
  expect(shown).toContain(`State variable 'Mode' [${id}] is 'Night' [2]`);
  expect(shown).toContain(`State variable 'Mode' [${id}] = 'Home' [0]`);
  await write({ value: "Night" });
  await controller.clock.advance(1000);
  expect(value()).toBe(0);
  const why = (await controller.portal.get(`/api/why/program/${hex}`)).json<{ data: { sentences: string[] } }>();
  expect(why.data.sentences.join(" ")).toContain('variable "Mode" became Night');
});

test("clients of the originals read and write the number", async () => {
  await controller.local.get(`/rest/vars/set/2/${id}/1`);
  const xml = (await controller.local.get(`/rest/vars/get/2/${id}`)).text;
  expect(xml).toContain("<val>1</val>");
  expect(xml).not.toContain("Away");
});

test("the names survive a restart, and one undo takes them away", async () => {
  const list = async () =>
    (await controller.portal.get("/api/variables/2")).json<{ data: { name: string; valueNames?: object }[] }>().data;
  const mode = async () => (await list()).find(({ name }) => name === "Mode")?.valueNames;
  await write({ valueNames: { "0": "Day", "1": "Evening" } });
  await controller.restart();
  await controller.login();
  expect(await mode()).toEqual({ "0": "Day", "1": "Evening" });
  await controller.portal.post("/api/edits/last/undo", {});
  expect(await mode()).toEqual(MODES);
  expect((await list()).filter(({ valueNames }) => valueNames !== undefined)).toHaveLength(1);
});
