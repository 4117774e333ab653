/** Findings of verification as the interface's JSON. @see docs/verification.md */

import type { WrittenFolder, WrittenProgram } from "../../../commands/edit-programs.ts";
import { ControllerError } from "../../../errors.ts";
import { hexId, type Program, type ProgramEntry, type ProgramFolder, ROOT_PROGRAM_ID } from "../../../home/programs.ts";
import { lineFinder } from "../../../programs/text/lines.ts";
import { createProgramNames } from "../../../programs/text/names.ts";
import type { PlacedEntry } from "../../../programs/text/parse-program.ts";
import type { TextPlace } from "../../../programs/text/text-problem.ts";
import { FINDING_CODES, type Finding, type FindingStep } from "../../../programs/verify/finding.ts";
import { verifyPrograms } from "../../../programs/verify/verify-programs.ts";
import type { Slices } from "../../../util/slices.ts";
import { JSON_TYPE, type Reply } from "../../reply.ts";
import type { HttpRequest } from "../../route.ts";
import { type Fits, list, object, textOrNull } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { messageData, messageJson } from "../message-json.ts";

const id = textOrNull("Id of the program or folder, four hex digits; null for a program that has no id yet.");
const path = textOrNull("Place in its tree, such as if[1].conditions[0] or then[3]; empty for the whole.");
const stepData = object({
  kind: { type: "string", enum: ["event", "condition", "evaluation", "statement", "value", "definition"] },
  program: id,
  path,
  text: { type: "string" },
  message: messageData,
});

const finding = object({
  code: { type: "string", enum: FINDING_CODES, description: "Stable; docs/verification.md lists them." },
  severity: { type: "string", enum: ["error", "warning", "hint"] },
  program: id,
  path,
  line: { type: ["integer", "null"], description: "Line in the text that was sent, or else in the program's text." },
  column: { type: ["integer", "null"] },
  lineText: textOrNull("The whole line."),
  sentence: { type: "string", description: "The finding as a sentence." },
  message: messageData,
  chain: list(stepData, { description: "The proof, step by step." }),
});

export const findingsSchema = list(finding, {
  description: "The findings of verification; empty without any.",
});

/** Query of routes that write a program: the response includes the findings of its verification. */
export const PROGRAM_WRITE = {
  access: "edit-program",
  holdsProgram: true,
  beside: { findings: findingsSchema },
} as const;

/** Stands for a program that is not saved yet; no program has this id. */
export const NEW_ID = 0;
const NEW: Program = {
  kind: "program",
  id: NEW_ID,
  version: 0,
  name: "New program",
  parentId: ROOT_PROGRAM_ID,
  comment: "",
  enabled: true,
  runAtStartup: false,
  running: "idle",
  status: false,
  invalid: null,
  lastRunAtMs: null,
  lastFinishAtMs: null,
  nextRunAtMs: null,
  tree: { if: [], then: [], else: [] },
};

/** A program as if it were saved. @param before the one that it would replace; null: it would be a new one. */
export function asIfSaved(before: Program | null, written: Partial<WrittenProgram>): Program {
  const known = before ?? NEW;
  return { ...known, ...written, parentId: written.parentId ?? known.parentId, invalid: null };
}

/** The same for a program folder. */
export function folderAsIfSaved(before: ProgramFolder | null, written: WrittenFolder): ProgramFolder {
  const { id, version, status, lastRunAtMs, lastFinishAtMs, nextRunAtMs } = before ?? NEW;
  const known = { id, version, status, lastRunAtMs, lastFinishAtMs, nextRunAtMs };
  return { ...known, ...written, kind: "folder", parentId: id === ROOT_PROGRAM_ID ? null : written.parentId };
}

/**
 * @param entries as they are, or as if they were saved; without them all programs.
 * @param written the text of the first of them, where one was sent: findings point into it.
 */
export function findingsOf(
  request: HttpRequest,
  services: Services,
  entries?: readonly ProgramEntry[],
  written?: Pick<PlacedEntry, "place">,
): Promise<readonly object[]> {
  return inTurns(request, findingsInSlices(services, entries, written));
}

function* findingsInSlices(
  services: Services,
  entries?: readonly ProgramEntry[],
  written?: Pick<PlacedEntry, "place">,
): Slices<readonly object[]> {
  const { home, profile, clock, config, integrations, turned } = services;
  const isChannel = (type: string) => integrations.isChannel(type);
  const names = createProgramNames(home, profile);
  const finders = new Map<number, PlacedEntry["place"]>();
  const [first] = entries ?? [];
  if (first && written) finders.set(first.id, (path) => written.place(path));
  const placeOf = ({ program, path }: Finding): TextPlace | null => {
    const entry = entries?.find(({ id }) => id === program) ?? home.programs.get(program);
    const find = finders.get(program) ?? (entry && lineFinder(entry, names));
    if (find) finders.set(program, find);
    return find?.(path) ?? null;
  };
  const findings: object[] = [];
  for (const found of yield* verifyPrograms(
    { home, profile, nowMs: clock.now(), limits: config, isChannel, turned },
    entries,
  )) {
    findings.push(findingJson(found, placeOf(found)));
    yield;
  }
  return findings;
}

/** The answer of a write: what was saved, and beside it what verification has to say of it. */
export async function savedReply(
  request: HttpRequest,
  services: Services,
  entry: ProgramEntry,
  data: object,
  written?: Pick<PlacedEntry, "place">,
): Promise<Reply> {
  const findings = await findingsOf(request, services, [entry], written);
  const body = JSON.stringify({ successful: true, data, findings });
  return { status: 200, contentType: JSON_TYPE, body };
}

function findingJson({ program, chain, sentence, ...rest }: Finding, place: TextPlace | null): Fits<typeof finding> {
  const { line = null, column = null, text: lineText = null } = place ?? {};
  const said = { sentence: sentence.text, message: messageJson(sentence) };
  return { ...rest, ...said, line, column, lineText, program: idJson(program), chain: chain.map(stepJson) };
}

function stepJson({ program, text, ...rest }: FindingStep): Fits<typeof stepData> {
  return { ...rest, text: text.text, message: messageJson(text), program: program === null ? null : idJson(program) };
}

function idJson(programNumber: number): string | null {
  return programNumber === NEW_ID ? null : hexId(programNumber);
}

/** Milliseconds of a slice; a turn of the event loop has time for a few of them (`request/fair-queue.ts`). */
const SLICE_MS = 2;

/** Long work for an answer, in slices between which other requests are answered. @throws ControllerError when the client is gone before the work is done. */
async function inTurns<T>(request: Pick<HttpRequest, "inTurn" | "signal">, work: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = await request.inTurn(() => sliceOf(work));
    if (done) return value;
    if (request.signal.aborted) throw new ControllerError("BAD_REQUEST", "The client disconnected.");
  }
}

function sliceOf<T>(work: Slices<T>): IteratorResult<void, T> {
  const endMs = performance.now() + SLICE_MS;
  let step = work.next();
  while (!step.done && performance.now() < endMs) step = work.next();
  return step;
}
