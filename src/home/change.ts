/**
 * Everything that can happen to the home, as one closed union. A new event is one member here; the compiler then points
 * at `apply-change.ts`, `store/rows.ts` and `stream/frame.ts`.
 */

import type { Cause } from "./cause.ts";
import type { ControllerRecord } from "./controller.ts";
import type { Edit } from "./edit.ts";
import type { Folder } from "./folders.ts";
import type { Group } from "./groups.ts";
import type { IntegrationRecord } from "./integrations.ts";
import type { NetworkResource } from "./network-resources.ts";
import type { LinkState, NodeRecord, Parent } from "./nodes.ts";
import type { ProgramLimit, ProgramProgress } from "./program-progress.ts";
import type { ProgramDefinition, ProgramRun, ProgramVerb } from "./programs.ts";
import type { Property } from "./property.ts";
import type { Operation } from "./operation.ts";
import type { Variable, VariableType } from "./variables.ts";

/** How far a command has come. `sent`: it left, nothing confirms the effect; `confirmed`: a report shows the effect. */
export type CommandState = "accepted" | "sent" | "queued" | "acknowledged" | "confirmed" | "failed";

export type Change =
  | { readonly type: "controller-changed"; readonly controller: ControllerRecord }
  | { readonly type: "busy-changed"; readonly busy: boolean }
  // Nodes. A removed node's links and memberships are removed by changes of their own, before it.
  /** `properties`: the last values of a restored node. */
  | { readonly type: "node-added"; readonly node: NodeRecord; readonly properties?: readonly Property[] }
  | { readonly type: "node-revised"; readonly node: NodeRecord }
  /** `isHidden`: its owner removed it although its driver still has it, so it stays hidden until it is added again. */
  | { readonly type: "node-removed"; readonly address: string; readonly isHidden?: boolean }
  | { readonly type: "node-renamed"; readonly address: string; readonly name: string }
  | {
      readonly type: "node-enabled";
      readonly address: string;
      readonly enabled: boolean;
      /** Why it is disabled, in its owner's words. */
      readonly because?: string | null;
    }
  | {
      readonly type: "node-link-changed";
      readonly address: string;
      readonly link: LinkState;
      readonly before: LinkState;
    }
  | {
      readonly type: "parent-changed";
      readonly address: string;
      readonly kind: "node" | "group" | "folder";
      readonly parent: Parent | null;
    }
  | {
      readonly type: "property-changed";
      readonly address: string;
      readonly property: Property;
      /** The value before, null = none. The feed fills it in; entries of format 1 do not have it. */
      readonly before?: Property | null;
    }
  /** The device itself sent a command: a button was pressed, motion was seen. Never a state. */
  | { readonly type: "control-sent"; readonly address: string; readonly control: string; readonly value: number }
  /** Pending writes to a device began or ended. */
  | {
      readonly type: "write-progress";
      readonly address: string;
      readonly phase: "pending" | "writing";
      readonly active: boolean;
    }
  // Groups and folders
  | { readonly type: "group-added"; readonly group: Group }
  | { readonly type: "group-removed"; readonly address: string }
  | { readonly type: "group-renamed"; readonly address: string; readonly name: string }
  | { readonly type: "group-links-changed"; readonly group: Group }
  | { readonly type: "folder-added"; readonly folder: Folder }
  | { readonly type: "folder-removed"; readonly address: string }
  | { readonly type: "folder-renamed"; readonly address: string; readonly name: string }
  // Programs
  | { readonly type: "program-added"; readonly program: ProgramDefinition }
  | { readonly type: "program-changed"; readonly program: ProgramDefinition }
  | { readonly type: "program-removed"; readonly id: number }
  /** A program or folder was commanded; the outcome follows as other changes. */
  | { readonly type: "program-ordered"; readonly id: number; readonly verb: ProgramVerb }
  /** The programs begin after a start of the controller; `isCold`: the machine has booted since. */
  | { readonly type: "programs-started"; readonly isCold: boolean }
  /** The holder of a guest link came; the cause names the link. Once a visit, not once a request. */
  | { readonly type: "guest-visited" }
  | { readonly type: "program-ran"; readonly id: number; readonly run: Partial<ProgramRun> }
  /** The engine's progress in a program; null when the program has none. */
  | { readonly type: "program-progressed"; readonly id: number; readonly progress: ProgramProgress | null }
  /** Programs were stopped and disabled because they ran into a limit. Once for all programs of a loop. */
  | {
      readonly type: "programs-cut";
      readonly ids: readonly number[];
      readonly limit: ProgramLimit;
      /** The programs that start one another, in order; of a single program its id. */
      readonly loop: readonly number[];
      /** A sentence that names them. */
      readonly detail: string;
    }
  // Variables
  | { readonly type: "variable-added"; readonly variable: Variable }
  | { readonly type: "variable-removed"; readonly variableType: VariableType; readonly id: number }
  | {
      readonly type: "variable-renamed";
      readonly variableType: VariableType;
      readonly id: number;
      readonly name: string;
    }
  | {
      readonly type: "variable-precision-changed";
      readonly variableType: VariableType;
      readonly id: number;
      readonly prec: number;
    }
  /** Also when the value is the one it had: clients wait for the frame. */
  | {
      readonly type: "variable-written";
      readonly variableType: VariableType;
      readonly id: number;
      readonly value: number;
      readonly writtenAtMs: number;
      readonly before: number;
    }
  | {
      readonly type: "variable-init-written";
      readonly variableType: VariableType;
      readonly id: number;
      readonly init: number;
    }
  // Network resources
  | { readonly type: "network-resource-put"; readonly resource: NetworkResource }
  | { readonly type: "network-resource-removed"; readonly id: number }
  | {
      readonly type: "network-resource-fired";
      readonly id: number;
      readonly outcome: "done" | "failed";
      readonly detail: string;
    }
  // Integrations. Whether one runs is no change of the home.
  | { readonly type: "integration-added"; readonly integration: IntegrationRecord }
  | {
      readonly type: "integration-changed";
      readonly integration: IntegrationRecord;
      readonly before: IntegrationRecord;
    }
  | { readonly type: "integration-removed"; readonly id: string; readonly before: IntegrationRecord }
  /**
   * A command was accepted, which the journal leaves out, starts to wait for its device (`queued`), or has ended. A report
   * that confirms it later has the id of the command as its cause.
   */
  | {
      readonly type: "command-moved";
      readonly commandId: string;
      readonly address: string;
      readonly command: string;
      readonly state: CommandState;
      readonly detail: string;
      readonly acceptedAtMs: number;
    }
  /** A radio device answered a parameter query or took a parameter. */
  | {
      readonly type: "device-parameter";
      readonly address: string;
      readonly number: number;
      readonly size: number;
      readonly value: number;
    }
  /** Something happens on a radio network: a device is included, routes are rebuilt. */
  | {
      readonly type: "operation-moved";
      readonly driver: string;
      readonly family: number;
      readonly operation: Operation;
    };

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
]);

/** Reported by a device, or a step of a run: no one was promised that it is on disk. All others are edits. */
export function isFact(change: Change): boolean {
  return FACTS.has(change.type);
}
