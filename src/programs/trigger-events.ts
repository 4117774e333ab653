/** Converts a journal entry to the engine's input, if it has one. */

import type { Cause } from "../home/cause.ts";
import type { Change, ChangeType, Entry } from "../home/change.ts";
import type { EngineInput } from "./engine-input.ts";
import type { HomeFacts } from "./home-facts.ts";
import type { Reference } from "./references.ts";

type Hear<T extends ChangeType> = (
  change: Extract<Change, { readonly type: T }>,
  cause: Cause,
  facts: HomeFacts,
) => EngineInput | null;

/** Other changes start no program and change none. */
const TRIGGER_EVENTS: { readonly [T in ChangeType]?: Hear<T> } = {
  "property-changed": ({ address, property }, cause, { triggers }) =>
    triggers.isWatched(address, property.id) ? { kind: "status", node: address, property, runId: null, cause } : null,
  "control-sent": ({ address, control }, cause, { triggers }) =>
    triggers.onControl(address, control).length === 0
      ? null
      : { kind: "control", node: address, command: control, cause },
  "variable-written": ({ variableType: type, id, value, before }, cause, { triggers }) =>
    value === before || triggers.onVariable(type, id).length === 0
      ? null
      : { kind: "variable", type, id, value, cause },
  "program-added": definition,
  "program-changed": definition,
  "program-removed": ({ id }, cause, facts) => {
    facts.remove(id);
    return { kind: "definition", id, isNewTree: true, wasEnabled: false, cause };
  },
  "node-added": ({ node }, cause, facts) => placed({ kind: "address", address: node.address }, cause, facts),
  "node-removed": ({ address }, cause, facts) => {
    facts.forgetNode(address);
    return placed({ kind: "address", address }, cause, facts);
  },
  "node-revised": ({ node: { address } }, cause, facts) => moved(address, cause, facts),
  "node-enabled": ({ address }, cause, facts) => moved(address, cause, facts),
  "parent-changed": ({ address }, cause, facts) => moved(address, cause, facts),
  "folder-added": ({ folder: { address } }, cause, facts) => placed({ kind: "folder", address }, cause, facts),
  "folder-removed": ({ address }, cause, facts) => placed({ kind: "folder", address }, cause, facts),
  "group-added": ({ group }, cause, facts) => placed({ kind: "address", address: group.address }, cause, facts),
  "group-removed": ({ address }, cause, facts) => placed({ kind: "address", address }, cause, facts),
  "variable-added": ({ variable: { type, id } }, cause, facts) => naming({ kind: "variable", type, id }, cause, facts),
  "variable-removed": ({ variableType: type, id }, cause, facts) =>
    naming({ kind: "variable", type, id }, cause, facts),
  "network-resource-put": ({ resource: { id } }, cause, facts) => naming({ kind: "resource", id }, cause, facts),
  "network-resource-removed": ({ id }, cause, facts) => naming({ kind: "resource", id }, cause, facts),
  "controller-changed": (_change, cause, facts) => (facts.moved() ? { kind: "place", cause } : null),
};

/** Called once for every entry that is not the engine's own, in order. Keeps the index of the facts up to date. */
export function toEngineInput({ change, cause }: Entry, facts: HomeFacts): EngineInput | null {
  // The row is that of the change's own type; the compiler cannot follow the pairing through the index.
  const listen = TRIGGER_EVENTS[change.type] as Hear<ChangeType> | undefined;
  return listen ? listen(change, cause, facts) : null;
}

function definition(
  { program: { id } }: { readonly program: { readonly id: number } },
  cause: Cause,
  facts: HomeFacts,
): EngineInput {
  return { kind: "definition", id, ...facts.put(id), cause };
}

/** A change of the nodes that a selector means starts nothing. */
function moved(address: string, cause: Cause, facts: HomeFacts): EngineInput | null {
  const ids = facts.placed(address);
  return ids.length === 0 ? null : { kind: "holds", ids, cause };
}

/** A place or node came or went: programs that name it are loaded or not, and selectors mean other nodes. */
function placed(
  reference: Extract<Reference, { readonly kind: "address" | "folder" }>,
  cause: Cause,
  facts: HomeFacts,
): EngineInput | null {
  const { address } = reference;
  const named = facts.triggers.naming(reference);
  const ids = [...new Set([...facts.placed(address), ...named.filter((id) => facts.triggers.timedOf(id).length > 0)])];
  const recheck = naming(reference, cause, facts);
  if (ids.length === 0) return recheck;
  const holds = { kind: "holds", ids, cause } as const;
  return recheck ? { kind: "several", inputs: [recheck, holds] } : holds;
}

function naming(reference: Reference, cause: Cause, { triggers }: HomeFacts): EngineInput | null {
  const ids = triggers.naming(reference);
  return ids.length === 0 ? null : { kind: "references", ids: [...ids], cause };
}
