/**
 * A SQLite database beside the journal whose content can be lost: nothing is synced, and a damaged file is set aside for a new
 * one. The trace and the samples are such files.
 */

import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { COMPANIONS, DamageError, isDamageAtOpen } from "./damage.ts";

type Shape = {
  /** Number of the shape of the tables, in `user_version`. */
  readonly number: number;
  /** Makes the tables in an empty database. */
  readonly tables: string;
  /** The upgrades from older shapes, by their numbers. */
  readonly from?: Readonly<Record<number, string>>;
};

const BUSY_TIMEOUT_MS = 1000;

export class ReplaceableFile<O extends { readonly db: DatabaseSync }> {
  readonly #path: string;
  readonly #shape: Shape;
  readonly #prepare: (db: DatabaseSync) => O;
  #open: O | null = null;

  /** @param prepare what is needed of an open database. */
  constructor(path: string, shape: Shape, prepare: (db: DatabaseSync) => O) {
    this.#path = path;
    this.#shape = shape;
    this.#prepare = prepare;
  }

  /** Opens the file when it is not open. Damage costs the file: the work is done once more, with an empty one. */
  use<R>(work: (open: O) => R): R {
    try {
      this.#open ??= this.#openFile();
      return work(this.#open);
    } catch (error) {
      if (!isDamageAtOpen(error)) throw error;
      this.#setAside();
      this.#open = this.#openFile();
      return work(this.#open);
    }
  }

  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  #openFile(): O {
    closeSync(openSync(this.#path, "a", 0o600));
    const db = new DatabaseSync(this.#path, { timeout: BUSY_TIMEOUT_MS });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF");
      const { number, tables, from = {} } = this.#shape;
      const { user_version: found } = db.prepare("PRAGMA user_version").get() as { user_version: number };
      const change = found === 0 ? tables : from[found];
      if (change) db.exec(change);
      else if (found !== number) throw new DamageError("The file has the shape of another version.");
      return this.#prepare(db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** One damaged file is retained, so that it can be looked at. */
  #setAside(): void {
    try {
      this.close();
    } catch {
      this.#open = null; // A file that does not even close is left to the system.
    }
    const aside = `${this.#path}.damaged`;
    for (const companion of COMPANIONS) {
      rmSync(aside + companion, { force: true });
      if (existsSync(this.#path + companion)) renameSync(this.#path + companion, aside + companion);
    }
  }
}
