/** Compares secrets in a time that does not depend on their content. */

import { timingSafeEqual } from "node:crypto";

export function isSameSecret(given: string | Buffer, wanted: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
