/**
 * The commands of Z-Wave devices: which a node accepts, and what each means on the air. A feature is what an endpoint can
 * do; of those that move something the first that fits is the node's own, the others are added.
 *
 * Commands are spelled as in `profile/builtin/definition-text.ts`; `*` is the prefix of the radio's family.
 */

import { locksBy } from "../../../profile/command-words.ts";
import { type Act, type Given, givenParameter, mainNumber, rampOf } from "./act.ts";
import { CC } from "./command-class-table.ts";
import type { EndpointView, ValueKey, ValueView } from "./device-view.ts";
import { levelToPercent, percentToLevel } from "./exact.ts";
import { CHANNELS, isFan, isMotor, isRelay, isSensor } from "./value-table.ts";

export type PlanCommand = { readonly spelled: string; readonly act: (given: Given) => Act };

export type ClassFeature = {
  readonly name: string;
  readonly commands: readonly PlanCommand[];
  /** Commands that the device itself sends. */
  readonly sends?: string;
};

type Finder = (commandClass: number, property: string | number, propertyKey?: string | number) => ValueView | null;
type FeatureRow = (find: Finder, endpoint: EndpointView) => ClassFeature | null;

/** Command classes that move or make noise; the first that fits. */
const MOVERS: readonly FeatureRow[] = [
  ...[lock, simpleLock, barrier, covering, motor],
  ...[powerSwitch, dimmer, sound, relay, basic],
];
/** Command classes beside it. */
const ADDITIONS: readonly FeatureRow[] = [color, meterReset, basicEvent, sceneActivation];

export function featuresOf(endpoint: EndpointView, values: readonly ValueView[]): readonly ClassFeature[] {
  const find: Finder = (commandClass, property, propertyKey) =>
    values.find(
      (value) =>
        value.commandClass === commandClass &&
        value.endpoint === endpoint.index &&
        value.property === property &&
        (propertyKey === undefined || value.propertyKey === propertyKey),
    ) ?? null;
  const fit = (row: FeatureRow) => row(find, endpoint) ?? [];
  return [...MOVERS.flatMap(fit).slice(0, 1), ...ADDITIONS.flatMap(fit)];
}

const FULL = 99;
const STEP_PERCENT = 3;
const PREVIOUS_INDEX = 25;
const BYTE = 100;
const AT_ONCE = "0s";

function sibling({ commandClass, endpoint, propertyKey }: ValueKey, property: string): ValueKey {
  return { commandClass, endpoint, property, ...(propertyKey === undefined ? {} : { propertyKey }) };
}

function set(value: ValueKey, to: unknown, more: { readonly duration?: string } = {}): Act {
  return { kind: "set", value, to, ...more };
}

type Aim = { readonly duration?: string; readonly target?: string };

/** Writes the target of a pair of target and current value. */
function aim(current: ValueKey, to: unknown, { target = "targetValue", ...more }: Aim = {}): Act {
  const effect = { value: current, expected: to };
  return { kind: "set", value: sibling(current, target), to, ...more, effect };
}

/** The requested level, 0 … 99; null = none, or the one before. */
function levelOf(given: Given): number | null {
  const main = givenParameter(given);
  if (!main || main.uom === PREVIOUS_INDEX) return null;
  const shown = mainNumber(given) ?? 0;
  return percentToLevel(main.uom === BYTE ? (shown * 100) / 255 : shown);
}

function dimmer(find: Finder, endpoint: EndpointView): ClassFeature | null {
  const level = find(CC.multilevelSwitch, "currentValue");
  if (!level) return null;
  const restore: Act = {
    kind: "set",
    value: sibling(level, "restorePrevious"),
    to: true,
    effect: { value: level, expected: undefined },
  };
  const on = (given: Given): Act => {
    const wanted = levelOf(given);
    return wanted === null ? { ...restore, ...rampOf(given) } : aim(level, wanted, rampOf(given));
  };
  return {
    name: isFan(endpoint) ? "Fan" : "Dimmer",
    sends: "DON DOF FDUP FDDOWN FDSTOP",
    commands: [
      { spelled: "DON(*_DIM_PERCENT?,RR:*_RR?)", act: on },
      { spelled: "DOF", act: () => aim(level, 0) },
      { spelled: "DFON", act: () => aim(level, FULL, { duration: AT_ONCE }) },
      { spelled: "DFOF", act: () => aim(level, 0, { duration: AT_ONCE }) },
      { spelled: "BRT", act: (given) => step(level, given, STEP_PERCENT) },
      { spelled: "DIM", act: (given) => step(level, given, -STEP_PERCENT) },
      { spelled: "FDUP", act: () => move(level, "up") },
      { spelled: "FDDOWN", act: () => move(level, "down") },
      { spelled: "FDSTOP", act: () => call(level, "stopLevelChange", []) },
    ],
  };
}

function step(level: ValueKey, given: Given, by: number): Act {
  const known = given.current(level);
  const percent = typeof known === "number" ? levelToPercent(known) : null;
  if (percent === null || percent > 100) return { kind: "refuse", detail: "The level of the device is not known." };
  return aim(level, percentToLevel(percent + by), { duration: AT_ONCE });
}

function move(level: ValueKey, direction: "up" | "down"): Act {
  return call(level, "startLevelChange", [{ direction, ignoreStartLevel: true }]);
}

function call(value: ValueKey, method: string, args: readonly unknown[]): Act {
  const { commandClass, endpoint } = value;
  return { kind: "call", commandClass, endpoint, method, args, effect: { value, expected: undefined } };
}

/**
 * A cover has no DOF, or clients would take it for a lamp. DON opens it, to a position when one is given. A parameter names
 * the command (DON, DOF) or the position (OL) that clients send although the cover does not accept it.
 */
const COVER = {
  position: "DON(_51_0_R_0_100=OL?)",
  open: "FDUP(_51_0_R_0_100=DON?)",
  close: "FDDOWN(_51_0_R_0_100=DOF?)",
} as const;

function motor(find: Finder, endpoint: EndpointView): ClassFeature | null {
  const position = isMotor(endpoint) ? find(CC.multilevelSwitch, "currentValue") : null;
  if (!position) return null;
  return {
    name: "Cover",
    commands: [...positionsOf(position), { spelled: "FDSTOP", act: () => call(position, "stopLevelChange", []) }],
  };
}

function positionsOf(current: ValueKey): readonly PlanCommand[] {
  return [
    { spelled: COVER.position, act: (given) => aim(current, levelOf(given) ?? FULL) },
    { spelled: "FDUP", act: () => aim(current, FULL) },
    { spelled: COVER.close, act: (given) => aim(current, levelOf(given) ?? 0) },
  ];
}

/**
 * Slats have value ids of their own; only the odd ones have a position. For a blind without any other function they
 * are its position.
 */
function covering(find: Finder): ClassFeature | null {
  const part = (keys: readonly number[]) => first(keys, (key) => find(CC.windowCovering, "currentValue", key));
  const slats = part(SLATS);
  const lift = part(LIFTS) ?? slats ?? part(SLATS_WITHOUT_POSITION);
  if (!lift) return null;
  const number = Number(lift.propertyKey);
  const hasPosition = number % 2 === 1;
  const travel = (direction: "up" | "down"): Act => call(lift, "startLevelChange", [number, direction]);
  const ways: readonly PlanCommand[] = [
    { spelled: COVER.open, act: () => travel("up") },
    { spelled: COVER.close, act: () => travel("down") },
  ];
  const isBoth = slats !== null && slats !== lift;
  const angle = (given: Given) => aim(slats ?? lift, percentToLevel(mainNumber(given) ?? 0));
  return {
    name: "Cover",
    commands: [
      ...(hasPosition ? positionsOf(lift) : ways),
      { spelled: "FDSTOP", act: () => call(lift, "stopLevelChange", [number]) },
      ...(isBoth ? [{ spelled: "ANGLPOS(_51_0_R_0_100=ANGLPOS)", act: angle }] : []),
    ],
  };
}

/** Parameters of window coverings; those with a position come first. */
const LIFTS = [13, 1, 3, 5, 7, 9, 15, 17, 19, 21, 12, 0, 2, 4, 6, 8, 14, 16, 18, 20] as const;
const SLATS = [23, 11] as const;
const SLATS_WITHOUT_POSITION = [22, 10] as const;

function first<T>(keys: readonly number[], get: (key: number) => T | null): T | null {
  for (const key of keys) {
    const found = get(key);
    if (found) return found;
  }
  return null;
}

function powerSwitch(find: Finder, endpoint: EndpointView): ClassFeature | null {
  return isRelay(endpoint) ? relay(find) : null;
}

function relay(find: Finder): ClassFeature | null {
  const state = find(CC.binarySwitch, "currentValue");
  if (!state) return null;
  const commands = [
    ["DON", true],
    ["DOF", false],
    ["DFON", true],
    ["DFOF", false],
  ] as const;
  return {
    name: "Switch",
    sends: "DON DOF",
    commands: commands.map(([spelled, to]) => ({ spelled, act: () => aim(state, to) })),
  };
}

function basic(find: Finder, endpoint: EndpointView): ClassFeature | null {
  const state = isSensor(endpoint) ? null : find(CC.basic, "currentValue");
  if (!state) return null;
  return {
    name: "Basic",
    commands: [
      { spelled: "DON(_51_0_R_0_100?)", act: (given) => aim(state, levelOf(given) ?? 255) },
      { spelled: "DOF", act: () => aim(state, 0) },
    ],
  };
}

const SECURED = 0xff;
const UNSECURED = 0x00;

function lock(find: Finder): ClassFeature | null {
  const bolt = find(CC.doorLock, "currentMode");
  if (!bolt) return null;
  const turn = (given: Given) =>
    aim(bolt, locksBy(mainNumber(given) ?? 1) ? SECURED : UNSECURED, { target: "targetMode" });
  return { name: "Lock", commands: [{ spelled: "SECMD(*_SECMD)", act: turn }] };
}

function simpleLock(find: Finder): ClassFeature | null {
  const locked = find(CC.lock, "locked");
  if (!locked) return null;
  return {
    name: "Lock",
    commands: [{ spelled: "SECMD(*_SECMD)", act: (given) => set(locked, locksBy(mainNumber(given) ?? 1)) }],
  };
}

function barrier(find: Finder): ClassFeature | null {
  const state = find(CC.barrierOperator, "currentState");
  if (!state) return null;
  const run = (to: 0 | 255) => aim(state, to, { target: "targetState" });
  return {
    name: "Barrier",
    commands: [
      { spelled: "DON", act: () => run(255) },
      { spelled: "FDUP", act: () => run(255) },
      { spelled: COVER.close, act: () => run(0) },
    ],
  };
}

const DEFAULT_TONE = 255;

function sound(find: Finder): ClassFeature | null {
  const tone = find(CC.soundSwitch, "toneId");
  if (!tone) return null;
  const last = Math.max(
    1,
    ...Object.keys(tone.metadata.states ?? {})
      .map(Number)
      .filter((id) => id < DEFAULT_TONE),
  );
  const volume = find(CC.soundSwitch, "defaultVolume");
  const louder: readonly PlanCommand[] = volume
    ? [{ spelled: "SVOL(_51_0_R_0_100=SVOL)", act: (given) => set(volume, Math.round(mainNumber(given) ?? 0)) }]
    : [];
  return {
    name: "Sound",
    commands: [
      { spelled: `DON(_25_0_R_1_${last}?)`, act: (given) => set(tone, mainNumber(given) ?? DEFAULT_TONE) },
      { spelled: "DOF", act: () => set(tone, 0) },
      ...louder,
    ],
  };
}

const CHANNEL_FULL = 255;
const WHITES: ReadonlySet<string> = new Set(["warmWhite", "coldWhite"]);

/** Channels that are not given stay as they are; without any, the light turns white. */
function color(find: Finder, endpoint: EndpointView): ClassFeature | null {
  const has = CHANNELS.filter((_channel, key) => find(CC.colorSwitch, "currentColor", key));
  if (has.length === 0) return null;
  const value = { commandClass: CC.colorSwitch, endpoint: endpoint.index, property: "targetColor" };
  const isPlainWhite = has.some(({ name }) => WHITES.has(name));
  const white = Object.fromEntries(has.map(({ name }) => [name, WHITES.has(name) === isPlainWhite ? CHANNEL_FULL : 0]));
  const parameters = has.map(({ id }) => `${id}:_100_0_R_0_255=${id}?`).join(",");
  return {
    name: "Color",
    commands: [
      {
        spelled: `COLOR(${parameters},RR:*_RR?)`,
        act(given) {
          const wanted = has.flatMap(({ id, name }) => {
            const channel = givenParameter(given, id);
            return channel ? [[name, channel.value] as const] : [];
          });
          const to = wanted.length === 0 ? white : Object.fromEntries(wanted);
          return set(value, to, rampOf(given));
        },
      },
    ],
  };
}

/** Commands of a paddle to the devices that it controls. */
function basicEvent(find: Finder): ClassFeature | null {
  return find(CC.basic, "event") && { name: "Event", commands: [], sends: "DON DOF" };
}

function sceneActivation(find: Finder): ClassFeature | null {
  return find(CC.sceneActivation, "sceneId") && { name: "Scene", commands: [], sends: "CTL" };
}

/** Counts on a meter's own node; found through the endpoint that has it. */
function meterReset(find: Finder, endpoint: EndpointView): ClassFeature | null {
  const reset = find(CC.meter, "reset");
  if (!reset) return null;
  const { commandClass } = reset;
  return {
    name: METER_FEATURE,
    commands: [
      {
        spelled: "RESET",
        act: () => ({ kind: "call", commandClass, endpoint: endpoint.index, method: "reset", args: [] }),
      },
    ],
  };
}

/** The feature whose commands are those of the meter's node. */
export const METER_FEATURE = "Meter";
