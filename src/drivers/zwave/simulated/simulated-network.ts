/**
 * A simulated radio network: a stick, its devices, and a serial line that can be opened again and again. It outlives the
 * driver on the other end, as a real one does; who opens the line cuts off whoever had it before.
 */

import { randomBytes } from "node:crypto";
import { ZWaveError, ZWaveErrorCodes } from "@zwave-js/core";
import type { ZWavePort } from "../library.ts";
import { buildDevice } from "./build-device.ts";
import type { DevicePlan } from "./device-plan.ts";
import type { SimulatedDevice } from "./simulated-device.ts";
import { announce, buildNewcomer, join, leave } from "./stick/membership.ts";
import { openStick } from "./stick/open-stick.ts";
import { type Connection, type Host, SerialEnd } from "./stick/serial-end.ts";
import type { Stick, StickKeys } from "./stick/stick.ts";

export type NetworkOptions = {
  /** Included before; they are nodes from `firstNodeId` on, in this order. */
  readonly devices: readonly DevicePlan[];
  /** Default: 2, the first that a real stick gives. */
  readonly firstNodeId?: number;
  /** The keys of those that are secure; random unless given. */
  readonly keys?: StickKeys;
  readonly homeId?: number;
  /** Milliseconds that a frame is under way. Default: 1. */
  readonly frameMs?: number;
  /** Milliseconds until a frame that nobody acknowledges is given up. Default: 20. */
  readonly noAckMs?: number;
};

/** What a driver opens. */
type Binding = Awaited<ReturnType<Extract<ZWavePort, () => unknown>>>;

const HOME_ID = 0xd0_30_70_01;
const KEY_BYTES = 16;

export async function createSimulatedNetwork(options: NetworkOptions): Promise<SimulatedNetwork> {
  const { devices, keys = randomKeys(), homeId = HOME_ID, firstNodeId = 2, frameMs = 1, noAckMs = 20 } = options;
  const stick = await openStick({ homeId, keys, firstNodeId, frameMs, noAckMs });
  for (const [index, plan] of devices.entries()) stick.admit(await buildDevice(stick, firstNodeId + index, plan));
  return new SimulatedNetwork(stick);
}

export class SimulatedNetwork {
  readonly stick: Stick;
  readonly #end: SerialEnd;

  constructor(stick: Stick) {
    this.stick = stick;
    this.#end = new SerialEnd(stick.line);
  }

  /** What a driver of these devices has to know. */
  get keys(): StickKeys {
    return this.stick.options.keys;
  }

  /** By node id, or by the name of its plan. @throws Error when there is none. */
  device(which: number | string): SimulatedDevice {
    const found = [...this.stick.devices.values()].find(({ id, plan }) => id === which || plan.name === which);
    if (!found) throw new Error(`The simulated network has no device ${which}.`);
    return found;
  }

  /** What a driver in this process opens in place of a serial port. */
  port(): () => Promise<Binding> {
    return async () => {
      if (!this.#end.isPlugged) throw new Error("The stick is not plugged in.");
      return this.#bind();
    };
  }

  /** Takes the line for a host that is somewhere else. */
  connect(host: Host): Connection {
    return this.#end.open(host);
  }

  /** A new device in somebody's hand; `press` or `powerUp` lets it come. */
  newcomer(plan: DevicePlan): Promise<SimulatedDevice> {
    return buildNewcomer(this.stick, plan);
  }

  /** Presses its button: a new device joins, a known one leaves, as far as the stick waits for it. */
  press(device: SimulatedDevice): Promise<void> {
    return this.stick.devices.get(device.id) === device ? leave(this.stick, device) : join(this.stick, device);
  }

  /** Powers a new device up that may ask by itself to be let in. */
  powerUp(device: SimulatedDevice): Promise<void> {
    return announce(this.stick, device);
  }

  /** Pulls the stick out of its socket: without power it forgets what it was doing, and keeps its network. */
  unplug(): void {
    this.stick.mode = { kind: "idle" };
    this.#end.unplug();
  }

  replug(): void {
    this.#end.isPlugged = true;
  }

  async stop(): Promise<void> {
    this.unplug();
    for (const device of this.stick.known.values()) device.stop();
    await this.stick.line.close();
  }

  #bind(): Binding {
    let connection: Connection | null = null;
    return {
      source: {
        start: (controller) => {
          connection = this.#end.open({
            hear: (bytes) => controller.enqueue(Uint8Array.from(bytes)),
            cut: () => controller.error(new ZWaveError("The stick is gone.", ZWaveErrorCodes.Driver_SerialPortClosed)),
          });
        },
        cancel: () => connection?.close(),
      },
      sink: {
        write: (bytes) => connection?.write(bytes),
        close: () => connection?.close(),
        abort: () => connection?.close(),
      },
    };
  }
}

function randomKeys(): StickKeys {
  const key = () => Uint8Array.from(randomBytes(KEY_BYTES));
  return { S0_Legacy: key(), S2_Unauthenticated: key(), S2_Authenticated: key(), S2_AccessControl: key() };
}
