/**
 * Determines the address of a request's client. Only a reverse proxy that the owner has configured may set it.
 * Otherwise limits per address would treat all clients as one, or could be evaded.
 */

import type { IncomingMessage } from "node:http";
import { isIP, isIPv6, SocketAddress } from "node:net";
import { badValue } from "../../errors.ts";
import { parseAddressRange } from "../../util/address-ranges.ts";

/** Proxies behind one another; of a longer list the rest is not looked at. */
const PROXIES_MAX = 16;
/** An address with or without a port, as proxies write it: "10.0.0.1:80", "[2001:db8::1]:80", "2001:db8::1". */
const FORWARDED = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))$/i;

/** Reads the address out of one element of the header's list. */
const HEADERS: Readonly<Record<string, (element: string) => string>> = {
  "x-forwarded-for": (element) => element.trim(),
  forwarded: forParameter,
};

export class ClientAddresses {
  readonly #trusted: readonly ((address: string) => boolean)[];
  readonly #header: string;
  readonly #read: (element: string) => string;

  /**
   * @param trustedProxies addresses and CIDR ranges.
   * @param header the one that these proxies write. A client can send the other one through them, so it is ignored.
   * @throws ControllerError BAD_VALUE naming the entry that is neither, or the header that is not known.
   */
  constructor(trustedProxies: readonly string[], header = "X-Forwarded-For") {
    this.#header = header.toLowerCase();
    const read = Object.hasOwn(HEADERS, this.#header) ? HEADERS[this.#header] : undefined;
    if (!read) {
      const sentence = `The setting forwardedHeader is "${header}". It can be X-Forwarded-For or Forwarded.`;
      throw badValue(sentence);
    }
    this.#read = read;
    this.#trusted = trustedProxies.map((entry) => {
      const range = parseAddressRange(entry.trim());
      if (range) return range;
      const sentence = `The setting trustedProxies holds "${entry}", which is not an address or CIDR range.`;
      throw badValue(sentence);
    });
  }

  isProxy(address: string): boolean {
    return this.#trusted.some((range) => range(address));
  }

  /**
   * The last address that is not one of the owner's proxies, read from the right. Addresses left of it are not
   * trustworthy.
   */
  of({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): string {
    let address = canonicalAddress(socket.remoteAddress ?? "");
    if (this.#trusted.length === 0) return address;
    const forwarded = String(headers[this.#header] ?? "").split(",");
    for (let hops = 0; hops < PROXIES_MAX && this.isProxy(address); hops += 1) {
      const next = forwardedAddress(this.#read(forwarded.pop() ?? ""));
      if (next === null) break;
      address = next;
    }
    return address;
  }
}

/**
 * The address in `for="[2001:db8::1]:4711";proto=https` (RFC 7239); empty without one. An address never contains a
 * quoted comma.
 */
function forParameter(element: string): string {
  for (const pair of element.split(";")) {
    const [name = "", value = ""] = pair.split("=");
    if (name.trim().toLowerCase() === "for") return value.replaceAll('"', "").trim();
  }
  return "";
}

function forwardedAddress(text: string): string | null {
  const [, bracketed, ipv4, ipv6] = FORWARDED.exec(text) ?? [];
  const address = bracketed ?? ipv4 ?? ipv6 ?? "";
  return isIP(address) === 0 ? null : canonicalAddress(address);
}

/** IPv4 in its own form, also on a dual-stack socket; IPv6 in its shortest. */
export function canonicalAddress(address: string): string {
  // Every request comes by here, and the test for IPv6 is a long expression.
  if (!address.includes(":") || !isIPv6(address) || address.includes("%")) return address;
  const short = new SocketAddress({ address, family: "ipv6" }).address;
  return short.startsWith("::ffff:") && short.includes(".") ? short.slice("::ffff:".length) : short;
}
