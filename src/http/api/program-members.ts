/**
 * Shared by the bodies and paths of programs and triggers: ids as clients write them (hex digits in a text, decimal
 * in a number, 0 for the root folder as a parent), the version, and the members that can be written one by one.
 */

import type { Revision } from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import { ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { parseProgramId } from "../../wire/tree.ts";
import type { HttpRequest, QueryParameter } from "../route.ts";
import type { Members, LocatedValue } from "./located-value.ts";

const ID_MAX = 65_535;
const VERSION_MAX = Number.MAX_SAFE_INTEGER;

export const idSchema = {
  type: ["string", "integer"],
  description: "Up to four hex digits as a text, or a decimal number.",
} as const;

export const versionSchema = {
  type: "integer",
  description: "The version that the writer has seen; without it the write goes through whatever is there.",
} as const;

/** Parses an id below `/api/programs`: hex digits. @throws ControllerError PROGRAM_NOT_FOUND */
export function hexIdOf({ params }: HttpRequest): number {
  const id = parseProgramId(params.id ?? "");
  if (id === null) throw new ControllerError("PROGRAM_NOT_FOUND");
  return id;
}

/** Parses an id below `/api/trigger`: decimal. @throws ControllerError PROGRAM_NOT_FOUND */
export function decimalIdOf({ params }: HttpRequest): number {
  const text = params.id ?? "";
  if (!/^\d{1,5}$/.test(text)) throw new ControllerError("PROGRAM_NOT_FOUND");
  return Number(text);
}

export const versionQuery: readonly QueryParameter[] = [
  {
    name: "version",
    description: "That of which the client knows; another one is refused with CONFLICT.",
    schema: { type: "integer", minimum: 0 },
  },
];

/** Of `?version=`; null without one. @throws ControllerError BAD_VALUE */
export function versionOfQuery({ query }: HttpRequest): number | null {
  const text = query.get("version");
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw new ControllerError("BAD_VALUE", { sentence: "A version is a whole number." });
  return Number(text);
}

/** Reads the version from a body; null without one. */
export function versionIn(members: Members): number | null {
  return members.find("version")?.integer(0, VERSION_MAX) ?? null;
}

/**
 * The members that are there, besides the tree.
 * @param parent what this surface calls the folder.
 */
export function readRevision(members: Members, parent: "parent" | "parentId"): Omit<Revision, "tree" | "conditions"> {
  const readers = { ...MEMBERS, [parent]: (id: LocatedValue) => ({ parentId: readParentId(id) }) };
  const parts = Object.entries(readers).map(([name, read]) => {
    const member = members.find(name);
    return member ? read(member) : {};
  });
  return Object.assign({}, ...parts);
}

/** Reads a member of a body. @throws ControllerError BAD_BODY with the place. */
export function readProgramId(id: LocatedValue): number {
  if (typeof id.value !== "string") return id.integer(1, ID_MAX);
  const parsed = parseProgramId(id.value);
  if (!parsed) throw id.refuse("has to be up to four hex digits, or a decimal number");
  return parsed;
}

/** 0 is the root folder too. */
export function readParentId(id: LocatedValue): number {
  return id.value === 0 ? ROOT_PROGRAM_ID : readProgramId(id);
}

const MEMBERS = {
  name: (name: LocatedValue) => ({ name: name.string() }),
  comment: (comment: LocatedValue) => ({ comment: comment.string() }),
  enabled: (enabled: LocatedValue) => ({ enabled: enabled.boolean() }),
  runAtStartup: (runAtStartup: LocatedValue) => ({ runAtStartup: runAtStartup.boolean() }),
};
