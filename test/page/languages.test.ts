/**
 * Every language of the page says everything: no word that only English has, and no point in a number where the language has a comma.
 * What people named, and what the controller writes for its log, is theirs.
 */

import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { DESK, open, usePages } from "./visits.ts";

type Parts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FOLDER = new URL("../../web/src/text/languages/", import.meta.url);
const readLanguage = (name: string): Parts => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
const OTHERS = readdirSync(FOLDER).flatMap((file) => (file === "en.json" ? [] : file.replace(".json", "")));
const WORD = /\p{L}{2,}/gu;
/** Also in names of protocols and of the controller's own settings. */
const ANYWHERE = new Set(["get", "domovoi", "owner"]);

/** Words of the English texts that the other language does not use. */
function englishWords(other: Parts): ReadonlySet<string> {
  const wordsOf = (texts: readonly unknown[]) => texts.flatMap((text) => String(text).toLowerCase().match(WORD) ?? []);
  const own = new Set(wordsOf(Object.values(other).flatMap((part) => Object.values(part))));
  const translated = (["names", "messages", "reasons", "titles"] as const).flatMap((part) =>
    Object.keys(other[part] ?? {}),
  );
  const english = [...Object.values(readLanguage("en")).flatMap((part) => Object.values(part)), ...translated, "watts"];
  return new Set(wordsOf(english).filter((word) => !own.has(word) && !ANYWHERE.has(word)));
}

/** Names that people gave, the longest first. */
async function namesIn(page: Page): Promise<readonly string[]> {
  const names: unknown = await page.evaluate(`(async () => {
    const { access } = JSON.parse(localStorage.getItem("domovoi.login"));
    const headers = { Authorization: "Bearer " + access };
    const paths = ["nodes", "groups", "folders", "programs", "variables/1", "variables/2", "networking/resources"];
    const texts = await Promise.all(paths.map(async (path) => (await fetch("/api/" + path, { headers })).text()));
    return texts.flatMap((text) => [...text.matchAll(/"name":"([^"]+)"/g)].map((found) => found[1]));
  })()`);
  return [...new Set(names as readonly string[])].filter((name) => name.length > 2).sort((a, b) => b.length - a.length);
}

const LINES = `[
  document.querySelector("main").innerText,
  ...Array.from(document.querySelectorAll("main [aria-label], main option"), (part) => part.ariaLabel ?? part.textContent),
].join("\\n").split("\\n")`;

const DEVICES = [
  ...["1A 2B 3C 1", "2C 10 5 1", "ZW010_1", "2C 44 8 1", "33 A 5 1", "15 E 20 1", "ZW006_1", "41 2 B7 1"],
  ...["17 88 4 1", "n020_station", "n021_zone1"],
];
const PROGRAMS = ["0002", "0008", "000C", "000D", "000E", "0012", "0013", "0014", "0015"];
const PATHS = [
  ...["/", "/scenes", "/scene/31001", "/programs", "/happened", "/search", "/rooms/11003"],
  ...DEVICES.map((address) => `/node/${encodeURIComponent(address)}`),
  ...PROGRAMS.map((id) => `/program/${id}`),
];

const pages = usePages();

test.each(OTHERS)(
  "%s has no English word and no English number",
  async (name) => {
    const english = englishWords(readLanguage(name));
    await using visitor = await pages.visitSignedIn("/", DESK, { locale: name });
    const { page } = visitor;
    const names = [...(await namesIn(page)), ...DEVICES];
    // A tile leaves out the name of its room.
    const tails = new Set(names.flatMap((each) => [each, each.replace(/^\S+ /, ""), each.replace(/^\S+ \S+ /, "")]));
    const found: string[] = [];
    for (const path of PATHS) {
      await open(page, path);
      await page.waitForLoadState("networkidle");
      await page.evaluate(`for (const part of document.querySelectorAll("main details")) part.open = true`);
      for (const line of (await page.evaluate(LINES)) as readonly string[]) {
        if (tails.has(line.trim())) continue;
        const rest = names.reduce((text, each) => text.replaceAll(each, "…"), line);
        const words = rest.match(WORD)?.filter((word) => english.has(word.toLowerCase())) ?? [];
        const numbers = rest.match(/(?<![\d.:_])\d+\.\d{1,2}(?![\d.])/g) ?? [];
        if (words.length + numbers.length > 0) found.push(`${path}: ${[...words, ...numbers].join(", ")} in ${line}`);
      }
    }
    expect([...new Set(found)]).toEqual([]);
  },
  120_000,
);
