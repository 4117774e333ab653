/** How a node is announced: the configuration that Home Assistant reads, and the topics of its values. Pure. */

import type { Home } from "../../home/home.ts";
import type { Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import { displayedValue } from "../../profile/editor-value.ts";
import type { Profile } from "../../profile/profile.ts";
import { roleOf } from "../../profile/roles.ts";
import { factsOf } from "../node-facts.ts";
import {
  COMPONENTS,
  type Component,
  colorOf,
  LEVELS,
  MEASURED_BY_ID,
  MEASURED_BY_UOM,
  MEASURING,
  NO_VALUE,
  shownLevel,
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

type Announcement = {
  readonly config: Component;
  /** Properties whose values are one value for others, its color; null: none. */
  readonly color: readonly string[] | null;
};

/** null: it has nothing that others can show. */
export function announcementOf(
  { profile }: { readonly home: Home; readonly profile: Profile },
  node: Node,
  { own, base, version }: Announced,
): Announcement | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  const facts = factsOf(profile, node);
  if (!nodedef || !facts) return null;
  const role = roleOf(profile, node);
  const id = `${own}_${topicOf(node.address)}`;
  const main = COMPONENTS[role]?.(facts) ?? null;
  const sensors = nodedef.properties.flatMap(({ id: property, name, hide }) => {
    const isStatus = property === "ST";
    if (hide || (isStatus && !MEASURING.has(role))) return [];
    const measured = MEASURED_BY_ID[property] ?? MEASURED_BY_UOM[facts.uom(property)];
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
  const config = {
    device: { identifiers: [id], name: node.name, manufacturer: "Domovoi", model: nodedef.name },
    origin: { name: "Domovoi", sw_version: version },
    availability: [{ topic: `${base}/status` }, { topic: "~/link" }],
    availability_mode: "all",
    components: Object.fromEntries([...own_, ...sensors]),
  };
  return {
    config: withTopics(config, `${base}/${topicOf(node.address)}`),
    color: main && "hs_state_topic" in main ? colorOf(facts) : null,
  };
}

/** Home Assistant knows `~` in the announcements of components, and refuses it in that of a device. */
function withTopics(config: Component, topic: string): Component {
  const whole = (value: unknown): unknown => {
    if (typeof value === "string") return value.startsWith("~/") ? topic + value.slice(1) : value;
    if (Array.isArray(value)) return value.map(whole);
    return typeof value === "object" && value !== null ? withTopics(value as Component, topic) : value;
  };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, whole(value)]));
}

/** As it is displayed. */
export function textOf({ id, value, uom, prec }: Property): string {
  if (value === null) return NO_VALUE;
  const displayed = displayedValue({ value, prec });
  return String(LEVELS.has(id) ? shownLevel(displayed, uom) : displayed);
}
