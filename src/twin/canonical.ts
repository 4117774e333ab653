/**
 * The documents as the twin serves them: without layout between members and elements, otherwise as received. An
 * unreadable document is refused by name, unless clients can do without it.
 */

import { badValue } from "../errors.ts";
import { RADIO_FAMILIES } from "../families.ts";
import { XML_PROLOG } from "../util/xml.ts";
import { documentKind } from "../wire/spelling/documents.ts";
import { parseJsonTree, parseXmlTree, writeJsonTree, writeXmlTree } from "../wire/spelling/tree.ts";
import { type Original, RADIO_DOCUMENT } from "./original.ts";
import type { Problem } from "./problem.ts";

type Canonical = { readonly received: ReadonlyMap<string, string>; readonly problems: readonly Problem[] };

/** Clients can do without these documents, or treat a malformed one as absent. */
const DISPENSABLE = /^(\/api\/(groups|triggers)|\/rest\/networking\/resources|def\/get .*)$/;
/** Without these there is no home. */
const STRUCTURE: ReadonlySet<string> = new Set(["/api/nodes", "/rest/nodes"]);
const NO_LINKS = '{"successful":true,"data":{"groups":[]}}';

/** @throws ControllerError BAD_VALUE */
export function canonicalDocuments(original: Original): Canonical {
  const received = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [document, written] of withFamilies(original)) {
    const kind = documentKind(document);
    if (!kind) continue;
    if (written.trim() === "" && !STRUCTURE.has(document)) {
      problems.push({ document, sentence: "It is empty." });
      continue;
    }
    try {
      received.set(document, canonical(written, kind.format));
    } catch (cause) {
      const sentence = `It cannot be read: ${reason(cause)}.`;
      if (!DISPENSABLE.test(document)) {
        throw badValue(`The document ${document} cannot be read: ${reason(cause)}.`, cause);
      }
      problems.push({ document, sentence });
      if (document === "/rest/networking/resources") received.set(document, `${XML_PROLOG}<NetConfig></NetConfig>`);
    }
  }
  // Clients take scenes that are not in this document for unresolved, and ours would list them.
  if (!received.has("/api/groups")) received.set("/api/groups", NO_LINKS);
  const labels = received.get("labels -1 1");
  if (labels !== undefined && !received.has("labels 1 1")) received.set("labels 1 1", labels);
  return { received, problems };
}

function canonical(written: string, format: "json" | "xml" | "text"): string {
  const clean = written.replace(/^\ufeff/, "");
  if (format === "json") return writeJsonTree(parseJsonTree(clean));
  return format === "xml" ? XML_PROLOG + writeXmlTree(parseXmlTree(clean)) : written;
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

/**
 * The nodedefs of an unnamed radio are listed for both radio families: clients request them only for families without
 * nodedefs.
 */
function withFamilies(original: Original): Original {
  const radio = original.get(RADIO_DOCUMENT);
  if (radio === undefined) return original;
  const documents = new Map(original);
  documents.delete(RADIO_DOCUMENT);
  for (const { id, ...family } of RADIO_FAMILIES) {
    if (!family.radio.hasDeviceTypes) continue;
    const name = `def/get ${id} nodedef`;
    if (!documents.has(name)) documents.set(name, radio);
  }
  return documents;
}
