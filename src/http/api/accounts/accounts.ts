/** `/api/accounts`: who may log in, and as what; for owners. @see docs/interface/accounts.md */

import type { AccountFacts } from "../../../auth/account-book.ts";
import { ALLOWED_KINDS, type Session } from "../../../auth/records.ts";
import { isoTime } from "../../../wire/times.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object, orNull, partial, textOrNull, time } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { hoursData, hoursJson, parseHours } from "./hours-json.ts";
import { limitsBody, limitsData, limitsJson, parseLimits } from "./limits-json.ts";

const KINDS = ["portal", "local"] as const;
const ROLES = ["owner", "user", "guest"] as const;
const PASSWORD_CHARACTERS_MAX = 1024;
const LOGIN_CHARACTERS_MAX = 254;

const kind = {
  type: "string",
  enum: KINDS,
  description: "portal: logs in with an e-mail address and gets tokens. local: basic authentication.",
} as const;
const role = { type: "string", enum: ROLES } as const;
const password = {
  type: "string",
  maxLength: PASSWORD_CHARACTERS_MAX,
  description: "8 characters or more. Without it one is generated.",
} as const;
const generated = textOrNull("The password, when it was generated. It is not shown again.");

const kinds = {
  type: "array",
  items: { type: "string", enum: ALLOWED_KINDS },
  maxItems: ALLOWED_KINDS.length,
} as const;
const assistant = orNull(kinds, {
  description:
    "The account is that of an assistant, which makes these kinds of changes without asking; null: of a person.",
});

const members = {
  id: { type: "string" },
  kind,
  login: { type: "string" },
  role,
  limits: orNull(limitsData, { description: "The things that it can reach; null: the whole home." }),
  hours: hoursData,
  createdAt: time,
} as const satisfies Readonly<Record<string, JsonSchema>>;

const ofAssistant = {
  assistant: { ...kinds, description: "Only of an assistant: what it changes without asking." },
} as const;
const accountData = object(members, { title: "Account", optional: ofAssistant });
const accountsData = list(accountData);
const addedAccountData = object({ ...members, password: generated }, { optional: ofAssistant });
const passwordData = object({ password: generated });

const sessionData = object(
  {
    id: { type: "string" },
    createdAt: { type: "string", description: "The login, ISO 8601 in UTC." },
    renewedAt: { type: "string", description: "The latest use of a refresh token, or the login." },
    expiresAt: { type: "string", description: "The end, unless it is used again before." },
    client: textOrNull("User-Agent of the login; null: not known."),
    isCurrent: { type: "boolean", description: "Whether this request belongs to it." },
  },
  { title: "AccountSession" },
);

const accountBody = object(
  { kind, login: { type: "string", maxLength: LOGIN_CHARACTERS_MAX }, role },
  { optional: { password, limits: limitsBody, hours: hoursData, assistant }, additionalProperties: false },
);
const rightsBody = partial(
  { role, limits: limitsBody, hours: hoursData, assistant },
  { minProperties: 1, additionalProperties: false },
);
const passwordBody = orNull(partial({ password }, { additionalProperties: false }));

const route = apiRoute("accounts", "administer");
const own = apiRoute("accounts", "read", VIEW);

export const accountRoutes: readonly Route[] = [
  route("GET /api/accounts", "The accounts and their roles.", listAccounts, { data: accountsData }),
  route("POST /api/accounts", "Creates an account.", addAccount, { body: accountBody, data: addedAccountData }),
  route("POST /api/accounts/:id", "Changes the role, the limits or the hours of an account.", setRights, {
    body: rightsBody,
    data: accountData,
  }),
  route("POST /api/accounts/:id/password", "Changes the password of an account.", setPassword, {
    body: passwordBody,
    data: passwordData,
  }),
  route("DELETE /api/accounts/:id", "Removes an account.", removeAccount),
  route("GET /api/accounts/:id/sessions", "The sessions of an account, the latest login first.", listSessions, {
    data: list(sessionData),
  }),
  route("DELETE /api/accounts/:id/sessions/:session", "Ends a session, with its streams.", endSession),
  apiRoute("passkeys", "administer")(
    "DELETE /api/accounts/:id/passkeys",
    "Removes the passkeys of an account and ends its sessions.",
    removePasskeys,
  ),
  own("GET /api/me/sessions", "The sessions of this account, the latest login first.", listSessions, {
    data: list(sessionData),
  }),
  own("DELETE /api/me/sessions/:session", "Ends a session of this account, with its streams.", endSession),
];

function listAccounts(_request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.accounts.list().map(accountJson));
}

async function addAccount(request: HttpRequest, services: Services): Promise<Reply> {
  const {
    limits: given = null,
    hours: open = null,
    password = null,
    assistant: allowed = null,
    ...plain
  } = bodyOf(request, accountBody);
  const [limits, hours] = [parseLimits(services, given), parseHours(open)];
  const reach = { ...(limits && { limits }), ...(hours && { hours }) };
  const wanted = { ...plain, password, ...reach, ...(allowed && { assistant: allowed }) };
  const { account, generated: made } = await services.auth.accounts.add(wanted);
  return envelope({ ...accountJson(account), password: made });
}

async function setRights(request: HttpRequest, services: Services): Promise<Reply> {
  const { limits, hours, ...plain } = bodyOf(request, rightsBody);
  const rights = {
    ...plain,
    ...(limits !== undefined && { limits: parseLimits(services, limits) }),
    ...(hours !== undefined && { hours: parseHours(hours) }),
  };
  return envelope(accountJson(await services.auth.accounts.revise(request.params.id ?? "", rights)));
}

async function setPassword(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { password: wanted = null } = bodyOf(request, passwordBody) ?? {};
  const made = await auth.accounts.setPassword(request.params.id ?? "", wanted);
  return envelope({ password: made });
}

async function removeAccount({ params }: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.accounts.remove(params.id ?? "");
  return envelope(null);
}

/** Without an account in the path it is one's own. */
function accountIn({ params, principal }: Pick<HttpRequest, "params" | "principal">): string {
  return params.id ?? principal?.accountId ?? "";
}

function listSessions({ params, principal }: HttpRequest, { auth, config }: Services): Reply {
  const lifetimeMs = config.refreshTokenLifetimeS * 1000;
  const json = ({ id, createdAtMs, expiresAtMs, client }: Session): Fits<typeof sessionData> => ({
    id,
    createdAt: isoTime(createdAtMs),
    // The lifetime may have been changed since.
    renewedAt: isoTime(Math.max(createdAtMs, expiresAtMs - lifetimeMs)),
    expiresAt: isoTime(expiresAtMs),
    client: client ?? null,
    isCurrent: id === principal?.sessionId,
  });
  return envelope(auth.accounts.sessions(accountIn({ params, principal })).map(json));
}

async function endSession(request: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.accounts.endSession(accountIn(request), request.params.session ?? "");
  return envelope(null);
}

async function removePasskeys({ params }: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.accounts.removePasskeys(params.id ?? "");
  return envelope(null);
}

function accountJson(facts: AccountFacts): Fits<typeof accountData> {
  const { id, kind, login, role, limits, hours = null, assistant: allowed, createdAtMs } = facts;
  const reach = { limits: limits ? limitsJson(limits) : null, hours: hoursJson(hours) };
  return { id, kind, login, role, ...reach, createdAt: isoTime(createdAtMs), ...(allowed && { assistant: allowed }) };
}
