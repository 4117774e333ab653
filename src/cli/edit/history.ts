/** `domovoi history`, `domovoi undo`: what was edited, by whom, and the way back. */

import type { EditDetail, EditedThing, EditSummary } from "@domovoi/client";
import { withSession } from "../connection/with-home.ts";
import { printJson, printList } from "../home/list.ts";
import { lineDiff } from "../line-diff.ts";
import { usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import type { Column } from "../show/table.ts";
import { localTime } from "../show/time.ts";
import { type EditOptions, readNumber, say } from "./said.ts";

const COLUMNS: readonly Column<EditSummary>[] = [
  { title: "EDIT", text: ({ edit }) => String(edit), isRight: true },
  { title: "WHEN", text: ({ at }) => localTime(at) },
  { title: "WHO", text: ({ by }) => by ?? "" },
  { title: "WHAT", text: ({ title }) => title },
  { title: "UNDONE BY", text: ({ undoneBy }) => (undoneBy === null ? "" : String(undoneBy)), isRight: true },
];

export type HistoryOptions = EditOptions & { readonly limit?: string; readonly of?: string };

/** @param edit its number: that one edit, with what was different */
export function showHistory(edit: string | undefined, options: HistoryOptions): Promise<void> {
  return withSession(options, async ({ edits }) => {
    if (edit !== undefined) return showEdit(await edits.edit(numberOf(edit)), options);
    const { limit, of } = options;
    const query = { ...(limit === undefined ? {} : { limit: readNumber(limit, "--limit") }), ...(of && { of }) };
    const found = await edits.history(query);
    if (found.length === 0 && !options.json) say(options, "Nothing was edited.", {});
    else printList(found, COLUMNS, (each) => each, options, "Nothing was edited.");
  });
}

/** @param edit its number; absent: the latest edit that is not undone */
export function undo(edit: string | undefined, options: EditOptions): Promise<void> {
  return withSession(options, async ({ edits }) => {
    const made = await edits.undo(edit === undefined ? undefined : numberOf(edit));
    say(options, `${made.title} (edit ${made.edit}).`, made);
  });
}

function numberOf(written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw usageFailure(`"${written}" is no number of an edit. "domovoi history" lists them.`);
}

function showEdit(detail: EditDetail, options: HistoryOptions): void {
  if (options.json) {
    printJson(detail);
    return;
  }
  const { title, at, by, obstacle, undoneBy, edit } = detail;
  const lines = [
    title,
    `  ${localTime(at)}${by === null ? "" : `, ${by}`}`,
    ...detail.things.flatMap(thingLines),
    undoneBy !== null ? `  Taken back by the edit ${undoneBy}.` : "",
    undoneBy === null ? `  ${obstacle ?? `"domovoi undo ${edit}" takes it back.`}` : "",
  ];
  for (const line of lines) if (line !== "") process.stdout.write(`${plain(line)}\n`);
}

function thingLines({ kind, key, before, after }: EditedThing): readonly string[] {
  const head = `  ${kind} ${key}${before === null ? ", new" : after === null ? ", removed" : ""}`;
  return [head, ...lineDiff(textOf(before), textOf(after)).map((line) => `    ${line}`)];
}

function textOf(record: EditedThing["before"]): string {
  if (record === null || typeof record === "string") return record ?? "";
  return Object.entries(record)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}
