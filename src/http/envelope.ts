/** The envelope around every answer of the JSON surface. Failures have their own shape, made where they are caught. */

import type { Reply } from "./reply.ts";

/** Content type of every JSON answer. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Success with `data`, which is `null` for what only acknowledges. */
export function envelope(data: unknown): Reply {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify({ successful: true, data }) };
}
