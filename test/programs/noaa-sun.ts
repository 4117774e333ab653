/**
 * Sunrise and sunset by the published equations of NOAA's solar calculator (after Meeus), written independently of
 * the library that the service uses. The sun's center is 0.833° below the horizon: refraction and its upper limb.
 */

const RISE_DEGREES = 90.833;
const MINUTE_MS = 60_000;

/** @param day midnight UTC of the day, milliseconds. @returns null when it does not happen on that day. */
export function noaaSun(day: number, latitude: number, longitude: number, event: "sunrise" | "sunset"): number | null {
  let minutes = 720 - 4 * longitude;
  for (let pass = 0; pass < 6; pass += 1) {
    const angle = hourAngle(latitude, day + minutes * MINUTE_MS);
    if (angle === null) return null;
    const { equation } = sunAt(day + minutes * MINUTE_MS);
    minutes = 720 - 4 * (longitude + (event === "sunrise" ? angle : -angle)) - equation;
  }
  return day + minutes * MINUTE_MS;
}

function hourAngle(latitude: number, atMs: number): number | null {
  const { declination } = sunAt(atMs);
  const cosine =
    cos(RISE_DEGREES) / (cos(latitude) * cos(declination)) - Math.tan(rad(latitude)) * Math.tan(rad(declination));
  return Math.abs(cosine) > 1 ? null : (Math.acos(cosine) * 180) / Math.PI;
}

/** Declination in degrees, equation of time in minutes. */
function sunAt(atMs: number): { readonly declination: number; readonly equation: number } {
  const t = (atMs / 86_400_000 + 2_440_587.5 - 2_451_545) / 36_525;
  const meanLongitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)) % 360;
  const anomaly = 357.52911 + t * (35_999.05029 - 0.0001537 * t);
  const eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
  const centre =
    sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * t) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * t;
  const longitude = meanLongitude + centre - 0.00569 - 0.00478 * sin(node);
  const obliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60 + 0.00256 * cos(node);
  const declination = (Math.asin(sin(obliquity) * sin(longitude)) * 180) / Math.PI;
  const y = Math.tan(rad(obliquity / 2)) ** 2;
  const equation =
    4 *
    (180 / Math.PI) *
    (y * sin(2 * meanLongitude) -
      2 * eccentricity * sin(anomaly) +
      4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) -
      0.5 * y * y * sin(4 * meanLongitude) -
      1.25 * eccentricity * eccentricity * sin(2 * anomaly));
  return { declination, equation };
}

function rad(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function sin(degrees: number): number {
  return Math.sin(rad(degrees));
}

function cos(degrees: number): number {
  return Math.cos(rad(degrees));
}
