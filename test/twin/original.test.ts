/** Saved documents in any encoding in which a console saves them. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOriginal } from "../../src/twin/original-files.ts";

const NODES = '{"successful":true,"data":{"nodes":{"node":[{"address":"1","name":"Küche 💡"}]}}}';
const STATUS = '<nodes><node id="Küche" /></nodes>';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "domovoi-original-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each([
  ["plain", Buffer.from(NODES), Buffer.from(STATUS)],
  ["with a mark", Buffer.from(`\ufeff${NODES}`), Buffer.from(`\ufeff${STATUS}`)],
  ["in two bytes a character", Buffer.from(`\ufeff${NODES}`, "utf16le"), bigEndian(`\ufeff${STATUS}`)],
  [
    "in the encoding that it declares",
    Buffer.from(NODES),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${STATUS}`, "latin1"),
  ],
  ["declaring an unknown encoding", Buffer.from(NODES), Buffer.from(`<?xml version='1.0' encoding='x-y'?>${STATUS}`)],
])("a document %s is read", (_how, nodes, status) => {
  writeFileSync(join(directory, "api-nodes.json"), nodes);
  writeFileSync(join(directory, "status.xml"), status);
  const original = readOriginal(directory);
  expect(JSON.parse(original.get("/api/nodes") ?? "")).toEqual(JSON.parse(NODES));
  expect(original.get("/rest/status")?.endsWith(STATUS)).toBe(true);
});
