/** SmartStart: the devices that may join a radio network automatically, in JSON. @see docs/interface/radio-network.md */

import type { ProvisioningEntry, ProvisioningRequest } from "../../../drivers/mesh.ts";
import { ControllerError } from "../../../errors.ts";
import { type Fits, list, object, partial, textOrNull } from "../../schema.ts";

const SECURITY_NAMES = ["S2-access-control", "S2-authenticated", "S2-unauthenticated", "S0"] as const;
/** The code of a device has some 90 digits; makers may add more. */
const QR_MAX = 1000;

const members = {
  dsk: { type: "string", description: "Eight groups of five digits, with hyphens." },
  security: list({ type: "string", enum: SECURITY_NAMES }, { description: "The security classes to grant." }),
  active: { type: "boolean", description: "false: listed, but not included. Default: true." },
} as const;

export const provisionBody = partial(
  {
    ...members,
    qr: { type: "string", maxLength: QR_MAX, description: "Digits of the printed QR code, instead of the key." },
  },
  { additionalProperties: false },
);

export const provisionedData = object(
  { ...members, address: textOrNull("First node of the device once it is in.") },
  { title: "ProvisionedDevice" },
);

export const provisioningData = list(provisionedData);

/** @throws ControllerError BAD_BODY unless it names the device by one of both. */
export function provisioningRequest(body: Fits<typeof provisionBody>): ProvisioningRequest {
  const { dsk, qr, security, active: isActive = true } = body;
  if (qr !== undefined && dsk === undefined) return { qr, security: security ?? null, isActive };
  if (qr === undefined && dsk !== undefined && security !== undefined) return { dsk, security, isActive };
  throw new ControllerError("BAD_BODY", "The body has either a dsk with its security, or a qr.");
}

export function provisionedJson({ isActive, ...entry }: ProvisioningEntry): Fits<typeof provisionedData> {
  return { ...entry, active: isActive };
}
