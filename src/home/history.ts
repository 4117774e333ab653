/** The port to what properties were: numeric values with their times, kept apart from the journal. */

/** The value of a property in one part of a span. Values are raw integers, displayed = value / 10^prec. */
export type SeriesPoint = {
  /** Begin of the part, ISO 8601 in UTC. */
  readonly time: string;
  /** Samples in this part. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly last: number;
  readonly uom: number;
  readonly prec: number;
};

export type SeriesQuery = {
  readonly address: string;
  readonly property: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Equal parts of the span; one without a sample has no point. */
  readonly points: number;
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
