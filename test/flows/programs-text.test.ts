/** Programs as text through the JSON surface: read, replaced, applied. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Text = {
  readonly id: string | null;
  readonly version: number | null;
  readonly text: string;
  readonly before?: string | null;
  readonly invalid?: true;
  readonly error?: string;
};

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const data = <T = Text>(answer: Answer): T => answer.json<{ data: T }>().data;
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const everything = async () => (await controller.portal.get("/api/triggers")).text;
const read = async (id: string) => data(await controller.portal.get(`/api/programs/${id}/text`));
const apply = (text: string, more: object = {}) => controller.portal.post("/api/programs/text", { text, ...more });

test("a text of too many lines is refused before they are read", async () => {
  const text = `Program 'Long'\nIf\nThen\n${"\n".repeat(10_000)}`;
  const before = await everything();
  expect(refusal(await apply(text))).toEqual([400, "PROGRAM_TOO_LARGE"]);
  expect(refusal(await controller.portal.put("/api/programs/0002/text", { text }))).toEqual([400, "PROGRAM_TOO_LARGE"]);
  expect(refusal(await controller.portal.post("/api/programs/verify", { text }))).toEqual([400, "PROGRAM_TOO_LARGE"]);
  expect(await everything()).toBe(before);
});

describe("a folder's text", () => {
  const IF = "\nIf\n    State variable 'Away' [1] is 0\n";

  test("can be put back as it was read, for every folder, and changes nothing, its version included", async () => {
    const before = (await controller.portal.get("/api/programs")).text;
    const folders = data<{ id: string; folder: boolean }[]>(await controller.portal.get("/api/programs")).filter(
      ({ folder }) => folder,
    );
    for (const { id } of folders) {
      const { text, version } = await read(id);
      expect(data(await controller.portal.put(`/api/programs/${id}/text`, { text, version }))).toMatchObject({
        text,
        version,
      });
      expect(data(await apply(text, { version }))).toMatchObject({ id, text, version, before: text });
    }
    expect((await controller.portal.get("/api/programs")).text).toBe(before);
    expect(folders.length).toBeGreaterThan(2);
  });

  test("makes a folder, shows it before on request, and replaces it", async () => {
    const text = `Program folder 'Winter'\nFolder 'Climate'\n${IF}`;
    const dry = await controller.portal.post("/api/programs/text?dryRun=true", { text });
    expect(data(dry)).toMatchObject({
      id: null,
      version: null,
      before: null,
      text: expect.stringContaining("'Away' [1] is 0"),
    });
    const made = data(await apply(text));
    expect(made).toMatchObject({ before: null, text: expect.stringContaining("Program folder 'Winter' [") });
    const summer = made.text.replace("Winter", "Summer").replace(" is 0", " is 1");
    expect(data(await apply(summer))).toMatchObject({ id: made.id, text: summer, before: made.text });
    await controller.portal.delete(`/api/programs/${made.id}`);
  });

  test("does not turn a program into a folder, nor a folder into a program", async () => {
    const answers = [
      await controller.portal.put("/api/programs/0008/text", { text: "Program folder 'x'" }),
      await controller.portal.put("/api/programs/0004/text", { text: "Program 'x'" }),
      await apply("Program folder 'x' [0008]"),
      await apply("Program 'x' [0004]"),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [400, "BAD_BODY"]));
  });
});

describe("a program's text", () => {
  test("can be put back as it was read, for every program, and changes nothing, its version included", async () => {
    const programs = data<{ id: string; folder: boolean }[]>(await controller.portal.get("/api/programs"));
    const before = await everything();
    for (const { id } of programs.filter(({ folder }) => !folder)) {
      const { text, version } = await read(id);
      const answer = await controller.portal.put(`/api/programs/${id}/text`, { text, version });
      expect(data(answer)).toEqual({ id, text, version });
    }
    expect(await everything()).toBe(before);
  });

  test("replaces everything that a person writes of a program", async () => {
    const { text } = await read("0007");
    const changed = `Program 'Renamed' [7]\nFolder 'Climate'\nEnabled no\nRun at startup yes\nComment 'a'\nComment ''\nThen\nWait 5s`;
    await controller.portal.put("/api/programs/0007/text", { text: changed });
    expect(data(await controller.portal.get("/api/programs/0007"))).toMatchObject({
      name: "Renamed",
      parentId: "0004",
      enabled: false,
      runAtStartup: true,
      comment: "a\n",
      if: [],
    });
    await controller.portal.put("/api/programs/0007/text", { text });
    expect((await read("0007")).text).toBe(text);
  });

  test("with an older version is refused and changes nothing", async () => {
    const { text, version } = await read("0008");
    await controller.portal.post("/api/programs/0008", { comment: "someone else's" });
    const before = await everything();
    const answers = [
      await controller.portal.put("/api/programs/0008/text", { text, version }),
      await apply(text, { version }),
      await controller.portal.post("/api/programs/text?dryRun=true", { text, version }),
      await apply("Program 'Gone by now'\nThen\n", { version }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [409, "CONFLICT"]));
    expect(await everything()).toBe(before);
  });

  test.each<readonly [string, string, object, number, string]>([
    ["of another program", "0009", { text: "Program 'x' [000A]" }, 400, "BAD_BODY"],
    ["that is none", "0009", { text: "Program" }, 400, "BAD_PROGRAM_TEXT"],
    ["that is no text", "0009", { text: 7 }, 400, "BAD_BODY"],
    ["without a text", "0009", {}, 400, "BAD_BODY"],
    ["with something beside it", "0009", { text: "Program 'x'", force: true }, 400, "BAD_BODY"],
    ["without a name", "0009", { text: "Program ''" }, 400, "BAD_NAME"],
    ["in a folder that is not there", "0009", { text: "Program 'x'\nFolder [0FFF]" }, 400, "BAD_VALUE"],
    ["for a folder", "0003", { text: "Program 'x'" }, 400, "BAD_BODY"],
    ["for nothing", "0FFF", { text: "Program 'x'" }, 404, "PROGRAM_NOT_FOUND"],
  ])("%s is refused, and nothing is stored", async (_what, id, body, status, code) => {
    const before = await everything();
    expect(refusal(await controller.portal.put(`/api/programs/${id}/text`, body))).toEqual([status, code]);
    expect(await everything()).toBe(before);
  });
});

describe("a text that is applied", () => {
  test("makes a program, and replaces it by name and folder the next time", async () => {
    const made = data(await apply("Program 'Applied'\nFolder 'Lights'\nThen\nSet 'Hall Ceiling' 'On' 5%"));
    expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9A-F]{4}$/), before: null });
    expect(made.text).toContain("Set 'Hall Ceiling' [1A 2B 3C 1] 'On' [DON] 5%");
    const again = data(await apply("Program 'Applied'\nFolder 'Lights'\nThen\nSet 'Hall Ceiling' 'On' 6%"));
    expect([again.id, again.before]).toEqual([made.id, made.text]);
    const elsewhere = data(await apply("Program 'Applied'\nFolder 'Climate'"));
    expect([elsewhere.id === made.id, elsewhere.before]).toEqual([false, null]);
  });

  test("replaces the program of its id, under any present name", async () => {
    const { text, id } = await read("000B");
    const answer = data(await apply(text.replace("Evening Scene", "Evening")));
    expect([answer.id, answer.before, answer.text.split("\n")[0]]).toEqual([id, text, "Program 'Evening' [000B]"]);
    expect(refusal(await apply("Program 'x' [0FFF]"))).toEqual([404, "PROGRAM_NOT_FOUND"]);
  });

  test("is refused where two programs have its name in its folder", async () => {
    const twin = { name: "Twin", if: [], then: [], else: [] };
    await controller.portal.put("/api/trigger", twin);
    await controller.portal.put("/api/trigger", twin);
    expect(refusal(await apply("Program 'Twin'"))).toEqual([409, "CONFLICT"]);
  });

  test("on trial changes nothing, and returns the result", async () => {
    const before = await everything();
    const dry = (text: string) => controller.portal.post("/api/programs/text?dryRun=true", { text });
    expect(data(await dry("Program 'New'\nThen\nRun program [0FFF] (If)"))).toEqual({
      id: null,
      version: null,
      before: null,
      text: "Program 'New'\nFolder 'My Programs' [0001]\n\nIf\n\nThen\n    Run program [0FFF] (If)\n\nElse\n",
      invalid: true,
      error: "There is no program 0FFF.",
    });
    expect(data(await dry("Program 'x' [000C]"))).toMatchObject({ id: "000C", before: (await read("000C")).text });
    expect(refusal(await dry("Program"))).toEqual([400, "BAD_PROGRAM_TEXT"]);
    expect(await everything()).toBe(before);
  });

  test("returns unsupported statements as deep as the tree may be, and the tree no deeper", async () => {
    const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const tree = (levels: number) => ({
      name: "Kept",
      if: [],
      then: [{ type: "x10", hc: nested(levels) }],
      else: [],
    });
    expect(refusal(await controller.portal.put("/api/trigger", tree(32)))).toEqual([400, "BAD_BODY"]);
    const made = (await controller.portal.put("/api/trigger", tree(31))).json<{ data: { id: number } }>().data;
    const path = `/api/programs/${made.id.toString(16)}/text`;
    const { text } = data(await controller.portal.get(path));
    expect(data(await controller.portal.put(path, { text }))).toMatchObject({ text });
  });

  test("on trial is refused where applying it would be", async () => {
    const before = await everything();
    const texts = [
      `Program 'Long'\nThen\n${"Wait 1s\n".repeat(2001)}`,
      `Program '${"x".repeat(201)}'`,
      `Program 'x' [000C]\nThen\n${"Wait 1s\n".repeat(2001)}`,
      "Program folder 'Climate' [0004]\nFolder [0004]",
    ];
    for (const text of texts) {
      const dry = await controller.portal.post("/api/programs/text?dryRun=true", { text });
      expect(refusal(dry)[0]).toBe(400);
      expect(refusal(await apply(text))).toEqual(refusal(dry));
    }
    expect(await everything()).toBe(before);
  });

  test("may name what does not exist: it is kept with its reason, and its text names it", async () => {
    const line = 'Foreign {"type":"x10","hc":"A","cc":2}';
    const made = data(await apply(`Program 'Old'\nThen\n${line}\nWait 1s`));
    expect(made).toMatchObject({ invalid: true, error: 'This controller does not carry out "x10" statements.' });
    expect((await read(made.id ?? "")).text).toContain(line);
  });
});
