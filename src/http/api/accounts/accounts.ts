/** `/api/accounts`: who may log in, and as what; for owners. @see docs/interface/accounts.md */

import type { AccountFacts } from "../../../auth/account-book.ts";
import { isoTime } from "../../../wire/times.ts";
import { envelope } from "../../envelope.ts";
import type { Services } from "../../services.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest } from "../../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object, orNull, partial } from "../../schema.ts";
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
const generated = {
  type: ["string", "null"],
  description: "The password, when it was generated. It is not shown again.",
} as const;

const members = {
  id: { type: "string" },
  kind,
  login: { type: "string" },
  role,
  limits: orNull(limitsData, { description: "The things that it can reach; null: the whole home." }),
  createdAt: { type: "string", description: "ISO 8601 in UTC." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const accountData = object(members, { title: "Account" });
export const accountsData = list(accountData);
export const addedAccountData = object({ ...members, password: generated });
export const passwordData = object({ password: generated });

export const accountBody = object(
  { kind, login: { type: "string", maxLength: LOGIN_CHARACTERS_MAX }, role },
  { optional: { password, limits: limitsBody }, additionalProperties: false },
);
export const rightsBody = partial({ role, limits: limitsBody }, { minProperties: 1, additionalProperties: false });
export const passwordBody = orNull(partial({ password }, { additionalProperties: false }));

export function listAccounts(_request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.accounts.list().map(accountJson));
}

export async function addAccount(request: HttpRequest, services: Services): Promise<Reply> {
  const { limits: given = null, password = null, ...plain } = bodyOf(request, accountBody);
  const limits = parseLimits(services, given);
  const wanted = { ...plain, password, ...(limits && { limits }) };
  const { account, generated: made } = await services.auth.accounts.add(wanted);
  return envelope({ ...accountJson(account), password: made });
}

export async function setRights(request: HttpRequest, services: Services): Promise<Reply> {
  const { limits, ...plain } = bodyOf(request, rightsBody);
  const rights = { ...plain, ...(limits !== undefined && { limits: parseLimits(services, limits) }) };
  return envelope(accountJson(await services.auth.accounts.revise(request.params.id ?? "", rights)));
}

export async function setPassword(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { password: wanted = null } = bodyOf(request, passwordBody) ?? {};
  const made = await auth.accounts.setPassword(request.params.id ?? "", wanted);
  return envelope({ password: made });
}

export async function removeAccount({ params }: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.accounts.remove(params.id ?? "");
  return envelope(null);
}

function accountJson({ id, kind, login, role, limits, createdAtMs }: AccountFacts): Fits<typeof accountData> {
  return { id, kind, login, role, limits: limits ? limitsJson(limits) : null, createdAt: isoTime(createdAtMs) };
}
