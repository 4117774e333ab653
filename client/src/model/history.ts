/** Explains why something is as it is, and what programs did. */

import type { NodeEvent, PastMoment, Routes } from "./routes.ts";

export type { Message, NodeEvent, PastMoment, WhyStep } from "./routes.ts";

/** A condition with its result; `found` is the value that was compared, in words. */
export type FoundCondition = { readonly text: string; readonly isTrue: boolean; readonly found: string | null };

export type WhyNode = Routes["GET /api/why/node/:address"]["data"] & { readonly kind: "node" };

export type WhyProgram = Routes["GET /api/why/program/:id"]["data"] & { readonly kind: "program" };

export type Why = WhyNode | WhyProgram;

export type WhyOptions = {
  /** Default: now. */
  readonly at?: Date | string;
  /** The property of a node. Default: ST, or else the property that it reported last. */
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
  /** The statement as in the program's text. */
  readonly text: string;
  /** The immediate result: the new value of a variable, the time of a wait. */
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

/** The values that held in a part of the span, also one reported before it; displayed values in the unit `uom`. */
export type ChartPoint = {
  /** Begin of the part, ISO 8601 in UTC. */
  readonly time: string;
  /** Changes in it. */
  readonly count: number;
  /** Null, as `max` and `mean`: the value was unknown in all of the part. */
  readonly min: number | null;
  readonly max: number | null;
  /** Weighted by the time that each value held. */
  readonly mean: number | null;
  /** The value at the end of the part; null when it is unknown. */
  readonly last: number | null;
  readonly uom: number;
};

export type PastQuery = {
  readonly at: Date | string;
  /** The span in which changes are counted. Default: half a day before and after `at`. */
  readonly from?: Date | string;
  readonly to?: Date | string;
  /** Equal parts of the span. */
  readonly parts?: number;
};

export type NodeEventsQuery = {
  /** Events at most, 1 to 200. Default 50. */
  readonly limit?: number;
  /** Only events before the one with this `id`. */
  readonly before?: number;
  readonly from?: Date | string;
  /** Default: now. */
  readonly until?: Date | string;
};

/** Questions about the past that need no names of the home. Portal mode. */
export type PastQuestions = {
  /** The facts about a time, and the number of changes around it. Portal mode. */
  past(query: PastQuery): Promise<PastMoment>;
  /**
   * Why a node is as it is, or why a program ran or did not. Portal mode.
   * @param key a node or a program by name, path, address or id
   * @throws ClientError `NOT_FOUND`, `AMBIGUOUS` also when a node and a program have this name
   */
  why(key: string, options?: WhyOptions): Promise<Why>;
  /** New values of a node, commands to it and from its device, newest first. Portal mode. @param key a node */
  nodeEvents(key: string, query?: NodeEventsQuery): Promise<readonly NodeEvent[]>;
  /**
   * The values of a numeric property of a node, in equal parts of a span. Portal mode. @param property its id, such
   * as `ST`
   */
  chart(key: string, property: string, query?: ChartQuery): Promise<readonly ChartPoint[]>;
};
