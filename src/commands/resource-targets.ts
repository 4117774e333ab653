/**
 * Where network resources may go: by default, by the setting `networkTargets`, and by what the owner allows while the controller runs.
 * The owner's list never reaches loopback or the controller's own ports; only the setting does.
 *
 * @see docs/interface/networking.md
 */

import { isIP } from "node:net";
import { badValue, refusalOf } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { NetworkResource } from "../home/network-resources.ts";
import {
  bySetting,
  canonicalHost,
  isLoopback,
  ownAddresses,
  parseTargets,
  refuseKnownTarget,
  type TargetRules,
} from "../util/network-target.ts";
import type { CommandPorts } from "./ports.ts";

type RulePorts = Pick<CommandPorts, "config" | "home">;

const TARGETS_MAX = 100;
const TARGET_CHARS_MAX = 255;

/** As they are now. */
export function resourceRules({ config, home }: RulePorts): TargetRules {
  const own = ownAddresses();
  const bySettings = parseTargets(config.networkTargets);
  const byOwner = parseTargets(home.controller.networkTargets ?? []);
  const isReserved = (address: string, port: number) =>
    isLoopback(address) || (own.includes(address) && isOwnPort(config, port));
  return {
    targets: {
      allows: (host, address, port) =>
        bySettings.allows(host, address, port) || (!isReserved(address, port) && byOwner.allows(host, address, port)),
    },
    ownAddresses: own,
    howToAllow: (host, address, port) =>
      isReserved(address, port)
        ? bySetting()
        : `To allow them: domovoi resource allow ${entryOf(host, port)}, or on the page: System, Network resources, Allowed targets.`,
  };
}

/** Applies at once. @throws ControllerError BAD_VALUE; STORE_UNAVAILABLE */
export async function setResourceTargets(
  { home, feed, durability }: Pick<CommandPorts, "home" | "feed" | "durability">,
  targets: readonly string[],
  cause: Cause,
): Promise<void> {
  if (targets.length > TARGETS_MAX) throw badValue(`At most ${TARGETS_MAX} targets can be allowed.`);
  if (targets.some(({ length }) => length > TARGET_CHARS_MAX))
    throw badValue(`A target has at most ${TARGET_CHARS_MAX} characters.`);
  parseTargets(targets, "The list of targets holds");
  const reserved = targets.find(isReservedEntry);
  if (reserved !== undefined)
    throw badValue(
      `"${reserved}" is this machine, which only the setting networkTargets of the controller allows, after a restart.`,
    );
  const controller = { ...home.controller, networkTargets: [...new Set(targets)] };
  await durability.committed(feed.commit({ type: "controller-changed", controller }, cause).seq);
}

/** As far as that is known without the name service. */
export function isTargetAllowed(ports: RulePorts, { protocol, host, port }: NetworkResource): boolean {
  return protocol === "none" || !refusalOf(() => refuseKnownTarget(canonicalHost(host), port, resourceRules(ports)));
}

/** A listener on a free port could be on any. */
function isOwnPort(config: RulePorts["config"], port: number): boolean {
  const { portalPort, localPort, plainPort, pluginBrokerPort, acmeHttpPort } = config;
  return [portalPort, localPort, plainPort, pluginBrokerPort, acmeHttpPort].includes(port);
}

function entryOf(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function isReservedEntry(entry: string): boolean {
  const host = entry.trim().replace(/^\[(.*)\](:\d+)?$/, "$1");
  const bare = isIP(host) === 6 ? host : host.replace(/:\d+$/, "");
  return bare === "localhost" || bare.endsWith(".localhost") || (isIP(bare) !== 0 && isLoopback(bare));
}
