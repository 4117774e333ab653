/**
 * An authenticator in software, with the browser around it: it makes ES256 keys without attestation and signs with them, by the words
 * of WebAuthn. What it says of itself, and where it thinks it is, can be wrong.
 */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Told = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly format?: string;
};
type Options = { readonly challenge: string };

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export class Authenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly #site: { readonly origin: string; readonly rpId: string };
  readonly #key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  #userHandle = "AAAA";
  #counter = 0;

  constructor(origin: string) {
    this.#site = { origin, rpId: new URL(origin).hostname };
    this.#key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  /** The body of POST /api/me/passkeys. */
  register({ challenge, user }: Options & { readonly user: { readonly id: string } }, told: Told = {}) {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = Buffer.concat([this.#data(told, HAS_KEY), key]);
    const attestation = cborMap([
      ["fmt", cborText(told.format ?? "none")],
      ["attStmt", cborMap([])],
      ["authData", cborBytes(authData)],
    ]);
    return {
      name: "Ada's phone",
      id: this.id,
      clientDataJSON: this.#clientData("webauthn.create", challenge, told),
      attestationObject: attestation.toString("base64url"),
    };
  }

  /** The body of POST /api/login/passkey. */
  signIn({ challenge }: Options, told: Told = {}) {
    this.#counter += 1;
    const clientDataJSON = this.#clientData("webauthn.get", challenge, told);
    const authData = this.#data(told, 0);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", Buffer.concat([authData, hash]), this.#key.privateKey).toString("base64url"),
      userHandle: this.#userHandle,
    };
  }

  #clientData(type: string, challenge: string, { origin = this.#site.origin }: Told): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
  }

  #data({ rpId = this.#site.rpId, isVerified = true, counter = this.#counter }: Told, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | more]);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), flags, count]);
  }

  /** Key type 2 (two coordinates), algorithm -7 (ES256), curve 1 (P-256). */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const coordinate = (text: string) => cborBytes(Buffer.from(text, "base64url"));
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
    return Buffer.concat([head, Buffer.from([0x21]), coordinate(x), Buffer.from([0x22]), coordinate(y)]);
  }
}

function cborHead(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  return Buffer.from([(type << 5) | (length < 256 ? 24 : 25), ...(length < 256 ? [] : [length >> 8]), length & 0xff]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborMap(members: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, members.length), ...members.flatMap(([name, value]) => [cborText(name), value])]);
}
