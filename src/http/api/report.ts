/** `/api/report`: the support report. @see docs/interface/monitoring.md */

import { envelope } from "../envelope.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import type { Services } from "../services.ts";

/** For people: members come and go with what the controller has. */
export const reportData: JsonSchema = {
  type: "object",
  required: ["time", "machine", "health", "settings", "integrations", "counts", "disk", "backups", "metrics", "log"],
};

export async function getReport(_request: HttpRequest, { report }: Services): Promise<Reply> {
  return envelope(await report());
}
