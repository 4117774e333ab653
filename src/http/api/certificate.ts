/** `/api/certificate`: the certificate that the listeners serve; for owners. @see docs/interface/certificate.md */

import { isoTime } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, list, object, time } from "../schema.ts";
import type { Services } from "../services.ts";
import type { CertifiedPair } from "../tls.ts";
import { apiRoute } from "./api-route.ts";

const text = { type: "string" } as const;
const fingerprint = { type: "string", description: "SHA-256, in pairs of digits with colons." } as const;

const certificateData = object(
  {
    source: {
      type: "string",
      enum: ["own", "file", "upload", "acme"],
      description:
        "own: made by the controller. file: from the setting certificateFile. upload: set by a client. acme: ordered with acmeNames.",
    },
    issuer: text,
    names: list(text, { description: "Host names and addresses that it is valid for." }),
    validFrom: time,
    validTo: time,
    fingerprint,
    authority: object(
      { subject: text, validTo: time, fingerprint, pem: text },
      { description: "The certificate to trust in order to trust the listeners." },
    ),
  },
  { title: "Certificate" },
);

const pem = { type: "string", minLength: 1 } as const;
const pairBody = object(
  {
    cert: { ...pem, description: "PEM: the certificate, then those of the authorities that signed it." },
    key: { ...pem, description: "PEM: its private key, not encrypted." },
  },
  { additionalProperties: false },
);

const route = apiRoute("certificate", "administer");

export const certificateRoutes: readonly Route[] = [
  route("GET /api/certificate", "The certificate of the listeners.", getCertificate, { data: certificateData }),
  route(
    "POST /api/certificate/reload",
    "Reads the owner's certificate files again, or renews the controller's certificate when it is due.",
    reloadCertificate,
    { data: certificateData },
  ),
  route("PUT /api/certificate", "Installs a certificate of your own.", setCertificate, {
    body: pairBody,
    data: certificateData,
  }),
  route("DELETE /api/certificate", "Uses the controller's own certificate again.", removeCertificate, {
    data: certificateData,
  }),
];

async function getCertificate(_request: HttpRequest, { certificate }: Services): Promise<Reply> {
  const { validFromMs, validToMs, authority, ...facts } = await certificate.facts();
  const { validToMs: authorityToMs, ...rest } = authority;
  const data: Fits<typeof certificateData> = {
    ...facts,
    validFrom: isoTime(validFromMs),
    validTo: isoTime(validToMs),
    authority: { ...rest, validTo: isoTime(authorityToMs) },
  };
  return envelope(data);
}

async function reloadCertificate(request: HttpRequest, services: Services): Promise<Reply> {
  await services.certificate.reload();
  return getCertificate(request, services);
}

async function setCertificate(request: HttpRequest, services: Services): Promise<Reply> {
  // The schema of the route has checked the body.
  await services.certificate.use(request.body as CertifiedPair);
  return getCertificate(request, services);
}

async function removeCertificate(request: HttpRequest, services: Services): Promise<Reply> {
  await services.certificate.use(null);
  return getCertificate(request, services);
}
