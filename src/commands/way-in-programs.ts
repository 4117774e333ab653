/** Programs of a home that its owner moves in from: disabled, in a folder of their own, each with a mark by which it is known again. */

import type { SourceAutomation, SourceHome, SourceLine, SourceProgram, Verdict } from "../drivers/home-source.ts";
import { sceneAddress } from "../drivers/home-source.ts";
import { cleanName } from "../drivers/report-checks.ts";
import { ControllerError } from "../errors.ts";
import type { ThingEdit } from "../home/edit.ts";
import type { Home } from "../home/home.ts";
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

const NOTHING: ProgramTree = { if: [], then: [], else: [] };

/** @param ports with the home as it would be */
export function* planPrograms(ports: WayInPorts, put: Put, given: Given): Slices<readonly PlannedAutomation[]> {
  const { system, source } = given;
  const { home } = ports;
  const ids = new Map<number, number>();
  const made: { readonly automation: SourceAutomation; readonly known: readonly ProgramEntry[] }[] = [];
  const drafts = new Map<number, ProgramDefinition>();
  let folder: number | null = null;
  for (const automation of source.automations) {
    yield;
    const known = knownPrograms(home, markOf(system, automation));
    made.push({ automation, known });
    if (known[0])
      for (const { number, name } of automation.programs)
        ids.set(number, (known.find((each) => each.name === name) ?? known[0]).id);
    else if (automation.programs.length > 0) folder ??= folderFor(ports, put, system);
    for (const program of known[0] ? [] : automation.programs) {
      const draft = programToMake(ports, { ...writtenOf(system, automation, program), parentId: folder });
      // It counts among the others, so that each has a number of its own.
      home.programs.set(draft.id, draft as ProgramEntry);
      ids.set(program.number, draft.id);
      drafts.set(program.number, draft);
      yield;
    }
  }
  const planned: PlannedAutomation[] = [];
  for (const { automation, known } of made) {
    planned.push(
      known[0] ? asKnown(automation, known) : writeAutomation(ports, put, { ...given, ids, drafts }, automation),
    );
    yield;
  }
  return planned;
}

/** First line of the comments of its programs. */
function markOf(system: string, { kind, key }: SourceAutomation): string {
  return `${system}, ${kind} ${key}`;
}

function knownPrograms(home: Home, mark: string): readonly ProgramEntry[] {
  return [...home.programs.values()].filter(
    (each) => each.kind === "program" && each.comment.split("\n", 1)[0] === mark,
  );
}

function folderFor(ports: WayInPorts, put: Put, system: string): number {
  const name = `From ${system}`;
  const known = [...ports.home.programs.values()].find((each) => each.kind === "folder" && each.name === name);
  if (known) return known.id;
  const folder = folderToMake(ports, { name, parentId: null, conditions: [] });
  put(created("program", String(folder.id), folder as ProgramEntry));
  return folder.id;
}

const ABOUT = {
  starts: "",
  called: "\nAnother program runs it.",
  waits: "\nIt stays disabled: another program runs it.",
} as const;

function writtenOf(system: string, automation: SourceAutomation, { name, part, runAtStartup }: SourceProgram) {
  const comment = markOf(system, automation) + ABOUT[part];
  return { name: cleanName(name, automation.key), comment, enabled: false, runAtStartup, tree: NOTHING };
}

function asKnown(automation: SourceAutomation, known: readonly ProgramEntry[]): PlannedAutomation {
  const partOf = (name: string) => automation.programs.find((each) => each.name === name)?.part ?? "starts";
  return { ...automation, state: "there", programs: known.map(({ id, name }) => ({ id, name, part: partOf(name) })) };
}

type Written = Given & {
  readonly ids: ReadonlyMap<number, number>;
  readonly drafts: ReadonlyMap<number, ProgramDefinition>;
};

function writeAutomation(
  ports: WayInPorts,
  put: Put,
  written: Written,
  automation: SourceAutomation,
): PlannedAutomation {
  const fix = (action: Action) => fixed(ports, written, action);
  const lines = automation.lines.map((line) => lineAs(line, fix));
  const isSame = lines.every(({ fate }) => fate === "same");
  const verdict: Verdict = automation.verdict === "exact" && !isSame ? "differences" : automation.verdict;
  const inHome = (actions: readonly Action[]) => actions.flatMap((each) => fix(each).action ?? []);
  const trees = automation.programs.map(({ tree }) => ({
    if: tree.if,
    then: inHome(tree.then),
    else: inHome(tree.else),
  }));
  const acts = trees.some(({ then, else: otherwise }) =>
    [...then, ...otherwise].some(({ kind }) => kind !== "program" && kind !== "wait" && !kind.startsWith("repeat")),
  );
  const drafts = automation.programs.map(({ number }) => written.drafts.get(number));
  try {
    const whole = acts
      ? drafts.map((draft, at) => programAsRevised(ports, draft?.id ?? 0, { tree: trees[at] ?? NOTHING }, null))
      : [];
    for (const draft of drafts) if (draft) ports.home.programs.delete(draft.id);
    for (const each of whole) put(created("program", String(each.id), each as ProgramEntry));
    const programs = automation.programs
      .slice(0, whole.length)
      .map(({ part }, at) => ({ part, id: whole[at]?.id ?? 0, name: whole[at]?.name ?? "" }));
    return { ...automation, lines, state: "new", programs, verdict: acts ? verdict : "none" };
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    for (const draft of drafts) if (draft) ports.home.programs.delete(draft.id);
    const note: SourceLine = {
      at: "",
      text: "",
      fate: "out",
      conditions: [],
      actions: [],
      notes: [message("plain", { text: error.message })],
    };
    return { ...automation, lines: [note, ...lines], state: "new", programs: [], verdict: "none" };
  }
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
