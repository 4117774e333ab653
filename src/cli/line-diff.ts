/** The difference between two texts, line by line, for a person to read. */

/** Unchanged lines between changes that are shown. */
const CONTEXT_LINES = 2;

/** Lines that went begin with "- ", lines that came with "+ ", others with two spaces; empty when the texts are equal. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const marked = walk(a, b, commonLengths(a, b));
  const isShown = (at: number) =>
    marked.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some((line) => !line.startsWith("  "));
  return marked.filter((_, at) => isShown(at)).map((line) => line.trimEnd());
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** For every pair of beginnings left over: how many lines they have in common at most. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const lengths: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      const next = lengths[i + 1];
      if (!row || !next) continue;
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

function walk(a: readonly string[], b: readonly string[], lengths: readonly (readonly number[])[]): readonly string[] {
  const marked: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isCommon = i < a.length && j < b.length && a[i] === b[j];
    const goes = i < a.length && (j === b.length || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0));
    if (isCommon) marked.push(`  ${a[i]}`);
    else marked.push(goes ? `- ${a[i]}` : `+ ${b[j]}`);
    if (isCommon || goes) i += 1;
    if (isCommon || !goes) j += 1;
  }
  return marked;
}
