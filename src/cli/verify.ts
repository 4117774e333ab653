/** `domovoi verify`: what a running controller finds wrong with its programs, or with a text before it is saved. */

import type { ControllerSession } from "@domovoi/client";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { type Finding, findingLines } from "./findings.ts";
import { findId } from "./program.ts";
import { plain, plainJson } from "./show/plain.ts";
import { readNamedFile } from "./unreadable-file.ts";

type VerifyOptions = ConnectionOptions & { readonly text?: string };

type Verified = { readonly verified: number; readonly findings: readonly Finding[] };

/**
 * Ends with status 1 when there are errors.
 * @param programs ids or names; none = all programs.
 */
export async function printVerification(
  session: ControllerSession,
  programs: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const body = options.text === undefined ? await bodyFor(session, programs) : { text: readNamedFile(options.text) };
  // The shapes here are those of the same version's documentation; they are not checked again.
  const verified = (await session.request("POST", "/api/programs/verify", body)).data as Verified;
  process.stdout.write(options.json ? `${plainJson(verified, 2)}\n` : await report(session, verified));
  if (verified.findings.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

async function bodyFor(session: ControllerSession, programs: readonly string[]): Promise<object> {
  if (programs.length === 0) return {};
  const ids: string[] = [];
  for (const which of programs) ids.push(await findId(session, which));
  return { ids };
}

async function report(session: ControllerSession, { verified, findings }: Verified): Promise<string> {
  const programs =
    findings.length === 0 ? [] : ((await session.request("GET", "/api/programs")).data as readonly Named[]);
  const names = new Map(programs.map(({ id, name }) => [id, name]));
  const lines = [...Map.groupBy(findings, ({ program }) => program)].flatMap(([id, ofProgram]) => [
    id === null ? "The text" : plain(`${id}  ${names.get(id) ?? ""}`),
    ...ofProgram.flatMap((found) => [
      ...findingLines(null, [found]).map((line) => `  ${line}`),
      // The proof of a finding.
      ...found.chain.map(({ text }) => `      ${plain(text)}`),
    ]),
    "",
  ]);
  const counts = (["error", "warning", "hint"] as const).map((severity) =>
    counted(findings.filter((each) => each.severity === severity).length, severity),
  );
  const checked = verified === 1 ? "1 program or folder" : `${verified} programs and folders`;
  return [...lines, `${checked}: ${counts.join(", ")}.`, ""].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

type Named = { readonly id: string; readonly name: string };
