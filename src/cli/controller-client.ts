/**
 * A running controller, asked over HTTPS as its owner: logged in on the portal for the time of one command. Certificates are
 * checked against the machine's authorities, or against one that is named; not checking has to be said.
 */

import { Agent, request } from "node:https";
import { ControllerError, ERROR_CODES, type ErrorCode } from "../errors.ts";

export type ConnectOptions = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** PEM of a certificate authority. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
};

type Method = "GET" | "POST" | "PUT";

/** A refusal of the controller, with its code; the sentence is the controller's own. */
class RefusedError extends ControllerError {
  constructor(code: ErrorCode, sentence: string) {
    super(code, { sentence });
    this.name = "RefusedError";
  }
}

export class ControllerClient {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #credentials: { readonly username: string; readonly password: string };
  #accessToken: string | null = null;

  private constructor(url: URL, agent: Agent, username: string, password: string) {
    this.#url = url;
    this.#agent = agent;
    this.#credentials = { username, password };
  }

  /** @throws ControllerError BAD_VALUE for options that cannot be used; as the controller answers. */
  static async connect({ url, user, password, ca, insecure }: ConnectOptions): Promise<ControllerClient> {
    const authority = ca === undefined ? {} : { ca };
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: !insecure, ...authority });
    const client = new ControllerClient(parseUrl(url), agent, user, password);
    await client.#login();
    return client;
  }

  /**
   * `data` of the answer. Its shape is that of the same version's documentation; it is not checked again.
   * @throws RefusedError; ControllerError BAD_REQUEST when nobody answers, or not as a controller does.
   */
  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    try {
      return await this.#ask<T>(method, path, body);
    } catch (error) {
      // A text may be open in an editor for longer than a token is good.
      if (!(error instanceof RefusedError) || error.status !== 401) throw error;
      await this.#login();
      return await this.#ask<T>(method, path, body);
    }
  }

  async #login(): Promise<void> {
    this.#accessToken = null;
    this.#accessToken = (await this.#ask<{ accessToken: string }>("POST", "/api/login", this.#credentials)).accessToken;
  }

  async #ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const answer = await this.#send(method, path, body);
    let parsed: { data?: T; error?: string; code?: string };
    try {
      parsed = JSON.parse(answer.text);
    } catch (cause) {
      throw bad(`What answers at ${this.#url.origin} is no controller.`, cause);
    }
    if (answer.status >= 200 && answer.status < 300) return parsed.data as T;
    const code = ERROR_CODES.find((each) => each === parsed.code) ?? "BAD_REQUEST";
    throw new RefusedError(code, parsed.error ?? `The controller answered with status ${answer.status}.`);
  }

  /** Ends the session. */
  async close(): Promise<void> {
    try {
      await this.#ask("POST", "/api/jwt/logout");
    } catch {
      // The session then ends by itself; what the command was for is done.
    } finally {
      this.#agent.destroy();
    }
  }

  #send(method: Method, path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      "Content-Length": Buffer.byteLength(text),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(this.#accessToken === null ? {} : { Authorization: `Bearer ${this.#accessToken}` }),
    };
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(this.#unreachable(error));
      const options = { method, agent: this.#agent, headers, timeout: TIMEOUT_MS };
      const outgoing = request(new URL(path, this.#url), options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", failed);
        response.once("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      });
      outgoing.once("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.once("error", failed).end(text);
    });
  }

  #unreachable(error: Error & { readonly code?: string }): ControllerError {
    const { code = "" } = error;
    if (CERTIFICATE_ERRORS.test(code)) {
      const hint = "Name the controller's authority with --ca (secrets/ca-cert of its data directory).";
      return bad(`The certificate of ${this.#url.origin} is not trusted: ${error.message}. ${hint}`, error);
    }
    return bad(`No controller answers at ${this.#url.origin}: ${error.message || code}.`, error);
  }
}

const TIMEOUT_MS = 30_000;
const CERTIFICATE_ERRORS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:") return url;
  throw bad(`"${text}" is not the address of a portal, such as https://localhost:9443.`);
}

function bad(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_REQUEST", { sentence, cause });
}
