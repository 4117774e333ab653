/**
 * The number of the last commit, noted in a file beside the database. To SQLite a write-ahead log that lost its end,
 * or is missing, looks like one that was never longer; this note shows that commits are missing.
 *
 * The note is written after a commit and is not synced, so it costs no wait. After a loss of power it may be older
 * than the database, but never newer than the data on disk.
 */

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { syncDirectory } from "./sync-directory.ts";

export type CommitNote = {
  /** Commits since the database was made. */
  readonly commits: number;
  /** Number of the last entry that was committed. */
  readonly lastSeq: number;
};

/** Every note has this length, so that a later one replaces an earlier one in one write. */
const NOTE_BYTES = 64;
const NOTE = /^(?<commits>\d{1,16}) (?<lastSeq>\d{1,16}) (?<sum>\d{1,10}) *\n$/;

/** @returns "damaged" when the file is not a note. */
export function readCommitNote(path: string): CommitNote | "missing" | "damaged" {
  if (!existsSync(path)) return "missing";
  const { commits, lastSeq, sum } = NOTE.exec(readFileSync(path, "latin1"))?.groups ?? {};
  if (crc32(`${commits} ${lastSeq}`) !== Number(sum)) return "damaged";
  return { commits: Number(commits), lastSeq: Number(lastSeq) };
}

export class CommitNoteFile {
  readonly #path: string;
  #file: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Never throws: the commit is on disk already, and the next note makes up for one that is missing. */
  write(note: CommitNote): void {
    try {
      if (this.#file === null && !existsSync(this.#path)) create(this.#path, textOf(note));
      this.#file ??= openSync(this.#path, "r+");
      writeSync(this.#file, textOf(note), 0, "latin1");
    } catch {
      this.close();
    }
  }

  /** Writes one note over the content of the file, and closes it. Never throws. */
  replace(note: CommitNote): void {
    try {
      create(this.#path, textOf(note));
    } catch {
      // The next commit writes it again.
    }
  }

  close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}

function textOf({ commits, lastSeq }: CommitNote): string {
  return `${`${commits} ${lastSeq} ${crc32(`${commits} ${lastSeq}`)}`.padEnd(NOTE_BYTES - 1)}\n`;
}

/** The file, its name and this note survive a loss of power. */
function create(path: string, text: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    writeSync(file, text, 0, "latin1");
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(dirname(path));
}
