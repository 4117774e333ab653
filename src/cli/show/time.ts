/** Times for people: in the zone of the machine on which they read, without what they know anyway. */

/** `2026-05-02 14:00:00`; empty for none, as it is where it cannot be read. @param iso ISO 8601 */
export function localTime(iso: string | null): string {
  if (iso === null || iso === "") return "";
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join("-");
  return `${date} ${timeOf(at)}`;
}

/** `14:00:00.250`; of now where the controller did not say when. @param iso ISO 8601 */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  const known = Number.isNaN(at.getTime()) ? new Date() : at;
  return `${timeOf(known)}.${String(known.getMilliseconds()).padStart(3, "0")}`;
}

function timeOf(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
