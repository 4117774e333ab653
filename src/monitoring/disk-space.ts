/** Free space on the disk of the data directory, read at most every ten seconds. */

import { statfs } from "node:fs/promises";
import type { Clock } from "../util/clock.ts";

type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

const READ_AGAIN_MS = 10_000;

export class DiskSpaceReader {
  readonly #directory: string;
  readonly #clock: Clock;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #latest: Promise<DiskSpace | null> = Promise.resolve(null);

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** null when the file system does not answer the question. */
  read(): Promise<DiskSpace | null> {
    if (this.#clock.elapsed() - this.#readAtMs >= READ_AGAIN_MS) {
      this.#readAtMs = this.#clock.elapsed();
      this.#latest = statfs(this.#directory).then(
        ({ bsize, blocks, bavail }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
        () => null,
      );
    }
    return this.#latest;
  }
}
