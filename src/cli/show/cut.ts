/** How many columns of a terminal a text takes, and the text cut to a number of them. */

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** What terminals draw two columns wide: pictures, East Asian scripts and their full-width forms. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Ideographic}/u;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  if (ASCII_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of the text with "…" where something is missing; never half a character. @param columns at least 1. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

function graphemeWidth(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}
