/**
 * Requests of clients for the appliance: the machine's description and configuration, as far as they are known here.
 * @see docs/interface/system.md
 */

import { arch, networkInterfaces, release, type } from "node:os";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { TEXT_TYPE, xmlReply } from "./rest-reply.ts";

/** The description of a UPnP device. */
export function getDescription(request: HttpRequest, { config, home, productVersion }: Services): Reply {
  const { uuid, name } = home.controller;
  const elements = {
    deviceType: "urn:udi-com:device:X_Insteon_Lighting_Device:1",
    friendlyName: name,
    manufacturer: config.manufacturer,
    modelName: config.productName,
    modelNumber: productVersion,
    UDN: `uuid:${uuid}`,
    currOSVersion: osVersion(),
    upgradeOSVersion: "",
    interfaceIP: hostOf(request),
    iotProvisioned: "false",
  };
  const device = Object.entries(elements).map(([tag, text]) => `<${tag}>${escapeXml(text)}</${tag}>`);
  return xmlReply(
    '<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>' +
      `<device>${device.join("")}</device></root>`,
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
