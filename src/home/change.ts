/**
 * Everything that can happen to the home, as one closed union. A new event is one member here; the compiler then points
 * at `apply-change.ts`, `store/rows.ts` and `stream/frame.ts`.
 */

import type { UnionOf } from "../util/union.ts";
import type { Cause } from "./cause.ts";
import type { ControllerRecord } from "./controller.ts";
import type { Edit } from "./edit.ts";
import type { Folder } from "./folders.ts";
import type { Group, LinkParameter } from "./groups.ts";
import type { IntegrationRecord } from "./integrations.ts";
import type { NetworkResource } from "./network-resources.ts";
import type { LinkState, NodeRecord, Parent } from "./nodes.ts";
import type { Operation } from "./operation.ts";
import type { Origin } from "./origin.ts";
import type { ProgramHold } from "./program-holds.ts";
import type { ProgramLimit, ProgramProgress } from "./program-progress.ts";
import type { ProgramDefinition, ProgramRun, ProgramVerb } from "./programs.ts";
import type { Property } from "./property.ts";
import type { ValueNames, Variable, VariableType } from "./variables.ts";

/** How far a command has come. `sent`: it left, nothing confirms the effect; `confirmed`: a report shows the effect. */
export type CommandState = "accepted" | "sent" | "queued" | "acknowledged" | "confirmed" | "failed";

type Changes = {
  "controller-changed": { controller: ControllerRecord };
  "busy-changed": { busy: boolean };
  // Nodes. A removed node's links and memberships are removed by changes of their own, before it.
  /** `properties`: the last values of a restored node. */
  "node-added": { node: NodeRecord; properties?: readonly Property[] };
  "node-revised": { node: NodeRecord };
  /** `isHidden`: its owner removed it although its driver still has it, so it stays hidden until it is added again. */
  "node-removed": { address: string; isHidden?: boolean };
  "node-renamed": { address: string; name: string };
  "node-enabled": {
    address: string;
    enabled: boolean;
    /** Why it is disabled, in its owner's words. */
    because?: string | null;
  };
  "node-link-changed": { address: string; link: LinkState; before: LinkState };
  "parent-changed": { address: string; kind: "node" | "group" | "folder"; parent: Parent | null };
  "property-changed": {
    address: string;
    property: Property;
    /** The value before, null = none. The feed fills it in; entries of format 1 do not have it. */
    before?: Property | null;
    /** Who did it in the system that supplies the device; absent: the controller, or the device itself. */
    origin?: Origin;
  };
  /** The device itself sent a command: a button was pressed, motion was seen. Never a state. */
  "control-sent": { address: string; control: string; value: number };
  /** Pending writes to a device began or ended. */
  "write-progress": { address: string; phase: "pending" | "writing"; active: boolean };
  // Groups and folders
  "group-added": { group: Group };
  "group-removed": { address: string };
  "group-renamed": { address: string; name: string };
  "group-links-changed": { group: Group };
  "folder-added": { folder: Folder };
  "folder-removed": { address: string };
  "folder-renamed": { address: string; name: string };
  // Programs
  "program-added": { program: ProgramDefinition };
  "program-changed": { program: ProgramDefinition };
  "program-removed": { id: number };
  /** A program or folder was commanded; the outcome follows as other changes. */
  "program-ordered": { id: number; verb: ProgramVerb };
  /** The programs begin after a start of the controller; `isCold`: the machine has booted since. */
  "programs-started": { isCold: boolean };
  /** The holder of a guest link came; the cause names the link. Once a visit, not once a request. */
  "guest-visited": object;
  "program-ran": { id: number; run: Partial<ProgramRun> };
  /** The engine's progress in a program; null when the program has none. */
  "program-progressed": { id: number; progress: ProgramProgress | null };
  /** A comparison with "for" holds since a time, or no longer. */
  "program-held": { id: number; key: string; hold: ProgramHold | null };
  /** Programs were stopped and disabled because they ran into a limit. Once for all programs of a loop. */
  "programs-cut": {
    ids: readonly number[];
    limit: ProgramLimit;
    /** The programs that start one another, in order; of a single program its id. */
    loop: readonly number[];
    /** A sentence that names them. */
    detail: string;
  };
  // Variables
  "variable-added": { variable: Variable };
  "variable-removed": { variableType: VariableType; id: number };
  "variable-renamed": { variableType: VariableType; id: number; name: string };
  "variable-precision-changed": { variableType: VariableType; id: number; prec: number };
  "variable-values-named": { variableType: VariableType; id: number; valueNames: ValueNames };
  /** Also when the value is the one it had: clients wait for the frame. */
  "variable-written": { variableType: VariableType; id: number; value: number; writtenAtMs: number; before: number };
  "variable-init-written": { variableType: VariableType; id: number; init: number };
  // Network resources
  "network-resource-put": { resource: NetworkResource };
  "network-resource-removed": { id: number };
  "network-resource-fired": { id: number; outcome: "done" | "failed"; detail: string };
  // Integrations. Whether one runs is no change of the home.
  "integration-added": { integration: IntegrationRecord };
  "integration-changed": { integration: IntegrationRecord; before: IntegrationRecord };
  "integration-removed": { id: string; before: IntegrationRecord };
  /**
   * A command was accepted, which the journal leaves out, starts to wait for its device (`queued`), or has ended. A report
   * that confirms it later has the id of the command as its cause.
   */
  "command-moved": {
    commandId: string;
    address: string;
    command: string;
    /** What it was sent with; left out where it has no values, or where they may be a code. Displayed = value / 10^prec. */
    parameters?: readonly LinkParameter[];
    state: CommandState;
    detail: string;
    acceptedAtMs: number;
  };
  /** A radio device answered a parameter query or took a parameter. */
  "device-parameter": { address: string; number: number; size: number; value: number };
  /** Something happens on a radio network: a device is included, routes are rebuilt. */
  "operation-moved": { driver: string; family: number; operation: Operation };
};

export type Change = UnionOf<"type", Changes>;

export type ChangeType = Change["type"];

/** Changes of one kind of thing: `ChangeOf<"variable">`. */
export type ChangeOf<Kind extends string> = Extract<Change, { readonly type: `${Kind}-${string}` }>;

export function isChangeOf<Kind extends string>(change: Change, kind: Kind): change is ChangeOf<Kind> {
  return change.type.startsWith(`${kind}-`);
}

/** They leave nothing in the home that is stored. */
const HAPPENINGS = [
  "busy-changed",
  "program-ordered",
  "programs-started",
  "guest-visited",
  "programs-cut",
  "control-sent",
  "write-progress",
  "network-resource-fired",
  "command-moved",
  "device-parameter",
  "operation-moved",
] as const satisfies readonly ChangeType[];

/** A change of what the home holds. */
export type StateChange = Exclude<Change, { readonly type: (typeof HAPPENINGS)[number] }>;

export function isStateChange(change: Change): change is StateChange {
  return !(HAPPENINGS as readonly ChangeType[]).includes(change.type);
}

type Numbered = { readonly seq: number; readonly atMs: number; readonly cause: Cause };

/** A numbered change: applied first, then published. */
export type Entry = Numbered & { readonly change: Change };

/** An edit: one entry of the journal. Listeners get its changes one by one, all under its number, once all are applied. */
export type EditEntry = Numbered & { readonly edit: Edit };

export type JournalEntry = Entry | EditEntry;

const FACTS: ReadonlySet<ChangeType> = new Set<ChangeType>([
  "property-changed",
  "node-link-changed",
  "control-sent",
  "write-progress",
  "network-resource-fired",
  "command-moved",
  "device-parameter",
  "operation-moved",
  "program-ordered",
  "programs-started",
  "guest-visited",
  "program-ran",
  "program-progressed",
  "program-held",
]);

/** Reported by a device, or a step of a run: no one was promised that it is on disk. All others are edits. */
export function isFact(change: Change): boolean {
  return FACTS.has(change.type);
}
