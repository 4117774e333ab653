/**
 * Candidates for the word that is being written: commands and options from the commands themselves, names from what is kept
 * of the home. The engine is @bomb.sh/tab; its shell scripts are not used, because they expand what names hold.
 */

import type { Complete, RootCommand } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { readSavedControllers } from "../connection/saved-controllers.ts";
import { plain } from "../show/plain.ts";
import { loadNames, type Names } from "./names.ts";

type Quote = (text: string) => string | null;

/** Words that are completed with files: what options and arguments call themselves. */
const FILE_WORDS = /^(file|dir)\b/;
const FILES = ":0\n";

/** @param words without their quotes; the last one is being written */
export function completeWords(domovoi: Command, words: readonly string[]): Promise<void> {
  return complete(domovoi, words, (text) => text);
}

/** @param line of bash, up to the cursor */
export function completeLine(domovoi: Command, line: string): Promise<void> {
  const { words, current, quote } = readLine(line);
  return complete(domovoi, [...words.slice(1), current], (text) => quoteFor(quote, text));
}

async function complete(domovoi: Command, words: readonly string[], quote: Quote): Promise<void> {
  const before = words.slice(0, -1);
  if (wantsFile(domovoi, before)) return void process.stdout.write(FILES);
  const root = tab(domovoi);
  root.commands.delete("complete");
  const names: Names = needsNames(root, before)
    ? ((await loadNames(optionValue(before, "--controller"))) ?? NO_NAMES)
    : NO_NAMES;
  addNames(root, names, before, quote);
  addControllers(root, quote);
  addRadios(root, quote);
  root.parse([...words]);
}

/** Whether a command or an option takes a file at the position of the word. */
function wantsFile(domovoi: Command, before: readonly string[]): boolean {
  const { command, positionals } = walk(domovoi, before);
  const last = before.at(-1) ?? "";
  const option = command.options.find(({ long, short }) => last !== "" && (long === last || short === last));
  if (option && (option.required || option.optional)) return FILE_WORDS.test(valueName(option.flags));
  const argument = command.registeredArguments[positionals] ?? command.registeredArguments.at(-1);
  const isThere = positionals < command.registeredArguments.length || argument?.variadic;
  return argument !== undefined && isThere === true && FILE_WORDS.test(argument.name());
}

function valueName(flags: string): string {
  return /[<[]([^>\]]+)/.exec(flags)?.[1] ?? "";
}

/** The command that is meant, and how many of its arguments are there. */
function walk(domovoi: Command, words: readonly string[]): { readonly command: Command; readonly positionals: number } {
  let command = domovoi;
  let positionals = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const option = command.options.find(({ long, short }) => long === word || short === word);
    if (word.startsWith("-")) at += option?.required ? 1 : 0;
    else {
      const inner = positionals === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      command = inner ?? command;
      positionals += inner ? 0 : 1;
    }
  }
  return { command, positionals };
}

const NO_NAMES: Names = {
  nodes: [],
  groups: [],
  folders: [],
  programs: [],
  programFolders: [],
  variables: [],
  resources: [],
};

function needsNames(root: RootCommand, before: readonly string[]): boolean {
  return root.commands.has(before[0] ?? "") || root.commands.has(before.slice(0, 2).join(" "));
}

/** Arguments and options are completed by what they are called. */
function addNames(root: RootCommand, names: Names, before: readonly string[], quote: Quote): void {
  const sources = sourcesOf(names, before);
  for (const command of root.commands.values()) {
    for (const [name, argument] of command.arguments) {
      const source = sources[name];
      if (source) argument.handler = offer(source, quote);
    }
    const folder = command.options.get("folder");
    const folders = command.value === "programs" ? names.programFolders : names.folders;
    if (folder) folder.handler = offer(named(folders, "folder"), quote);
  }
}

type Candidate = readonly [text: string, about: string];

function sourcesOf(names: Names, before: readonly string[]): Readonly<Record<string, readonly Candidate[]>> {
  const nodes = named(
    names.nodes.map(({ name }) => name),
    "node",
  );
  const groups = named(names.groups, "group");
  const commanded = names.nodes.find(({ name, address }) => before.includes(name) || before.includes(address));
  const commands = commanded?.commands ?? (before.some((word) => names.groups.includes(word)) ? GROUP_COMMANDS : []);
  return {
    node: [...nodes, ...(before[0] === "send" || before[0] === "watch" ? groups : [])],
    thing: [...nodes, ...groups, ...named(names.folders, "folder")],
    explained: [...nodes, ...named(names.programs, "program")],
    group: groups,
    scene: groups,
    program: named(names.programs, "program"),
    variable: named(names.variables, "variable"),
    resource: named(names.resources, "network resource"),
    command: commands,
    what: PROGRAM_WORDS,
  };
}

const GROUP_COMMANDS: readonly Candidate[] = ["DON", "DOF", "DFON", "DFOF", "BRT", "DIM"].map((id) => [id, ""]);
/** The ids of Domovoi's radio networks. */
const RADIOS: readonly Candidate[] = [
  ["zwave", "first adapter"],
  ["zwave2", "second adapter"],
];
const PROGRAM_WORDS: readonly Candidate[] = ["run", "if", "then", "else", "stop", "enable", "disable"].map((word) => [
  word,
  "",
]);

function named(names: readonly string[], about: string): readonly Candidate[] {
  return [...new Set(names)].map((name) => [name, about]);
}

function offer(candidates: readonly Candidate[], quote: Quote): (add: Complete) => void {
  return (add) => {
    for (const [text, about] of candidates) {
      // Control characters would change the terminal or end a line of the answer.
      const quoted = plain(text) === text ? quote(text) : null;
      if (quoted !== null) add(quoted, plain(about));
    }
  };
}

function addControllers(root: RootCommand, quote: Quote): void {
  const saved = [...readSavedControllers().controllers.keys()];
  const source = offer(named(saved, "controller"), quote);
  for (const command of root.commands.values()) {
    const option = command.options.get("controller");
    if (option) option.handler = source;
  }
  for (const [command, argument] of [
    ["logout", "name"],
    ["use", "controller"],
  ] as const) {
    const known = root.commands.get(command)?.arguments.get(argument);
    if (known) known.handler = source;
  }
}

function addRadios(root: RootCommand, quote: Quote): void {
  for (const command of root.commands.values()) {
    const option = command.options.get("radio");
    if (option) option.handler = offer(RADIOS, quote);
  }
}

function optionValue(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

/** A line of bash as words, and words as bash must have them. Nothing is expanded. */
type WrittenLine = {
  /** Complete words, without their quotes. */
  readonly words: readonly string[];
  /** The word at the cursor as it is written, behind a quote that is still open. */
  readonly current: string;
  /** The quote that is open at the cursor; empty for none. */
  readonly quote: "" | '"' | "'";
};

/** @param line up to the cursor */
export function readLine(line: string): WrittenLine {
  const words: string[] = [];
  let word: string | null = null;
  let startAt = 0;
  let quote: WrittenLine["quote"] = "";
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? "";
    if (quote === "" && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (word === null) startAt = at;
    word ??= "";
    const isQuote = letter === '"' || letter === "'";
    if (isQuote && (quote === "" || quote === letter)) quote = quote === "" ? letter : "";
    else if (letter === "\\" && quote !== "'" && at + 1 < line.length) word += escaped(line[++at] ?? "", quote);
    else word += letter;
  }
  if (word === null) return { words, current: "", quote: "" };
  const written = line.slice(startAt);
  // A quote in the middle of a word leaves the shell's own rules for what it replaces; then nothing is offered.
  return { words, current: quote === "" ? written : written.slice(written.indexOf(quote) + 1), quote };
}

/** Inside double quotes a backslash stays before what it does not escape. */
function escaped(letter: string, quote: WrittenLine["quote"]): string {
  return quote === '"' && !/["$\\\\`]/.test(letter) ? `\\${letter}` : letter;
}

/** @returns the text as it must stand on the line behind that quote; null when it cannot. */
export function quoteFor(quote: WrittenLine["quote"], text: string): string | null {
  switch (quote) {
    case "":
      return text.replaceAll(/[^\p{L}\p{N}_.,/%+@-]/gu, "\\$&");
    case '"':
      // "!" is history there, and a backslash before it would stay.
      return text.includes("!") ? null : text.replaceAll(/["$\\`]/g, "\\$&");
    case "'":
      return text.replaceAll("'", `'\\''`);
  }
}
