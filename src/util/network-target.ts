/**
 * Where requests that others choose may go. For network resources devices of the home network are normal targets; this machine itself, link-local
 * and metadata addresses, multicast and everything that hides another address are not, unless the owner lists them in
 * `networkTargets`. For push services the home network is none either. A name is resolved once, every address that it has is checked, and only the checked ones are
 * connected to, so a name cannot change its mind in between.
 */

import { isIP, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { badValue, ControllerError } from "../errors.ts";
import { addressRanges, parseAddressRange } from "./address-ranges.ts";

type Address = { readonly address: string; readonly family: number };

/** A host in its one spelling, with the addresses that were checked. */
export type CheckedTarget = { readonly host: string; readonly port: number; readonly addresses: readonly Address[] };

export type TargetRules = {
  readonly targets: Targets;
  /** Addresses of this machine: as far out of reach as loopback, for the controller listens there. */
  readonly ownAddresses: readonly string[];
  /** Default: the home network is in reach. */
  readonly isPublicOnly?: true;
  /** Default: by the setting. */
  readonly howToAllow?: (host: string, address: string, port: number) => string;
};

export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Targets that the owner allows beyond the default. */
type Targets = { allows(host: string, address: string, port: number): boolean };

/**
 * @param what that holds the list, for the error.
 * @param list entries such as "nas.lan", "nas.lan:8080", "127.0.0.1:1880", "169.254.0.0/16", "[::1]:80", "fe80::/10".
 * @throws ControllerError BAD_VALUE naming the entry that is none of these.
 */
export function parseTargets(list: readonly string[], what = "The setting networkTargets holds"): Targets {
  const entries = list.map((entry) => parseEntry(entry, what));
  return { allows: (host, address, port) => entries.some((entry) => entry(host, address, port)) };
}

/**
 * The host in its one spelling: lower case, ASCII, numbers of every base as dotted decimals, IPv6 without brackets.
 *
 * @throws ControllerError BAD_VALUE for what is neither a name nor an address.
 */
export function canonicalHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (isIPv6(bare) && !bare.includes("%")) return new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const parsed = /^[\p{L}\p{N}._-]+$/u.test(bare) ? URL.parse(`http://${bare}`) : null;
  const name = parsed?.hostname.replace(/\.$/, "");
  if (!name) throw badValue("The host is neither a name nor an address.");
  return name;
}

/**
 * Checks that need no name lookup.
 *
 * @param host normalized
 * @throws ControllerError TARGET_REFUSED
 */
export function refuseKnownTarget(host: string, port: number, rules: TargetRules): void {
  if (isIP(host) !== 0) checkAddress(host, host, port, rules);
  else if (isLocalName(host) && !LOOPBACK.some((address) => rules.targets.allows(host, address, port))) {
    throw targetRefused(host, LOOPBACK[0], port, rules);
  }
}

/** Whether it is this machine by its own network, or hides another address: allowed by the setting alone. */
export function isLoopback(address: string): boolean {
  return isIPv4(address) ? IPV4_LOOPBACK.check(address, "ipv4") : IPV6_HIDING.check(address, "ipv6");
}

/**
 * @param host in its one spelling
 * @throws ControllerError TARGET_REFUSED when any of its addresses is out of reach; the resolver's error.
 */
export async function resolveTarget(
  host: string,
  port: number,
  rules: TargetRules,
  resolve: Resolve,
): Promise<CheckedTarget> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }];
  for (const { address } of addresses) checkAddress(host, address, port, rules);
  return { host, port, addresses };
}

/** Returns the checked addresses, even when the name resolves to others by now. */
export function pinned({ addresses }: CheckedTarget): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
    else callback(Object.assign(new Error("The name has no address."), { code: "ENOTFOUND" }), "", 0);
  };
}

export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));
}

function checkAddress(host: string, address: string, port: number, rules: TargetRules): void {
  const { targets, ownAddresses: own, isPublicOnly = false } = rules;
  const refused = isOutOfReach(address) || own.includes(address) || (isPublicOnly && isPrivate(address));
  if (refused && !targets.allows(host, address, port)) throw targetRefused(host, address, port, rules);
}

function targetRefused(host: string, address: string, port: number, rules: TargetRules): ControllerError {
  const { howToAllow = bySetting } = rules;
  return new ControllerError(
    "TARGET_REFUSED",
    `Requests to ${host} are not allowed. ${howToAllow(host, address, port)}`,
  );
}

export function bySetting(): string {
  return "To allow them, add it to the setting networkTargets and restart.";
}

const LOOPBACK = ["127.0.0.1", "::1"] as const;

function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

const IPV4_OUT_OF_REACH = addressRanges("ipv4", [
  "0.0.0.0/8", // "This" network; connects to this machine.
  "127.0.0.0/8", // Loopback.
  "169.254.0.0/16", // Link-local, and the metadata service of most clouds.
  "100.100.100.200/32", // Metadata services of the others.
  "168.63.129.16/32",
  "192.0.0.0/24",
  "224.0.0.0/4", // Multicast.
  "240.0.0.0/4", // Reserved, and broadcast.
]);

const IPV4_LOOPBACK = addressRanges("ipv4", ["0.0.0.0/8", "127.0.0.0/8"]);

/** Unspecified, loopback, and addresses that hide an IPv4 address. */
const HIDING = [
  "::/96",
  "::ffff:0:0/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
];
const IPV6_HIDING = addressRanges("ipv6", HIDING);
const IPV6_OUT_OF_REACH = addressRanges("ipv6", [
  ...HIDING,
  "fe80::/10", // Link-local and its predecessor.
  "fec0::/10",
  "fd00:ec2::254/128", // Metadata services.
  "fd20:ce::254/128",
  "ff00::/8", // Multicast.
]);

const IPV4_PRIVATE = addressRanges("ipv4", [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "198.18.0.0/15",
]);
const IPV6_PRIVATE = addressRanges("ipv6", ["fc00::/7"]);

/**
 * This machine, a private network, or one of a VPN: loopback, link-local and private addresses. By IPv6, devices at home also have public
 * addresses, which begin as this machine's own does.
 * @param own addresses of this machine with their prefixes, such as "2001:db8::7/64"
 */
export function isHomeNetwork(address: string, own: () => readonly string[] = ownPrefixes): boolean {
  if (isIPv4(address)) return IPV4_HOME.check(address, "ipv4");
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return false;
  return IPV6_HOME.check(plain, "ipv6") || own().some((prefix) => parseAddressRange(prefix)?.(plain));
}

/** Of IPv6, without those that are wider than a home's network. */
function ownPrefixes(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.flatMap(({ family, cidr }) =>
    family === "IPv6" && cidr && Number(cidr.split("/")[1]) >= 64 ? [cidr] : [],
  );
}

const IPV4_HOME = addressRanges("ipv4", [
  "10.0.0.0/8",
  "100.64.0.0/10", // Where providers share addresses, and Tailscale's.
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
]);
const IPV6_HOME = addressRanges("ipv6", ["::1/128", "fc00::/7", "fe80::/10"]);

function isPrivate(address: string): boolean {
  return isIPv4(address) ? IPV4_PRIVATE.check(address, "ipv4") : IPV6_PRIVATE.check(address, "ipv6");
}

function isOutOfReach(address: string): boolean {
  if (isIPv4(address)) return IPV4_OUT_OF_REACH.check(address, "ipv4");
  // A scoped address, or a text that is not an address, is never the result of a checked lookup.
  return address.includes("%") || !isIPv6(address) || IPV6_OUT_OF_REACH.check(address, "ipv6");
}

type TargetEntry = (host: string, address: string, port: number) => boolean;

const BRACKETED = /^\[([^\]]+)\](?::(\d{1,5}))?$/;
const PLAIN = /^([^:]+)(?::(\d{1,5}))?$/;

function parseEntry(entry: string, holder: string): TargetEntry {
  const bare = entry.trim();
  const isBareIpv6 = bare.split(":").length > 2 && !bare.startsWith("[");
  const [, what = "", portText] = isBareIpv6 ? [bare, bare] : (BRACKETED.exec(bare) ?? PLAIN.exec(bare) ?? []);
  const port = portText === undefined ? null : Number(portText);
  const matches = parseWhat(what);
  if (!matches || (port !== null && port > 65_535)) {
    throw badValue(`${holder} "${entry}", which is not a host, address or CIDR range.`);
  }
  return (host, address, at) => (port === null || port === at) && matches(host, address);
}

function parseWhat(what: string): ((host: string, address: string) => boolean) | null {
  const range = parseAddressRange(what);
  if (range) return (_host, address) => range(address);
  if (what === "" || what.includes("/")) return null;
  try {
    const name = canonicalHost(what);
    return (host) => host === name;
  } catch {
    return null;
  }
}
