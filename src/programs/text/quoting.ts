/**
 * How the text form writes names and ids: a name in quotes, an id in brackets. Whatever would end a line or cannot be seen is
 * escaped, so that any name and any address stays on its line.
 */

import { withoutEnd } from "../../util/foreign-text.ts";

export function quoted(name: string): string {
  return `'${escaped(name, "'")}'`;
}

/** Spaces around an id are not part of it unless they are escaped. */
export function bracketed(id: string): string {
  const text = escaped(id, "]").replace(/^ +/, (spaces) => SPACE.repeat(spaces.length));
  const inner = withoutEnd(text, " ");
  return `[${inner}${SPACE.repeat(text.length - inner.length)}]`;
}

/** `'Hall Ceiling' [1A 2B 3C 1]`; only the id when there is no name. */
export function reference(name: string | null, id: string): string {
  return name === null ? bracketed(id) : `${quoted(name)} ${bracketed(id)}`;
}

/** null when an escape is none. */
export function unescaped(text: string): string | null {
  let isGood = true;
  const result = text.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|([\s\S]?))/g, (_all, code: string | undefined, short) => {
    const point = code === undefined ? null : Number.parseInt(code, 16);
    const plain = point === null ? SHORT[short as string] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
    if (plain === undefined) isGood = false;
    return plain ?? "";
  });
  return isGood ? result : null;
}

const SPACE = "\\u{20}";
const SHORT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "'": "'", "]": "]", "\\": "\\" };

function escaped(text: string, end: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll(end, `\\${end}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufeff]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
}
