/** Programs of a home that its owner moves in from: disabled, in a folder of their own, each with a mark by which it is known again. */

import type { SourceAutomation, SourceHome, SourceLine, SourceProgram } from "../drivers/home-source.ts";
import { isAct, sceneAddress } from "../drivers/home-source.ts";
import { cleanName } from "../drivers/report-checks.ts";
import { ControllerError } from "../errors.ts";
import type { ThingEdit } from "../home/edit.ts";
import type { Action, ProgramTree } from "../home/program-syntax.ts";
import type { ProgramDefinition, ProgramEntry } from "../home/programs.ts";
import { type Message, message } from "../messages.ts";
import type { Slices } from "../util/slices.ts";
import { created } from "./edit-home.ts";
import { folderToMake, programAsRevised, programToMake } from "./edit-programs.ts";
import type { CommandPorts } from "./ports.ts";

export type WayInPorts = Pick<
  CommandPorts,
  "home" | "feed" | "durability" | "config" | "clock" | "drivers" | "profile"
> & {
  readonly isChannel: (type: string) => boolean;
};

export type PlannedAutomation = Omit<SourceAutomation, "programs"> & {
  /** `there`: it came before; its programs stay as they are. */
  readonly state: "new" | "there";
  readonly programs: readonly (Pick<SourceProgram, "part"> & { readonly id: number; readonly name: string })[];
};

type Given = { readonly system: string; readonly source: SourceHome; readonly scenes: ReadonlyMap<string, string> };
type Put = (thing: ThingEdit) => void;
type Fixed = { readonly action: Action | null; readonly note: Message | null };
/** By the numbers of the source. */
type Written = Pick<Given, "scenes"> & {
  readonly ids: ReadonlyMap<number, number>;
  readonly drafts: ReadonlyMap<number, ProgramDefinition>;
};

const NOTHING: ProgramTree = { if: [], then: [], else: [] };
const ABOUT = {
  starts: "",
  called: "\nAnother program runs it.",
  waits: "\nIt stays disabled: another program runs it.",
} as const;

/** @param ports with the home as it would be */
export function* planPrograms(
  ports: WayInPorts,
  put: Put,
  { system, source, scenes }: Given,
): Slices<readonly PlannedAutomation[]> {
  const { programs } = ports.home;
  const ids = new Map<number, number>();
  const drafts = new Map<number, ProgramDefinition>();
  const before: (readonly ProgramEntry[])[] = [];
  for (const automation of source.automations) {
    // First line of the comments of its programs.
    const mark = `${system}, ${automation.kind} ${automation.key}`;
    const known = [...programs.values()].filter((each) => "comment" in each && each.comment.split("\n", 1)[0] === mark);
    before.push(known);
    for (const { number, name, part, runAtStartup } of automation.programs) {
      yield;
      const there = known.find((each) => each.name === name) ?? known[0];
      ids.set(number, there?.id ?? 0);
      if (there) continue;
      const about = {
        name: cleanName(name, automation.key),
        comment: mark + ABOUT[part],
        enabled: false,
        runAtStartup,
      };
      const draft = programToMake(ports, { ...about, tree: NOTHING, parentId: folderFor(ports, put, system) });
      // It counts among the others, so that each has a number of its own.
      programs.set(draft.id, draft as ProgramEntry);
      ids.set(number, draft.id);
      drafts.set(number, draft);
    }
  }
  const planned: PlannedAutomation[] = [];
  for (const [at, automation] of source.automations.entries()) {
    const known = before[at] ?? [];
    const isThere = known.length > 0;
    planned.push(isThere ? asKnown(automation, known) : written(ports, put, { ids, drafts, scenes }, automation));
    yield;
  }
  return planned;
}

function folderFor(ports: WayInPorts, put: Put, system: string): number {
  const name = `From ${system}`;
  const known = [...ports.home.programs.values()].find((each) => each.kind === "folder" && each.name === name);
  if (known) return known.id;
  const folder = folderToMake(ports, { name, parentId: null, conditions: [] });
  put(created("program", String(folder.id), folder as ProgramEntry));
  return folder.id;
}

function asKnown(automation: SourceAutomation, known: readonly ProgramEntry[]): PlannedAutomation {
  const partOf = (name: string) => automation.programs.find((each) => each.name === name)?.part ?? "starts";
  return { ...automation, state: "there", programs: known.map(({ id, name }) => ({ id, name, part: partOf(name) })) };
}

/** In the place of its drafts. */
function written(ports: WayInPorts, put: Put, given: Written, automation: SourceAutomation): PlannedAutomation {
  const fix = (action: Action) => fixed(ports, given, action);
  const inHome = (actions: readonly Action[]) => actions.flatMap((each) => fix(each).action ?? []);
  const lines = automation.lines.map((line) => lineAs(line, fix));
  const drafts = automation.programs.flatMap(({ number }) => given.drafts.get(number) ?? []);
  let made: readonly ProgramDefinition[] = [];
  try {
    const trees = automation.programs.map(({ tree }) => ({
      ...tree,
      then: inHome(tree.then),
      else: inHome(tree.else),
    }));
    if (trees.some((tree) => [...tree.then, ...tree.else].some(isAct)))
      made = drafts.map(({ id }, at) => programAsRevised(ports, id, { tree: trees[at] ?? NOTHING }, null));
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    const notes = [message("plain", { text: error.message })];
    lines.unshift({ at: "", text: "", fate: "out", conditions: [], actions: [], notes });
  }
  for (const { id } of drafts) ports.home.programs.delete(id);
  for (const each of made) put(created("program", String(each.id), each as ProgramEntry));
  const programs = made.map(({ id, name }, at) => ({ id, name, part: automation.programs[at]?.part ?? "starts" }));
  const verdict = lines.every(({ fate }) => fate === "same") ? automation.verdict : "differences";
  const isNone = made.length === 0 || automation.verdict === "none";
  return { ...automation, lines, state: "new", programs, verdict: isNone ? "none" : verdict };
}

function lineAs(line: SourceLine, fix: (action: Action) => Fixed): SourceLine {
  const all = line.actions.map(fix);
  const notes = all.flatMap(({ note }) => note ?? []);
  const isOut = all.some(({ action }) => action === null);
  return {
    ...line,
    fate: isOut ? "out" : line.fate,
    actions: all.flatMap(({ action }) => action ?? []),
    notes: [...line.notes, ...notes],
  };
}

/** With the numbers and addresses of this home. action null: it is left out. */
function fixed({ home, isChannel }: WayInPorts, { ids, scenes }: Written, action: Action): Fixed {
  if (action.kind === "program") {
    const id = ids.get(action.id);
    return id === undefined
      ? { action: null, note: message("wayIn.partMissing") }
      : { action: { ...action, id }, note: null };
  }
  if (action.kind === "command") {
    const scene = [...scenes].find(([id]) => sceneAddress(id) === action.node);
    if (scene) return { action: { ...action, node: scene[1] }, note: null };
    return home.nodes.has(action.node) ? { action, note: null } : { action: null, note: message("wayIn.partMissing") };
  }
  if (action.kind !== "message") return { action, note: null };
  const channel = [...home.integrations.values()].find(({ type, enabled }) => enabled && isChannel(type));
  if (!channel) return { action: null, note: message("wayIn.noChannel") };
  return { action: { ...action, channel: channel.id }, note: message("wayIn.channel", { name: channel.name }) };
}
