/** The history of edits, and nodes that their owner removed. The columns are those of every state table. */

export const edits: readonly string[] = ["hidden_nodes", "edits"].map(
  (table) => `CREATE TABLE ${table} (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`,
);
