/** Running programs, and in portal mode reading and writing them. @see docs/interface/programs.md */

import type { AppliedText, ProgramChanges, ProgramCommand, WrittenTree } from "../api.ts";
import { isObject, objectsOf, parseJson, readEnvelope, textOf, textOrNull } from "../documents/json.ts";
import { programId } from "../documents/programs.ts";
import { readTree } from "../documents/triggers.ts";
import type { Finding } from "../model/finding.ts";
import type { Message } from "../model/history.ts";
import type { TriggerTree } from "../model/records.ts";
import type { Session } from "../transport/session.ts";
import { order, requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

export function run(session: Session, id: string, command: ProgramCommand): Promise<void> {
  return order(session, `/rest/programs/${segment(id)}/${command}`);
}

export async function update(session: Session, id: string, changes: ProgramChanges): Promise<void> {
  requirePortal(session, "Changing a program");
  await write(session, "POST", `/api/programs/${segment(id)}`, changes);
}

export async function remove(session: Session, id: string): Promise<void> {
  requirePortal(session, "Removing a program");
  await write(session, "DELETE", `/api/programs/${segment(id)}`);
}

/** @returns its id */
export async function addFolder(session: Session, folder: { readonly name: string }): Promise<string> {
  requirePortal(session, "Making a folder");
  const data = await write(session, "POST", "/api/programs", { ...folder, folder: true });
  return isObject(data) ? programId(data.id) : "";
}

export async function fetchTree(session: Session, id: string): Promise<TriggerTree> {
  requirePortal(session, "The tree of a program");
  const path = `/api/triggers/${Number.parseInt(id, 16)}`;
  return readTree(readEnvelope(await session.get(path), path));
}

/** @param tree with `id`: replaces that program; without: makes one */
export async function writeTree(session: Session, method: "PUT" | "POST", tree: object): Promise<WrittenTree> {
  requirePortal(session, "Writing a program");
  const path = "/api/trigger";
  const text = await session.send(method, path, { body: tree });
  return { tree: readTree(readEnvelope(text, path)), findings: readFindings(parseJson(text)) };
}

export async function fetchText(session: Session, id: string): Promise<string> {
  requirePortal(session, "The text of a program");
  const path = `/api/programs/${segment(id)}/text`;
  const data = readEnvelope(await session.get(path), path);
  return isObject(data) ? textOf(data.text) : "";
}

export async function applyText(session: Session, text: string, isDryRun: boolean): Promise<AppliedText> {
  requirePortal(session, "Writing a program");
  const path = `/api/programs/text${isDryRun ? "?dryRun=true" : ""}`;
  const answer = await session.send("POST", path, { body: { text } });
  const data = readEnvelope(answer, path);
  const applied = isObject(data) ? data : {};
  return {
    id: programId(applied.id) || null,
    text: textOf(applied.text),
    before: textOrNull(applied.before),
    findings: readFindings(parseJson(answer)),
  };
}

export async function verify(
  session: Session,
  what: { readonly ids?: readonly string[]; readonly text?: string },
): Promise<readonly Finding[]> {
  requirePortal(session, "Verifying programs");
  return readFindings(await write(session, "POST", "/api/programs/verify", what));
}

/** Beside the data of a write, in the data of a verification; of controllers that do not verify there are none. */
function readFindings(holder: unknown): readonly Finding[] {
  return objectsOf(isObject(holder) ? holder.findings : null).map((finding) => ({
    code: textOf(finding.code),
    severity: textOf(finding.severity),
    path: textOf(finding.path),
    line: typeof finding.line === "number" ? finding.line : null,
    column: typeof finding.column === "number" ? finding.column : null,
    lineText: typeof finding.lineText === "string" ? finding.lineText : null,
    sentence: textOf(finding.sentence),
    message: messageOrNull(finding.message),
    program: textOrNull(finding.program),
    chain: objectsOf(finding.chain).map(({ text, message }) => ({
      text: textOf(text),
      message: messageOrNull(message),
    })),
  }));
}

function messageOrNull(value: unknown): Message | null {
  return isObject(value) && isObject(value.values) ? { code: textOf(value.code), values: value.values } : null;
}
