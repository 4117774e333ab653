/** The thread that reads samples, so that neither the home nor the journal waits for a chart. */

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";
import type { Sample, SamplesQuery, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { createPause } from "../../util/thread-priority.ts";
import { answerQuestions } from "../reader-thread.ts";
import { readSamples, readSeries } from "./read-samples.ts";

export type HistoryQuestion =
  | { readonly kind: "series"; readonly query: SeriesQuery }
  | { readonly kind: "samples"; readonly query: SamplesQuery };

/** `series`: a list of `SeriesPoint` as JSON text in UTF-8. */
export type HistoryAnswer = { readonly series: Uint8Array; readonly samples: readonly Sample[] };

const BUSY_TIMEOUT_MS = 1000;
const NOTHING: HistoryAnswer = { series: textOf([]), samples: [] };
const { path } = workerData as { readonly path: string };
let db: DatabaseSync | null = null;

answerQuestions((question: HistoryQuestion): HistoryAnswer => {
  try {
    // It is made with the first sample.
    if (!existsSync(path)) return NOTHING;
    db ??= new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    if (question.kind === "samples") return { ...NOTHING, samples: readSamples(db, question.query) };
    return { ...NOTHING, series: textOf(readSeries(db, question.query, createPause())) };
  } catch (error) {
    db?.close();
    db = null;
    throw error;
  }
});

function textOf(points: readonly SeriesPoint[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(points));
}
