/**
 * The examples of docs/interface are true, and what comes is what the OpenAPI document says: each page is read to a fresh
 * demo home, from top to bottom.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { answers, askExample, readExamples } from "../support/examples.ts";
import { misfits, type OpenApi } from "../support/openapi.ts";
import { listFolder, readText } from "../support/source-tree.ts";

const pages = listFolder("docs/interface")
  .map((name) => ({ name, examples: readExamples(readText(`docs/interface/${name}`)) }))
  .filter(({ examples }) => examples.length > 0);

test("most pages have examples", () => {
  expect(pages.length).toBeGreaterThanOrEqual(12);
});

describe.each(pages)("docs/interface/$name", ({ examples }) => {
  let controller: TestController;
  let document: OpenApi;

  beforeAll(async () => {
    controller = await startTestController({ timeZone: "Europe/Berlin" });
    await controller.login();
    document = (await controller.portal.get("/api/openapi.json")).json<OpenApi>();
  });

  afterAll(() => controller[Symbol.asyncDispose]());

  test.each(examples)("line $line: $method $target", async (example) => {
    const answer = await askExample(controller, example);
    expect({ status: answer.status, fits: answers(example, answer.text), came: answer.text }).toEqual({
      status: example.status,
      fits: true,
      came: answer.text,
    });
    expect(misfits(document, example.method, example.target, answer)).toEqual([]);
  });
});
