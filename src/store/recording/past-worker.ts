/** The thread that rebuilds the home of an instant from the snapshots and the journal. */

import { join } from "node:path";
import { workerData } from "node:worker_threads";
import type { ChangesQuery, NearChanges, PastHome } from "../../home/past.ts";
import { openForSalvage } from "../database/open-database.ts";
import { answerQuestions } from "../reader-thread.ts";
import { type HomeLines, linesOf } from "./home-lines.ts";
import { readHomeAt } from "./open-recording.ts";
import { readChanges } from "./read-changes.ts";

export type PastQuestion =
  | { readonly kind: "home"; readonly atMs: number }
  | { readonly kind: "changes"; readonly query: ChangesQuery };

export type PastAnswer = {
  /** null before the journal begins, and when nothing was requested. */
  readonly home: { readonly lines: HomeLines; readonly unknown: PastHome["unknown"] } | null;
  readonly changes: NearChanges | null;
};

const { dir } = workerData as { readonly dir: string };

answerQuestions((question: PastQuestion): PastAnswer => {
  if (question.kind === "home") {
    const then = readHomeAt(dir, question.atMs);
    return { home: then && { lines: linesOf(then.home), unknown: then.unknown }, changes: null };
  }
  using db = openForSalvage(join(dir, "domovoi.sqlite"));
  return { home: null, changes: readChanges(db, question.query) };
});
