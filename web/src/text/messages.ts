/**
 * Sentences of the controller in the language of the page. The controller writes English and sends the code and the values beside it; an
 * English page shows its sentence. Conditions and statements in a message are lines of a program's text.
 *
 * @see docs/interface/messages.md
 */

import type { Message } from "@domovoi/client";
import { loadSentences, localLine } from "../programs/local-line.ts";
import { localInput } from "./home-zone.ts";
import { errorText } from "./problem.ts";
import { language } from "./text.ts";
import { spokenTime, timeText } from "./time.ts";

type Texts = Readonly<Record<string, string>>;

const OTHERS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=messages",
  import: "default",
});

let texts: Texts = {};

/** Before a sentence of the controller is shown. */
export async function loadMessages(): Promise<void> {
  const [others] = await Promise.all([OTHERS[`./languages/${language()}.json`]?.(), loadSentences()]);
  texts = others ?? {};
}

/** @param english the controller's sentence, for a message that the page does not know */
export function messageText(message: Message | null | undefined, english: string): string {
  const text = message && texts[message.code];
  if (!message) return english;
  if (text === null || text === undefined) return timesOf(message).reduce(withTime, english);
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

/** Times that the controller wrote into a sentence. */
function timesOf(message: Message): readonly number[] {
  return Object.values(message.values).flatMap(function timesIn(value: unknown): readonly number[] {
    if (Array.isArray(value)) return value.flatMap(timesIn);
    if (typeof value !== "object" || value === null) return [];
    const { time, values } = value as { readonly time?: string; readonly values?: object };
    return time === undefined ? Object.values(values ?? {}).flatMap(timesIn) : [Date.parse(time)];
  });
}

/** The controller writes `19:02:11`, `19:02:11 yesterday` or `19:02:11 on 2026-05-01`, after words such as "at". */
function withTime(sentence: string, atMs: number): string {
  const clock = localInput(atMs).slice(11);
  const written = new RegExp(`${clock}(?: \\(UTC[^)]*\\))?(?: yesterday| on \\d{4}-\\d\\d-\\d\\d)?`);
  return sentence.replace(written, timeText(atMs));
}
