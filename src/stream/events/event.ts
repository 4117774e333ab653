/**
 * How an event is spelled from its timestamp on. All four children are always there, in this order, because clients
 * drop or fail on events that lack one.
 *
 * @see docs/interface/events.md
 */

import { escapeXml } from "../../util/xml.ts";

type EventParts = {
  /** Local time with microseconds and offset. */
  readonly timestamp: string;
  /** A property or command id, or a system control such as "_3". */
  readonly control: string;
  readonly action: string | number;
  /** Address of the node it is about; empty for most system events. */
  readonly node?: string;
  /** Children of `eventInfo`, as XML. */
  readonly info?: string;
};

export function eventBody({ timestamp, control, action, node = "", info = "" }: EventParts): string {
  return (
    ` timestamp="${timestamp}"><control>${escapeXml(control)}</control><action>${action}</action>` +
    `<node>${escapeXml(node)}</node><eventInfo>${info}</eventInfo></Event>`
  );
}

/** `<name>text</name>`. */
export function textElement(name: string, text: string | number | boolean): string {
  return `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** The seconds that it names are longer than the spacing of heartbeats, or clients take the stream for dead. */
export function heartbeatBody(timestamp: string, heartbeatIntervalMs: number): string {
  return eventBody({ timestamp, control: "_0", action: Math.ceil((heartbeatIntervalMs * 1.5) / 1000) });
}

export function busyBody(timestamp: string, busy: boolean): string {
  return eventBody({ timestamp, control: "_5", action: busy ? 1 : 0 });
}

/** `_7`: a line for people. @param line never empty, or clients fail. */
export function progressBody(timestamp: string, line: string, node = ""): string {
  return eventBody({ timestamp, control: "_7", action: 1, node, info: escapeXml(line) });
}

/** `_4` actions 5 (batch mode) and 6 (writes to battery devices). */
export function modeBody(timestamp: string, action: 5 | 6, on: boolean): string {
  return eventBody({ timestamp, control: "_4", action, info: textElement("status", on ? 1 : 0) });
}

/** `_3`: something about a node, group or folder. */
export function lifecycleBody(timestamp: string, verb: string, address: string, info = ""): string {
  return eventBody({ timestamp, control: "_3", action: verb, node: address, info });
}
