/** Removes from a sentence what names people or their things: our sentences quote such names. */
export function withoutNames(text: string): string {
  return text
    .replace(/"[^"]*"|“[^”]*(?:”|$)|(?<!\w)'[^']*'(?!\w)/g, '"…"')
    .replace(/(?<![^\s"<>(),;:])[^\s"<>(),;:]+@[^\s"<>(),;:]+/g, "…@…")
    .replace(/:\/\/[^\s"]*/g, "://…");
}
