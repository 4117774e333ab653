/**
 * What is said of an entity of Home Assistant, in the words of its node: states as comparisons, wanted states as commands. Both read
 * states by the table of domains, so that a new row there is known here.
 */

import type { Action, Comparison, Condition, SyntaxValue } from "../../../home/program-syntax.ts";
import { decodeRange } from "../../../profile/encoded-editor.ts";
import { FLAGGED, OPENED, SWITCHED } from "../../../profile/state-shapes.ts";
import { isActive } from "../../../profile/status-words.ts";
import { UOM } from "../../../profile/uom.ts";
import type { Message } from "../../exposed/feature.ts";
import type { NumberedNode } from "../../exposed/numbered-devices.ts";
import type { ExposedPlan } from "../../exposed/plan-device.ts";
import { type Made, TRACKERS } from "../domain-table.ts";
import { type Attributes, type EntityState, listOf } from "../entity.ts";

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
type Status = Extract<Condition, { kind: "status" }> & { readonly value: SyntaxValue };

export type Compared = {
  readonly status: Status;
  /** It has no other values, so that "is on" is the same as "was off before". */
  readonly isTwoValued: boolean;
  /** The command that the node sends when it becomes so. */
  readonly control: Condition | null;
};

const CONTEXT = { id: "", user: null, hasParent: false };
/** Of what has a level, the attribute that says it. */
const FULL = { brightness: 255, current_position: 100, percentage: 100 };
const TWO_VALUED: readonly number[] = [SWITCHED, FLAGGED, OPENED].map(({ uom }) => uom);
const RISEN: readonly string[] = ["on", "open"];
const FALLEN: readonly string[] = ["off", "closed"];
const AT_HOME: readonly string[] = ["home", "not_home"];
const DIGITS_MAX = 3;
const TINY = 1e-9;
const LOCK_COMMAND = 84;

const read = ({ made }: KnownEntity, state: string, attributes: Attributes) =>
  made.read({ state, attributes, context: CONTEXT });

/** null: the node does not show it. */
export function stateIs(known: KnownEntity, word: string): Compared | null {
  if (TRACKERS.includes(known.domain) && !AT_HOME.includes(word)) return null;
  const found = compared(known, "IS", read(known, word, {}));
  if (![...RISEN, ...FALLEN].includes(word)) return found;
  const isTwoValued = found?.isTwoValued === true || known.domain !== "sensor";
  if (found) return { ...found, isTwoValued };
  // What has a level is on, or open, at any level but zero.
  const level = compared(known, RISEN.includes(word) ? "GT" : "IS", read(known, word, FULL), "ST");
  if (level?.status.value.uom !== UOM.percent) return null;
  const { status } = level;
  return { ...level, isTwoValued, status: { ...status, value: { ...status.value, value: 0 } } };
}

/** @param attribute null: the state itself */
export function numberIs(
  known: KnownEntity,
  attribute: string | null,
  comparison: Comparison,
  number: number,
): Compared | null {
  return attribute === null
    ? compared(known, comparison, read(known, String(number), {}))
    : attributeIs(known, attribute, number, comparison);
}

export function attributeIs(
  known: KnownEntity,
  attribute: string,
  value: unknown,
  comparison: Comparison = "IS",
): Compared | null {
  const before = read(known, "on", {});
  const told = Object.entries(read(known, "on", { [attribute]: value }));
  return compared(known, comparison, Object.fromEntries(told.filter(([key, each]) => before[key] !== each)));
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

/** The first property that the message says something of. */
function compared(known: KnownEntity, comparison: Comparison, message: Message, only = ""): Compared | null {
  for (const { address: node, plan } of known.nodes) {
    for (const feature of plan.features) {
      const value = feature.read(message);
      if (typeof value !== "number" || (only !== "" && feature.id !== only)) continue;
      const { uom } = feature;
      const active = plan.sensed?.id === feature.id ? isActive(null, uom, value) : null;
      const at = { andOr: "and", node, comparison } as const;
      return {
        status: { kind: "status", ...at, property: feature.id, value: spelled(value, uom) },
        isTwoValued: TWO_VALUED.includes(uom),
        control: active === null ? null : { kind: "control", ...at, command: active ? "DON" : "DOF", comparison: "IS" },
      };
    }
  }
  return null;
}

/** With as few decimals as it needs. */
function spelled(value: number, uom: number): SyntaxValue {
  let prec = 0;
  while (prec < DIGITS_MAX && Math.abs(Math.round(value * 10 ** prec) / 10 ** prec - value) > TINY) prec += 1;
  return { value: Math.round(value * 10 ** prec), prec, uom };
}

/** A state that is wanted of an entity; `words`: what no state says, such as a press, by the ends of its keys. */
export type Wanted = { readonly state: string; readonly attributes: Attributes; readonly words?: Message };

/** Commands that bring it about, and the names of attributes that none of them holds. */
export function commandsFor(known: KnownEntity, wanted: Wanted) {
  const said = wantedOf(known, wanted);
  const found = new Map<string, Command>();
  // A command without a value says most simply what it means.
  for (const isPlain of [true, false])
    for (const { address, plan } of known.nodes)
      for (const { command, parts } of commandsOf(plan, said, isPlain))
        for (const part of parts) if (!found.has(part)) found.set(part, { ...command, node: address });
  const state = `${known.key}/state`;
  // A level turns on, too.
  if (found.size > 1) found.delete(state);
  const left = Object.keys(wanted.attributes).filter((name) => {
    const { [name]: _without, ...others } = wanted.attributes;
    const rest = wantedOf(known, { ...wanted, attributes: others });
    const own = Object.keys(said).filter((key) => said[key] !== rest[key]);
    return !own.some((key) => [...found.keys()].some((part) => part.startsWith(key)));
  });
  return { commands: [...new Set(found.values())], left };
}

function wantedOf(known: KnownEntity, { state, attributes, words = {} }: Wanted): Message {
  const own = Object.entries(words).map(([name, word]) => [`${known.key}/${name}`, word]);
  return { ...read(known, state, attributes), ...Object.fromEntries(own) };
}

/** Those whose message says only what is wanted; `parts`: which of it. */
function* commandsOf({ commands, features }: ExposedPlan, said: Message, isPlain: boolean) {
  const values = [0, 1, ...features.flatMap((feature) => feature.read(said) ?? [])];
  for (const { id, spelled: text, message } of commands) {
    const editor = text.slice(id.length + 1).replace(/\??\)$/, "");
    const uom = decodeRange(editor)?.uom ?? (editor.endsWith("_SECMD") ? LOCK_COMMAND : UOM.index);
    for (const value of isPlain ? [null] : values) {
      const parameters = value === null ? [] : [{ id: "", ...spelled(value, uom) }];
      const told = message(parameters) ?? {};
      const keys = Object.keys(told);
      const isWanted = (key: string) =>
        key in said &&
        (said[key] === told[key] ||
          features.some((each) => typeof each.read(told) === "number" && each.read(told) === each.read(said)));
      if (keys.length === 0 || !keys.every(isWanted)) continue;
      // Hue and saturation are parts of one value.
      const parts = keys.map((key) => key + (typeof told[key] === "object" ? Object.keys(told[key] as object) : ""));
      yield { command: { kind: "command", command: id, parameters } as const, parts };
      break;
    }
  }
}
