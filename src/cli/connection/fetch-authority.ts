/** The authority that a controller shows for its certificate, so that a person can compare its fingerprint and trust it. */

import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { connect, type DetailedPeerCertificate } from "node:tls";
import { CommandFailure } from "../outcome.ts";

type ShownAuthority = {
  readonly pem: string;
  /** SHA-256 of the certificate, pairs of hex digits with colons, as other tools show it. */
  readonly fingerprint: string;
  readonly subject: string;
  /** When it ends, as the certificate writes it. */
  readonly validTo: string;
};

const TIMEOUT_MS = 10_000;

/**
 * Returns the last certificate of the chain that the controller sends. It is not verified here, and no secret is
 * sent.
 * @throws CommandFailure unreachable; failed when the chain ends before an authority.
 */
export async function fetchAuthority(url: string): Promise<ShownAuthority> {
  const last = lastOf(await peerCertificate(new URL(url)));
  const certificate = new X509Certificate(last.raw);
  if (!certificate.checkIssued(certificate)) {
    const sentence = `${url} does not send the authority of its certificate (${oneLine(certificate.issuer)}). Name it with --ca.`;
    throw new CommandFailure("failed", sentence);
  }
  return {
    pem: certificate.toString(),
    fingerprint: certificate.fingerprint256,
    subject: oneLine(certificate.subject),
    validTo: certificate.validTo,
  };
}

/** @param text as a person writes it: with or without colons, in any case */
export function sameFingerprint(shown: string, text: string): boolean {
  const digits = (fingerprint: string) => fingerprint.replaceAll(/[:\s]/g, "").toUpperCase();
  return digits(shown) === digits(text);
}

function peerCertificate(url: URL): Promise<DetailedPeerCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const servername = isIP(host) ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const failed = (error: Error) =>
      reject(new CommandFailure("unreachable", `No controller answers at ${url.origin}: ${error.message}.`, error));
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false, ...servername };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate(true));
      socket.destroy();
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", failed);
  });
}

/** The chain ends where a certificate is its own issuer, or where the controller sends no more. */
function lastOf(first: DetailedPeerCertificate): DetailedPeerCertificate {
  let last = first;
  while (last.issuerCertificate && last.issuerCertificate.fingerprint256 !== last.fingerprint256) {
    last = last.issuerCertificate;
  }
  return last;
}

function oneLine(name: string): string {
  return name.replaceAll("\n", ", ");
}
