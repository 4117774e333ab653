/**
 * The one way in which the configuration is edited: a list of things with their records before and after is checked as a
 * whole, applied as a whole, journaled as one entry, and acknowledged when it is on disk.
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import type { EditedNode, ThingEdit, ThingKind, Things } from "../home/edit.ts";
import { changesOf, findThing } from "../home/editable.ts";
import { DAY_MS } from "../util/clock.ts";
import { checkEdit } from "./check-edit.ts";
import type { CommandPorts } from "./ports.ts";

export type EditPorts = Pick<CommandPorts, "home" | "feed" | "durability" | "config" | "clock">;

type PlannedEdit = {
  readonly title: string;
  readonly things: readonly ThingEdit[];
  /** Number of the edit that it takes back. */
  readonly undoes?: number;
  /** Published when the edit changes nothing: clients wait for the frame. */
  readonly otherwise?: Change;
};

/**
 * @returns the number of the edit; null when nothing would be different, which is no edit.
 * @throws ControllerError BAD_REQUEST, FOLDER_NOT_EMPTY, LIMIT_REACHED or NODE_NOT_FOUND for a home that would not be whole;
 * STORE_UNAVAILABLE
 */
export async function editHome(ports: EditPorts, planned: PlannedEdit, cause: Cause): Promise<number | null> {
  const seq = applyEdit(ports, planned, cause);
  const published = seq ?? (planned.otherwise ? ports.feed.commit(planned.otherwise, cause).seq : null);
  if (published !== null) await ports.durability.committed(published);
  return seq;
}

/** Like `editHome`, without waiting for the disk. */
export function applyEdit(
  { home, feed, config, clock }: Omit<EditPorts, "durability">,
  planned: PlannedEdit,
  cause: Cause,
): number | null {
  const things = planned.things.filter((thing) => changesOf(thing).length > 0);
  if (things.length === 0) return null;
  checkEdit(home, config, things);
  const forgets = outdated({ home, config, clock });
  return feed.commitEdit({ title: planned.title, undoes: planned.undoes ?? null, things, forgets }, cause).seq;
}

/** A thing with some members changed. @throws ControllerError NODE_NOT_FOUND when there is no such thing. */
export function changed<K extends ThingKind>(
  { home }: Pick<EditPorts, "home">,
  kind: K,
  key: string,
  patch: Partial<Things[K]>,
): ThingEdit {
  const before = findThing(home, kind, key);
  if (!before) throw new ControllerError("NODE_NOT_FOUND");
  return { kind, key, before, after: { ...before, ...patch } } as ThingEdit;
}

export function created<K extends ThingKind>(kind: K, key: string, record: Things[K]): ThingEdit {
  return { kind, key, before: null, after: record } as ThingEdit;
}

/** A node takes its last values along. @throws ControllerError NODE_NOT_FOUND */
export function removed<K extends ThingKind>({ home }: Pick<EditPorts, "home">, kind: K, key: string): ThingEdit {
  const before = findThing(home, kind, key);
  if (!before) throw new ControllerError("NODE_NOT_FOUND");
  const values = kind === "node" ? { properties: [...(home.nodes.get(key)?.properties.values() ?? [])] } : {};
  return { kind, key, before: { ...before, ...values } satisfies Things[K] | EditedNode, after: null } as ThingEdit;
}

/** Edits that are too old, or that make the history too large with one more. */
function outdated({ home, config, clock }: Pick<EditPorts, "home" | "config" | "clock">): readonly number[] {
  const sinceMs = clock.now() - config.editDaysMax * DAY_MS;
  let count = home.edits.size;
  let chars = 0;
  for (const { body } of home.edits.values()) chars += body.length;
  const forgets: number[] = [];
  for (const { seq, atMs, body } of home.edits.values()) {
    if (count < config.editsMax && chars <= config.editCharsMax && atMs >= sinceMs) break;
    forgets.push(seq);
    count -= 1;
    chars -= body.length;
  }
  return forgets;
}
