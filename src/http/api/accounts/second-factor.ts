/** `/api/me/second-factor` and `/api/me/recovery-codes`, of the account that is signed in. @see docs/interface/second-factor.md */

import { isoTimeOrNull } from "../../../wire/times.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, list, object, orNull, textOrNull } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { principalOf } from "./passkey-json.ts";

export const secondFactorCode = {
  type: "string",
  maxLength: 40,
  description: "Of the second factor, when the account has one: six digits, or a recovery code.",
} as const;

const factorData = object({
  addedAt: textOrNull("ISO 8601 in UTC; null: the password suffices."),
  recoveryCodesLeft: { type: "integer", description: "Recovery codes that were not used yet." },
});
const offerData = object({
  secret: { type: "string", description: "Base32, for an app that cannot read the QR code." },
  uri: { type: "string", description: "otpauth://, for the QR code." },
});
const codes = list({ type: "string" });
const addedData = object({
  recoveryCodes: orNull(codes, { description: "Ten, when the account had none. They are not shown again." }),
});
const codesData = object({ recoveryCodes: codes });
const addBody = object({ code: { ...secondFactorCode, description: "Six digits that the app shows." } });

const route = apiRoute("second-factor", "read", VIEW);

export const secondFactorRoutes: readonly Route[] = [
  route("GET /api/me/second-factor", "Whether this account has a second factor.", get, { data: factorData }),
  route("POST /api/me/second-factor/options", "A secret for the app that makes the digits.", begin, {
    data: offerData,
  }),
  route("POST /api/me/second-factor", "Adds the second factor to this account.", add, {
    body: addBody,
    data: addedData,
  }),
  route("DELETE /api/me/second-factor", "Removes the second factor of this account.", remove),
  route("POST /api/me/recovery-codes", "Makes new recovery codes; the former ones end.", renewCodes, {
    data: codesData,
  }),
];

function get(request: HttpRequest, { auth }: Services): Reply {
  const { addedAtMs, recoveryCodesLeft } = auth.secondFactors.of(principalOf(request).accountId);
  return envelope({ addedAt: isoTimeOrNull(addedAtMs), recoveryCodesLeft } satisfies Fits<typeof factorData>);
}

async function begin(request: HttpRequest, { auth }: Services): Promise<Reply> {
  return envelope((await auth.secondFactors.begin(principalOf(request))) satisfies Fits<typeof offerData>);
}

async function add(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { code } = bodyOf(request, addBody);
  const recoveryCodes = await auth.secondFactors.add(principalOf(request), code);
  return envelope({ recoveryCodes } satisfies Fits<typeof addedData>);
}

async function remove(request: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.secondFactors.remove(principalOf(request));
  return envelope(null);
}

async function renewCodes(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const recoveryCodes = await auth.secondFactors.renewCodes(principalOf(request));
  return envelope({ recoveryCodes } satisfies Fits<typeof codesData>);
}
