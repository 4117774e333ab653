/**
 * The main function of an endpoint by its clusters, specific rows before general ones: what it reports and takes. Units and ids are
 * those of the interface.
 *
 * @see docs/matter.md
 */

import { locksBy } from "../../profile/command-words.ts";
import { BOLT, OPENED } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import { foreignNumber, foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { PERCENT } from "../node-parts.ts";
import { climate } from "./climate.ts";
import {
  command,
  type EndpointCommand,
  type EndpointFacts,
  type EndpointFeature,
  type EndpointPart,
  invoke,
  listedFeature,
  namedFeature,
  numberFeature,
  stateFeature,
  write,
} from "./feature.ts";

type FunctionRow = {
  readonly fits: (facts: EndpointFacts) => boolean;
  /** Of the interface's list: what the device is. */
  readonly category: number;
  /** Its status is what a sensor found: a change is a command that it sends. */
  readonly isSensor?: true;
  /** Clients know a fan by the word in its nodedef's id. */
  readonly isFan?: true;
  readonly make: (facts: EndpointFacts) => EndpointPart;
};

const LEVEL_MAX = 254;
const STEP = 20;
const HUE_UOM = 149;
const HUE_MAX = 254;
const MIRED = 152;
const RAW = 56;
const XY_MAX = 65_535;
const FAN_MODES = new Map([
  [1, 1],
  [2, 5],
  [3, 3],
  [4, 1],
  [5, 0],
  [6, 0],
]);
const FAN_OFF = 0;
const FAN_MODE_UOM = 68;
const SECURE_UOM = "ZM_SECMD";
const LOCK_STATUS = "ZM_LOCK_STS";
/** By the number of the lock: not fully locked, locked, unlocked, unlatched. */
const BOLTS = ["jammed", "locked", "unlocked", "unlocked"] as const;
const OPTIONS = { optionsMask: {}, optionsOverride: {} } as const;
/** Colors can be set while the lamp is off. */
const WHILE_OFF = { optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } } as const;
const AT_ONCE = { transitionTime: 0 } as const;
const UP = 0;
const DOWN = 1;
const CLEANING_TAG = 16_385;
const VACUUM_STATES = new Map([
  [0, "Stopped"],
  [1, "Running"],
  [2, "Paused"],
  [3, "Error"],
  [64, "Going to Charge"],
  [65, "Charging"],
  [66, "Docked"],
]);
const OPERATION_STATES = new Map([...VACUUM_STATES].filter(([state]) => state <= 3));

/** Device types of the library's numbers. */
const TYPE = {
  contact: 0x15,
  freeze: 0x41,
  leak: 0x43,
  rain: 0x44,
  plug: 0x10a,
  dimmablePlug: 0x10b,
  pump: 0x303,
} as const;

export const FUNCTION_ROWS: readonly FunctionRow[] = [
  { fits: has("doorLock"), category: 111, make: lock },
  { fits: has("thermostat"), category: 140, make: climate },
  { fits: has("windowCovering"), category: 107, make: cover },
  { fits: has("fanControl"), category: 119, isFan: true, make: fan },
  { fits: has("valveConfigurationAndControl"), category: 123, make: valve },
  { fits: has("rvcRunMode"), category: 182, make: vacuum },
  { fits: has("operationalState"), category: 182, make: appliance },
  { fits: has("smokeCoAlarm", "smokeAlarm"), category: 156, isSensor: true, make: alarm("smokeState") },
  { fits: has("smokeCoAlarm", "coAlarm"), category: 151, isSensor: true, make: alarm("coState") },
  { fits: has("occupancySensing"), category: 155, isSensor: true, make: occupancy },
  { fits: typed("booleanState", TYPE.leak), category: 159, isSensor: true, make: found },
  { fits: typed("booleanState", TYPE.freeze), category: 152, isSensor: true, make: found },
  { fits: typed("booleanState", TYPE.rain), category: 159, isSensor: true, make: found },
  { fits: typed("booleanState", TYPE.contact), category: 160, isSensor: true, make: contact },
  { fits: has("booleanState"), category: 160, isSensor: true, make: contact },
  { fits: all(has("onOff"), has("levelControl"), isOf(TYPE.dimmablePlug)), category: 120, make: dimmer },
  { fits: all(has("onOff"), has("levelControl")), category: 119, make: dimmer },
  { fits: all(has("onOff"), isOf(TYPE.plug)), category: 120, make: onOff },
  { fits: has("onOff"), category: 121, make: onOff },
  { fits: has("levelControl"), category: 119, make: levelAlone },
];

/** A second function of an endpoint, which is a node of its own beside the first: by the category that its address ends with. */
export const SECOND_ROWS: readonly FunctionRow[] = [
  {
    fits: all(has("smokeCoAlarm", "smokeAlarm"), has("smokeCoAlarm", "coAlarm")),
    ...{ category: 151, isSensor: true, make: alarm("coState") },
  },
];

function has(cluster: string, ...features: readonly string[]): FunctionRow["fits"] {
  return (facts) => facts.has(cluster, ...features);
}

function isOf(...types: readonly number[]): FunctionRow["fits"] {
  return (facts) => facts.isOfType(...types);
}

function all(...rows: readonly FunctionRow["fits"][]): FunctionRow["fits"] {
  return (facts) => rows.every((fits) => fits(facts));
}

function typed(cluster: string, ...types: readonly number[]): FunctionRow["fits"] {
  return all(has(cluster), isOf(...types));
}

function isTrue(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function onOff(): EndpointPart {
  return {
    features: [stateFeature("ST", ["onOff", "onOff"], isTrue)],
    commands: [command("DON", () => invoke("onOff", "on")), command("DOF", () => invoke("onOff", "off"))],
  };
}

/** The level stays while it is off. */
function dimmer(facts: EndpointFacts): EndpointPart {
  const status: EndpointFeature = {
    ...numberFeature("ST", ["levelControl", "currentLevel"], { uom: UOM.percent, bounds: [0, 100], also: ["onOff"] }),
    read({ onOff: switched, levelControl }) {
      if (switched?.onOff === false) return 0;
      if (switched?.onOff !== true) return undefined;
      const level = levelControl?.currentLevel;
      return typeof level === "number" ? percentOf(level) : null;
    },
  };
  const parts = [whites(facts), colors(facts)];
  return {
    features: [status, ...parts.flatMap(({ features }) => features)],
    commands: [...LEVEL_COMMANDS, ...parts.flatMap(({ commands }) => commands)],
  };
}

/** Such as a speaker without a switch. */
function levelAlone(): EndpointPart {
  const bounds = [0, 100] as const;
  const status = numberFeature("ST", ["levelControl", "currentLevel"], { uom: UOM.percent, bounds }, percentOf);
  const set = command(
    "DON",
    ({ given }) => invoke("levelControl", "moveToLevel", { level: levelOf(given ?? 100), ...AT_ONCE, ...OPTIONS }),
    { editor: PERCENT, isOptional: true },
  );
  return { features: [status], commands: [set] };
}

const LEVEL_COMMANDS: readonly EndpointCommand[] = [
  command(
    "DON",
    ({ given }) => {
      if (given === null) return invoke("onOff", "on");
      if (given <= 0) return invoke("onOff", "off");
      return invoke("levelControl", "moveToLevelWithOnOff", { level: levelOf(given), ...AT_ONCE, ...OPTIONS });
    },
    { editor: PERCENT, isOptional: true },
  ),
  command("DOF", () => invoke("onOff", "off")),
  command("BRT", () => step(UP)),
  command("DIM", () => step(DOWN)),
  command("FDUP", () => invoke("levelControl", "moveWithOnOff", { moveMode: UP, rate: null, ...OPTIONS })),
  command("FDDOWN", () => invoke("levelControl", "moveWithOnOff", { moveMode: DOWN, rate: null, ...OPTIONS })),
  command("FDSTOP", () => invoke("levelControl", "stop", OPTIONS)),
];

function step(stepMode: number) {
  return invoke("levelControl", "stepWithOnOff", { stepMode, stepSize: STEP, ...AT_ONCE, ...OPTIONS });
}

/** On is never 0. */
function percentOf(level: number): number {
  return Math.max(1, Math.min(100, Math.round((level * 100) / LEVEL_MAX)));
}

function levelOf(percent: number): number {
  return Math.max(1, Math.round((Math.min(percent, 100) * LEVEL_MAX) / 100));
}

function whites(facts: EndpointFacts): EndpointPart {
  if (!facts.has("colorControl", "colorTemperature")) return { features: [], commands: [] };
  const bound = (attribute: string) => foreignNumber(facts.value("colorControl", attribute));
  const limits = [bound("colorTempPhysicalMinMireds"), bound("colorTempPhysicalMaxMireds")].toSorted((a, b) => a - b);
  const [min = 0, max = 0] = limits;
  const bounds = min > 0 && max > min ? ([min, max] as const) : null;
  const label = "Color Temperature";
  const feature = numberFeature("GV1", ["colorControl", "colorTemperatureMireds"], { uom: MIRED, bounds, label });
  const set = command("GV1", ({ given }) => color("moveToColorTemperature", "colorTemperatureMireds", given), {
    ...{ editor: feature.editor, label },
  });
  return { features: [feature], commands: [set] };
}

function colors(facts: EndpointFacts): EndpointPart {
  const isHued = facts.has("colorControl", "hueSaturation");
  const [hueLabel, saturationLabel] = ["Hue", "Saturation"];
  const hue = numberFeature(
    ...(["GV2", ["colorControl", "currentHue"], { uom: HUE_UOM, bounds: [0, 360], label: hueLabel }] as const),
    (value) => Math.round((value * 360) / HUE_MAX),
  );
  const saturation = numberFeature(
    ...([
      "GV3",
      ["colorControl", "currentSaturation"],
      { uom: UOM.percent, bounds: [0, 100], label: saturationLabel },
    ] as const),
    (value) => Math.round((value * 100) / HUE_MAX),
  );
  const place = (id: string, attribute: string, label: string) =>
    numberFeature(id, ["colorControl", attribute], { uom: RAW, bounds: [0, XY_MAX], label });
  const scaled = (given: number | null, max: number) => (given === null ? null : Math.round((given * HUE_MAX) / max));
  return {
    features: [
      ...(isHued ? [hue, saturation] : []),
      ...(facts.has("colorControl", "xy") ? [place("GV4", "currentX", "X"), place("GV5", "currentY", "Y")] : []),
    ],
    commands: isHued
      ? [
          command("GV2", ({ given }) => color("moveToHue", "hue", scaled(given, 360), { direction: 0 }), {
            ...{ editor: hue.editor, label: hueLabel },
          }),
          command("GV3", ({ given }) => color("moveToSaturation", "saturation", scaled(given, 100)), {
            ...{ editor: saturation.editor, label: saturationLabel },
          }),
        ]
      : [],
  };
}

function color(name: string, field: string, value: number | null, more: Readonly<Record<string, number>> = {}) {
  if (value === null) return null;
  return invoke("colorControl", name, { [field]: Math.round(value), ...more, ...AT_ONCE, ...WHILE_OFF });
}

/** The device counts what is closed, in hundredths. No DOF, or clients would take it for a lamp. */
function cover(facts: EndpointFacts): EndpointPart {
  const open = (value: number) => Math.round(100 - value / 100);
  const percent = { uom: UOM.percent, bounds: [0, 100] } as const;
  const lift = numberFeature("ST", ["windowCovering", "currentPositionLiftPercent100ths"], percent, open);
  const label = "Tilt";
  const tilt = numberFeature(
    ...(["GV6", ["windowCovering", "currentPositionTiltPercent100ths"], { ...percent, label }] as const),
    open,
  );
  const [hasLift, hasTilt] = [
    facts.has("windowCovering", "positionAwareLift"),
    facts.has("windowCovering", "positionAwareTilt"),
  ];
  const closed = (given: number) => Math.round((100 - given) * 100);
  const move = (name: string) => () => invoke("windowCovering", name);
  const goTo = command(
    "DON",
    ({ given }) =>
      given === null
        ? invoke("windowCovering", "upOrOpen")
        : invoke("windowCovering", "goToLiftPercentage", { liftPercent100thsValue: closed(given) }),
    { editor: PERCENT, isOptional: true },
  );
  const tiltTo = command(
    "GV6",
    ({ given }) =>
      given === null ? null : invoke("windowCovering", "goToTiltPercentage", { tiltPercent100thsValue: closed(given) }),
    { editor: PERCENT, label },
  );
  return {
    features: [...(hasLift ? [lift] : []), ...(hasTilt ? [tilt] : [])],
    commands: [
      hasLift ? goTo : command("DON", move("upOrOpen")),
      command("FDUP", move("upOrOpen")),
      command("FDDOWN", move("downOrClose")),
      command("FDSTOP", move("stopMotion")),
      ...(hasTilt ? [tiltTo] : []),
    ],
  };
}

function lock(facts: EndpointFacts): EndpointPart {
  const status: EndpointFeature = {
    ...numberFeature("ST", ["doorLock", "lockState"], { uom: BOLT.uom, bounds: [0, 102] }),
    editor: LOCK_STATUS,
    read({ doorLock }) {
      const state = doorLock?.lockState;
      return state === undefined ? undefined : BOLT.numberOf(BOLTS[foreignNumber(state ?? -1)] ?? null);
    },
  };
  const isOpen = (value: unknown) => (value === 0 ? true : value === 1 ? false : null);
  const door = stateFeature("GV1", ["doorLock", "doorState"], isOpen, OPENED, "Door");
  const secure = command(
    "SECMD",
    ({ given, values, lockCode }) => {
      if (given === null) return null;
      const needsCode = values.doorLock?.requirePinForRemoteOperation === true;
      if (needsCode && lockCode === "") {
        return {
          refusal: "The lock requires a code for commands. Set the lock code in the settings of the integration.",
        };
      }
      const fields = needsCode ? { pinCode: new TextEncoder().encode(lockCode) } : {};
      return invoke("doorLock", locksBy(given) ? "lockDoor" : "unlockDoor", fields);
    },
    { editor: SECURE_UOM },
  );
  return {
    features: [status, ...(facts.has("doorLock", "doorPositionSensor") ? [door] : [])],
    commands: [secure],
  };
}

function fan(): EndpointPart {
  const percent = { uom: UOM.percent, bounds: [0, 100] } as const;
  const status: EndpointFeature = {
    ...numberFeature("ST", ["fanControl", "percentCurrent"], percent),
    read({ fanControl }) {
      const current = fanControl?.percentCurrent ?? fanControl?.percentSetting;
      if (current === undefined) return undefined;
      return typeof current === "number" ? current : null;
    },
  };
  const mode = listedFeature("CLIFS", ["fanControl", "fanMode"], FAN_MODE_UOM, FAN_MODES);
  const modeOf = (own: number | null) => [...FAN_MODES].find(([, each]) => each === own)?.[0] ?? null;
  const turn = (percentSetting: number) => write("fanControl", { percentSetting });
  return {
    features: [status, mode],
    commands: [
      command("DON", ({ given }) => turn(Math.round(given ?? 100)), { editor: PERCENT, isOptional: true }),
      command("DOF", () => write("fanControl", { fanMode: FAN_OFF })),
      command(
        "CLIFS",
        ({ given }) => {
          const fanMode = modeOf(given);
          return fanMode === null ? null : write("fanControl", { fanMode });
        },
        { editor: mode.editor },
      ),
    ],
  };
}

function valve(facts: EndpointFacts): EndpointPart {
  const isOpen = (value: unknown) => (value === 1 ? true : value === 0 ? false : null);
  const status = facts.has("valveConfigurationAndControl", "level")
    ? numberFeature("ST", ["valveConfigurationAndControl", "currentLevel"], { uom: UOM.percent, bounds: [0, 100] })
    : stateFeature("ST", ["valveConfigurationAndControl", "currentState"], isOpen);
  return {
    features: [status],
    commands: [
      command("DON", () => invoke("valveConfigurationAndControl", "open", {})),
      command("DOF", () => invoke("valveConfigurationAndControl", "close")),
    ],
  };
}

function vacuum(facts: EndpointFacts): EndpointPart {
  const cleaning = modesOf(facts, "rvcRunMode").find(({ tags }) => tags.includes(CLEANING_TAG));
  return {
    features: [namedFeature("ST", ["rvcOperationalState", "operationalState"], VACUUM_STATES)],
    commands: [
      ...(cleaning ? [command("DON", () => invoke("rvcRunMode", "changeToMode", { newMode: cleaning.mode }))] : []),
      command("DOF", () => invoke("rvcOperationalState", "goHome")),
    ],
  };
}

function appliance(): EndpointPart {
  return {
    features: [namedFeature("ST", ["operationalState", "operationalState"], OPERATION_STATES)],
    commands: [
      command("DON", () => invoke("operationalState", "start")),
      command("DOF", () => invoke("operationalState", "stop")),
    ],
  };
}

function alarm(attribute: string): FunctionRow["make"] {
  const isFound = (value: unknown) => (typeof value === "number" ? value > 0 : null);
  return () => ({ features: [stateFeature("ST", ["smokeCoAlarm", attribute], isFound)], commands: [] });
}

function occupancy(): EndpointPart {
  const isOccupied = (value: unknown) => isTrue((value as { readonly occupied?: unknown } | null)?.occupied ?? null);
  return { features: [stateFeature("ST", ["occupancySensing", "occupancy"], isOccupied)], commands: [] };
}

function found(): EndpointPart {
  return { features: [stateFeature("ST", ["booleanState", "stateValue"], isTrue)], commands: [] };
}

function contact(): EndpointPart {
  // Matter says true when the contact is closed.
  const isOpen = (value: unknown) => (typeof value === "boolean" ? !value : null);
  return { features: [stateFeature("ST", ["booleanState", "stateValue"], isOpen, OPENED)], commands: [] };
}

type Mode = { readonly mode: number; readonly label: string; readonly tags: readonly number[] };

/** The modes of a cluster that has them. */
export function modesOf(facts: EndpointFacts, cluster: string): readonly Mode[] {
  const supported = facts.value(cluster, "supportedModes");
  const known = Array.isArray(supported) ? supported.filter(isRecord) : [];
  return known.flatMap(({ mode, label, modeTags }) => {
    if (typeof mode !== "number" || !Number.isInteger(mode) || mode < 0) return [];
    const tags = Array.isArray(modeTags) ? modeTags.filter(isRecord).map(({ value }) => foreignNumber(value)) : [];
    return [{ mode, label: foreignText(label), tags }];
  });
}
