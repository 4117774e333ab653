/** How many columns of a terminal a text takes, and the text cut to a number of them. */

/** Characters that terminals draw two columns wide: emoji, East Asian scripts and their full-width forms. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Ideographic}/u;
/** Latin letters and signs, each one column wide. */
const LATIN_ONLY = /^[\u0020-\u007e\u00a0-\u024f\u2026\u2212]*$/;

export function widthOf(text: string): number {
  if (LATIN_ONLY.test(text)) return text.length;
  let width = 0;
  for (const segment of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of the text with "…" where something is missing; never half a character. @param columns at least 1. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const segment of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

let segmenter: Intl.Segmenter | null = null;

/** The segmenter takes 40 ms to make, which texts of Latin letters do without. */
function* graphemesOf(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function graphemeWidth(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}
