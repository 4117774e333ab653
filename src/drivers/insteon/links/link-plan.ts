/**
 * The records that a link of a scene needs. A link with a button has a controller's record in its device and a responder's
 * record in the other one, and two more, so that the modem hears the button. A command to a scene is a group of the modem.
 */

import type { DeviceLink } from "../../../home/device-links.ts";
import { FULL, fanLevel, levelOf } from "../devices/commands.ts";
import type { Device } from "../devices/device-book.ts";
import { type DeviceNode, groupOfNode, isX10 } from "../devices/products.ts";
import type { DeviceId, LinkRecord } from "../line/messages.ts";
import { linkRecord, roleOf } from "./link-records.ts";

/** Holder of the modem's own links. */
export const MODEM = "modem";

/** A record, and the device that is to hold it, or the modem. */
export type HeldRecord = { readonly holder: DeviceId | typeof MODEM; readonly record: LinkRecord };

/** A refusal is a sentence. */
export type LinkPlan = { readonly records: readonly HeldRecord[] } | { readonly refusal: string };

export type PlanGround = {
  readonly modem: DeviceId;
  readonly find: (address: string) => { readonly device: Device; readonly node: DeviceNode } | null;
  /** The modem's group for a scene; null: it gets none. */
  readonly groupOf: (scene: string) => number | null;
  readonly known: (address: string, property: string) => number | null;
};

const UNKNOWN = "The modem does not know one of the two devices.";
const NO_LINKS = "X10 devices hold no links.";
const UNIDENTIFIED = "The device has not said yet what it is.";
const COMMAND = "The link has a command of its own.";
const NO_LOAD = "The responder is neither a load nor a button of a keypad.";
const NO_BUTTON = "The controlling node sends no on and off.";
const ONE_DEVICE = "Both nodes belong to one device.";
const NO_GROUP = "The scene has a single Insteon member, or the modem has no free group.";

/** Retries, ramp, button: of a record in a controlling device. */
const RETRIES = 3;
const USUAL_RATE = 0x1c;
const RATE_MIN = 1;
const RATE_MAX = 0x1f;
const MODEM_DATA: readonly number[] = [0, 0, 0];

export function planLink(link: DeviceLink, ground: PlanGround): LinkPlan {
  if (link.command !== null) return { refusal: COMMAND };
  const to = ground.find(link.responder);
  if (!to) return { refusal: UNKNOWN };
  const data = responderData(link, to.node, ground);
  const refusal = data ? refusalOf(to.device) : NO_LOAD;
  if (!data || refusal) return { refusal: refusal ?? NO_LOAD };
  return link.controller === link.scene
    ? planGroup(link, to.device, data, ground)
    : planButton(link, to.device, data, ground);
}

function planGroup({ scene }: DeviceLink, to: Device, data: readonly number[], ground: PlanGround): LinkPlan {
  const group = ground.groupOf(scene);
  if (group === null) return { refusal: NO_GROUP };
  return {
    records: [
      { holder: to.id, record: linkRecord("responder", group, ground.modem, data) },
      { holder: MODEM, record: linkRecord("controller", group, to.id, MODEM_DATA) },
    ],
  };
}

function planButton(link: DeviceLink, to: Device, data: readonly number[], ground: PlanGround): LinkPlan {
  const from = ground.find(link.controller);
  if (!from) return { refusal: UNKNOWN };
  const { device, node } = from;
  if (device.id === to.id) return { refusal: ONE_DEVICE };
  if (!node.sends.has("DON")) return { refusal: NO_BUTTON };
  const refusal = refusalOf(device);
  if (refusal) return { refusal };
  const group = groupOfNode(device.product, node);
  const own = [RETRIES, 0, group];
  return {
    records: [
      { holder: to.id, record: linkRecord("responder", group, device.id, data) },
      { holder: MODEM, record: linkRecord("responder", group, device.id, MODEM_DATA) },
      { holder: device.id, record: linkRecord("controller", group, to.id, own) },
      { holder: device.id, record: linkRecord("controller", group, ground.modem, own) },
    ],
  };
}

/** Tells records apart. A keypad has a record for each of its buttons that respond; anything else has one of a role. */
export function keyOf(held: HeldRecord): string {
  const known = KEYS.get(held) ?? newKey(held);
  KEYS.set(held, known);
  return known;
}

/** A home asks for the same keys over and over. */
const KEYS = new WeakMap<HeldRecord, string>();

function newKey({ holder, record }: HeldRecord): string {
  const { group, device, data } = record;
  const role = roleOf(record);
  const hasButton = role === "responder" && holder !== MODEM;
  return [holder, role, group, device, ...(hasButton ? [buttonOf(data)] : [])].join("/");
}

/** Some controllers write 0 for the only load of a device. */
function buttonOf([, , button = 0]: readonly number[]): number {
  return Math.max(1, button);
}

export function nodeOfButton({ nodes }: Pick<Device, "nodes">, data: readonly number[]): DeviceNode | null {
  const button = buttonOf(data);
  return nodes.find((node) => responderButton(node) === button) ?? null;
}

/** null: it responds to nothing. */
function responderButton({ role, suffix }: DeviceNode): number | null {
  const number = Number.parseInt(suffix, 16);
  switch (role) {
    case "dimmer":
    case "button":
      return number;
    case "relay":
    case "motor":
      return 1;
    case "lower-outlet":
    case "fan":
      return 2;
    default:
      return null;
  }
}

/** Level, ramp, button; null for a node that cannot respond. */
function responderData(link: DeviceLink, node: DeviceNode, { known }: PlanGround): readonly number[] | null {
  const button = responderButton(node);
  if (button === null) return null;
  const own = known(node.address, "OL") ?? FULL;
  const level = link.level ? levelOf([link.level], FULL) : own;
  if (node.role === "fan") return [fanLevel(level), 0, button];
  if (node.role !== "dimmer") return [node.role === "motor" ? level : level > 0 ? FULL : 0, 0, button];
  const rate = link.ramp ? link.ramp.value / 10 ** link.ramp.prec : (known(node.address, "RR") ?? USUAL_RATE);
  return [level, Math.min(RATE_MAX, Math.max(RATE_MIN, Math.round(rate))), button];
}

function refusalOf({ product }: Device): string | null {
  if (product.isNoted) return UNIDENTIFIED;
  return isX10(product) ? NO_LINKS : null;
}
