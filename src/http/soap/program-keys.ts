/**
 * The key of all programs, as the SOAP of the originals has it: who shows an old one has not seen the latest change. The present key
 * follows from the programs; a client may set another one, which holds for its account until somebody else changes a program.
 */

import { createHash } from "node:crypto";
import type { Principal } from "../../auth/principal.ts";
import { ControllerError } from "../../errors.ts";
import type { Home } from "../../home/home.ts";

const LONG = 8;
const SHORT = 4;

/** `0AB1C2D3.00C2`. Runs do not change it, edits do. */
export function presentKey({ programs }: Pick<Home, "programs">): string {
  const versions = Array.from(programs.values(), ({ id, version }) => `${id} ${version}`).join();
  const hex = createHash("sha1").update(versions).digest("hex").toUpperCase();
  return `${hex.slice(0, LONG)}.${hex.slice(LONG, LONG + SHORT)}`;
}

export class ProgramKeys {
  /** By account: the key that it has set, and the present one of that moment. */
  readonly #set = new Map<string, { readonly key: string; readonly of: string }>();

  /** @param key null: the client shows none. @throws ControllerError CONFLICT */
  require(account: Principal | null, home: Pick<Home, "programs">, key: string | null): void {
    const present = presentKey(home);
    const own = this.#set.get(account?.accountId ?? "");
    if (key === null || key === present || (own?.key === key && own.of === present)) return;
    throw new ControllerError("CONFLICT", "The programs have changed in the meantime. Read them again.");
  }

  /** The account's key holds again, after a change of its own. @param key a new one; null: the one it has. */
  keep(account: Principal | null, home: Pick<Home, "programs">, key: string | null = null): void {
    const id = account?.accountId ?? "";
    const kept = key ?? this.#set.get(id)?.key;
    if (kept !== undefined) this.#set.set(id, { key: kept, of: presentKey(home) });
  }
}
