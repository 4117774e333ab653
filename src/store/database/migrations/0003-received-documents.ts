/** The documents of a twin's original. The columns are those of every state table. */

export const receivedDocuments: readonly string[] = [
  "CREATE TABLE told_documents (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT",
];
