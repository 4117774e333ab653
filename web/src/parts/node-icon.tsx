/** The picture of a node, from its nodedef and the unit of its status: no list of models. */

import type { Home, Node } from "@domovoi/client";
import { BellRing, Blinds, CircleDot, DoorClosed, Droplets, Fan, Footprints, LayoutGrid, Lightbulb, Lock, type LucideIcon, Plug, Sun, Thermometer, Zap } from "lucide-preact";
import { type Control, controlOf } from "../store/controls.ts";

/** By the id of the nodedef, the first row that fits. */
const BY_NODEDEF: readonly (readonly [RegExp, LucideIcon])[] = [
  [/thermostat|climate/i, Thermometer],
  [/siren|alarm$/i, BellRing],
  [/fan/i, Fan],
  [/motor|blind|shade|cover/i, Blinds],
  [/keypad|remote|button/i, LayoutGrid],
  [/motion/i, Footprints],
  [/leak|water|irrigation|zone/i, Droplets],
  [/outlet|plug|appliance/i, Plug],
  [/meter|energy|power/i, Zap],
  [/weather/i, Sun],
];
const BY_CONTROL: Readonly<Partial<Record<Control["kind"], LucideIcon>>> = { cover: Blinds, lock: Lock, level: Lightbulb, switch: Lightbulb };
/** By the unit of the status, as its number. */
const BY_UNIT: Readonly<Record<string, LucideIcon>> = {
  4: Thermometer,
  17: Thermometer,
  101: Thermometer,
  22: Droplets,
  30: Zap,
  33: Zap,
  36: Sun,
  73: Zap,
  79: DoorClosed,
};

export function NodeIcon({ home, node, isLit }: { home: Home; node: Node; isLit: boolean }) {
  const Icon = iconOf(home, node);
  return <Icon class={isLit ? "node-icon lit" : "node-icon"} size={20} aria-hidden />;
}

function iconOf(home: Home, node: Node): LucideIcon {
  const named = BY_NODEDEF.find(([pattern]) => pattern.test(node.nodeDefId ?? ""))?.[1];
  return named ?? BY_CONTROL[controlOf(home, node).kind] ?? BY_UNIT[node.properties.get("ST")?.uom ?? ""] ?? CircleDot;
}
