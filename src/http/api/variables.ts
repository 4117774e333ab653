/** `/api/variables/{type}`: listing, writing, making and removing variables. @see docs/interface/variables.md */

import type { Right } from "../../auth/policy.ts";
import {
  changeVariable,
  createVariable,
  deleteVariable,
  parseRawNumber,
  type VariablePatch,
  valueNamed,
  writeVariable,
} from "../../commands/edit-variables.ts";
import type { Variable } from "../../home/variables.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, list, object, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { variableInPath, variableOf, variableType } from "../things.ts";
import { apiRoute, PAST } from "./api-route.ts";

const prec = { type: "integer", minimum: 0, maximum: 9, description: "Decimal places." } as const;
const name = { type: "string", minLength: 1, description: "1 to 200 characters." } as const;

const valueNamesData = {
  type: "object",
  additionalProperties: { type: "string" },
  description: 'Names of raw values, such as {"0": "Home", "1": "Away"}.',
} as const;

const members = {
  id: { type: "string" },
  val: { type: "number", description: "Raw value; displayed = val / 10^prec." },
  init: { type: "number", description: "Raw value after a cold start." },
  prec,
  name,
  ts: { type: "string", description: "When the value was last written, ISO 8601 in UTC." },
} as const;

const variableData = object(members, { optional: { valueNames: valueNamesData } });

const addedVariableData = object(members, {
  optional: { value: { type: "number", description: "The value of the request. It is not stored." } },
});

const variablesData = list(variableData);

const variableUpdateBody = partial(
  {
    value: { type: ["number", "string"], description: "A text is the name of a value." },
    init: { type: "number" },
    ...{ name, prec, valueNames: valueNamesData },
  },
  {
    description: "Exactly one member. An integer is a raw value; a number with a decimal point is a displayed one.",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  },
);

const variableCreateBody = object(
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

const route = apiRoute("variables", "edit-variables");

export const variableRoutes: readonly Route[] = [
  route("GET /api/variables/:type", "The variables of a type.", listVariables, {
    ...PAST,
    access: "read",
    data: variablesData,
  }),
  route("PUT /api/variables/:type", "Creates a variable.", addVariable, {
    body: variableCreateBody,
    data: addedVariableData,
  }),
  route(
    "POST /api/variables/:type/:id",
    "Changes value, init value, name, precision or the names of its values.",
    updateVariable,
    {
      access: { least: "write-variable", action: variableAction },
      limited: variableInPath,
      body: variableUpdateBody,
    },
  ),
  route("DELETE /api/variables/:type/:id", "Removes a variable.", removeVariable),
];

/** Writing a value is living in the home; everything else of a variable is building it. */
function variableAction({ body }: HttpRequest): Right {
  return typeof body === "object" && body !== null && "value" in body ? "write-variable" : "edit-variables";
}

function listVariables(request: HttpRequest, { home, documents }: Services): Reply {
  const type = variableType(request);
  const version = String(home.version(type === 1 ? "integerVariables" : "stateVariables"));
  return documents.serve(`/api/variables/${type}`, version, JSON_TYPE, () => {
    const variables = [...home.variables[type].values()].sort((a, b) => a.id - b.id);
    return JSON.stringify({ successful: true, data: variables.map(variableJson) });
  });
}

async function updateVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const variable = variableOf(request, services.home);
  const { type, id, prec } = variable;
  const body = bodyOf(request, variableUpdateBody);
  const change = (patch: VariablePatch) => changeVariable(services, type, id, patch, request.cause);
  const raw = () => parseRawNumber(numberAsWritten(request.rawBody), prec, { floatIsDisplayed: true });
  if (body.name !== undefined) await change({ name: body.name });
  else if (body.prec !== undefined) await change({ prec: body.prec });
  else if (body.valueNames !== undefined) await change({ valueNames: body.valueNames });
  else if (body.init !== undefined) await change({ init: raw() });
  else {
    const value = typeof body.value === "string" ? valueNamed(variable, body.value) : raw();
    await writeVariable(services, type, id, value, request.cause);
  }
  return envelope(null);
}

async function addVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const { name, prec = 0, initialValue: init = 0, ...echoed } = bodyOf(request, variableCreateBody);
  const variable = await createVariable(services, variableType(request), { name, prec, init }, request.cause);
  return envelope({ ...variableJson(variable), ...echoed });
}

async function removeVariable(request: HttpRequest, services: Services): Promise<Reply> {
  const { type, id } = variableOf(request, services.home);
  await deleteVariable(services, type, id, request.cause);
  return envelope(null);
}

function variableJson(variable: Variable): Fits<typeof variableData> {
  const { id, value, init, prec, name, writtenAtMs, valueNames = {} } = variable;
  const named = Object.keys(valueNames).length > 0 && { valueNames };
  return { id: String(id), val: value, init, prec, name, ts: isoTime(writtenAtMs), ...named };
}

/** The body has one member, so its number is all there is between the colon and the brace. JSON.parse would lose "51.0". */
function numberAsWritten(rawBody: string): string {
  return /:\s*([-+.0-9eE]+)\s*\}\s*$/.exec(rawBody)?.[1] ?? "";
}
