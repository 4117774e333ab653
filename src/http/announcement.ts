/**
 * Announces the controller in the local network, so that clients find it without its address: by mDNS (RFC 6762) and by SSDP. The
 * library for mDNS probes names, answers queries, follows changed addresses and says goodbye at the end. It is loaded only when it
 * is needed.
 */

import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Config } from "../config.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { NEWER_TYPE, Ssdp } from "./ssdp.ts";

/**
 * Types of service under which clients look: a page, and a controller of this interface. Each has a host name of its own,
 * because the library takes the second answer for one host name as a conflict.
 */
const TYPES = [
  { type: "https", hostSuffix: "" },
  { type: "iox", hostSuffix: "-iox" },
] as const;
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

type Announced = {
  readonly config: Pick<Config, "host" | "plainHost" | "interfaceVersion" | "ssdpAnswersPerSecond">;
  readonly controller: Pick<ControllerRecord, "name" | "uuid">;
  readonly portalUrl: string;
  readonly localUrl: string;
  /** Port of the listener without TLS; null while it is off. */
  readonly plainUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
};

type CertifiedParts = {
  readonly config: Pick<Config, "announce">;
  readonly home: { readonly controller: Pick<ControllerRecord, "uuid"> };
};

export type Announcement = {
  /** Tells the network that the services are gone. Never rejects. */
  end(): Promise<void>;
};

/** Runs in the background, because a network without multicast must not delay the start. Never rejects. */
export async function announce(announced: Announced): Promise<Announcement> {
  const { config, controller, clock, log } = announced;
  const descriptionUrl = (address: string, type: string) => `${urlAt(announced, address, type)}/desc`;
  const ssdp = new Ssdp({ config, uuid: controller.uuid, descriptionUrl, clock, log });
  ssdp.start();
  const mdns = await announceByMdns(announced);
  return { end: async () => void (await Promise.all([ssdp.end(), mdns.end()])) };
}

/** The two kinds of clients speak to two listeners, and some older ones read only a description without TLS. */
function urlAt(
  { config: { plainHost }, plainUrl, localUrl, portalUrl }: Announced,
  address: string,
  type: string,
): string {
  const isPlain = plainUrl !== null && (ANY_ADDRESS.has(plainHost) || plainHost === address);
  const url = new URL(type === NEWER_TYPE ? portalUrl : isPlain ? plainUrl : localUrl);
  url.hostname = address;
  return url.origin;
}

async function announceByMdns({ config, controller, portalUrl, log }: Announced): Promise<Announcement> {
  const { getResponder } = await import("@homebridge/ciao");
  // Named interfaces, because the library would start a process every 15 seconds to list them.
  const interfaces = interfacesOf(config.host);
  if (interfaces.length === 0) {
    log.warn("No network interface has the address of the setting host, so the controller is not announced.");
    return { end: async () => {} };
  }
  const responder = getResponder({ interface: interfaces });
  const services = TYPES.map(({ type, hostSuffix }) => {
    const service = responder.createService({
      type,
      name: `${controller.name} ${markOf(controller)}`,
      hostname: `${hostOf(controller)}${hostSuffix}`,
      port: Number(new URL(portalUrl).port) || 443,
      txt: { path: "/", uuid: controller.uuid, version: config.interfaceVersion },
      disabledIpv6: !isIPv6(config.host),
    });
    service.on("name-change", (name) =>
      log.warn("Another controller in the network has the same name and identity. Is a copy of this home running?", {
        announcedAs: name,
      }),
    );
    return service;
  });
  const fail = (error: unknown) =>
    log.warn("mDNS failed, so clients may not find the controller. Its address still works.", { error });
  Promise.all(services.map((service) => service.advertise())).catch(fail);
  return { end: () => responder.shutdown().catch(fail) };
}

/** Host names that the certificate needs for the announcement. */
export function announcedHosts({ config, home }: CertifiedParts): readonly string[] {
  return config.announce ? TYPES.map(({ hostSuffix }) => `${hostOf(home.controller)}${hostSuffix}.local`) : [];
}

const hostOf = (controller: Pick<ControllerRecord, "uuid">) => `domovoi-${markOf(controller)}`;
/** A suffix that distinguishes controllers of one name. */
const markOf = ({ uuid }: Pick<ControllerRecord, "uuid">) => uuid.replaceAll(":", "").slice(-6);

/** Addresses at which the listeners can be reached. Loopback serves clients of the same machine. */
function interfacesOf(host: string): string[] {
  const all = Object.entries(networkInterfaces()).map(([name, addresses = []]) => ({ name, addresses }));
  const reachable = ANY_ADDRESS.has(host)
    ? all
    : all.filter(({ addresses }) => addresses.some(({ address }) => address === host));
  return reachable.map(({ name }) => name);
}
