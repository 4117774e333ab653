/** "Why is it so?": the value of a node, since when, and the causes of it, as sentences. */

import { badValue, ControllerError } from "../errors.ts";
import { findNode, type Node } from "../home/nodes.ts";
import type { JournalAnswer } from "../home/past.ts";
import type { Property } from "../home/property.ts";
import { isWithoutDevice } from "../home/without-device.ts";
import { type Message, type MessageValue, message } from "../messages.ts";
import { chainOf, type Inquiry } from "./cause-chain.ts";
import type { HistoryWords } from "./history-words.ts";
import { MAIN_PROPERTY } from "./runs.ts";
import type { WhyStep } from "./why-step.ts";

type WhyNode = {
  readonly property: string;
  /** The property as it was at that time, in words; null when that is no longer stored. */
  readonly value: string | null;
  readonly sinceMs: number | null;
  readonly sentences: readonly Message[];
  readonly steps: readonly WhyStep[];
  /** A sentence about missing records; null when nothing is missing. */
  readonly missing: Message | null;
};

/** Between the time of a property and that of its entry. */
const ENTRY_DELAY_MS = 1000;

/**
 * @param propertyId null: the status, or what the node reported last.
 * @param atMs null: now.
 * @throws ControllerError NODE_NOT_FOUND; BAD_VALUE for a property that the node does not have; STORE_UNAVAILABLE.
 */
export async function whyNode(
  inquiry: Inquiry,
  address: string,
  propertyId: string | null,
  atMs: number | null,
): Promise<WhyNode> {
  const { words } = inquiry;
  const node = findNode(words.home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  const now = propertyOf(node, propertyId);
  const isNow = atMs === null || now.changedAtMs <= atMs;
  const found = await entryOf(inquiry, address, now, isNow ? null : atMs);
  const [entry] = found.entries;
  if (entry?.change.type !== "property-changed") return unexplained(words, node, now, isNow, found);
  const value = words.value(address, entry.change.property);
  const spoken = words.spoken(address, entry.change.property);
  const head = headOf(words, { node, property: now.id, value: spoken, sinceMs: entry.atMs, atMs: isNow ? null : atMs });
  const { steps, missing } = await chainOf(inquiry, {
    cause: entry.cause,
    atMs: entry.atMs,
    did: message("did.set"),
    node: address,
    ...(entry.change.origin && { origin: entry.change.origin }),
  });
  const rest = missing === null ? [] : [missing];
  const sentences = [head, ...simulation(words, node), ...steps.map(({ sentence }) => sentence), ...rest];
  return { property: now.id, value, sinceMs: entry.atMs, sentences, steps, missing };
}

/** @param atMs null: the entry that made the present value, which is where its time says. */
function entryOf({ past }: Inquiry, address: string, now: Property, atMs: number | null): Promise<JournalAnswer> {
  return past.latest({
    types: ["property-changed"],
    holding: JSON.stringify(address),
    untilMs: atMs ?? now.changedAtMs + ENTRY_DELAY_MS,
    sinceMs: atMs === null ? now.changedAtMs - ENTRY_DELAY_MS : null,
    matches: ({ change }) =>
      change.type === "property-changed" && change.address === address && change.property.id === now.id,
    limit: 1,
  });
}

type Head = {
  readonly node: Node;
  readonly property: string;
  readonly value: MessageValue;
  readonly sinceMs: number;
  readonly atMs: number | null;
};

/** `Hall Ceiling is 75 % since 14:02:11.` */
function headOf(words: HistoryWords, { node, property, value, sinceMs, atMs }: Head): Message {
  const { name, address } = node;
  const isMain = property === MAIN_PROPERTY;
  const what = isMain ? name : message("why.property", { property: words.propertyName(address, property), name });
  const since = words.time(sinceMs);
  if (atMs === null) return message("why.is", { what, value, since });
  return message("why.was", { what, value, time: words.time(atMs), since });
}

function propertyOf(node: Node, id: string | null): Property {
  const latest = [...node.properties.values()].sort((a, b) => b.changedAtMs - a.changedAtMs)[0];
  const property = id === null ? (node.properties.get(MAIN_PROPERTY) ?? latest) : node.properties.get(id);
  if (property) return property;
  const sentence =
    id === null ? `"${node.name}" has not reported anything yet.` : `"${node.name}" has no property "${id}".`;
  throw badValue(sentence);
}

function simulation({ home }: HistoryWords, node: Node): readonly Message[] {
  return isWithoutDevice(home, node) ? [message("why.noDevice", { name: node.name })] : [];
}

function unexplained(words: HistoryWords, node: Node, now: Property, isNow: boolean, answer: JournalAnswer): WhyNode {
  const { sinceMs } = answer;
  const searched = sinceMs === null || isNow ? "" : message("why.searched", { time: words.time(sinceMs) });
  const missing = message("why.missing.cause", { searched });
  const value = isNow ? words.value(node.address, now) : null;
  const spoken = words.spoken(node.address, now);
  const head =
    value === null
      ? message("why.unknownValue", { name: node.name, searched })
      : headOf(words, { node, property: now.id, value: spoken, sinceMs: now.changedAtMs, atMs: null });
  const since = isNow ? now.changedAtMs : null;
  const sentences = value === null ? [head] : [head, ...simulation(words, node), missing];
  return { property: now.id, value, sinceMs: since, sentences, steps: [], missing };
}
