/** `/api/login` and `/api/jwt/*`: tokens in exchange for credentials. @see docs/interface/login.md */

import { EMAIL_PATTERN } from "../../auth/logins.ts";
import { invariant } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { base64url, PASSKEY_ID_CHARS_MAX, siteOf } from "./accounts/passkey-json.ts";
import { secondFactorCode } from "./accounts/second-factor.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const loginBody = object(
  {
    username: { type: "string", pattern: EMAIL_PATTERN, description: "E-mail address of a portal account." },
    password: { type: "string", maxLength: 1024 },
  },
  { optional: { code: secondFactorCode } },
);

const refreshBody = object({
  refreshToken: { type: "string", description: "The newest one of the session; good once." },
});

const assertionBody = object(
  {
    id: base64url(PASSKEY_ID_CHARS_MAX),
    clientDataJSON: base64url(2000),
    authenticatorData: base64url(2000),
    signature: base64url(1400),
    userHandle: base64url(100),
  },
  { additionalProperties: false },
);

const requestData = object({
  challenge: { type: "string", description: "Good once, for five minutes." },
  rpId: { type: "string", description: "The host name of the page." },
  userVerification: { type: "string", const: "required" },
  timeout: { type: "integer", description: "Milliseconds." },
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
  const { username, password, code = null } = bodyOf(request, loginBody);
  return envelope(await auth.login(username, password, request.remoteAddress, clientOf(request), code));
}

function passkeyOptions(request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.passkeys.beginLogin(siteOf(request), request.remoteAddress) satisfies Fits<typeof requestData>);
}

async function loginWithPasskey(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const given = bodyOf(request, assertionBody);
  return envelope(await auth.loginWithPasskey(siteOf(request), given, request.remoteAddress, clientOf(request)));
}

function clientOf({ headers }: HttpRequest): string | null {
  const { "user-agent": client } = headers;
  return typeof client === "string" ? client : null;
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
const passkey = apiRoute("passkeys", "public", { data: tokensData });

export const loginRoutes: readonly Route[] = [
  route("POST /api/login", "Logs in with e-mail address and password.", login, { body: loginBody }),
  passkey("POST /api/login/passkey/options", "What a browser needs to sign in with a passkey.", passkeyOptions, {
    data: requestData,
  }),
  passkey("POST /api/login/passkey", "Logs in with a passkey.", loginWithPasskey, {
    body: assertionBody,
  }),
  route("POST /api/jwt/refresh", "Exchanges a refresh token for a new pair of tokens.", refresh, { body: refreshBody }),
  route("POST /api/jwt/logout", "Ends the session of the bearer token.", logout, {
    ...VIEW,
    access: "read",
    data: { type: "null" },
  }),
];
