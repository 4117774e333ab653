/** What happened to nodes: new values, commands to them, and commands that their devices sent by themselves, newest first. */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Change, ChangeType, CommandState, Entry } from "../home/change.ts";
import { findNode } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";
import type { NodeRole } from "../profile/roles-table.ts";
import type { Inquiry } from "./cause-chain.ts";
import type { HistoryWords } from "./history-words.ts";

type NodeEventsQuery = {
  /** null: of all nodes. */
  readonly address: string | null;
  readonly untilMs: number;
  /** null: as far back as one question searches the journal. */
  readonly sinceMs: number | null;
  /** Only events before the one with this number; null: from `untilMs` backward. */
  readonly before: number | null;
  readonly limit: number;
  /** Without values that only measure, such as temperatures and power. */
  readonly isStatesOnly?: boolean;
};

type NodeEvents = {
  readonly events: readonly NodeEvent[];
  /** How far back the journal was searched; null: it is empty. */
  readonly sinceMs: number | null;
};

export type NodeEvent = {
  readonly id: number;
  readonly address: string;
  readonly atMs: number;
  /** `sent`: by the device itself. */
  readonly kind: "value" | "command" | "sent";
  /** Id of the property or the command. */
  readonly control: string;
  /** Of the property or the command. */
  readonly name: string;
  /** The property with its new value; null for commands. */
  readonly property: Pick<Property, "id" | "value" | "uom" | "prec"> | null;
  /** What a command was sent with, displayed = value / 10^prec; empty for values. */
  readonly parameters: readonly EventParameter[];
  /** The new value, or the values of a command, in words; null: it has none, or it is not shown. */
  readonly value: string | null;
  /** State of a command; else null. */
  readonly state: CommandState | null;
  /** How the command went, a sentence or empty. */
  readonly detail: string;
  readonly by: Actor;
};

type EventParameter = {
  /** Label of the parameter; empty: it has none. */
  readonly name: string;
  readonly value: number;
  readonly uom: number;
  readonly prec: number;
  /** In words. */
  readonly text: string;
};

type Actor = {
  readonly kind: "program" | "account" | "device" | "controller";
  /** null where it is not known or not shown. */
  readonly name: string | null;
  readonly program: number | null;
  readonly runId: string | null;
};

const MEASURING: ReadonlySet<NodeRole | null> = new Set<NodeRole | null>([
  ...(["meter", "temperature", "humidity", "light", "weather", "sensor", "heartbeat", "repeater", "opposite"] as const),
]);
/** What a thermostat is set to and does. */
const THERMOSTAT_STATES: ReadonlySet<string> = new Set(["CLIMD", "CLIFS", "CLIHCS", "CLISPH", "CLISPC"]);

const TYPES: readonly ChangeType[] = ["property-changed", "command-moved", "control-sent"];

/** @throws ControllerError NODE_NOT_FOUND, STORE_UNAVAILABLE */
export async function nodeEvents(inquiry: Inquiry, query: NodeEventsQuery): Promise<NodeEvents> {
  const { past, words } = inquiry;
  const { address, untilMs, sinceMs, before, limit, isStatesOnly = false } = query;
  if (address !== null && !findNode(words.home, address)) throw new ControllerError("NODE_NOT_FOUND");
  const isOf = (each: string) => (address === null ? words.home.nodes.has(each) : each === address);
  const { entries, sinceMs: searchedMs } = await past.latest({
    types: TYPES,
    holding: address === null ? "" : JSON.stringify(address),
    untilMs,
    sinceMs,
    ...(before !== null && { beforeSeq: before }),
    matches: ({ change, atMs }) =>
      "address" in change &&
      isOf(change.address) &&
      atMs >= (sinceMs ?? 0) &&
      !(isStatesOnly && change.type === "property-changed" && isMeasurement(words, change)),
    limit,
  });
  const causes = new Map(
    entries.flatMap(({ change, cause }) =>
      change.type === "command-moved" ? [[change.commandId, cause] as const] : [],
    ),
  );
  const events = entries.map((entry) => ({
    id: entry.seq,
    atMs: entry.atMs,
    ...contentOf(words, entry),
    by: actorOf(inquiry, entry.cause, (id) => causes.get(id) ?? past.recentCommand(id)?.cause ?? null),
  }));
  return { events, sinceMs: searchedMs };
}

/** Also the first value of a device that was just added. */
function isMeasurement(
  words: HistoryWords,
  { address, property, before }: Extract<Change, { type: "property-changed" }>,
): boolean {
  if (before === null) return true;
  const role = words.role(address);
  if (role === "thermostat") return !THERMOSTAT_STATES.has(property.id);
  return property.id !== "ST" || MEASURING.has(role);
}

type Content = Omit<NodeEvent, "id" | "atMs" | "by">;

function contentOf(words: HistoryWords, { change }: Entry): Content {
  const address = "address" in change ? change.address : "";
  const none = { address, property: null, parameters: [], value: null, state: null, detail: "" };
  if (change.type === "property-changed") {
    const { id, value, uom, prec } = change.property;
    const property = { id, value, uom, prec };
    const name = words.propertyName(address, id);
    return { ...none, kind: "value", control: id, name, property, value: words.value(address, change.property) };
  }
  if (change.type === "command-moved") {
    const { command, state, detail } = change;
    const name = words.names.accepts(address).nameOf(command) ?? command;
    const parameters = (change.parameters ?? []).map(({ id, ...value }) => ({
      ...value,
      name: words.names.parameters(address, command).nameOf(id) ?? "",
      text: words.parameter(address, command, { id, ...value }),
    }));
    const value = parameters.map((each) => `${each.name} ${each.text}`.trim()).join(", ") || null;
    return { ...none, kind: "command", control: command, name, parameters, value, state, detail };
  }
  const control = change.type === "control-sent" ? change.control : "";
  return { ...none, kind: "sent", control, name: words.names.sends(address).nameOf(control) ?? control };
}

function actorOf(inquiry: Inquiry, cause: Cause, causeOf: (commandId: string) => Cause | null): Actor {
  const { words, showsLogins } = inquiry;
  const actor = { name: null, program: null, runId: null };
  switch (cause.kind) {
    case "program": {
      const program = Number.parseInt(cause.id, 10);
      return { kind: "program", name: words.home.programs.get(program)?.name ?? null, program, runId: cause.id };
    }
    case "request":
      return { ...actor, kind: "account", name: showsLogins ? cause.by : null };
    case "report": {
      // The node is a controller of a scene.
      if (words.home.nodes.has(cause.id)) return { ...actor, kind: "device", name: words.name(cause.id) };
      const before = cause.id === cause.by ? null : causeOf(cause.id);
      return before ? actorOf(inquiry, before, () => null) : { ...actor, kind: "device" };
    }
    case "schedule":
    case "system":
      return { ...actor, kind: "controller" };
  }
}
