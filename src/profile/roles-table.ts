/**
 * The table of roles: the first row that fits decides, so specific rows come before general ones, and what must be secured
 * comes first.
 */

import type { EditorRange } from "./editor.ts";
import type { CommandDefinition, Nodedef } from "./nodedef.ts";
import { isTwoValued } from "./predicates.ts";
import { subsetValues } from "./subset.ts";
import { UOM } from "./uom.ts";

export const NODE_ROLES = [
  // Things that a person controls.
  ...["dimmer", "switch", "color-lamp", "white-lamp", "outlet", "appliance", "fan", "cover", "valve"],
  ...["garage-door", "lock", "siren", "alarm", "thermostat"],
  "person",
  "alert",
  // Sensors.
  ...["motion", "contact", "leak", "leak-dry", "smoke", "carbon-monoxide", "gas", "heat", "cold", "safety"],
  ...["temperature", "humidity", "light", "weather", "meter", "binary-sensor", "sensor"],
  ...["button", "repeater", "other"],
  // Parts that say something about their device, or repeat it.
  ...["heartbeat", "low-battery", "dusk", "tamper", "problem", "heating", "cooling", "opposite"],
] as const;

export type NodeRole = (typeof NODE_ROLES)[number];

/** What the rows of the table ask about. */
export type RoleFacts = {
  /** null when it is unknown. */
  readonly nodedef: Nodedef | null;
  /** Of the 101–197 list; null for nodes without a device type. */
  readonly category: number | null;
  /** Generic and specific class of a radio device; null for other nodes. */
  readonly radioClass: readonly [generic: number, specific: number] | null;
  /** What a wired product's node is by its type, where its definition does not say it. */
  readonly product: NodeRole | null;
  /** Ranges of an editor; null for an unknown one. */
  readonly ranges: (editor: string) => readonly EditorRange[] | null;
};

type Fits = (facts: RoleFacts) => boolean;
type RoleRow = readonly [role: NodeRole, fits: Fits];

/** Units of the interface by what they measure. */
const UNITS = {
  temperature: [UOM.celsius, UOM.degrees, UOM.fahrenheit, 26, UOM.halfDegrees],
  humidity: [21, 22],
  light: [36],
  /** A, V, W, kWh and their relatives. */
  electricity: [1, 3, 29, 30, 33, 41, 43, 72, 73, 102, 119, 128, 135, 136],
  water: [6, 7, 8, 35, 39, 69, 130, 142, 143, 144],
  fanLevel: [UOM.percent, UOM.level],
  level: [UOM.percent, UOM.level],
  twoStates: [UOM.boolean, UOM.offOn],
  hue: [149, 153],
  colorTemperature: [26, 152],
} as const satisfies Readonly<Record<string, readonly number[]>>;

const RED = "RED";
const WHITES = ["WARM", "COLD"];
/** Speeds of a fan, off among them. */
const FAN_STEPS = { min: 3, max: 10 } as const;
/** A paddle or button, also one without a load, begins and ends a fade. */
const PADDLE_COMMANDS = ["FDUP", "FDSTOP", "DON3"];
const WEATHER_PROPERTIES = ["SPEED", "RAINRT", "BARPRES", "WINDDIR", "GUST", "PRECIP"];
const ENERGY_PROPERTIES = ["TPW", "CPW", "PPW", "CC"];

export const ROLE_ROWS: readonly RoleRow[] = [
  ["person", all(nodedef("Person"), status(UOM.boolean))],
  ["alert", all(nodedef("Alert"), accepts("CONFIRM"))],

  // Secured.
  ["lock", accepts("SECMD", "LOCK", "UNLOCK")],
  ["siren", all(accepts("ARM", "DISARM"), accepts("DON"))],
  ["alarm", accepts("ARM", "DISARM")],
  ["garage-door", status(UOM.barrier)],
  ["garage-door", category(184)],
  ["lock", category(111)],
  ["lock", all(categoryUnknown, radioClass(0x40, [0, 1, 2, 3, 4]))],
  ["lock", all(status(UOM.deadbolt), not(accepts("DON")))],
  ["siren", all(category(137, 197), accepts("DON", "DOF"))],
  ["alarm", category(135)],
  ["siren", nodedef("AlertModuleSiren", "SirenAlert")],
  ["alarm", nodedef("AlertModuleArmed", "SirenArm")],

  // Parts and products that a wired device's type tells apart.
  ["thermostat", accepts("CLISPH", "CLISPC", "CLIMD")],
  ["motion", nodedef("PIR2844", "PIR2844C")],
  ["button", nodedef("KeypadButton", "RemoteLinc2")],
  ["fan", nodedef("FanLincMotor")],
  ["valve", nodedef("EZRAIN_Output")],
  ...byProduct("motion", "contact", "leak-dry", "smoke", "carbon-monoxide", "outlet", "appliance"),
  ...byProduct("heartbeat", "low-battery", "dusk", "tamper", "problem", "heating", "cooling", "opposite"),

  // Radio devices, by the category that their driver gives each node.
  ["smoke", category(138, 156)],
  ["carbon-monoxide", category(151)],
  ["gas", category(150)],
  ["cold", category(152)],
  ["heat", category(154)],
  ["motion", category(155)],
  ["tamper", category(157)],
  ["contact", category(158, 160)],
  ["leak", category(159)],
  ["safety", all(category(102, 153, 172, 176), reports("ST"))],
  ["problem", category(148, 149, 164, 174, 181)],
  ["meter", category(143, 144, 145, 146)],
  ["repeater", category(129)],
  ["button", category(122, 125, 126, 127, 128, 133, 134, 195)],
  ["appliance", all(category(182), not(switches))],
  ["valve", all(category(123), switches)],
  ["outlet", all(category(120), switches)],
  ["fan", all(radioClass(0x11, [8]), switches)],

  // By commands.
  ["cover", all(accepts("FDUP", "FDDOWN", "FDSTOP"), not(switches))],
  ["fan", all(switches, nodedefIncludes("Fan"))],
  ["fan", all(switches, takesSteps)],
  ["color-lamp", all(switches, dims, takes(UNITS.hue))],
  ["color-lamp", all(switches, dims, hasParameter("COLOR", RED))],
  ["white-lamp", all(switches, dims, takes(UNITS.colorTemperature))],
  ["white-lamp", all(switches, dims, hasParameter("COLOR", ...WHITES))],
  ["cover", all(switches, status(UOM.openClosed))],
  ["valve", all(switches, measures(UNITS.water))],
  ["dimmer", all(switches, dims)],
  ["appliance", all(switches, hasOwnStates)],
  ["switch", switches],

  // By values.
  ["contact", status(UOM.openClosed)],
  ["weather", all(reports("CLITEMP"), reports(...WEATHER_PROPERTIES))],
  ["temperature", status(...UNITS.temperature)],
  ["humidity", status(...UNITS.humidity)],
  ["light", status(...UNITS.light)],
  ["meter", status(...UNITS.electricity, ...UNITS.water)],
  ["button", all(sends(...PADDLE_COMMANDS), not(accepts("DON", "DOF")))],
  ["binary-sensor", isTwoStates],
  ["temperature", reports("CLITEMP")],
  ["humidity", reports("CLIHUM")],
  ["light", reports("LUMIN")],
  ["meter", reports(...ENERGY_PROPERTIES)],
  ["button", all(sends("CTL", "DON", "DOF"), not(reports("ST")))],
  ["sensor", reports("ST")],
];

function all(...rows: readonly Fits[]): Fits {
  return (facts) => rows.every((fits) => fits(facts));
}

function not(fits: Fits): Fits {
  return (facts) => !fits(facts);
}

/** Any of these. */
function accepts(...ids: readonly string[]): Fits {
  return ({ nodedef }) => nodedef?.accepts.some(({ id }) => ids.includes(id)) ?? false;
}

function sends(...ids: readonly string[]): Fits {
  return ({ nodedef }) => nodedef?.sends.some(({ id }) => ids.includes(id)) ?? false;
}

function reports(...ids: readonly string[]): Fits {
  return ({ nodedef }) => nodedef?.properties.some(({ id }) => ids.includes(id)) ?? false;
}

function category(...numbers: readonly number[]): Fits {
  return (facts) => facts.category !== null && numbers.includes(facts.category);
}

function categoryUnknown(facts: RoleFacts): boolean {
  return facts.category === null;
}

function radioClass(generic: number, specifics: readonly number[]): Fits {
  return (facts) => facts.radioClass?.[0] === generic && specifics.includes(facts.radioClass[1]);
}

function byProduct(...roles: readonly NodeRole[]): readonly RoleRow[] {
  return roles.map((role) => [role, ({ product }) => product === role]);
}

/** A well-known definition, in either form. */
function nodedef(...ids: readonly string[]): Fits {
  return (facts) => facts.nodedef !== null && ids.includes(facts.nodedef.id.replace(/_ADV$/, ""));
}

/** Clients know fans by this part of the id. */
function nodedefIncludes(part: string): Fits {
  return (facts) => facts.nodedef?.id.includes(part) ?? false;
}

/** The unit of the status. */
function status(...units: readonly number[]): Fits {
  return (facts) => statusRanges(facts).some(({ uom }) => units.includes(uom));
}

/** The unit of any property. */
function measures(units: readonly number[]): Fits {
  return ({ nodedef: known, ranges }) =>
    known?.properties.some(({ editor }) => ranges(editor)?.some(({ uom }) => units.includes(uom))) ?? false;
}

/** The unit of a parameter of any command. */
function takes(units: readonly number[]): Fits {
  return ({ nodedef: known, ranges }) =>
    known?.accepts.some(({ parameters }) =>
      parameters.some(({ editor }) => ranges(editor)?.some(({ uom }) => units.includes(uom))),
    ) ?? false;
}

function hasParameter(command: string, ...ids: readonly string[]): Fits {
  return ({ nodedef: known }) => parametersOf(known, command).some(({ id }) => ids.includes(id));
}

function switches(facts: RoleFacts): boolean {
  return accepts("DON")(facts) && accepts("DOF")(facts);
}

/** Turning on takes a level of more than two values, or the node has a level beside its state. */
function dims(facts: RoleFacts): boolean {
  const [level] = parametersOf(facts.nodedef, "DON");
  if (!level) return false;
  const ranges = facts.ranges(level.editor);
  const hasLevel = accepts("BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP")(facts) || reports("OL")(facts);
  if (ranges === null) return hasLevel;
  return ranges.some((range) => isOf(range, UNITS.level) && !isTwoValued(range)) && !takesTime(ranges);
}

function takesTime(ranges: readonly EditorRange[]): boolean {
  return ranges.some(({ uom }) => uom === UOM.seconds);
}

function takesSteps(facts: RoleFacts): boolean {
  const [level] = parametersOf(facts.nodedef, "DON");
  const ranges = (level && facts.ranges(level.editor)) ?? [];
  return ranges.some((range) => {
    const steps = subsetValues(range, FAN_STEPS.max)?.length ?? 0;
    return isOf(range, UNITS.fanLevel) && steps >= FAN_STEPS.min;
  });
}

/** It names its states in other words than on and off: no lamp does. */
function hasOwnStates(facts: RoleFacts): boolean {
  const named = statusRanges(facts).flatMap(({ names }) => [...names.values()]);
  return named.length > 0 && !named.some((name) => name.toLowerCase() === "on");
}

function isTwoStates(facts: RoleFacts): boolean {
  return statusRanges(facts).some((range) => isOf(range, UNITS.twoStates) || isTwoValued(range));
}

function isOf({ uom }: EditorRange, units: readonly number[]): boolean {
  return units.includes(uom);
}

function statusRanges({ nodedef: known, ranges }: RoleFacts): readonly EditorRange[] {
  const property = known?.properties.find(({ id }) => id === "ST");
  return (property && ranges(property.editor)) ?? [];
}

function parametersOf(known: Nodedef | null, command: string): CommandDefinition["parameters"] {
  return known?.accepts.find(({ id }) => id === command)?.parameters ?? [];
}
