/** The items of a long JSON list, parsed one by one, so that reading it can pause between them. */

import { readForeignJson } from "../../util/foreign-value.ts";

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
/** Longest item: a definition with hundreds of values has a fifth of it. */
const ITEM_BYTES_MAX = 262_144;

/** @throws SyntaxError when it comes to what is no JSON, no list, or an item that is too long */
export function* jsonItems(payload: Buffer): Generator<unknown, void, void> {
  const start = payload.indexOf("[");
  if (start < 0 || payload.toString("latin1", 0, Math.min(start, 100)).trim() !== "") throw notReadable();
  let depth = 0;
  let isText = false;
  let from = start + 1;
  for (let at = start; at < payload.length; at += 1) {
    const byte = payload[at];
    if (at - from > ITEM_BYTES_MAX) throw notReadable();
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (isText || !((byte === COMMA && depth === 1) || depth === 0)) continue;
    const item = payload.toString("utf8", from, at);
    if (depth > 0 || item.trim() !== "") {
      const value = readForeignJson(item);
      if (value === undefined) throw notReadable();
      yield value;
    }
    if (depth === 0) return;
    from = at + 1;
  }
  throw notReadable();
}

function notReadable(): SyntaxError {
  return new SyntaxError("It is no JSON list, or one of its items is too long.");
}
