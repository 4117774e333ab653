/** Where programs stand, so that they go on after the end of the process. The columns are those of every state table. */

export const programProgress: readonly string[] = [
  "CREATE TABLE program_progress (key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT",
];
