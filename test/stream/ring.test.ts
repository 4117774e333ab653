import { expect, test } from "vitest";
import { EventBody } from "../../src/stream/event-body.ts";
import { Ring } from "../../src/stream/ring.ts";

const SIZE = 3;
const CHARACTERS_MAX = 10;
const HELD = /A client can read only events that are still in the buffer/;

function ringOf(count: number) {
  const ring = new Ring(SIZE, CHARACTERS_MAX);
  const bodies = Array.from({ length: count }, (_, index) => new EventBody(String(index)));
  for (const body of bodies) ring.push(body);
  return { ring, bodies };
}

test.each([
  ["none", 0, 0],
  ["as many as it holds", SIZE, 0],
  ["one more", SIZE + 1, 1],
  ["twice as many and one", 2 * SIZE + 1, SIZE + 1],
])("of %s it holds the newest, and nothing beyond", (_what, count, oldest) => {
  const { ring, bodies } = ringOf(count);
  expect({ oldest: ring.oldest, next: ring.next }).toEqual({ oldest, next: count });
  const held = Array.from({ length: count - oldest }, (_, index) => ring.at(oldest + index));
  expect(held).toEqual(bodies.slice(oldest));
  expect(held.every((body, index) => body === bodies[oldest + index])).toBe(true);
  expect(() => ring.at(oldest - 1)).toThrow(HELD);
  expect(() => ring.at(count)).toThrow(HELD);
});

test("cleared, it holds nothing, and its positions go on", () => {
  const { ring } = ringOf(SIZE + 2);
  ring.clear();
  expect({ oldest: ring.oldest, next: ring.next }).toEqual({ oldest: SIZE + 2, next: SIZE + 2 });
  expect(() => ring.at(SIZE + 1)).toThrow(HELD);
  const body = new EventBody("after");
  ring.push(body);
  expect(ring.at(SIZE + 2)).toBe(body);
});

test.each([
  ["as many characters as it holds", ["aaaa", "bbbb", "cc"], 0],
  ["one character more", ["aaaa", "bbbb", "ccc"], 1],
  ["a body that takes the place of all others", ["aa", "bb", "cccccccccc"], 2],
  ["a body longer than all may be", ["aa", "bb", "cccccccccccc"], 2],
  ["a short body after a long one", ["cccccccccccc", "a"], 1],
])("of %s it holds the newest", (_what, texts, oldest) => {
  const ring = new Ring(SIZE, CHARACTERS_MAX);
  const bodies = texts.map((text) => new EventBody(text));
  for (const body of bodies) ring.push(body);
  expect({ oldest: ring.oldest, next: ring.next }).toEqual({ oldest, next: texts.length });
  expect(bodies.slice(oldest).map((_, index) => ring.at(oldest + index))).toEqual(bodies.slice(oldest));
});

test("characters of bodies that are gone do not count any more", () => {
  const ring = new Ring(SIZE, CHARACTERS_MAX);
  for (let index = 0; index < 20; index += 1) ring.push(new EventBody("abc"));
  expect(ring.next - ring.oldest).toBe(SIZE);
  ring.clear();
  for (let index = 0; index < SIZE; index += 1) ring.push(new EventBody("abc"));
  expect(ring.next - ring.oldest).toBe(SIZE);
});
