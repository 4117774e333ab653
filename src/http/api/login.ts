/** `/api/login` and `/api/jwt/*`: tokens in exchange for credentials. @see docs/interface/login.md */

import { EMAIL_PATTERN } from "../../auth/logins.ts";
import { invariant } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const loginBody = object({
  username: { type: "string", pattern: EMAIL_PATTERN, description: "E-mail address of a portal account." },
  password: { type: "string", maxLength: 1024 },
});

const refreshBody = object({
  refreshToken: { type: "string", description: "The newest one of the session; good once." },
});

const tokensData = object({
  accessToken: { type: "string", description: "JWT for the header `Authorization: Bearer`." },
  refreshToken: { type: "string", description: "JWT for `/api/jwt/refresh`." },
  ssl: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Key pair of the plugin broker; empty without one.",
  },
});

async function login(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { username, password } = bodyOf(request, loginBody);
  const { "user-agent": client } = request.headers;
  const named = typeof client === "string" ? client : null;
  return envelope(await auth.login(username, password, request.remoteAddress, named));
}

async function refresh(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { refreshToken } = bodyOf(request, refreshBody);
  return envelope(await auth.refresh(refreshToken, request.remoteAddress));
}

async function logout({ principal }: HttpRequest, { auth }: Services): Promise<Reply> {
  invariant(principal, "Only a session that is logged in can log out.");
  await auth.logout(principal);
  return envelope(null);
}

const route = apiRoute("login", "public", { data: tokensData });

export const loginRoutes: readonly Route[] = [
  route("POST /api/login", "Logs in with e-mail address and password.", login, { body: loginBody }),
  route("POST /api/jwt/refresh", "Exchanges a refresh token for a new pair of tokens.", refresh, { body: refreshBody }),
  route("POST /api/jwt/logout", "Ends the session of the bearer token.", logout, {
    ...VIEW,
    access: "read",
    data: { type: "null" },
  }),
];
