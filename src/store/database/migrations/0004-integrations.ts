/** The integrations, by id. The columns are those of every state table. */

export const integrations: readonly string[] = [
  "CREATE TABLE integrations (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT",
];
