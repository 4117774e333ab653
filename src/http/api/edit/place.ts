/** `/api/place`: where the home is, its zone and units, its name, what energy costs. @see docs/interface/place.md */

import { editPlace } from "../../../commands/edit-place.ts";
import { UNITS } from "../../../home/controller.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, integer, type JsonSchema, list, object, orNull, partial } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { edited, editedReply } from "./edited-reply.ts";

const PRICES_MAX = 48;

const price = object(
  {
    from: integer(0, 1439, "Minute of the day from which it holds, until the next one."),
    price: { type: "number", minimum: -1000, maximum: 1000 },
  },
  { additionalProperties: false },
);
const tariff = orNull(
  object(
    {
      currency: { type: "string", pattern: "^[A-Z]{3}$", description: "ISO 4217, such as EUR." },
      prices: list(price, { minItems: 1, maxItems: PRICES_MAX }),
      node: {
        type: ["string", "null"],
        maxLength: 100,
        description: "Address of a node whose status is the price; the prices hold while it is not known.",
      },
    },
    { additionalProperties: false },
  ),
  { description: "What a kilowatt-hour of the grid costs; null: not said." },
);

const members = {
  name: { type: "string", description: "Name of the controller and its root group." },
  timeZone: { type: "string", description: "IANA zone, such as Europe/Berlin." },
  latitude: { type: "number", description: "Degrees north, −90 to 90." },
  longitude: { type: "number", description: "Degrees east, −180 to 180." },
  elevation: { type: ["number", "null"], description: "Meters above sea level, −500 to 9000." },
  units: { type: "string", enum: UNITS, description: "Units for temperatures and lengths." },
  tariff,
} as const satisfies Record<string, JsonSchema>;

const placeData = object(members, { title: "Place" });
const editedPlaceData = edited(object(members));

const placeBody = partial(
  { ...members, elevation: { type: "number" } },
  { description: "Any of the members; omitted ones stay unchanged.", minProperties: 1, additionalProperties: false },
);

const route = apiRoute("place", "read");

export const placeRoutes: readonly Route[] = [
  route("GET /api/place", "Place, time zone and units of the home.", getPlace, { ...VIEW, data: placeData }),
  route("PATCH /api/place", "Changes place, time zone, units or name of the home.", patchPlace, {
    access: "edit-home",
    body: placeBody,
    data: editedPlaceData,
  }),
];

function getPlace(_request: HttpRequest, services: Services): Reply {
  return envelope(placeJson(services));
}

async function patchPlace(request: HttpRequest, services: Services): Promise<Reply> {
  const { elevation, ...patch } = bodyOf(request, placeBody);
  await editPlace(services, elevation === undefined ? patch : { ...patch, elevationM: elevation }, request.cause);
  return editedReply(services, request.cause, placeJson(services));
}

function placeJson({ home }: Services): Fits<typeof placeData> {
  const {
    name,
    timeZone,
    latitude,
    longitude,
    elevationM = null,
    units = "metric",
    tariff: costs = null,
  } = home.controller;
  // A node that is gone, or that the account does not see, is not named.
  const node = costs?.node != null && home.nodes.has(costs.node) ? costs.node : null;
  return { name, timeZone, latitude, longitude, elevation: elevationM, units, tariff: costs && { ...costs, node } };
}
