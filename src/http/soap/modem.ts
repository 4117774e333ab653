/** SOAP operations that link Insteon devices, as operations of the integration. */

import { ControllerError } from "../../errors.ts";
import { beginOperation, cancelOperation } from "../../integrations/operations.ts";
import type { Reply } from "../reply.ts";
import { TEXT_TYPE } from "../rest/rest-reply.ts";
import type { Services } from "../services.ts";
import { accepted, does, type SoapOperation, shows } from "./operation.ts";

const MODEM_TYPE = "insteon";
/** `1A 2B 3C 1` or `1A.2B.3C`. */
const LABEL = /^([0-9A-Fa-f]{1,2})[ .]([0-9A-Fa-f]{1,2})[ .]([0-9A-Fa-f]{1,2})(?:[ .][0-9A-Fa-f]{1,2})?$/;

export const modemOperations: readonly SoapOperation[] = [
  does("DiscoverNodes StartNodesDiscovery", {}, "administer", (_given, { cause, signal }, services) =>
    beginOperation(services, modemOf(services), { kind: "include", input: {} }, cause, signal),
  ),
  does("CancelNodesDiscovery", {}, "administer", (_given, _request, services) =>
    cancelOperation(services, modemOf(services)),
  ),
  does("AddNode", { address: "id node", family: "family" }, "administer", (given, { cause, signal }, services) => {
    if ((given.find("family") ?? "1") !== "1") throw new ControllerError("OPERATION_UNAVAILABLE");
    const [, ...bytes] = LABEL.exec(given.text("address")) ?? [];
    if (bytes.length === 0) throw new ControllerError("BAD_BODY", "The address is not that on the label of a device.");
    const label = bytes.map((byte) => byte.padStart(2, "0")).join(".");
    return beginOperation(services, modemOf(services), { kind: "include", input: { label } }, cause, signal);
  }),
  {
    ...shows("DeviceSpecific:G_PLM_INFO", {}, (_given, _request, services) => modemInfo(services)),
    right: "administer",
    limited: null,
  },
  // Devices are linked in both directions.
  accepted("SetDeviceLinkMode SetDeviceLinkingMode"),
];

/** As text: its client takes the first word of the whole answer for the address, and what follows the slash for the state. */
function modemInfo(services: Services): Reply {
  const address = services.drivers.find(modemOf(services))?.driver?.adapterAddress?.() ?? null;
  const body = address === null ? "0.0.0 / Disconnected" : `${address} / Connected`;
  return { status: 200, contentType: TEXT_TYPE, body };
}

/** @throws ControllerError OPERATION_UNAVAILABLE */
function modemOf({ integrations }: Services): string {
  const modem = integrations.list().find(({ type }) => type === MODEM_TYPE);
  if (!modem) throw new ControllerError("OPERATION_UNAVAILABLE", "There is no Insteon modem.");
  return modem.id;
}
