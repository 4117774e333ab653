/**
 * A session with an ACME server (RFC 8555): signed requests of one account, and the order of one certificate. jose signs; who
 * orders when is decided in acme-renewal.ts.
 */

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { FlattenedSign } from "jose/jws/flattened/sign";
import type { Config } from "../../config.ts";
import { unreachable } from "../../notifications/unreachable.ts";
import { type Clock, delay } from "../../util/clock.ts";
import { productVersion } from "../../version.ts";
import { AcmeError } from "./acme-error.ts";
import type { SolveChallenge } from "./challenges.ts";

type SessionPorts = {
  readonly config: Pick<Config, "acmeAnswerBytesMax">;
  readonly directoryUrl: string;
  /** PEM, P-256. The account belongs to it. */
  readonly accountKeyPem: string;
  /** Empty: the account has no contact. */
  readonly email: string;
  readonly clock: Clock;
  /** Ends the order. */
  readonly signal: AbortSignal;
};

type WantedCertificate = {
  readonly names: readonly string[];
  /** DER of the PKCS #10 request. */
  readonly request: Buffer;
  readonly solve: SolveChallenge;
};

type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly headers: Headers; readonly text: string };

/** A server that keeps refusing nonces is broken. */
const NONCE_TRIES = 5;
const POLL_S = 2;
const DETAIL_CHARS_MAX = 300;
/** A server that asks for less, or for a pause that is none, is not asked without end. */
const POLL_MIN_S = 1;

export class AcmeSession {
  readonly #ports: SessionPorts;
  readonly #key: KeyObject;
  readonly #jwk: JWK;
  readonly #directory: Json;
  #nonce: string | null = null;
  /** URL of the account, once it is known. */
  #account: string | null = null;

  private constructor(ports: SessionPorts, jwk: JWK, directory: Json) {
    this.#ports = ports;
    this.#key = createPrivateKey(ports.accountKeyPem);
    this.#jwk = jwk;
    this.#directory = directory;
  }

  /** Finds the account of the key, or makes it. @throws AcmeError */
  static async open(ports: SessionPorts): Promise<AcmeSession> {
    const jwk = await exportJWK(createPublicKey(ports.accountKeyPem));
    const { text } = await send(ports, ports.directoryUrl, {});
    const session = new AcmeSession(ports, jwk, readJson(text));
    const contact = ports.email === "" ? {} : { contact: [`mailto:${ports.email}`] };
    const { headers } = await session.#post(session.#at("newAccount"), { termsOfServiceAgreed: true, ...contact });
    session.#account = headers.get("location");
    return session;
  }

  /** The chain, leaf first, PEM. @throws AcmeError */
  async order({ names, request, solve }: WantedCertificate): Promise<string> {
    const identifiers = names.map((value) => ({ type: "dns", value }));
    const made = await this.#post(this.#at("newOrder"), { identifiers });
    const orderUrl = made.headers.get("location") ?? "";
    const { authorizations, finalize } = readJson(made.text);
    for (const url of Array.isArray(authorizations) ? authorizations : []) await this.#authorize(String(url), solve);
    await this.#post(String(finalize), { csr: request.toString("base64url") });
    const { certificate } = await this.#until(orderUrl);
    return (await this.#post(String(certificate), null)).text;
  }

  async #authorize(url: string, { kind, publish }: SolveChallenge): Promise<void> {
    const { status, identifier, challenges } = readJson((await this.#post(url, null)).text);
    if (status === "valid") return;
    const name = String((identifier as Json | undefined)?.value);
    const offered = Array.isArray(challenges) ? (challenges as readonly Json[]) : [];
    const challenge = offered.find(({ type }) => type === kind);
    if (!challenge) throw new AcmeError(`The ACME server offers no ${kind} challenge for "${name}".`);
    const token = String(challenge.token);
    const keyAuthorization = `${token}.${await calculateJwkThumbprint(this.#jwk)}`;
    const withdraw = await publish({ name, token, keyAuthorization }, this.#ports.signal);
    try {
      await this.#post(String(challenge.url), {});
      await this.#until(url);
    } finally {
      await withdraw();
    }
  }

  /** The order or authorization at the URL once it is valid. */
  async #until(url: string): Promise<Json> {
    for (;;) {
      const { headers, text } = await this.#post(url, null);
      const state = readJson(text);
      if (state.status === "valid") return state;
      if (state.status === "invalid") throw new AcmeError(`The ACME server refused the order: ${whyInvalid(state)}`);
      const waitS = Math.max(POLL_MIN_S, Number(headers.get("retry-after")) || POLL_S);
      await delay(this.#ports.clock, waitS * 1000, this.#ports.signal);
    }
  }

  /** @param body null: reads what is at the URL */
  async #post(url: string, body: object | null): Promise<Answer> {
    const payload = Buffer.from(body === null ? "" : JSON.stringify(body));
    for (let left = NONCE_TRIES; ; left -= 1) {
      const nonce = this.#nonce ?? (await this.#newNonce());
      const sender = this.#account === null ? { jwk: this.#jwk } : { kid: this.#account };
      const signing = new FlattenedSign(payload).setProtectedHeader({ alg: "ES256", nonce, url, ...sender });
      const signed = JSON.stringify(await signing.sign(this.#key));
      const headers = { "Content-Type": "application/jose+json" };
      try {
        const answer = await send(this.#ports, url, { method: "POST", headers, body: signed });
        this.#nonce = answer.headers.get("replay-nonce");
        return answer;
      } catch (error) {
        this.#nonce = null;
        if (!(error instanceof BadNonce) || left === 1) throw error;
      }
    }
  }

  async #newNonce(): Promise<string> {
    const { headers } = await send(this.#ports, this.#at("newNonce"), { method: "HEAD" });
    return headers.get("replay-nonce") ?? "";
  }

  #at(member: string): string {
    const url = this.#directory[member];
    if (typeof url === "string") return url;
    throw new AcmeError(`There is no ACME directory at ${this.#ports.directoryUrl} (setting acmeDirectoryUrl).`);
  }
}

class BadNonce extends AcmeError {}

async function send({ config, signal }: SessionPorts, url: string, init: RequestInit): Promise<Answer> {
  let answer: Response;
  let text: string;
  try {
    const headers = { ...init.headers, "User-Agent": `Domovoi/${productVersion}` };
    answer = await fetch(url, { ...init, headers, redirect: "error", signal });
    text = await textOf(answer, config.acmeAnswerBytesMax);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof AcmeError) throw error;
    const code = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined)?.code : null;
    throw new AcmeError(unreachable("The ACME server", typeof code === "string" ? code : null));
  }
  if (answer.ok) return { headers: answer.headers, text };
  const problem = readJson(text);
  const sentence = `The ACME server answered with status ${answer.status}: ${plainDetail(problem.detail)}`;
  if (problem.type === "urn:ietf:params:acme:error:badNonce") throw new BadNonce(sentence);
  throw new AcmeError(sentence, Number(answer.headers.get("retry-after")) || 0);
}

async function textOf({ body }: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new AcmeError("The ACME server sent an answer that is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The first error that the server gives for the order, or for a challenge of the authorization. */
function whyInvalid({ error, challenges }: Json): string {
  const errors = [error, ...(Array.isArray(challenges) ? challenges : []).map((each: Json) => each.error)];
  return plainDetail(errors.map((each) => (each as Json | undefined)?.detail).find((detail) => detail !== undefined));
}

/** Text of the server on one line, in quotes: it names hosts, which the support report leaves out. */
function plainDetail(detail: unknown): string {
  if (typeof detail !== "string") return "it gives no reason.";
  const plain = detail.replace(/[\u0000-\u001f\u007f-\u009f"]+/g, " ").slice(0, DETAIL_CHARS_MAX);
  return `"${plain}".`;
}
