/**
 * Texts from a controller on a terminal. Names are written by people, plugins and devices; what would steer the terminal
 * or turn the line around is shown instead of carried out.
 */

/** C0 and C1 controls, DEL, line and paragraph separators, marks that change the direction of writing, half surrogates. */
const STEERING =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const C0_END = 0x20;
const DEL = 0x7f;
const PICTURES = 0x2400;
const PICTURE_OF_DEL = 0x2421;

/** The text with every steering character as a sign that can be seen: ␛ for escape, <U+202E> for the others. */
export function plain(text: string): string {
  return text.replace(STEERING, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < C0_END) return String.fromCharCode(PICTURES + code);
    return code === DEL ? String.fromCharCode(PICTURE_OF_DEL) : `<U+${hex(code)}>`;
  });
}

/** JSON on one line, or indented, in which nothing steers a terminal that it is shown on. */
export function plainJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(STEERING, (character) => {
    if (character === "\n") return character;
    return `\\u${hex(character.codePointAt(0) ?? 0)}`;
  });
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}
