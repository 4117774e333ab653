/** The errors of the library, each with a stable code. No message, member or printout of an error holds a secret. */

export type ClientErrorCode =
  /** No credentials help: wrong password, or a 401 that stays. */
  | "AUTH_FAILED"
  /** The controller answered a status of 300 or more. */
  | "HTTP_STATUS"
  /** The controller took the request and says that it failed. */
  | "REFUSED"
  /** A document that must be there cannot be read. */
  | "BAD_DOCUMENT"
  | "DEADLINE_PASSED"
  | "CONNECTION_FAILED"
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "COMMAND_NOT_ACCEPTED"
  | "BAD_PARAMETER"
  /** The options of `connect` make no sense. */
  | "BAD_OPTIONS"
  /** Events were not read from an iteration, and too many are waiting. */
  | "TOO_SLOW"
  /** Portal mode only. */
  | "NOT_IN_LOCAL_MODE"
  /** The home was closed. */
  | "CLOSED";

export type ClientErrorDetail = {
  /** Status of the answer. */
  readonly status?: number;
  /** Without lock codes. */
  readonly url?: string;
  /** The controller's own code, such as `NODE_NOT_FOUND`; of a connection that failed the platform's, such as `ECONNREFUSED`. */
  readonly reason?: string;
  /** Seconds to wait before a retry, when the controller sends it. */
  readonly retryAfterS?: number;
  readonly cause?: unknown;
  /** For a refused text: every place with a problem. */
  readonly problems?: readonly TextProblem[];
};

/** Something that is wrong in a text, such as a program's. Lines and columns begin with 1. */
export type TextProblem = {
  readonly line: number;
  readonly column: number;
  /** `SYNTAX`, `UNKNOWN_NAME`, `AMBIGUOUS_NAME`, `NAME_AND_ID_DIFFER`. */
  readonly code: string;
  /** A sentence for a person, with the suggestion. */
  readonly message: string;
  readonly suggestion: string | null;
};

export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  readonly status: number | null;
  readonly url: string | null;
  readonly reason: string | null;
  readonly retryAfterS: number | null;
  readonly problems: readonly TextProblem[];

  constructor(code: ClientErrorCode, sentence: string, detail: ClientErrorDetail = {}) {
    super(sentence, detail.cause === undefined ? {} : { cause: detail.cause });
    this.code = code;
    this.status = detail.status ?? null;
    this.url = detail.url ?? null;
    this.reason = detail.reason ?? null;
    this.retryAfterS = detail.retryAfterS ?? null;
    this.problems = detail.problems ?? [];
  }
}
