/**
 * Shared by the bodies and paths of programs and triggers: ids as clients write them (hex digits in a text, decimal
 * in a number, 0 for the root folder as a parent), the version, and the members that can be written one by one.
 */

import type { Revision } from "../../commands/edit-programs.ts";
import { badValue, ControllerError } from "../../errors.ts";
import { ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { parseProgramId } from "../../wire/tree.ts";
import type { HttpRequest, QueryParameters } from "../route.ts";
import { type Fits, type JsonSchema, partial } from "../schema.ts";

const ID_MAX = 65_535;

export const idSchema = {
  type: ["string", "integer"],
  minimum: 0,
  maximum: ID_MAX,
  description: "Up to four hex digits as a text, or a decimal number.",
} as const;

/** Members that can be written one by one. */
export const revisionMembers = {
  name: { type: "string" },
  comment: { type: "string" },
  enabled: { type: "boolean", description: "Default on a new program: true." },
  runAtStartup: { type: "boolean", description: "Default on a new program: false." },
} as const satisfies Record<string, JsonSchema>;

const revisionSchema = partial(revisionMembers);

export const versionSchema = {
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "The version that the client last read. Without it the write always succeeds.",
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

export const versionQuery: QueryParameters = {
  version: {
    type: "integer",
    minimum: 0,
    description: "The version that the client last read. Any other version is refused with CONFLICT.",
  },
};

/** The value of `?version=`; null without one. @throws ControllerError BAD_VALUE */
export function versionOfQuery({ query }: HttpRequest): number | null {
  const text = query.get("version");
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw badValue("A version is a whole number.");
  return Number(text);
}

/** The members of a body that are there, besides the tree. */
export function revisionOf(
  { name, comment, enabled, runAtStartup }: Fits<typeof revisionSchema>,
  parent: string | number | undefined,
): Omit<Revision, "tree" | "conditions"> {
  return {
    ...(name !== undefined && { name }),
    ...(comment !== undefined && { comment }),
    ...(enabled !== undefined && { enabled }),
    ...(runAtStartup !== undefined && { runAtStartup }),
    ...(parent !== undefined && { parentId: parentIdOf(parent) }),
  };
}

/** The version in a body. @throws ControllerError BAD_BODY */
export function programIdOf(id: string | number): number {
  const parsed = typeof id === "number" ? id : parseProgramId(id);
  if (parsed && parsed <= ID_MAX) return parsed;
  throw new ControllerError("BAD_BODY", `"${id}" is not the id of a program.`);
}

/** 0 is the root folder too. */
export function parentIdOf(id: string | number): number {
  return id === 0 ? ROOT_PROGRAM_ID : programIdOf(id);
}
