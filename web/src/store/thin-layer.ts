/** What a person marks in this browser: favorites, and how the page looks. Nothing of it changes the home. */

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

const FAVORITES = "domovoi.favorites";
const THEME = "domovoi.theme";

const RECENT = "domovoi.recent";
const RECENT_MAX = 5;

export type Theme = "system" | "light" | "dark";

const stored: Signal<ReadonlySet<string>> = signal(readFavorites());

export const favorites: ReadonlySignal<ReadonlySet<string>> = stored;

export function toggleFavorite(address: string): void {
  const next = new Set(stored.value);
  if (!next.delete(address)) next.add(address);
  stored.value = next;
  localStorage.setItem(FAVORITES, JSON.stringify([...next]));
}

export function theme(): Theme {
  const known = localStorage.getItem(THEME);
  return known === "light" || known === "dark" ? known : "system";
}

export function chooseTheme(name: Theme): void {
  localStorage.setItem(THEME, name);
  showTheme();
}

/** At the start, before anything is shown. */
export function showTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function forgetMarks(): void {
  stored.value = new Set();
  localStorage.removeItem(FAVORITES);
  localStorage.removeItem(RECENT);
}

/** Addresses on this page of the things that were opened last. */
export function recent(): readonly string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(known) ? known.map(String) : [];
  } catch {
    return [];
  }
}

export function noteOpened(path: string): void {
  if (!/^\/(node|scene|rooms|program)\//.test(path)) return;
  localStorage.setItem(RECENT, JSON.stringify([path, ...recent().filter((known) => known !== path)].slice(0, RECENT_MAX)));
}

function readFavorites(): ReadonlySet<string> {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(FAVORITES) ?? "[]");
    return new Set(Array.isArray(known) ? known.map(String) : []);
  } catch {
    return new Set();
  }
}
