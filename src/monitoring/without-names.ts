/** Removes from a sentence what names people or their things: our sentences quote such names. */
export function withoutNames(text: string): string {
  return text
    .replace(/"[^"]*"|“[^”]*”|(?<!\w)'[^']*'(?!\w)/g, '"…"')
    .replace(/[^\s"<>(),;:]+@[^\s"<>(),;:]+/g, "…@…")
    .replace(/\b([a-z][a-z+.-]*:\/\/)[^\s"]*/gi, "$1…");
}
