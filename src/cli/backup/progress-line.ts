/** How far long work is, in one line that rewrites itself; nothing where standard error is no terminal. */

export class ProgressLine {
  readonly #what: string;
  #told = -1;

  constructor(what: string) {
    this.#what = what;
  }

  readonly show = (done: number, total: number): void => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (!process.stderr.isTTY || percent === this.#told) return;
    this.#told = percent;
    process.stderr.write(`\r${this.#what}: ${percent} %`);
  };

  readonly end = (): void => {
    if (this.#told >= 0) process.stderr.write("\r\x1b[K");
    this.#told = -1;
  };
}
