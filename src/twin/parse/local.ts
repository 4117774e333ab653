/**
 * Programs as the local interface of a controller has them, which is all that controllers without a portal have: lists in XML,
 * and the programs themselves as older clients read them.
 */

import { ControllerError } from "../../errors.ts";
import { readTriggers, type WrittenTrigger } from "../../http/api/trigger-xml.ts";
import { childElements, type XmlElement } from "../../util/read-xml.ts";
import { elementAsObject } from "../../wire/loose.ts";
import type { TreeObject } from "../../wire/spelling/tree.ts";
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

/** @param document `/rest/programs` */
export function listedPrograms(document: XmlElement): readonly TreeObject[] {
  return childElements(document, "program").map(elementAsObject);
}

type ReadPrograms = { readonly triggers: readonly WrittenTrigger[]; readonly problems: readonly Problem[] };

/** Of all documents with programs. One that cannot be read does not keep the others from being read. */
export function readProgramsXml(original: ReadonlyMap<string, string>): ReadPrograms {
  const triggers: WrittenTrigger[] = [];
  const problems: Problem[] = [];
  for (const [name, text] of original) {
    if (name !== PROGRAMS && !name.startsWith(`${PROGRAMS} `)) continue;
    const budget = { charsMax: text.length, programsMax: PROGRAMS_MAX, statementsMax: STATEMENTS_MAX };
    try {
      triggers.push(...readTriggers(text, budget).triggers);
    } catch (error) {
      if (!(error instanceof ControllerError)) throw error;
      problems.push({ document: name, sentence: error.message });
    }
  }
  return { triggers, problems };
}
