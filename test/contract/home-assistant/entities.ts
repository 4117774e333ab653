/**
 * The entities that Home Assistant's integration makes of a node: the platform of the node itself, an event, and
 * further entities of commands and properties. Each rule of the integration is a row of a table here.
 */

import type { ModernClient } from "../modern-client/client.ts";
import type { Node } from "../modern-client/home.ts";
import type { CommandDef, NodeDef } from "../modern-client/profile.ts";

type Platform = "binary_sensor" | "climate" | "cover" | "fan" | "light" | "lock" | "sensor" | "switch";
export type Entity = {
  readonly control: string;
  readonly platform: "binary_sensor" | "button" | "number" | "select" | "sensor" | "switch";
  readonly name: string;
};
export type Seen = {
  /** null: the node itself shows nothing. */
  readonly platform: Platform | null;
  /** Device class of a binary sensor. */
  readonly deviceClass: string | null;
  readonly hasEvent: boolean;
  readonly further: readonly Entity[];
};

const INSTEON = "1";
const PLUGIN = "10";

type Shape = { readonly id: string; readonly accepts: ReadonlySet<string>; readonly nodedef: NodeDef };
type Row<Result> = readonly [rule: string, fits: (shape: Shape) => boolean, is: Result];

const any =
  (...ids: readonly string[]) =>
  ({ accepts }: Shape) =>
    ids.some((id) => accepts.has(id));

/** By the nodedef's id and what it accepts. */
const BY_NODEDEF: readonly Row<Platform>[] = [
  ["a thermostat takes a mode or a setpoint", any("CLIMD", "CLISPH"), "climate"],
  ["a lock takes SECMD or is called so", (shape) => shape.accepts.has("SECMD") || shape.id.includes("Lock"), "lock"],
  ["a fan is called so", ({ id }) => id.includes("Fan"), "fan"],
];

const DIMMING = ["BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP"];
const switches = ({ accepts }: Shape) => accepts.has("DON") && accepts.has("DOF");
const dims = (shape: Shape) => any(...DIMMING)(shape) || shape.nodedef.properties.some(({ id }) => id === "OL");
const takesLevel = ({ nodedef }: Shape) =>
  nodedef.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0);

/** By what it accepts alone. */
const BY_ACCEPTS: readonly Row<Platform | "alarm">[] = [
  ["SECMD is a lock's", any("SECMD"), "lock"],
  ["setpoints are a thermostat's", any("CLISPC", "CLISPH"), "climate"],
  ["arming is an alarm's", any("ARM", "DISARM"), "alarm"],
  ["moving without switching is a cover's", (s) => any("FDUP", "FDDOWN", "FDSTOP")(s) && !switches(s), "cover"],
  ["switching to a level is a lamp's", (s) => switches(s) && takesLevel(s) && dims(s), "light"],
  ["switching is a switch's", switches, "switch"],
];

/** Categories of radio devices that are binary sensors, regardless of other accepted commands. */
const CLASSES: readonly (readonly [deviceClass: string, ...categories: number[]])[] = [
  ["safety", 137, 172, 176, 177, 178],
  ["smoke", 138, 156],
  ["problem", 148, 149, 157, 158, 164, 174, 175],
  ["gas", 150, 151],
  ["sound", 153],
  ["cold", 152, 168],
  ["heat", 154, 166, 167],
  ["moisture", 159, 169],
  ["door", 160],
  ["battery", 162],
  ["motion", 155],
  ["vibration", 173],
];

/** Classes of wired binary sensors: beginning of the type, last part of the address, class. The first that fits wins. */
const WIRED_CLASSES: readonly (readonly [type: RegExp, subnode: RegExp, deviceClass: string])[] = [
  [/^16\.(8|13|14)\./, /4$/, "battery"],
  [/^16\.(8|13|14)\./, /./, "moisture"],
  [/^16\.(2|6|7|9|17|20|21)\./, /4$/, "battery"],
  [/^16\.(2|6|7|9|17|20|21)\./, /./, "opening"],
  [/^16\.(1|22)\./, /2$/, "light"],
  [/^16\.(1|22)\./, /3$/, "battery"],
  [/^16\.(1|3|4|5|22)\./, /./, "motion"],
  [/^5\./, /2$/, "cold"],
  [/^5\./, /3$/, "heat"],
];

/** null: the client has no nodedef of it. */
export function seenBy(client: ModernClient, node: Node): Seen | null {
  const nodedef = client.nodedef(node);
  if (!nodedef) return null;
  const shape = { id: nodedef.id, accepts: new Set(nodedef.accepts.map(({ id }) => id)), nodedef };
  const { platform, deviceClass } = ownEntity(node, shape);
  const isRadio = node.family !== INSTEON && node.family !== PLUGIN;
  return {
    platform,
    deviceClass,
    hasEvent: nodedef.sends.length > 0 && !(isRadio && platform !== null),
    further: furtherEntities(client, node, shape, platform),
  };
}

function ownEntity(node: Node, shape: Shape): Pick<Seen, "platform" | "deviceClass"> {
  const byAccepts = firstOf(BY_ACCEPTS, shape);
  if (node.family === PLUGIN) return { platform: byAccepts === "alarm" ? "sensor" : byAccepts, deviceClass: null };
  if (node.family === INSTEON) {
    if (shape.id.startsWith("BinaryAlarm")) return { platform: "binary_sensor", deviceClass: wiredClass(node) };
    const platform = firstOf(BY_NODEDEF, shape) ?? (byAccepts === "alarm" ? "switch" : byAccepts);
    return { platform, deviceClass: null };
  }
  const deviceClass = CLASSES.find(([, ...categories]) => categories.includes(node.category ?? 0))?.[0] ?? null;
  if (deviceClass !== null) return { platform: "binary_sensor", deviceClass };
  return { platform: (byAccepts === "alarm" ? "switch" : byAccepts) ?? firstOf(BY_NODEDEF, shape), deviceClass };
}

function wiredClass({ type, address }: Node): string | null {
  return WIRED_CLASSES.find(([types, subnodes]) => types.test(type) && subnodes.test(address))?.[2] ?? null;
}

function firstOf<Result>(rows: readonly Row<Result>[], shape: Shape): Result | null {
  return rows.find(([, fits]) => fits(shape))?.[2] ?? null;
}

type Owned = { readonly commands: readonly string[]; readonly properties: readonly string[] };
const NOTHING: Owned = { commands: [], properties: [] };
const LAMP: Owned = { commands: ["DON", "DOF"], properties: ["ST", "OL", "RR"] };
const CLIMATE_CONTROLS = ["CLISPC", "CLISPH", "CLIMD", "CLIFS"];

/** Properties and commands that the node's own entity covers already. */
const OWNED: Readonly<Record<Platform, Owned>> = {
  binary_sensor: { commands: [], properties: ["ST"] },
  climate: {
    commands: [...CLIMATE_CONTROLS, "BRT", "DIM"],
    properties: [...CLIMATE_CONTROLS, "ST", "CLITEMP", "CLIHCS", "CLISMD"],
  },
  cover: { commands: ["FDUP", "FDDOWN", "FDSTOP", "DON"], properties: ["ST", "OL"] },
  fan: LAMP,
  light: LAMP,
  lock: { commands: ["SECMD"], properties: ["ST"] },
  sensor: NOTHING,
  switch: LAMP,
};
const LOST = new Set(["QUERY", "BUSY"]);

function furtherEntities(client: ModernClient, node: Node, shape: Shape, platform: Platform | null): Entity[] {
  const owned = platform === null ? NOTHING : OWNED[platform];
  const lost = node.family === INSTEON ? "BEEP" : "CONFIG";
  const { accepts, properties } = shape.nodedef;
  const commands = accepts.filter(({ id }) => !LOST.has(id) && id !== lost && !owned.commands.includes(id));
  const entities = new Map<string, Entity>();
  for (const command of commands) {
    const entity = commandEntity(client, node, shape.nodedef, command);
    if (entity && !entities.has(entity.control)) entities.set(entity.control, entity);
  }
  for (const { id, editor, name } of properties) {
    if (owned.properties.includes(id) || entities.has(id)) continue;
    const isBinary = BINARY_UOMS.has(client.range(node, editor)?.uom ?? "");
    entities.set(id, { control: id, platform: isBinary ? "binary_sensor" : "sensor", name });
  }
  return [...entities.values()];
}

const BINARY_UOMS = new Set(["2", "78", "79"]);
const LEVEL_UOMS = new Set(["51", "100"]);
const INDEX_UOM = "25";

function commandEntity(client: ModernClient, node: Node, nodedef: NodeDef, command: CommandDef): Entity | null {
  const { id, name, parameters } = command;
  if (parameters.every(({ optional }) => optional)) return { control: id, platform: "button", name };
  const main = parameters.find(({ init }) => init !== null) ?? parameters[0];
  const range = main && client.range(node, main.editor);
  if (!main || !range) return null;
  const property = nodedef.properties.find((each) => each.id === main.init);
  const paired = { control: property?.id ?? id, name: property?.name ?? name };
  const hasBounds = range.min !== null || range.max !== null;
  if (main.editor === "I_BOOL" || main.editor.toLowerCase() === "bool" || BINARY_UOMS.has(range.uom))
    return { ...paired, platform: "switch" };
  if (LEVEL_UOMS.has(range.uom) || main.editor === "INTEGER" || main.editor === "FLOAT")
    return { ...paired, platform: "number" };
  if (range.uom === INDEX_UOM || (!hasBounds && (range.names.size > 0 || range.subset !== null)))
    return { ...paired, platform: "select" };
  return hasBounds ? { ...paired, platform: "number" } : null;
}

/** Entities of radio nodes that another node of the same device shows under the same control, and that are lost. */
export function lostToTwins(client: ModernClient): readonly string[] {
  const taken = new Set<string>();
  const lost: string[] = [];
  for (const node of client.home.nodes.values()) {
    if (node.family === INSTEON || node.family === PLUGIN) continue;
    const device = node.pnode;
    for (const { control } of seenBy(client, node)?.further ?? []) {
      const key = `${device} ${control}`;
      if (taken.has(key) && !SHARED.has(control)) lost.push(`${node.name} ${control}`);
      taken.add(key);
    }
  }
  return lost;
}

/** Every node has them; those of the first stand for the device. */
const SHARED = new Set(["ERR", "WDU", "BATLVL", "ALARM", "USRNUM", "BL", "LED"]);

/** A door or leak sensor has two nodes that say the opposite of one another; equal ones say nothing. */
export function wiredPairState(client: ModernClient, address: string): "on" | "off" | "unknown" {
  const value = (suffix: string) => Number(client.node(address.replace(/\d$/, suffix)).properties.get("ST")?.value) > 0;
  const [first, second] = [value("1"), value("2")];
  if (first === second) return "unknown";
  const isMoisture = /^16\.(8|13|14)\./.test(client.node(address).type);
  return first !== isMoisture ? "on" : "off";
}
