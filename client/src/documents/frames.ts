/**
 * Messages of both event streams. Unreadable messages are dropped: the stream goes on. @see docs/interface/events.md
 */

import { isObject, parseJson, textOf } from "./json.ts";
import { repairAmpersands } from "./scan-xml.ts";
import { childOf, childText, parseXml, type XmlElement } from "./xml.ts";

export type EventFrame = {
  readonly kind: "event";
  readonly seqnum: number;
  /** ISO 8601 with an offset; empty where the controller gives none. */
  readonly timestamp: string;
  readonly control: string;
  readonly action: string;
  /** The attribute `action`; null without it. */
  readonly uom: string | null;
  readonly prec: number;
  readonly node: string;
  readonly info: XmlElement | null;
  readonly formatted: string;
  /** Label of the property; null where the frame has none. */
  readonly name: string | null;
};

type Frame =
  | EventFrame
  /** The burst of current values is over. */
  | { readonly kind: "replayed" }
  | { readonly kind: "plugin-services"; readonly data: unknown };

/** Null for a greeting, a keep-alive and everything unknown or broken. */
export function readFrame(message: string): Frame | null {
  const text = message.trimStart();
  if (!text.startsWith("{")) return readEvent(text);
  const envelope = parseJson(text);
  if (!isObject(envelope)) return null;
  const data = textOf(envelope.data);
  if (envelope.type === "event") return readEvent(data.trimStart());
  if (envelope.type === "replayed") return { kind: "replayed" };
  return envelope.type === "spolisy" ? { kind: "plugin-services", data: parseJson(data) ?? data } : null;
}

function readEvent(text: string): EventFrame | null {
  const root = text.startsWith("<") ? readRepaired(text) : null;
  if (root?.name !== "Event") return null;
  const action = childOf(root, "action");
  const { seqnum, timestamp = "" } = root.attributes;
  return {
    kind: "event",
    seqnum: Number(seqnum) || 0,
    timestamp,
    control: childText(root, "control"),
    action: action?.text ?? "",
    uom: action?.attributes.uom ?? null,
    prec: Number(action?.attributes.prec) || 0,
    node: childText(root, "node"),
    info: childOf(root, "eventInfo"),
    formatted: childText(root, "fmtAct"),
    name: childOf(root, "fmtName")?.text ?? null,
  };
}

function readRepaired(text: string): XmlElement | null {
  try {
    return parseXml(text);
  } catch {
    try {
      return parseXml(repairAmpersands(text));
    } catch {
      return null;
    }
  }
}
