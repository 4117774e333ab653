/** How each role of a node looks: its picture, and the words for its two states. A new role needs a row here. */

import type { Home, Node, NodeRole } from "@domovoi/client";
import {
  BatteryLow,
  BellRing,
  Blinds,
  CircleDot,
  DoorClosed,
  DoorOpen,
  Droplets,
  Fan,
  Flame,
  Footprints,
  LayoutGrid,
  Lightbulb,
  Lock,
  LockOpen,
  type LucideIcon,
  Moon,
  Plug,
  Power,
  Sun,
  Thermometer,
  TriangleAlert,
  User,
  Warehouse,
  Zap,
} from "lucide-preact";
import type { TextKey } from "../text/text.ts";

type Look = {
  readonly Icon: LucideIcon;
  /** While it is active, where that is another picture. */
  readonly Active?: LucideIcon;
  /** While it is active and while it is not. */
  readonly words?: readonly [active: TextKey, rest: TextKey];
};

const ON_OFF = ["state.on", "state.off"] as const;
const OPEN_CLOSED = ["state.open", "state.closed"] as const;
const LAMP: Look = { Icon: Lightbulb, words: ON_OFF };
const alarming = (active: TextKey, Icon: LucideIcon = TriangleAlert): Look => ({
  Icon,
  words: [active, "state.clear"],
});

const LOOKS: Readonly<Record<NodeRole, Look>> = {
  dimmer: LAMP,
  switch: LAMP,
  "color-lamp": LAMP,
  "white-lamp": LAMP,
  outlet: { Icon: Plug, words: ON_OFF },
  appliance: { Icon: Power, words: ON_OFF },
  fan: { Icon: Fan, words: ON_OFF },
  cover: { Icon: Blinds, words: OPEN_CLOSED },
  valve: { Icon: Droplets, words: OPEN_CLOSED },
  "garage-door": { Icon: Warehouse, words: OPEN_CLOSED },
  lock: { Icon: Lock, Active: LockOpen, words: ["state.unlocked", "state.locked"] },
  siren: { Icon: BellRing, words: ["state.sounding", "state.silent"] },
  alarm: { Icon: BellRing },
  alert: { Icon: BellRing },
  thermostat: { Icon: Thermometer },
  person: { Icon: User, words: ["state.home", "state.away"] },
  motion: { Icon: Footprints, words: ["state.motion", "state.clear"] },
  contact: { Icon: DoorClosed, Active: DoorOpen, words: OPEN_CLOSED },
  leak: { Icon: Droplets, words: ["state.wet", "state.dry"] },
  "leak-dry": { Icon: Droplets, words: ["state.wet", "state.dry"] },
  smoke: alarming("state.smoke", Flame),
  "carbon-monoxide": alarming("state.carbonMonoxide"),
  gas: alarming("state.gas"),
  heat: alarming("state.heat", Flame),
  cold: alarming("state.cold"),
  safety: alarming("state.alarm"),
  tamper: alarming("state.tampered"),
  problem: alarming("state.problem"),
  temperature: { Icon: Thermometer },
  humidity: { Icon: Droplets },
  light: { Icon: Sun },
  weather: { Icon: Sun },
  meter: { Icon: Zap },
  "binary-sensor": { Icon: CircleDot, words: ON_OFF },
  sensor: { Icon: CircleDot },
  button: { Icon: LayoutGrid, words: ON_OFF },
  repeater: { Icon: CircleDot },
  other: { Icon: CircleDot },
  heartbeat: { Icon: CircleDot },
  "low-battery": { Icon: BatteryLow, words: ["state.batteryLow", "state.batteryGood"] },
  dusk: { Icon: Sun, Active: Moon, words: ["state.dark", "state.bright"] },
  heating: { Icon: Flame, words: ["state.heating", "state.off"] },
  cooling: { Icon: Thermometer, words: ["state.cooling", "state.off"] },
  opposite: { Icon: CircleDot, words: ON_OFF },
};

export const PURPOSE_NAMES = ["light", "climate", "safety", "energy", "water"] as const;
export type Purpose = (typeof PURPOSE_NAMES)[number];

const PURPOSES: Readonly<Record<Purpose, readonly NodeRole[]>> = {
  light: ["dimmer", "switch", "color-lamp", "white-lamp"],
  climate: ["thermostat", "fan", "temperature", "humidity", "weather", "light"],
  safety: [
    "lock",
    "contact",
    "garage-door",
    "siren",
    "alarm",
    "motion",
    "smoke",
    "carbon-monoxide",
    "gas",
    "heat",
    "safety",
  ],
  energy: ["outlet", "appliance", "meter"],
  water: ["leak", "leak-dry", "valve"],
};

/** What a device is for; each has one color on the page. A switch that its owner uses for something else than a lamp is an appliance. */
export function purposeOf({ role, use }: Pick<Node, "role" | "use">): Purpose | "plain" {
  if (role === null) return "plain";
  const found = PURPOSE_NAMES.find((purpose) => PURPOSES[purpose].includes(role));
  return found === "light" && use === "other" ? "energy" : (found ?? "plain");
}

export const LAMPS: ReadonlySet<string> = new Set<NodeRole>(["dimmer", "switch", "color-lamp", "white-lamp"]);
/** Their state is dangerous or means harm. */
export const ALARMS: ReadonlySet<string> = new Set<NodeRole>([
  ...(["leak", "leak-dry", "smoke", "carbon-monoxide", "gas", "heat", "cold", "safety", "tamper", "siren"] as const),
  "alert",
]);

/** The nodes below the first one of a plugin are devices of their own. */
const PLUGIN = "10";
/** Parts of a device that only say something about it or beside it; they are badges of its row, not rows. */
const PARTS: ReadonlySet<string> = new Set<NodeRole>([
  ...(["heartbeat", "low-battery", "dusk", "tamper", "problem", "heating", "cooling", "opposite"] as const),
  ...(["meter", "button", "binary-sensor", "sensor", "heat", "cold", "safety", "repeater", "other"] as const),
]);

/** Of a role that this page does not know, or of a node whose controller says none. */
const UNKNOWN: Look = { Icon: CircleDot, words: ON_OFF };

export function lookOf(role: string | null): Look {
  return (LOOKS as Readonly<Record<string, Look | undefined>>)[role ?? ""] ?? UNKNOWN;
}

/** Whether it is part of another node's device, and is shown with it. */
export function isPart(home: Home, { address, primary, family, role }: Node): boolean {
  return (
    primary !== null &&
    primary !== address &&
    family !== PLUGIN &&
    PARTS.has(role ?? "") &&
    home.nodes.find(primary) !== null
  );
}
