/**
 * The certificate that the listeners show: the owner's from two files or an upload, or one that the controller makes for itself
 * with a CA of its own. Which TLS versions are spoken is the listener's business.
 */

import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP, isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { createSecureContext } from "node:tls";
import type { AccountStore } from "../auth/records.ts";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import { attempt } from "../util/attempt.ts";
import type { Clock } from "../util/clock.ts";
import { makePrivateKey } from "../util/private-key.ts";
import type { Randomness } from "../util/randomness.ts";
import type { Making } from "./make-certificate.ts";

export type Certificate = {
  /** PEM. */
  readonly key: string;
  /** The chain, leaf first, PEM. */
  readonly cert: string;
  /** The certificate to trust in order to trust the listeners, PEM. */
  readonly ca: string;
  readonly source: "own" | "file" | "upload";
};

/** A certificate with its chain, and its key, PEM. */
export type CertifiedPair = { readonly key: string; readonly cert: string };

/** Names of the machine in its network. */
export type Machine = { readonly hostName: string; readonly addresses: readonly string[] };

export type CertificateParts = {
  readonly config: Pick<
    Config,
    "certificateFile" | "certificateKeyFile" | "host" | "portalHost" | "allowedHosts" | "acmeNames"
  >;
  readonly accounts: Pick<AccountStore, "secret" | "findSecret" | "replaceSecret">;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Names under which the controller is announced in the network. Default: none. */
  readonly announcedHosts?: readonly string[];
  /** Default: this machine. */
  readonly machine?: Machine;
};

type UploadParts = Pick<CertificateParts, "config" | "accounts" | "clock">;
type Pems = Omit<Certificate, "source">;

/** Key and chain in one secret, so that both change at once; empty after a removal. */
const UPLOADED = "uploaded-certificate";
const RENEW_BEFORE_MS = 30 * 86_400_000;
/** A machine without a battery starts in 1970; certificates from then would be over as soon as it learns the time. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
const DNS_NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const WILDCARD_ADDRESSES = new Set(["0.0.0.0", "::"]);

/**
 * The certificate as the files and the settings say now; a made one is renewed when its time comes.
 * @throws ControllerError BAD_VALUE naming the setting when the owner's files cannot be used.
 */
export async function loadCertificate(parts: CertificateParts): Promise<Certificate> {
  const { certificateFile, certificateKeyFile } = parts.config;
  const isOwners = certificateFile !== "" || certificateKeyFile !== "";
  if (isOwners) return { ...(await readOwners(certificateFile, certificateKeyFile)), source: "file" };
  const uploaded = splitPair(parts.accounts.findSecret(UPLOADED) ?? "");
  if (uploaded && pairProblem(uploaded, UPLOAD_WORDS) === null) return { ...pemsOf(uploaded), source: "upload" };
  return { ...(await keepOwn(parts)), source: "own" };
}

/**
 * Stores the owner's certificate for the next load; null: the controller's own is used again.
 * @throws ControllerError BAD_VALUE when it cannot be used, CONFLICT while the settings name files
 */
export function storeUploaded(pair: CertifiedPair | null, { config, accounts, clock }: UploadParts): void {
  if (config.certificateFile !== "" || config.certificateKeyFile !== "") {
    const sentence = "The settings certificateFile and certificateKeyFile name the certificate. Remove them first.";
    throw new ControllerError("CONFLICT", sentence);
  }
  const problem = pair && (pairProblem(pair, UPLOAD_WORDS) ?? endProblem(pair, clock.now()));
  if (problem) throw badValue(problem);
  accounts.replaceSecret(UPLOADED, pair ? `${pair.key.trim()}\n${pair.cert}` : "");
}

/** The certificate that an ACME server has issued for all names of the settings; null without one. */
export function findCertified({
  config: { acmeNames },
  accounts,
}: {
  readonly config: Pick<Config, "acmeNames">;
  readonly accounts: Pick<AccountStore, "findSecret">;
}): CertifiedPair | null {
  const pair = acmeNames.length > 0 ? splitPair(accounts.findSecret("acme-certificate") ?? "") : null;
  if (pair === null) return null;
  const leaf = parseCertificate(pair.cert);
  return leaf !== null && isKeyOf(leaf, pair.key) && covers(pair.cert, acmeNames) ? pair : null;
}

/** A key that a chain follows, as secrets hold them. */
function splitPair(text: string): CertifiedPair | null {
  const at = text.indexOf("-----BEGIN CERTIFICATE-----");
  return at < 0 ? null : { key: text.slice(0, at), cert: text.slice(at) };
}

/** Zeros for what is not a certificate. */
export function lifeOf({ cert }: { readonly cert: string }): { readonly fromMs: number; readonly toMs: number } {
  const leaf = parseCertificate(cert);
  return { fromMs: leaf?.validFromDate.getTime() ?? 0, toMs: leaf?.validToDate.getTime() ?? 0 };
}

export function isDnsName(name: string): boolean {
  return !isIP(name) && DNS_NAME.test(name);
}

async function readOwners(certificateFile: string, certificateKeyFile: string): Promise<Pems> {
  if (certificateFile === "" || certificateKeyFile === "") {
    throw badValue("Set both certificateFile and certificateKeyFile, or neither.");
  }
  const cert = await readSettingFile("certificateFile", certificateFile);
  const key = await readSettingFile("certificateKeyFile", certificateKeyFile);
  const problem = pairProblem({ key, cert }, FILE_WORDS);
  if (problem) throw badValue(problem);
  return pemsOf({ key, cert });
}

type PairWords = { readonly cert: string; readonly key: string };
const FILE_WORDS: PairWords = {
  cert: "The file of the setting certificateFile",
  key: "The key of the setting certificateKeyFile",
};
const UPLOAD_WORDS: PairWords = { cert: "The text of the certificate", key: "The key" };

/** Why a pair cannot be served; null when it can. */
function pairProblem({ key, cert }: CertifiedPair, words: PairWords): string | null {
  const chain = chainOf(cert);
  const leaf = parseCertificate(chain[0] ?? "");
  if (!leaf) return `${words.cert} does not hold a certificate in PEM form.`;
  if (!chain.every(parseCertificate)) return `${words.cert} holds a certificate that cannot be read.`;
  if (!isKeyOf(leaf, key)) return `${words.key} does not belong to the certificate.`;
  try {
    createSecureContext({ key, cert });
    return null;
  } catch (error) {
    // For example a key that is too short for TLS.
    return `${words.cert} cannot be used for TLS (${(error as NodeJS.ErrnoException).code}).`;
  }
}

function endProblem(pair: CertifiedPair, nowMs: number): string | null {
  const { toMs } = lifeOf(pair);
  return toMs > nowMs ? null : `The certificate ended on ${new Date(toMs).toISOString().slice(0, 10)}.`;
}

function pemsOf({ key, cert }: CertifiedPair): Pems {
  return { key, cert, ca: `${chainOf(cert).at(-1)}\n` };
}

function chainOf(cert: string): readonly string[] {
  return cert.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}

async function readSettingFile(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw badValue(`The file of the setting ${setting} cannot be read.`, cause);
  }
}

/** Keys are made once and stay; certificates are renewed for the same keys, so clients that trust the CA keep trusting it. */
async function keepOwn({
  config,
  accounts,
  clock,
  randomness,
  announcedHosts = [],
  machine = thisMachine(),
}: CertificateParts): Promise<Pems> {
  const keyPem = accounts.secret("tls-key", makePrivateKey);
  const names = namesOf(config, announcedHosts, machine);
  const making = makingAt(clock, randomness);
  const { caKeyPem, caPem, isNew } = await keepAuthority("ca", accounts, making);
  let leafPem = isNew ? null : accounts.findSecret("tls-cert");
  if (leafPem === null || !isGood(leafPem, keyPem, making.nowMs) || !covers(leafPem, names.needed)) {
    const { makeLeaf } = await import("./make-certificate.ts");
    leafPem = await makeLeaf({ keyPem, caKeyPem, caPem, usage: "server", names: names.all }, making);
    accounts.replaceSecret("tls-cert", leafPem);
  }
  return { key: keyPem, cert: leafPem + caPem, ca: caPem };
}

export function makingAt(clock: Clock, randomness: Randomness): Making {
  return { nowMs: Math.max(clock.now(), EARLIEST_MS), randomness };
}

/** A CA of this controller: its key is made once, its certificate is renewed when its time comes. */
export async function keepAuthority(
  name: string,
  accounts: CertificateParts["accounts"],
  making: Making,
): Promise<{ readonly caKeyPem: string; readonly caPem: string; readonly isNew: boolean }> {
  const caKeyPem = accounts.secret(`${name}-key`, makePrivateKey);
  const known = accounts.findSecret(`${name}-cert`);
  if (known !== null && isGood(known, caKeyPem, making.nowMs)) return { caKeyPem, caPem: known, isNew: false };
  const { makeAuthority } = await import("./make-certificate.ts");
  const caPem = await makeAuthority(caKeyPem, making);
  accounts.replaceSecret(`${name}-cert`, caPem);
  return { caKeyPem, caPem, isNew: true };
}

/** IPv6 addresses of a machine come and go by the day, so a certificate names them but is not renewed for them. */
function namesOf(
  { host, portalHost, allowedHosts, acmeNames }: CertificateParts["config"],
  announcedHosts: readonly string[],
  { hostName, addresses }: Machine,
) {
  const local = hostName.includes(".") ? [hostName] : [hostName, `${hostName}.local`];
  const bound = WILDCARD_ADDRESSES.has(host) ? [] : [host];
  const steady = [
    "localhost",
    "127.0.0.1",
    "::1",
    ...local,
    ...bound,
    portalHost,
    ...announcedHosts,
    ...allowedHosts,
    ...acmeNames,
    ...addresses,
  ];
  const all = [...new Set(steady.map((name) => name.toLowerCase()))].filter(
    (name) => isIP(name) || DNS_NAME.test(name),
  );
  const passing = new Set(addresses.filter(isIPv6));
  return { all, needed: all.filter((name) => !passing.has(name)) };
}

function thisMachine(): Machine {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const reachable = interfaces.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return { hostName: hostname(), addresses: reachable.map(({ address }) => address) };
}

/** Readable, of this key, and good for a while. A start before its time only means that the clock is behind. */
function isGood(pem: string, keyPem: string, nowMs: number): boolean {
  const certificate = parseCertificate(pem);
  return (
    certificate !== null && isKeyOf(certificate, keyPem) && certificate.validToDate.getTime() - nowMs >= RENEW_BEFORE_MS
  );
}

function covers(pem: string, names: readonly string[]): boolean {
  const certificate = new X509Certificate(pem);
  const dnsNames = new Set(certificate.subjectAltName?.split(", "));
  return names.every((name) => (isIP(name) ? certificate.checkIP(name) !== undefined : dnsNames.has(`DNS:${name}`)));
}

function parseCertificate(pem: string): X509Certificate | null {
  return attempt(() => new X509Certificate(pem));
}

function isKeyOf(certificate: X509Certificate, keyPem: string): boolean {
  return attempt(() => certificate.publicKey.equals(createPublicKey(createPrivateKey(keyPem)))) ?? false;
}
