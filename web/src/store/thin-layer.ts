/** How the page looks in this browser, and what was opened last in it. */

const THEME = "domovoi.theme";

const LETTERS = "domovoi.letters";

const WALL = "domovoi.wall";

const RECENT = "domovoi.recent";
const RECENT_MAX = 5;

export type Theme = "system" | "light" | "dark";

export function theme(): Theme {
  const known = localStorage.getItem(THEME);
  return known === "light" || known === "dark" ? known : "system";
}

export function chooseTheme(name: Theme): void {
  localStorage.setItem(THEME, name);
  showTheme();
}

export const LETTER_SIZES = ["normal", "large", "largest"] as const;
type LetterSize = (typeof LETTER_SIZES)[number];

/** Everything grows with the letters; the browser's own zoom is beside it. */
export function letterSize(): LetterSize {
  const known = localStorage.getItem(LETTERS);
  return LETTER_SIZES.find((size) => size === known) ?? "normal";
}

export function chooseLetterSize(size: LetterSize): void {
  localStorage.setItem(LETTERS, size);
  showTheme();
}

/** Runs at the start, before anything is shown. */
export function showTheme(): void {
  const { dataset } = document.documentElement;
  dataset.theme = theme();
  dataset.letters = letterSize();
  if (isWall()) dataset.wall = "";
}

/** This browser is a tablet on the wall: big, and always on. */
export function isWall(): boolean {
  return localStorage.getItem(WALL) !== null;
}

export function chooseWall(isOn: boolean): void {
  if (isOn) localStorage.setItem(WALL, "");
  else localStorage.removeItem(WALL);
  location.reload();
}

export function forgetRecent(): void {
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
  localStorage.setItem(
    RECENT,
    JSON.stringify([path, ...recent().filter((known) => known !== path)].slice(0, RECENT_MAX)),
  );
}
