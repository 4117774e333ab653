/** Operations of integrations, such as pairing a device. @see docs/interface/integrations.md */

import { radioNameOf } from "../../commands/radio/radio-network.ts";
import type { Operation } from "../../home/operation.ts";
import {
  answerOperation,
  beginOperation,
  cancelOperation,
  currentOperation,
  operationKinds,
} from "../../integrations/operations.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, line, list, object, orNull, schemaDocument, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const word = line(100);

const kindsData = list(
  object({
    kind: { type: "string" },
    name: { type: "string" },
    about: { type: "string", description: "The operation in a sentence." },
    input: schemaDocument("JSON Schema 2020-12 of the input."),
  }),
);

export const operationData = orNull(
  object(
    {
      id: { type: "string" },
      kind: { type: "string" },
      stage: { type: "string", description: "done, failed and cancelled end it." },
      question: orNull(
        object(
          {
            kind: { type: "string", description: "The answer repeats it." },
            data: {
              type: "object",
              additionalProperties: { description: "A value." },
              description: "Information for the person's decision.",
            },
            answer: schemaDocument("JSON Schema 2020-12 of the members of the answer beside `kind`."),
          },
          { description: "The present question to a person." },
        ),
      ),
      address: textOrNull("First node of the device, once it is known."),
      percent: { type: ["integer", "null"], description: "Where the length of the way is known." },
      result: {
        type: "object",
        additionalProperties: { description: "A value." },
        description: "Facts about the outcome.",
      },
      detail: { type: "string", description: "A sentence for people." },
      startedTime: time,
      lastTime: { type: "string", description: "When it last moved." },
    },
    { title: "IntegrationOperationRecord" },
  ),
);

const operationBody = object(
  { kind: word },
  {
    optional: {
      input: {
        type: "object",
        additionalProperties: { description: "A member that the kind describes." },
        description: "Fits the schema of the kind.",
      },
    },
    additionalProperties: false,
  },
);

const answerBody = object(
  { kind: { ...word, description: "Kind of the question that is answered, or `refuse`." } },
  { additionalProperties: { description: "A member that the question describes." } },
);

/** By the id of the integration, and where its network is. */
export const operationRoutes: readonly Route[] = [
  ...routesAt("/api/integrations/:id/operation", apiRoute("integrations", "administer")),
  ...routesAt("/api/radios/:radio/operation", apiRoute("radio-network", "manage-radio")),
];

function routesAt(path: `/api/${string}`, route: ReturnType<typeof apiRoute>): readonly Route[] {
  return [
    route(`GET ${path}s`, "The available operations, such as pairing a device.", listKinds, { data: kindsData }),
    route(`GET ${path}`, "The operation under way, or the latest one.", getOperation, { data: operationData }),
    route(`POST ${path}`, "Starts an operation.", begin, { body: operationBody, data: operationData }),
    route(`POST ${path}/answer`, "Answers its question.", answer, { body: answerBody, data: operationData }),
    route(`DELETE ${path}`, "Cancels the operation.", cancel, { data: operationData }),
  ];
}

/** @throws ControllerError INTEGRATION_NOT_FOUND, CONFLICT */
function integrationIn({ id, radio = "" }: HttpRequest["params"], services: Services): string {
  return services.integrations.idOf(id ?? radioNameOf(services, radio));
}

function listKinds({ params }: HttpRequest, services: Services): Reply {
  return envelope(operationKinds(services, integrationIn(params, services)));
}

function getOperation({ params }: HttpRequest, services: Services): Reply {
  return envelope(operationJson(currentOperation(services, integrationIn(params, services))));
}

async function begin(request: HttpRequest, services: Services): Promise<Reply> {
  const { params, cause, signal } = request;
  const wanted = { input: {}, ...bodyOf(request, operationBody) };
  const begun = await beginOperation(services, integrationIn(params, services), wanted, cause, signal);
  return envelope(operationJson(begun));
}

function answer(request: HttpRequest, services: Services): Reply {
  const given = bodyOf(request, answerBody);
  return envelope(operationJson(answerOperation(services, integrationIn(request.params, services), given)));
}

function cancel({ params }: HttpRequest, services: Services): Reply {
  return envelope(operationJson(cancelOperation(services, integrationIn(params, services))));
}

export function operationJson(operation: Operation | null): Fits<typeof operationData> {
  if (!operation) return null;
  const { startedAtMs, movedAtMs, ...rest } = operation;
  return { ...rest, startedTime: isoTime(startedAtMs), lastTime: isoTime(movedAtMs) };
}
