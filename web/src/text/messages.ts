/**
 * Sentences of the controller in the language of the page. The controller writes English and sends the code and the values beside it; an
 * English page shows its sentence. Conditions and statements in a message are lines of a program's text.
 *
 * @see docs/interface/messages.md
 */

import type { Message } from "@domovoi/client";
import { loadSentences, localLine } from "../programs/local-line.ts";
import { language } from "./text.ts";
import { spokenTime } from "./time.ts";
import { errorText } from "./problem.ts";

type Texts = Readonly<Record<string, string>>;

const OTHERS: Readonly<Record<string, () => Promise<{ readonly default: Texts }>>> = {
  de: () => import("./messages-de.json"),
};

let texts: Texts = {};

/** Before a sentence of the controller is shown. */
export async function loadMessages(): Promise<void> {
  const [others] = await Promise.all([OTHERS[language()]?.(), loadSentences()]);
  if (others) texts = others.default;
}

/** @param english the controller's sentence, for a message that the page does not know */
export function messageText(message: Message | null | undefined, english: string): string {
  const text = message && texts[message.code];
  if (text === null || text === undefined || !message) return english;
  return text.replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const name = first.toLowerCase() + rest;
    const words = valueText(message.values[name]);
    return first === name[0] ? words : words.charAt(0).toUpperCase() + words.slice(1);
  });
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join("; ");
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const { time, error, line } = value as Readonly<Record<string, string | undefined>>;
  if (time !== undefined) return spokenTime(Date.parse(time));
  if (error !== undefined) return errorText(error, "") ?? error;
  return line === undefined ? messageText(value as Message, "") : localLine(line);
}
