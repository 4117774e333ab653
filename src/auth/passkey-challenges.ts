/** Challenges for passkeys: random, good once and for minutes, few for each address. A new one takes the place of the oldest. */

import type { Clock } from "../util/clock.ts";
import type { Randomness } from "../util/randomness.ts";

/** The page that asks: passkeys belong to the host name of its origin. */
export type Site = { readonly origin: string; readonly rpId: string };

/** `sessionId`: the session that adds a passkey; null for a login. */
type Asked = { readonly site: Site; readonly sessionId: string | null };
type Challenge = Asked & { readonly source: string; readonly endsAtMs: number };

export const CHALLENGE_MS = 300_000;
const CHALLENGE_BYTES = 32;
const CHALLENGES_MAX = 4096;
const CHALLENGES_PER_SOURCE_MAX = 16;

export class PasskeyChallenges {
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  /** In the order in which they were made. */
  readonly #open = new Map<string, Challenge>();

  constructor(clock: Clock, randomness: Randomness) {
    this.#clock = clock;
    this.#randomness = randomness;
  }

  /** @param source network of the address that asks */
  make(asked: Asked, source: string): string {
    this.#makeRoom(source);
    const challenge = this.#randomness.bytes(CHALLENGE_BYTES).toString("base64url");
    this.#open.set(challenge, { ...asked, source, endsAtMs: this.#clock.elapsed() + CHALLENGE_MS });
    return challenge;
  }

  /** What was asked with this challenge, which is used up; null when it is unknown, was used, or is too old. */
  take(challenge: string): Asked | null {
    const found = this.#open.get(challenge);
    this.#open.delete(challenge);
    return found && found.endsAtMs > this.#clock.elapsed() ? found : null;
  }

  #makeRoom(source: string): void {
    const now = this.#clock.elapsed();
    const ofSource: string[] = [];
    for (const [challenge, { source: other, endsAtMs }] of this.#open) {
      if (endsAtMs <= now) this.#open.delete(challenge);
      else if (other === source) ofSource.push(challenge);
    }
    const [oldestOfSource] = ofSource;
    if (oldestOfSource !== undefined && ofSource.length >= CHALLENGES_PER_SOURCE_MAX) this.#open.delete(oldestOfSource);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= CHALLENGES_MAX) this.#open.delete(oldest);
  }
}
