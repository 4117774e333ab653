/** The type of a route. Handlers take a decoded request and return a reply; they never see a socket. */

import type { ListenerName } from "../auth/auth.ts";
import type { Right } from "../auth/policy.ts";
import type { Principal } from "../auth/principal.ts";
import type { Cause } from "../home/cause.ts";
import type { Thing } from "../home/limits.ts";
import type { Reply } from "./reply.ts";
import type { JsonSchema } from "./schema.ts";
import type { Services } from "./services.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type HttpRequest = {
  /** Also sent as `X-Request-Id` and used as the cause of what the request changes. */
  readonly id: string;
  readonly method: string;
  /** Normalised path: one slash between segments, none at the end; segments still percent-encoded. */
  readonly path: string;
  /** Decoded path parameters. A wildcard is under "*", its segments still encoded and joined by "/". */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed JSON body that fits the route's schema; null without a body. */
  readonly body: unknown;
  /** The body as it came, for what JSON.parse loses (51.0 is not 51). */
  readonly rawBody: string;
  /** The body of a route that takes a file; empty on others. */
  readonly file: Uint8Array;
  readonly principal: Principal | null;
  /** Source address of the client. */
  readonly remoteAddress: string;
  readonly listener: ListenerName;
  /** Scheme, address and port of the listener at which it arrived. */
  readonly ownUrl: string;
  readonly cause: Cause;
  /** Aborted when the client disconnects or the request's deadline passes. */
  readonly signal: AbortSignal;
  /** Runs a part of the work when it is the account's turn. Long answers are made of parts of a few milliseconds each. */
  inTurn<T>(part: () => T): Promise<T>;
};

/** A request of which only the parameters of its path matter. */
export type PathOnly = Pick<HttpRequest, "params">;

type BodyAccess = { readonly least: Right; action(request: HttpRequest): Right };

/** Its schema, with a description. */
export type QueryParameter = JsonSchema & { readonly isRequired?: true };
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

export type Route = {
  readonly method: Method;
  /** find-my-way pattern, for example "/api/variables/:type/:id". */
  readonly path: string;
  /** `portal`: only there (and on the local listener with the setting localApi); `both`: everywhere. */
  readonly listener: "portal" | "both";
  /**
   * The action that the policy must allow. "public" reads no credentials; "optional" checks them when they are sent. A function when it depends on the path; where
   * it depends on the body, who is not allowed `least` is refused before the body is read.
   */
  readonly access: Right | "public" | "optional" | ((request: HttpRequest) => Right) | BodyAccess;
  /**
   * Whether accounts with limits may use the route. Left out: they are refused. `view`: the handler gets services whose `home` and
   * `documents` are the account's part of the home. A function names the one thing that the request is about: when the account
   * reaches it, the handler gets the whole services; null is as `view`.
   */
  readonly limited?: "view" | ((request: HttpRequest) => Thing | null);
  /**
   * One thread answers questions about the past, so an account has only a few under way at once. `at`: with `?at=` the handler gets
   * services whose `home` and `documents` are those of that time. Not available to limited accounts, because their limits follow the
   * present home. `always`: the handler itself reads the past.
   */
  readonly past?: "at" | "always";
  /** It makes requests of its own to this listener, so an account has only a few under way. */
  readonly isRelay?: true;
  /** A request with `changes: true` is refused to web pages of other sites. */
  readonly changes: boolean;
  /** Body schema; absent: a body is ignored. */
  readonly body?: JsonSchema;
  /** The body may also be a form or a text: a form is read as an object of texts. */
  readonly acceptsForms?: true;
  /** The body is a text of any media type, in UTF-8; `request.body` is what this makes of it. @throws ControllerError */
  readonly readText?: (text: string) => unknown;
  /** The body may be as long as a program; others are short. */
  readonly holdsProgram?: true;
  /** The body is a file, `application/octet-stream`, never empty and at most as long as this setting says. */
  readonly fileLimit?: "radioFileBytesMax" | "pluginArchiveBytesMax" | "floorPlanBytesMax";
  /** Query parameters by name, for the OpenAPI document. */
  readonly query?: QueryParameters;
  /** Schema of `data` in the envelope, for the OpenAPI document. */
  readonly data?: JsonSchema;
  /** Schemas of the members beside `data` in the envelope. */
  readonly beside?: Readonly<Record<string, JsonSchema>>;
  /** Media type of an answer that is a file instead of an envelope. */
  readonly fileType?: string;
  /** One line for the OpenAPI document and the reference. */
  readonly summary: string;
  /** Page under docs/interface/ without ".md". */
  readonly page: string;
  handle(request: HttpRequest, services: Services): Reply | Promise<Reply>;
};
