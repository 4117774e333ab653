/** `/rest/time`: the controller's clock, place and sun, in the units of that document. @see docs/interface/time.md */

import { DAY_MS } from "../../util/clock.ts";
import { sunTimes } from "../../util/sun.ts";
import { escapeXml } from "../../util/xml.ts";
import { createZone, type Zone } from "../../util/zone.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { xmlReply } from "./rest-reply.ts";

/** Seconds from 1900, where this document's times begin, to 1970. */
const NTP_EPOCH_S = 2_208_988_800;

export function getTime(_request: HttpRequest, { home, clock }: Services): Reply {
  const { timeZone, latitude, longitude } = home.controller;
  const zone = createZone(timeZone);
  const nowMs = clock.now();
  const standardMinutes = standardOffset(nowMs, zone);
  const sun = shownSun(nowMs, zone, latitude, longitude);
  return xmlReply(
    `<DT><NTP>${localNtp(nowMs, zone)}</NTP><TMZOffset>${standardMinutes * 60}</TMZOffset>` +
      `<DST>${zone.offsetMinutes(nowMs) !== standardMinutes}</DST><Lat>${latitude}</Lat><Long>${west(longitude)}</Long>` +
      `<Sunrise>${localNtp(sun.riseAtMs, zone)}</Sunrise><Sunset>${localNtp(sun.setAtMs, zone)}</Sunset>` +
      `<IsMilitary>true</IsMilitary><TzId>${escapeXml(timeZone)}</TzId><GMT>${unixSeconds(nowMs)}</GMT>` +
      `<SunriseGMT>${unixSeconds(sun.riseAtMs)}</SunriseGMT><SunsetGMT>${unixSeconds(sun.setAtMs)}</SunsetGMT></DT>`,
  );
}

function unixSeconds(atMs: number): number {
  return Math.floor(atMs / 1000);
}

/** Seconds of the wall clock, daylight time included, as if it were UTC. */
function localNtp(atMs: number, zone: Zone): number {
  return Math.floor(atMs / 1000) + zone.offsetMinutes(atMs) * 60 + NTP_EPOCH_S;
}

/** The offset without daylight time: the smaller one of January and July. */
function standardOffset(atMs: number, zone: Zone): number {
  const { year } = zone.parts(atMs);
  return Math.min(zone.offsetMinutes(Date.UTC(year, 0, 1)), zone.offsetMinutes(Date.UTC(year, 6, 1)));
}

/** This document counts longitude positive to the west; −0 would be written as such by some readers. */
function west(longitude: number): number {
  return longitude === 0 ? 0 : -longitude;
}

/**
 * Clients need both numbers on every day. A sun that never sets is shown from midnight to midnight, one that never rises
 * as rising and setting at noon.
 */
function shownSun(nowMs: number, zone: Zone, latitude: number, longitude: number) {
  const sun = sunTimes(nowMs, zone, latitude, longitude);
  if (sun.sunriseAtMs !== null && sun.sunsetAtMs !== null)
    return { riseAtMs: sun.sunriseAtMs, setAtMs: sun.sunsetAtMs };
  if (sun.polar === "night") return { riseAtMs: sun.noonAtMs, setAtMs: sun.noonAtMs };
  const { hour, minute, second, millisecond } = zone.parts(nowMs);
  const midnightMs = nowMs - (((hour * 60 + minute) * 60 + second) * 1000 + millisecond);
  return { riseAtMs: midnightMs, setAtMs: midnightMs + DAY_MS - 1000 };
}
