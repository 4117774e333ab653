/** `domovoi history`, `domovoi undo`: lists edits and undoes them. */

import type { ControllerSession, EditDetail, EditedThing, EditSummary, Edits, Home } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome, withSession } from "../connection/with-home.ts";
import { homeZone } from "../home/home-zone.ts";
import { printJson, printList } from "../home/list.ts";
import { lineDiff } from "../line-diff.ts";
import { type Done, done, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import type { Column } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import { readNumber } from "./edit-output.ts";
import { doomedOf } from "./tree.ts";

const columnsIn = (timeZone: string | undefined): readonly Column<EditSummary>[] => [
  { title: "EDIT", text: ({ edit }) => String(edit), isRight: true },
  { title: "WHEN", text: ({ at }) => readableTime(at, timeZone) },
  { title: "WHO", text: ({ by }) => by ?? "" },
  { title: "WHAT", text: ({ title }) => title },
  { title: "UNDONE BY", text: ({ undoneBy }) => (undoneBy === null ? "" : String(undoneBy)), isRight: true },
];

type HistoryOptions = ConnectionOptions & { readonly limit?: string; readonly of?: string };

/** @param edit its number: shows the changes of this edit */
export function showHistory(edit: string | undefined, options: HistoryOptions): Promise<void> {
  if (edit !== undefined) {
    return withSession(options, async (session) =>
      showEdit(await session.edits.edit(numberOf(edit)), options, await homeZone(session, options)),
    );
  }
  const { limit, of } = options;
  const show = async (edits: Edits, key: object) => {
    const found = await edits.history({
      ...(limit === undefined ? {} : { limit: readNumber(limit, "--limit") }),
      ...key,
    });
    printList(found, options, "Nothing was edited.", columnsIn(await homeZone({ edits }, options)));
  };
  if (of === undefined) return withSession(options, ({ edits }) => show(edits, {}));
  return withHome(options, { stream: "off" }, (home) => show(home.edits, { of: keyOf(home, of) }));
}

/** @param written kind and name: `program Lock Up`. @throws CommandFailure */
function keyOf(home: Home, written: string): string {
  const [kind = "", ...name] = written.split(" ");
  if (name.length === 0) throw usageFailure(`--of names a kind and a thing: 'program Lock Up'.`);
  const { used, key } = doomedOf(home, kind, name.join(" "));
  return `${used} ${used === "program" ? Number.parseInt(key, 16) : key}`;
}

/** @param edit its number; absent: the latest edit that is not undone */
export async function undo({ edits }: ControllerSession, edit: string | undefined): Promise<Done> {
  const made = await edits.undo(edit === undefined ? undefined : numberOf(edit));
  return done(`${made.title} (edit ${made.edit}).`, made);
}

function numberOf(written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw usageFailure(`"${written}" is not the number of an edit. "domovoi history" lists the numbers.`);
}

function showEdit(detail: EditDetail, options: HistoryOptions, timeZone: string | undefined): void {
  if (options.json) {
    printJson(detail);
    return;
  }
  const { title, at, by, obstacle, undoneBy, edit } = detail;
  const lines = [
    title,
    `  ${readableTime(at, timeZone)}${by === null ? "" : `, ${by}`}`,
    ...detail.things.flatMap(thingLines),
    undoneBy !== null ? `  Undone by the edit ${undoneBy}.` : "",
    undoneBy === null ? `  ${obstacle ?? `"domovoi undo ${edit}" undoes it.`}` : "",
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
