/**
 * The first shape: a table per resource, all of the same three columns, and the journal.
 * `body` is JSON (SQLite reads into it with `->>`), `sum` guards key and body; rows keep the order in which they came.
 */

export const firstTables: readonly string[] = [
  ...[
    "meta",
    "controller",
    "folders",
    "groups",
    "nodes",
    "properties",
    "programs",
    "program_runs",
    "variables",
    "network_resources",
    "accounts",
    "sessions",
    "known_devices",
    "driver_store",
  ].map(
    (table) => `CREATE TABLE "${table}" (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`,
  ),
  `CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    first_seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cause_kind TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    cause_by TEXT,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT`,
];
