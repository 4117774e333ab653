/**
 * What is said of an entity of Home Assistant, in the words of its node: states as comparisons, services as commands. Both are found by
 * trying the table of its domain, so that a new row there is known here.
 */

import type { Action, Comparison, Condition, SyntaxValue } from "../../../home/program-syntax.ts";
import { decodeRange } from "../../../profile/encoded-editor.ts";
import { FLAGGED, OPENED, SWITCHED } from "../../../profile/state-shapes.ts";
import { isActive } from "../../../profile/status-words.ts";
import { UOM } from "../../../profile/uom.ts";
import type { Message } from "../../exposed/feature.ts";
import { isNear } from "../../exposed/listed-device.ts";
import type { NumberedNode } from "../../exposed/numbered-devices.ts";
import type { Made } from "../domain-table.ts";
import { type EntityState, listOf } from "../entity.ts";

/** An entity that nodes show. */
export type KnownEntity = {
  readonly entity: string;
  readonly domain: string;
  /** What its keys in messages begin with. */
  readonly key: string;
  readonly made: Made;
  readonly state: EntityState;
  readonly nodes: readonly NumberedNode[];
};

export type Command = Extract<Action, { kind: "command" }>;
type Status = Extract<Condition, { kind: "status" }>;

export type Compared = {
  readonly status: Status & { readonly value: SyntaxValue };
  /** It has no other values, so that "is on" is the same as "was off before". */
  readonly isTwoValued: boolean;
  /** The command that the node sends when it becomes so. */
  readonly control: Condition | null;
};

const CONTEXT = { id: "", user: null, hasParent: false };
/** Of what has a level, the attribute that says it. */
const FULL = { brightness: 255, current_position: 100, percentage: 100 };
const TWO_VALUED: readonly number[] = [SWITCHED, FLAGGED, OPENED].map(({ uom }) => uom);
const [RISEN, FALLEN] = [
  ["on", "open"],
  ["off", "closed"],
];
const DIGITS_MAX = 3;
const TINY = 1e-9;
const INDEXES = Array.from({ length: 64 }, (_, at) => at);

/** null: the node does not show it. */
export function stateIs(known: KnownEntity, word: string): Compared | null {
  const found = shownBy(known, known.made.read(stateOf(word, {})));
  if (found) return compared(known, "IS", found, word);
  // What has a level is on, or open, at any level but zero.
  const level = shownBy(known, known.made.read(stateOf(word, FULL)), true);
  if (!level || level.value.uom !== UOM.percent) return null;
  if (RISEN?.includes(word)) return compared(known, "GT", { ...level, value: { ...level.value, value: 0 } }, word);
  return FALLEN?.includes(word) ? compared(known, "IS", { ...level, value: { ...level.value, value: 0 } }, word) : null;
}

/** @param attribute null: the state itself */
export function numberIs(
  known: KnownEntity,
  attribute: string | null,
  comparison: Comparison,
  number: number,
): Compared | null {
  const state = attribute === null ? stateOf(String(number), {}) : stateOf("on", { [attribute]: number });
  const before = attribute === null ? {} : known.made.read(stateOf("on", {}));
  const told = Object.entries(known.made.read(state)).filter(([key, value]) => before[key] !== value);
  const found = shownBy(known, Object.fromEntries(told));
  return found && compared(known, comparison, found, "");
}

export function attributeIs(known: KnownEntity, attribute: string, value: unknown): Compared | null {
  if (typeof value === "number") return numberIs(known, attribute, "IS", value);
  const before = known.made.read(stateOf("on", {}));
  const told = Object.entries(known.made.read(stateOf("on", { [attribute]: value })));
  const found = shownBy(known, Object.fromEntries(told.filter(([key, each]) => before[key] !== each)));
  return found && compared(known, "IS", found, "");
}

/** The command that the device sends with an event. */
export function eventIs({ state, nodes }: KnownEntity, type: string): Condition | null {
  if (!listOf(state.attributes, "event_types").includes(type)) return null;
  for (const { address, plan } of nodes) {
    const command = plan.controlOf(type);
    if (command) return { kind: "control", andOr: "and", node: address, command, comparison: "IS" };
  }
  return null;
}

type Shown = {
  readonly node: NumberedNode;
  readonly property: string;
  readonly value: SyntaxValue;
  readonly isSensed: boolean;
};

function shownBy({ nodes }: KnownEntity, message: Message, isStatus = false): Shown | null {
  for (const node of nodes) {
    for (const feature of node.plan.features) {
      const value = feature.read(message);
      if (typeof value !== "number" || (isStatus && feature.id !== "ST")) continue;
      const isSensed = node.plan.sensed?.id === feature.id;
      return { node, property: feature.id, value: spelled(value, feature.uom), isSensed };
    }
  }
  return null;
}

function compared(known: KnownEntity, comparison: Comparison, shown: Shown, word: string): Compared {
  const { node, property, value, isSensed } = shown;
  const active = isSensed ? isActive(null, value.uom, value.value / 10 ** value.prec) : null;
  const command = active === null ? null : active ? "DON" : "DOF";
  const at = { andOr: "and", node: node.address } as const;
  return {
    status: { kind: "status", ...at, property, comparison, value },
    isTwoValued: TWO_VALUED.includes(value.uom) || (isLevelWord(word) && known.domain !== "sensor"),
    control: command === null ? null : { kind: "control", ...at, command, comparison: "IS" },
  };
}

function isLevelWord(word: string): boolean {
  return RISEN?.includes(word) === true || FALLEN?.includes(word) === true;
}

/** With as few decimals as it needs. */
function spelled(value: number, uom: number): SyntaxValue {
  let prec = 0;
  while (prec < DIGITS_MAX && Math.abs(Math.round(value * 10 ** prec) / 10 ** prec - value) > TINY) prec += 1;
  return { value: Math.round(value * 10 ** prec), prec, uom };
}

function stateOf(state: string, attributes: EntityState["attributes"]): EntityState {
  return { state, attributes, context: CONTEXT };
}

export type Commanded = {
  readonly commands: readonly Command[];
  /** Names of data that no command holds. */
  readonly left: readonly string[];
};

/** null: the node has no such command. */
export function commandsFor(known: KnownEntity, service: string, data: Message): Commanded | null {
  const wanted = Object.entries(data).flatMap(([name, value]): readonly Wanted[] =>
    name === "hs_color" && Array.isArray(value)
      ? value.slice(0, 2).map((each, part) => ({ name, value: each, part }))
      : [{ name, value, part: null }],
  );
  const commands: Command[] = [];
  const left = new Set<string>();
  for (const each of wanted) {
    const command = commandFor(known, service, each);
    if (command) commands.push(command);
    else left.add(each.name);
  }
  if (commands.length > 0) return { commands, left: [...left] };
  const plain = commandFor(known, service, null) ?? commandFor(known, service, ONE_OF_LIST);
  return plain && { commands: [plain], left: [...left] };
}

type Wanted = { readonly name: string; readonly value: unknown; readonly part: number | null };

/** A command with a value that the service has in its name: a lock's, or a press. */
const ONE_OF_LIST: Wanted = { name: "", value: "", part: null };

function commandFor(known: KnownEntity, service: string, wanted: Wanted | null): Command | null {
  const { made, state, nodes, key } = known;
  for (const { address: node, plan } of nodes) {
    for (const { id, spelled: text, message } of plan.commands) {
      const editor = text.slice(id.length + 1).replace(/\??\)$/, "");
      const uom = decodeRange(editor)?.uom ?? (editor.endsWith("_SECMD") ? LOCK_COMMAND : UOM.index);
      for (const given of parametersFor(wanted, text !== id)) {
        const parameters = given === null ? [] : [{ id: "", ...spelled(given, uom) }];
        const told = message(parameters);
        const [property = ""] = Object.keys(told ?? {});
        if (!told || property.slice(0, property.lastIndexOf("/")) !== key || !isPart(told[property], wanted)) continue;
        const call = made.call(told, state);
        if (call?.service === service && hasWanted(call.data, wanted)) {
          return { kind: "command", node, command: id, parameters };
        }
      }
    }
  }
  return null;
}

const LOCK_COMMAND = 84;
const [MIRED, STEPS] = [1_000_000, 255];

/** Values that could be meant: the number, what it is in the unit of the node, or a place in a list. */
function parametersFor(wanted: Wanted | null, takesOne: boolean): readonly (number | null)[] {
  if (!takesOne || wanted === null) return [null];
  const { name, value } = wanted;
  if (typeof value !== "number") return INDEXES;
  if (name === "brightness") return [Math.round((value * 100) / STEPS)];
  return name === "color_temp_kelvin" ? [Math.round(MIRED / value)] : [value];
}

/** Hue and saturation are commands of their own. */
function isPart(value: unknown, wanted: Wanted | null): boolean {
  if (typeof value !== "object" || value === null) return true;
  return (wanted?.part === 0 && "hue" in value) || (wanted?.part === 1 && "saturation" in value);
}

function hasWanted(data: Message, wanted: Wanted | null): boolean {
  if (wanted === null || wanted === ONE_OF_LIST) return Object.keys(data).length === 0;
  const told = data[wanted.name];
  const value = wanted.part === null ? told : Array.isArray(told) ? told[wanted.part] : undefined;
  if (wanted.name === "brightness") return typeof value === "number" && typeof wanted.value === "number";
  return value !== undefined && typeof value !== "object" && isNear(wanted.value, value);
}
