/**
 * When an alert rings, who gets it next, and when it ends, as a pure function. It knows no channels and no persons: what is to be
 * delivered goes out as words of the order, and how many it reached comes back. @see docs/alerts.md, which states the rules
 */

import type { AnswerWay } from "../alert-port.ts";

/** `who`: home, all, or the name of a person or channel. `afterMs` counts from when it began to ring. */
export type OrderStep = { readonly who: string; readonly afterMs: number };

export type AlertRules = {
  /** At least one; times do not fall. */
  readonly order: readonly OrderStep[];
  /** Pause before the last step is done again; 0: never. */
  readonly againMs: number;
  /** Nothing more is delivered after so long. */
  readonly lastsMs: number;
};

export type Answer = {
  /** Of the request or command that brought it. */
  readonly id: string;
  /** Login name, or the channel where that belongs to no account; "": a program, or not known. */
  readonly by: string;
  readonly way: AnswerWay;
  /** Channel whose message was answered; "": none. */
  readonly channel: string;
  readonly atMs: number;
  /** 1 to 3; 0: it only confirms. */
  readonly button: number;
};

/** A delivery that has begun. It is stored before it begins, so an end of the process repeats it and loses nothing. */
export type Delivery =
  | { readonly kind: "step"; readonly who: string }
  /** To who came home meanwhile. */
  | { readonly kind: "arrival"; readonly who: "home" }
  /** To all that were reached: it was confirmed, or is over. */
  | { readonly kind: "confirmed" }
  | { readonly kind: "over" };

export type AlertState = {
  readonly status: "off" | "ringing" | "confirmed";
  /** Nodes that say so. */
  readonly sources: readonly string[];
  /** A program or person raised it. */
  readonly isCommanded: boolean;
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  /** Steps of the order that were done. */
  readonly step: number;
  /** When the next step comes; null: none does. */
  readonly dueAtMs: number | null;
  readonly sentAtMs: number | null;
  /** Deliveries that reached somebody, since it first rang. */
  readonly reached: number;
  /** How often it rang again soon after it was over or confirmed. */
  readonly returns: number;
  /** In this order, one at a time. */
  readonly deliveries: readonly Delivery[];
  readonly answer: Answer | null;
};

export type AlertInput =
  /** `source` null: by a command. */
  | { readonly kind: "raised"; readonly source: string | null }
  | { readonly kind: "cleared"; readonly source: string }
  /** By a command. A node that still says so goes on. */
  | { readonly kind: "ended" }
  | { readonly kind: "answered"; readonly answer: Answer }
  /** The first of its deliveries is over. */
  | { readonly kind: "delivered"; readonly reached: number }
  | { readonly kind: "arrived" }
  | { readonly kind: "time" };

/** An alert that rings again within this time is the same one. */
export const SAME_MS = 600_000;
/** So many returns are delivered at once, the others at the pace of the repetitions. */
export const RETURNS_MAX = 3;
/** Pause before the last step is tried again when no channel accepted it. */
const RETRY_MS = 60_000;
/** A confirmed alert that only a command could end is over after this. */
export const CONFIRMED_MS = 86_400_000;

/** null: it does not ring, and nothing of it is left to do. What is due by this time comes first, then the input. */
export function step(state: AlertState | null, input: AlertInput, nowMs: number, rules: AlertRules): AlertState | null {
  const due = state && settle(clockSetBack(state, nowMs, rules), nowMs, rules);
  const next = taken(due, input, nowMs, rules);
  return next && settle(next, nowMs, rules);
}

/** When it changes without an input; null: never. */
export function dueAtMs({ status, dueAtMs: due, deliveries, endedAtMs, ...state }: AlertState): number | null {
  if (deliveries.length > 0) return null;
  if (status === "ringing") return due;
  if (status === "off") return (endedAtMs ?? 0) + SAME_MS;
  return state.sources.length === 0 && state.answer ? state.answer.atMs + CONFIRMED_MS : null;
}

function taken(state: AlertState | null, input: AlertInput, nowMs: number, rules: AlertRules): AlertState | null {
  if (input.kind === "raised") return raised(state, input.source, nowMs, rules);
  if (!state) return null;
  switch (input.kind) {
    case "cleared":
      return ended({ ...state, sources: state.sources.filter((each) => each !== input.source) }, nowMs);
    case "ended":
      return ended({ ...state, isCommanded: false }, nowMs);
    case "answered":
      return state.status === "ringing" ? answered(state, input.answer) : state;
    case "delivered":
      return delivered(state, input.reached, nowMs, rules);
    case "arrived": {
      const isMeant = rules.order.slice(0, state.step).some(({ who }) => who === "home");
      return state.status === "ringing" && isMeant && isInTime(state, nowMs, rules)
        ? withDelivery(state, { kind: "arrival", who: "home" })
        : state;
    }
    case "time":
      return state;
  }
}

const NEW: Omit<AlertState, "beganAtMs" | "dueAtMs"> = {
  status: "ringing",
  sources: [],
  isCommanded: false,
  endedAtMs: null,
  step: 0,
  sentAtMs: null,
  reached: 0,
  returns: 0,
  deliveries: [],
  answer: null,
};

function raised(state: AlertState | null, source: string | null, nowMs: number, rules: AlertRules): AlertState {
  const before: AlertState = state ?? { ...NEW, beganAtMs: nowMs, dueAtMs: nowMs };
  const isKnown = source !== null && before.sources.includes(source);
  const now = {
    ...before,
    sources: source === null || isKnown ? before.sources : [...before.sources, source],
    isCommanded: before.isCommanded || source === null,
  };
  if (!state || state.status === "ringing" || (isKnown && state.status === "confirmed")) return now;
  return rungAgain(now, nowMs, rules);
}

/** What was not delivered of the end before is left out. */
function rungAgain(state: AlertState, nowMs: number, { order, againMs }: AlertRules): AlertState {
  const returns = state.returns + 1;
  const isAtOnce = returns <= RETURNS_MAX;
  const { sentAtMs } = state;
  const laterAtMs = sentAtMs === null ? nowMs + RETRY_MS : Math.max(nowMs, sentAtMs + Math.max(againMs, SAME_MS));
  return {
    ...state,
    status: "ringing",
    beganAtMs: nowMs,
    endedAtMs: null,
    step: isAtOnce ? 0 : order.length,
    dueAtMs: isAtOnce ? nowMs : laterAtMs,
    returns,
    deliveries: state.deliveries.slice(0, 1),
    answer: null,
  };
}

function ended(state: AlertState, nowMs: number): AlertState {
  if (state.status === "off" || state.sources.length > 0 || state.isCommanded) return state;
  const over: AlertState = { ...state, status: "off", endedAtMs: nowMs, dueAtMs: null };
  // One that comes and goes is over when it has stayed away.
  return state.returns <= RETURNS_MAX ? withTidings(over, "over") : over;
}

function answered(state: AlertState, answer: Answer): AlertState {
  return withTidings({ ...state, status: "confirmed", answer, dueAtMs: null }, "confirmed");
}

/** The one under way ends; others that have not begun do not come. */
function withTidings(state: AlertState, kind: "confirmed" | "over"): AlertState {
  return { ...state, deliveries: [...state.deliveries.slice(0, 1), { kind }] };
}

function withDelivery(state: AlertState, delivery: Delivery): AlertState {
  const isPlanned = state.deliveries.slice(1).some(({ kind }) => kind === delivery.kind);
  return isPlanned ? state : { ...state, deliveries: [...state.deliveries, delivery] };
}

function delivered(state: AlertState, reached: number, nowMs: number, rules: AlertRules): AlertState {
  const [first, ...deliveries] = state.deliveries;
  if (first?.kind !== "step" && first?.kind !== "arrival") return { ...state, deliveries };
  const counted: AlertState = {
    ...state,
    deliveries,
    reached: state.reached + reached,
    ...(reached > 0 && { sentAtMs: nowMs }),
  };
  if (first.kind === "arrival" || state.status !== "ringing") return counted;
  return { ...counted, dueAtMs: nextAtMs(counted, reached, nowMs, rules) };
}

/** When no channel accepted a step, the next one follows at once. */
function nextAtMs(state: AlertState, reached: number, nowMs: number, rules: AlertRules): number | null {
  const next = rules.order[state.step];
  if (next) return reached === 0 ? nowMs : Math.max(nowMs, state.beganAtMs + next.afterMs);
  if (reached === 0) return nowMs + RETRY_MS;
  return rules.againMs === 0 ? null : nowMs + rules.againMs;
}

function isInTime({ beganAtMs }: AlertState, nowMs: number, { lastsMs }: AlertRules): boolean {
  return nowMs - beganAtMs < lastsMs;
}

/** Does what is due. */
function settle(state: AlertState, nowMs: number, rules: AlertRules): AlertState | null {
  const atMs = dueAtMs(state);
  if (atMs === null || nowMs < atMs) return state;
  if (state.status === "ringing") return nextStep(state, nowMs, rules);
  if (state.status === "confirmed") return ended({ ...state, isCommanded: false }, nowMs);
  const isToldOfEnd = state.returns <= RETURNS_MAX;
  if (isToldOfEnd) return null;
  return withTidings({ ...state, returns: 0 }, "over");
}

function nextStep(state: AlertState, nowMs: number, rules: AlertRules): AlertState {
  if (!isInTime(state, nowMs, rules)) return { ...state, dueAtMs: null };
  const { who } = rules.order[state.step] ?? rules.order.at(-1) ?? { who: "all" };
  const stepped = { ...state, step: Math.min(state.step + 1, rules.order.length), dueAtMs: null };
  return withDelivery(stepped, { kind: "step", who });
}

/** A clock that was set back must not make a pause longer than it is. */
function clockSetBack(state: AlertState, nowMs: number, rules: AlertRules): AlertState {
  if (state.beganAtMs <= nowMs && (state.endedAtMs ?? 0) <= nowMs && (state.sentAtMs ?? 0) <= nowMs) return state;
  const longestMs = Math.max(rules.againMs, SAME_MS, ...rules.order.map(({ afterMs }) => afterMs));
  const past = (atMs: number | null) => (atMs === null ? null : Math.min(atMs, nowMs));
  return {
    ...state,
    beganAtMs: Math.min(state.beganAtMs, nowMs),
    endedAtMs: past(state.endedAtMs),
    sentAtMs: past(state.sentAtMs),
    dueAtMs: state.dueAtMs === null ? null : Math.min(state.dueAtMs, nowMs + longestMs),
    answer: state.answer && { ...state.answer, atMs: Math.min(state.answer.atMs, nowMs) },
  };
}
