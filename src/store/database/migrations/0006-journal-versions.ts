/** Entries of the journal carry the version of their form. Existing ones have the first. */

export const journalVersions: readonly string[] = ["ALTER TABLE journal ADD COLUMN version INTEGER NOT NULL DEFAULT 1"];
