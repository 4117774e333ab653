/** SOAP operations that link Insteon devices, as operations of the integration. */

import { ControllerError } from "../../errors.ts";
import { isOver } from "../../home/operation.ts";
import { beginOperation, cancelOperation, currentOperation } from "../../integrations/operations.ts";
import type { Reply } from "../reply.ts";
import { TEXT_TYPE } from "../rest/rest-reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { does, type SoapOperation, shows } from "./operation.ts";

const MODEM_TYPE = "insteon";
const INCLUDE = "include";
/** `1A 2B 3C 1` or `1A.2B.3C`. */
const LABEL = /^([0-9A-Fa-f]{1,2})[ .]([0-9A-Fa-f]{1,2})[ .]([0-9A-Fa-f]{1,2})(?:[ .][0-9A-Fa-f]{1,2})?$/;

export const modemOperations: readonly SoapOperation[] = [
  does("DiscoverNodes StartNodesDiscovery", {}, "administer", (_given, request, services) => link(services, request)),
  // Clients show their users that linking has begun. The role that they ask for has no effect: devices are linked in both directions.
  does("SetDeviceLinkMode SetDeviceLinkingMode", {}, "administer", async (_given, request, services) => {
    const present = currentOperation(services, modemOf(services));
    if (present?.kind !== INCLUDE || isOver(present)) await link(services, request);
  }),
  does("CancelNodesDiscovery", {}, "administer", (_given, _request, services) =>
    cancelOperation(services, modemOf(services)),
  ),
  does("AddNode", { address: "id node", family: "family" }, "administer", (given, request, services) => {
    if ((given.find("family") ?? "1") !== "1") throw new ControllerError("OPERATION_UNAVAILABLE");
    const [, ...bytes] = LABEL.exec(given.text("address")) ?? [];
    if (bytes.length === 0) throw new ControllerError("BAD_BODY", "The address is not that on the label of a device.");
    const label = bytes.map((byte) => byte.padStart(2, "0")).join(".");
    return link(services, request, { label });
  }),
  {
    ...shows("DeviceSpecific:G_PLM_INFO", {}, (_given, _request, services) => modemInfo(services)),
    right: "administer",
    limited: null,
  },
];

function link(services: Services, { cause, signal }: HttpRequest, input: { readonly label?: string } = {}) {
  return beginOperation(services, modemOf(services), { kind: INCLUDE, input }, cause, signal);
}

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
