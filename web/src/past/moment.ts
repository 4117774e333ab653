/** The past moment that the page shows: `?at=` in the address. Every link of the page keeps it, so that it is left only on purpose. */

import type { BaseLocationHook } from "wouter-preact";
import { navigate as go, useBrowserLocation } from "wouter-preact/use-browser-location";

/** `compare`: the page marks what differs from now. `play`: the moment moves on by itself. */
const KEPT = ["at", "compare", "play"] as const;

/** Null: the present. */
export function pastMs(search = location.search): number | null {
  const atMs = Date.parse(new URLSearchParams(search).get("at") ?? "");
  return Number.isFinite(atMs) ? atMs : null;
}

/** Whether the past is shown so. */
export function isShownWith(what: "compare" | "play"): boolean {
  return pastMs() !== null && new URLSearchParams(location.search).has(what);
}

/** For the trace: only entries that had begun by the moment. */
export function untilMoment(): string {
  const atMs = pastMs();
  return atMs === null ? "" : `&until=${new Date(atMs).toISOString()}`;
}

/** An address of the page with the moment of the present address, unless it has its own. */
export function withMoment(href: string): string {
  if (pastMs() === null || !href.startsWith("/")) return href;
  const [path = "", query = ""] = href.split("?");
  const parameters = new URLSearchParams(query);
  const present = new URLSearchParams(location.search);
  for (const key of KEPT) {
    const value = present.get(key);
    if (value !== null && !parameters.has(key)) parameters.set(key, value);
  }
  return `${path}?${parameters}`;
}

export const useKeptLocation: BaseLocationHook = () => {
  const [path] = useBrowserLocation();
  return [path, (to: string, options?: { readonly replace?: boolean }) => go(withMoment(to), options)];
};

/** @param atMs null: back to now. @param isStep a step through the past: Back leaves the past in one step */
export function showMoment(atMs: number | null, isStep = false, isPlaying = false): void {
  const parameters = new URLSearchParams(location.search);
  if (atMs === null) for (const key of KEPT) parameters.delete(key);
  else parameters.set("at", new Date(atMs).toISOString());
  if (isPlaying) parameters.set("play", "");
  go(addressOf(parameters), { replace: isStep });
}

export function showWith(what: "compare" | "play", isOn: boolean): void {
  const parameters = new URLSearchParams(location.search);
  if (isOn) parameters.set(what, "");
  else parameters.delete(what);
  go(addressOf(parameters), { replace: true });
}

function addressOf(parameters: URLSearchParams): string {
  return parameters.size === 0 ? location.pathname : `${location.pathname}?${parameters}`;
}
