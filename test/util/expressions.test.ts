/**
 * Every regular expression of the service, the client library and the page takes a time that grows with the length of the text, and
 * not with its square: any text may come from a device, a plugin, another controller or a client, and nothing may hold the event loop
 * for more than 10 ms. The expressions come from the source, the texts repeat the words and signs of the expression itself.
 */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readTree, type SourceExpression } from "../support/source-tree.ts";

const FILES = readTree("src", "client/src", "web/src");
const LINE_CHARS = 65_536;
const LIMIT_MS = 10;
/** Growing lengths find an expression of exponential or cubic time before it hangs the test. */
const STEPS = [24, 512, 4096] as const;
const STEP_LIMIT_MS = 2.5;
/** The machine may be busy with something else. */
const TRIES = 5;
const WORST = 4;
const SIGNS = ["a", "A", "0", "9", " ", "\n", "\t", "-", "_", ".", "/", "=", "'", '"', "é", "\u00a0"];

/** The value of a text or a number that is a constant of the source. */
function constantNamed(name: string): string {
  const declaration = new RegExp(`^(?:export )?const ${name} = ((?:String\\.raw)?["\`\\d].*);$`, "m");
  return FILES.map(({ text }) => declaration.exec(text)?.[1]).find((value) => value !== undefined) ?? '"word"';
}

/** Constants that a pattern is composed of are put in, anything else is a word. */
function patternOf({ source, isComposed }: SourceExpression): string {
  if (!isComposed) return source;
  const constant = (name: string): unknown => runInNewContext(constantNamed(name));
  if (/^\w+$/.test(source)) return String(constant(source));
  const filled = source.replace(/\$\{(\w+)\}/g, (_, name: string) => String(constant(name)).replaceAll("\\", "\\\\"));
  return String(runInNewContext(filled));
}

function timeMs(expression: RegExp, text: string): number {
  const startedAtMs = performance.now();
  expression.lastIndex = 0;
  expression.exec(text);
  if (expression.global) text.replace(expression, "");
  return performance.now() - startedAtMs;
}

function bestTimeMs(expression: RegExp, text: string, enoughMs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best > enoughMs; tries += 1) best = Math.min(best, timeMs(expression, text));
  return best;
}

type Shape = { readonly start: string; readonly unit: string };

function shapesOf(pattern: string): readonly Shape[] {
  const plain = pattern.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const written = plain.match(/[A-Za-z0-9_]+|\\?[^\sA-Za-z0-9]/g) ?? [];
  const pieces = [...new Set(written.map((piece) => piece.replace(/^\\(?=.)/, "")))];
  const signs = [...pieces, "a", "0", " "];
  const units = new Set([
    ...SIGNS,
    ...pieces,
    ...pieces.flatMap((one) => signs.flatMap((two) => [one + two, two + one])),
  ]);
  return ["", ...pieces.slice(0, 6)].flatMap((start) => [...units].map((unit) => ({ start, unit })));
}

const lineOf = ({ start, unit }: Shape, length: number): string =>
  `${start}${unit.repeat(Math.ceil(length / unit.length))}\n\0!`;

/** @returns the text that takes too long, as it begins; null where there is none. */
function slowText(expression: RegExp): string | null {
  const isSlow = (shape: Shape, length: number, limitMs: number) =>
    bestTimeMs(expression, lineOf(shape, length), limitMs) > limitMs;
  const times: { readonly shape: Shape; readonly ms: number }[] = [];
  for (const shape of shapesOf(expression.source)) {
    if (STEPS.some((step) => isSlow(shape, step, STEP_LIMIT_MS))) return lineOf(shape, 24);
    times.push({ shape, ms: bestTimeMs(expression, lineOf(shape, 4096), 0.05) });
  }
  const worst = times.toSorted((one, other) => other.ms - one.ms).slice(0, WORST);
  const late = worst.find(({ shape }) => isSlow(shape, LINE_CHARS, LIMIT_MS));
  return late ? lineOf(late.shape, 24) : null;
}

test("every regular expression reads a line of 64 KiB of the worst kind within 10 ms", { timeout: 120_000 }, () => {
  const places = new Map<string, { readonly expression: RegExp; readonly path: string }>();
  for (const { path, expressions } of FILES) {
    for (const each of expressions) {
      const expression = new RegExp(patternOf(each), each.flags);
      places.set(String(expression), { expression, path });
    }
  }
  expect(places.size).toBeGreaterThan(300);
  const slow = [...places.values()].flatMap(({ expression, path }) => {
    const text = slowText(expression);
    return text === null ? [] : [`${path}: ${expression} and ${JSON.stringify(text)}`];
  });
  expect(slow).toEqual([]);
});

test.each([
  ["a run before what is looked for", /x+y/],
  ["blanks at the end", / +$/],
  ["a choice within a repetition", /^(?:a|a)+$/],
  ["two repetitions of the same", /^a*a*$/],
])("the test finds %s", (_, expression) => {
  expect(slowText(expression)).not.toBeNull();
});
