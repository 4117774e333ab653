/** `/rest/sys`, `/rest/network`, `/rest/subscriptions`, `/rest/ping` and the two modes of writing. @see docs/interface/system.md */

import { setSwitches } from "../../commands/settings.ts";
import { ControllerError } from "../../errors.ts";
import { RADIO_FAMILIES, SUPPORT_OPTIONS } from "../../families.ts";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { hostOf } from "./appliance.ts";
import { succeeded, xmlReply } from "./rest-reply.ts";

export function ping(): Reply {
  return succeeded();
}

const RADIO_OPTIONS = RADIO_FAMILIES.flatMap(({ radio: { systemOption } }) =>
  systemOption === null ? [] : [`<${systemOption}>true</${systemOption}>`],
).join("");

/**
 * Options that the controller has no such thing for are shown as off; the grace period is in seconds. A family is supported when the
 * home has nodes of it.
 */
export function getSystemOptions(_request: HttpRequest, { config, home }: Services): Reply {
  const installed = new Set([...home.nodes.values()].map(({ family }) => family));
  const support = Array.from(SUPPORT_OPTIONS, ([name, family]) => `<${name}>${installed.has(family)}</${name}>`);
  return xmlReply(
    "<SystemOptions><MailTo></MailTo><HTMLRole>0</HTMLRole><CompactEmail>false</CompactEmail><QueryOnInit>true</QueryOnInit>" +
      `<PCatchUp>${config.scheduleCatchUp}</PCatchUp><PGracePeriod>${config.scheduleGraceS}</PGracePeriod>` +
      "<WaitBusyReading>false</WaitBusyReading><NTPHost></NTPHost>" +
      "<NTPActive>true</NTPActive><NTPEnabled>false</NTPEnabled><NTPInterval>0</NTPInterval>" +
      `${RADIO_OPTIONS}${support.join("")}</SystemOptions>`,
  );
}

/** The address is the one under which the client reached the controller; the network around it is the machine's own business. */
export function getNetwork(request: HttpRequest, { config }: Services): Reply {
  const name = hostOf(request);
  return xmlReply(
    `<NetworkConfig><Interface isDHCP="true"><ip>${escapeXml(name)}</ip><mask></mask><gateway></gateway><dns></dns></Interface>` +
      `<WebServer><httpPort>${Math.max(0, config.plainPort)}</httpPort><httpsPort>${config.localPort}</httpsPort></WebServer>` +
      "</NetworkConfig>",
  );
}

/** The clients of the event streams. Source addresses are left out, because every account may read this. */
export function getSubscriptions(_request: HttpRequest, { subscribers }: Services): Reply {
  const entries = subscribers().map(
    ({ sid, isPortal }) =>
      `<Sub isExpired="no" isPortal="${isPortal ? "yes" : "no"}" sid="${sid}" sock="${sid}" isReusingSocket="yes" isConnecting="no" />`,
  );
  return xmlReply(`<Subscriptions>${entries.join("")}</Subscriptions>`);
}

export function getBatchMode(_request: HttpRequest, { home }: Services): Reply {
  return modeReply("batch", home.controller.batchMode);
}

export async function switchBatchMode(request: HttpRequest, services: Services): Promise<Reply> {
  await setSwitches(services, { batchMode: onOrOff(request) }, request.cause);
  return getBatchMode(request, services);
}

export function getBatteryWrites(_request: HttpRequest, { home }: Services): Reply {
  return modeReply("batteryPoweredWrites", home.controller.batteryWrites);
}

export async function switchBatteryWrites(request: HttpRequest, services: Services): Promise<Reply> {
  await setSwitches(services, { batteryWrites: onOrOff(request) }, request.cause);
  return getBatteryWrites(request, services);
}

function modeReply(name: string, on: boolean): Reply {
  return xmlReply(`<${name}><status>${on ? 1 : 0}</status></${name}>`);
}

function onOrOff(request: HttpRequest): boolean {
  const { mode } = request.params;
  if (mode !== "on" && mode !== "off") throw new ControllerError("PATH_UNKNOWN");
  return mode === "on";
}
