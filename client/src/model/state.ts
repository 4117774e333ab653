/** All that is known of a home at the moment. Made by a load, moved on by the event stream. */

import type { Zone } from "./local-time.ts";
import type { ProfileIndex } from "./profile-index.ts";
import type {
  FolderRecord,
  GroupRecord,
  NodeRecord,
  ProgramRecord,
  ResourceRecord,
  TriggerTree,
  VariableRecord,
} from "./records.ts";

export type HomeState = {
  readonly controllerName: string;
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly folders: ReadonlyMap<string, FolderRecord>;
  readonly programs: ReadonlyMap<string, ProgramRecord>;
  /** By type, then by id. */
  readonly variables: { 1: ReadonlyMap<string, VariableRecord>; 2: ReadonlyMap<string, VariableRecord> };
  readonly resources: ReadonlyMap<string, ResourceRecord>;
  readonly profile: ProfileIndex;
  readonly trees: readonly TriggerTree[];
  /** Zone of the local times in frames. */
  readonly zone: Zone | null;
};
