/** `/rest/networking`: the list of network resources, and firing one. @see docs/interface/networking.md */

import { fireNetworkResource } from "../../commands/fire-network-resource.ts";
import { ControllerError } from "../../errors.ts";
import type { NetworkResource } from "../../home/network-resources.ts";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { listedResources } from "./padding.ts";
import { succeeded, xmlDocument, xmlReply } from "./rest-reply.ts";

/** Where requests go, not what they say: paths, headers and bodies may hold keys and stay with the owner. */
export function getNetworkResources(_request: HttpRequest, services: Services): Reply {
  const version = String(services.home.version("networkResources"));
  return xmlDocument(services, "/rest/networking/resources", version, () => {
    return `<NetConfig>${listedResources(services).map(ruleElement).join("")}</NetConfig>`;
  });
}

/** Acknowledges that the request was taken, not what came of it. */
export async function fireResourceByPath(request: HttpRequest, services: Services): Promise<Reply> {
  const text = request.params.id ?? "";
  if (!/^[0-9]{1,9}$/.test(text)) throw new ControllerError("RESOURCE_NOT_FOUND");
  await fireNetworkResource(services, Number(text), request.cause);
  return succeeded();
}

/** The controller wakes no machines, so it lists none. */
export function getWakeTargets(): Reply {
  return xmlReply("<NetConfig></NetConfig>");
}

function ruleElement(resource: NetworkResource): string {
  const { id, protocol, port, timeoutMs } = resource;
  const host = escapeXml(resource.host);
  return (
    `<NetRule><name>${escapeXml(resource.name)}</name><id>${id}</id><host>${host}</host><isModified>false</isModified>` +
    `<ControlInfo><mode>URL-Encoded</mode><protocol>${protocol}</protocol><host>${host}</host><port>${port}</port>` +
    `<timeout>${timeoutMs}</timeout><method>${escapeXml(resource.method)}</method><encodeURLs>false</encodeURLs>` +
    "<useSNI>false</useSNI><netSlot>0</netSlot></ControlInfo></NetRule>"
  );
}
