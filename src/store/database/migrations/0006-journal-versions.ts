/** Entries of the journal say in which form they were written. Those that are there are of the first. */

export const journalVersions: readonly string[] = ["ALTER TABLE journal ADD COLUMN version INTEGER NOT NULL DEFAULT 1"];
