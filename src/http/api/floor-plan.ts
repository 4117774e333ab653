/** `/api/floor-plan`: the owner's picture of the home, and where on it its nodes are. @see docs/interface/floor-plan.md */

import { badValue, ControllerError } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, list, object, orNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const NODES_MAX = 1000;

const share = { type: "number", minimum: 0, maximum: 1 } as const;
const places = list(
  object(
    {
      address: { type: "string", minLength: 1, maxLength: 100 },
      x: { ...share, description: "Share of the picture's width, from its left edge." },
      y: { ...share, description: "Share of its height, from its upper edge." },
    },
    { additionalProperties: false },
  ),
  { maxItems: NODES_MAX },
);
const image = orNull({ type: "string", description: "The picture as a data: address; null: there is none." });
const planData = object({ image, places }, { title: "FloorPlan" });
const placesBody = object({ places }, { additionalProperties: false });
type Places = Fits<typeof places>;

/** First bytes of the pictures that browsers show and that hold no program. */
const TYPES: readonly (readonly [type: string, begin: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

const route = apiRoute("floor-plan", "edit-home", { data: planData });

export const floorPlanRoutes: readonly Route[] = [
  route("GET /api/floor-plan", "The floor plan, with the nodes on it.", getPlan, { access: "read" }),
  route("PUT /api/floor-plan/image", "Sets the picture of the floor plan.", putImage, {
    fileLimit: "floorPlanBytesMax",
  }),
  route("PUT /api/floor-plan/places", "Sets where the nodes are.", putPlaces, { body: placesBody }),
  route("DELETE /api/floor-plan", "Removes the floor plan.", removePlan),
];

/** Nodes that are gone are not on it. */
function planOf({ floorPlan, home }: Services): Reply {
  const placed = (floorPlan.get("places") ?? []) as Places;
  return envelope({
    image: (floorPlan.get("image") ?? null) as string | null,
    places: placed.filter(({ address }) => home.nodes.has(address)),
  } satisfies Fits<typeof planData>);
}

function getPlan(_request: HttpRequest, services: Services): Reply {
  return planOf(services);
}

async function putImage({ file }: HttpRequest, services: Services): Promise<Reply> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const type = TYPES.find(([, begin]) => begin.test(bytes.toString("latin1", 0, 16)))?.[0];
  if (type === undefined) throw badValue("The file is no picture of the types PNG, JPEG or WebP.");
  services.floorPlan.set("image", `data:${type};base64,${bytes.toString("base64")}`);
  return saved(services);
}

async function putPlaces(request: HttpRequest, services: Services): Promise<Reply> {
  const placed = bodyOf(request, placesBody).places;
  const unknown = placed.find(({ address }) => !services.home.nodes.has(address));
  if (unknown) throw new ControllerError("NODE_NOT_FOUND", `There is no node with the address "${unknown.address}".`);
  services.floorPlan.set("places", placed);
  return saved(services);
}

async function removePlan(_request: HttpRequest, services: Services): Promise<Reply> {
  for (const key of services.floorPlan.keys()) services.floorPlan.delete(key);
  return saved(services);
}

async function saved(services: Services): Promise<Reply> {
  await services.floorPlan.saved();
  return planOf(services);
}
