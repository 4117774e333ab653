/** `/api/variables/{type}`: listing, writing, making and removing variables. @see docs/interface/variables.md */

import {
  createVariable,
  deleteVariable,
  parseRawNumber,
  renameVariable,
  setVariablePrecision,
  writeVariable,
  writeVariableInit,
} from "../../commands/edit-variables.ts";
import { ControllerError } from "../../errors.ts";
import { findVariable, type Variable, type VariableType } from "../../home/variables.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, JSON_TYPE } from "../envelope.ts";
import type { Services } from "../services.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import { bodyOf, type Fits, list, object, partial } from "../schema.ts";

const prec = { type: "integer", minimum: 0, maximum: 9, description: "Decimal places." } as const;
const name = { type: "string", minLength: 1, description: "1 to 200 characters." } as const;

const variableData = object({
  id: { type: "string" },
  val: { type: "number", description: "Raw value; displayed = val / 10^prec." },
  init: { type: "number", description: "Raw value after a cold start." },
  prec,
  name,
  ts: { type: "string", description: "When the value was last written, ISO 8601 in UTC." },
});

export const addedVariableData = object(variableData.properties, {
  optional: { value: { type: "number", description: "As it was sent; not stored." } },
});

export const variablesData = list(variableData);

export const variableUpdateBody = partial(
  { value: { type: "number" }, init: { type: "number" }, name, prec },
  {
    description: "Exactly one member. An integer is a raw value; a number with a decimal point is a displayed one.",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  },
);

export const variableCreateBody = object(
  { name },
  {
    optional: {
      prec,
      init: { type: "number" },
      value: { type: "number" },
      initialValue: { type: "integer", description: "Raw; is stored as `init`." },
    },
    description: "Clients of the interface expect `init` and `value` to be echoed and not stored: a new variable is 0.",
    additionalProperties: false,
  },
);

export function listVariables(request: HttpRequest, { home, documents }: Services): Reply {
  const type = variableType(request);
  const version = String(home.version(type === 1 ? "integerVariables" : "stateVariables"));
  return documents.serve(`/api/variables/${type}`, version, JSON_TYPE, () => {
    const variables = [...home.variables[type].values()].sort((a, b) => a.id - b.id);
    return JSON.stringify({ successful: true, data: variables.map(variableJson) });
  });
}

export async function updateVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const type = variableType(request);
  const id = variableId(request);
  const variable = findVariable(services.home, type, id);
  if (!variable) throw new ControllerError("VARIABLE_NOT_FOUND");
  const body = bodyOf(request, variableUpdateBody);
  if (body.name !== undefined) await renameVariable(services, type, id, body.name, request.cause);
  else if (body.prec !== undefined) await setVariablePrecision(services, type, id, body.prec, request.cause);
  else {
    const raw = parseRawNumber(numberAsWritten(request.rawBody), variable.prec, { floatIsDisplayed: true });
    const write = body.init === undefined ? writeVariable : writeVariableInit;
    await write(services, type, id, raw, request.cause);
  }
  return envelope(null);
}

export async function addVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const { name, prec = 0, initialValue: init = 0, ...echoed } = bodyOf(request, variableCreateBody);
  const variable = await createVariable(services, variableType(request), { name, prec, init }, request.cause);
  return envelope({ ...variableJson(variable), ...echoed });
}

export async function removeVariable(request: HttpRequest, services: Services): Promise<Reply> {
  await deleteVariable(services, variableType(request), variableId(request), request.cause);
  return envelope(null);
}

function variableJson(variable: Variable): Fits<typeof variableData> {
  const { id, value, init, prec, name, writtenAtMs } = variable;
  return { id: String(id), val: value, init, prec, name, ts: isoTime(writtenAtMs) };
}

function variableType(request: HttpRequest): VariableType {
  const text = request.params.type;
  if (text === "1") return 1;
  if (text === "2") return 2;
  throw new ControllerError("VARIABLE_NOT_FOUND", { sentence: "Variables have the type 1 (integer) or 2 (state)." });
}

function variableId(request: HttpRequest): number {
  const text = request.params.id ?? "";
  if (!/^[0-9]{1,9}$/.test(text)) throw new ControllerError("VARIABLE_NOT_FOUND");
  return Number(text);
}

/** The body has one member, so its number is all there is between the colon and the brace. JSON.parse would lose "51.0". */
function numberAsWritten(rawBody: string): string {
  return /:\s*([-+.0-9eE]+)\s*\}\s*$/.exec(rawBody)?.[1] ?? "";
}
