/** The demo home's devices: the built-in home, or a home of any size in the same proportions. */

import type { DeviceKind } from "../drivers/virtual/kinds.ts";
import type { VirtualDevice } from "../drivers/virtual/virtual-device.ts";
import type { DemoRoom } from "./demo-home.ts";
import { DEMO_HOME, IRRIGATION_SLOT, WEATHER_SLOT } from "./demo-home.ts";

/** @param count number of nodes, 0 … 100,000; 0 = the built-in home. The same count gives the same home. */
export function demoDevices(count: number): readonly VirtualDevice[] {
  return demoRooms(count).flatMap((room) => room.devices);
}

/** The same devices room by room. */
export function demoRooms(count: number): readonly DemoRoom[] {
  return count === 0 ? DEMO_HOME : sizedRooms(count);
}

const NODES_PER_ROOM = 25;
/** Node numbers of a radio network. */
const RADIO_FIRST = 2;
const RADIO_LAST = 232;
/** Every so manieth room lies in the one before it. */
const NESTING = 8;

type Pattern = {
  readonly kind: DeviceKind;
  readonly nodes: number;
  readonly name: string;
  readonly family: 1 | 4 | 10 | 12;
};

/** One turn has 55 nodes, as the built-in home; each kind is spread over the turn. */
const PATTERN: readonly Pattern[] = [
  { kind: "dimmer", nodes: 1, name: "Ceiling", family: 1 },
  { kind: "relay", nodes: 1, name: "Wall Light", family: 1 },
  { kind: "keypad", nodes: 5, name: "Keypad", family: 1 },
  { kind: "radio-dimmer", nodes: 1, name: "Reading Lamp", family: 4 },
  { kind: "door", nodes: 3, name: "Door", family: 1 },
  { kind: "dimmer", nodes: 1, name: "Floor Lamp", family: 1 },
  { kind: "motion", nodes: 4, name: "Motion", family: 1 },
  { kind: "radio-lock", nodes: 1, name: "Lock", family: 4 },
  { kind: "outlet", nodes: 1, name: "Outlet", family: 1 },
  { kind: "dimmer", nodes: 1, name: "Counter", family: 1 },
  { kind: "leak", nodes: 3, name: "Leak", family: 1 },
  { kind: "radio-plug", nodes: 2, name: "Plug", family: 4 },
  { kind: "relay", nodes: 1, name: "Closet", family: 1 },
  { kind: "dimmer", nodes: 1, name: "Table Lamp", family: 1 },
  { kind: "fan", nodes: 2, name: "Fan", family: 1 },
  { kind: "blind", nodes: 1, name: "Blind", family: 1 },
  { kind: "thermostat", nodes: 3, name: "Thermostat", family: 1 },
  { kind: "radio-sensor", nodes: 1, name: "Climate", family: 4 },
  { kind: "dimmer", nodes: 1, name: "Shelf", family: 1 },
  { kind: "relay", nodes: 1, name: "Mirror", family: 1 },
  { kind: "radio-dimmer", nodes: 1, name: "Bedside Lamp", family: 12 },
  { kind: "radio-thermostat", nodes: 1, name: "Radiator", family: 12 },
  { kind: "radio-motion", nodes: 1, name: "Presence", family: 4 },
  { kind: "leak", nodes: 3, name: "Washer Leak", family: 1 },
  { kind: "radio-switch", nodes: 1, name: "Heater", family: 12 },
  { kind: "dimmer", nodes: 1, name: "Desk Lamp", family: 1 },
  { kind: "relay", nodes: 1, name: "Porch", family: 1 },
  { kind: "siren", nodes: 1, name: "Siren", family: 1 },
  { kind: "meter", nodes: 1, name: "Meter", family: 1 },
  { kind: "radio-contact", nodes: 1, name: "Window", family: 12 },
  { kind: "plugin-weather", nodes: 1, name: "Weather", family: 10 },
  { kind: "plugin-irrigation", nodes: 1, name: "Irrigation", family: 10 },
  { kind: "plugin-zone", nodes: 1, name: "Zone", family: 10 },
  { kind: "plugin-zone", nodes: 1, name: "Bed", family: 10 },
  { kind: "dimmer", nodes: 1, name: "Picture Light", family: 1 },
  { kind: "relay", nodes: 1, name: "Garden Light", family: 1 },
];

const ROOM_NAMES = ["Hall", "Kitchen", "Living Room", "Bedroom", "Bathroom", "Study", "Nursery", "Garage", "Terrace"];

/** Takes what fits of the pattern, turn after turn, until exactly `count` nodes stand in rooms of about 25. */
function sizedRooms(count: number): readonly DemoRoom[] {
  const rooms: DemoRoom[] = [];
  const addresses = new AddressBook();
  let turn = 0;
  for (let left = count; left > 0; ) {
    const devices: VirtualDevice[] = [];
    const name = roomName(rooms.length);
    let room = Math.min(NODES_PER_ROOM, left);
    for (; room > 0; turn += 1) {
      const pattern = fitting(PATTERN[turn % PATTERN.length] ?? FILLER, left, addresses);
      devices.push({ kind: pattern.kind, ...addresses.next(pattern), name: `${name} ${pattern.name} ${turn + 1}` });
      left -= pattern.nodes;
      room -= pattern.nodes;
    }
    const isNested = rooms.length % NESTING === NESTING - 1;
    rooms.push({ name, ...(isNested && { within: roomName(rooms.length - 1) }), devices });
  }
  return rooms;
}

const FILLER: Pattern = { kind: "dimmer", nodes: 1, name: "Lamp", family: 1 };

/** A device that is too large for the rest, or for which its network has no number left, is a lamp instead. */
function fitting(pattern: Pattern, left: number, addresses: AddressBook): Pattern {
  return pattern.nodes > left || !addresses.hasRoom(pattern) ? FILLER : pattern;
}

function roomName(index: number): string {
  return `${ROOM_NAMES[index % ROOM_NAMES.length]} ${Math.floor(index / ROOM_NAMES.length) + 1}`;
}

/** Hands out addresses in the forms of their families, each once. */
class AddressBook {
  #wired = 0;
  #plugin = 0;
  #irrigation: string | null = null;
  readonly #radio = { 4: RADIO_FIRST, 12: RADIO_FIRST };

  hasRoom({ family }: Pattern): boolean {
    return (family !== 4 && family !== 12) || this.#radio[family] <= RADIO_LAST;
  }

  next({ kind, family }: Pattern): { readonly address: string; readonly primary?: string } {
    switch (family) {
      case 1:
        return { address: wiredAddress(this.#wired++) };
      case 4:
        return { address: `ZW${radioNumber(this.#radio[4]++)}_1` };
      case 12:
        return { address: `ZY${radioNumber(this.#radio[12]++)}_1` };
      case 10:
        return this.#pluginAddress(kind);
    }
  }

  /** A zone belongs to the irrigation controller before it. */
  #pluginAddress(kind: DeviceKind): { readonly address: string; readonly primary?: string } {
    this.#plugin += 1;
    if (kind === "plugin-weather") return { address: `${WEATHER_SLOT}_station${this.#plugin}` };
    const address = `${IRRIGATION_SLOT}_${kind === "plugin-zone" ? "zone" : "control"}${this.#plugin}`;
    if (kind !== "plugin-zone") this.#irrigation = address;
    return this.#irrigation === null ? { address } : { address, primary: this.#irrigation };
  }
}

/** Three bytes, scattered as real addresses are; an odd factor meets every number of three bytes once. */
function wiredAddress(index: number): string {
  const bytes = Math.imul(index + 1, 0x9e_37_79) & 0xff_ff_ff;
  const hex = [(bytes >> 16) & 0xff, (bytes >> 8) & 0xff, bytes & 0xff].map((byte) => byte.toString(16).toUpperCase());
  return `${hex.join(" ")} 1`;
}

function radioNumber(number: number): string {
  return String(number).padStart(3, "0");
}
