/** `/api/channels`: notification channels, which are integrations, tried out. @see docs/interface/channels.md */

import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, line, orNull, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const SUBJECT_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 4000;

const testBody = orNull(
  partial(
    {
      subject: { ...line(SUBJECT_CHARS_MAX), description: "Default: the name of the controller." },
      text: { ...line(TEXT_CHARS_MAX), description: "Default: a sentence that marks it as a test." },
    },
    { additionalProperties: false },
  ),
);

const route = apiRoute("channels", "administer");

export const channelRoutes: readonly Route[] = [
  route(
    "POST /api/channels/:id/test",
    "Sends a test notification on this channel, and answers when it is delivered.",
    test,
    {
      body: testBody,
    },
  ),
];

async function test(request: HttpRequest, { home, notifier, integrations }: Services): Promise<Reply> {
  const { name } = home.controller;
  const { subject = name, text = `A test of this channel by ${name}.` } = bodyOf(request, testBody) ?? {};
  await notifier.send(integrations.idOf(request.params.id ?? ""), subject, text);
  return envelope(null);
}
