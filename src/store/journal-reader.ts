/** Finds the latest matching entries of the journal: searches backwards from a time, a small part at a time. */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import { entriesOf } from "../home/apply-change.ts";
import type { Entry } from "../home/change.ts";
import type { JournalAnswer, JournalQuestion } from "../home/past.ts";
import { ENTRIES_A_WINDOW, type JournalWindow, type WindowQuery } from "./database/journal-window.ts";
import { decodeJournal, rowTypeOf } from "./journal.ts";
import type { Writer } from "./writer.ts";

type ReaderPorts = {
  readonly config: Pick<Config, "historySearchEntriesMax">;
  readonly writer: Pick<Writer, "settled" | "exclusively">;
  readonly engine: { readJournal(query: WindowQuery): Promise<JournalWindow> };
};

export class JournalReader {
  readonly #ports: ReaderPorts;

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
  }

  /** @throws ControllerError STORE_UNAVAILABLE when the disk does not answer. */
  async latest(question: JournalQuestion): Promise<JournalAnswer> {
    const { writer, config } = this.#ports;
    const { holding, untilMs, sinceMs, beforeSeq = Number.POSITIVE_INFINITY, matches, limit } = question;
    const types = question.types.map(rowTypeOf);
    const found: Entry[] = [];
    await writer.settled();
    let from: WindowQuery["from"] =
      question.beforeSeq === undefined ? { untilMs } : { beforeEntry: question.beforeSeq };
    let searchedMs: number | null = null;
    for (let entries = 0; entries < config.historySearchEntriesMax; entries += ENTRIES_A_WINDOW) {
      const window = await this.#window({ types, holding, from });
      for (const entry of entriesIn(window)) {
        if (entry.seq < beforeSeq && entry.atMs <= untilMs && matches(entry)) found.push(entry);
        if (found.length === limit) return { entries: found, sinceMs: entry.atMs };
      }
      searchedMs = window.sinceMs ?? searchedMs;
      if (window.nextSeq === null || (sinceMs !== null && searchedMs !== null && searchedMs < sinceMs)) break;
      from = { untilSeq: window.nextSeq };
    }
    return { entries: found, sinceMs: searchedMs };
  }

  async #window(query: WindowQuery): Promise<JournalWindow> {
    const { writer, engine } = this.#ports;
    let window: JournalWindow = { rows: [], nextSeq: null, sinceMs: null };
    try {
      await writer.exclusively(
        async () => {
          window = await engine.readJournal(query);
        },
        () => true,
      );
    } catch (cause) {
      throw new ControllerError("STORE_UNAVAILABLE", { cause, sentence: "The journal cannot be read from the disk." });
    }
    return window;
  }
}

/** Newest first. */
function entriesIn({ rows }: JournalWindow): readonly Entry[] {
  return rows.flatMap((row) =>
    decodeJournal(row)
      .flatMap((item) => ("dropped" in item ? [] : entriesOf(item)))
      .reverse(),
  );
}
