/**
 * The effect of a command on a device of which only the nodedef is known. The first rule that fits wins:
 *
 * 1. the standard ids for on, off, brighter, locked, the shift of a set-point
 * 2. a parameter that starts from a property writes that property
 * 3. a command with the id of a property writes it
 * 4. a command that is called "set" and a property's id or label writes it
 * 5. a parameter whose editor only one property has writes that property
 *
 * A command without a fitting rule is accepted and changes nothing.
 */

import { locksBy, valueAfter } from "../../profile/command-words.ts";
import { convertUnit } from "../../profile/convert-unit.ts";
import type { Editor, EditorRange } from "../../profile/editor.ts";
import type { CommandDefinition, Nodedef } from "../../profile/nodedef.ts";
import { subsetValues } from "../../profile/subset.ts";
import { UOM } from "../../profile/uom.ts";
import type { CommandParameterValue } from "../command.ts";
import type { DeviceNode, PropertyModel, Reaction, ReceivedCommand } from "./device-model.ts";
import { clamp, displayed, mainParameter } from "./devices/quantities.ts";

export type Played = {
  readonly nodedef: Nodedef | null;
  readonly editor: (id: string) => Editor | null;
  readonly properties: readonly PropertyModel[];
};

export function playedReaction(played: Played, command: CommandDefinition): Reaction {
  return findReaction(played, command) ?? noEffect;
}

/** Taken, and nothing follows from it. */
export const noEffect: Reaction = () => {};

/** Whether a command has an effect that can be played; a query is a call of its own. */
export function isPlayed(played: Played, command: CommandDefinition): boolean {
  return command.id === "QUERY" || findReaction(played, command) !== null;
}

function findReaction(played: Played, command: CommandDefinition): Reaction | null {
  return (
    WORDS[command.id]?.(played, command) ??
    writesByStart(played, command) ??
    writesOne(propertyNamed(played, command) ?? propertyEdited(played, command))
  );
}

type Word = (played: Played, command: CommandDefinition) => Reaction | null;

/** A fade from dark to full while a button is held. */
const FADE_MS = 4500;
const STEPS = 32;

const WORDS: Readonly<Record<string, Word>> = {
  DON: switches((level, node, received) => givenLevel(level, received) ?? usual(level, node)),
  DOF: switches(({ off }) => off),
  DFON: switches(({ on }) => on),
  DFOF: switches(({ off }) => off),
  FDUP: fades(({ on }) => on),
  FDDOWN: fades(({ off }) => off),
  FDSTOP: halts,
  STOP: halts,
  OPEN: switches(({ on }) => on),
  CLOSE: switches(({ off }) => off),
  TOGGLE: switches((level, node) => (node.value("ST") !== level.off ? level.off : usual(level, node))),
  BRT: steps(1),
  DIM: steps(-1),
  LOCK: switches(({ on }) => on),
  UNLOCK: switches(({ off }) => off),
  SECMD: switches((level, _node, received) => (locksBy(mainParameter(received)?.value ?? 0) ? level.on : level.off)),
  CLISPHD: shifts("CLISPH"),
  CLISPCD: shifts("CLISPC"),
};

/** The status of a device that is on, off or in between. */
type Level = {
  readonly property: PropertyModel;
  readonly on: number;
  readonly off: number;
  readonly onLevel: PropertyModel | null;
};

const VALUES_LISTED_MAX = 256;

function levelOf({ nodedef, editor, properties }: Played): Level | null {
  const property = properties.find(({ id }) => id === "ST");
  if (!property) return null;
  const { uom } = property;
  const named = valueAfter("DON", null, uom);
  // Temperatures, counters and powers are no levels: On does not write them.
  if (named === null && uom !== UOM.none && uom !== UOM.index) return null;
  const definition = nodedef?.properties.find(({ id }) => id === "ST");
  const ranges = (definition && editor(definition.editor)?.ranges) ?? [];
  const range = ranges.find((each) => each.uom === uom) ?? null;
  const on = fitted(range, named ?? highest(range) ?? 1);
  const onLevel = properties.find((each) => each.id === "OL" && each.uom === uom) ?? null;
  return { property, on, off: valueAfter("DOF", null, uom) ?? 0, onLevel };
}

function highest(range: EditorRange | null): number | null {
  if (!range) return null;
  const values = subsetValues(range, VALUES_LISTED_MAX);
  if (values && values.length > 0) return Math.max(...values);
  return range.max === null ? null : Math.round(range.max * 10 ** range.prec);
}

/** The value itself, or the highest of a range that does not have it but another one that is not off. */
function fitted(range: EditorRange | null, value: number): number {
  const values = (range && subsetValues(range, VALUES_LISTED_MAX)) ?? [];
  const highest = Math.max(0, ...values);
  return highest === 0 || values.includes(value) ? value : highest;
}

function givenLevel({ property, on, off }: Level, received: ReceivedCommand): number | null {
  const given = received.parameters.find(({ id }) => id === "") ?? received.parameters.find(({ id }) => id === "OL");
  return given ? clamp(inUnitOf(property, given), Math.min(off, on), Math.max(off, on)) : null;
}

/** The level that the device has for being switched on, where it has one. */
function usual({ on, onLevel }: Level, node: DeviceNode): number {
  const level = onLevel ? node.value(onLevel.id) : 0;
  return level > 0 ? Math.min(level, on) : on;
}

function switches(goal: (level: Level, node: DeviceNode, received: ReceivedCommand) => number): Word {
  return (played) => {
    const level = levelOf(played);
    return level && ((node, received) => node.move("ST", goal(level, node, received), 0, received.occasion));
  };
}

function halts(played: Played): Reaction | null {
  return levelOf(played) && ((node, { occasion }) => node.halt(occasion));
}

function fades(goal: (level: Level) => number): Word {
  return (played) => {
    const level = levelOf(played);
    if (!level) return null;
    return (node, { occasion }) => {
      const way = Math.abs(goal(level) - node.value("ST")) / Math.max(1, Math.abs(level.on - level.off));
      node.move("ST", goal(level), FADE_MS * way, occasion);
    };
  };
}

/** One step of a lamp, or of both set-points of a thermostat. */
function steps(direction: 1 | -1): Word {
  return (played) => {
    const level = levelOf(played);
    if (level) {
      const [low, high] = [Math.min(level.off, level.on), Math.max(level.off, level.on)];
      const step = Math.max(1, Math.round((high - low) / STEPS)) * Math.sign(level.on - level.off);
      return (node, { occasion }) =>
        node.move("ST", clamp(node.value("ST") + direction * step, low, high), 0, occasion);
    }
    const setPoints = played.properties.filter(({ id }) => id === "CLISPH" || id === "CLISPC");
    if (setPoints.length === 0) return null;
    return (node, { occasion }) =>
      node.change(Object.fromEntries(setPoints.map((each) => [each.id, shifted(node, each, direction)])), occasion);
  };
}

function shifts(id: string): Word {
  return ({ properties }) => {
    const property = properties.find((each) => each.id === id);
    if (!property) return null;
    return (node, received) => {
      const by = mainParameter(received);
      if (by) node.change({ [id]: shifted(node, property, displayed(by)) }, received.occasion);
    };
  };
}

function shifted(node: DeviceNode, { id, uom, prec }: PropertyModel, by: number): number {
  const perDegree = uom === UOM.halfDegrees ? 2 : 10 ** prec;
  return node.value(id) + Math.round(by * perDegree);
}

function writesByStart({ properties }: Played, { parameters }: CommandDefinition): Reaction | null {
  const written = parameters.flatMap(({ id, init }) => {
    const property = properties.find((each) => each.id === init);
    return property ? [{ id, property }] : [];
  });
  if (written.length === 0) return null;
  return (node, received) => {
    const values = written.flatMap(({ id, property }): readonly [string, number][] => {
      const given = received.parameters.find((parameter) => parameter.id === id);
      return given ? [[property.id, inUnitOf(property, given)]] : [];
    });
    if (values.length > 0) node.change(Object.fromEntries(values), received.occasion);
  };
}

function writesOne(property: PropertyModel | null): Reaction | null {
  if (!property) return null;
  return (node, received) => {
    const given = mainParameter(received);
    if (given) node.change({ [property.id]: inUnitOf(property, given) }, received.occasion);
  };
}

/** By its id, or as "set" and the id or label of a property: SETMODE, SET_MODE, "Set Mode". */
function propertyNamed(
  { nodedef, properties }: Played,
  { id, name, parameters }: CommandDefinition,
): PropertyModel | null {
  if (nodedef !== null && parameters.length === 0) return null;
  const byId = (wanted: string) => properties.find((each) => each.id.toUpperCase() === wanted.toUpperCase()) ?? null;
  const own = byId(id) ?? byId(id.replace(/^SET_?/i, ""));
  if (own) return own;
  const label = plain(name.replace(/^set\b/i, ""));
  const labelled = label === "" ? [] : (nodedef?.properties ?? []).filter((each) => plain(each.name) === label);
  const [only, second] = labelled;
  return only && !second ? byId(only.id) : null;
}

/** The one property besides ST that has the editor of the command's only parameter. */
function propertyEdited({ nodedef, properties }: Played, { parameters }: CommandDefinition): PropertyModel | null {
  const [parameter, another] = parameters;
  if (!parameter || another || !nodedef) return null;
  const [only, second] = nodedef.properties.filter(({ id, editor }) => id !== "ST" && editor === parameter.editor);
  return only && !second ? (properties.find(({ id }) => id === only.id) ?? null) : null;
}

function plain(label: string): string {
  return label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Raw, in the unit and precision that the property has. */
function inUnitOf({ uom, prec }: PropertyModel, given: CommandParameterValue): number {
  const shown = displayed(given);
  const converted = convertUnit(shown, given.uom, uom) ?? shown;
  return Math.round(converted * 10 ** prec);
}
