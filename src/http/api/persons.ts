/** `/api/persons`: who is at home and by which sources; `/api/presence/:token`: where phones send to. @see docs/interface/persons.md */

import { type Person, PRESENCE_SOURCES, type PresencePort } from "../../drivers/presence-port.ts";
import { ControllerError } from "../../errors.ts";
import { isoTimeOrNull } from "../../wire/times.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, list, object, partial, text, textOrNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const says = { type: ["string", "null"], enum: ["home", "away", null], description: "null: not known." } as const;

const personData = object(
  {
    id: text("Its number."),
    name: text("That of its node."),
    account: text("Login name of the person's account, or empty."),
    node: text("Address of its node."),
    channels: list(text("Name."), { description: "Notification channels; none: that of the account's browsers." }),
    says,
    since: textOrNull("ISO 8601 in UTC; null: its node was removed."),
    sources: list(
      object({
        kind: { type: "string", enum: PRESENCE_SOURCES },
        from: text("Address of a node, topic of a phone at a broker; else empty."),
        says,
        heardAt: textOrNull("ISO 8601 in UTC; null: never."),
        reason: text("A sentence for people: why it is in this state."),
      }),
      { description: "What says where the person is." },
    ),
  },
  { title: "Person" },
);
const addressData = object(
  {
    url: text("Where the person's phone sends to. It holds the token, which is not shown again."),
    link: text("Opens OwnTracks with its settings; as a QR code for the phone's camera."),
  },
  { title: "PersonAddress" },
);
const addressBody = partial(
  {
    base: {
      type: "string",
      maxLength: 300,
      pattern: "^https?://[^/?#\\s]+$",
      description: "How the phone reaches the portal. Left out: the address of this request.",
    },
  },
  { additionalProperties: false },
);

const route = apiRoute("persons", "administer");

export const personRoutes: readonly Route[] = [
  route("GET /api/persons", "The persons, where they are, and by which sources.", listPersons, {
    data: list(personData),
  }),
  route("POST /api/persons/:id/address", "A new address for the person's phone. The former one ends.", makeAddress, {
    body: addressBody,
    data: addressData,
  }),
  route("POST /api/presence/:token", "A message of a phone with OwnTracks.", takeMessage, {
    access: "public",
    readText: (message) => message,
    fileType: "application/json",
  }),
];

function listPersons(_request: HttpRequest, services: Services): Reply {
  return envelope(findPort(services)?.persons().map(personJson) ?? []);
}

async function makeAddress(request: HttpRequest, services: Services): Promise<Reply> {
  const { base = request.ownUrl } = request.body === null ? {} : bodyOf(request, addressBody);
  const port = findPort(services);
  if (!port) throw new ControllerError("PERSON_NOT_FOUND");
  const token = await port.renewToken(request.params.id ?? "");
  const url = `${base.replace(/\/$/, "")}/api/presence/${token}`;
  const data: Fits<typeof addressData> = { url, link: ownTracksLink(url, port, services.clock.now()) };
  return envelope(data);
}

/** Answered with what the controller has for the phone: nothing. A wrong token is answered as if there were no persons. */
function takeMessage({ params, rawBody }: HttpRequest, services: Services): Reply {
  const port = findPort(services);
  if (!port) throw new ControllerError("PERSON_NOT_FOUND");
  port.take(params.token ?? "", rawBody);
  return { status: 200, contentType: JSON_TYPE, body: "[]" };
}

function findPort({ drivers }: Services): PresencePort | null {
  return drivers.list().find(({ presence }) => presence)?.presence ?? null;
}

/** HTTP is mode 3 of the app. Its region around the home lets the phone say at once that it comes. */
function ownTracksLink(url: string, port: PresencePort, nowMs: number): string {
  const { isPlaced, latitude, longitude, radiusM, region } = port.home();
  const tst = Math.floor(nowMs / 1000);
  const waypoint = { _type: "waypoint", desc: region, lat: latitude, lon: longitude, rad: radiusM, tst };
  const settings = { _type: "configuration", mode: 3, url, auth: false, ...(isPlaced && { waypoints: [waypoint] }) };
  return `owntracks:///config?inline=${encodeURIComponent(Buffer.from(JSON.stringify(settings)).toString("base64"))}`;
}

function personJson({ sinceMs, sources, ...person }: Person): Fits<typeof personData> {
  return {
    ...person,
    since: isoTimeOrNull(sinceMs),
    sources: sources.map(({ heardAtMs, ...source }) => ({ ...source, heardAt: isoTimeOrNull(heardAtMs) })),
  };
}
