/** A request as handlers see it. Rarely used members are computed on demand. */

import type { IncomingHttpHeaders } from "node:http";
import type { ListenerName } from "../../auth/auth.ts";
import type { Principal } from "../../auth/principal.ts";
import type { Cause } from "../../home/cause.ts";
import type { HttpRequest } from "../route.ts";
import type { Target } from "../target.ts";

/** `value` is null without a body; `file` is empty where none is taken. */
export type Body = { readonly value: unknown; readonly text: string; readonly file: Uint8Array };

type RequestParts = {
  readonly id: string;
  readonly method: string;
  readonly target: Target;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly principal: Principal | null;
  readonly remoteAddress: string;
  readonly listener: ListenerName;
  readonly ownUrl: () => string;
  readonly signal: () => AbortSignal;
  /** Settles when it is the turn of the request's source. */
  readonly turn: () => Promise<void>;
};

/** With it a request is that of an assistant; its value names the tool. */
export const ASSISTANT_HEADER = "domovoi-assistant";
const TOOL = /^[a-z_]{1,30}$/;

export class DecodedRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly rawBody: string;
  readonly file: Uint8Array;
  readonly principal: Principal | null;
  readonly remoteAddress: string;
  readonly listener: ListenerName;
  readonly cause: Cause;
  readonly #rawQuery: string;
  readonly #makeSignal: () => AbortSignal;
  readonly #turn: () => Promise<void>;
  readonly #ownUrl: () => string;
  #query: URLSearchParams | null = null;

  constructor(parts: RequestParts) {
    this.id = parts.id;
    this.method = parts.method;
    this.path = parts.target.path;
    this.params = parts.params;
    this.headers = parts.headers;
    this.body = parts.body.value;
    this.rawBody = parts.body.text;
    this.file = parts.body.file;
    this.principal = parts.principal;
    this.remoteAddress = parts.remoteAddress;
    this.cause = { kind: "request", id: parts.id, by: actorOf(parts) };
    this.listener = parts.listener;
    this.#ownUrl = parts.ownUrl;
    this.#rawQuery = parts.target.query;
    this.#makeSignal = parts.signal;
    this.#turn = parts.turn;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#rawQuery);
    return this.#query;
  }

  get ownUrl(): string {
    return this.#ownUrl();
  }

  get signal(): AbortSignal {
    return this.#makeSignal();
  }

  async inTurn<T>(part: () => T): Promise<T> {
    await this.#turn();
    return part();
  }
}

/** For the journal: the account, and the tool of its assistant. */
function actorOf({ principal, headers }: RequestParts): string | null {
  if (!principal?.isAssistant) return principal?.login ?? null;
  const tool = headers[ASSISTANT_HEADER];
  return typeof tool === "string" && TOOL.test(tool)
    ? `${principal.login} (assistant, ${tool})`
    : `${principal.login} (assistant)`;
}
