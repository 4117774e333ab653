/** One request and its answer, within the deadline; what a failure of the network means. */

import type { Clock } from "../clock.ts";
import { ClientError } from "../errors.ts";
import type { ClientLog } from "../log.ts";
import { redactPath } from "./redaction.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./transport.ts";

type CarrierOptions = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: ClientLog;
  readonly deadlineMs: number;
  /** Takes out of a text what must not be shown. */
  readonly redact: (text: string) => string;
  readonly assistant: (() => string) | null;
};

export type Outgoing = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent unchanged, instead of a body. */
  readonly file?: Uint8Array<ArrayBuffer>;
  /** Sent unchanged, instead of a body. */
  readonly xml?: string;
};

export class Carrier {
  /** Requests sent. */
  requests = 0;
  readonly #options: CarrierOptions;
  readonly #ending = new AbortController();

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  /** Whatever is under way fails with `CLOSED`. */
  close(): void {
    this.#ending.abort();
    this.#options.transport.close();
  }

  /** @throws ClientError */
  exchange(outgoing: Outgoing): Promise<TransportAnswer> {
    const cut = new AbortController();
    return this.#answered(outgoing, cut, (request, signal) => this.#options.transport.request(request, signal));
  }

  /** An answer that is not a file has a text and no pieces. The deadline applies to the head and to each piece. */
  async download(outgoing: Outgoing): Promise<TransportAnswer & { readonly pieces: AsyncIterable<Uint8Array> }> {
    const cut = new AbortController();
    const { transport } = this.#options;
    const { pieces, ...head } = await this.#answered(outgoing, cut, (request, signal) =>
      transport.download(request, signal),
    );
    const timed = this.#timed(pieces, outgoing.path, cut);
    if (isDone(head)) return { ...head, text: "", pieces: timed };
    return { ...head, text: await textOf(timed), pieces: timed };
  }

  async *#timed(pieces: AsyncIterable<Uint8Array>, path: string, cut: AbortController): AsyncGenerator<Uint8Array> {
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const piece = await this.#inTime(path, cut, () => iterator.next());
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  async #answered<A extends { readonly status: number }>(
    { method, path, authorization, body, file, xml }: Outgoing,
    cut: AbortController,
    carry: (request: TransportRequest, signal: AbortSignal) => Promise<A>,
  ): Promise<A> {
    const { clock, log, assistant } = this.#options;
    if (this.#ending.signal.aborted) throw closed();
    this.requests += 1;
    const startMs = clock.now();
    const type = file ? "application/octet-stream" : xml ? "text/xml" : body && "application/json";
    const headers = {
      ...(authorization && { Authorization: authorization }),
      ...(type && { "Content-Type": type }),
      ...(assistant && { "Domovoi-Assistant": assistant() }),
    };
    const content = file ?? xml ?? (body ? JSON.stringify(body) : null);
    const request = { method, url: `${this.#options.origin}${path}`, headers, body: content };
    try {
      const answer = await this.#inTime(path, cut, (signal) => carry(request, signal));
      log.debug("answered", { method, path: redactPath(path), status: answer.status, ms: clock.now() - startMs });
      return answer;
    } catch (error) {
      if (error instanceof ClientError && error.code !== "CLOSED")
        log.warn(error.message, { method, path: redactPath(path), code: error.code });
      throw error;
    }
  }

  /** @param cut is aborted when it takes too long: what is under way on this connection ends with it. @throws ClientError */
  async #inTime<T>(path: string, cut: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, deadlineMs } = this.#options;
    const timer = clock.setTimer(() => cut.abort(), deadlineMs);
    try {
      const signal = AbortSignal.any([cut.signal, this.#ending.signal]);
      return await settled(work(signal), signal);
    } catch (cause) {
      if (this.#ending.signal.aborted) throw closed();
      throw this.#failure(redactPath(path), cut.signal.aborted, cause);
    } finally {
      timer.cancel();
    }
  }

  #failure(path: string, isLate: boolean, cause: unknown): ClientError {
    const url = `${this.#options.origin}${path}`;
    if (isLate) {
      const sentence = `${path} was not answered within ${this.#options.deadlineMs} ms.`;
      return new ClientError("DEADLINE_PASSED", sentence, { url });
    }
    const why = this.#options.redact(cause instanceof Error ? cause.message : String(cause));
    const reason = platformCode(cause);
    return new ClientError("CONNECTION_FAILED", `${path} was not answered: ${why}`, { url, ...(reason && { reason }) });
  }
}

export function isDone({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/** Node's `ECONNREFUSED`, `SELF_SIGNED_CERT_IN_CHAIN` …, empty without one; `fetch` wraps it. */
function platformCode(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return code || platformCode(cause.cause);
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

function closed(): ClientError {
  return new ClientError("CLOSED", "The home was closed.");
}

/** Also when a transport does not look at the signal. */
function settled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
