/** A new private key on the curve P-256, PEM: for signatures and certificates. */

import { generateKeyPairSync } from "node:crypto";

export function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  return privateKey;
}
