/** The line protocol of the bridge (README.md) on one connection: requests with numbers, one answer each. */

import type { Duplex } from "node:stream";

const LINE_CHARS_MAX = 300;

type LineEvents = {
  /** A line that answers no request. */
  readonly news: (text: string) => void;
  readonly closed: () => void;
};

export class BulbLine {
  readonly #socket: Duplex;
  readonly #events: LineEvents;
  readonly #waiting = new Map<number, (answer: string | null) => void>();
  #number = 0;
  #rest = "";

  constructor(socket: Duplex, events: LineEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => this.#read(text));
    // Every error is followed by `close`.
    socket.on("error", () => {});
    socket.on("close", () => this.close());
  }

  /** The answer; null when the signal was aborted or the connection closed before it came. */
  request(text: string, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted || this.#socket.destroyed) return Promise.resolve(null);
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve) => {
      const giveUp = () => settle(null);
      const settle = (answer: string | null) => {
        this.#waiting.delete(number);
        signal.removeEventListener("abort", giveUp);
        resolve(answer);
      };
      signal.addEventListener("abort", giveUp);
      this.#waiting.set(number, settle);
      this.#socket.write(`${number} ${text}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
    for (const settle of this.#waiting.values()) settle(null);
    this.#events.closed();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LINE_CHARS_MAX);
    for (const line of lines) {
      const end = line.indexOf(" ");
      const number = Number(line.slice(0, end));
      const said = line.slice(end + 1, LINE_CHARS_MAX);
      if (number === 0) this.#events.news(said);
      else this.#waiting.get(number)?.(said);
    }
  }
}
