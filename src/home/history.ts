/** The port to what properties were: numeric values with their times, kept apart from the journal. */

/**
 * The values that held in one part of a span, also one that was reported before it. Values are raw integers, displayed =
 * value / 10^prec.
 */
export type SeriesPoint = {
  /** Begin of the part, ISO 8601 in UTC. */
  readonly time: string;
  /** Values reported in this part. */
  readonly count: number;
  /** Null, as max and mean: the value was unknown in all of this part. */
  readonly min: number | null;
  readonly max: number | null;
  /** Weighted by the time that each value held; unknown values count for nothing. */
  readonly mean: number | null;
  /** The value at the end of the part; null when it is unknown. */
  readonly last: number | null;
  readonly uom: number;
  readonly prec: number;
};

export type SeriesQuery = {
  readonly address: string;
  readonly property: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Equal parts of the span. Those before the first value and those after now have no point. */
  readonly points: number;
  /** The latest value holds up to this instant. */
  readonly nowMs: number;
};

export type Sample = {
  readonly atMs: number;
  readonly value: number;
  readonly uom: number;
  readonly prec: number;
};

export type SamplesQuery = {
  readonly address: string;
  readonly property: string;
  readonly fromMs: number;
  /** Inclusive. */
  readonly toMs: number;
  readonly isDescending: boolean;
  readonly limit: number;
  /** Also the sample before the span, and the one after it. */
  readonly oneBefore: boolean;
  readonly oneAfter: boolean;
};

/** Reading never waits for the home or the journal. @throws ControllerError STORE_UNAVAILABLE */
export type History = {
  /** A list of `SeriesPoint` as JSON text in UTF-8, made by the thread that reads them: the event loop only passes it on. */
  series(query: SeriesQuery): Promise<Uint8Array>;
  samples(query: SamplesQuery): Promise<readonly Sample[]>;
  readonly isRecording: boolean;
  /** Settles when the choice is on disk. */
  record(isOn: boolean): Promise<void>;
};
