/** The sums of a backup's lines, kept in the same way while it is written and while it is read. */

import { createHash, type Hash } from "node:crypto";
import type { ContentName } from "./contents.ts";
import { type BackupEnd, type BackupRow, FORMAT } from "./format.ts";
import { LogicalHash } from "./logical-hash.ts";

type Running = { rows: number; readonly hash: Hash };

export class BackupSums {
  readonly #whole = createHash("sha256");
  readonly #logical = new LogicalHash();
  readonly #contents: ReadonlyMap<ContentName, Running>;

  constructor(contents: readonly ContentName[]) {
    this.#contents = new Map(contents.map((name) => [name, { rows: 0, hash: createHash("sha256") }]));
  }

  /** @param line with its line break. */
  addHeader(line: string): void {
    this.#whole.update(line);
  }

  /** @returns false for a row of a content that the header does not name. @param line with its line break. */
  addRow(line: string, { name, key, body }: BackupRow): boolean {
    const content = this.#contents.get(name);
    if (!content) return false;
    content.rows += 1;
    content.hash.update(line);
    this.#whole.update(line);
    if (typeof key === "string") this.#logical.add(name, key, body);
    return true;
  }

  /** Ends the sums. */
  end(): BackupEnd {
    return {
      end: FORMAT,
      contents: [...this.#contents].map(([name, { rows, hash }]) => ({ name, rows, sha256: hash.digest("hex") })),
      logicalHash: this.#logical.digest(),
      sha256: this.#whole.digest("hex"),
    };
  }
}
