/** The network as a thing that is passed in: requests, and sockets that carry text. */

export type TransportRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
};

export type TransportAnswer = {
  readonly status: number;
  /** Null without the header. @param name in lower case */
  header(name: string): string | null;
  readonly text: string;
};

/** An answer of which only the head is there. */
export type TransportDownload = Omit<TransportAnswer, "text"> & {
  /** The body in pieces. Leaving the iteration ends the download; an interrupted download throws. */
  readonly pieces: AsyncIterable<Uint8Array>;
};

export type SocketEvents = {
  opened(): void;
  message(text: string): void;
  /** Called once, for any end. `status`: of the answer, when the upgrade was refused and the platform reports it. */
  closed(reason: { readonly status: number | null; readonly code: number | null }): void;
};

export type Socket = { send(text: string): void; close(): void };

export type Transport = {
  /** Whether sockets can carry headers; where not, the first message logs in. */
  readonly socketsHaveHeaders: boolean;
  /** Settles when the whole answer is there. Ends when the signal does. */
  request(request: TransportRequest, signal: AbortSignal): Promise<TransportAnswer>;
  /** Settles when the head of the answer is there; its pieces end when the signal does, too. */
  download(request: TransportRequest, signal: AbortSignal): Promise<TransportDownload>;
  openSocket(url: string, headers: Readonly<Record<string, string>>, events: SocketEvents): Socket;
  /** Ends what is still open. */
  close(): void;
};
