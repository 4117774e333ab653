import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../src/errors.ts";
import { MESSAGES } from "../../src/messages.ts";
import { FINDING_CODES } from "../../src/programs/verify/finding.ts";
import { keypadFor } from "../../web/src/parts/keypad.ts";
import { titleTranslator } from "../../web/src/text/title-translator.ts";
import { readText, readTree } from "../support/source-tree.ts";

type Texts = Readonly<Record<string, string>>;

const read = (language: string, part: string): Texts => {
  const file = new URL(`../../web/src/text/languages/${language}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Texts>>)[part] ?? {};
};

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const LANGUAGES = readdirSync(new URL("../../web/src/text/languages/", import.meta.url)).map((name) =>
  name.slice(0, -5),
);
const OTHERS = LANGUAGES.filter((language) => language !== "en");
const PARTS = ["start", "places", "blocks", "system", "sentences"];

test.each(OTHERS.flatMap((language) => PARTS.map((part) => [language, part] as const)))(
  "every language has the keys of English with the same placeholders, and its own name (%s, %s)",
  (language, part) => {
    const [english, other] = [read("en", part), read(language, part)];
    expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect({ key, names: placeholders(other[key] ?? "") }).toEqual({ key, names: placeholders(text) });
    }
    expect(Object.keys(read("en", "system"))).toContain(`language.${language}`);
  },
);

test("every sentence about programs, causes and findings, and every error, has a German text with no other values", () => {
  const [messages, errors] = [read("de", "messages"), read("de", "errors")];
  expect(Object.keys(messages).sort()).toEqual(Object.keys(MESSAGES).sort());
  expect(Object.keys(errors).sort()).toEqual([...ERROR_CODES].sort());
  const namesOf = (text: string) => placeholders(text).map((name = "") => name.toLowerCase());
  for (const [code, english] of Object.entries(MESSAGES)) {
    const more = namesOf(messages[code] ?? "").filter((name) => !namesOf(english).includes(name));
    expect({ code, more }).toEqual({ code, more: [] });
  }
  expect(
    Object.values(errors)
      .flatMap(placeholders)
      .filter((name) => name !== "detail"),
  ).toEqual([]);
});

test("every reason with a German text is a sentence of a driver or of the integrations", () => {
  const sources = readTree("src")
    .map(({ text }) => text)
    .join("\n");
  const isWritten = (shape: string) => sources.includes(shape.replaceAll("{", "${"));
  expect(Object.keys(read("de", "reasons")).filter((shape) => !isWritten(shape))).toEqual([]);
  for (const [shape, german] of Object.entries(read("de", "reasons"))) {
    const placesOf = (text: string) => (text.match(/\{[^}]+\}/g) ?? []).toSorted();
    expect(placesOf(german)).toEqual(placesOf(shape));
  }
});

test("every code of a finding has a sentence", () => {
  const codes = new Set(Object.keys(MESSAGES).map((code) => code.split(".")[0]));
  expect(FINDING_CODES.filter((code) => !codes.has(code))).toEqual([]);
});

test("every text is used, and nothing is styled or scripted inline", () => {
  const sources = readTree("web/src").map(({ text }) => text);
  const all = sources.join("\n");
  // Also a text whose key is put together: t(`result.${result}`).
  const isUsed = (key: string) =>
    all.includes(`"${key.replace(/_(one|other)$/, "")}"`) || all.includes(`\`${key.replace(/[^.]+$/, "")}\${`);
  expect(
    ["start", "places", "blocks", "system"]
      .flatMap((part) => Object.keys(read("en", part)))
      .filter((key) => !isUsed(key)),
  ).toEqual([]);
  expect(sources.filter((text) => /\sstyle=|dangerouslySetInnerHTML/.test(text))).toEqual([]);
  expect(readText("web/index.html")).not.toMatch(/<style|<script(?![^>]*\bsrc=)/);
});

test("the fields of forms keep what was typed when the page is refreshed", () => {
  // Preact sets `value` and `checked` at every refresh, so a form's field has `defaultValue` unless it stores every change.
  const fields = readTree("web/src").flatMap(
    ({ text }) => text.match(/<(?:input|select|textarea)\b[^>]*?\sname=(?:=>|[^>])*>/g) ?? [],
  );
  expect(fields.length).toBeGreaterThan(50);
  const isReset = (field: string) =>
    /\schecked\b|<select[^>]*\sdefaultValue=/.test(field) ||
    (/\svalue=/.test(field) && !/\sonInput=|type="(?:checkbox|radio)"/.test(field));
  expect(fields.filter(isReset)).toEqual([]);
});

test.each([
  [0, 1, "numeric"],
  [0, "any", "decimal"],
  [0, 0.5, "decimal"],
  [-40, 1, undefined],
  [undefined, 1, undefined],
  [null, "any", undefined],
] as const)("a number from %s in steps of %s has the keypad %s: those of phones have no minus", (min, step, keypad) => {
  expect(keypadFor(min, step)).toBe(keypad);
});

test("no field of a number asks for a keypad of digits by itself", () => {
  const fields = readTree("web/src").flatMap(({ text }) => text.match(/<input[^>]*type="number"[^>]*>/g) ?? []);
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => /inputMode="|inputMode=\{"/.test(field))).toEqual([]);
});

test.each([
  ['Rename the node "Hall "A"" to "Attic"', 'Gerät „Hall "A"“ in „Attic“ umbenannt'],
  ['Undo: Create the program folder "Lights"', "Rückgängig: Programmordner „Lights“ angelegt"],
  ['Change the network resource "Chime"', "Netzwerkressource „Chime“ geändert"],
  ['Mark the node "House Meter" as grid', "Gerät „House Meter“ verwendet als: Netz"],
  ["Change the time zone, the latitude", "Geändert: Zeitzone, Breite"],
  ['Add 3 members to the scene "Evening"', "3 Mitglieder hinzugefügt: Szene „Evening“"],
  ['Move the node "Lamp" to the folder "Hall"', "Gerät „Lamp“ verschoben nach: Raum „Hall“"],
  ["Move-in: zwave takes 4 nodes over by a mapping", "Einzug: zwave übernimmt 4 Geräte nach einer Zuordnung"],
  ["Something that no shape has", "Something that no shape has"],
])("the title of an edit is German on a German page: %s", (english, german) => {
  expect(titleTranslator(read("de", "titles"), read("de", "titleWords"))(english)).toBe(german);
});

test("every title of an edit has a German text: one for each verb that a command writes", () => {
  const sources = readTree("src/commands").map(({ text }) => text);
  const begins = sources.flatMap((text) => [
    ...text.matchAll(/`((?:Rename|Create|Remove|Change|Replace|Move|Take over|Name the|Mark|Unmark) [^`]*)`/g),
  ]);
  const shapes = Object.keys(read("de", "titles"));
  const isKnown = (title: string) => shapes.some((shape) => shape.split(" ")[0] === title.split(" ")[0]);
  expect(begins.length).toBeGreaterThan(15);
  expect(begins.map(([, title = ""]) => title).filter((title) => !isKnown(title))).toEqual([]);
});
