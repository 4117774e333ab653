/** `/api/matter`: the Matter bridge and the ecosystems in which it is. @see docs/interface/matter.md */

import type { MatterPort } from "../../drivers/matter-port.ts";
import { ControllerError } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, integer, list, object, text } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

/** The bounds of the standard. */
const WINDOW_S = { min: 180, max: 900 } as const;

const matterData = object(
  {
    bridge: object(
      {
        state: {
          type: "string",
          enum: ["off", "starting", "ready", "degraded", "failed", "stopped"],
          description: "Off: there is no integration of the type matterbridge.",
        },
        reason: text("A sentence for people, or empty."),
        commissioned: { type: "boolean", description: "Whether it is in an ecosystem." },
        nodes: { type: "integer", description: "Nodes that it shows." },
        fabrics: list(
          object({
            index: { type: "integer", description: "Its number at this bridge." },
            label: text("As the ecosystem calls it."),
            vendorId: { type: "integer", description: "The ecosystem's maker in the list of the standard." },
          }),
          { description: "The ecosystems in which it is." },
        ),
      },
      {
        optional: {
          qrPairingCode: text("Text of the QR code. Only while an ecosystem can be added."),
          manualPairingCode: text("The code in digits. Only while an ecosystem can be added."),
        },
      },
    ),
  },
  { title: "MatterRecord" },
);
const windowBody = object(
  { seconds: integer(WINDOW_S.min, WINDOW_S.max, "How long a further ecosystem can be added.") },
  { additionalProperties: false },
);

const route = apiRoute("matter", "administer");

export const matterRoutes: readonly Route[] = [
  route("GET /api/matter", "The Matter bridge, its ecosystems, and the codes while one can be added.", getMatter, {
    data: matterData,
  }),
  route("POST /api/matter/bridge/window", "Lets a further ecosystem be added for some minutes.", openWindow, {
    body: windowBody,
    data: matterData,
  }),
  route("DELETE /api/matter/bridge/fabrics/:index", "Takes the bridge out of an ecosystem.", removeFabric, {
    data: matterData,
  }),
];

function getMatter(_request: HttpRequest, services: Services): Reply {
  return envelope(matterJson(services));
}

async function openWindow(request: HttpRequest, services: Services): Promise<Reply> {
  const { seconds } = bodyOf(request, windowBody);
  await portOf(services).openWindow(seconds);
  return envelope(matterJson(services));
}

async function removeFabric({ params }: HttpRequest, services: Services): Promise<Reply> {
  await portOf(services).removeFabric(Number(params.index));
  return envelope(matterJson(services));
}

/** @throws ControllerError DRIVER_UNAVAILABLE */
function portOf({ drivers }: Services): MatterPort {
  const port = drivers.list().find(({ matter }) => matter)?.matter;
  if (!port)
    throw new ControllerError("DRIVER_UNAVAILABLE", "There is no Matter bridge. Add the integration matterbridge.");
  return port;
}

function matterJson({ drivers, integrations }: Services): Fits<typeof matterData> {
  const matter = drivers.list().find((each) => each.matter)?.matter;
  const integration = integrations.list().find(({ type }) => type === "matterbridge");
  const codes = matter?.codes ?? null;
  return {
    bridge: {
      state: integration?.state ?? "off",
      reason: integration?.reason ?? "",
      commissioned: matter?.isCommissioned ?? false,
      nodes: matter?.nodes ?? 0,
      ...(codes && { qrPairingCode: codes.qr, manualPairingCode: codes.manual }),
      fabrics: (matter?.fabrics ?? []).map(({ index, label, vendorId }) => ({ index, label, vendorId })),
    },
  };
}
