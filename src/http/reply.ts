/** The reply of a handler: bytes, their type, and for cached documents their entity tag and gzip form. */

import type { Readable } from "node:stream";

export type Reply = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer | string;
  /** Sent in place of `body`, while it is read. */
  readonly file?: { readonly bytes: number; open(): Readable };
  readonly headers?: Readonly<Record<string, string>>;
  /** Set by cached documents: entity tag, and the gzip form of `body`. */
  readonly etag?: string;
  readonly gzip?: () => Buffer | Promise<Buffer>;
  /** Content-Security-Policy in place of the interface's, which forbids everything. */
  readonly policy?: string;
  /** Nothing is sent: the connection becomes an event stream of the account. */
  readonly subscribes?: true;
  /** The address names the content, so that it may be cached for ever. */
  readonly isImmutable?: true;
};

/** Content type of every JSON answer. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Success with `data`, which is `null` for what only acknowledges. Failures have their own shape, made where they are caught. */
export function envelope(data: unknown): Reply {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify({ successful: true, data }) };
}
