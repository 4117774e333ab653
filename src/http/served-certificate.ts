/**
 * The certificate of the listeners while the controller runs. Once a day it is read again: one that the controller made for itself
 * is renewed when its time comes, and the owner's files may have changed. One from an ACME server is shown to clients that name
 * its host; all others, such as those that know the address only, see the controller's own.
 */

import { X509Certificate } from "node:crypto";
import type { CertificateState } from "../monitoring/health.ts";
import { DAY_MS, delay } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { AcmeRenewal, type RenewalPorts } from "./acme/acme-renewal.ts";
import {
  type Certificate,
  type CertificateParts,
  type CertifiedPair,
  findCertified,
  lifeOf,
  loadCertificate,
  storeUploaded,
} from "./tls.ts";

type ServedCertificatePorts = CertificateParts & RenewalPorts & { readonly log: Log };

/** The certificate that a listener presents. */
export type ShownCertificate = Certificate & {
  /** For clients that name one of these hosts. */
  readonly certified: (CertifiedPair & { readonly names: readonly string[] }) | null;
};

type CertificateFacts = {
  readonly source: Certificate["source"] | "acme";
  readonly issuer: string;
  readonly names: readonly string[];
  readonly validFromMs: number;
  readonly validToMs: number;
  /** SHA-256. */
  readonly fingerprint: string;
  /** The certificate to trust where the controller's own is shown. Fingerprint as `domovoi login --trust` shows it. */
  readonly authority: {
    readonly subject: string;
    readonly validToMs: number;
    readonly fingerprint: string;
    readonly pem: string;
  };
};

type CertifiedListener = { setCertificate(certificate: ShownCertificate): void };

export class ServedCertificate {
  readonly #ports: ServedCertificatePorts;
  readonly #renewal: AcmeRenewal;
  readonly #listeners: ReadonlyMap<string, CertifiedListener>;
  readonly #end = new AbortController();
  #current: Promise<ShownCertificate> | null = null;

  /** @throws ControllerError BAD_VALUE naming the setting that does not fit. */
  constructor(ports: ServedCertificatePorts, listeners: ReadonlyMap<string, CertifiedListener>) {
    this.#ports = ports;
    this.#listeners = listeners;
    this.#renewal = new AcmeRenewal(ports, () => this.reload());
  }

  /** @throws ControllerError BAD_VALUE naming the setting when the owner's files cannot be used. */
  current(): Promise<ShownCertificate> {
    this.#current ??= this.#load();
    return this.#current;
  }

  /** Shown by all listeners from now on. @throws as `current`; the certificate before then stays in use. */
  async reload(): Promise<void> {
    const loaded = await this.#load();
    this.#current = Promise.resolve(loaded);
    for (const listener of this.#listeners.values()) listener.setCertificate(loaded);
  }

  /** The owner's certificate from now on; null: the controller's own again. @throws ControllerError BAD_VALUE, CONFLICT */
  async use(pair: CertifiedPair | null): Promise<void> {
    storeUploaded(pair, this.#ports);
    await this.reload();
    this.#ports.log.info(pair ? "An uploaded certificate is in use." : "The uploaded certificate was removed.");
  }

  start(): void {
    if (this.#ports.config.acmeNames.length > 0) this.#renewal.start();
    this.#reloadDaily();
  }

  stop(): void {
    this.#renewal.stop();
    this.#end.abort();
  }

  async state(): Promise<CertificateState> {
    if (this.#ports.config.acmeNames.length > 0) {
      const { certified } = await this.current();
      return { source: "acme", ...lifeOf(certified ?? { cert: "" }), ...this.#renewal.state };
    }
    const certificate = await this.current();
    return { source: certificate.source, ...lifeOf(certificate), failure: null, nextMs: null };
  }

  /** Facts of the ACME certificate if there is one, or else of the other one. */
  async facts(): Promise<CertificateFacts> {
    const { cert, ca, source, certified } = await this.current();
    const [leaf, authority] = [new X509Certificate(certified?.cert ?? cert), new X509Certificate(ca)];
    return {
      source: certified ? "acme" : source,
      issuer: leaf.issuer,
      names: leaf.subjectAltName?.split(", ").map((name) => name.replace(/^(DNS|IP Address):/, "")) ?? [],
      validFromMs: leaf.validFromDate.getTime(),
      validToMs: leaf.validToDate.getTime(),
      fingerprint: leaf.fingerprint256,
      authority: {
        subject: authority.subject,
        validToMs: authority.validToDate.getTime(),
        fingerprint: authority.fingerprint256,
        pem: ca,
      },
    };
  }

  async #load(): Promise<ShownCertificate> {
    const certified = findCertified(this.#ports);
    const names = this.#ports.config.acmeNames;
    return { ...(await loadCertificate(this.#ports)), certified: certified && { ...certified, names } };
  }

  #reloadDaily(): void {
    const { clock, log } = this.#ports;
    const { signal } = this.#end;
    delay(clock, DAY_MS, signal)
      .then(() => this.reload())
      .catch((error: unknown) => {
        if (!signal.aborted) log.error("The certificate cannot be read again; the one before stays in use.", { error });
      })
      .finally(() => {
        if (!signal.aborted) this.#reloadDaily();
      });
  }
}
