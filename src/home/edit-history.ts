/** The edits of the last year, as far as the limits allow: what was edited, by whom, and the records before and after. */

import type { Cause } from "./cause.ts";
import type { EditEntry } from "./change.ts";
import { type ThingEdit, thingKey } from "./edit.ts";
import { noteId } from "./highest-ids.ts";
import { MOVE_IN_STEP } from "./without-device.ts";

export type EditRecord = {
  /** Number of the edit's entry in the journal. */
  readonly seq: number;
  readonly atMs: number;
  readonly cause: Cause;
  readonly title: string;
  readonly undoes: number | null;
  /** Keys of the things that it touched, by `thingKey`. */
  readonly touched: readonly string[];
  /** The things as JSON text, which takes a third of the memory. */
  readonly body: string;
};

/** The part of the home that holds them, oldest first. */
type EditsTable = { readonly edits: Map<number, EditRecord> };
type EditedHome = EditsTable & { isMovedIn: boolean; readonly highestIds: Map<string, number> };

export function rememberEdit(home: EditedHome, { seq, atMs, cause, edit }: EditEntry): void {
  const { title, undoes, things, forgets } = edit;
  for (const old of forgets) home.edits.delete(old);
  addEdit(home, { seq, atMs, cause, title, undoes, touched: things.map(thingKey), body: JSON.stringify(things) });
}

export function addEdit(home: EditedHome, record: EditRecord): void {
  home.edits.set(record.seq, record);
  for (const key of record.touched) noteId(home, key);
  if (record.title.startsWith(MOVE_IN_STEP)) home.isMovedIn = true;
}

export function thingsOf({ body }: EditRecord): readonly ThingEdit[] {
  return JSON.parse(body);
}

/** Numbers of the undone edits, each with the number of the edit that undid it and is not undone itself. */
export function undoneEdits(home: EditsTable): ReadonlyMap<number, number> {
  const undone = new Map<number, number>();
  for (const { seq, undoes } of [...home.edits.values()].reverse()) {
    if (undoes !== null && !undone.has(seq)) undone.set(undoes, seq);
  }
  return undone;
}
