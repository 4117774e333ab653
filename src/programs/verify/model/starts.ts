/** The events that start a program by its conditions, each with what is known while it is worked off. */

import type { Happening } from "../../../home/program-progress.ts";
import type { Program, ProgramEntry } from "../../../home/programs.ts";
import { type Message, message } from "../../../messages.ts";
import { isTimed } from "../../holds.ts";
import {
  conditionsOf,
  leafConditions,
  programsOfSchedule,
  stateVariablesOf,
  watchedProperties,
} from "../../references.ts";
import { membersOf } from "../../role-members.ts";
import { nextMoment } from "../../schedule/moments.ts";
import { EVENT_AXIS, propertyKey, statusKey, variableAxisKey } from "./axes.ts";
import { allOf, atom, controlKey, type Formula, type PlainCondition } from "./formula.ts";
import { firstFrom, isEmpty } from "./number-set.ts";
import { conditionWords, nodeName, programName, variableName } from "./words.ts";
import type { World } from "./world.ts";
import { momentsOf, type ScheduleMoment } from "./year.ts";

export type StartEvent = {
  /** The same for the same event, whichever program it starts. */
  readonly key: string;
  /** Number on the event axis: 0 for a change of a value. */
  readonly event: number;
  readonly given: Formula;
  readonly words: Message;
  /** False where its moment follows from runs that are still to come: then it cannot be played. */
  readonly isForeseen: boolean;
  /** The earliest event from an instant on; null for a change of a value. */
  readonly happening: (fromMs: number) => Happening | null;
};

/** A value has changed; no command was sent and no moment of a schedule has come. */
export const CHANGE: Formula = atom(EVENT_AXIS, [0, 0]);

export function startsOf(world: World, { tree }: Program): readonly StartEvent[] {
  const starts = new Map<string, StartEvent>();
  for (const leaf of leafConditions(tree.if)) {
    for (const { key, words } of changesOf(world, leaf))
      starts.set(key, { key, event: 0, given: CHANGE, words: words(world), isForeseen: true, happening: () => null });
    for (const sent of controlsOf(world, leaf)) starts.set(...entryOf(controlStart(world, sent)));
    if (leaf.kind !== "schedule") continue;
    for (const moment of momentsOf(leaf)) starts.set(...entryOf(momentStart(world, leaf, moment)));
  }
  return [...starts.values()];
}

/** The events among them that can be played, and null for a change of any value. */
export function eventsOf(starts: readonly StartEvent[]): readonly (StartEvent | null)[] {
  return [null, ...new Map(starts.map((start) => [start.event, start])).values()].filter(
    (start) => start === null || (start.event !== 0 && start.isForeseen),
  );
}

/** Keys of all its starts. */
export function startKeysOf(world: World, { tree }: Program): readonly string[] {
  return leafConditions(tree.if).flatMap((leaf) => {
    if (leaf.kind === "schedule") return momentsOf(leaf).map(({ key }) => key);
    const controls = controlsOf(world, leaf).map(({ node, command }) => controlKey(node, command));
    return [...controls, ...changeKeysOfLeaf(world, leaf)];
  });
}

/** Keys of the axes whose change starts it, or makes a folder evaluate again. */
export function changeKeysOf(world: World, entry: ProgramEntry): readonly string[] {
  return leafConditions(conditionsOf(entry)).flatMap((leaf) => changeKeysOfLeaf(world, leaf));
}

type Change = { readonly key: string; readonly words: (world: World) => Message };

function changesOf(world: World, leaf: PlainCondition): readonly Change[] {
  switch (leaf.kind) {
    case "status":
      return [propertyChange(leaf.node, leaf.property), ...variableChanges(leaf)];
    case "held":
      return [propertyChange(leaf.node, leaf.property)];
    case "roles":
      return watchedProperties([leaf], (selector) => membersOf(world.home, selector)).map(({ node, property }) =>
        propertyChange(node, property),
      );
    case "variable":
      return variableChanges(leaf);
    case "program": {
      const words = (world: World) => message("event.program", { name: programName(world, leaf.id) });
      return [{ key: statusKey(leaf.id), words }];
    }
    case "control":
    case "schedule":
    case "foreign":
      return [];
  }
}

function variableChanges(leaf: Extract<PlainCondition, { kind: "status" | "variable" }>): readonly Change[] {
  return stateVariablesOf(leaf).map((id) => {
    const words = (world: World) => message("event.variable", { name: variableName(world, 2, id) });
    return { key: variableAxisKey(2, id), words };
  });
}

function propertyChange(node: string, property: string): Change {
  const words = (world: World) =>
    message("event.property", { property: world.propertyName(node, property), name: nodeName(world, node) });
  return { key: propertyKey(node, property), words };
}

/** A condition with "for" is started by time, not by the change itself. */
function changeKeysOfLeaf(world: World, leaf: PlainCondition): readonly string[] {
  if (leaf.kind === "held" || isTimed(leaf)) return [];
  return changesOf(world, leaf).map(({ key }) => key);
}

/** The commands from devices that start it. */
function controlsOf(world: World, leaf: PlainCondition): readonly Pick<SentControl, "node" | "command">[] {
  if (leaf.kind === "control") return [leaf];
  if (leaf.kind !== "roles" || leaf.test.how !== "sends") return [];
  const { command } = leaf.test;
  return membersOf(world.home, leaf.selector).map(({ address }) => ({ node: address, command }));
}

type SentControl = Extract<PlainCondition, { kind: "control" }>;

function controlStart(world: World, { node, command }: Pick<SentControl, "node" | "command">): StartEvent {
  const key = controlKey(node, command);
  const event = world.event(key);
  const words = message("event.control", {
    name: nodeName(world, node),
    command: world.names.sends(node).nameOf(command) ?? command,
  });
  const happening = () => ({ kind: "control", node, command }) as const;
  return { key, event, given: atom(EVENT_AXIS, [event, event]), words, isForeseen: true, happening };
}

/** A moment that does not come in the year ahead counts as coming at any time. */
function momentStart(
  world: World,
  leaf: Extract<PlainCondition, { kind: "schedule" }>,
  { key, which }: ScheduleMoment,
): StartEvent {
  const { opens, closes, isFarAhead } = world.year.of(leaf);
  const moments = which === "opens" ? opens : closes;
  const event = world.event(key);
  const arrives = atom(EVENT_AXIS, [event, event]);
  const given = isFarAhead || isEmpty(moments) ? arrives : allOf([arrives, atom(world.year.axis, moments)]);
  const part = leaf.when.kind === "at" ? "moment" : which === "opens" ? "begins" : "ends";
  const words = message(`event.${part}`, { condition: { line: conditionWords(world, leaf) } });
  const isForeseen = programsOfSchedule(leaf.when).length === 0;
  const happening = (fromMs: number) => {
    const second = firstFrom(moments, Math.ceil(fromMs / 1000));
    const laterMs = second === null ? nextMoment([leaf], fromMs - 1, world.calendar) : second * 1000;
    return { kind: "schedule", instantMs: laterMs ?? fromMs } as const;
  };
  return { key, event, given, words, isForeseen, happening };
}

function entryOf(start: StartEvent): readonly [string, StartEvent] {
  return [start.key, start];
}
