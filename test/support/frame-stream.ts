/** A follower of an event stream that keeps every frame, with a promise for the next one that fits. */

import { WebSocket } from "ws";
import { readXml, type XmlElement } from "./read-xml.ts";

export type Frame = {
  /** The message as it came. */
  readonly raw: string;
  /** `type` of the JSON envelope; null on the XML stream. */
  readonly type: string | null;
  /** The XML document, or the data of another envelope. */
  readonly text: string;
  /** Control of an event; "" for other frames. */
  readonly control: string;
  readonly action: string;
  /** Attributes of `action`. */
  readonly uom: string | null;
  readonly prec: string | null;
  readonly node: string;
  /** The text between the tags, unchanged. */
  readonly eventInfo: string;
  readonly seqnum: number | null;
  readonly sid: string;
  /** The parsed document, on demand, by a strict parser. */
  readonly event: XmlElement;
};

export type FrameStream = {
  /** Every frame since the connection was opened. */
  readonly frames: readonly Frame[];
  /** The first frame that fits and was not passed by an earlier call. @throws Error when the stream ends or five seconds pass. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>;
  send(text: string): void;
  /** For what a well-behaved client does not do: pings, pauses, terminations. */
  readonly socket: WebSocket;
  /** Code and reason, once the connection is closed from either side. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
};

type StreamOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
};

/** An upgrade that was answered with something else than 101. */
class UpgradeRefused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;

  constructor(status: number, headers: Readonly<Record<string, unknown>>) {
    super(`The upgrade was answered with ${status}.`);
    this.status = status;
    this.headers = headers;
  }
}

/** No promise: shorter than the test's own time, so that a failure shows the frames that came. */
const WAIT_MAX_MS = 30_000;

/** @throws UpgradeRefused. */
export async function openFrameStream(url: string, options: StreamOptions): Promise<FrameStream> {
  const socket = new WebSocket(url, [...(options.protocols ?? [])], {
    headers: options.headers,
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  const frames: Frame[] = [];
  const waiters = new Set<() => void>();
  const wake = () => {
    for (const waiter of waiters) waiter();
  };
  let isClosed = false;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => {
      isClosed = true;
      resolve({ code, reason: reason.toString() });
      wake();
    });
  });
  socket.on("message", (data) => {
    frames.push(new LazyFrame(String(data)));
    wake();
  });
  await opened(socket);

  let passed = 0;
  return {
    frames,
    socket,
    closed,
    next: (fits) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          waiters.delete(look);
          act();
        };
        const timer = setTimeout(() => settle(() => reject(new Error(missing(frames)))), WAIT_MAX_MS);
        let looked = passed;
        const look = () => {
          for (; looked < frames.length; looked += 1) {
            const frame = frames[looked];
            if (!frame || !fits(frame)) continue;
            passed = Math.max(passed, looked + 1);
            return settle(() => resolve(frame));
          }
          if (isClosed) settle(() => reject(new Error("The stream ended.")));
        };
        waiters.add(look);
        look();
      }),
    send: (text) => socket.send(text),
    async close() {
      socket.close();
      await closed;
    },
  };
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.on("error", () => {});
      resolve();
    });
    socket.once("unexpected-response", (request, response) => {
      response.resume();
      request.destroy();
      reject(new UpgradeRefused(response.statusCode ?? 0, response.headers));
    });
    socket.on("error", reject);
  });
}

function missing(frames: readonly Frame[]): string {
  const last = frames.slice(-5).map(({ raw }) => raw.slice(0, 300));
  return `No frame that fits came in ${WAIT_MAX_MS} ms. There were ${frames.length}; the last ones: ${last.join("\n")}`;
}

/** A replay has thousands of frames of which a test looks at few: each is read when it is looked at. */
class LazyFrame implements Frame {
  readonly raw: string;
  readonly type: string | null;
  readonly text: string;

  constructor(raw: string) {
    const envelope = raw.startsWith("{") ? (JSON.parse(raw) as { type: string; data?: unknown }) : null;
    this.raw = raw;
    this.type = envelope?.type ?? null;
    this.text = envelope ? String(envelope.data ?? "") : raw;
  }

  get control(): string {
    return this.#find(/<control>([^<]*)<\/control>/) ?? "";
  }

  get action(): string {
    return unescapeXml(this.#find(/<action[^>]*>([^<]*)<\/action>/) ?? "");
  }

  get uom(): string | null {
    return this.#find(/<action[^>]* uom="([^"]*)"/);
  }

  get prec(): string | null {
    return this.#find(/<action[^>]* prec="([^"]*)"/);
  }

  get node(): string {
    return unescapeXml(this.#find(/<node>([^<]*)<\/node>/) ?? "");
  }

  get eventInfo(): string {
    return this.#find(/<eventInfo>([\s\S]*?)<\/eventInfo>/) ?? "";
  }

  get seqnum(): number | null {
    const text = this.#find(/<Event seqnum="(\d+)"/);
    return text === null ? null : Number(text);
  }

  get sid(): string {
    return this.#find(/<Event [^>]*sid="([^"]*)"/) ?? "";
  }

  get event(): XmlElement {
    return readXml(this.text);
  }

  #find(pattern: RegExp): string | null {
    return pattern.exec(this.text)?.[1] ?? null;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function unescapeXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
