/**
 * The way of a home from the controller that it was copied from to this one. Its programs wait until the end; meanwhile
 * integrations take the nodes over that a simulation plays. Every step is one edit, so each can be taken back.
 *
 * @see docs/moving-in.md
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { type ThingEdit, thingKey } from "../home/edit.ts";
import { type EditRecord, undoneEdits } from "../home/edit-history.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import { MOVE_IN_STEP } from "../home/without-device.ts";
import { applyEdit, changed, type EditPorts, editHome } from "./edit-home.ts";
import type { NodeEditPorts } from "./edit-nodes.ts";
import type { CommandPorts } from "./ports.ts";
import { queryInBackground } from "./query-node.ts";
import { replacementEdits, replacementOf, requireFit } from "./replace-node.ts";
import { latestUndoable, undoEdit } from "./undo-edit.ts";

const HOLD = `${MOVE_IN_STEP} the programs wait until it is finished`;
/** The end of the move takes the wait back. */
const FINISH = `Undo: ${HOLD}`;

type MoveInPorts = NodeEditPorts & Pick<CommandPorts, "profile">;

type MoveInNode = {
  readonly node: Node;
  /** Integrations that have a device of the same kind under its address and could take it over. */
  readonly offeredBy: readonly string[];
};

/** The nodes that are played still, each with who could take it over. */
export function playedNodes({ home, drivers }: Pick<NodeEditPorts, "home" | "drivers">): readonly MoveInNode[] {
  const simulations = new Set(drivers.list().flatMap(({ name, driver }) => (driver?.simulation?.mirror ? [name] : [])));
  const integrations = drivers.list().map(({ name }) => name);
  return [...home.nodes.values()]
    .filter(({ driver }) => simulations.has(driver))
    .map((node) => ({
      node,
      offeredBy: integrations.filter((name) => isSameKind(node, drivers.declared(name).get(node.address))),
    }));
}

/** Steps that stand, the oldest first. */
export function moveInSteps(home: Home): readonly EditRecord[] {
  const undone = undoneEdits(home);
  return [...home.edits.values()].filter(
    ({ seq, title }) => (title.startsWith(MOVE_IN_STEP) || title === FINISH) && !undone.has(seq),
  );
}

/** The edit that made the programs wait; null without one, or after it was undone. */
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
export async function finishMoveIn(ports: NodeEditPorts, cause: Cause): Promise<EditRecord> {
  const held = heldPrograms(ports.home);
  if (!held) throw new ControllerError("CONFLICT", "No programs wait for the end of a move.");
  return undoEdit(ports, held.seq, cause);
}

/**
 * Undoes an edit for an owner. The steps of a move are undone one after the other, the last one first, and never as "the
 * latest edit": that would give nodes back to the simulation without a word.
 *
 * @param seq null = the latest edit that is not undone.
 * @throws ControllerError EDIT_NOT_FOUND; UNDO_REFUSED; STORE_UNAVAILABLE
 */
export async function undoForOwner(ports: NodeEditPorts, seq: number | null, cause: Cause): Promise<EditRecord> {
  const { home } = ports;
  const steps = moveInSteps(home);
  const last = steps.at(-1)?.seq ?? 0;
  if (seq === null && last > 0 && (latestUndoable(home)?.seq ?? 0) <= last)
    throw new ControllerError(
      "UNDO_REFUSED",
      'The latest edit is a step of the move. "domovoi move-in undo" undoes the last step.',
    );
  if (seq !== null && seq !== last && steps.some((step) => step.seq === seq))
    throw new ControllerError(
      "UNDO_REFUSED",
      'A later step of the move stands. "domovoi move-in undo" undoes the steps one after the other, the last one first.',
    );
  return undoEdit(ports, seq, cause);
}

type TakeRequest = {
  /** First node of the old device to first node of the device that takes its place. null: every node by its own address. */
  readonly mapping: ReadonlyMap<string, string> | null;
  /** Also where a new device cannot do all that the old one did in scenes and programs. */
  readonly isForced: boolean;
};

/**
 * The integration drives its devices from now on. Names, places, scenes and programs stay; with a mapping they go to the new
 * address, and the old one is gone.
 *
 * @returns the number of the edit, and the addresses that the integration drives now
 * @throws ControllerError CONFLICT when it offers nothing, or a device does not fit; BAD_REQUEST, NODE_NOT_FOUND for a mapping
 *   that cannot be; STORE_UNAVAILABLE
 */
export async function takeNodes(
  ports: MoveInPorts,
  integration: string,
  { mapping, isForced }: TakeRequest,
  cause: Cause,
): Promise<{ readonly edit: number; readonly addresses: readonly string[] }> {
  const { home, durability } = ports;
  const devices = declaredDevices(ports, integration);
  const { things, addresses } = mapping
    ? mappedEdits(ports, integration, devices, mapping, isForced)
    : ownEdits(ports, integration, devices);
  const count = addresses.length === 1 ? "1 node" : `${addresses.length} nodes`;
  const how = mapping ? " by a mapping" : "";
  const edit = applyEdit(ports, { title: `${MOVE_IN_STEP} ${integration} takes ${count} over${how}`, things }, cause);
  if (edit === null) {
    throw new ControllerError(
      "CONFLICT",
      `The integration ${integration} has no device under the address of a node that is still simulated.`,
    );
  }
  for (const address of addresses) if (home.nodes.get(address)?.enabled) queryInBackground(ports, address, cause);
  await durability.committed(edit);
  return { edit, addresses };
}

type Device = Pick<Node, "nodeDefId" | "family" | "instance" | "type" | "primary" | "devtype" | "driver">;
type Taken = { readonly things: readonly ThingEdit[]; readonly addresses: readonly string[] };

/** The integration's description of its devices, by address. */
function declaredDevices({ drivers }: MoveInPorts, integration: string): ReadonlyMap<string, Device> {
  const specs = [...drivers.declared(integration).values()];
  return new Map(
    specs.map(({ address, nodeDefId, family, instance, type, primary, devtype }) => [
      address,
      { nodeDefId, family, instance, type, primary, devtype, driver: integration },
    ]),
  );
}

function ownEdits(ports: MoveInPorts, integration: string, devices: ReadonlyMap<string, Device>): Taken {
  const things = playedNodes(ports)
    .filter(({ offeredBy }) => offeredBy.includes(integration))
    .map(({ node: { address } }) => changed(ports, "node", address, devices.get(address) ?? {}));
  return { things, addresses: things.map(({ key }) => key) };
}

function mappedEdits(
  ports: MoveInPorts,
  integration: string,
  devices: ReadonlyMap<string, Device>,
  mapping: ReadonlyMap<string, string>,
  isForced: boolean,
): Taken {
  const { home } = ports;
  checkMapping(ports, integration, devices, mapping);
  const nodes = new Map(home.nodes);
  for (const [address, device] of devices) {
    const node = nodes.get(address);
    if (node) nodes.set(address, { ...node, ...device });
  }
  // The home as if the integration drove all of its devices: what they can do decides what fits.
  const after = { ...ports, home: Object.create(home, { nodes: { value: nodes } }) as Home };
  const replacements = Array.from(mapping, ([old, by]) => replacementOf(ports, old, by, after));
  if (!isForced) requireFit(replacements.flatMap(({ misfits }) => misfits));
  const addresses = new Map(replacements.flatMap((replacement) => [...replacement.addresses]));
  const things = replacementEdits(ports, { addresses }, after, (address) => devices.get(address));
  return { things, addresses: [...addresses.values()] };
}

/** @throws ControllerError BAD_REQUEST for a mapping that would lose a node */
function checkMapping(
  ports: MoveInPorts,
  integration: string,
  devices: ReadonlyMap<string, Device>,
  mapping: ReadonlyMap<string, string>,
): void {
  const played = new Set(playedNodes(ports).map(({ node }) => node.address));
  const refuse = (sentence: string) => new ControllerError("BAD_REQUEST", sentence);
  if (mapping.size === 0) throw refuse("The mapping is empty.");
  if (new Set(mapping.values()).size < mapping.size) throw refuse("The mapping names a new device twice.");
  for (const [old, by] of mapping) {
    if (!played.has(old)) throw refuse(`"${old}" is not the address of a node that is still simulated.`);
    if (!devices.has(by)) throw refuse(`The integration ${integration} has no device under the address "${by}".`);
    if (!played.has(by) || mapping.has(by)) continue;
    const name = ports.home.nodes.get(by)?.name ?? "";
    throw refuse(
      `"${by}" is also the address of the node "${name}", which is still simulated. Map that node too, in the same step.`,
    );
  }
}

type Suggestion = { readonly integration: string; readonly address: string };

/** For played devices that no integration has under their address: the one device that has the same name or the same type. */
export function suggestDevices(ports: MoveInPorts): ReadonlyMap<string, Suggestion> {
  const { home, drivers } = ports;
  const played = new Map(playedNodes(ports).map((each) => [each.node.address, each]));
  const used = new Set(moveInSteps(home).flatMap(({ touched }) => touched));
  const candidates = drivers
    .list()
    .flatMap(({ name }) => [...declaredDevices(ports, name)])
    .flatMap(([address, device]) => {
      const node = home.nodes.get(address);
      if (!node || device.primary !== address || used.has(thingKey({ kind: "node", key: address }))) return [];
      if (node.driver === device.driver) return [{ address, name: node.name, ...device }];
      // A played node of another kind has this address by chance, so its name says nothing of the device.
      return played.has(address) && !isSameKind(node, device) ? [{ address, name: "", ...device }] : [];
    });
  const old = [...played.values()].flatMap(({ node, offeredBy }) =>
    offeredBy.length === 0 && node.primary === node.address ? [node] : [],
  );
  const suggestions = new Map<string, Suggestion>();
  for (const keyOf of [nameKey, typeKey]) {
    const free = candidates.filter(
      ({ address }) => ![...suggestions.values()].some((each) => each.address === address),
    );
    for (const node of old.filter(({ address }) => !suggestions.has(address))) {
      const [match, ...others] = free.filter((each) => keyOf(each) === keyOf(node));
      const isAlone = others.length === 0 && old.filter((each) => keyOf(each) === keyOf(node)).length === 1;
      if (match && isAlone) suggestions.set(node.address, { integration: match.driver, address: match.address });
    }
  }
  return suggestions;
}

const nameKey = ({ name }: Pick<Node, "name">) => name.trim().toLowerCase();
const typeKey = ({ family, type, devtype }: Pick<Node, "family" | "type" | "devtype">) =>
  `${family} ${devtype ? productOf(devtype) : type.split(".").slice(0, 2).join(".")}`;

/** Radio devices name their product. Where either does not, the address decides. */
function isSameKind(node: Pick<Node, "devtype">, device: Pick<Node, "devtype"> | undefined): boolean {
  if (!device) return false;
  return !node.devtype || !device.devtype || productOf(node.devtype) === productOf(device.devtype);
}

function productOf({ generic, manufacturer }: NonNullable<Node["devtype"]>): string {
  return `${generic} ${manufacturer}`;
}
