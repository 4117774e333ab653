/**
 * Programs as the local interface of a controller has them, which is all that controllers without a portal have: their states in
 * XML, and the programs themselves as older clients read them.
 */

import { ControllerError } from "../../errors.ts";
import type { Foreign } from "../../home/program-syntax.ts";
import { ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { readTriggers, type WrittenTrigger } from "../../http/api/trigger-xml.ts";
import { childElements } from "../../util/read-xml.ts";
import { elementAsObject, text, truth } from "../../wire/loose.ts";
import type { TreeObject } from "../../wire/spelling/tree.ts";
import { type Original, xmlDocument } from "../original.ts";
import { programId, type Trigger, type Triggers } from "../parse/programs.ts";
import type { Problem } from "../problem.ts";

/** Names of documents with programs: as `GetAllD2D` returns them, or each file of a backup. */
const PROGRAMS = "programs";

/** @param file null: the programs of a running controller */
export function programsDocument(file: string | null): string {
  return file === null ? PROGRAMS : `${PROGRAMS} ${file}`;
}

/** A controller numbers them with four hex digits, so there are no more. */
const PROGRAMS_MAX = 65_535;
const STATEMENTS_MAX = 1_000_000;

/** A statement that did not come as it was written. `detail` continues "`<net>` …". */
export type UnreadStatement = WrittenTrigger["notes"][number] & { readonly program: string };

type LocalPrograms = {
  /** States of programs. */
  readonly listed: readonly TreeObject[];
  readonly triggers: Triggers;
  readonly unread: readonly UnreadStatement[];
  readonly problems: readonly Problem[];
};

/** A document that cannot be read does not keep the others from being read. A listed program without one stays invalid. */
export function readLocalPrograms(original: Original): LocalPrograms {
  const states = xmlDocument(original, "/rest/programs");
  const listed = states ? childElements(states, "program").map(elementAsObject) : [];
  const { written, problems } = writtenPrograms(original);
  const triggers = new Map<number, Trigger>();
  for (const each of listed) {
    const id = programId(each.id);
    if (id !== null && !truth(each.folder)) triggers.set(id, missing(text(each.name)));
  }
  for (const { id, name, comment, ...own } of written) {
    if (id !== null) triggers.set(id, { ...own, name: name ?? "", comment: comment ?? "", error: null });
  }
  const atRoot = triggers.get(ROOT_PROGRAM_ID);
  if (atRoot?.kind === "program") {
    const sentence = `The program "${atRoot.name}" has the number of the root folder here, so it is left out. Copy it there and delete this one.`;
    problems.push({ document: "programs", sentence });
  }
  const unread = written.flatMap(({ name, id, notes }) =>
    notes.map((note) => ({ ...note, program: name ?? `number ${id}` })),
  );
  return { listed, triggers, unread, problems };
}

/** Stands in a program whose statements are in no document, so that it is invalid and never runs. */
const MISSING: Foreign = { kind: "foreign", json: '{"type":"unread","xml":""}' };

function missing(name: string): Trigger {
  const tree = { if: [], then: [MISSING], else: [] };
  return { kind: "program", name, parentId: null, comment: "", tree, error: null };
}

function writtenPrograms(original: Original) {
  const written: WrittenTrigger[] = [];
  const problems: Problem[] = [];
  for (const [document, content] of original) {
    if (document !== PROGRAMS && !document.startsWith(`${PROGRAMS} `)) continue;
    const budget = { charsMax: content.length, programsMax: PROGRAMS_MAX, statementsMax: STATEMENTS_MAX };
    try {
      written.push(...readTriggers(content, budget).triggers);
    } catch (error) {
      if (!(error instanceof ControllerError)) throw error;
      problems.push({ document, sentence: error.message });
    }
  }
  return { written, problems };
}
