/**
 * Requests of clients for the appliance: the machine's description and configuration, as far as they are known here.
 * @see docs/interface/system.md
 */

import { arch, networkInterfaces, release, type } from "node:os";
import type { ListenerName } from "../../auth/auth.ts";
import { ControllerError } from "../../errors.ts";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { TEXT_TYPE, xmlReply } from "./rest-reply.ts";

type Kind = { readonly deviceType: string; readonly manufacturer: string };

/**
 * By these, which the interface gives, Home Assistant recognizes controllers that it finds: its own integration the one of the local
 * listener, a newer one that of the portal. Each compares both texts exactly.
 */
const FOUND: Readonly<Record<ListenerName, Kind>> = {
  local: { deviceType: "urn:udi-com:device:X_Insteon_Lighting_Device:1", manufacturer: "Universal Devices Inc." },
  portal: { deviceType: "urn:udi-com:device:X_IoX_Device:1", manufacturer: "Universal Devices" },
};

const SERVICES =
  "<serviceList><service><serviceType>urn:udi-com:service:X_Insteon_Lighting_Service:1</serviceType>" +
  "<serviceId>urn:udi-com:serviceId:X_Insteon_Lighting_Service1</serviceId><SCPDURL>/services.wsdl</SCPDURL>" +
  "<controlURL>/services</controlURL><eventSubURL>/eventing</eventSubURL></service></serviceList>";

/** The description of a UPnP device. Clients that find the controller by SSDP read it before they have an account. */
export function getDescription(request: HttpRequest, { config, home, productVersion }: Services): Reply {
  const { principal, listener, ownUrl } = request;
  if (principal === null && !config.announce) throw new ControllerError("UNAUTHENTICATED");
  const { uuid, name } = home.controller;
  const { deviceType, manufacturer } = FOUND[listener];
  const elements = {
    deviceType,
    friendlyName: name,
    manufacturer: config.announce ? manufacturer : config.manufacturer,
    modelDescription: config.productName,
    modelName: config.productName,
    modelNumber: productVersion,
    modelVersion: config.interfaceVersion,
    UDN: `uuid:${uuid}`,
    ...(principal && { currOSVersion: osVersion(), upgradeOSVersion: "" }),
    interfaceIP: hostOf(request),
    iotProvisioned: "false",
  };
  const device = Object.entries(elements).map(([tag, text]) => `<${tag}>${escapeXml(text)}</${tag}>`);
  const page = listener === "portal" ? `<presentationURL>${escapeXml(ownUrl)}</presentationURL>` : "";
  return xmlReply(
    '<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>' +
      `<URLBase>${escapeXml(ownUrl)}</URLBase><device>${device.join("")}${SERVICES}${page}</device></root>`,
  );
}

/** Lines for people; clients search them by their headings. */
export function getSystemConfiguration(_request: HttpRequest, { productVersion }: Services): Reply {
  const interfaces = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) => [
    `${name}: status: active`,
    ...addresses.map(({ address, family, mac }) => `\t${family === "IPv6" ? "inet6" : "inet"} ${address} ether ${mac}`),
  ]);
  const lines = [`Domovoi ${productVersion} on ${osVersion()}`, "", "*** Network Interfaces ***", ...interfaces, ""];
  return { status: 200, contentType: TEXT_TYPE, body: lines.join("\n") };
}

/** The name or address under which the client reached the controller. */
export function hostOf({ headers }: HttpRequest): string {
  return typeof headers.host === "string" ? headers.host.replace(/:[0-9]+$/, "") : "";
}

function osVersion(): string {
  return `${type()} ${release()} ${arch()}`;
}
