/** What the library throws, as a sentence for people: without its codes and without its stack. */

import { ControllerError } from "../../../errors.ts";

export function errorSentence(error: unknown): string {
  if (error instanceof ControllerError) return error.message;
  if (!(error instanceof Error)) return "The stick could not do it.";
  const sentence = error.message
    .replace(/\s*\(ZW\d+\)\s*$/, "")
    .replace(/\s*\n·?\s*/g, " ")
    .trim();
  return sentence === "" ? "The stick could not do it." : sentence;
}
