/** Names of a hostile original: the twin starts, and every answer can be read and steers no terminal. */

import { expect, test } from "vitest";
import { readOriginal } from "../../src/twin/original-files.ts";
import { parseXmlTree } from "../../src/wire/spelling/tree.ts";
import { homeDirectory, startTwin } from "../support/twin.ts";

const NAME = `\u0000\u0007\u001b[2J\u202e${"A".repeat(100_000)}`;
const JSON_DOCUMENTS = ["/api/nodes", "/api/programs", "/api/triggers", "/api/variables/1"] as const;
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

test("names of 100,000 characters, with control characters, are served as documents that can be read", async () => {
  const documents = new Map(readOriginal(homeDirectory("wired")));
  const renamed = (key: string, value: unknown) => (key === "name" ? NAME : value);
  for (const path of JSON_DOCUMENTS)
    documents.set(path, JSON.stringify(JSON.parse(documents.get(path) ?? "null"), renamed));
  await using running = await startTwin(documents);
  const { portal } = running.twin;
  for (const path of JSON_DOCUMENTS) {
    const { status, text } = await portal.get(path);
    expect([path, status, CONTROLS.test(text)]).toEqual([path, 200, false]);
    expect(JSON.parse(text)).toMatchObject({ successful: true });
  }
  for (const path of ["/rest/nodes", "/rest/programs", "/rest/status"]) {
    const { status, text } = await portal.get(path);
    expect([path, status, CONTROLS.test(text)]).toEqual([path, 200, false]);
    expect(() => parseXmlTree(text)).not.toThrow();
  }
  expect(running.twin.lines.map(({ message }) => message).join("").length).toBeLessThan(10_000);
}, 60_000);
