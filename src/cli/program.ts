/** `domovoi program`: programs of a running controller as text. What it does is told by the help in program-command.ts. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { ClientError, type ControllerSession } from "@domovoi/client";
import { closestTo } from "../util/closest.ts";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { withSession } from "./connection/with-home.ts";
import { EditedText } from "./edit-text.ts";
import { lineDiff } from "./line-diff.ts";
import { CommandFailure, usageFailure } from "./outcome.ts";
import { plain } from "./show/plain.ts";

type Listed = { readonly id: string; readonly folder: boolean; readonly name: string };

type Text = {
  readonly id: string | null;
  readonly version: number | null;
  readonly text: string;
  readonly before?: string | null;
  readonly error?: string;
};

export type ShowOptions = ConnectionOptions & { readonly withVersion?: boolean };

export function showProgram(which: string, options: ShowOptions): Promise<void> {
  return withSession(options, async (session) => {
    const { text, version } = await readText(session, textPath(await findId(session, which, "programs and folders")));
    const shown = options.withVersion ? `# Version ${version}\n${text}` : text;
    // Into a file or a pipe as it is, so that it can be put back.
    process.stdout.write(process.stdout.isTTY ? shown.split("\n").map(plain).join("\n") : shown);
  });
}

/** Until the text is taken, or the person gives up. */
export function editProgram(which: string, options: ConnectionOptions): Promise<void> {
  return withSession(options, async (session) => {
    const path = textPath(await findId(session, which, "programs and folders"));
    const { text, version } = await readText(session, path);
    const editing = new EditedText();
    let shown = text;
    for (;;) {
      const written = withoutRemarks(editing.edit(shown));
      if (written === text) {
        editing.remove();
        return print(["Nothing was changed."]);
      }
      try {
        tellChange({ ...(await writeText(session, "PUT", path, { text: written, version })), before: text });
        return editing.remove();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
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
  return withSession(options, async (session) => {
    const path = `/api/programs/text${options.dryRun ? "?dryRun=true" : ""}`;
    for (const file of files) {
      const text = readFile(file);
      try {
        tellChange(await writeText(session, "POST", path, { text, ...versionIn(text) }), options.dryRun);
      } catch (error) {
        if (!(error instanceof ClientError) || files.length === 1) throw error;
        throw refusal(`${file}: ${error.message}`, error);
      }
    }
  });
}

/** The version that was read, where `show --with-version` wrote it above the text. */
function versionIn(text: string): { readonly version?: number } {
  const [, version] = /^\ufeff?# Version (\d{1,15})\r?$/m.exec(text.slice(0, VERSION_LINE_MAX)) ?? [];
  return version === undefined ? {} : { version: Number(version) };
}

/** It stands in the first line. */
const VERSION_LINE_MAX = 40;

function textPath(id: string): string {
  return `/api/programs/${id}/text`;
}

// The shapes are those of the same version's documentation; they are not checked again.
async function readText(session: ControllerSession, path: string): Promise<Text> {
  return (await session.request("GET", path)).data as Text;
}

async function writeText(
  session: ControllerSession,
  method: "POST" | "PUT",
  path: string,
  body: object,
): Promise<Text> {
  return (await session.request(method, path, body)).data as Text;
}

/** By its id, or by its name where that is the only one. @param kinds folders too, or programs only. */
export async function findId(
  session: ControllerSession,
  which: string,
  kinds: "programs" | "programs and folders" = "programs",
): Promise<string> {
  const listed = (await session.request("GET", "/api/programs")).data as readonly Listed[];
  const programs = listed.filter(({ folder }) => !folder || kinds === "programs and folders");
  const byName = programs.filter(({ name }) => name === which);
  const byId = programs.find(({ id }) => id === which.toUpperCase().padStart(4, "0"));
  const [found = byId] = byName;
  if (!found) {
    const close = closestTo(
      which,
      programs.flatMap(({ id, name }) => [name, id]),
    );
    const hint = close === null ? '"domovoi programs" shows them.' : `Did you mean "${close}"?`;
    throw new CommandFailure("notFound", `There is no program "${which}". ${hint}`);
  }
  if (byName.length > 1) {
    throw usageFailure(`There are several programs "${which}": ${byName.map(({ id }) => id).join(", ")}.`);
  }
  return found.id;
}

function tellChange({ id, before = null, text, error }: Text, isTrial = false): void {
  const title = text.split("\n")[0] ?? "";
  const changes = lineDiff(before ?? "", text);
  const would = isTrial ? "would be " : "";
  if (before === null) print([`${title}: ${would}made${id === null ? "" : ` as ${id}`}`, ...changes]);
  else if (changes.length === 0) print([`${title}: nothing ${isTrial ? "would be" : "is"} different`]);
  else print([`${title}: ${would}changed`, ...changes]);
  if (error !== undefined) process.stderr.write(`It is not loaded: ${plain(error)}\n`);
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

function readFile(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw usageFailure(`The file ${file} cannot be read.`, cause);
  }
}

function refusal(sentence: string, cause: unknown): CommandFailure {
  return new CommandFailure("failed", sentence, cause);
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(""));
}
