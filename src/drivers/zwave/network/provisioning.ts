/** The list of devices that may join by themselves, by the key that is printed on them. The library keeps it. */

import { ControllerError } from "../../../errors.ts";
import type { ProvisioningEntry } from "../../radio-port.ts";
import { deviceAddress, type Radio } from "../radio.ts";
import { toSecurityClass, toSecurityNames } from "./security-names.ts";

const DSK = /^\d{5}(?:-\d{5}){7}$/;
const GROUP_MAX = 0xffff;

export function listProvisioned(radio: Radio): readonly ProvisioningEntry[] {
  const { library, stack } = radio;
  return stack.controller.getProvisioningEntries().map((entry) => {
    const nodeId: unknown = "nodeId" in entry ? entry.nodeId : undefined;
    return {
      dsk: entry.dsk,
      security: toSecurityNames(entry.securityClasses),
      isActive: entry.status !== library.ProvisioningEntryStatus.Inactive,
      address: typeof nodeId === "number" ? deviceAddress(radio, nodeId) : null,
    };
  });
}

/** @throws ControllerError BAD_VALUE for a malformed key. */
export function provision(
  { library, stack }: Radio,
  { dsk, security, isActive }: Pick<ProvisioningEntry, "dsk" | "security" | "isActive">,
): void {
  if (!DSK.test(dsk) || dsk.split("-").some((group) => Number(group) > GROUP_MAX)) {
    throw new ControllerError("BAD_VALUE", { sentence: "The key has eight groups of five digits, each up to 65535." });
  }
  const { Active, Inactive } = library.ProvisioningEntryStatus;
  stack.controller.provisionSmartStartNode({
    dsk,
    securityClasses: security.map((name) => toSecurityClass(name)),
    status: isActive ? Active : Inactive,
  });
}

/** @returns false when there is no such entry. */
export function unprovision({ stack }: Radio, dsk: string): boolean {
  if (!stack.controller.getProvisioningEntry(dsk)) return false;
  stack.controller.unprovisionSmartStartNode(dsk);
  return true;
}
