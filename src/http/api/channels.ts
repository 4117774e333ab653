/** `/api/channels`: notification channels, which are integrations, tried out. @see docs/interface/channels.md */

import { envelope } from "../envelope.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { LocatedValue } from "./located-value.ts";

const SUBJECT_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 4000;

const testBody = partial({
  subject: { type: "string", maxLength: SUBJECT_CHARS_MAX, description: "Default: the name of the controller." },
  text: {
    type: "string",
    maxLength: TEXT_CHARS_MAX,
    description: "Default: a sentence that says that it is a test.",
  },
});

export const channelRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/channels/:id/test",
    listener: "portal",
    access: "administer",
    changes: true,
    page: "channels",
    summary: "Sends a notification by this channel, and answers when it is delivered.",
    body: testBody,
    handle: test,
  },
];

async function test({ params, body }: HttpRequest, { home, notifier }: Services): Promise<Reply> {
  const { subject, text } = new LocatedValue(body ?? {}, "").object((given) => ({
    subject: given.find("subject")?.text(SUBJECT_CHARS_MAX) ?? home.controller.name,
    text: given.find("text")?.text(TEXT_CHARS_MAX) ?? `A test of this channel by ${home.controller.name}.`,
  }));
  await notifier.send(params.id ?? "", subject, text);
  return envelope(null);
}
