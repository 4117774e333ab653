/** A line of bash as words, and words as bash must have them. Nothing is expanded. */

type WrittenLine = {
  /** Complete words, without their quotes. */
  readonly words: readonly string[];
  /** The word at the cursor as it is written, behind a quote that is still open. */
  readonly current: string;
  /** The quote that is open at the cursor; empty for none. */
  readonly quote: "" | '"' | "'";
};

/** @param line up to the cursor */
export function readLine(line: string): WrittenLine {
  const words: string[] = [];
  let word: string | null = null;
  let startAt = 0;
  let quote: WrittenLine["quote"] = "";
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? "";
    if (quote === "" && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (word === null) startAt = at;
    word ??= "";
    const isQuote = letter === '"' || letter === "'";
    if (isQuote && (quote === "" || quote === letter)) quote = quote === "" ? letter : "";
    else if (letter === "\\" && quote !== "'" && at + 1 < line.length) word += escaped(line[++at] ?? "", quote);
    else word += letter;
  }
  if (word === null) return { words, current: "", quote: "" };
  const written = line.slice(startAt);
  // A quote in the middle of a word leaves the shell's own rules for what it replaces; then nothing is offered.
  return { words, current: quote === "" ? written : written.slice(written.indexOf(quote) + 1), quote };
}

/** Inside double quotes a backslash stays before what it does not escape. */
function escaped(letter: string, quote: WrittenLine["quote"]): string {
  return quote === '"' && !/["$\\\\`]/.test(letter) ? `\\${letter}` : letter;
}

/** @returns the text as it must stand on the line behind that quote; null when it cannot. */
export function quoteFor(quote: WrittenLine["quote"], text: string): string | null {
  switch (quote) {
    case "":
      return text.replaceAll(/[^\p{L}\p{N}_.,/%+@-]/gu, "\\$&");
    case '"':
      // "!" is history there, and a backslash before it would stay.
      return text.includes("!") ? null : text.replaceAll(/["$\\`]/g, "\\$&");
    case "'":
      return text.replaceAll("'", `'\\''`);
  }
}
