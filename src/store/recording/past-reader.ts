/** The home at past instants. The documents of one instant are read together, so the last few homes are retained. */

import { extname } from "node:path";
import type { Config } from "../../config.ts";
import { badValue, invariant } from "../../errors.ts";
import type { ChangesQuery, NearChanges, PastHome, PastHomes } from "../../home/past.ts";
import { ReaderThread } from "../reader-thread.ts";
import { readHome } from "./home-lines.ts";
import type { PastAnswer, PastQuestion } from "./past-worker.ts";

type ReaderPorts = {
  readonly config: Pick<Config, "historyQueriesMax" | "pastHomesMax">;
  /** The data directory. */
  readonly dir: string;
  /** Settles when all changes so far are on disk. */
  readonly settled: () => Promise<void>;
};

export class PastReader implements PastHomes {
  readonly #ports: ReaderPorts;
  readonly #reader: ReaderThread<PastQuestion, PastAnswer>;
  /** Sorted by last use, latest last. */
  readonly #homes = new Map<number, Promise<PastHome>>();

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
    this.#reader = new ReaderThread({
      entry: new URL(`./past-worker${extname(import.meta.url)}`, import.meta.url),
      workerData: { dir: ports.dir },
      questionsMax: ports.config.historyQueriesMax,
    });
  }

  homeAt(atMs: number): Promise<PastHome> {
    const found = this.#homes.get(atMs) ?? this.#read(atMs);
    this.#homes.delete(atMs);
    this.#homes.set(atMs, found);
    for (const oldest of [...this.#homes.keys()].slice(0, -this.#ports.config.pastHomesMax)) this.#homes.delete(oldest);
    found.catch(() => this.#homes.delete(atMs));
    return found;
  }

  async changes(query: ChangesQuery): Promise<NearChanges> {
    const { changes } = await this.#reader.ask({ kind: "changes", query }, this.#settled());
    invariant(changes, "A question about changes is answered with changes.");
    return changes;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** An answer leaves out samples that are not on disk yet. */
  #settled(): Promise<void> {
    return this.#ports.settled().catch(() => {});
  }

  async #read(atMs: number): Promise<PastHome> {
    const { home: then } = await this.#reader.ask({ kind: "home", atMs }, this.#settled());
    const home = then && (await readHome(then.lines));
    if (home) return { home, unknown: then.unknown };
    throw badValue("The journal of the home starts later than that.");
  }
}
