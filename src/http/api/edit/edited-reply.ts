/** Answers to edits: what was made or changed, and the number by which the edit can be taken back. */

import type { Cause } from "../../../home/cause.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { JsonSchema } from "../../schema.ts";
import type { Services } from "../../services.ts";

const edit = {
  type: ["integer", "null"],
  description: "Number of the edit, to undo it; null when nothing is different.",
} as const;

type ObjectData = { readonly properties: Readonly<Record<string, JsonSchema>>; readonly required: readonly string[] };

/** The answer to an edit, with `edit` beside the other members. */
export function edited(data: ObjectData): JsonSchema {
  return { ...data, type: "object", required: [...data.required, "edit"], properties: { ...data.properties, edit } };
}

export function editedReply(services: Services, cause: Cause, data: object): Reply {
  return envelope({ ...data, edit: editOf(services, cause) });
}

/** The last edit of a request; null when nothing was different. */
function editOf({ home }: Services, { id }: Cause): number | null {
  return [...home.edits.values()].reverse().find(({ cause }) => cause.id === id)?.seq ?? null;
}
