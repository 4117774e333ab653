/**
 * Reading text that others wrote. A line may be as long as its writer likes, and `/x+$/` takes a time that grows with the square
 * of its length, so lines are cut first, and what stands at the end is removed without an expression.
 */

const LINE_CHARS_MAX = 300;

/**
 * Control characters, those that turn the direction of the text behind them, and those that show nothing: two names that look alike would
 * be different. The joiners of emoji and of some scripts are not among them.
 */
export const CONTROLS = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u;

/** The lines of a text, each at most 300 characters long. */
export function shortLines(text: string): readonly string[] {
  return text.split("\n").map(shortLine);
}

function shortLine(line: string): string {
  return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX - 1)}…` : line;
}

/** `7.500` without `0` is `7.5`. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** `  7 ` without " " is `7`: of both ends. */
export function withoutEnds(text: string, character: string): string {
  let start = 0;
  while (text[start] === character) start += 1;
  return withoutEnd(text.slice(start), character);
}
