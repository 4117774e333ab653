/** How a node is announced: the configuration that Home Assistant reads, and the topics of its values. Pure. */

import type { Home } from "../../home/home.ts";
import type { Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import { displayedValue } from "../../profile/editor-value.ts";
import type { Nodedef } from "../../profile/nodedef.ts";
import type { Profile } from "../../profile/profile.ts";
import { roleOf } from "../../profile/roles.ts";
import {
  COMPONENTS,
  type Component,
  type Facts,
  MEASURED_BY_ID,
  MEASURED_BY_UOM,
  MEASURING,
  NO_VALUE,
} from "./component-table.ts";

type Announced = {
  /** What the identities of this controller's nodes begin with. */
  readonly own: string;
  /** What their topics begin with. */
  readonly base: string;
  readonly version: string;
};

/** Blanks of wired addresses; other characters of topics are in no address. */
export function topicOf(address: string): string {
  return address.replace(/[^A-Za-z0-9_.-]/g, "_");
}

/** null: it has nothing that others can show. */
export function configOf(
  { profile }: { readonly home: Home; readonly profile: Profile },
  node: Node,
  { own, base, version }: Announced,
): Component | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) return null;
  const role = roleOf(profile, node);
  const id = `${own}_${topicOf(node.address)}`;
  const facts = factsOf(profile, node, nodedef);
  const main = COMPONENTS[role]?.(facts) ?? null;
  const sensors = nodedef.properties.flatMap(({ id: property, name, hide }) => {
    const isStatus = property === "ST";
    if (hide || (isStatus && !MEASURING.has(role))) return [];
    const uom = uomOf(profile, node, nodedef, property);
    const measured = MEASURED_BY_ID[property] ?? (uom === null ? null : MEASURED_BY_UOM[uom]);
    if (!measured) return [];
    const sensor = {
      platform: "sensor",
      name,
      state_topic: `~/${property}`,
      unique_id: `${id}_${property}`,
      ...measured,
    };
    return [[property, sensor] as const];
  });
  if (!main && sensors.length === 0) return null;
  const own_ = main ? [["main", { ...main, name: null, unique_id: `${id}_main` }] as const] : [];
  return {
    "~": `${base}/${topicOf(node.address)}`,
    device: { identifiers: [id], name: node.name, manufacturer: "Domovoi", model: nodedef.name },
    origin: { name: "Domovoi", sw_version: version },
    availability: [{ topic: `${base}/status` }, { topic: "~/link" }],
    availability_mode: "all",
    components: Object.fromEntries([...own_, ...sensors]),
  };
}

/** As it is displayed. */
export function textOf({ value, prec }: Property): string {
  return value === null ? NO_VALUE : String(displayedValue({ value, prec }));
}

function factsOf(profile: Profile, node: Node, nodedef: Nodedef): Facts {
  return {
    statusUom: uomOf(profile, node, nodedef, "ST"),
    accepts: (command) => nodedef.accepts.some(({ id }) => id === command),
    takesValue: (command) => nodedef.accepts.some(({ id, parameters }) => id === command && parameters.length > 0),
    reports: (property) => nodedef.properties.some(({ id }) => id === property),
    sends: nodedef.sends.map(({ id }) => id),
  };
}

/** The unit that it has now, else the first of its editor. */
function uomOf(profile: Profile, node: Node, { properties }: Nodedef, id: string): number | null {
  const reported = node.properties.get(id)?.uom;
  if (reported !== undefined && reported !== 0) return reported;
  const editor = properties.find((each) => each.id === id)?.editor;
  if (editor === undefined) return null;
  return profile.editor(editor, node.family, node.instance)?.ranges[0]?.uom ?? null;
}
