/**
 * Checks what an authenticator signed, with @simplewebauthn/server, which is loaded with the first passkey. Statements about the maker
 * of the authenticator are refused before the package reads them: it would read their certificates, and we do not ask for them.
 */

import { ControllerError } from "../errors.ts";
import type { Site } from "./passkey-challenges.ts";

/** As `PublicKeyCredential.toJSON()` of a browser gives them, base64url. */
export type Attestation = { readonly id: string; readonly clientDataJSON: string; readonly attestationObject: string };
export type Assertion = {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string;
};
type Expected = { readonly challenge: string; readonly site: Site };
type CheckedKey = { readonly id: string; readonly publicKey: string; readonly counter: number };

/** EdDSA, ES256 and RS256 in the numbers of COSE: what authenticators in the field have. */
export const KEY_ALGORITHMS = [-8, -7, -257] as const;
/** An RSA key of 5,000 bits has fewer. */
const KEY_CHARACTERS_MAX = 1000;
const ID_CHARACTERS_MAX = 1364;

/** Names the challenge that was signed; empty for what no browser sends. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

/** @throws ControllerError PASSKEY_REFUSED */
export function checkAttestation(given: Attestation, { challenge, site }: Expected): Promise<CheckedKey> {
  return refusing(async () => {
    const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
    const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
    const statement = decodeAttestationObject(new Uint8Array(Buffer.from(given.attestationObject, "base64url")));
    const format = statement.get("fmt");
    // An authenticator without a maker signs with the new key itself.
    const isSelfSigned = format === "packed" && statement.get("attStmt").get("x5c") === undefined;
    if (format !== "none" && !isSelfSigned) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...common(given.id),
        response: { clientDataJSON: given.clientDataJSON, attestationObject: given.attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...KEY_ALGORITHMS],
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const key = { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
    return key.publicKey.length > KEY_CHARACTERS_MAX || id.length > ID_CHARACTERS_MAX ? null : key;
  });
}

/** @returns the counter that was signed, which the caller compares. @throws ControllerError PASSKEY_REFUSED */
export function checkAssertion(given: Assertion, publicKey: string, { challenge, site }: Expected): Promise<number> {
  const { id, ...response } = given;
  return refusing(async () => {
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...common(id), response },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      // The package compares counters before signatures. With zero it leaves them to us.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

function common(id: string) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
}

/** The package throws for everything that it does not accept, and for what it cannot read. */
async function refusing<T>(check: () => Promise<T | null>): Promise<T> {
  const checked = await check().catch((cause: unknown) => {
    throw new ControllerError("PASSKEY_REFUSED", { cause });
  });
  if (checked === null) throw new ControllerError("PASSKEY_REFUSED");
  return checked;
}
