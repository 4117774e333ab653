/**
 * Which address a request comes from. Behind a reverse proxy of the owner's that is what the proxy says, and nobody else is
 * believed: limits per address would otherwise count everybody as one client, or nobody at all.
 */

import type { IncomingMessage } from "node:http";
import { isIP, SocketAddress } from "node:net";
import { ControllerError } from "../../errors.ts";
import { parseAddressRange } from "../../util/address-ranges.ts";

/** Proxies behind one another; of a longer list the rest is not looked at. */
const PROXIES_MAX = 16;
/** An address with or without a port, as proxies write it: "10.0.0.1:80", "[2001:db8::1]:80", "2001:db8::1". */
const FORWARDED = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))$/i;

export class ClientAddresses {
  readonly #trusted: readonly ((address: string) => boolean)[];

  /**
   * @param trustedProxies addresses and CIDR ranges.
   * @throws ControllerError BAD_VALUE naming the entry that is neither.
   */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((entry) => {
      const range = parseAddressRange(entry.trim());
      if (range) return range;
      const sentence = `The setting trustedProxies holds "${entry}", which is no address or CIDR range.`;
      throw new ControllerError("BAD_VALUE", { sentence });
    });
  }

  isProxy(address: string): boolean {
    return this.#trusted.some((range) => range(address));
  }

  /** The last address that is not one of the owner's proxies, read from the right: what stands left of it is hearsay. */
  of({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): string {
    let address = canonicalAddress(socket.remoteAddress ?? "");
    if (this.#trusted.length === 0) return address;
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    for (let hops = 0; hops < PROXIES_MAX && this.isProxy(address); hops += 1) {
      const next = forwardedAddress(forwarded.pop() ?? "");
      if (next === null) break;
      address = next;
    }
    return address;
  }
}

function forwardedAddress(text: string): string | null {
  const [, bracketed, ipv4, ipv6] = FORWARDED.exec(text.trim()) ?? [];
  const address = bracketed ?? ipv4 ?? ipv6 ?? "";
  return isIP(address) === 0 ? null : canonicalAddress(address);
}

/** IPv4 in its own form, also on a dual-stack socket; IPv6 in its shortest. */
export function canonicalAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes("%")) return address;
  const short = new SocketAddress({ address, family: "ipv6" }).address;
  return short.startsWith("::ffff:") && short.includes(".") ? short.slice("::ffff:".length) : short;
}
