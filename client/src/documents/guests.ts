/** Reads guest links and limits. @see docs/interface/guests.md */

import { ClientError } from "../errors.ts";
import type { GuestLink, Limits } from "../model/guests.ts";
import { isObject, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

export const readGuests = (data: unknown): readonly GuestLink[] => objectsOf(data).map(readGuest);

export function readGuest(data: unknown): GuestLink {
  if (!isObject(data)) throw new ClientError("BAD_DOCUMENT", "The answer is not a guest link.");
  const { id, name, role, limits, createdAt, expiresAt, visitedAt } = data;
  return {
    id: textOf(id),
    name: textOf(name),
    role: role === "user" ? "user" : "guest",
    limits: readLimits(limits),
    createdAt: textOf(createdAt),
    expiresAt: textOrNull(expiresAt),
    visitedAt: textOrNull(visitedAt),
  };
}

/** Anything unknown is nothing, which is the narrowest limit. */
function readLimits(data: unknown): Required<Limits> {
  const { folders, nodes, scenes, programs, variables, resources, commands } = isObject(data) ? data : {};
  return {
    folders: textsOf(folders),
    nodes: textsOf(nodes),
    scenes: textsOf(scenes),
    programs: textsOf(programs),
    variables: textsOf(variables),
    resources: Array.isArray(resources) ? resources.map((id) => numberOf(id)) : [],
    commands: Array.isArray(commands) ? textsOf(commands) : null,
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => textOf(item)) : [];
}
