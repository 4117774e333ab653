/** The trace as it is kept: rows whose bodies mean something to `ProgramTrace` alone. The store gives them a place. */

/** `key` is shared by the records of an entry; null: the record is an entry by itself. */
export type TraceRow = readonly [programId: number, key: string | null, atMs: number, body: string];

export type TraceQuery = {
  /** null = of all programs. */
  readonly programId: number | null;
  /** Only entries older than this one. */
  readonly beforeId: number | null;
  /** Only entries to which something was added after this record. */
  readonly afterRecordId: number | null;
  /** Only entries that began at this instant or before. */
  readonly untilMs: number | null;
  readonly limit: number;
};

export type StoredEntry = {
  readonly id: number;
  readonly programId: number;
  readonly atMs: number;
  /** The appended records, oldest first; of a very long run the latest ones. */
  readonly bodies: readonly string[];
};

/** Newest first. `lastRecordId` is the number of the newest record of all. */
export type StoredPage = { readonly entries: readonly StoredEntry[]; readonly lastRecordId: number };

/** `kept`: in any case; `before-commit`: and before the home's next commit. */
export type TraceImportance = "usual" | "kept" | "before-commit";

export type TracePort = {
  append(row: TraceRow, importance: TraceImportance): void;
  read(query: TraceQuery): Promise<StoredPage>;
  onceGrown(callback: () => void): () => void;
};
