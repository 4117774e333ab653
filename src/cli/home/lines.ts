/** Lines on standard output as they come, for programs and files, or put together for a person at a terminal. */

import { painted } from "../show/table.ts";

export type Lines = {
  /** @param key lines of one key may be merged; null: this line stays on its own */
  write(line: string, key: string | null): void;
  /** Everything is out. */
  end(): void;
};

/** How long the lines of one key are held. */
const HELD_MS = 200;

export class EveryLine implements Lines {
  write(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  end(): void {}
}

export class MergingLines implements Lines {
  readonly #held = new Map<string, { readonly line: string; readonly count: number }>();
  readonly #print: (line: string) => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(print = (line: string): void => void process.stdout.write(`${line}\n`)) {
    this.#print = print;
  }

  write(line: string, key: string | null): void {
    if (key === null) {
      this.#flush();
      this.#print(line);
      return;
    }
    const count = (this.#held.get(key)?.count ?? 0) + 1;
    // Moves the line to the end of the map, so that lines stay sorted by time.
    this.#held.delete(key);
    this.#held.set(key, { line, count });
    this.#timer ??= setTimeout(() => this.#flush(), HELD_MS);
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const { line, count } of this.#held.values()) {
      this.#print(count === 1 ? line : `${line} ${painted("gray", `(${count} reports)`)}`);
    }
    this.#held.clear();
  }
}
