/** What is plugged into this machine, and what in its network says that it is there. Looked at when a person asks for it. */

import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { attempt } from "../util/attempt.ts";
import type { Clock } from "../util/clock.ts";
import { type FoundService, searchNetwork } from "./search-network.ts";

type FoundPort = {
  readonly path: string;
  /** As its maker calls it. */
  readonly label: string;
};

export type Surroundings = {
  /** Serial ports, by names that stay when others are plugged in. */
  ports(): readonly FoundPort[];
  /** Services of a type in the network, such as `mqtt`; empty where it allows no search. */
  services(type: string): Promise<readonly FoundService[]>;
  /** Whether something listens at a port of this machine. */
  isListening(port: number): Promise<boolean>;
};

const LABEL_CHARS_MAX = 100;
const CONNECT_MS = 500;

/**
 * @param searchMs how long the network is searched; 0: it is not
 * @param serialPorts the directory in which the system names them
 */
export function createSurroundings(
  around: { readonly clock: Clock; readonly host: string },
  searchMs: number,
  serialPorts = "/dev/serial/by-id",
): Surroundings {
  return {
    ports: () => namesIn(serialPorts).map((name) => ({ path: join(serialPorts, name), label: labelOf(name) })),
    services: async (type) => {
      if (searchMs === 0) return [];
      return searchNetwork(around, { type, subtypes: null, protocol: "tcp" }, searchMs).catch(() => []);
    },
    isListening(port) {
      return new Promise((resolve) => {
        const socket = connect({ host: "127.0.0.1", port, timeout: CONNECT_MS });
        const end = (isListening: boolean) => {
          socket.destroy();
          resolve(isListening);
        };
        socket
          .once("connect", () => end(true))
          .once("error", () => end(false))
          .once("timeout", () => end(false));
      });
    },
  };
}

/** No serial port was ever plugged in, or the system names none. */
function namesIn(directory: string): readonly string[] {
  return attempt(() => readdirSync(directory).sort()) ?? [];
}

/** `usb-Silicon_Labs_CP2102N_USB_to_UART_0001-if00-port0` */
function labelOf(name: string): string {
  return name
    .slice(0, LABEL_CHARS_MAX)
    .replace(/^usb-/, "")
    .replace(/-if\d\d(-port\d+)?$/, "")
    .replaceAll("_", " ");
}
