/** The one thing that a request is about, by the parameters of its path; null where they name none. See `Route.limited`. */

import type { Thing } from "../home/limits.ts";
import { parseProgramId } from "../wire/tree.ts";
import type { HttpRequest } from "./route.ts";

export function nodeInPath({ params }: HttpRequest): Thing {
  return { kind: "node", address: params.address ?? "" };
}

export function programInPath({ params }: HttpRequest): Thing | null {
  const id = parseProgramId(params.id ?? "");
  return id === null ? null : { kind: "program", id };
}

export function variableInPath({ params }: HttpRequest): Thing | null {
  const id = wholeNumber(params.id);
  if (id === null || (params.type !== "1" && params.type !== "2")) return null;
  return { kind: "variable", type: params.type === "1" ? 1 : 2, id };
}

export function resourceInPath({ params }: HttpRequest): Thing | null {
  const id = wholeNumber(params.id);
  return id === null ? null : { kind: "resource", id };
}

function wholeNumber(text = ""): number | null {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
}
