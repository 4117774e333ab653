/**
 * Checks every answer of `/api` in every test against the schemas of its route. The check runs where handlers answer;
 * the controller of the test reports mismatches at its end.
 */

import { apiRoutes } from "../../src/http/api/api-routes.ts";
import { JSON_TYPE, type Reply } from "../../src/http/reply.ts";
import type { HttpRequest, Route } from "../../src/http/route.ts";
import { type JsonSchema, object } from "../../src/http/schema.ts";
import type { Services } from "../../src/http/services.ts";
import { schemaViolation } from "../../src/util/json-schema.ts";
import { closed } from "./openapi.ts";

const misfits = new Set<string>();
/** Documents are served many times from one buffer. */
const seen = new WeakSet<object>();
let isWatching = false;

export function checkReplies(): void {
  if (isWatching) return;
  isWatching = true;
  for (const route of apiRoutes) watch(route);
}

/** @throws when an answer since the last call did not fit. */
export function expectFittingReplies(): void {
  const found = [...misfits];
  misfits.clear();
  if (found.length > 0) throw new Error(`Answers that do not fit their schemas:\n${found.join("\n")}`);
}

function watch(route: Route): void {
  if (route.fileType || route.page === "openapi") return;
  const envelope = closed<JsonSchema>(
    object({ successful: { const: true }, data: route.data ?? { type: "null" }, ...route.beside }),
  );
  const { handle } = route;
  const checked = (reply: Reply): Reply => {
    if (reply.status === 200 && reply.contentType === JSON_TYPE) note(route, envelope, reply.body);
    return reply;
  };
  Object.assign(route, {
    handle: (...given: Parameters<Route["handle"]>) => {
      const [{ path: document }, { documents }] = given as readonly [HttpRequest, Partial<Services>];
      // A twin's document has the types that its original gave it. A test of one handler has no documents.
      const check = documents?.isReceived(document) ? (reply: Reply) => reply : checked;
      const reply = handle(...given);
      return reply instanceof Promise ? reply.then(check) : check(reply);
    },
  });
}

function note({ method, path }: Route, envelope: JsonSchema, body: Buffer | string): void {
  if (typeof body !== "string") {
    if (seen.has(body)) return;
    seen.add(body);
  }
  const violation = schemaViolation(envelope, JSON.parse(String(body)));
  if (violation) misfits.add(`${method} ${path}: /${violation.path.join("/")}: ${violation.rule}`);
}
