/**
 * A driver whose transport is a TCP connection with a line for each thing: what a device reports comes in as
 * `s17 GV0 1`, a command that is handed over goes out as `l17 DON`. So a generator can be all devices of a home, and another
 * program that speaks the same lines can stand in the service's place.
 */

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { DriverCommand, Outcome } from "../../src/drivers/command.ts";
import type { Driver, DriverHost, NodeSpec } from "../../src/drivers/driver.ts";
import { PROPERTY } from "../harness/line-devices.ts";

const ACKED: Outcome = { kind: "acked" };
const RAW_NUMBER = 56;
const FULL = 255;
const LINES_A_TURN = 256;
const KIND_BYTES = { s: "A0", l: "B0", m: "C0" } as const;
type Kind = keyof typeof KIND_BYTES;

export class LineDriver implements Driver {
  readonly name = "line";
  readonly #names = new Map<string, string>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #host: DriverHost | null = null;

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#welcome(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Devices that exist from now on. */
  introduce(names: readonly string[]): void {
    for (const name of names) {
      const address = addressOf(name);
      this.#names.set(address, name);
      this.#host?.node(specOf(name, address));
      this.#host?.link(address, "online");
    }
  }

  async start(host: DriverHost): Promise<void> {
    this.#host = host;
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** The device reacts at once and reports, like a lamp on a cable. */
  async send({ id, address, command }: DriverCommand): Promise<Outcome> {
    const line = `${this.#names.get(address)} ${command}\n`;
    for (const socket of this.#sockets) socket.write(line);
    const value = command === "DON" ? FULL : 0;
    this.#host?.report([{ address, id: PROPERTY.shown, value, uom: 100, prec: 0, cause: "ack", commandId: id }]);
    return ACKED;
  }

  async query(): Promise<Outcome> {
    return ACKED;
  }

  setEnabled(): void {}

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    let rest = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) this.#takeLines(socket, lines, 0);
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  /** A few in each turn of the loop: what waits behind a stall must not come in one go, past everything else. */
  #takeLines(socket: Socket, lines: readonly string[], from: number): void {
    const to = Math.min(lines.length, from + LINES_A_TURN);
    for (const line of lines.slice(from, to)) this.#takeLine(line);
    if (to === lines.length) {
      socket.resume();
      return;
    }
    socket.pause();
    setImmediate(() => this.#takeLines(socket, lines, to));
  }

  #takeLine(line: string): void {
    const [name = "", id = "", value = ""] = line.split(" ");
    const report = { address: addressOf(name), id, value: Number(value), uom: RAW_NUMBER, prec: 0 } as const;
    this.#host?.report([{ ...report, cause: "report" }]);
  }
}

/** @param name letter of its kind and number, as on the line. */
export function addressOf(name: string): string {
  const number = Number(name.slice(1));
  const hex = (byte: number) => byte.toString(16).toUpperCase();
  return `${KIND_BYTES[name[0] as Kind]} ${hex(number >> 8)} ${hex(number & 0xff)} 1`;
}

function specOf(name: string, address: string): NodeSpec {
  const plain = { nodeDefId: "DimmerLampSwitch_ADV", family: 1, instance: 1, type: "1.32.69.0", devtype: null };
  return { ...plain, address, name, primary: address };
}
