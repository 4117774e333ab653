/**
 * Sentences of the controller in the language of the page. The controller writes English and sends the code and the values beside it; an
 * English page shows its sentence. Conditions and statements in a message are lines of a program's text.
 *
 * @see docs/interface/messages.md
 */

import type { Message } from "@domovoi/client";
import { eventValueText } from "../parts/node-state.ts";
import { loadSentences, localLine } from "../programs/local-line.ts";
import { localInput } from "./home-zone.ts";
import { localName } from "./names.ts";
import { inOwnWords } from "./own-words.ts";
import { errorText } from "./problem.ts";
import { shownNode } from "./shown-nodes.ts";
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
  if (text === null || text === undefined) return inPageWords(english, message);
  return text.replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const name = first.toLowerCase() + rest;
    const words = valueText(message.values[name], name);
    return first === name[0] ? words : words.charAt(0).toUpperCase() + words.slice(1);
  });
}

/** Values of these names are labels of definitions. */
const LABELS: ReadonlySet<string> = new Set(["property", "command"]);

function valueText(value: unknown, name = ""): string {
  if (Array.isArray(value)) return value.map((each) => valueText(each)).join("; ");
  if (typeof value !== "object" || value === null)
    return LABELS.has(name) ? localName(String(value ?? "")) : String(value ?? "");
  if ("uom" in value) return propertyValueText(value as SpokenProperty);
  const { time, error, line } = value as Readonly<Record<string, string | undefined>>;
  if (time !== undefined) return spokenTime(Date.parse(time));
  if (error !== undefined) return errorText(error, "") ?? error;
  return line === undefined ? messageText(value as Message, "") : localLine(line);
}

type SpokenProperty = {
  readonly node: string;
  readonly property: string;
  readonly value: number;
  readonly uom: number;
  readonly prec: number;
  readonly text: string;
};

/** As the page shows the value: in the words of the node's role, in the unit of the home. */
function propertyValueText({ node, property: id, value, uom, prec, text }: SpokenProperty): string {
  const shown = shownNode(node);
  return shown ? eventValueText(shown, { property: { id, value, uom, prec }, value: text }) : localName(text);
}

/** An English sentence of the controller with its times and values as the page shows them. */
function inPageWords(english: string, message: Message): string {
  const parts = Object.values(message.values).flatMap(function partsOf(value: unknown): readonly object[] {
    if (Array.isArray(value)) return value.flatMap(partsOf);
    if (typeof value !== "object" || value === null) return [];
    const { values } = value as { readonly values?: object };
    return values ? Object.values(values).flatMap(partsOf) : [value];
  });
  return parts.reduce((sentence: string, part) => {
    if ("time" in part) return withTime(sentence, Date.parse(String(part.time)));
    if ("line" in part) return sentence.replace(String(part.line), () => localLine(String(part.line)));
    if (!("uom" in part)) return sentence;
    const spoken = part as SpokenProperty;
    return inOwnWords(sentence, { of: spoken.text, are: propertyValueText(spoken) });
  }, english);
}

/** The controller writes `19:02:11`, `19:02:11 yesterday` or `19:02:11 on 2026-05-01`, after words such as "at". */
function withTime(sentence: string, atMs: number): string {
  const clock = localInput(atMs).slice(11);
  const written = new RegExp(`${clock}(?: \\(UTC[^)]*\\))?(?: yesterday| on \\d{4}-\\d\\d-\\d\\d)?`);
  return sentence.replace(written, timeText(atMs));
}
