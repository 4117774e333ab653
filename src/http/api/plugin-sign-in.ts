/**
 * The sign-in of a plugin at another company's service: `/api/plugin/:slot/oauth` and `/api/plugins/oauth`, to which the service sends
 * the owner's browser back. @see docs/interface/plugins.md
 */

import { ControllerError } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { object, text } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { portOfRequest, portOfSlot } from "./plugin-lookup.ts";

const ONE = "/api/plugin/:slot/oauth";
const RETURN = "/api/plugins/oauth";
const TEXT_TYPE = "text/plain; charset=utf-8";

const route = apiRoute("plugins", "administer");

export const signInRoutes: readonly Route[] = [
  route(`POST ${ONE}`, "Sends the plugin tokens that its vendor's service issued.", sendTokens, {
    body: object({ access_token: { type: "string" }, expires_in: { type: "number" } }),
  }),
  route(`POST ${ONE}/start`, "Starts a sign-in. The owner opens the returned page in a browser.", begin, {
    body: object(
      {
        origin: {
          type: "string",
          pattern: "^https?://[^/?#@]+$",
          description: "Under which the browser reaches the portal.",
        },
      },
      { additionalProperties: false },
    ),
    data: object({
      url: { type: "string", description: "The page of the service." },
      redirectUrl: text("Where the browser returns. It has to be registered at the service."),
    }),
  }),
  // A page of the service leads here, so the request comes from another site. The state is the proof.
  route(`GET ${RETURN}`, "Ends a sign-in: the controller fetches the tokens and sends them to the plugin.", finish, {
    access: "public",
    fileType: "text/plain",
    query: Object.fromEntries(["state", "code", "error"].map((name) => [name, text("As the service sends it.")])),
  }),
];

function sendTokens(request: HttpRequest, services: Services): Reply {
  portOfRequest(request, services).sendTokens(request.body as Readonly<Record<string, unknown>>);
  return envelope(null);
}

function begin(request: HttpRequest, services: Services): Reply {
  const { origin } = request.body as { readonly origin: string };
  const redirectUrl = origin + RETURN;
  return envelope({ url: portOfRequest(request, services).beginSignIn(redirectUrl), redirectUrl });
}

async function finish({ query }: HttpRequest, services: Services): Promise<Reply> {
  const state = query.get("state") ?? "";
  try {
    await portOfSlot(state.split(".")[0], services).finishSignIn(state, query.get("code"));
  } catch (error) {
    // A caller without the state gets an answer that says nothing about the plugins.
    if (!(error instanceof ControllerError) || error.code !== "PLUGIN_NOT_FOUND") throw error;
    throw new ControllerError("PLUGIN_NOT_FOUND", "This sign-in is unknown or has expired. Start it again.");
  }
  return { status: 200, contentType: TEXT_TYPE, body: "The plugin is signed in. You can close this page.\n" };
}
