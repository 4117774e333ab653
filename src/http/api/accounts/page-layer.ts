/** `/api/me/page`: what the person who is signed in marked on the page. @see docs/interface/page.md */

import { PAGE_LAYER_MEMBERS, type PageLayer } from "../../../auth/records.ts";
import { invariant } from "../../../errors.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import type { JsonSchema } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";

/** Together with pageLayerEntriesMax this limits what one account stores. */
const ENTRY_CHARACTERS_MAX = 50;

const entries: JsonSchema = { type: "array", items: { type: "string", maxLength: ENTRY_CHARACTERS_MAX } };
const properties: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  PAGE_LAYER_MEMBERS.map((name) => [name, entries]),
);
const layerBody: JsonSchema = { type: "object", additionalProperties: false, properties };
const data: JsonSchema = { type: "object", required: [...PAGE_LAYER_MEMBERS], properties };

const route = apiRoute("page", "read", { ...VIEW, data });

export const pageLayerRoutes: readonly Route[] = [
  route("GET /api/me/page", "The page's layout of this account.", getLayer),
  route("PATCH /api/me/page", "Changes the page's layout of this account.", changeLayer, { body: layerBody }),
];

function getLayer(request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.pageLayers.of(accountOf(request)));
}

async function changeLayer(request: HttpRequest, { auth }: Services): Promise<Reply> {
  return envelope(await auth.pageLayers.change(accountOf(request), request.body as Partial<PageLayer>));
}

function accountOf({ principal }: HttpRequest): string {
  invariant(principal, "The policy refuses requests without a login.");
  return principal.accountId;
}
