/** Short names for secret texts: equal texts have equal names, and a name reveals nothing about its text. */

import { hash } from "node:crypto";
import type { Randomness } from "./randomness.ts";

/** Names some texts together. Costs about 1 µs. */
export type Fingerprint = (...texts: readonly string[]) => string;

/** The key lives in memory only, so the names of one run mean nothing to another. */
export function createFingerprint(randomness: Randomness): Fingerprint {
  return fingerprintWith(makeFingerprintKey(randomness));
}

export function makeFingerprintKey(randomness: Randomness): string {
  return Buffer.from(randomness.bytes(32)).toString("hex");
}

/** @param key of 32 random bytes. */
export function fingerprintWith(key: string): Fingerprint {
  return (...texts) => {
    // Lengths keep ("ab", "c") apart from ("a", "bc").
    const joined = texts.map((text) => `${text.length}:${text}`).join("");
    // With a key of fixed length in front, and never published, a plain hash is as good as an HMAC at a third of its
    // cost.
    return hash("sha256", `${key}${joined}`, "base64");
  };
}
