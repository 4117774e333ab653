/**
 * Tables for people. On a terminal a table fits its width, cells are cut where they must be; into a pipe or a file
 * everything goes whole. Programs take --json instead.
 */

import { styleText } from "node:util";
import { withoutEnd } from "../../util/foreign-text.ts";
import { cutTo, widthOf } from "./cut.ts";
import { plain } from "./plain.ts";

export type Paint = "green" | "yellow" | "red" | "gray" | "bold";

export type Column<Row> = {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Shown on terminals that show colours. */
  readonly paint?: (row: Row) => Paint | null;
  readonly isRight?: boolean;
};

const GAP = "  ";
/** No column gets narrower than this so that others fit. */
const COLUMN_MIN = 8;
/**
 * @param columnsMax columns of the terminal; null where the table may be as wide as it is.
 * @returns lines, the last one ended too; texts are made plain here.
 */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  columnsMax: number | null = process.stdout.isTTY ? (process.stdout.columns ?? null) : null,
): string {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ text }) => plain(text(row))));
  const natural = columns.map((_, at) =>
    [titles, ...cells].reduce((max, line) => Math.max(max, widthOf(line[at] ?? "")), 0),
  );
  const widths = columnsMax === null ? natural : fitted(natural, columnsMax);
  const cut = cells.map((line) => line.map((text, at) => cutTo(text, widths[at] ?? COLUMN_MIN)));
  const lines = [titles, ...cut];
  const room = columns.map((_, at) => Math.max(...lines.map((line) => widthOf(line[at] ?? ""))));
  const laidOut = lines.map((line, row) =>
    line.map((text, at) => {
      const paint = row === 0 ? "bold" : paintOf(columns[at], rows[row - 1]);
      const blanks = " ".repeat((room[at] ?? 0) - widthOf(text));
      return columns[at]?.isRight ? blanks + painted(paint, text) : painted(paint, text) + blanks;
    }),
  );
  return laidOut.map((line) => `${withoutEnd(line.join(GAP), " ")}\n`).join("");
}

function paintOf<Row>(column: Column<Row> | undefined, row: Row | undefined): Paint | null {
  return row === undefined ? null : (column?.paint?.(row) ?? null);
}

/** Adds color when standard output is a terminal and NO_COLOR is not set. */
export function painted(paint: Paint | null, text: string): string {
  return paint === null || text === "" ? text : styleText(paint, text, { stream: process.stdout });
}

/** The widest columns give way first, one by one, down to `COLUMN_MIN`. */
function fitted(natural: readonly number[], columnsMax: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columnsMax;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= COLUMN_MIN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
