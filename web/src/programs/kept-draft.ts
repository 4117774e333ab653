/** A program that is being edited, kept over a reload of this tab. One at a time: another program's takes its place. */

const KEY = "domovoi.draft";

/** `version`: of the program that the edit began with. */
type KeptDraft = { readonly id: string; readonly version: number; readonly text: string };

export function keptDraft(id: string): KeptDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as KeptDraft | null;
    return kept?.id === id ? kept : null;
  } catch {
    return null;
  }
}

export function keepDraft(draft: KeptDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // The browser's storage is full or forbidden: a reload loses the edit.
  }
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
