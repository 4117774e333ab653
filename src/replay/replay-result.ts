/** A replay as the API returns it and as the command line prints it: names, times and values as people read them. */

import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { Action } from "../home/program-syntax.ts";
import { hexId } from "../home/programs.ts";
import type { Profile } from "../profile/profile.ts";
import { createProgramNames, type ProgramNames } from "../programs/text/names.ts";
import { actionLines, withoutIds } from "../programs/text/print-statement.ts";
import { printDecimal, printQuantity } from "../programs/text/quantity.ts";
import { createZone, type Zone } from "../util/zone.ts";
import type { Difference } from "./compare.ts";
import type { Deed, Did } from "./did.ts";
import type { Unknown } from "./recording.ts";
import type { Replay } from "./replay.ts";

type Named = { readonly id: string; readonly name: string };

/** Something that a program did, or would have done. */
type ReplayedAction = {
  readonly time: string;
  /** Local time of the home. */
  readonly localTime: string;
  readonly program: Named;
  readonly action: "command" | "resource" | "notify" | "variable" | "link";
  /** Node, scene, resource or variable; null for a notification. */
  readonly target: Named | null;
  readonly command: Named | null;
  readonly values: readonly string[];
  /** The statement as in the text of a program, without ids. */
  readonly text: string;
  readonly certain: boolean;
};

export type ReplayedDifference = ReplayedAction & {
  readonly kind: Difference["kind"];
  /** For a moved action: its real time. */
  readonly was: string | null;
  readonly localWas: string | null;
  /** For a changed action: what was done in its place, as `text`. */
  readonly wasText: string | null;
};

export type ReplayResult = {
  readonly from: string;
  readonly until: string;
  /** IANA zone of the local times. */
  readonly zone: string;
  /** When the last recorded entry was made. */
  readonly journalEnds: string;
  readonly entries: number;
  readonly missing: number;
  readonly unknown: Unknown;
  /** Commands that programs sent, and those of them that the replay of the unchanged programs sends again. */
  readonly faithful: { readonly recorded: number; readonly repeated: number };
  readonly programs: readonly (Named & {
    readonly changed: boolean;
    readonly runsBefore: number;
    readonly runsAfter: number;
  })[];
  /** Actions of the unchanged programs; empty when programs were changed. */
  readonly actions: readonly ReplayedAction[];
  readonly differences: readonly ReplayedDifference[];
  /** Number of all, including those beyond the limit. */
  readonly actionsTotal: number;
  readonly differencesTotal: number;
};

/** @param rowsMax actions or differences at most. */
export function replayResult(replay: Replay, profile: Profile, rowsMax: number): ReplayResult {
  const { home, fromMs, toMs, endsAtMs, entries, missing, unknown, did, differences } = replay;
  const words = { home, names: createProgramNames(home, profile), zone: createZone(home.controller.timeZone) };
  const named = (id: number): Named => {
    const name = replay.changed.find((program) => program.id === id)?.name ?? home.programs.get(id)?.name;
    return { id: hexId(id), name: name ?? hexId(id) };
  };
  const actions = differences ? [] : did;
  const row = (each: Did) => actionRow(words, named(each.programId), each);
  const changed = new Set(replay.changed.map(({ id }) => id));
  const ran = new Set([...changed, ...replay.runsBefore.keys(), ...replay.runsAfter.keys()]);
  return {
    from: new Date(fromMs).toISOString(),
    until: new Date(toMs).toISOString(),
    zone: home.controller.timeZone,
    journalEnds: new Date(endsAtMs).toISOString(),
    entries,
    missing,
    unknown,
    faithful: { recorded: replay.recordedCommands, repeated: replay.replayedCommands },
    programs: [...ran].map((id) => ({
      ...named(id),
      changed: changed.has(id),
      runsBefore: replay.runsBefore.get(id) ?? 0,
      runsAfter: replay.runsAfter.get(id) ?? 0,
    })),
    actions: actions.slice(0, rowsMax).map(row),
    differences: (differences ?? []).slice(0, rowsMax).map((each) => ({
      ...row(each),
      kind: each.kind,
      was: each.wasAtMs === null ? null : new Date(each.wasAtMs).toISOString(),
      localWas: each.wasAtMs === null ? null : localTime(words.zone, each.wasAtMs),
      wasText: each.instead && row(each.instead).text,
    })),
    actionsTotal: actions.length,
    differencesTotal: differences?.length ?? 0,
  };
}

type Words = { readonly home: Home; readonly names: ProgramNames; readonly zone: Zone };

function actionRow(words: Words, program: Named, { atMs, deed, isCertain }: Did): ReplayedAction {
  const time = { time: new Date(atMs).toISOString(), localTime: localTime(words.zone, atMs) };
  return { ...time, program, command: null, values: [], ...deedRow(words, deed), certain: isCertain };
}

type DeedRow = Pick<ReplayedAction, "action" | "target" | "text"> & Partial<Pick<ReplayedAction, "command" | "values">>;

function deedRow({ home, names }: Words, deed: Deed): DeedRow {
  const line = (action: Action) => withoutIds(actionLines([action], names).join(" ").trim());
  if (deed.kind === "adjust-link") {
    const { group, controller, link } = deed;
    const target = { id: group, name: names.scenes.nameOf(group) ?? group };
    return { action: "link", target, text: line({ kind: "link", group, controller, link }) };
  }
  if (deed.kind === "write-variable") {
    const { type, id, field, value } = deed;
    const variable = home.variables[type].get(id);
    const name = variable?.name || `${type}.${id}`;
    const shown = variable?.valueNames?.[value] ?? printDecimal({ value, prec: variable?.prec ?? 0 });
    const text = `${type === 1 ? "Integer" : "State"} variable '${name}' ${field === "init" ? "Init To" : "="} ${shown}`;
    return { action: "variable", target: { id: `${type}.${id}`, name }, values: [shown], text };
  }
  const { action } = deed;
  const text = line(action);
  switch (action.kind) {
    case "notify":
    case "message":
      return { action: "notify", target: null, text };
    case "resource": {
      const id = String(action.id);
      return { action: "resource", target: { id, name: names.resources.nameOf(id) ?? id }, text };
    }
    case "roles": {
      const { role, places } = action.selector;
      const target = { id: places.join(" "), name: role };
      return { action: "command", target, command: { id: action.command, name: action.command }, text };
    }
    case "command": {
      const { node, command } = action;
      const name = names.accepts(node).nameOf(command) ?? command;
      const target = { id: node, name: names.nodes.nameOf(node) ?? node };
      return { action: "command", target, command: { id: command, name }, values: valuesOf(names, action), text };
    }
  }
}

function valuesOf(
  names: ProgramNames,
  { node, command, parameters }: Extract<SentAction, { kind: "command" }>,
): readonly string[] {
  return parameters.map((parameter) => {
    const quantity = printQuantity(parameter);
    const value = names.parameterValues(node, command, parameter.id).nameOf(quantity) ?? quantity;
    if (parameter.id === "") return value;
    return `${names.parameters(node, command).nameOf(parameter.id) ?? parameter.id}: ${value}`;
  });
}

export function localTime(zone: Zone, atMs: number): string {
  const { year, month, day, hour, minute, second } = zone.parts(atMs);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}
