/** The OpenAPI 3.1 document of `/api/*`, made from the route table and the schemas that check requests. */

import { ERROR_CODES } from "../../errors.ts";
import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameter, Route } from "../route.ts";
import { type JsonSchema, text } from "../schema.ts";
import type { Services } from "../services.ts";

const FAILURE: JsonSchema = {
  type: "object",
  required: ["successful", "data", "error", "code", "errorMessage", "errorCode"],
  properties: {
    successful: { const: false },
    data: { type: "null" },
    error: { type: "string", description: "A sentence for a person." },
    code: { type: "string", enum: ERROR_CODES, description: "Stable; docs/errors.md lists them." },
    errorMessage: { type: "string", description: "The same as error." },
    problems: {
      type: "array",
      description: "Every error in a program text that was refused, with its position.",
      items: {
        type: "object",
        required: ["line", "column", "code", "message", "suggestion"],
        properties: {
          line: { type: "integer" },
          column: { type: "integer" },
          code: { type: "string", enum: ["SYNTAX", "UNKNOWN_NAME", "AMBIGUOUS_NAME", "NAME_AND_ID_DIFFER"] },
          message: { type: "string" },
          suggestion: { type: ["string", "null"] },
        },
      },
    },
    errorCode: { type: "string", enum: ERROR_CODES, description: "The same as code." },
  },
};

const AT: QueryParameter = text("A past time, ISO 8601. The answer is the state at that time. Default: now.");

/** @param routes called late, because the table holds this handler itself. */
export function createOpenApiHandler(
  routes: () => readonly Route[],
): (request: HttpRequest, services: Services) => Reply {
  return (_request, services) =>
    services.documents.serve("/api/openapi.json", services.productVersion, JSON_TYPE, () =>
      JSON.stringify(openApiDocument(routes(), services.productVersion)),
    );
}

function openApiDocument(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Domovoi", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    components: {
      schemas: { Failure: FAILURE },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "From POST /api/login." },
        basic: { type: "http", scheme: "basic", description: "Local accounts; unless the setting portalBasic is off." },
      },
    },
    paths,
  };
}

function operation(route: Route): object {
  const inPath = [...route.path.matchAll(/:([a-zA-Z]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = { ...route.query, ...(route.past === "at" && { at: AT }) };
  const inQuery = Object.entries(query).map(([name, { description, isRequired, ...schema }]) => {
    return { name, in: "query", description, schema, ...(isRequired && { required: true }) };
  });
  const parameters = [...inPath, ...inQuery];
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.page],
    security: route.access === "public" || route.access === "optional" ? [] : [{ bearer: [] }, { basic: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route),
    responses: { 200: success(route), default: failure() },
  };
}

function requestBody({ body, fileLimit }: Route): object {
  if (fileLimit) return { requestBody: { required: true, content: { "application/octet-stream": {} } } };
  return body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {};
}

/** `GET /api/variables/:type` → `getVariablesType`. */
function operationId(route: Route): string {
  const words = route.path.replace(/^\/api\//, "").split(/[^a-zA-Z]+/);
  return route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function success(route: Route): object {
  if (route.fileType) return { description: "The file.", content: { [route.fileType]: {} } };
  const data = route.data ?? { type: "null" };
  const enveloped = {
    type: "object",
    required: ["successful", "data", ...Object.keys(route.beside ?? {})],
    properties: { successful: { const: true }, data, ...route.beside },
  };
  const schema = route.page === "openapi" ? { type: "object" } : enveloped;
  return { description: "Done.", content: { "application/json": { schema } } };
}

function failure(): object {
  const schema = { $ref: "#/components/schemas/Failure" };
  return { description: "Refused; nothing was changed.", content: { "application/json": { schema } } };
}
