/**
 * The text of a program as lines, each with its path in the tree: `if[1].conditions[0]`, `then[3]`. Trace and
 * verification use these paths. Each line holds one condition or action; comments and empty lines have no path.
 *
 * @see docs/programs.md
 */

export type Clause = "if" | "then" | "else";

export type ProgramLine = {
  /** The first line of the text is 1. */
  readonly number: number;
  readonly clause: Clause;
  /** The path as in findings; null for a parenthesis that closes. */
  readonly path: string | null;
  readonly depth: number;
  readonly text: string;
};

export function programLines(text: string): readonly ProgramLine[] {
  const found: ProgramLine[] = [];
  let clause: Clause | null = null;
  let counts = [0];
  let isInRepeat = false;
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    const title = /^(if|then|else)$/i.exec(line)?.[1]?.toLowerCase() as Clause | undefined;
    if (title) {
      [clause, counts, isInRepeat] = [title, [0], false];
    } else if (clause !== null && line !== "" && !line.startsWith("#")) {
      const isEnd = line === ")";
      if (isEnd && counts.length > 1) counts = counts.slice(0, -1);
      const isRepeat: boolean = clause !== "if" && /^repeat\b/i.test(line);
      const depth: number = counts.length - 1 + Number(isInRepeat && !isRepeat);
      found.push({ number: at + 1, clause, path: isEnd ? null : pathOf(clause, counts), depth, text: line });
      if (isRepeat) isInRepeat = true;
      if (!isEnd) counts = counts.with(-1, (counts.at(-1) ?? 0) + 1);
      if (clause === "if" && line.endsWith("(")) counts = [...counts, 0];
    }
  }
  return found;
}

/** The place of a condition, from the indexes that the trace has. */
export function conditionPath(indexes: readonly number[]): string {
  return `if${indexes.map((index) => `[${index}]`).join(".conditions")}`;
}

function pathOf(clause: Clause, counts: readonly number[]): string {
  // Every count but the last has moved on when its parenthesis opened.
  const indexes = counts.map((count, at) => (at < counts.length - 1 ? count - 1 : count));
  return clause === "if" ? conditionPath(indexes) : `${clause}[${indexes[0]}]`;
}

export type Piece = { readonly text: string; readonly isName: boolean; readonly id: string | null };

/** A line in pieces: names in quotes with the ids behind them, and the words between. */
export function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(/'((?:\\[\s\S]|[^'\\])*)(?:(')(?: \[([^\][]*)\])?|\\?$)/g)) {
    // A quote that nothing closes takes the rest of the line, so that it is read once.
    if (match[2] === undefined) break;
    if (match.index > end) pieces.push({ text: line.slice(end, match.index), isName: false, id: null });
    pieces.push({ text: (match[1] ?? "").replace(/\\(.)/g, "$1"), isName: true, id: match[3] ?? null });
    end = match.index + match[0].length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end), isName: false, id: null });
  return pieces;
}
