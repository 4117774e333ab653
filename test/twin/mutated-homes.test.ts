/** Saved homes with anything changed, removed, repeated or added: the twin still starts, and serves them unchanged. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import type { Original } from "../../src/twin/original.ts";
import { readOriginal } from "../../src/twin/original-files.ts";
import { compareJson, compareXml, withoutRoles } from "../support/compare-documents.ts";
import { HOME_NAMES, homeDirectory, planOf, startTwin } from "../support/twin.ts";

/** A night can ask for more. */
const RUNS = Number(process.env.DOMOVOI_TWIN_RUNS ?? 3);
const PATHS: Readonly<Record<string, string>> = {
  "/api/config": "/api/config",
  "/api/nodes": "/api/nodes",
  "/api/groups": "/api/groups",
  "/api/programs": "/api/programs",
  "/api/triggers": "/api/triggers",
  "/api/variables/1": "/api/variables/1",
  "/api/variables/2": "/api/variables/2",
  "/rest/profiles": "/rest/profiles?include=nodedefs,editors,linkdefs",
  "/rest/status": "/rest/status",
  "/rest/nodes": "/rest/nodes",
};

type Mutation = {
  readonly at: number;
  readonly what: "replace" | "remove" | "repeat" | "add";
  readonly value: unknown;
};

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  what: fc.constantFrom("replace", "remove", "repeat", "add"),
  value: fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "0",
      "-1",
      "1.5",
      "true",
      null,
      true,
      0,
      -7,
      1e21,
      0.1,
      {},
      [],
      "ZW002_1",
      "3F 1 A0 1",
      "00A3",
    ),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\p{Cc}\ufffe\uffff]/gu, "")),
    fc.jsonValue({ maxDepth: 2 }),
  ),
});

type Place = { readonly container: object; readonly key: string };

/** Every value in the document but those of the envelope, which clients look for. */
function places(value: unknown, depth = 0): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const own = depth < 2 ? [] : Object.keys(value).map((key) => ({ container: value, key }));
  return [...own, ...Object.values(value).flatMap((each) => places(each, depth + 1))];
}

function mutate(document: unknown, { at, what, value }: Mutation): void {
  const all = places(document);
  const place = all[at % Math.max(1, all.length)];
  if (!place) return;
  const { container, key } = place;
  if (Array.isArray(container) && what === "repeat")
    container.splice(Number(key), 0, structuredClone(container[Number(key)]));
  else if (Array.isArray(container) && what === "remove") container.splice(Number(key), 1);
  else if (what === "remove") Reflect.deleteProperty(container, key);
  else Reflect.set(container, what === "add" && !Array.isArray(container) ? "added" : key, value);
}

/** Changes the values of attributes and texts; the structure stays well-formed. */
function mutateXml(xml: string, { at, value }: Mutation): string {
  const written = String(typeof value === "object" ? JSON.stringify(value) : value).replace(/[<&"]/g, "");
  const found = [...xml.matchAll(/(?<==")[^"]*(?=")|(?<=>)[^<>\n]+(?=<\/)/g)].filter(({ index }) => index > 60);
  const match = found[at % Math.max(1, found.length)];
  return match ? xml.slice(0, match.index) + written + xml.slice(match.index + match[0].length) : xml;
}

const home = fc.record({
  name: fc.constantFrom(...HOME_NAMES),
  mutations: fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 12 }),
});

function mutated(original: Original, mutations: readonly (readonly [number, Mutation])[]): Original {
  const documents = new Map(original);
  const names = [...documents.keys()].filter((name) => name in PATHS);
  for (const [which, each] of mutations) {
    const name = names[which % names.length] ?? "";
    const text = documents.get(name) ?? "";
    if (text.trimStart().startsWith("<")) documents.set(name, mutateXml(text, each));
    else {
      const document: unknown = JSON.parse(text);
      mutate(document, each);
      documents.set(name, JSON.stringify(document));
    }
  }
  return documents;
}

test("after any changes of a home, its twin serves every document unchanged", {
  timeout: 60_000 + RUNS * 5000,
}, async () => {
  const homes = fc.asyncProperty(home, async ({ name, mutations }) => {
    const original = mutated(readOriginal(homeDirectory(name)), mutations);
    await using running = await startTwin(original);
    const { twin } = running;
    const told = [...original].filter(([document]) => document in PATHS);
    const found = await Promise.all(
      told.map(async ([document, text]) => {
        const { text: served } = await twin.portal.get(PATHS[document] ?? "");
        const compare = text.trimStart().startsWith("<") ? compareXml : compareJson;
        return compare(text, withoutRoles(served)).map((line) => `${document} ${line}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });
  await fc.assert(homes, { numRuns: RUNS });
});

const LOCAL_NAMES = [
  ...([
    "/rest/nodes",
    "/rest/status",
    "/rest/config",
    "/rest/programs",
    "/rest/time",
    "programs",
    "programs 0004.PGM",
  ] as const),
  ...([
    "/rest/vars/get/1",
    "/rest/vars/definitions/1",
    "/rest/vars/get/2",
    "scene 30001",
    "scene 30001 2E 5 F1 3",
  ] as const),
];
const LOCAL_TEXTS = [...readOriginal(homeDirectory("firmware-4")).values()];

test("for any content of the documents, planning a twin ends, or names the document", () => {
  const value = fc.jsonValue({ maxDepth: 5 });
  const text = fc.oneof(
    value.map((each) => JSON.stringify(each)),
    fc.constantFrom("", "<", "<nodes/>", "[]", "null", "/CONF/STATE.VAR not found"),
    fc
      .constantFrom(...LOCAL_TEXTS)
      .chain((whole) => fc.nat(whole.length).map((end) => whole.slice(0, end || undefined))),
  );
  const anyOf = (known: readonly string[]) => fc.array(fc.tuple(fc.constantFrom(...known), text), { maxLength: 8 });
  const names = [...Object.keys(PATHS), "/rest/networking/resources", "def/get", "labels 4 1", "/rest/time"];
  fc.assert(
    fc.property(fc.oneof(anyOf(names), anyOf(LOCAL_NAMES)), (documents) => {
      try {
        planOf(new Map(documents));
      } catch (error) {
        expect(error).toBeInstanceOf(ControllerError);
      }
    }),
  );
});
