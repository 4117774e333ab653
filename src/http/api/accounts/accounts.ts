/** `/api/accounts`: who may log in, and as what; for owners. @see docs/interface/accounts.md */

import type { AccountFacts } from "../../../auth/account-book.ts";
import type { Limits } from "../../../home/limits.ts";
import { isoTime } from "../../../wire/times.ts";
import { envelope } from "../../envelope.ts";
import type { Services } from "../../services.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest } from "../../route.ts";
import { type Fits, type JsonSchema, list, object, orNull, partial } from "../../schema.ts";
import { LocatedValue, type Members } from "../located-value.ts";
import { limitsJson, limitsSchema, parseLimits } from "./limits-json.ts";

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
  description: "The password, when it was generated. It is not told again.",
} as const;

const members = {
  id: { type: "string" },
  kind,
  login: { type: "string" },
  role,
  limits: limitsSchema,
  createdAt: { type: "string", description: "ISO 8601 in UTC." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const accountData = object(members);
export const accountsData = list(accountData);
export const addedAccountData = object({ ...members, password: generated });
export const passwordData = object({ password: generated });

export const accountBody = object(
  { kind, login: { type: "string", maxLength: LOGIN_CHARACTERS_MAX }, role },
  { optional: { password, limits: limitsSchema } },
);
export const rightsBody = partial({ role, limits: limitsSchema }, { minProperties: 1 });
export const passwordBody = orNull(partial({ password }));

export function listAccounts(_request: HttpRequest, { auth }: Services): Reply {
  return envelope(auth.accounts.list().map(accountJson));
}

export async function addAccount({ body }: HttpRequest, services: Services): Promise<Reply> {
  const wanted = new LocatedValue(body, "").object((given) => ({
    kind: given.get("kind").oneOf(KINDS),
    login: given.get("login").string(),
    role: given.get("role").oneOf(ROLES),
    password: given.find("password")?.string() ?? null,
    ...limitsIn(services, given),
  }));
  const { limits, ...plain } = wanted;
  const { account, generated: made } = await services.auth.accounts.add(limits ? { ...plain, limits } : plain);
  return envelope({ ...accountJson(account), password: made });
}

export async function setRights({ params, body }: HttpRequest, services: Services): Promise<Reply> {
  const rights = new LocatedValue(body, "").object((given) => {
    const wanted = given.find("role");
    return { ...(wanted && { role: wanted.oneOf(ROLES) }), ...limitsIn(services, given) };
  });
  return envelope(accountJson(await services.auth.accounts.revise(params.id ?? "", rights)));
}

export async function setPassword({ params, body }: HttpRequest, { auth }: Services): Promise<Reply> {
  const wanted = new LocatedValue(body ?? {}, "").object((given) => given.find("password")?.string() ?? null);
  const made = await auth.accounts.setPassword(params.id ?? "", wanted);
  return envelope({ password: made });
}

export async function removeAccount({ params }: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.accounts.remove(params.id ?? "");
  return envelope(null);
}

/** Empty when the body says nothing of limits. */
function limitsIn(services: Services, given: Members): { readonly limits?: Limits | null } {
  const limits = given.find("limits");
  return limits ? { limits: parseLimits(services, limits) } : {};
}

function accountJson({ id, kind, login, role, limits, createdAtMs }: AccountFacts): Fits<typeof accountData> {
  return { id, kind, login, role, limits: limits ? limitsJson(limits) : null, createdAt: isoTime(createdAtMs) };
}
