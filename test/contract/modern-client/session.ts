/**
 * The modern client's requests: the headers that aiohttp sends and no others, the login before the first request, a
 * refresh before a token ends, one retry after a 401. It is a Python library; this plays what it sends and requires.
 */

import { Agent, request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import type { Clock } from "../../../src/util/clock.ts";

export type Credentials = { readonly username: string; readonly password: string };
/** `portal`: tokens, by a login of its own. `local`: basic authentication on every request. */
export type Mode = "portal" | "local";

export type Answer = { readonly status: number; readonly contentType: string; readonly text: string };
type Sent = { readonly method: string; readonly path: string; readonly headers: readonly string[] };

export class AuthError extends Error {}
/** Its name for a status of 400 and above. */
export class HttpError extends Error {
  readonly status: number;

  constructor(path: string, status: number) {
    super(`${path} was answered ${status}.`);
    this.status = status;
  }
}
/** An answer that it cannot read. */
export class ClientError extends Error {}

type Pair = { readonly accessToken: string; readonly refreshToken: string; readonly expiresAtMs: number | null };
type Body = { readonly contentType: string; readonly text: string };

/** A token that ends within this time is refreshed before it is used. */
const LEEWAY_MS = 60_000;
const decoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
};

export class Session {
  readonly url: string;
  /** Every request, in the order in which they were begun. */
  readonly sent: Sent[] = [];
  readonly #mode: Mode;
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100, rejectUnauthorized: false });
  #pair: Pair | null = null;
  #renewing: Promise<void> | null = null;

  constructor(url: string, mode: Mode, credentials: Credentials, clock: Clock) {
    this.url = url;
    this.#mode = mode;
    this.#credentials = credentials;
    this.#clock = clock;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** @throws HttpError for 400 and above, AuthError when no credentials help. */
  async get(path: string): Promise<Answer> {
    return this.#checked("GET", path, null);
  }

  /** @returns the object that was answered. @throws ClientError when it is none, or empty. */
  async write(method: "POST" | "PUT", path: string, body: object): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    const answer = await this.#checked(method, path, { contentType: "application/json", text });
    const read = parseJson(answer.text);
    if (!isObject(read)) throw new ClientError(`${path} was not answered with an object.`);
    return read;
  }

  /** A number with a decimal point where Python has a float. */
  async writeFloat(path: string, member: string, value: number): Promise<void> {
    const text = `{"${member}": ${Number.isInteger(value) ? value.toFixed(1) : value}}`;
    await this.#checked("POST", path, { contentType: "application/json", text });
  }

  async delete(path: string): Promise<void> {
    await this.#checked("DELETE", path, { contentType: "", text: "" });
  }

  /** Sent when the stream is closed. The client ignores the answer; it is returned for the test. */
  async logout(): Promise<number> {
    if (this.#mode === "local") return 0;
    await this.#prepare();
    const { status } = await this.#send("POST", "/api/jwt/logout", this.#bearer(), {
      contentType: "application/octet-stream",
      text: "",
    });
    return status;
  }

  /** For the upgrade request of the stream. */
  async credentials(): Promise<Readonly<Record<string, string>>> {
    await this.#prepare();
    return this.#bearer();
  }

  /** After a 401 to the upgrade. */
  async renew(): Promise<void> {
    this.#renewing ??= this.#refreshOrLogin().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #checked(method: string, path: string, body: Body | null): Promise<Answer> {
    await this.#prepare();
    let answer = await this.#send(method, path, this.#bearer(), body);
    if (answer.status === 401) {
      if (this.#mode === "local") throw new AuthError(`${path} was answered 401.`);
      await this.renew();
      answer = await this.#send(method, path, this.#bearer(), body);
    }
    if (answer.status >= 400) throw new HttpError(path, answer.status);
    return answer;
  }

  async #prepare(): Promise<void> {
    if (this.#mode === "local") return;
    const expiresAtMs = this.#pair?.expiresAtMs ?? null;
    const ends = expiresAtMs !== null && expiresAtMs - this.#clock.now() <= LEEWAY_MS;
    if (!this.#pair || ends) await this.renew();
  }

  async #refreshOrLogin(): Promise<void> {
    const refreshed = this.#pair && (await this.#refresh(this.#pair.refreshToken));
    this.#pair = refreshed || (await this.#login());
  }

  async #refresh(refreshToken: string): Promise<Pair | null> {
    const answer = await this.#send("POST", "/api/jwt/refresh", {}, jsonBody({ refreshToken }));
    return answer.status === 200 ? readPair(answer) : null;
  }

  async #login(): Promise<Pair> {
    const { username, password } = this.#credentials;
    const answer = await this.#send("POST", "/api/login", {}, jsonBody({ username, password }));
    // 201 and 204 would be refused too.
    if (answer.status !== 200) throw new AuthError(`The login was answered ${answer.status}.`);
    return readPair(answer);
  }

  #bearer(): Readonly<Record<string, string>> {
    if (this.#mode === "portal") return { Authorization: `Bearer ${this.#pair?.accessToken ?? ""}` };
    const { username, password } = this.#credentials;
    return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  }

  #send(method: string, path: string, auth: Readonly<Record<string, string>>, body: Body | null): Promise<Answer> {
    const { hostname, port, host } = new URL(this.url);
    const headers = {
      Host: host,
      ...auth,
      Accept: "*/*",
      "Accept-Encoding": "gzip, deflate",
      "User-Agent": "Python/3.11 aiohttp/3.14.3",
      ...(body ? { "Content-Length": String(Buffer.byteLength(body.text)) } : {}),
      ...(body?.contentType ? { "Content-Type": body.contentType } : {}),
    };
    this.sent.push({ method, path, headers: Object.keys(headers) });
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest({ agent: this.#agent, hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
        response.once("end", () => {
          const { "content-type": contentType = "", "content-encoding": encoding = "" } = response.headers;
          const decode = decoders[encoding] ?? (async (bytes: Buffer) => bytes);
          decode(Buffer.concat(chunks)).then(
            (bytes) => resolve({ status: response.statusCode ?? 0, contentType, text: bytes.toString("utf8") }),
            reject,
          );
        });
      });
      // Node would add it; aiohttp does not.
      outgoing.removeHeader("Connection");
      outgoing.once("error", reject).end(body?.text);
    });
  }
}

function jsonBody(value: object): Body {
  return { contentType: "application/json", text: JSON.stringify(value) };
}

/** The type of the content counts here, and in no other answer. */
function readPair({ contentType, text }: Answer): Pair {
  if (!/^application\/([\w.+-]+\+)?json\b/.test(contentType))
    throw new ClientError("The login was not answered in JSON.");
  const { successful, data } = JSON.parse(text) as { successful?: unknown; data?: Record<string, unknown> };
  const { accessToken, refreshToken } = data ?? {};
  if (!successful || typeof accessToken !== "string" || typeof refreshToken !== "string")
    throw new AuthError("The login was not successful.");
  return { accessToken, refreshToken, expiresAtMs: expiry(accessToken) };
}

/** Only the numeric `exp` of the middle part is read; the signature never. */
function expiry(token: string): number | null {
  const payload = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  return isObject(payload) && typeof payload.exp === "number" ? payload.exp * 1000 : null;
}

/** `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
