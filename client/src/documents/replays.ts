/** Reads replays. @see docs/interface/replays.md */

import type { Replay, ReplayedAction, ReplayedDifference, ReplayResult } from "../model/replays.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

const ACTIONS = ["command", "resource", "notify", "variable", "link"] as const;
const KINDS = ["added", "removed", "moved"] as const;

export const readReplays = (data: unknown): readonly Replay[] => objectsOf(data).map(readReplay);

export function readReplay(data: unknown): Replay {
  const { id, state, from, until, progress, failure, result } = isObject(data) ? data : {};
  return {
    id: textOf(id),
    state: state === "running" || state === "done" ? state : "failed",
    from: textOf(from),
    until: textOf(until),
    progress: numberOf(progress),
    failure: textOrNull(failure),
    result: isObject(result) ? readResult(result) : null,
  };
}

function readResult(result: Json): ReplayResult {
  const unknown = isObject(result.unknown) ? result.unknown : {};
  const faithful = isObject(result.faithful) ? result.faithful : {};
  return {
    from: textOf(result.from),
    until: textOf(result.until),
    zone: textOf(result.zone),
    journalEnds: textOf(result.journalEnds),
    entries: numberOf(result.entries),
    missing: numberOf(result.missing),
    unknown: { properties: numberOf(unknown.properties), others: numberOf(unknown.others) },
    faithful: { recorded: numberOf(faithful.recorded), repeated: numberOf(faithful.repeated) },
    programs: objectsOf(result.programs).map((program) => ({
      ...readNamed(program),
      changed: booleanOf(program.changed, false),
      runsBefore: numberOf(program.runsBefore),
      runsAfter: numberOf(program.runsAfter),
    })),
    actions: objectsOf(result.actions).map(readAction),
    differences: objectsOf(result.differences).map(readDifference),
    actionsTotal: numberOf(result.actionsTotal),
    differencesTotal: numberOf(result.differencesTotal),
  };
}

function readDifference(difference: Json): ReplayedDifference {
  return {
    kind: KINDS.find((known) => known === difference.kind) ?? "added",
    ...readAction(difference),
    was: textOrNull(difference.was),
    localWas: textOrNull(difference.localWas),
  };
}

function readAction({
  time,
  localTime,
  program,
  action,
  target,
  command,
  values,
  text,
  certain,
}: Json): ReplayedAction {
  return {
    time: textOf(time),
    localTime: textOf(localTime),
    program: readNamed(program),
    action: ACTIONS.find((known) => known === action) ?? "command",
    target: isObject(target) ? readNamed(target) : null,
    command: isObject(command) ? readNamed(command) : null,
    values: Array.isArray(values) ? values.map((value) => textOf(value)) : [],
    text: textOf(text),
    certain: booleanOf(certain, true),
  };
}

function readNamed(data: unknown): { readonly id: string; readonly name: string } {
  const { id, name } = isObject(data) ? data : {};
  return { id: textOf(id), name: textOf(name) };
}
