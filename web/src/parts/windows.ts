/** Times of the week: days, each from one time of the day to another. */

/** Monday first. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];
export const WORKDAYS: readonly Day[] = DAYS.slice(0, 5);

/** On these days between two times of the day, in minutes; `to` before `from` is on the next day. */
export type Window = { readonly days: readonly Day[]; readonly from: number; readonly to: number };

/** @param text of a time field: `06:30` */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

/** `06:30` */
export function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
