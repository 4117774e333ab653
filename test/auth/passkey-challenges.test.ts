/** The bounds of challenges, and what a foreign authenticator can send. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { PasskeyChallenges } from "../../src/auth/passkey-challenges.ts";
import { challengeIn, checkAssertion, checkAttestation } from "../../src/auth/passkey-check.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

const SITE = { origin: "https://home.example.org", rpId: "home.example.org" };
const ASKED = { site: SITE, sessionId: null };

test("of one address the newest 16 count, and those of others stay", () => {
  const challenges = new PasskeyChallenges(new VirtualClock(0), seededRandomness(1));
  const other = challenges.make(ASKED, "192.0.2.1");
  const made = Array.from({ length: 20 }, () => challenges.make(ASKED, "192.0.2.2"));
  expect(made.map((challenge) => challenges.take(challenge) !== null)).toEqual([
    ...Array(4).fill(false),
    ...Array(16).fill(true),
  ]);
  expect(challenges.take(other)).toMatchObject(ASKED);
  expect(challenges.take(other)).toBe(null);
});

test("of all addresses together the newest 4096 count", () => {
  const challenges = new PasskeyChallenges(new VirtualClock(0), seededRandomness(1));
  const [first = "", second = ""] = Array.from({ length: 4097 }, (_, at) => challenges.make(ASKED, `source ${at}`));
  expect([challenges.take(first), challenges.take(second)]).toMatchObject([null, ASKED]);
});

test("whatever an authenticator sends is refused with one code", async () => {
  const text = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(text, text, text, async (id, clientDataJSON, other) => {
      const expected = { challenge: challengeIn(clientDataJSON), site: SITE };
      const answers = [
        checkAttestation({ id, clientDataJSON, attestationObject: other }, expected),
        checkAssertion(
          { id, clientDataJSON, authenticatorData: other, signature: id, userHandle: id },
          other,
          expected,
        ),
      ];
      for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: "PASSKEY_REFUSED" });
    }),
  );
});
