/** An entity of Home Assistant as the driver knows it: what the registries and its state say of it. */

import { isRecord } from "../../util/is-record.ts";

export type Attributes = Readonly<Record<string, unknown>>;

/** As it is now. */
export type EntityState = {
  readonly state: string;
  readonly attributes: Attributes;
  /** What changed it last. */
  readonly context: Context;
};

type Context = {
  readonly id: string;
  /** Id of the account; null: no account did it. */
  readonly user: string | null;
  /** Whether an automation or a script did it. */
  readonly hasParent: boolean;
};

export type Entity = {
  /** Stays, whatever its name becomes; the name where the registry has none. */
  readonly key: string;
  /** `light.kitchen`: how it is called in commands. */
  readonly name: string;
  readonly domain: string;
  /** Configuration and diagnosis. */
  readonly isInternal: boolean;
};

const UNAVAILABLE: readonly string[] = ["unavailable"];
const NOTHING: readonly string[] = ["unavailable", "unknown"];

export function isReachable(state: EntityState | undefined): boolean {
  return state !== undefined && !UNAVAILABLE.includes(state.state);
}

export function isKnown({ state }: EntityState): boolean {
  return !NOTHING.includes(state);
}

export function textOf(attributes: Attributes, name: string): string {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : null;
  return typeof value === "string" ? value.slice(0, 300) : "";
}

export function numberOf(attributes: Attributes, name: string): number | null {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function listOf(attributes: Attributes, name: string): readonly string[] {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : null;
  if (!Array.isArray(value)) return [];
  return value.slice(0, 200).flatMap((each) => (typeof each === "string" ? [each.slice(0, 200)] : []));
}

/** One of the flags that `supported_features` is the sum of. */
export function supports(attributes: Attributes, flag: number): boolean {
  return ((numberOf(attributes, "supported_features") ?? 0) & flag) !== 0;
}

/**
 * The state of a message that says all of it.
 * @returns null for something else
 */
export function stateIn(told: unknown): EntityState | null {
  if (!isRecord(told) || typeof told.s !== "string") return null;
  return {
    state: told.s,
    attributes: withoutPlaces(told.a),
    context: contextIn(told.c, NO_ORIGIN),
  };
}

/** With what a message says is different. */
export function changedState(before: EntityState, change: unknown): EntityState {
  if (!isRecord(change)) return before;
  const more = isRecord(change["+"]) ? change["+"] : {};
  const less = isRecord(change["-"]) && Array.isArray(change["-"].a) ? change["-"].a : [];
  const attributes: Record<string, unknown> = { ...before.attributes, ...withoutPlaces(more.a) };
  for (const name of less) if (typeof name === "string") delete attributes[name];
  return {
    state: typeof more.s === "string" ? more.s : before.state,
    attributes,
    context: contextIn(more.c, before.context),
  };
}

/** Where phones and persons are goes no further than this. */
const PLACES = /latitude|longitude|altitude|gps|location|address|in_zones/i;

function withoutPlaces(told: unknown): Attributes {
  if (!isRecord(told)) return {};
  const isOfPlace = (name: string) => PLACES.test(name);
  if (!Object.keys(told).some(isOfPlace)) return told;
  return Object.fromEntries(Object.entries(told).filter(([name]) => !isOfPlace(name)));
}

const NO_ORIGIN: Context = { id: "", user: null, hasParent: false };

/** A text is a new id alone; an object has what is different. */
function contextIn(told: unknown, before: Context): Context {
  if (typeof told === "string") return { ...before, id: told.slice(0, 100) };
  if (!isRecord(told)) return before;
  const { id, user_id: user, parent_id: parent } = told;
  return {
    id: typeof id === "string" ? id.slice(0, 100) : before.id,
    user: user === undefined ? before.user : typeof user === "string" ? user : null,
    hasParent: parent === undefined ? before.hasParent : parent !== null,
  };
}
