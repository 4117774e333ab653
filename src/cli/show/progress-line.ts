/** How far long work is, in one line that rewrites itself; nothing where standard error is no terminal. */

const CELLS = 25;
const PERCENT_OF_CELL = 100 / CELLS;

export class ProgressLine {
  readonly #what: string;
  #shown = -1;

  constructor(what: string) {
    this.#what = what;
  }

  readonly show = (done: number, total: number): void => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (!process.stderr.isTTY || percent === this.#shown) return;
    this.#shown = percent;
    const bar = "█".repeat(Math.floor(percent / PERCENT_OF_CELL)).padEnd(CELLS, "░");
    process.stderr.write(`\r${this.#what === "" ? "" : `${this.#what}: `}${bar} ${percent} %`);
  };

  readonly end = (): void => {
    if (this.#shown >= 0) process.stderr.write("\r\x1b[K");
    this.#shown = -1;
  };
}
