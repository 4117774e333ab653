/** The thread that reads samples, so that neither the home nor the journal waits for a chart. */

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../../errors.ts";
import type { Sample, SamplesQuery, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { readSamples, readSeries } from "./read-samples.ts";

export type HistoryRequest = { readonly id: number } & (
  | { readonly kind: "series"; readonly query: SeriesQuery }
  | { readonly kind: "samples"; readonly query: SamplesQuery }
);

export type HistoryAnswer = { readonly id: number } & (
  | { readonly failure: null; readonly series: readonly SeriesPoint[]; readonly samples: readonly Sample[] }
  | { readonly failure: string }
);

const BUSY_TIMEOUT_MS = 1000;
const { path } = workerData as { readonly path: string };
let db: DatabaseSync | null = null;

invariant(parentPort, "The reader of samples runs as a worker thread.");
const port = parentPort;
port.on("message", (request: HistoryRequest) => port.postMessage(answer(request)));

function answer(request: HistoryRequest): HistoryAnswer {
  const { id } = request;
  try {
    // It is made with the first sample.
    if (!existsSync(path)) return { id, failure: null, series: [], samples: [] };
    db ??= new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    if (request.kind === "series") return { id, failure: null, series: readSeries(db, request.query), samples: [] };
    return { id, failure: null, series: [], samples: readSamples(db, request.query) };
  } catch (error) {
    db?.close();
    db = null;
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
