/**
 * Makes the controller's own certificates: a CA per instance and the listeners' certificate that it signs.
 * Loaded only when one must be made, because the X.509 library is heavy. When they are made is decided in tls.ts.
 */

// The library's parts find one another by metadata, which must be there before it is loaded.
import { DAY_MS } from "../util/clock.ts";
import "reflect-metadata";
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { Randomness } from "../util/randomness.ts";

export type Making = {
  readonly nowMs: number;
  readonly randomness: Randomness;
  /** Valid at any date, for clients of this machine alone. */
  readonly isTimeless?: boolean;
};

const AUTHORITY_DAYS = 3650;
/** Apple's systems refuse longer ones, even from a CA that the person installed. */
const LEAF_DAYS = 800;
/** Clients whose clock is behind accept a new certificate too. */
const BACKDATED_DAYS = 1;
/** X.509's own mark of a certificate without an end. */
const NO_END = new Date("9999-12-31T23:59:59Z");
const USAGE = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A CA certificate for this key, PEM. The name holds a piece of the key, so that CAs of several controllers differ. */
export async function makeAuthority(caKeyPem: string, making: Making): Promise<string> {
  const keys = cryptoKeys(caKeyPem);
  const spki = createPublicKey(caKeyPem).export({ type: "spki", format: "der" });
  const mark = createHash("sha256").update(spki).digest("hex").slice(0, 8);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=Domovoi CA ${mark}`,
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(making.randomness),
    ...validity(making, AUTHORITY_DAYS),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

type Leaf = {
  readonly keyPem: string;
  readonly caKeyPem: string;
  readonly caPem: string;
  /** Default: Domovoi. */
  readonly subject?: string;
  readonly usage: keyof typeof USAGE;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
};

/** The certificate of a listener or of one of its clients, PEM. It never outlives the CA's. */
export async function makeLeaf(
  { keyPem, caKeyPem, caPem, subject = "Domovoi", usage, names }: Leaf,
  making: Making,
): Promise<string> {
  const { notBefore, notAfter } = validity(making, LEAF_DAYS);
  const ca = new X509Certificate(caPem);
  const { publicKey } = cryptoKeys(keyPem);
  const alternatives = names.map((value) => ({ type: isIP(value) ? ("ip" as const) : ("dns" as const), value }));
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [subject] }],
    issuer: ca.subjectName,
    publicKey,
    signingKey: cryptoKeys(caKeyPem).privateKey,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(making.randomness),
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), ca.notAfter.getTime())),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([USAGE[usage]]),
      ...(alternatives.length > 0 ? [new SubjectAlternativeNameExtension(alternatives)] : []),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(ca.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

/** A PKCS #10 request for these DNS names, DER. */
export async function makeRequest(keyPem: string, names: readonly string[]): Promise<Buffer> {
  const alternatives = names.map((value) => ({ type: "dns" as const, value }));
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: cryptoKeys(keyPem),
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension(alternatives)],
  });
  return Buffer.from(request.rawData);
}

function validity(
  { nowMs, isTimeless = false }: Making,
  days: number,
): { readonly notBefore: Date; readonly notAfter: Date } {
  if (isTimeless) return { notBefore: new Date(0), notAfter: NO_END };
  return { notBefore: new Date(nowMs - BACKDATED_DAYS * DAY_MS), notAfter: new Date(nowMs + days * DAY_MS) };
}

function cryptoKeys(keyPem: string) {
  const toCryptoKey = (key: KeyObject, usage: "sign" | "verify") => key.toCryptoKey(ALGORITHM, true, [usage]);
  return {
    privateKey: toCryptoKey(createPrivateKey(keyPem), "sign"),
    publicKey: toCryptoKey(createPublicKey(keyPem), "verify"),
  };
}

/** 127 bits, positive and never zero, as X.509 requires. */
function serialNumber(randomness: Randomness): string {
  const bytes = randomness.bytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString("hex");
}
