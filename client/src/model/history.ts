/** Why something is as it is, and what programs did, as the controller tells it. */

export type WhyStep = {
  readonly kind: "program" | "account" | "device" | "controller";
  readonly sentence: string;
  /** ISO 8601; null where it is not known. */
  readonly time: string | null;
  /** Id of the program that acted. */
  readonly program: string | null;
  /** Line of its text that acted. */
  readonly line: number | null;
  readonly runId: string | null;
  readonly commandId: string | null;
};

type Explained = {
  readonly name: string;
  /** The whole answer for a person, in the zone of the home. */
  readonly sentences: readonly string[];
  /** From what happened back to where it began. */
  readonly steps: readonly WhyStep[];
  /** A sentence on what is no longer stored; null when nothing is missing. */
  readonly missing: string | null;
};

/** As a condition was found; `found` is the value that was compared, in words. */
export type FoundCondition = { readonly text: string; readonly isTrue: boolean; readonly found: string | null };

export type WhyNode = Explained & {
  readonly kind: "node";
  readonly address: string;
  readonly property: string;
  /** In words; null when it is no longer stored. */
  readonly value: string | null;
  readonly since: string | null;
};

export type WhyProgram = Explained & {
  readonly kind: "program";
  readonly id: string;
  /** `then`, `else`, `not-run`, `cut`, `evaluated`; `nothing` when nothing made the controller look at it. */
  readonly answer: string;
  readonly time: string | null;
  readonly conditions: readonly FoundCondition[];
};

export type Why = WhyNode | WhyProgram;

export type WhyOptions = {
  /** Default: now. */
  readonly at?: Date | string;
  /** Of a node; default ST, else what it reported last. */
  readonly property?: string;
};

export type TraceQuery = {
  /** Entries at most, 1 to 200. Default 50. */
  readonly limit?: number;
  /** Only entries older than the one with this `id`. */
  readonly before?: number;
  readonly until?: Date | string;
};

export type TracedStatement = {
  readonly time: string;
  /** As in the program's text. */
  readonly text: string;
  /** What came of it at once: the new value of a variable, the time of a wait. */
  readonly detail: string;
  /** `done`, `queued`, `failed`, `uncertain`; null for what is carried out at once. */
  readonly outcome: string | null;
  /** Why it failed; else empty. */
  readonly reason: string;
};

/** A run of a program, or a look at it that led to none. */
export type TraceEntry = {
  readonly id: number;
  readonly time: string;
  readonly sentence: string;
  readonly result: string;
  readonly conditions: readonly FoundCondition[];
  readonly statements: readonly TracedStatement[];
  /** When it ended; null while it runs, and of what is no run. */
  readonly endedAt: string | null;
};

/** A span of one property in equal parts. */
export type ChartQuery = {
  /** Default: a day before `to`. */
  readonly from?: Date | string;
  /** Default: now. */
  readonly to?: Date | string;
  readonly points?: number;
};

/** A part of the span with at least one change; displayed values in the unit `uom`. */
export type ChartPoint = {
  /** Begin of the part, ISO 8601 in UTC. */
  readonly time: string;
  /** Changes in it. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** Of the changes, however long each value lasted. */
  readonly mean: number;
  readonly last: number;
  readonly uom: number;
};

export type PastQuery = {
  readonly at: Date | string;
  /** Of the span whose changes are counted. Default: half a day before and after `at`. */
  readonly from?: Date | string;
  readonly to?: Date | string;
  /** Equal parts of the span. */
  readonly parts?: number;
};

/** Times in ISO 8601. */
export type PastMoment = {
  readonly at: string;
  /** When the journal begins; null when it is empty. */
  readonly begins: string | null;
  /** The last change before, and the first one after; null when none is near. */
  readonly before: string | null;
  readonly after: string | null;
  /** How many things have a value at this time that the journal does not tell. */
  readonly unknown: { readonly properties: number; readonly others: number };
  /** Parts of the span with at least one change. */
  readonly parts: readonly { readonly time: string; readonly count: number }[];
};

/** Questions about the past that need no names of the home. Portal mode. */
export type PastQuestions = {
  /** What is known of a time, and how much changed around it. Portal mode. */
  past(query: PastQuery): Promise<PastMoment>;
  /**
   * Why a node is as it is, or why a program ran or did not. Portal mode.
   * @param key a node or a program by name, path, address or id
   * @throws ClientError `NOT_FOUND`, `AMBIGUOUS` also when a node and a program have this name
   */
  why(key: string, options?: WhyOptions): Promise<Why>;
  /** What a numeric property of a node was, in equal parts of a span. Portal mode. @param property its id, such as `ST` */
  chart(key: string, property: string, query?: ChartQuery): Promise<readonly ChartPoint[]>;
};
