/** `/api/move-in/copy`: the home of another controller, read, shown and copied. @see docs/interface/move-in.md */

import { COPY_FAILURES, COPY_ITEM_KINDS, COPY_STATES } from "../../home/home-copy.ts";
import { wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, integer, line, list, object, orNull, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { waitFor } from "../wait-for.ts";
import { apiRoute } from "./api-route.ts";

/** Seconds that an answer waits for a copy under way, at most. */
const WAIT_MAX_S = 15;
const TEXT_MAX = 1024;
const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

const copyData = object({
  state: { type: "string", enum: COPY_STATES },
  url: { type: "string", description: "Address of the other controller." },
  progress: { type: "number", minimum: 0, maximum: 1, description: "Of reading or copying." },
  name: { type: ["string", "null"], description: "Name of the other home; null until it is read." },
  items: list(
    object({
      kind: { type: "string", enum: COPY_ITEM_KINDS },
      what: text,
      count: { type: ["integer", "null"], description: "null: the documents do not say how many." },
      comes: { type: "string", enum: ["yes", "later", "no"] },
      note: text,
      detail: { type: "string", description: "Name of a family or of programs, or the problem of a document." },
    }),
    { description: "What comes over and what does not." },
  ),
  failure: orNull(object({ reason: { type: "string", enum: COPY_FAILURES }, sentence: text })),
});

const statusData = object({
  present: object(
    { nodes: count, scenes: count, programs: count, integrations: count },
    { description: "Things of this home that a copy replaces." },
  ),
  obstacle: {
    type: ["string", "null"],
    enum: ["demo", "database", "follows", null],
    description:
      "Why the running controller cannot make a copy: its home is the demo's, is in a database, or follows another one.",
  },
  copy: orNull(copyData, { description: "null: none was begun, or it was removed." }),
});

const readBody = object(
  {
    url: { ...line(TEXT_MAX), description: "Of the other controller: its portal, or its local listener." },
    user: {
      ...line(TEXT_MAX),
      description: "Of an account there. An e-mail address: the portal is read; another name: the local listener.",
    },
    password: {
      type: "string",
      minLength: 1,
      maxLength: TEXT_MAX,
      writeOnly: true,
      description: "Used once, not stored.",
    },
  },
  {
    optional: {
      insecure: {
        type: "boolean",
        description: "Skips the check of its certificate, and accepts an address without TLS.",
      },
    },
    additionalProperties: false,
  },
);

const makeBody = orNull(
  partial(
    { replace: { type: "boolean", description: "Also where this home has things. It is kept aside." } },
    { additionalProperties: false },
  ),
);

const route = apiRoute("move-in", "administer");

export const homeCopyRoutes: readonly Route[] = [
  route("GET /api/move-in/copy", "The copy under way, or what would be replaced.", getCopy, {
    query: { wait: integer(0, WAIT_MAX_S, "Seconds to wait while it reads or copies.") },
    data: statusData,
  }),
  route("POST /api/move-in/copy", "Reads another controller and lists what comes over.", readOther, {
    body: readBody,
    data: statusData,
  }),
  route("POST /api/move-in/copy/make", "Makes the copy that was listed, and restarts the controller with it.", make, {
    body: makeBody,
    data: statusData,
  }),
  route("DELETE /api/move-in/copy", "Cancels it, or forgets it.", (_request, { homeCopies }) => {
    homeCopies.remove();
    return envelope(null);
  }),
];

async function getCopy({ query, signal }: HttpRequest, services: Services): Promise<Reply> {
  await waitFor(services.clock, wholeNumber(query, "wait", WAIT_MAX_S) ?? 0, signal, (enough) =>
    services.homeCopies.settled(enough),
  );
  return envelope(statusJson(services));
}

async function readOther(request: HttpRequest, services: Services): Promise<Reply> {
  const { insecure = false, ...access } = bodyOf(request, readBody);
  await services.homeCopies.read({ ...access, insecure });
  return envelope(statusJson(services));
}

function make(request: HttpRequest, services: Services): Reply {
  const { replace = false } = bodyOf(request, makeBody) ?? {};
  services.homeCopies.make(replace);
  return envelope(statusJson(services));
}

function statusJson({ homeCopies }: Services): Fits<typeof statusData> {
  return { present: homeCopies.present(), obstacle: homeCopies.obstacle, copy: homeCopies.current() };
}
