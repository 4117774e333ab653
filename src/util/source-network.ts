/** The network of a source address: one machine with IPv4, one subscriber with IPv6. */

import { isIPv6 } from "node:net";

/**
 * The IPv4 address, or the /64 network of an IPv6 address: every machine picks freely among the 2^64 addresses of its
 * network, so counting single ones would count nothing. Link-local addresses of all neighbours share one /64 and stay whole.
 */
export function sourceNetwork(remoteAddress: string): string {
  const address = remoteAddress.split("%", 1).join("").toLowerCase();
  if (!isIPv6(address)) return address;
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice("::ffff:".length);
  if (address.startsWith("fe80:")) return address;
  return `${firstGroups(address, 4).join(":")}::/64`;
}

function firstGroups(address: string, count: number): readonly string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return groups.slice(0, count).map((group) => group.replace(/^0+(?=.)/, ""));
}
