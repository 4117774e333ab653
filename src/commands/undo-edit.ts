/** Takes an edit back: every thing gets the record that it had before, where nothing has touched it since. */

import { ControllerError, refusalOf } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { type ThingEdit, type Things, thingKey } from "../home/edit.ts";
import { type EditRecord, thingsOf, undoneEdits } from "../home/edit-history.ts";
import { differingFields, differingOwnFields, findThing, thingWords } from "../home/editable.ts";
import type { Home } from "../home/home.ts";
import type { ProgramEntry } from "../home/programs.ts";
import { checkEdit } from "./check-edit.ts";
import { applyEdit } from "./edit-home.ts";
import { type NodeEditPorts, queryEnabled } from "./edit-nodes.ts";
import { blockingUses } from "./where-used.ts";

/**
 * @param seq null = the latest edit that is not undone and undoes nothing itself.
 * @returns the edit that undid it.
 * @throws ControllerError EDIT_NOT_FOUND; UNDO_REFUSED with the reasons; STORE_UNAVAILABLE
 */
export async function undoEdit(ports: NodeEditPorts, seq: number | null, cause: Cause): Promise<EditRecord> {
  const { home, durability } = ports;
  const edit = seq === null ? latestUndoable(home) : home.edits.get(seq);
  if (!edit) throw new ControllerError("EDIT_NOT_FOUND", seq === null ? "There is no edit to undo." : {});
  const things = wayBack(ports, edit);
  const made = applyEdit(ports, { title: undoTitle(edit), things, undoes: edit.seq }, cause);
  const record = made === null ? undefined : home.edits.get(made);
  if (!record) throw refused("Nothing would be different.");
  queryEnabled(ports, things, cause);
  await durability.committed(record.seq);
  return record;
}

/** The undo of an undo does the edit again. */
function undoTitle({ title, undoes }: EditRecord): string {
  const [, verb, what] = /^(Undo|Redo): (.*)$/s.exec(title) ?? [];
  if (undoes === null || what === undefined) return `Undo: ${title}`;
  return `${verb === "Undo" ? "Redo" : "Undo"}: ${what}`;
}

/** Why the edit cannot be taken back, as a sentence; null when it can. */
export function obstacleTo(ports: Pick<NodeEditPorts, "home" | "config" | "feed">, edit: EditRecord): string | null {
  return refusalOf(() => wayBack(ports, edit))?.message ?? null;
}

/** The latest edit that is not undone and undoes nothing itself. */
export function latestUndoable(home: Home): EditRecord | null {
  const undone = undoneEdits(home);
  return [...home.edits.values()].reverse().find(({ seq, undoes }) => undoes === null && !undone.has(seq)) ?? null;
}

type WayBackPorts = Pick<NodeEditPorts, "home" | "config" | "feed">;

/** The last thing first. @throws ControllerError UNDO_REFUSED */
function wayBack({ home, config, feed }: WayBackPorts, edit: EditRecord): readonly ThingEdit[] {
  const done = undoneEdits(home).get(edit.seq);
  if (done !== undefined) throw refused(`The edit ${edit.seq} was already undone by the edit ${done}.`);
  const things = thingsOf(edit)
    .toReversed()
    .map((thing) => undoneThing(home, edit, thing, feed.lastSeq + 1));
  const byKey = new Map(things.map((thing) => [thingKey(thing), thing]));
  for (const thing of things) requireUnused(home, thing, byKey);
  try {
    checkEdit(home, config, things);
  } catch (error) {
    throw error instanceof ControllerError ? refused(error.message, error) : error;
  }
  return things;
}

function undoneThing(home: Home, edit: EditRecord, thing: ThingEdit, version: number): ThingEdit {
  const { kind, key, before, after } = thing;
  const now = findThing(home, kind, key);
  if (!after) {
    if (now) throw refused(`There is a ${thingWords(kind, now)} in its place.`);
    return { kind, key, before: null, after: before && restored(kind, before, version) } as ThingEdit;
  }
  if (!now) throw refused(`The ${thingWords(kind, after)} was removed since.${laterEdit(home, edit, thing)}`);
  if (!before) {
    if (differingOwnFields(kind, now, after).length > 0) throw changedSince(home, edit, thing, now);
    return { kind, key, before: now, after: null } as ThingEdit;
  }
  const fields = differingFields(kind, before, after);
  if (differingOwnFields(kind, now, after).some((field) => fields.includes(field)))
    throw changedSince(home, edit, thing, now);
  return { kind, key, before: now, after: withFields(now, before, fields) } as ThingEdit;
}

/** @param version one that no earlier program of this id can have had. */
function restored(kind: ThingEdit["kind"], record: Things[ThingEdit["kind"]], version: number): object {
  if (kind !== "program") return record;
  const program = record as ProgramEntry;
  const idle = program.kind === "program" ? { running: "idle" as const } : {};
  return { ...program, ...idle, nextRunAtMs: null, version };
}

/** A member that the earlier record leaves out is left out again. */
function withFields(now: object, before: object, fields: readonly string[]): object {
  const kept = Object.entries(now).filter(([name]) => !fields.includes(name));
  const old = Object.entries(before).filter(([name]) => fields.includes(name));
  return Object.fromEntries([...kept, ...old]);
}

/** For a thing that the undo removes. Uses by things that the same undo sets back end with it. */
function requireUnused(home: Home, thing: ThingEdit, things: ReadonlyMap<string, ThingEdit>): void {
  const { kind, key, before, after } = thing;
  if (kind === "controller" || !before || after) return;
  const use = blockingUses(home, kind, key).find((each) => !things.has(thingKey(each)));
  if (use) throw refused(`The ${thingWords(kind, before)} is in use by now: it ${use.text}.`);
}

function changedSince(home: Home, edit: EditRecord, thing: ThingEdit, now: Things[ThingEdit["kind"]]): ControllerError {
  return refused(`The ${thingWords(thing.kind, now)} was changed since.${laterEdit(home, edit, thing)}`);
}

/** The first later edit of the thing that is not undone. */
function laterEdit(home: Home, { seq }: EditRecord, thing: ThingEdit): string {
  const undone = undoneEdits(home);
  for (const later of home.edits.values()) {
    if (later.seq <= seq || !later.touched.includes(thingKey(thing)) || undone.has(later.seq)) continue;
    return ` Take back the edit ${later.seq} first: ${later.title}.`;
  }
  return "";
}

function refused(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("UNDO_REFUSED", { sentence, cause });
}
