/** The one thing that a request is about, by the parameters of its path. `…InPath` is null where they name none: see `Route.limited`. */

import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import type { Thing } from "../home/limits.ts";
import { findVariable, type Variable, type VariableType } from "../home/variables.ts";
import { parseProgramId } from "../wire/tree.ts";
import type { HttpRequest, PathOnly } from "./route.ts";

export function nodeInPath({ params }: HttpRequest): Thing {
  return { kind: "node", address: params.address ?? "" };
}

export function programInPath({ params }: HttpRequest): Thing | null {
  const id = parseProgramId(params.id ?? "");
  return id === null ? null : { kind: "program", id };
}

export function variableInPath({ params }: PathOnly): Thing | null {
  const id = wholeNumber(params.id);
  if (id === null || (params.type !== "1" && params.type !== "2")) return null;
  return { kind: "variable", type: params.type === "1" ? 1 : 2, id };
}

export function variableType({ params }: PathOnly): VariableType {
  if (params.type === "1") return 1;
  if (params.type === "2") return 2;
  throw new ControllerError("VARIABLE_NOT_FOUND", "Variables have the type 1 (integer) or 2 (state).");
}

/** @throws ControllerError VARIABLE_NOT_FOUND */
export function variableOf(request: PathOnly, home: Home): Variable {
  const id = wholeNumber(request.params.id);
  const variable = id === null ? null : findVariable(home, variableType(request), id);
  if (!variable) throw new ControllerError("VARIABLE_NOT_FOUND");
  return variable;
}

export function resourceInPath({ params }: HttpRequest): Thing | null {
  const id = wholeNumber(params.id);
  return id === null ? null : { kind: "resource", id };
}

function wholeNumber(text = ""): number | null {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
}
