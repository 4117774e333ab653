/**
 * Orders the certificate for the names of the setting acmeNames, and again when two thirds of its lifetime are over. After a
 * failure it tries again with growing pauses; the certificate before stays in use.
 */

import type { AccountStore } from "../../auth/records.ts";
import type { Config } from "../../config.ts";
import { badValue } from "../../errors.ts";
import { type Clock, deadlineIn, type Timer } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { messageOf } from "../../util/message-of.ts";
import { makePrivateKey } from "../../util/private-key.ts";
import { type CertifiedPair, findCertified, isDnsName, lifeOf } from "../tls.ts";
import { AcmeError } from "./acme-error.ts";
import { challengeSolver } from "./challenges.ts";

export type RenewalPorts = {
  readonly config: Pick<
    Config,
    | "acmeNames"
    | "acmeEmail"
    | "acmeDirectoryUrl"
    | "acmeOrderMs"
    | "acmeAnswerBytesMax"
    | "acmePauseMaxMs"
    | "acmeHttpPort"
    | "acmeDnsCommand"
    | "acmeDnsWaitMs"
    | "certificateFile"
    | "host"
  >;
  readonly accounts: Pick<AccountStore, "secret" | "findSecret" | "replaceSecret">;
  readonly clock: Clock;
  readonly log: Log;
};

/** Public servers accept five failures an hour for a name. */
const RETRY_FIRST_MS = 300_000;
const RETRY_LAST_MS = 43_200_000;
/** Between two orders that succeed, also where the clock and the server disagree about the time. */
const PAUSE_MIN_MS = 3_600_000;

export class AcmeRenewal {
  readonly #ports: RenewalPorts;
  readonly #onRenewed: () => Promise<void>;
  readonly #end = new AbortController();
  #timer: Timer | null = null;
  #failures = 0;
  #failure: string | null = null;
  #nextMs: number | null = null;

  /** @throws ControllerError BAD_VALUE naming the setting that does not fit. */
  constructor(ports: RenewalPorts, onRenewed: () => Promise<void>) {
    checkSettings(ports.config);
    this.#ports = ports;
    this.#onRenewed = onRenewed;
  }

  get state(): { readonly failure: string | null; readonly nextMs: number | null } {
    return { failure: this.#failure, nextMs: this.#nextMs };
  }

  start(): void {
    const { clock } = this.#ports;
    const current = findCertified(this.#ports);
    this.#beginAt(current ? renewalMs(current) : clock.now());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#end.abort();
  }

  #beginAt(atMs: number): void {
    const { clock } = this.#ports;
    this.#nextMs = Math.max(atMs, clock.now());
    this.#timer = clock.setTimer(() => void this.#renew(), this.#nextMs - clock.now());
  }

  async #renew(): Promise<void> {
    const { clock, log, accounts } = this.#ports;
    try {
      const certified = await this.#order();
      accounts.replaceSecret("acme-certificate", certified.key + certified.cert);
      await this.#onRenewed();
      this.#failures = 0;
      this.#failure = null;
      log.info("The certificate was renewed.", { validTo: iso(lifeOf(certified).toMs) });
      this.#beginAt(Math.max(renewalMs(certified), clock.now() + PAUSE_MIN_MS));
    } catch (error) {
      if (!this.#end.signal.aborted) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { clock, log, config } = this.#ports;
    this.#failure = messageOf(error);
    const pauseMs = Math.min(RETRY_FIRST_MS * 2 ** this.#failures, RETRY_LAST_MS);
    this.#failures += 1;
    const permittedMs = error instanceof AcmeError ? error.retryAfterS * 1000 : 0;
    // However long the server wants: the certificate must not expire meanwhile.
    this.#beginAt(clock.now() + Math.max(pauseMs, Math.min(permittedMs, config.acmePauseMaxMs)));
    log.warn(`The certificate was not renewed. ${this.#failure}`, { nextTry: iso(this.#nextMs ?? 0) });
  }

  async #order(): Promise<CertifiedPair> {
    const { config, accounts, clock } = this.#ports;
    const sentence = `The ACME server did not issue the certificate within ${config.acmeOrderMs / 1000} seconds.`;
    using late = deadlineIn(clock, config.acmeOrderMs, new AcmeError(sentence));
    const [{ AcmeSession }, { makeRequest }] = await Promise.all([
      import("./acme-session.ts"),
      import("../make-certificate.ts"),
    ]);
    const key = makePrivateKey();
    const session = await AcmeSession.open({
      config,
      directoryUrl: config.acmeDirectoryUrl,
      accountKeyPem: accounts.secret("acme-account-key", makePrivateKey),
      email: config.acmeEmail,
      clock,
      signal: AbortSignal.any([late.signal, this.#end.signal]),
    });
    const request = await makeRequest(key, config.acmeNames);
    const cert = await session.order({ names: config.acmeNames, request, solve: challengeSolver(this.#ports) });
    const certified = { key, cert };
    if (lifeOf(certified).toMs > 0) return certified;
    throw new AcmeError("The ACME server sent something else than a certificate.");
  }
}

function renewalMs(certified: CertifiedPair): number {
  const { fromMs, toMs } = lifeOf(certified);
  return fromMs + ((toMs - fromMs) * 2) / 3;
}

function checkSettings({ acmeNames, acmeDnsCommand, certificateFile }: RenewalPorts["config"]): void {
  const wrong = acmeNames.find((name) => !isDnsName(name));
  const wildcard = acmeNames.find((name) => name.startsWith("*."));
  if (wrong !== undefined)
    throw badValue(`The setting acmeNames holds "${wrong}", which is not a host name in lower case.`);
  if (wildcard !== undefined && acmeDnsCommand === "") {
    throw badValue(`The name ${wildcard} in the setting acmeNames needs the setting acmeDnsCommand.`);
  }
  if (acmeNames.length > 0 && certificateFile !== "") {
    throw badValue("The settings acmeNames and certificateFile exclude each other. Remove one of them.");
  }
}

const iso = (atMs: number) => new Date(atMs).toISOString();
