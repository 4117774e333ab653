/** `domovoi program`: programs of a running controller as text. program-command.ts has its help. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ClientError, type ControllerSession } from "@domovoi/client";
import { closestTo } from "../util/closest.ts";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { type Finding, findingLines, hasErrors, problemLines } from "./findings.ts";
import { lineDiff } from "./line-diff.ts";
import { CommandFailure, usageFailure } from "./outcome.ts";
import { plain } from "./show/plain.ts";
import { readNamedFile } from "./unreadable-file.ts";

type Listed = { readonly id: string; readonly folder: boolean; readonly name: string };

type Text = {
  readonly id: string | null;
  readonly version: number | null;
  readonly text: string;
  readonly before?: string | null;
  readonly error?: string;
  readonly findings: readonly Finding[];
};

type ShowOptions = ConnectionOptions & { readonly withVersion?: boolean };

export async function showProgram(session: ControllerSession, which: string, options: ShowOptions): Promise<void> {
  const { text, version } = await readText(session, textPath(await findId(session, which, "programs and folders")));
  const shown = options.withVersion ? `# Version ${version}\n${text}` : text;
  // Into a file or a pipe as it is, so that it can be put back.
  process.stdout.write(process.stdout.isTTY ? shown.split("\n").map(plain).join("\n") : shown);
}

type EditOptions = ConnectionOptions & { readonly force?: boolean };

/** Until the text is taken, or the person gives up. */
export async function editProgram(
  session: ControllerSession,
  which: string,
  { force = false }: EditOptions,
): Promise<void> {
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
    const refused = await edit({ session, path, file: editing.file, text, version, force }, written);
    if (!refused) return editing.remove();
    process.stderr.write(refused.map((line) => `${line}\n`).join(""));
    if (!(await confirmRetry())) throw refusal(`Nothing was written. Your text is in ${editing.file}.`);
    shown = remarks(refused) + written;
  }
}

type Edited = {
  readonly session: ControllerSession;
  readonly path: string;
  readonly file: string;
  /** Before it was edited. */
  readonly text: string;
  readonly version: number | null;
  readonly force: boolean;
};

/** @returns why the text is refused; null: it is written. @throws ClientError when another text would be refused too. */
async function edit(
  { session, path, file, text, version, force }: Edited,
  written: string,
): Promise<readonly string[] | null> {
  const body = { text: written, version };
  try {
    const { findings } = await writeText(session, "PUT", `${path}?dryRun=true`, body);
    if (hasErrors(findings) && !force) return [...findingLines(null, findings), `Nothing was written. ${FORCE}`];
    complainOf(null, findings);
    printChange({ ...(await writeText(session, "PUT", path, body)), before: text });
    return null;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.status !== 400) throw refusal(`${error.message} Nothing was written. Your text is in ${file}.`, error);
    return error.problems.length > 0 ? problemLines(null, error, written) : error.message.split("\n");
  }
}

type ApplyOptions = EditOptions & { readonly dryRun?: boolean };

/** @param files "-" is the standard input. */
export async function applyPrograms(
  session: ControllerSession,
  files: readonly string[],
  options: ApplyOptions,
): Promise<void> {
  for (const file of files) {
    const text = readNamedFile(file);
    try {
      await apply(session, file, text, options);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      throw (
        textRefusal(file, text, error) ?? (files.length === 1 ? error : refusal(`${file}: ${error.message}`, error))
      );
    }
  }
}

async function apply(
  session: ControllerSession,
  file: string,
  text: string,
  { dryRun = false, force = false }: ApplyOptions,
): Promise<void> {
  const body = { text, ...versionIn(text) };
  const where = file === "-" ? "standard input" : file;
  const trial = await writeText(session, "POST", "/api/programs/text?dryRun=true", body);
  complainOf(where, trial.findings);
  const isRefused = hasErrors(trial.findings) && !force;
  if (dryRun) printChange(trial, true);
  else if (!isRefused) printChange(await writeText(session, "POST", "/api/programs/text", body));
  if (isRefused) throw refusal(`${where} ${dryRun ? "would be" : "was"} refused because of the errors above. ${FORCE}`);
}

const FORCE = "To write it all the same, use --force.";

function complainOf(where: string | null, findings: readonly Finding[]): void {
  process.stderr.write(
    findingLines(where, findings)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

/** null when it was not the text that was refused. */
export function textRefusal(where: string, text: string, error: ClientError): CommandFailure | null {
  if (error.problems.length === 0) return null;
  return refusal([`${where} is not the text of a program:`, ...problemLines(where, error, text)].join("\n"), error);
}

/** The version that was read, where `show --with-version` wrote it above the text. */
function versionIn(text: string): { readonly version?: number } {
  const [, version] = /^\ufeff?# Version (\d{1,15})\r?$/m.exec(text.slice(0, VERSION_LINE_MAX)) ?? [];
  return version === undefined ? {} : { version: Number(version) };
}

/** The id is in the first line. */
const VERSION_LINE_MAX = 40;

function textPath(id: string): string {
  return `/api/programs/${id}/text`;
}

// The shapes are those of the same version's documentation; they are not checked again.
async function readText(session: ControllerSession, path: string): Promise<Omit<Text, "findings">> {
  return (await session.request("GET", path)).data as Text;
}

async function writeText(
  session: ControllerSession,
  method: "POST" | "PUT",
  path: string,
  body: object,
): Promise<Text> {
  const { data, findings } = await session.request(method, path, body);
  return { ...(data as Text), findings: findings as readonly Finding[] };
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

function printChange({ before = null, text, error }: Text, isTrial = false): void {
  const title = text.split("\n")[0] ?? "";
  const changes = lineDiff(before ?? "", text);
  const would = isTrial ? "would be " : "";
  if (before === null) print([`${title}: ${would}created`, ...changes]);
  else if (changes.length === 0) print([`${title}: nothing ${isTrial ? "would be" : "is"} different`]);
  else print([`${title}: ${would}changed`, ...changes]);
  if (error !== undefined) process.stderr.write(`It is not loaded: ${plain(error)}\n`);
}

/** Above the text, where the editor shows them first. Line numbers count them too. */
function remarks(refused: readonly string[]): string {
  // The lines of the text that they quote stand below.
  const sentences = refused.filter((line) => !line.startsWith(" "));
  const offset = sentences.length + 1;
  const lines = sentences.map((line) =>
    line.replace(/^Line (\d+)/, (_all, number: string) => `Line ${Number(number) + offset}`),
  );
  return [...lines, "Lines that start like this are removed."].map((line) => `# ${line}\n`).join("");
}

/** Comments are cut out before sending, but their lines stay, so that line numbers in errors match. */
function withoutRemarks(text: string): string {
  return text.replace(/^(?:#.*\n)+/, "");
}

/** Without an answer nothing is changed. */
async function confirmRetry(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin });
  process.stderr.write("Press Enter to go on editing, q to give up. ");
  const answer = await new Promise<string | null>((resolve) => {
    terminal.once("line", resolve);
    terminal.once("close", () => resolve(null));
  });
  terminal.close();
  return answer !== null && !/^q/i.test(answer);
}

function refusal(sentence: string, cause?: unknown): CommandFailure {
  return new CommandFailure("failed", sentence, cause);
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(""));
}

/** A text in the person's own editor: written to a file of its own, opened, read again. */
class EditedText {
  readonly #directory = mkdtempSync(join(tmpdir(), "domovoi-edit-"));
  readonly file = join(this.#directory, "program.txt");

  /** Opens the text and waits until the editor ends. @throws CommandFailure when there is no editor. */
  edit(text: string): string {
    writeFileSync(this.file, text, { mode: 0o600 });
    const editor = process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
    // An editor may be a command with arguments of its own, as everywhere: EDITOR="code --wait".
    const [command = "", ...args] = editor.split(" ").filter((part) => part !== "");
    const { error, status } = spawnSync(command, [...args, this.file], { stdio: "inherit" });
    if (error || status !== 0) {
      const sentence = `The editor "${editor}" could not be started. Set EDITOR to the one to use.`;
      throw new CommandFailure("failed", sentence, error);
    }
    return readFileSync(this.file, "utf8");
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
