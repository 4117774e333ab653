/** Names for secret texts: equal texts have equal names, and a name tells nothing about its text. */

import { createHmac, createSecretKey } from "node:crypto";
import type { Randomness } from "./randomness.ts";

/** Names some texts together. Costs about 2 µs. */
export type Fingerprint = (...texts: readonly string[]) => string;

/** The key lives in memory only, so the names of one run mean nothing to another. */
export function createFingerprint(randomness: Randomness): Fingerprint {
  const key = createSecretKey(randomness.bytes(32));
  return (...texts) => {
    // Lengths keep ("ab", "c") apart from ("a", "bc").
    const joined = texts.map((text) => `${text.length}:${text}`).join("");
    return createHmac("sha256", key).update(joined).digest("base64");
  };
}
