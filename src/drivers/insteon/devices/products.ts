/** Devices and their nodes, from the table of products that all homes of this family share. */

import { WIRED_NODEDEFS } from "../../../profile/builtin/wired-nodedefs-table.ts";
import { productNodes } from "../../../profile/builtin/wired-products-table.ts";
import type { DeviceId } from "../line/messages.ts";

/** How a device talks: i1 knows standard messages only, i2CS wants checksums and answers only modems that it knows. */
export type Engine = "i1" | "i2" | "i2CS";

export type Product = {
  readonly category: number;
  readonly subcategory: number;
  readonly firmware: number;
  readonly engine: Engine;
  /** The device has not said it itself: it stands in the modem's record. */
  readonly isNoted?: true;
};

export type Role =
  | "dimmer"
  | "relay"
  | "lower-outlet"
  | "fan"
  | "motor"
  | "button"
  | "input"
  | "thermostat"
  | "sensor"
  | "x10"
  /** Known by its messages only. */
  | "other";

export type DeviceNode = {
  readonly address: string;
  readonly name: string;
  readonly nodeDefId: string;
  readonly suffix: string;
  readonly role: Role;
  readonly properties: ReadonlySet<string>;
  readonly accepts: ReadonlySet<string>;
  readonly sends: ReadonlySet<string>;
  /** Where the brightness of the device's LEDs stands in its settings, and the command that sets it; null: fixed. */
  readonly led: LedSetting | null;
};

type LedSetting = { readonly at: number; readonly command: number };

const ROLES: Readonly<Record<string, Role>> = {
  DimmerLampSwitch: "dimmer",
  DimmerLampOnly: "dimmer",
  KeypadDimmer: "dimmer",
  RelayLampSwitch: "relay",
  RelayLampOnly: "relay",
  KeypadRelay: "relay",
  FanLincMotor: "fan",
  DimmerMotorSwitch: "motor",
  KeypadButton: "button",
  BinaryControl: "input",
  Thermostat: "thermostat",
  TempLinc: "thermostat",
  BinaryAlarm: "sensor",
  PIR2844: "sensor",
  X10: "x10",
};

/** Sensors and hand-held remotes; ControlLincs have a plug. */
const SENSORS = 16;
const REMOTES = 0;
const PLUGGED_REMOTES: ReadonlySet<number> = new Set([4, 6]);

const NODEDEFS = new Map(WIRED_NODEDEFS.map((nodedef) => [nodedef.id, nodedef]));

/** Nodes of a device, its first one first; null for a product that has none. */
export function nodesOf(id: DeviceId, product: Product): readonly DeviceNode[] | null {
  const planned = productNodes(product.category, product.subcategory);
  return planned?.map(({ suffix, nodeDefId }, at) => nodeOf(id, product, suffix, nodeDefId, at === 0)) ?? null;
}

function nodeOf(id: DeviceId, product: Product, suffix: string, plainId: string, isFirst: boolean): DeviceNode {
  const advanced = product.engine === "i2CS" ? NODEDEFS.get(`${plainId}_ADV`) : undefined;
  const nodedef = advanced ?? NODEDEFS.get(plainId);
  const role = ROLES[plainId] ?? "other";
  const name = role === "x10" ? x10Name(id) : `${nodedef?.name ?? plainId} ${id.replaceAll(" ", ".")}`;
  return {
    address: `${id} ${suffix}`,
    name: isFirst ? name : `${name} ${suffix}`,
    nodeDefId: nodedef?.id ?? plainId,
    suffix,
    role: plainId === "RelayLampSwitch" && !isFirst ? "lower-outlet" : role,
    properties: new Set(nodedef?.properties.map((property) => property.id)),
    accepts: new Set(nodedef?.accepts.map((command) => command.id)),
    sends: new Set(nodedef?.sends.map((command) => command.id)),
    led: ledOf(product),
  };
}

/** Of X10 devices, which have no link: house and unit stand in the id. */
export const X10_CATEGORY = 113;

export function isX10({ category }: Product): boolean {
  return category === X10_CATEGORY;
}

/** "X10 A1". */
function x10Name(id: DeviceId): string {
  const [, house = 1, unit = 1] = id.split(" ").map((part) => Number.parseInt(part, 16));
  return `X10 ${String.fromCharCode("A".charCodeAt(0) + house - 1)}${unit}`;
}

const LED: LedSetting = { at: 9, command: 7 };
/** Of older lamp modules, switches and in-line modules. */
const OLD_LED: LedSetting = { at: 3, command: 3 };

/** Subcategories of dimmers and relays by their LED setting; of all others it is fixed or not known. */
const LED_PRODUCTS: Readonly<Record<number, Readonly<Record<"usual" | "old", ReadonlySet<number>>>>> = {
  1: {
    usual: new Set([
      5, 9, 10, 11, 12, 15, 17, 18, 27, 28, 29, 30, 32, 36, 37, 39, 41, 43, 45, 47, 48, 49, 50, 52, 54, 55, 61, 62, 63,
      64, 65, 66,
    ]),
    old: new Set([0, 1, 2, 3, 4, 6, 7, 13, 14, 23, 24, 25, 26, 31, 34, 35, 42, 44]),
  },
  2: {
    usual: new Set([5, 15, 30, 32, 37, 38, 43, 44, 45, 46, 48, 51, 52, 53, 54, 55]),
    old: new Set([10, 11, 13, 14, 16, 18, 20, 21, 22, 24, 25, 26, 28, 31, 34, 35, 41]),
  },
};
/** Switches that changed with a firmware. */
const LED_SINCE: ReadonlyMap<string, number> = new Map([
  ["1.4", 0x30],
  ["1.25", 0x41],
]);

function ledOf({ category, subcategory, firmware }: Product): LedSetting | null {
  const products = LED_PRODUCTS[category];
  const since = LED_SINCE.get(`${category}.${subcategory}`);
  if (products?.usual.has(subcategory) || (since !== undefined && firmware >= since)) return LED;
  return products?.old.has(subcategory) ? OLD_LED : null;
}

/** How scenes link the node as a responder; null when they do it by a command. */
export function linkdefOf({ nodeDefId }: DeviceNode): string | null {
  return NODEDEFS.get(nodeDefId)?.respondLinks[0] ?? null;
}

/** It hears nothing while it sleeps. */
export function isOnBattery({ category, subcategory }: Product): boolean {
  return category === SENSORS || (category === REMOTES && !PLUGGED_REMOTES.has(subcategory));
}

/** It sends something at least once a day, even when nothing happens. */
export function hasHeartbeat({ category, subcategory }: Product): boolean {
  return category === SENSORS && HEARTBEATS.has(subcategory);
}

/** Leak, door and smoke sensors, and the newer motion sensor. */
const HEARTBEATS: ReadonlySet<number> = new Set([8, 9, 10, 13, 14, 17, 20, 21, 22]);

/** Of a leak or contact sensor, which shows a fact with its first node and the opposite with the second. */
export function hasOppositeNodes({ category, subcategory }: Product): boolean {
  return productNodes(category, subcategory)?.some(({ role }) => role === "opposite") ?? false;
}

export function typeOf({ category, subcategory, firmware }: Product): string {
  return `${category}.${subcategory}.${firmware}.0`;
}

function isThermostat({ category, subcategory }: Product): boolean {
  return ROLES[productNodes(category, subcategory)?.[0]?.nodeDefId ?? ""] === "thermostat";
}

/** The group of the device's own messages that a node stands for. A thermostat's first node is no group. */
export function groupOfNode(product: Product, { suffix }: DeviceNode): number {
  return Number.parseInt(suffix, 16) - (isThermostat(product) ? 1 : 0);
}

/** The node that a group of the device's own messages belongs to. */
export function suffixOfGroup(product: Product, group: number): string {
  return (isThermostat(product) ? group + 1 : group).toString(16).toUpperCase();
}
