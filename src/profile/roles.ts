/**
 * What a node is, for a person: a lamp, a lock, a leak sensor. Rights, the page and the API read it here. The table of
 * `roles-table.ts` decides, by definitions and types, never by names that an owner gave.
 *
 * @see docs/interface/nodes.md
 */

import { familyOf, WIRED } from "../families.ts";
import type { NodeRecord } from "../home/nodes.ts";
import { nodeDefIdOfType, productRole } from "./builtin/wired-products-table.ts";
import type { Profile } from "./profile.ts";
import { type NodeRole, ROLE_ROWS, type RoleFacts } from "./roles-table.ts";

type RoleNode = Pick<NodeRecord, "address" | "nodeDefId" | "family" | "instance" | "type" | "devtype">;
type KnownNode = RoleNode & { readonly role?: NodeRole | undefined };

const SECURED_ROLES: ReadonlySet<NodeRole> = new Set(["lock", "garage-door", "siren", "alarm", "alert"]);

type Decision = { readonly role: NodeRole; readonly isSecured: boolean };
type Decisions = { readonly profileVersion: number; readonly byFacts: Map<string, Decision> };

/** A memo, not state: by what decides, for the current definitions. Many nodes are of one kind. */
const DECISIONS = new WeakMap<Profile, Decisions>();

/** The role that is stored with the node; without one, that of its definition. */
export function roleOf(profile: Profile, node: KnownNode): NodeRole {
  return node.role ?? decisionOf(profile, node).role;
}

/** The role by its definition: the first row that fits. A definition that is missing says nothing, so the stored role stays. */
export function roleByDefinition(profile: Profile, node: KnownNode): NodeRole {
  const { nodeDefId, family, instance, role } = node;
  const isDefined = profile.nodedef(nodeDefId, family, instance) !== null;
  return isDefined || role === undefined ? decisionOf(profile, node).role : role;
}

/** Whether commanding it needs more than the right to command: locks, garage doors, sirens, alarms and alerts. */
export function isSecured(profile: Profile, node: RoleNode): boolean {
  return decisionOf(profile, node).isSecured;
}

export function roleOfFacts(facts: RoleFacts): NodeRole {
  return ROLE_ROWS.find(([, fits]) => fits(facts))?.[0] ?? "other";
}

/** A node that moves and whose status cannot be read may be a garage door. */
export function isSecuredByFacts(facts: RoleFacts): boolean {
  return SECURED_ROLES.has(roleOfFacts(facts)) || mayBeBarrier(facts);
}

function decisionOf(profile: Profile, node: RoleNode): Decision {
  const { byFacts } = decisionsOf(profile);
  const { nodeDefId, family, instance, type, devtype } = node;
  const key = [family, instance, nodeDefId, type, devtype?.generic, devtype?.category, suffixOf(node)].join("|");
  const known = byFacts.get(key);
  if (known) return known;
  const facts = factsOf(profile, node);
  const made = { role: roleOfFacts(facts), isSecured: isSecuredByFacts(facts) };
  byFacts.set(key, made);
  return made;
}

function decisionsOf(profile: Profile): Decisions {
  const known = DECISIONS.get(profile);
  if (known?.profileVersion === profile.version) return known;
  const made = { profileVersion: profile.version, byFacts: new Map<string, Decision>() };
  DECISIONS.set(profile, made);
  return made;
}

/** The last part of a wired address: which of the device's nodes it is. */
function suffixOf({ family, address }: RoleNode): string | null {
  return family === WIRED.id ? (address.split(" ").at(-1) ?? "") : null;
}

function factsOf(profile: Profile, node: RoleNode): RoleFacts {
  const { nodeDefId, family, instance, type, devtype } = node;
  const suffix = suffixOf(node);
  const ofType = suffix === null ? null : nodeDefIdOfType(type, suffix);
  return {
    nodedef:
      profile.nodedef(nodeDefId, family, instance) ??
      (ofType === null ? null : profile.nodedef(ofType, family, instance)),
    category: devtype?.category ?? null,
    radioClass: familyOf(family).radio?.hasDeviceTypes ? classOf(devtype?.generic ?? type) : null,
    product: suffix === null ? null : productRole(type, suffix),
    ranges: (editor) => profile.editor(editor, family, instance)?.ranges ?? null,
  };
}

/** Of "basic.generic.specific". */
function classOf(dotted: string): readonly [number, number] {
  const [, generic, specific] = dotted.split(".", 3);
  return [Number(generic) || 0, Number(specific) || 0];
}

const MOVING: ReadonlySet<string> = new Set("DON DOF DFON DFOF BRT DIM FDUP FDDOWN FDSTOP OL".split(" "));

function mayBeBarrier({ nodedef, ranges }: RoleFacts): boolean {
  const status = nodedef?.properties.find(({ id }) => id === "ST");
  if (!nodedef || !status || ranges(status.editor) !== null) return false;
  return nodedef.accepts.some(({ id }) => MOVING.has(id));
}
