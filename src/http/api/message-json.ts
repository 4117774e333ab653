/** Messages for pages that say them in their own language: the code with its values. @see docs/interface/messages.md */

import type { Message, MessageValue } from "../../messages.ts";
import { isoTime } from "../../wire/times.ts";
import { type Fits, list, object } from "../schema.ts";

const values = {
  type: "object",
  additionalProperties: true,
  description: "By name; a value may be a message.",
} as const;

export const messageData = object(
  { code: { type: "string", description: "Stable; src/messages.ts lists them with their English sentences." }, values },
  { title: "Message", description: "The same as the sentence beside it." },
);

export const messagesData = list(messageData, { description: "The same as the sentences." });

export function messageJson({ code, values }: Message): Fits<typeof messageData> {
  return {
    code,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueJson(value)])),
  };
}

function valueJson(value: MessageValue): unknown {
  if (typeof value !== "object") return value;
  if ("code" in value) return messageJson(value);
  if ("atMs" in value) return { time: isoTime(value.atMs) };
  if ("error" in value) return { error: value.error };
  if ("uom" in value) return value;
  return "line" in value ? value : value.map(valueJson);
}
