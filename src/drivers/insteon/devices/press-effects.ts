/** The control that a message of a device stands for, and the status that follows from it. */

import { FULL } from "./commands.ts";
import type { Press } from "./presses.ts";
import { type DeviceNode, hasOppositeNodes, type Product, suffixOfGroup } from "./products.ts";

type PressEffect = {
  readonly controls: readonly { readonly node: DeviceNode; readonly control: string }[];
  readonly levels: readonly { readonly node: DeviceNode; readonly level: number }[];
  /** Their levels do not follow from the press: query these nodes. */
  readonly queries: readonly DeviceNode[];
};

type Device = { readonly product: Product; readonly nodes: readonly DeviceNode[] };

const NOTHING: PressEffect = { controls: [], levels: [], queries: [] };
/** The ramp of a dial: cmd2 holds the level, with the firmware. */
const RAMPS: ReadonlySet<number> = new Set([0x34, 0x35]);

/** @param onLevel the known on level of a dimmer; null while unknown */
export function effectOf(
  { product, nodes }: Device,
  received: Press,
  onLevel: (node: DeviceNode) => number | null,
): PressEffect {
  const press = ownPress(product, received);
  const [first] = nodes;
  const suffix = suffixOfGroup(product, press.group);
  const node = nodes.find((candidate) => candidate.suffix === suffix);
  if (!node) return NOTHING;
  if (RAMPS.has(press.cmd1)) return { ...NOTHING, levels: [{ node, level: rampLevel(press) }] };
  const control = controlOf(press);
  if (control === null) return NOTHING;
  const controls = node.sends.has(control) ? [{ node, control }] : [];
  if (node.role === "motor") return { controls, levels: [], queries: [node] };
  // Its SET button, and a scene that it follows, send the same as its input: only a query tells input and relay apart.
  if (node.role === "input") return { controls, levels: [], queries: nodes };
  const level = levelAfter(control, node, onLevel);
  if (level === null) return { controls, levels: [], queries: node.role === "dimmer" ? [node] : [] };
  // A dimmer that stands at its on level goes to full, with the same bytes.
  const isSure = node.role !== "dimmer" || control !== "DON" || level === FULL;
  const levels = [{ node, level }, ...opposite(product, nodes, node, level)];
  // That it heats or cools is a value of the thermostat's first node.
  if (first?.role === "thermostat") return { controls, levels, queries: [first] };
  return { controls, levels, queries: isSure ? [] : [node] };
}

/** Some sensors send the end of what a group tells with another group. */
function ownPress(product: Product, press: Press): Press {
  const group = OFF_GROUPS[`${product.category}.${product.subcategory}`]?.[press.group];
  return group === undefined ? press : { ...press, group, cmd1: OFF };
}

/** By product and the group of the end. */
const OFF_GROUPS: Readonly<Record<string, Readonly<Record<number, number>>>> = { "16.22": { 5: 1, 6: 2 } };
const OFF = 0x13;

function rampLevel({ cmd1, cmd2 }: Press): number {
  const isOn = cmd1 === 0x34;
  return isOn ? (cmd2 & 0xf0) | 0x0f : 0;
}

function controlOf({ cmd1, cmd2 }: Press): string | null {
  switch (cmd1) {
    case 0x11:
      return "DON";
    case 0x12:
      return "DFON";
    case 0x13:
      return "DOF";
    case 0x14:
      return "DFOF";
    case 0x15:
      return "BRT";
    case 0x16:
      return "DIM";
    case 0x17:
      return cmd2 === 1 ? "FDUP" : "FDDOWN";
    case 0x18:
      return "FDSTOP";
    default:
      return null;
  }
}

function levelAfter(control: string, node: DeviceNode, onLevel: (node: DeviceNode) => number | null): number | null {
  if (control === "DOF" || control === "DFOF") return 0;
  if (control === "DFON") return FULL;
  if (control !== "DON") return null;
  return node.role === "dimmer" ? onLevel(node) : FULL;
}

function opposite(product: Product, nodes: readonly DeviceNode[], node: DeviceNode, level: number) {
  if (!hasOppositeNodes(product) || (node.suffix !== "1" && node.suffix !== "2")) return [];
  const other = nodes.find(({ suffix }) => suffix === (node.suffix === "1" ? "2" : "1"));
  return other ? [{ node: other, level: FULL - level }] : [];
}
