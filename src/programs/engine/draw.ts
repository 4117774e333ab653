/**
 * Random numbers of a run. They follow from its id and a count, so they need no state of their own, are the same when a
 * recording is stepped through again, and a run that goes on after a crash draws what it would have drawn.
 */

/** A whole number from 0 to `below` − 1. @param below 1 … 2^53 */
export function draw(runId: string, count: number, below: number): number {
  const high = mix(hash(runId) + Math.imul(2 * count + 1, 0x9e3779b9));
  const low = mix(high ^ Math.imul(2 * count + 2, 0x85ebca6b));
  // 53 bits, so that every value of a long span can come.
  const fraction = ((high >>> 5) * 0x4000000 + (low >>> 6)) / 0x20000000000000;
  return Math.floor(fraction * below);
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
