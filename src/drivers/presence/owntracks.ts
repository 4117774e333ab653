/**
 * Reads the messages of OwnTracks. A place becomes "home", "away" or neither here, and goes no further: what this returns has no
 * coordinates. @see https://owntracks.org/booklet/tech/json/
 */

import { readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import type { Whereabouts } from "./rule.ts";

export type HomePlace = {
  /** false: that of every new home, so that distances say nothing. */
  readonly isPlaced: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
  /** A fix that is less accurate says nothing. */
  readonly accuracyMaxM: number;
  /** Name of the phone's own region around the home. */
  readonly region: string;
};

export type Fix = {
  readonly says: Whereabouts | null;
  /** By the phone's clock. */
  readonly atMs: number;
  readonly isCoarse: boolean;
  /** A sentence for the owner: what was made of it. */
  readonly note: string;
};

/** The longest message that is read. */
export const MESSAGE_BYTES_MAX = 10_240;

const EARTH_RADIUS_M = 6_371_000;
const SECOND_MS = 1000;
const TIME_MAX_S = 1e11;
const REGIONS_MAX = 100;

/** undefined: no message of OwnTracks; null: one that says nothing of where the phone is. */
export function readOwnTracks(text: string, home: HomePlace): Fix | null | undefined {
  const message = readForeignJson(text);
  if (!isRecord(message) || typeof message._type !== "string") return undefined;
  const { _type: type, tst } = message;
  if (type === "encrypted") return silentFix("Its messages are encrypted. Remove the encryption key in the app.");
  if (type !== "location" && type !== "transition") return null;
  if (typeof tst !== "number" || !(tst > 0 && tst < TIME_MAX_S)) return undefined;
  const atMs = Math.round(tst * SECOND_MS);
  return type === "transition" ? transitionOf(message, atMs, home) : locationOf(message, atMs, home);
}

function silentFix(note: string): Fix {
  return { says: null, atMs: 0, isCoarse: true, note };
}

/** The phone itself says that it has entered or left the region around the home. */
function transitionOf({ event, desc, acc }: Message, atMs: number, home: HomePlace): Fix | null {
  if (!isHomeRegion(desc, home) || (event !== "enter" && event !== "leave")) return null;
  if (event === "enter") return { says: "home", atMs, isCoarse: false, note: "It entered the region of the home." };
  const accuracyM = accuracyOf(acc) ?? 0;
  const isUsable = accuracyM <= home.accuracyMaxM;
  return {
    says: isUsable ? "away" : null,
    atMs,
    isCoarse: accuracyM > home.radiusM,
    note: isUsable ? "It left the region of the home." : inaccurate(accuracyM, home),
  };
}

function locationOf(message: Message, atMs: number, home: HomePlace): Fix | undefined {
  const { lat, lon, acc, inregions } = message;
  const isInRegion =
    Array.isArray(inregions) && inregions.slice(0, REGIONS_MAX).some((name) => isHomeRegion(name, home));
  if (isInRegion) return { says: "home", atMs, isCoarse: false, note: "It is in the region of the home." };
  if (!isDegrees(lat, 90) || !isDegrees(lon, 180)) return undefined;
  if (!home.isPlaced) return { says: null, atMs, isCoarse: true, note: "The place of the home is not set." };
  const accuracyM = accuracyOf(acc);
  if (accuracyM === null) return { says: null, atMs, isCoarse: true, note: "It does not say how accurate its fix is." };
  if (accuracyM > home.accuracyMaxM) return { says: null, atMs, isCoarse: true, note: inaccurate(accuracyM, home) };
  const awayM = metersBetween(home, { latitude: lat, longitude: lon });
  const isCoarse = accuracyM > home.radiusM;
  if (awayM <= home.radiusM) return { says: "home", atMs, isCoarse, note: "Its fix is within the home." };
  const isOutside = awayM - accuracyM > home.radiusM;
  return {
    says: isOutside ? "away" : null,
    atMs,
    isCoarse,
    note: isOutside ? "Its fix is outside the home." : "Its fix may be within the home or outside.",
  };
}

type Message = Readonly<Record<string, unknown>>;

function inaccurate(accuracyM: number, { accuracyMaxM: most }: HomePlace): string {
  const meters = Math.round(accuracyM);
  return `Its fix is accurate to ${meters} m only; more than ${most} m does not count.`;
}

function isHomeRegion(name: unknown, { region }: HomePlace): boolean {
  return (
    typeof name === "string" && name.length <= 2 * region.length && name.trim().toLowerCase() === region.toLowerCase()
  );
}

function accuracyOf(acc: unknown): number | null {
  return typeof acc === "number" && Number.isFinite(acc) && acc >= 0 ? acc : null;
}

function isDegrees(value: unknown, max: number): value is number {
  return typeof value === "number" && Math.abs(value) <= max;
}

type Point = { readonly latitude: number; readonly longitude: number };

/** Along the surface of a sphere; the error is far below the accuracy of a phone. */
export function metersBetween(one: Point, other: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const halfSine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const across = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  const chord = halfSine(other.latitude - one.latitude) + across * halfSine(other.longitude - one.longitude);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}
