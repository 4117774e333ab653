/** The list of devices that may join by themselves, by the key that is printed on them. The library keeps it. */

import { badValue } from "../../../errors.ts";
import type { ProvisioningEntry, ProvisioningRequest } from "../../mesh.ts";
import type { ZWaveLibrary } from "../library.ts";
import { deviceAddress, type RunningRadio } from "../radio.ts";
import { toSecurityClass, toSecurityNames } from "./security-names.ts";

const DSK = /^\d{5}(?:-\d{5}){7}$/;
const GROUP_MAX = 0xffff;

type Kept = NonNullable<ReturnType<RunningRadio["stack"]["controller"]["getProvisioningEntry"]>>;

export function provisioningEntries(radio: RunningRadio): readonly ProvisioningEntry[] {
  return radio.stack.controller.getProvisioningEntries().map((kept) => entryOf(radio, kept));
}

/** @throws ControllerError BAD_VALUE for a malformed key or code. */
export async function provision(radio: RunningRadio, requested: ProvisioningRequest): Promise<ProvisioningEntry> {
  const { library, stack } = radio;
  const { Active, Inactive } = library.ProvisioningEntryStatus;
  const status = requested.isActive ? Active : Inactive;
  const entry = "qr" in requested ? await entryOfCode(library, requested) : entryOfKey(requested);
  const kept = { ...entry, status };
  stack.controller.provisionSmartStartNode(kept);
  return entryOf(radio, stack.controller.getProvisioningEntry(entry.dsk) ?? kept);
}

function entryOfKey({ dsk, security }: Extract<ProvisioningRequest, { readonly dsk: string }>) {
  if (!DSK.test(dsk) || dsk.split("-").some((group) => Number(group) > GROUP_MAX)) {
    throw badValue("The key has eight groups of five digits, each up to 65535.");
  }
  return { dsk, securityClasses: security.map((name) => toSecurityClass(name)) };
}

/** The code also describes the device and the keys that it requests; both are stored as the library expects. */
async function entryOfCode(
  library: ZWaveLibrary,
  { qr, security }: Extract<ProvisioningRequest, { readonly qr: string }>,
) {
  const code = await library.parseQRCodeString(qr.trim()).catch((cause: unknown) => {
    throw badValue("These are not the digits of a SmartStart code.", cause);
  });
  if (code.version !== library.QRCodeVersion.SmartStart) {
    const sentence = "The code is of a device without SmartStart. Include the device by pressing its button.";
    throw badValue(sentence);
  }
  return security === null ? code : { ...code, securityClasses: security.map((name) => toSecurityClass(name)) };
}

function entryOf(radio: RunningRadio, kept: Kept): ProvisioningEntry {
  const nodeId: unknown = "nodeId" in kept ? kept.nodeId : undefined;
  return {
    dsk: kept.dsk,
    security: toSecurityNames(kept.securityClasses),
    isActive: kept.status !== radio.library.ProvisioningEntryStatus.Inactive,
    address: typeof nodeId === "number" ? deviceAddress(radio, nodeId) : null,
  };
}

/** @returns false when there is no such entry. */
export function unprovision({ stack }: RunningRadio, dsk: string): boolean {
  if (!stack.controller.getProvisioningEntry(dsk)) return false;
  stack.controller.unprovisionSmartStartNode(dsk);
  return true;
}
