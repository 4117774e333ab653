/**
 * Who is at home, as a pure function of what the sources say. It knows distances from nothing and places not at all: a fix comes in
 * as "home", "away" or neither. @see docs/presence.md, which states the rules
 */

export type Whereabouts = "home" | "away";

export type PresenceRules = {
  readonly leaveMs: number;
  /** A phone that says nothing for so long is not known. */
  readonly silentMs: number;
  readonly silentIsAway: boolean;
};

/** What is kept of a source. The place of a fix is not. */
type SourceState = {
  readonly says: Whereabouts | null;
  /** Since when it says "away" without its minutes being over. */
  readonly leavingAtMs: number | null;
  /** Time of the newest fix that counted, and of the newest precise one; never later than the controller's clock. */
  readonly fixAtMs: number | null;
  readonly preciseAtMs: number | null;
  readonly heardAtMs: number;
  /** A phone falls silent, a node does not: its own driver says when it is not known. */
  readonly isPhone: boolean;
};

export type PersonState = {
  readonly sources: Readonly<Record<string, SourceState>>;
  /** What was chosen on the page or by a command. It counts until a source says something else than before. */
  readonly chosen: Whereabouts | null;
};

export type PresenceInput =
  /** A message of a phone. `says` null: it is alive, and may be on either side. `isCoarse`: less accurate than the home is large. */
  | {
      readonly kind: "fix";
      readonly source: string;
      readonly says: Whereabouts | null;
      readonly fixAtMs: number;
      readonly isCoarse: boolean;
      /** When it came: now, or earlier for a message that a broker has kept. */
      readonly heardAtMs: number;
    }
  | { readonly kind: "node"; readonly source: string; readonly says: Whereabouts | null }
  | { readonly kind: "chosen"; readonly says: Whereabouts }
  | { readonly kind: "removed"; readonly source: string }
  | { readonly kind: "time" };

/** A coarse fix says nothing for so long after a precise one. */
export const PRECISE_HOLDS_MS = 900_000;

export const NOTHING_KNOWN: PersonState = { sources: {}, chosen: null };

/** Home if any source says so, away if one says so and none says home. A choice counts before both. */
export function whereaboutsOf({ sources, chosen }: PersonState): Whereabouts | null {
  if (chosen !== null) return chosen;
  const said = Object.values(sources).map(({ says }) => says);
  return said.includes("home") ? "home" : said.includes("away") ? "away" : null;
}

/** What has changed by this time comes first, then the input. */
export function step(state: PersonState, input: PresenceInput, nowMs: number, rules: PresenceRules): PersonState {
  const settled = Object.entries(state.sources).map(([name, each]) => [name, settle(each, nowMs, rules)] as const);
  const due = withChoice(state, { ...state, sources: Object.fromEntries(settled) }, nowMs, rules);
  switch (input.kind) {
    case "time":
      return due;
    case "chosen":
      return { ...due, chosen: input.says };
    case "removed": {
      const { [input.source]: _removed, ...others } = due.sources;
      return { ...due, sources: others };
    }
    case "node":
    case "fix": {
      const before = due.sources[input.source] ?? newSource(input, nowMs);
      const after = settle(hear(before, input, nowMs), nowMs, rules);
      return withChoice(due, { ...due, sources: { ...due.sources, [input.source]: after } }, nowMs, rules);
    }
  }
}

/** When the state changes without an input; null: never. */
export function dueAtMs({ sources }: PersonState, { leaveMs, silentMs, silentIsAway }: PresenceRules): number | null {
  const times = Object.values(sources).flatMap(({ says, leavingAtMs, heardAtMs, isPhone }) => {
    const endsBySilence = isPhone && (leavingAtMs !== null || says === "home" || (says === "away" && !silentIsAway));
    return [...(leavingAtMs === null ? [] : [leavingAtMs + leaveMs]), ...(endsBySilence ? [heardAtMs + silentMs] : [])];
  });
  return times.length === 0 ? null : Math.min(...times);
}

type Said = Extract<PresenceInput, { readonly kind: "fix" | "node" }>;

function newSource(input: Said, nowMs: number): SourceState {
  const heardAtMs = input.kind === "fix" ? input.heardAtMs : nowMs;
  return { says: null, leavingAtMs: null, fixAtMs: null, preciseAtMs: null, heardAtMs, isPhone: input.kind === "fix" };
}

function hear(before: SourceState, input: Said, nowMs: number): SourceState {
  if (input.kind === "node") {
    const said = { ...before, heardAtMs: nowMs };
    return input.says === null ? { ...said, says: null, leavingAtMs: null } : saying(said, input.says, nowMs);
  }
  const alive = { ...before, heardAtMs: Math.max(before.heardAtMs, Math.min(input.heardAtMs, nowMs)) };
  // A phone whose clock is ahead would otherwise make all its later fixes late ones.
  const fixAtMs = Math.min(input.fixAtMs, nowMs);
  const isLate = before.fixAtMs !== null && fixAtMs < before.fixAtMs;
  const isWorse = input.isCoarse && before.preciseAtMs !== null && fixAtMs - before.preciseAtMs < PRECISE_HOLDS_MS;
  if (isLate || isWorse || input.says === null) return alive;
  const counted = { ...alive, fixAtMs, preciseAtMs: input.isCoarse ? before.preciseAtMs : fixAtMs };
  return saying(counted, input.says, alive.heardAtMs);
}

/** Coming needs no time, leaving its minutes. */
function saying(source: SourceState, says: Whereabouts, atMs: number): SourceState {
  if (says === "home") return { ...source, says, leavingAtMs: null };
  return source.says === "away" ? source : { ...source, leavingAtMs: source.leavingAtMs ?? atMs };
}

function settle(source: SourceState, nowMs: number, rules: PresenceRules): SourceState {
  // A clock that was set back must not make a minute longer than it is, nor the next fix a late one.
  const past = (atMs: number | null) => (atMs === null ? null : Math.min(atMs, nowMs));
  const { says, heardAtMs } = source;
  const leavingAtMs = past(source.leavingAtMs);
  const next = { ...source, leavingAtMs, fixAtMs: past(source.fixAtMs), preciseAtMs: past(source.preciseAtMs) };
  const hasLeft = leavingAtMs !== null && nowMs - leavingAtMs >= rules.leaveMs;
  const now: SourceState = {
    ...next,
    heardAtMs: Math.min(heardAtMs, nowMs),
    ...(hasLeft && { says: "away", leavingAtMs: null }),
  };
  if (!isSilent(now, nowMs, rules)) return now;
  return { ...now, says: rules.silentIsAway && (says !== null || hasLeft) ? "away" : null, leavingAtMs: null };
}

function isSilent({ isPhone, heardAtMs }: SourceState, nowMs: number, { silentMs }: PresenceRules): boolean {
  return isPhone && nowMs - heardAtMs >= silentMs;
}

/** A choice ends when a source says something else than before. That it falls silent says nothing. */
function withChoice(before: PersonState, after: PersonState, nowMs: number, rules: PresenceRules): PersonState {
  const isNews = Object.entries(after.sources).some(([name, source]) => {
    const { says } = source;
    return says !== null && says !== before.sources[name]?.says && !isSilent(source, nowMs, rules);
  });
  return isNews ? { ...after, chosen: null } : after;
}
