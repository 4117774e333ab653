/**
 * Answers searches by SSDP (UPnP Device Architecture 1.1, chapter 1) and announces the controller, because Home
 * Assistant and older clients of this interface use SSDP to find it. Answers go only to the networks of this machine,
 * so that they cannot be directed at other hosts.
 */

import { createSocket, type Socket } from "node:dgram";
import { BlockList } from "node:net";
import { networkInterfaces } from "node:os";
import type { Config } from "../config.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";

type SsdpPorts = {
  readonly config: Pick<Config, "host" | "ssdpAnswersPerSecond">;
  readonly uuid: string;
  /** Address of the description for a type, as clients at this address of the controller reach it. */
  readonly descriptionUrl: (ownAddress: string, type: string) => string;
  readonly clock: Clock;
  readonly log: Log;
};

const GROUP = "239.255.255.250";
const PORT = 1900;
const LIFETIME_S = 1800;
const ALIVE_MS = 600_000;
/** No search is longer. */
const SEARCH_BYTES_MAX = 2048;
const ROUTER_HOPS = 2;
/** The only type whose clients read the description of the portal listener. */
export const NEWER_TYPE = "urn:udi-com:device:X_IoX_Device:1";
const TYPES = [
  "upnp:rootdevice",
  "urn:udi-com:device:X_Insteon_Lighting_Device:1",
  "urn:udi-com:service:X_Insteon_Lighting_Service:1",
  NEWER_TYPE,
];

type Network = { readonly address: string; readonly clients: BlockList; readonly socket: Socket };

export class Ssdp {
  readonly #ports: SsdpPorts;
  readonly #listener = createSocket({ type: "udp4", reuseAddr: true });
  readonly #networks: readonly Network[];
  #alive: Timer | null = null;
  #second = 0;
  #answers = 0;

  constructor(ports: SsdpPorts) {
    this.#ports = ports;
    this.#networks = addressesFor(ports.config.host).map(({ address, prefix }) => {
      const clients = new BlockList();
      clients.addSubnet(address, prefix, "ipv4");
      return { address, clients, socket: createSocket("udp4") };
    });
  }

  /** Runs in the background. Never throws: a network without multicast affects nothing else. */
  start(): void {
    for (const { address, socket } of this.#networks) {
      socket.on("error", this.#fail).bind(0, address, () => {
        this.#try(() => {
          socket.setMulticastInterface(address);
          socket.setMulticastTTL(ROUTER_HOPS);
        });
        void this.#notifyOn({ address, socket }, "alive");
      });
    }
    this.#listener.on("error", this.#fail).on("message", (bytes, { address, port }) => {
      if (bytes.length > SEARCH_BYTES_MAX) return;
      this.#try(() => this.#answer(searchTarget(bytes.toString("latin1")), address, port));
    });
    this.#listener.bind(PORT, () => {
      for (const { address } of this.#networks) this.#try(() => this.#listener.addMembership(GROUP, address));
    });
    this.#repeat();
  }

  /** Announces that the controller leaves the network, then settles. */
  async end(): Promise<void> {
    this.#alive?.cancel();
    await Promise.all(this.#networks.map((network) => this.#notifyOn(network, "byebye")));
    for (const { socket } of this.#networks) socket.close();
    this.#listener.close();
  }

  #repeat(): void {
    this.#alive = this.#ports.clock.setTimer(() => {
      for (const network of this.#networks) void this.#notifyOn(network, "alive");
      this.#repeat();
    }, ALIVE_MS);
  }

  #answer(target: string | null, address: string, port: number): void {
    const network = this.#networks.find(({ clients }) => clients.check(address));
    if (target === null || !network) return;
    for (const type of target === "ssdp:all" ? this.#types() : this.#types().filter((each) => each === target)) {
      if (!this.#isWithinRate()) return;
      const lines = ["HTTP/1.1 200 OK", ...this.#about(network, type), "EXT:", `ST:${type}`, `USN:${this.#usn(type)}`];
      network.socket.send(packet(lines), port, address, this.#ignore);
    }
  }

  #isWithinRate(): boolean {
    const second = Math.floor(this.#ports.clock.elapsed() / 1000);
    if (second !== this.#second) this.#answers = 0;
    this.#second = second;
    this.#answers += 1;
    return this.#answers <= this.#ports.config.ssdpAnswersPerSecond;
  }

  #notifyOn(network: Pick<Network, "address" | "socket">, what: "alive" | "byebye"): Promise<unknown> {
    const sent = this.#types().map((type) => {
      const about = what === "alive" ? this.#about(network, type) : [];
      const kind = [`NT:${type}`, `NTS:ssdp:${what}`, `USN:${this.#usn(type)}`];
      const bytes = packet(["NOTIFY * HTTP/1.1", `HOST:${GROUP}:${PORT}`, ...about, ...kind]);
      return new Promise<void>((resolve) => network.socket.send(bytes, PORT, GROUP, () => resolve()));
    });
    return Promise.all(sent);
  }

  /** Without a blank after the colons: a client looks for `LOCATION:http` in the bytes. */
  #about({ address }: Pick<Network, "address">, type: string): readonly string[] {
    const location = `LOCATION:${this.#ports.descriptionUrl(address, type)}`;
    return [`CACHE-CONTROL:max-age=${LIFETIME_S}`, location, "SERVER:UCoS, UPnP/1.0, UDI/1.0"];
  }

  #types(): readonly string[] {
    return [`uuid:${this.#ports.uuid}`, ...TYPES];
  }

  #usn(type: string): string {
    const device = `uuid:${this.#ports.uuid}`;
    return type === device ? device : `${device}::${type}`;
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void =>
    this.#ports.log.warn("SSDP failed, so older clients may not find the controller. Its address still works.", {
      error,
    });

  /** A client that has gone meanwhile. */
  readonly #ignore = (): void => {};
}

/**
 * The target of a search; null for any other packet. Clients in the field leave out the end of the head, end lines
 * with bare CR, and write MAN without quotes.
 */
function searchTarget(text: string): string | null {
  const [first = "", ...lines] = text.split(/\r\n|\r|\n/);
  if (!/^M-SEARCH \* HTTP\/1\.[01]$/i.test(first.trim())) return null;
  const header = lines.find((line) => /^ST\s*:/i.test(line));
  return header?.replace(/^ST\s*:/i, "").trim() ?? null;
}

function packet(lines: readonly string[]): string {
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** IPv4 addresses at which the listeners can be reached. */
function addressesFor(host: string): readonly { readonly address: string; readonly prefix: number }[] {
  const isAny = host === "0.0.0.0" || host === "::";
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => family === "IPv4" && (isAny || address === host))
    .map(({ address, cidr }) => ({ address, prefix: Number(cidr?.split("/")[1] ?? 32) }));
}
