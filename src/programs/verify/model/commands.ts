/** Which command of a node's definition is meant: by its own name, as a lock's alias, or by the property that it sets. */

import type { CommandDefinition, Nodedef } from "../../../profile/nodedef.ts";

export type MeantCommand =
  /** Every node can be asked for its state. */
  | { readonly kind: "query" }
  | {
      readonly kind: "command";
      readonly definition: CommandDefinition;
      /** The name brings its parameters along. */
      readonly isAlias: boolean;
    };

const LOCK_ALIASES: ReadonlySet<string> = new Set(["LOCK", "UNLOCK"]);

/** null: the node does not accept it. */
export function commandOf({ accepts }: Nodedef, command: string): MeantCommand | null {
  const byName = accepts.find(({ id }) => id === command);
  if (byName) return { kind: "command", definition: byName, isAlias: false };
  if (command === "QUERY") return { kind: "query" };
  const lock = LOCK_ALIASES.has(command) ? accepts.find(({ id }) => id === "SECMD") : undefined;
  if (lock) return { kind: "command", definition: lock, isAlias: true };
  const setter = accepts.find(({ parameters }) => parameters.some(({ init }) => init === command));
  return setter ? { kind: "command", definition: setter, isAlias: false } : null;
}
