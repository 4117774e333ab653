/** `domovoi program`: programs of a running controller as text. What it does is told by the help in program-command.ts. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { ControllerError } from "../errors.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import type { ControllerClient } from "./controller-client.ts";
import { EditedText } from "./edit-text.ts";
import { lineDiff } from "./line-diff.ts";
import { withController } from "./with-controller.ts";

type Listed = {
  readonly id: string;
  readonly parentId?: string;
  readonly folder: boolean;
  readonly name: string;
  readonly enabled?: boolean;
  readonly running?: string;
  readonly status: string;
};

type Text = {
  readonly id: string | null;
  readonly version: number | null;
  readonly text: string;
  readonly before?: string | null;
  readonly error?: string;
};

/** Folders with what is in them, a line each. */
export function listPrograms(options: ConnectionOptions): Promise<void> {
  return withController(options, async (client) => {
    const entries = await client.ask<readonly Listed[]>("GET", "/api/programs");
    const root = entries.find(({ parentId }) => parentId === undefined);
    print(root ? treeLines(entries, root, "") : []);
  });
}

export function showProgram(which: string, options: ConnectionOptions): Promise<void> {
  return withController(options, async (client) => {
    const { text } = await client.ask<Text>("GET", textPath(await findId(client, which)));
    process.stdout.write(text);
  });
}

/** Until the text is taken, or the person gives up. */
export function editProgram(which: string, options: ConnectionOptions): Promise<void> {
  return withController(options, async (client) => {
    const path = textPath(await findId(client, which));
    const { text, version } = await client.ask<Text>("GET", path);
    const editing = new EditedText();
    let shown = text;
    for (;;) {
      const written = withoutRemarks(editing.edit(shown));
      if (written === text) {
        editing.remove();
        return print(["Nothing was changed."]);
      }
      try {
        tellChange({ ...(await client.ask<Text>("PUT", path, { text: written, version })), before: text });
        return editing.remove();
      } catch (error) {
        if (!(error instanceof ControllerError)) throw error;
        process.stderr.write(`${error.message}\n`);
        const isWorthwhile = error.status === 400 && (await wantsToGoOn());
        if (!isWorthwhile) throw refusal(`Nothing was written. Your text is in ${editing.file}.`, error);
        shown = remarks(error.message) + written;
      }
    }
  });
}

export type ApplyOptions = ConnectionOptions & { readonly dryRun?: boolean };

/** @param files "-" is the standard input. */
export function applyPrograms(files: readonly string[], options: ApplyOptions): Promise<void> {
  return withController(options, async (client) => {
    const path = `/api/programs/text${options.dryRun ? "?dryRun=true" : ""}`;
    for (const file of files) {
      const text = readText(file);
      try {
        tellChange(await client.ask<Text>("POST", path, { text }), options.dryRun);
      } catch (error) {
        if (!(error instanceof ControllerError) || files.length === 1) throw error;
        throw refusal(`${file}: ${error.message}`, error);
      }
    }
  });
}

function textPath(id: string): string {
  return `/api/programs/${id}/text`;
}

/** By its id, or by its name where that is the only one. */
export async function findId(client: ControllerClient, which: string): Promise<string> {
  const programs = (await client.ask<readonly Listed[]>("GET", "/api/programs")).filter(({ folder }) => !folder);
  const byName = programs.filter(({ name }) => name === which);
  const byId = programs.find(({ id }) => id === which.toUpperCase().padStart(4, "0"));
  const [found = byId] = byName;
  if (!found) throw refusal(`There is no program "${which}". "domovoi program list" shows them.`);
  if (byName.length > 1) {
    throw refusal(`There are several programs "${which}": ${byName.map(({ id }) => id).join(", ")}.`);
  }
  return found.id;
}

function treeLines(entries: readonly Listed[], folder: Listed, indent: string): readonly string[] {
  const inside = entries.filter(({ parentId }) => parentId === folder.id);
  return [
    `${folder.id}  ${indent}${folder.name}/`,
    ...inside.flatMap((entry) =>
      entry.folder ? treeLines(entries, entry, `${indent}  `) : [programLine(entry, `${indent}  `)],
    ),
  ];
}

function programLine({ id, name, enabled, running, status }: Listed, indent: string): string {
  const state = enabled ? (running === "idle" ? status : running) : "disabled";
  return `${id}  ${indent}${name}  (${state})`;
}

function tellChange({ id, before = null, text, error }: Text, isTrial = false): void {
  const title = text.split("\n")[0] ?? "";
  const changes = lineDiff(before ?? "", text);
  const would = isTrial ? "would be " : "";
  if (before === null) print([`${title}: ${would}made${id === null ? "" : ` as ${id}`}`, ...changes]);
  else if (changes.length === 0) print([`${title}: nothing ${isTrial ? "would be" : "is"} different`]);
  else print([`${title}: ${would}changed`, ...changes]);
  if (error !== undefined) process.stderr.write(`It is not loaded: ${error}\n`);
}

/** What is wrong, above the text, where the editor shows it first. */
function remarks(sentences: string): string {
  const offset = sentences.split("\n").length + 1;
  const lines = sentences.replace(/Line (\d+)/g, (_all, line: string) => `Line ${Number(line) + offset}`).split("\n");
  return [...lines, "Lines like these are not kept."].map((line) => `# ${line}\n`).join("");
}

/** So that lines keep the numbers that the controller tells, remarks are taken out before they are sent. */
function withoutRemarks(text: string): string {
  return text.replace(/^(?:#.*\n)+/, "");
}

/** Where nobody answers, nobody wants to. */
async function wantsToGoOn(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin });
  process.stderr.write("Press Enter to go on editing, q to give up. ");
  const answer = await new Promise<string | null>((resolve) => {
    terminal.once("line", resolve);
    terminal.once("close", () => resolve(null));
  });
  terminal.close();
  return answer !== null && !/^q/i.test(answer);
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new ControllerError("BAD_VALUE", { sentence: `The file ${file} cannot be read.`, cause });
  }
}

function refusal(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_REQUEST", { sentence, cause });
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
