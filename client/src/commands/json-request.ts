/** Requests of the JSON surface, for paths without a method of their own. */

import type { ControllerSession } from "../api.ts";
import { isObject, type Json, parseJson } from "../documents/json.ts";
import { ClientError } from "../errors.ts";
import type { Session } from "../transport/session.ts";

export function requestOf(session: Session): ControllerSession["request"] {
  return async (method, path, body) => objectOf(await session.send(method, path, body ? { body } : {}), path);
}

export function uploadOf(session: Session): ControllerSession["upload"] {
  return async (method, path, file) => objectOf(await session.send(method, path, { file }), path);
}

/** @throws ClientError `BAD_DOCUMENT` for an answer that is not a JSON object */
function objectOf(text: string, path: string): Json {
  const answer = parseJson(text);
  if (isObject(answer)) return answer;
  throw new ClientError("BAD_DOCUMENT", `${path} was not answered with a JSON object.`);
}
