/**
 * Whose home a data directory holds: its own, without this file; or a copy of a database's home. A restored backup in the place of
 * a copy takes the database's place as well, at the next start. `partial`: the copy was being made when the machine ended.
 */

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { moveHome, ORIGIN } from "./backup/settle-restore.ts";
import { writeSecret } from "./secrets.ts";

/** `own`: it never was a copy. `id`: of the database's home. */
type Origin =
  | { readonly kind: "own" }
  | { readonly kind: "copy"; readonly id: string }
  | { readonly kind: "partial"; readonly id: string }
  | { readonly kind: "restored"; readonly id: string };

/** Words before the id of the database's home; a copy has none. */
const WORDS = ["partial", "restored"] as const;

export function readOrigin(dir: string): Origin {
  const path = join(dir, ORIGIN);
  if (!existsSync(path)) return { kind: "own" };
  const text = readFileSync(path, "utf8").trim();
  const kind = WORDS.find((word) => text.startsWith(`${word} `));
  return kind === undefined ? { kind: "copy", id: text } : { kind, id: text.slice(kind.length + 1) };
}

export function writeOrigin(dir: string, origin: Origin): void {
  if (origin.kind === "own") rmSync(join(dir, ORIGIN), { force: true });
  else writeSecret(join(dir, ORIGIN), `${origin.kind === "copy" ? "" : `${origin.kind} `}${origin.id}`);
}

/** Moves the copy of another database's home aside. @returns the directory that holds it now. */
export function setCopyAside(dir: string, id: string): string {
  const aside = `copy-of-${id}`;
  rmSync(join(dir, aside), { recursive: true, force: true });
  moveHome(dir, join(dir, aside));
  return aside;
}
