/**
 * A device as the home has it: its nodes, each with its properties, the commands that it accepts and those that it sends.
 * Pure: the same device always has the same plan, so equal devices share a nodedef and addresses never move.
 */

import { controlLabel } from "../../../profile/builtin/command-ids-table.ts";
import { METER_PART, notificationPart, scenePart } from "../addresses.ts";
import { type Act, type Given, givenParameter, mainNumber } from "./act.ts";
import { categoryName, categoryOfClass, UNKNOWN_CATEGORY } from "./category-table.ts";
import { CC } from "./command-class-table.ts";
import { type ClassFeature, featuresOf, METER_FEATURE, type PlanCommand } from "./command-table.ts";
import type { DeviceView, EndpointView, ValueView } from "./device-view.ts";
import { fromDecimal } from "./exact.ts";
import { type Kind, kindOfMetadata, namedEditor, quantity, shortHash } from "./kinds.ts";
import { lockTimerAct } from "./lock-timer.ts";
import { labelsOf } from "./node-name.ts";
import { ACCESS_CONTROL, categoryOfNotification, NOTIFICATION_SENSOR, SIREN } from "./notification-table.ts";
import { isHidden, type Shown, type Speaks, showValue } from "./value-table.ts";

export type PropertyPlan = {
  readonly id: string;
  /** Its label; null = the interface's name of the id. */
  readonly label: string | null;
  readonly kind: Kind;
  readonly hide: boolean;
  /** The value that reports it, or null for facts of the driver itself: trouble, events. */
  readonly value: ValueView | null;
  /** When it is also sent as DON and DOF; null = never. */
  readonly speaks: Speaks | null;
};

type CommandPlan = { readonly id: string; readonly spelled: string; readonly act: (given: Given) => Act };

export type NodePlan = {
  readonly endpoint: number;
  readonly part: number;
  readonly category: number;
  /** Its name after the device's number or name; unique within the device. */
  readonly label: string;
  readonly isFan: boolean;
  readonly properties: readonly PropertyPlan[];
  readonly commands: readonly CommandPlan[];
  /** Ids of the commands that it sends. */
  readonly sends: readonly string[];
};

/** A node before it is known how the others are called. */
type Draft = Omit<NodePlan, "label"> & { readonly words: readonly string[] };

/** The first node of the plan is the device's own. */
export function planDevice(view: DeviceView): readonly NodePlan[] {
  const drafts = draftNodes(view);
  const labels = labelsOf(drafts);
  return drafts.map(({ words: _words, ...node }, at) => ({ ...node, label: labels[at] ?? "" }));
}

function draftNodes(view: DeviceView): readonly Draft[] {
  const values = view.values.flatMap((value) => place(value, view));
  return view.endpoints.flatMap((endpoint) => {
    const own = values.filter(({ value }) => value.endpoint === endpoint.index);
    const features = featuresOf(endpoint, view.values);
    const parts = [...new Set(own.map(({ shown }) => shown.part ?? 0))].filter((part) => part > 0);
    const others = [...new Set([...parts, ...eventParts(endpoint, view)])].sort((a, b) => a - b);
    const main = endpoint.index === 0 || own.some(({ shown }) => !shown.part) || features.length > 0;
    return [
      ...(main ? [mainNode(endpoint, own, features)] : []),
      ...others.map((part) => partNode(view, endpoint, part, own, features)),
      ...sceneNodes(view, endpoint),
    ];
  });
}

/** ERR 1 means that the device does not answer. */
const TROUBLE: PropertyPlan = {
  id: "ERR",
  label: null,
  kind: namedEditor(0, "*_ERR"),
  hide: true,
  value: null,
  speaks: null,
};

/** Set by the last event of a notification type, with the text of the event. */
export const EVENT_PROPERTY = "ALARM";
export const USER_PROPERTY = "USRNUM";
const LOCK_EVENT = namedEditor(15, "*_LOCK_ALARM");
const ANY_EVENT = quantity(25, 0, [0, 255]);
const USER = quantity(70, 0, [0, 65_535]);

type Placed = { readonly value: ValueView; readonly shown: Shown };

function place(value: ValueView, { endpoints }: DeviceView): readonly Placed[] {
  const endpoint = endpoints.find(({ index }) => index === value.endpoint) ?? NO_ENDPOINT;
  if (isHidden(value, endpoint)) return [];
  return [{ value, shown: showValue(value, endpoint) ?? { id: null, kind: kindOfMetadata(value.metadata) } }];
}

const NO_ENDPOINT: EndpointView = { index: 0, generic: 0, specific: 0, commandClasses: new Map() };

function mainNode(endpoint: EndpointView, placed: readonly Placed[], features: readonly ClassFeature[]): Draft {
  const own = placed.filter(({ shown }) => !shown.part);
  const status = statusOf(own);
  const properties = [...propertiesOf(own, status), TROUBLE];
  const feature = features.filter(({ name }) => name !== METER_FEATURE);
  const speaks = properties.some((property) => property.speaks !== null);
  const entry = endpoint.commandClasses.has(CC.entryControl) ? ["CTL"] : [];
  const category = categoryOf(endpoint, status);
  return {
    endpoint: endpoint.index,
    part: 0,
    category,
    words: [categoryName(category)],
    isFan: feature.some(({ name }) => name === "Fan"),
    properties,
    commands: [...feature.flatMap(({ commands }) => commands), ...settersOf(own), ...careOf(endpoint)].map(asPlan),
    sends: [
      ...new Set([...feature.flatMap(({ sends }) => sends?.split(" ") ?? []), ...(speaks ? SWITCHED : []), ...entry]),
    ],
  };
}

function partNode(
  view: DeviceView,
  endpoint: EndpointView,
  part: number,
  placed: readonly Placed[],
  features: readonly ClassFeature[],
): Draft {
  const own = placed.filter(({ shown }) => shown.part === part);
  const isLock = part === notificationPart(ACCESS_CONTROL) && hasLock(view, endpoint.index);
  // A lock's news come before the state of its door.
  const status = isLock ? null : statusOf(own);
  const events = part === METER_PART ? [] : eventProperties(isLock);
  const category = part === METER_PART ? METER_PART : (status?.shown.category ?? categoryOfNotification(part - 300));
  const resets = part === METER_PART ? features.filter(({ name }) => name === METER_FEATURE) : [];
  const properties = [...events, ...propertiesOf(own, status), TROUBLE];
  return {
    endpoint: endpoint.index,
    part,
    category: category === SIREN ? NOTIFICATION_SENSOR : category,
    words: isLock ? ["Lock Alarm"] : wordsFor(part, category, own),
    isFan: false,
    properties,
    commands: [...resets.flatMap(({ commands }) => commands), ...settersOf(own), QUERY].map(asPlan),
    sends: [
      ...(properties.some(({ speaks }) => speaks !== null) ? SWITCHED : []),
      ...(events.length > 0 ? [EVENT_PROPERTY] : []),
    ],
  };
}

/** Where another node of the device has the name already, notifications have that of their type. */
function wordsFor(part: number, category: number, placed: readonly Placed[]): readonly string[] {
  const name = categoryName(category);
  if (part === METER_PART) return [name, `${name} Readings`];
  const types = placed.map(({ value }) => String(value.property)).filter((type) => type !== name);
  return [name, ...types, `${name} Notification`];
}

const SWITCHED = ["DON", "DOF"];
/** Commands of a scene button: pressed once to five times, held, released. */
const BUTTON = ["DON", "DFON", "DON3", "DON4", "DON5", "FDUP", "FDSTOP"];
const SCENES_MAX = 99;
const SCENE_CONTROLLER = 133;

/** Every button of a scene controller is a node that sends and has no state. */
function sceneNodes(view: DeviceView, { index }: EndpointView): readonly Draft[] {
  const scenes = view.values
    .filter((value) => value.commandClass === CC.centralScene && value.endpoint === index && value.property === "scene")
    .map(({ propertyKey }) => Number(propertyKey))
    .filter((scene) => scene >= 1 && scene <= SCENES_MAX);
  return scenes.map((scene) => ({
    endpoint: index,
    part: scenePart(scene),
    category: SCENE_CONTROLLER,
    words: [`Scene ${scene}`],
    isFan: false,
    properties: [TROUBLE],
    commands: [],
    sends: BUTTON,
  }));
}

/** Types of notifications that report events, not states. */
function eventParts(endpoint: EndpointView, view: DeviceView): readonly number[] {
  const tellsAlarms = endpoint.commandClasses.has(CC.notification) && hasLock(view, endpoint.index);
  return tellsAlarms ? [notificationPart(ACCESS_CONTROL)] : [];
}

function hasLock({ values }: DeviceView, endpoint: number): boolean {
  return values.some(
    ({ commandClass, endpoint: own }) => own === endpoint && (commandClass === CC.doorLock || commandClass === CC.lock),
  );
}

function eventProperties(isLock: boolean): readonly PropertyPlan[] {
  const plain = { hide: false, value: null, speaks: null } as const;
  if (!isLock) return [{ ...plain, id: EVENT_PROPERTY, label: "Last Event", kind: ANY_EVENT }];
  return [
    { ...plain, id: EVENT_PROPERTY, label: "Lock Alarm", kind: LOCK_EVENT },
    { ...plain, id: USER_PROPERTY, label: null, kind: USER },
  ];
}

function statusOf(placed: readonly Placed[]): Placed | null {
  const candidates = placed.filter(({ shown }) => shown.rank !== undefined);
  return candidates.reduce<Placed | null>(
    (best, next) => (best === null || (next.shown.rank ?? 0) < (best.shown.rank ?? 0) ? next : best),
    null,
  );
}

function categoryOf(endpoint: EndpointView, status: Placed | null): number {
  const byClass = categoryOfClass(endpoint.generic, endpoint.specific);
  const isPlain = [UNKNOWN_CATEGORY, 102, 104, 118, 185].includes(byClass);
  return isPlain ? (status?.shown.category ?? byClass) : byClass;
}

function propertiesOf(placed: readonly Placed[], status: Placed | null): readonly PropertyPlan[] {
  const taken = new Set<string>(["ERR", EVENT_PROPERTY, USER_PROPERTY]);
  const ordered = status ? [status, ...placed.filter((one) => one !== status)] : placed;
  return ordered.map(({ value, shown }) => {
    const wanted = value === status?.value ? "ST" : shown.id;
    const id = wanted === null || taken.has(wanted) ? idOfValue(value) : wanted;
    taken.add(id);
    const label =
      id === shown.id ? (shown.label ?? null) : id === "ST" ? statusLabel(value, shown) : labelOfValue(value);
    return {
      id,
      label,
      kind: shown.kind,
      hide: shown.hide === true,
      value,
      speaks: id === "ST" ? (shown.speaks ?? null) : null,
    };
  });
}

function statusLabel(value: ValueView, { id }: Shown): string | null {
  if (NAMELESS.has(value.commandClass)) return null;
  return id === null ? labelOfValue(value) : controlLabel(id);
}

/** Their status needs no other name than that. */
const NAMELESS: ReadonlySet<number> = new Set([
  CC.basic,
  CC.binarySwitch,
  CC.multilevelSwitch,
  CC.windowCovering,
  CC.doorLock,
  CC.lock,
  CC.barrierOperator,
]);

/** Set-points, modes, and every value that can be written and that no feature writes. */
function settersOf(placed: readonly Placed[]): readonly PlanCommand[] {
  return placed.flatMap(({ value, shown }) => {
    const id = shown.id ?? idOfValue(value);
    if (!value.metadata.writeable || WRITTEN_BY_FEATURES.has(value.commandClass) || shown.rank !== undefined) return [];
    const { write: translate } = shown;
    const write: Writer | undefined = translate
      ? (_value, given) => ({ kind: "set", value, to: translate(mainNumber(given) ?? 0) })
      : WRITERS[value.metadata.type];
    if (!write) return [];
    return [
      {
        spelled: `${id}(${shown.kind.editor}=${id})`,
        act: (given: Given) => lockTimerAct(value, given) ?? write(value, given),
      },
    ];
  });
}

const WRITTEN_BY_FEATURES: ReadonlySet<number> = new Set([CC.soundSwitch]);

type Writer = (value: ValueView, given: Given) => Act;

const WRITERS: Readonly<Record<string, Writer>> = {
  number: (value, given) => ({ kind: "set", value, to: mainNumber(given) ?? 0 }),
  boolean: (value, given) => ({ kind: "set", value, to: mainNumber(given) !== 0 }),
  duration: (value, given) => ({ kind: "set", value, to: `${Math.round(mainNumber(given) ?? 0)}s` }),
};

const QUERY: PlanCommand = { spelled: "QUERY", act: () => ({ kind: "refuse", detail: "A query is not a command." }) };

/** Commands that every device with the command classes accepts. */
function careOf({ index, commandClasses }: EndpointView): readonly PlanCommand[] {
  const configure: PlanCommand = {
    spelled: "CONFIG(NUM:_107_0_R_0_255,VAL:*_CONFIG)",
    act(given) {
      const [number, value] = [givenParameter(given, "NUM"), givenParameter(given, "VAL")];
      if (!number || !value) return { kind: "refuse", detail: "CONFIG requires a number and a value." };
      return { kind: "configure", number: fromDecimal(number), value: fromDecimal(value) };
    },
  };
  const blink: PlanCommand = {
    spelled: "BEEP",
    act: () => ({ kind: "call", commandClass: CC.indicator, endpoint: index, method: "identify", args: [] }),
  };
  const isNewIndicator = (commandClasses.get(CC.indicator) ?? 0) >= INDICATOR_THAT_IDENTIFIES;
  return [
    QUERY,
    ...(index === 0 && commandClasses.has(CC.configuration) ? [configure] : []),
    ...(isNewIndicator ? [blink] : []),
  ];
}

const INDICATOR_THAT_IDENTIFIES = 3;

function asPlan({ spelled, act }: PlanCommand): CommandPlan {
  return { id: spelled.split("(", 1).join(""), spelled, act };
}

const ID_LENGTH_MAX = 32;
const HASH_LENGTH = 8;

/** Of a value that no table knows. `V6B_MASTER_VALVE_STATUS`: the command class in hex, then property and key; a long name ends in its hash. */
function idOfValue({ commandClass, property, propertyKey, propertyName, propertyKeyName }: ValueView): string {
  const names = [propertyName ?? property, propertyKeyName ?? propertyKey].filter((name) => name !== undefined);
  const words = names.map((name) => String(name).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
  const text = words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  const id = `V${commandClass.toString(16).toUpperCase().padStart(2, "0")}_${text}`;
  if (id.length <= ID_LENGTH_MAX) return id;
  return `${id.slice(0, ID_LENGTH_MAX - HASH_LENGTH - 1)}_${shortHash(`${property}/${propertyKey ?? ""}`)}`;
}

/** Its label: from the description, else the value's name. */
function labelOfValue({ metadata, property, propertyName, propertyKeyName }: ValueView): string {
  const own = metadata.label?.trim();
  return own || [propertyName ?? String(property), propertyKeyName].filter(Boolean).join(" ");
}
