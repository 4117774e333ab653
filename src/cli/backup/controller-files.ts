/**
 * A running controller, asked for files: what the client library, whose answers are texts, does not do. Logged in for the
 * time of one command, by a token at the portal, with each request at a local listener.
 */

import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { pipeline } from "node:stream/promises";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Access, findAccess } from "../connection/find-access.ts";
import { CommandFailure } from "../outcome.ts";

type Method = "GET" | "POST" | "DELETE";
type Answer = { readonly data?: unknown; readonly error?: string };

const TIMEOUT_MS = 30_000;
const CERTIFICATE_ERRORS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** @throws CommandFailure; what `use` throws. */
export async function withControllerFiles<R>(
  options: ConnectionOptions,
  use: (files: ControllerFiles) => Promise<R>,
): Promise<R> {
  const files = new ControllerFiles(await findAccess(options));
  try {
    await files.login();
    return await use(files);
  } finally {
    await files.close();
  }
}

class ControllerFiles {
  readonly #access: Access;
  readonly #agent: Agent;
  #authorization: string | null = null;

  constructor(access: Access) {
    const { ca, insecure } = access;
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) });
  }

  async login(): Promise<void> {
    const { mode, user, password } = this.#access;
    if (mode === "local") {
      this.#authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
      return;
    }
    const { accessToken } = await this.ask<{ accessToken: string }>("POST", "/api/login", { username: user, password });
    this.#authorization = `Bearer ${accessToken}`;
  }

  /** `data` of the answer, in the shape that is documented for this version. @throws CommandFailure */
  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const response = await this.#open(method, path, body === undefined ? "" : JSON.stringify(body));
    return (await this.#answer(response)).data as T;
  }

  /** @param file made with mode 0600. @throws CommandFailure; Node's error of the disk, or when the answer is cut off. */
  async download(path: string, file: string): Promise<void> {
    const response = await this.#open("GET", path, "");
    if (response.statusCode !== 200) await this.#answer(response);
    await pipeline(response, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  }

  async close(): Promise<void> {
    try {
      if (this.#access.mode === "portal" && this.#authorization) await this.ask("POST", "/api/jwt/logout");
    } catch {
      // The session then ends by itself; what the command was for is done.
    } finally {
      this.#agent.destroy();
    }
  }

  async #answer(response: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { statusCode = 0 } = response;
    const answer = parseAnswer(Buffer.concat(chunks).toString("utf8"));
    if (!answer) throw new CommandFailure("unreachable", `What answers at ${this.#access.url} is no controller.`);
    if (statusCode >= 200 && statusCode < 300) return answer;
    const outcome = statusCode === 401 || statusCode === 429 ? "credentials" : "failed";
    throw new CommandFailure(outcome, answer.error ?? `The controller answered with status ${statusCode}.`);
  }

  /** Settles with the head of the answer. @param text of the body; empty: there is none. */
  #open(method: Method, path: string, text: string): Promise<IncomingMessage> {
    const headers = {
      "Content-Length": Buffer.byteLength(text),
      ...(text === "" ? {} : { "Content-Type": "application/json" }),
      ...(this.#authorization === null ? {} : { Authorization: this.#authorization }),
    };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers, timeout: TIMEOUT_MS };
      const outgoing = request(new URL(path, this.#access.url), options, resolve);
      outgoing.once("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.once("error", (error) => reject(this.#unreachable(error))).end(text);
    });
  }

  #unreachable(error: Error & { readonly code?: string }): CommandFailure {
    const { url } = this.#access;
    const { code = "" } = error;
    if (!CERTIFICATE_ERRORS.test(code))
      return new CommandFailure("unreachable", `No controller answers at ${url}: ${error.message || code}.`, error);
    const hint = "Name the controller's authority with --ca (secrets/ca-cert of its data directory).";
    const sentence = `The certificate of ${url} is not trusted: ${error.message}. ${hint}`;
    return new CommandFailure("unreachable", sentence, error);
  }
}

function parseAnswer(text: string): Answer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : null;
  } catch {
    return null;
  }
}
