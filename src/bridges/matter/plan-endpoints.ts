/** Which nodes of the home are shown, as which devices. Pure. */

import { createHash } from "node:crypto";
import type { Home } from "../../home/home.ts";
import type { Node } from "../../home/nodes.ts";
import { convertTemperature } from "../../profile/convert-unit.ts";
import type { Nodedef } from "../../profile/nodedef.ts";
import type { Profile } from "../../profile/profile.ts";
import { roleOf } from "../../profile/roles.ts";
import { UOM } from "../../profile/uom.ts";
import { factsOf as nodeFactsOf } from "../node-facts.ts";
import { isShown, type Shown } from "../shown-nodes.ts";
import type { EndpointSpec, EndpointState } from "./bridge-messages.ts";
import { CONTACT_INSTEAD, type Facts, KIND_OF_ROLE, KINDS } from "./device-table.ts";
import { type Limits, limitsOf } from "./thermostat.ts";
import { uniqueNames } from "./unique-names.ts";

/** Without a choice of nodes, up to `SHOWN_MAX`. */
export type Choice = Shown & {
  readonly nodesMax: number;
  /** Addresses of leak and freeze sensors that are shown as contact sensors. */
  readonly contacts: readonly string[];
};

type Ports = { readonly home: Home; readonly profile: Profile };

/** Without a choice of the owner. */
const SHOWN_MAX = 64;

/**
 * @param before what was shown until now, in its order. Such a node stays, also while its definition is not known yet: an ecosystem
 *   forgets the name and the room of a device that is gone for a moment.
 */
export function planEndpoints(ports: Ports, choice: Choice, before: readonly EndpointSpec[]): readonly EndpointSpec[] {
  const { nodes } = ports.home;
  const known = new Map(before.map((spec) => [spec.address, spec]));
  const max = choice.nodes.length > 0 ? choice.nodesMax : Math.min(SHOWN_MAX, choice.nodesMax);
  const wanted = choice.nodes.length > 0 ? choice.nodes : new Set([...known.keys(), ...nodes.keys()]);
  const shown: EndpointSpec[] = [];
  for (const address of wanted) {
    if (shown.length >= max) break;
    const node = nodes.get(address);
    if (!node?.enabled) continue;
    const spec = specOf(ports, node, choice) ?? storedSpec(ports, node, known.get(address), choice);
    if (spec) shown.push(spec);
  }
  const names = uniqueNames(shown.map(({ name }) => name));
  return shown.map((spec, at) => ({ ...spec, name: names[at] ?? spec.name }));
}

export function stateOf(ports: Ports, { address, kind }: EndpointSpec): EndpointState {
  const node = ports.home.nodes.get(address);
  const facts = node ? factsOf(ports.profile, node) : null;
  return {
    isReachable: node !== undefined && facts !== null && isReachable(node, facts),
    attributes: facts ? KINDS[kind].state(facts) : {},
  };
}

/** A device of which nothing is known yet would be shown with a state that it may not have, such as a closed contact. */
function isReachable({ link }: Node, facts: Facts): boolean {
  const isKnown = !facts.reports("ST") || facts.value("ST") !== null;
  return isKnown && link !== "unreachable" && link !== "interviewing";
}

/** null while the definition of the node is not known. */
export function factsOf(profile: Profile, node: Node): Facts | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  const facts = nodeFactsOf(profile, node);
  return nodedef && facts && { ...facts, limits: (id) => setPointLimits(profile, node, nodedef, id) };
}

function specOf(ports: Ports, node: Node, choice: Choice): EndpointSpec | null {
  const { home, profile } = ports;
  const { contacts } = choice;
  const facts = factsOf(profile, node);
  if (!facts || !isShown(ports, node, choice)) return null;
  const natural = KIND_OF_ROLE[roleOf(profile, node)]?.(facts) ?? null;
  if (natural === null) return null;
  const kind = contacts.includes(node.address) && CONTACT_INSTEAD.has(natural) ? "contact" : natural;
  const { features, fixed } = KINDS[kind];
  return {
    address: node.address,
    kind,
    features: features?.(facts) ?? [],
    name: node.name,
    uniqueId: identityOf(`${home.controller.uuid} ${node.address}`),
    fixed: fixed?.(facts) ?? {},
  };
}

/** Only while nothing is known about the node: one whose role has changed is another device. */
function storedSpec(
  { profile }: Ports,
  node: Node,
  stored: EndpointSpec | undefined,
  { secured }: Choice,
): EndpointSpec | null {
  if (!stored || profile.nodedef(node.nodeDefId, node.family, node.instance)) return null;
  return secured || stored.kind !== "lock" ? { ...stored, name: node.name } : null;
}

/** 32 characters that stay the same, and do not show what they come from. */
export function identityOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function setPointLimits(profile: Profile, node: Node, { accepts }: Nodedef, id: string): Limits {
  const editor = accepts.find((each) => each.id === id)?.parameters[0]?.editor;
  const ranges = editor === undefined ? [] : (profile.editor(editor, node.family, node.instance)?.ranges ?? []);
  const range = ranges.find(({ uom }) => uom === UOM.celsius) ?? ranges.find(({ uom }) => uom === UOM.fahrenheit);
  if (!range) return limitsOf(null, null);
  const hundredths = (bound: number | null) =>
    bound === null ? null : Math.round((convertTemperature(bound, range.uom, UOM.celsius) ?? bound) * 100);
  return limitsOf(hundredths(range.min), hundredths(range.max));
}
