/** The parts of the home that encoders cache by, and what a table of the home needs to say that it changed. */

/** `status` moves with properties, `structure` with everything else of the tree. */
export type HomePart =
  | "controller"
  | "structure"
  | "status"
  | "groups"
  | "programs"
  | "integerVariables"
  | "stateVariables"
  | "networkResources"
  | "integrations";

export type Versions = {
  /** Says that parts changed. */
  touch(...parts: readonly HomePart[]): void;
  /** A number larger than all before. */
  nextVersion(): number;
};
