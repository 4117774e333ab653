/**
 * The only state of the service. Loaded at start, changed only by `applyChange`, read by every module. Does no I/O
 * and knows no wire spelling. To store a new thing, add a record, a map here, and a member in change.ts.
 */

import type { ControllerRecord } from "./controller.ts";
import type { EditRecord } from "./edit-history.ts";
import type { Folder } from "./folders.ts";
import type { Group } from "./groups.ts";
import type { IntegrationRecord } from "./integrations.ts";
import type { NetworkResource } from "./network-resources.ts";
import type { Node, NodeRecord } from "./nodes.ts";
import type { HomePart, Versions } from "./parts.ts";
import type { ProgramHold } from "./program-holds.ts";
import type { ProgramProgress } from "./program-progress.ts";
import type { ProgramEntry } from "./programs.ts";
import type { Variable, VariableType } from "./variables.ts";

export class Home implements Versions {
  controller: ControllerRecord;
  /** Transient: true while a command is on its way to a device. */
  busy = false;
  readonly nodes = new Map<string, Node>();
  /** Nodes that their owner removed although their drivers still know them, by address. */
  readonly hiddenNodes = new Map<string, NodeRecord>();
  readonly folders = new Map<string, Folder>();
  readonly groups = new Map<string, Group>();
  readonly programs = new Map<number, ProgramEntry>();
  /** Progress of programs; stored for the engine, never shown. */
  readonly programProgress = new Map<number, ProgramProgress>();
  /** Since when comparisons with "for" have held; stored for the engine, never shown. */
  readonly programHolds = new Map<string, ProgramHold>();
  readonly variables: Readonly<Record<VariableType, Map<number, Variable>>> = { 1: new Map(), 2: new Map() };
  readonly networkResources = new Map<number, NetworkResource>();
  readonly integrations = new Map<string, IntegrationRecord>();
  /** Edits by number, oldest first. */
  readonly edits = new Map<number, EditRecord>();
  /** See highest-ids.ts. */
  readonly highestIds = new Map<string, number>();
  /** It was copied from another controller: see without-device.ts. */
  isMovedIn = false;
  readonly #versions = new Map<HomePart, number>();
  #version = 0;

  constructor(controller: ControllerRecord) {
    this.controller = controller;
  }

  /** Grows with every change of the part; equal versions mean equal content. */
  version(part: HomePart): number {
    return this.#versions.get(part) ?? 0;
  }

  /** For `home/` only: says that a part changed. */
  touch(...parts: readonly HomePart[]): void {
    for (const part of parts) this.#versions.set(part, this.nextVersion());
  }

  /** For `home/` only: a number larger than all before. */
  nextVersion(): number {
    this.#version += 1;
    return this.#version;
  }
}
