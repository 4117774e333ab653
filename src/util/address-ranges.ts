/** Ranges of IP addresses in CIDR notation. */

import { BlockList, isIPv4, isIPv6 } from "node:net";

type AddressFamily = "ipv4" | "ipv6";

/** @param ranges of one family, such as "10.0.0.0/8". */
export function addressRanges(family: AddressFamily, ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** @param text an address or a range. @returns whether an address lies in it; null when it is neither. */
export function parseAddressRange(text: string): ((address: string) => boolean) | null {
  const [network = "", bits, ...rest] = text.split("/");
  const isIpv4 = isIPv4(network);
  if (!isIpv4 && !isIPv6(network)) return null;
  const [family, bitsMax] = isIpv4 ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  if (rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))) return null;
  const range = addressRanges(family, [`${network}/${bits ?? bitsMax}`]);
  const isOfFamily = isIpv4 ? isIPv4 : isIPv6;
  return (address) => isOfFamily(address) && range.check(address, family);
}
