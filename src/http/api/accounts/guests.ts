/** `/api/guests`: guest links; for owners. @see docs/interface/guests.md */

import type { GuestFacts } from "../../../auth/guest-links.ts";
import { badValue, ControllerError } from "../../../errors.ts";
import { isoTime, isoTimeOrNull } from "../../../wire/times.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object, textOrNull, time } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute } from "../api-route.ts";
import { hoursData, hoursJson, parseHours } from "./hours-json.ts";
import { limitsBody, limitsData, limitsJson, parseLimits } from "./limits-json.ts";

const ROLES = ["user", "guest"] as const;
const DAY_S = 86_400;
const NAME_CHARACTERS_MAX = 200;

const role = { type: "string", enum: ROLES, description: "guest when it is left out." } as const;
const members = {
  id: { type: "string" },
  name: { type: "string" },
  role,
  limits: limitsData,
  hours: hoursData,
  createdAt: time,
  expiresAt: textOrNull("ISO 8601 in UTC; null: until it is revoked."),
  visitedAt: textOrNull("Start of the latest visit; null: none since the controller started."),
} as const satisfies Readonly<Record<string, JsonSchema>>;

const guestData = object(members, { title: "GuestLink" });
const addedGuestData = object({
  ...members,
  token: { type: "string", description: "The bearer token, and the fragment of the link. It is not shown again." },
});
const guestBody = object(
  { name: { type: "string", maxLength: NAME_CHARACTERS_MAX }, limits: limitsBody },
  {
    optional: {
      role,
      hours: hoursData,
      seconds: { type: "integer", minimum: 1, description: "Until its end. Left out: until it is revoked." },
    },
    additionalProperties: false,
  },
);

const route = apiRoute("guests", "administer");

export const guestRoutes: readonly Route[] = [
  route("GET /api/guests", "The guest links that have not expired.", listGuests, { data: list(guestData) }),
  route("POST /api/guests", "Creates a guest link.", addGuest, { body: guestBody, data: addedGuestData }),
  route("DELETE /api/guests/:id", "Revokes a guest link.", removeGuest),
];

function listGuests(_request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.guests.list().map(guestJson));
}

async function addGuest(request: HttpRequest, services: Services): Promise<Reply> {
  const { name, role: as = "guest", limits: given, hours = null, seconds } = bodyOf(request, guestBody);
  const secondsMax = services.config.guestLinkDaysMax * DAY_S;
  if (seconds !== undefined && seconds > secondsMax)
    throw new ControllerError(
      "BAD_BODY",
      `A guest link is good for at most ${services.config.guestLinkDaysMax} days (setting guestLinkDaysMax).`,
    );
  const limits = parseLimits(services, given);
  if (!limits) throw badValue("A guest link has limits.");
  const { guest, token } = await services.auth.guests.add({
    name,
    role: as,
    limits,
    hours: parseHours(hours),
    lifetimeMs: seconds === undefined ? null : seconds * 1000,
  });
  return envelope({ ...guestJson(guest), token });
}

async function removeGuest({ params }: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.guests.revoke(params.id ?? "");
  return envelope(null);
}

function guestJson({
  id,
  name,
  role: as,
  limits,
  hours,
  createdAtMs,
  expiresAtMs,
  visitedAtMs,
}: GuestFacts): Fits<typeof guestData> {
  return {
    id,
    name,
    role: as,
    limits: limitsJson(limits),
    hours: hoursJson(hours),
    createdAt: isoTime(createdAtMs),
    expiresAt: isoTimeOrNull(expiresAtMs),
    visitedAt: isoTimeOrNull(visitedAtMs),
  };
}
