/**
 * The way of a home from the controller that it was copied from to this one. Its programs wait until the end; meanwhile
 * integrations take the nodes over that a simulation plays. Every step is one edit, so each can be taken back.
 *
 * @see docs/moving-in.md
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import { type EditRecord, undoneEdits } from "../home/edit-history.ts";
import { findThing } from "../home/editable.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import { applyEdit, type EditPorts, editHome } from "./edit-home.ts";
import type { NodeEditPorts } from "./edit-nodes.ts";
import { queryInBackground } from "./query-node.ts";
import { undoEdit } from "./undo-edit.ts";

/** Edits of a move are known by how their titles begin. */
const STEP = "Move-in:";
const HOLD = `${STEP} the programs wait until it is finished`;
/** The end of the move takes the wait back. */
const FINISH = `Undo: ${HOLD}`;

export type MoveInNode = {
  readonly node: Node;
  /** Integrations that have declared a device under its address and could take it over. */
  readonly offeredBy: readonly string[];
};

/** The nodes that are played still, each with who could take it over. */
export function playedNodes({ home, drivers }: Pick<NodeEditPorts, "home" | "drivers">): readonly MoveInNode[] {
  const simulations = new Set(drivers.list().flatMap(({ driver }) => (driver.mirror ? [driver.name] : [])));
  const others = drivers.list().filter(({ driver }) => !driver.mirror);
  return [...home.nodes.values()]
    .filter(({ driver }) => simulations.has(driver))
    .map((node) => ({
      node,
      offeredBy: others.map(({ driver }) => driver.name).filter((name) => drivers.declared(name).has(node.address)),
    }));
}

/** Steps that stand, the oldest first. */
export function moveInSteps(home: Home): readonly EditRecord[] {
  const undone = undoneEdits(home);
  return [...home.edits.values()].filter(
    ({ seq, title }) => (title.startsWith(STEP) || title === FINISH) && !undone.has(seq),
  );
}

/** The edit that made the programs wait; null where there is none, or it was taken back. */
export function heldPrograms(home: Home): EditRecord | null {
  return moveInSteps(home).find(({ title }) => title === HOLD) ?? null;
}

/** Does nothing where they wait already. @throws ControllerError STORE_UNAVAILABLE */
export async function holdPrograms(ports: EditPorts, cause: Cause): Promise<void> {
  const { home } = ports;
  if (heldPrograms(home)) return;
  const things = [...home.programs.values()].flatMap((entry): ThingEdit[] =>
    entry.kind === "program" && entry.enabled
      ? [{ kind: "program", key: String(entry.id), before: entry, after: { ...entry, enabled: false } }]
      : [],
  );
  await editHome(ports, { title: HOLD, things }, cause);
}

/** Ends the move: the programs that ran at the other controller run here. @throws ControllerError CONFLICT, UNDO_REFUSED */
export function finishMoveIn(ports: NodeEditPorts, cause: Cause): Promise<EditRecord> {
  const held = heldPrograms(ports.home);
  if (!held) throw new ControllerError("CONFLICT", { sentence: "No programs wait for the end of a move." });
  return undoEdit(ports, held.seq, cause);
}

/**
 * The integration drives its devices from now on. Their names, places, scenes and programs stay.
 *
 * @returns the number of the edit, and the addresses
 * @throws ControllerError CONFLICT when it offers nothing; STORE_UNAVAILABLE
 */
export async function takeNodes(
  ports: NodeEditPorts,
  integration: string,
  cause: Cause,
): Promise<{ readonly edit: number; readonly addresses: readonly string[] }> {
  const { home, drivers, durability } = ports;
  const things = playedNodes(ports).flatMap(({ node, offeredBy }): ThingEdit[] => {
    const spec = drivers.declared(integration).get(node.address);
    const before = findThing(home, "node", node.address);
    if (!spec || !before || !offeredBy.includes(integration)) return [];
    const { nodeDefId, family, instance, type, primary, devtype } = spec;
    const device = { nodeDefId, family, instance, type, primary, devtype, driver: integration };
    return [{ kind: "node", key: node.address, before, after: { ...before, ...device } }];
  });
  const addresses = things.map(({ key }) => key);
  const count = addresses.length === 1 ? "1 node" : `${addresses.length} nodes`;
  const edit = applyEdit(ports, { title: `${STEP} ${integration} takes ${count} over`, things }, cause);
  if (edit === null) {
    throw new ControllerError("CONFLICT", {
      sentence: `The integration ${integration} has no device under the address of a node that is still played.`,
    });
  }
  for (const address of addresses) if (home.nodes.get(address)?.enabled) queryInBackground(ports, address, cause);
  await durability.committed(edit);
  return { edit, addresses };
}
