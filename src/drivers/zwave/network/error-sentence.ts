/** Errors of the library as sentences for people: without codes and stacks. */

import { ControllerError } from "../../../errors.ts";
import { shortLines } from "../../../util/foreign-text.ts";
import type { ZWaveLibrary } from "../library.ts";

type Codes = ZWaveLibrary["ZWaveErrorCodes"];

const REFUSED = "The adapter refused. It may be busy, or it is a secondary controller of another network.";
const SILENT = "The adapter does not answer. If this persists, unplug it and plug it in again.";

/** Where the library's own words say nothing to people. */
const SENTENCES: readonly (readonly [code: keyof Codes, sentence: string])[] = [
  ["Controller_InclusionFailed", REFUSED],
  ["Controller_ExclusionFailed", REFUSED],
  ["Controller_ResponseNOK", REFUSED],
  ["Controller_Timeout", SILENT],
  ["Controller_MessageDropped", SILENT],
];

/** @param codes of the library, as long as it is at hand. */
export function errorSentence(error: unknown, codes?: Codes): string {
  if (error instanceof ControllerError) return error.message;
  if (!(error instanceof Error)) return "The adapter failed.";
  const code = "code" in error ? error.code : undefined;
  const own = codes && SENTENCES.find(([name]) => codes[name] === code)?.[1];
  const message = error.message.trim().replace(/\(ZW\d+\)$/, "");
  const lines = shortLines(message).map((line) => line.replace(/^·/, "").trim());
  const sentence = lines.filter((line) => line !== "").join(" ");
  return own ?? (sentence === "" ? "The adapter failed." : sentence);
}
