/**
 * Fills in the answers of the examples in docs/interface that stand as "?", from a fresh demo home per page.
 * Long arrays are cut after their first entry; what is left is edited by hand and then held by the test suite.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestController } from "../test/support/controller.ts";
import { askExample, readExamples } from "../test/support/examples.ts";

const FOLDER = join(import.meta.dirname, "../docs/interface");
const OPEN = /```(json|xml|text)(?: \d{3})?\n\?\n```/;

for (const name of readdirSync(FOLDER)) {
  const path = join(FOLDER, name);
  let text = readFileSync(path, "utf8");
  if (!OPEN.test(text)) continue;
  const controller = await startTestController();
  await controller.login();
  for (const example of readExamples(text)) {
    const answer = await askExample(controller, example);
    if (example.answer !== "?") continue;
    const status = answer.status === 200 ? "" : ` ${answer.status}`;
    const shown =
      example.language === "json"
        ? JSON.stringify(shorten(answer.json()), null, 2)
        : answer.text.replaceAll("><", ">\n<");
    text = text.replace(OPEN, () => `\`\`\`${example.language}${status}\n${shown}\n\`\`\``);
  }
  writeFileSync(path, text);
  await controller[Symbol.asyncDispose]();
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 ? [shorten(value[0]), "…"] : value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
}
