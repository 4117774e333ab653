/** `/api/config`: what the controller is. The first thing every client asks. @see docs/interface/config.md */

import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const configData = object(
  {
    uuid: { type: "string", description: "MAC-style id of the controller; also the root group's address." },
    version: { type: "string", description: "Interface generation, which clients check." },
  },
  {
    optional: {
      portalHost: { type: "string", description: "Host of a portal, when one is set." },
      domovoi: { type: "string", description: "Version of the product." },
    },
  },
);

const route = apiRoute("config", "public");

export const configRoutes: readonly Route[] = [
  route("GET /api/config", "The controller's identity and settings.", getConfig, { data: configData }),
];

function getConfig(_request: HttpRequest, services: Services): Reply {
  const { config, documents, home } = services;
  return documents.serve("/api/config", String(home.version("controller")), JSON_TYPE, () =>
    JSON.stringify({
      successful: true,
      data: {
        uuid: home.controller.uuid,
        version: config.interfaceVersion,
        ...(config.portalHost === "" ? {} : { portalHost: config.portalHost }),
        domovoi: services.productVersion,
      },
    }),
  );
}
