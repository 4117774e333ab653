/** A device that is put together from its parts: entities of it that are told one by one. */

import type { Expose, ListedDevice } from "./expose.ts";
import { isMain } from "./expose-table.ts";

type About = Pick<ListedDevice, "id" | "model" | "firmware" | "room"> & { readonly name: string };

/** Main functions beside one another are nodes of their own; what was there before keeps its order, and so its ids. */
export function listedOf(about: About, parts: readonly Expose[], before: ListedDevice | null): ListedDevice {
  const known = new Map((before?.exposes ?? []).map((each, at) => [keyOf(each), at]));
  const place = (each: Expose) => known.get(keyOf(each)) ?? known.size;
  const exposes = parts.toSorted((a, b) => place(a) - place(b));
  const mains = exposes.filter(isMain);
  const labels = new Set<string>();
  const placed = exposes.map((each) => {
    if (mains.length < 2 || !isMain(each)) return each;
    let endpoint = each.label || String(labels.size + 1);
    while (labels.has(endpoint)) endpoint = `${endpoint} ${labels.size + 1}`;
    labels.add(endpoint);
    return { ...each, endpoint };
  });
  const actions = placed.filter(({ name }) => name === "action");
  const [action] = actions;
  const merged = action ? [{ ...action, values: actions.flatMap(({ values }) => values) }] : [];
  return {
    id: about.id,
    topic: about.name,
    model: about.model,
    firmware: about.firmware,
    isInterviewed: true,
    ...(about.room && { room: about.room }),
    exposes: [...placed.filter(({ name }) => name !== "action"), ...merged],
  };
}

/** The property of the part, or of its first feature. */
export function keyOf({ property, features }: Expose): string {
  return property || (features[0]?.property ?? "");
}

/** Whether a device that rounds has what was wanted. */
export function isNear(wanted: unknown, told: unknown): boolean {
  if (typeof wanted === "object") return true;
  if (typeof wanted !== "number" || typeof told !== "number") return wanted === told;
  return Math.abs(wanted - told) <= Math.max(0.01, Math.abs(wanted) * 0.02);
}
