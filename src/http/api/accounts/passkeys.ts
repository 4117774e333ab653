/** `/api/me/passkeys`: the passkeys of the account that is signed in. @see docs/interface/passkeys.md */

import type { PasskeyFacts } from "../../../auth/passkeys.ts";
import { isoTime, isoTimeOrNull } from "../../../wire/times.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, line, list, object, orNull, textOrNull, time } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { base64url, PASSKEY_ID_CHARS_MAX, principalOf, siteOf } from "./passkey-json.ts";

const NAME_CHARS_MAX = 100;

const members = {
  id: { type: "string" },
  name: { type: "string" },
  host: { type: "string", description: "The host name of the page on which it works." },
  createdAt: time,
  lastUsedAt: textOrNull("ISO 8601 in UTC; null: not used yet."),
} as const;
const passkeyData = object(members, { title: "Passkey" });
const passkeysData = object({
  passkeys: list(passkeyData),
  recoveryCodesLeft: { type: "integer", description: "Recovery codes that were not used yet." },
});
const addedData = object({
  passkey: passkeyData,
  recoveryCodes: orNull(list({ type: "string" }), {
    description: "Ten, when the account had none. They are not shown again.",
  }),
});
const key = { type: "string", const: "public-key" } as const;
const creationData = object({
  challenge: { type: "string", description: "Good once, for five minutes." },
  rp: object({ id: { type: "string" }, name: { type: "string" } }),
  user: object({ id: { type: "string" }, name: { type: "string" }, displayName: { type: "string" } }),
  pubKeyCredParams: list(object({ type: key, alg: { type: "integer" } })),
  excludeCredentials: list(object({ type: key, id: { type: "string" } })),
  authenticatorSelection: object({
    residentKey: { type: "string" },
    requireResidentKey: { type: "boolean" },
    userVerification: { type: "string" },
  }),
  attestation: { type: "string" },
  timeout: { type: "integer", description: "Milliseconds." },
});
const attestationBody = object(
  {
    name: { ...line(NAME_CHARS_MAX), description: "Display name, such as the browser and the device." },
    id: base64url(PASSKEY_ID_CHARS_MAX),
    clientDataJSON: base64url(2000),
    attestationObject: base64url(8000),
  },
  { additionalProperties: false },
);

const route = apiRoute("passkeys", "read", VIEW);

export const passkeyRoutes: readonly Route[] = [
  route("GET /api/me/passkeys", "The passkeys of this account.", listPasskeys, { data: passkeysData }),
  route("POST /api/me/passkeys/options", "What a browser needs to make a passkey.", creationOptions, {
    data: creationData,
  }),
  route("POST /api/me/passkeys", "Adds a passkey to this account.", addPasskey, {
    body: attestationBody,
    data: addedData,
  }),
  route("DELETE /api/me/passkeys/:id", "Removes a passkey of this account.", removePasskey),
];

function listPasskeys(request: HttpRequest, { auth }: Services): Reply {
  const { passkeys, recoveryCodesLeft } = auth.passkeys.of(principalOf(request).accountId);
  return envelope({ passkeys: passkeys.map(passkeyJson), recoveryCodesLeft } satisfies Fits<typeof passkeysData>);
}

function creationOptions(request: HttpRequest, { auth }: Services): Reply {
  const options = auth.passkeys.beginAdding(principalOf(request), siteOf(request), request.remoteAddress);
  return envelope(options satisfies Fits<typeof creationData>);
}

async function addPasskey(request: HttpRequest, { auth }: Services): Promise<Reply> {
  const { name, ...given } = bodyOf(request, attestationBody);
  const { passkey, recoveryCodes } = await auth.passkeys.add(principalOf(request), siteOf(request), name, given);
  return envelope({ passkey: passkeyJson(passkey), recoveryCodes } satisfies Fits<typeof addedData>);
}

async function removePasskey(request: HttpRequest, { auth }: Services): Promise<Reply> {
  await auth.passkeys.remove(principalOf(request).accountId, request.params.id ?? "");
  return envelope(null);
}

function passkeyJson({ id, name, rpId, createdAtMs, lastUsedAtMs }: PasskeyFacts): Fits<typeof passkeyData> {
  return { id, name, host: rpId, createdAt: isoTime(createdAtMs), lastUsedAt: isoTimeOrNull(lastUsedAtMs) };
}
