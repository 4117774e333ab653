/** Runs, edits and changes of devices as entries of one list. */

import type { EditSummary, Home, Node, NodeEvent } from "@domovoi/client";
import { eventCommandText, eventValueText } from "../parts/node-state.ts";
import { nodeHref, roomOf } from "../parts/things.ts";
import { entryText, type TraceEntry } from "../programs/trace-entry.ts";
import { localName } from "../text/names.ts";
import { reasonText } from "../text/reasons.ts";
import { type TextKey, t } from "../text/text.ts";
import { titleText } from "../text/titles.ts";

export type Kind = "run" | "not-run" | "edit" | "device";

export type Entry = {
  readonly key: string;
  readonly atMs: number;
  readonly kind: Kind;
  /** Entries of one subject are folded. */
  readonly subject: string;
  readonly name: string;
  readonly href: string;
  readonly sentence: string;
  readonly tag: { readonly text: string; readonly isBad?: boolean; readonly isGood?: boolean } | null;
  /** Conditions were looked at, and nothing followed: only shown when it is asked for. */
  readonly isQuiet?: true;
  /** The account behind it; null where it is not known. */
  readonly person: string | null;
  /** Nodes that it is about. */
  readonly addresses: readonly string[];
  readonly role: string | null;
};

/** @param touched addresses that the program names */
export function runEntry(home: Home, entry: TraceEntry, touched: readonly string[]): Entry {
  const { id, programId, time, result, name, cause } = entry;
  const isRun = result === "then" || result === "else" || result === "resumed";
  return {
    key: `run ${id}`,
    atMs: Date.parse(time),
    kind: isRun ? "run" : "not-run",
    ...(result === "evaluated" && { isQuiet: true as const }),
    subject: `program ${programId} ${result}`,
    name: home.programs.find(programId)?.name ?? name,
    href: `/program/${programId}?run=${id}`,
    sentence: entryText(entry),
    tag: { text: t(`result.${result}` as TextKey), isGood: isRun },
    person: cause?.kind === "request" ? cause.by : null,
    addresses: touched,
    role: null,
  };
}

export function editEntry({ edit, at, by, title }: EditSummary): Entry {
  const shared = {
    kind: "edit",
    subject: `edit ${edit}`,
    href: "/system/history",
    tag: null,
    addresses: [],
    role: null,
  } as const;
  return {
    ...shared,
    key: `edit ${edit}`,
    atMs: Date.parse(at),
    name: titleText(title),
    sentence: by ?? "",
    person: by,
  };
}

/** A command that went well is told by the value that it led to, and so is what a device sent with its status. */
export function deviceEntry(home: Home, event: NodeEvent): Entry | null {
  const { id, address, time, kind, state, by, detail } = event;
  const node = home.nodes.find(address);
  const isTold =
    kind === "value" || (kind === "command" ? state === "failed" || state === "queued" : !node?.properties.has("ST"));
  if (!node || !isTold) return null;
  return {
    key: `event ${id}`,
    atMs: Date.parse(time),
    kind: "device",
    subject: `node ${address}`,
    name: node.name,
    href: nodeHref(address),
    sentence: [roomOf(node.path), by.name ?? t(`event.by.${by.kind}`), reasonText(detail)].filter(Boolean).join(" · "),
    tag: { text: changeText(node, event), isBad: state === "failed" },
    person: by.kind === "account" ? by.name : null,
    addresses: [address],
    role: node.role,
  };
}

function changeText(node: Node, event: NodeEvent): string {
  const { kind, name, property, state } = event;
  if (kind !== "value") {
    const command = eventCommandText(node, event);
    return state ? `${command}: ${t(`event.state.${state}` as TextKey)}` : command;
  }
  const value = eventValueText(node, event);
  return property?.id === "ST" ? value : t("event.value", { name: localName(name), value });
}
