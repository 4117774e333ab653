/** Documents of a hostile original: a clear error in little time, and nothing expanded. */

import { expect, test } from "vitest";
import { canonicalDocuments } from "../../src/twin/canonical.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import { parseXmlTree } from "../../src/wire/spelling/tree.ts";

const DEPTH = 10_000;
const DEEP_JSON = `{"data":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`;
const DEEP_XML = `<nodes>${"<a>".repeat(DEPTH)}${"</a>".repeat(DEPTH)}</nodes>`;

test.each([
  ["/api/nodes", DEEP_JSON],
  ["/rest/nodes", DEEP_XML],
])("%s of depth 10,000 is refused with its name", (name, document) => {
  expect(() => canonicalDocuments(new Map([[name, document]]))).toThrow(
    /cannot be read: The (values|elements) are too deep/,
  );
});

test("a deep document is no failure of the controller while the documents are read", async () => {
  const fetch = async (path: string) => (path === "/api/nodes" ? DEEP_JSON : null);
  const documents = await fetchOriginal(fetch, DEPTH * 10, () => {});
  expect(() => canonicalDocuments(documents)).toThrow("cannot be read");
});

test("entities of a document are not expanded", () => {
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join("");
  const bomb = `<!DOCTYPE a [<!ENTITY e0 "ha">${entities}]><a>&e20;</a>`;
  expect(JSON.stringify(parseXmlTree(bomb)).length).toBeLessThan(bomb.length);
});

test("documents together longer than allowed are refused at the first that is too long", async () => {
  const asked: string[] = [];
  const fetch = async (path: string) => {
    asked.push(path);
    return "x".repeat(600);
  };
  await expect(fetchOriginal(fetch, 1000, () => {})).rejects.toThrow("twinCharsMax");
  expect(asked).toHaveLength(2);
});
