/** The parts of a home to which an account or a guest link can be limited, and the names of things for such a check. */

import type { VariableType } from "./variables.ts";

/** The things that an account can reach; all others do not exist for it. */
export type Limits = {
  /** Addresses of folders, each with everything in it, at any depth. */
  readonly folders: readonly string[];
  readonly nodes: readonly string[];
  readonly scenes: readonly string[];
  /** Leaves out the scenes of the folders that also command devices outside of the limits; absent: false. */
  readonly scenesWithin?: boolean;
  /** Ids of programs and of program folders, each with everything in it. */
  readonly programs: readonly number[];
  readonly variables: readonly VariableName[];
  readonly resources: readonly number[];
  /** Ids of the only commands that it may send; null: all that its role allows. */
  readonly commands: readonly string[] | null;
};

/** An account that reaches nothing. */
export const NO_ACCESS: Limits = {
  folders: [],
  nodes: [],
  scenes: [],
  programs: [],
  variables: [],
  resources: [],
  commands: null,
};

export type VariableName = { readonly type: VariableType; readonly id: number };

/** One thing that a request concerns. */
export type Thing =
  /** A node, a scene or a folder, and the command that it is to get. */
  | { readonly kind: "node"; readonly address: string; readonly command?: string }
  | { readonly kind: "program"; readonly id: number }
  | ({ readonly kind: "variable" } & VariableName)
  | { readonly kind: "resource"; readonly id: number };
