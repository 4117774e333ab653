/**
 * Products of the wired family: which nodes a device has, by its category and subcategory, and the nodedef of each.
 * The nodedefs are those of devices without cleanup ramps; their `_ADV` form needs the engine of the device, which its type does not say.
 */

import type { NodeRole } from "../roles-table.ts";

/** The hexadecimal group that ends a node's address, the node's nodedef, and its role where the nodedef does not say it. */
type ProductNode = { readonly suffix: string; readonly nodeDefId: string; readonly role: NodeRole | null };

/** The nodes of a device, the first one first; null for a product that is no device of a home, such as a modem. */
export function productNodes(category: number, subcategory: number): readonly ProductNode[] | null {
  const kind = KIND_BY_PRODUCT.get(`${category}.${subcategory}`) ?? KIND_BY_CATEGORY[category];
  const found = kind ? KINDS[kind] : [];
  return found.length > 0 ? found : null;
}

/** The nodedef of a node by its type (`1.32.69.0`) and the last part of its address, or null. */
export function nodeDefIdOfType(type: string, suffix: string): string | null {
  const nodes = nodesOfType(type);
  const node = nodes?.find((each) => each.suffix === suffix.toUpperCase()) ?? nodes?.[0];
  return node?.nodeDefId ?? null;
}

/** What a node is by its type and the last part of its address, where its nodedef does not say it, or null. */
export function productRole(type: string, suffix: string): NodeRole | null {
  const node = nodesOfType(type)?.find((each) => each.suffix === suffix.toUpperCase());
  if (node) return node.role;
  // Newer sensors have it in addition to the nodes of older ones.
  return type.startsWith("16.") && suffix === HEARTBEAT_SUFFIX ? "heartbeat" : null;
}

const HEARTBEAT_SUFFIX = "4";

function nodesOfType(type: string): readonly ProductNode[] | null {
  const [category, subcategory] = type.split(".", 2);
  return category && subcategory ? productNodes(Number(category), Number(subcategory)) : null;
}

const KINDS = {
  /** It repeats what others send. */
  extender: [],
  remote: nodes("1-8:RemoteLinc2"),
  remote4: nodes("1-4:RemoteLinc2"),
  remote1: nodes("1:RemoteLinc2"),
  dimmer: nodes("1:DimmerLampSwitch"),
  bulb: nodes("1:DimmerLampOnly"),
  fan: nodes("1:DimmerLampOnly 2:FanLincMotor"),
  keypadDimmer6: nodes("1:KeypadDimmer 3-6:KeypadButton"),
  keypadDimmer8: nodes("1:KeypadDimmer 2-8:KeypadButton"),
  relay: nodes("1:RelayLampSwitch"),
  outlet: nodes("1:RelayLampSwitch:outlet"),
  outlets: nodes("1-2:RelayLampSwitch:outlet"),
  plugIn: nodes("1:RelayLampSwitch:appliance"),
  keypadRelay6: nodes("1:KeypadRelay 3-6:KeypadButton"),
  keypadRelay8: nodes("1:KeypadRelay 2-8:KeypadButton"),
  hood: nodes("1:RelayLampSwitch:fan"),
  rain: nodes("1-8:EZRAIN_Output 9:EZRAIN_Input"),
  thermostat: nodes("1:Thermostat 2:BinaryAlarm:cooling 3:BinaryAlarm:heating"),
  venstar: nodes("1:TempLinc 2:BinaryAlarm:cooling 3:BinaryAlarm:heating"),
  inputAndRelay: nodes("1:BinaryControl:contact 2:RelayLampOnly"),
  inputsAndOutputs: nodes("1-2:EZIO2x4_Output 9-C:EZIO2x4_Input"),
  siren: nodes("1:Siren"),
  meter: nodes("1:IMETER_SOLO"),
  motor: nodes("1:DimmerMotorSwitch"),
  lock: nodes("1:DoorLock"),
  motion: nodes("1:BinaryAlarm:motion 2:BinaryAlarm:dusk 3:BinaryAlarm:low-battery"),
  motion2: nodes(
    "1:PIR2844 2:BinaryAlarm:dusk 3:BinaryAlarm:low-battery 4:BinaryAlarm:heartbeat 5-9:BinaryAlarm " +
      "A:BinaryAlarm:tamper B-D:BinaryAlarm",
  ),
  contact: nodes("1:BinaryAlarm:contact 2:BinaryAlarm:opposite"),
  door: nodes("1:BinaryAlarm:contact 2:BinaryAlarm:opposite 3:BinaryAlarm:low-battery 4:BinaryAlarm:heartbeat"),
  leak: nodes("1:BinaryAlarm:leak-dry 2:BinaryAlarm:opposite 4:BinaryAlarm:heartbeat"),
  smoke: nodes(
    "1:BinaryAlarm:smoke 2:BinaryAlarm:carbon-monoxide 3-5:BinaryAlarm 6:BinaryAlarm:low-battery 7:BinaryAlarm:problem " +
      "A:BinaryAlarm:heartbeat",
  ),
  x10: nodes("1:X10"),
} satisfies Readonly<Record<string, readonly ProductNode[]>>;

type Kind = keyof typeof KINDS;

/** Subcategories of a category that are of another kind than most of it. */
const PRODUCTS: readonly (readonly [category: number, subcategories: string, kind: Kind])[] = [
  [0, "11 29", "extender"],
  [0, "16 20 23 27", "remote4"],
  [0, "17 21 25 28", "remote1"],
  [1, "46", "fan"],
  [1, "9-10 27 41 47 66", "keypadDimmer6"],
  [1, "5 12 28 65 89", "keypadDimmer8"],
  [1, "58-60 73-79", "bulb"],
  [2, "5 37", "keypadRelay8"],
  [2, "15 30 32 38 44", "keypadRelay6"],
  [2, "57 63", "outlets"],
  [2, "8 33", "outlet"],
  [2, "6-7 9 12 55-56", "plugIn"],
  // Hoods and exhaust fans.
  [5, "0 2 5", "hood"],
  [5, "1 3-4 14", "venstar"],
  [7, "3", "inputsAndOutputs"],
  [7, "30", "siren"],
  [16, "1 3-5", "motion"],
  [16, "22", "motion2"],
  [16, "2 6-7", "contact"],
  [16, "9 17 20-21", "door"],
  [16, "8 13-14", "leak"],
  [16, "10", "smoke"],
];

const KIND_BY_CATEGORY: Readonly<Record<number, Kind>> = {
  0: "remote",
  1: "dimmer",
  2: "relay",
  4: "rain",
  5: "thermostat",
  7: "inputAndRelay",
  9: "meter",
  14: "motor",
  15: "lock",
  16: "contact",
  113: "x10",
};

const KIND_BY_PRODUCT: ReadonlyMap<string, Kind> = new Map(
  PRODUCTS.flatMap(([category, subcategories, kind]) =>
    subcategories
      .split(" ")
      .flatMap(numbersOf(10))
      .map((subcategory) => [`${category}.${subcategory}`, kind] as const),
  ),
);

/** Nodes as text, by suffix or a run of suffixes, with a role: "1:KeypadDimmer 2-8:KeypadButton", "1:BinaryAlarm:motion". */
function nodes(text: string): readonly ProductNode[] {
  return text.split(" ").flatMap((word) => {
    const [suffixes = "", nodeDefId = "", role = null] = word.split(":");
    return numbersOf(16)(suffixes).map((suffix) => ({
      suffix: suffix.toString(16).toUpperCase(),
      nodeDefId,
      role: role as NodeRole | null,
    }));
  });
}

function numbersOf(radix: number): (text: string) => readonly number[] {
  return (text) => {
    const [first = 0, last = first] = text.split("-").map((part) => Number.parseInt(part, radix));
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  };
}
