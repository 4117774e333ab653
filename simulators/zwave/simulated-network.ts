/**
 * A simulated radio network: an adapter, its devices, and a serial line that can be opened repeatedly. Like a real
 * network it outlives the driver. Opening the line disconnects the previous client.
 */

import { randomBytes } from "node:crypto";
import { ZWaveError, ZWaveErrorCodes } from "@zwave-js/core";
import type { Driver } from "zwave-js";
import { realClock, type SimulatorClock } from "../clock.ts";
import type { Adapter, AdapterKeys } from "./adapter/adapter.ts";
import { announce, buildNewcomer, join, leave } from "./adapter/membership.ts";
import { openAdapter } from "./adapter/open-adapter.ts";
import { type Connection, type Host, SerialEnd } from "./adapter/serial-end.ts";
import { buildDevice } from "./build-device.ts";
import type { DevicePlan } from "./device-plan.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

type NetworkOptions = {
  /** Included before; they are nodes from `firstNodeId` on, in this order. */
  readonly devices: readonly DevicePlan[];
  /** Default: 2, the first that a real adapter gives. */
  readonly firstNodeId?: number;
  /** The keys of those that are secure; random unless given. */
  readonly keys?: AdapterKeys;
  readonly homeId?: number;
  /** Milliseconds that a frame is under way. Default: 1. */
  readonly frameMs?: number;
  /** Milliseconds until a frame without an acknowledgement fails. Default: 20. */
  readonly noAckMs?: number;
  /** For what devices do by themselves. Default: the machine's. */
  readonly clock?: SimulatorClock;
};

/** The port that a driver opens. */
type Binding = Awaited<ReturnType<Extract<ConstructorParameters<typeof Driver>[0], () => unknown>>>;

const HOME_ID = 0xd0_30_70_01;
const KEY_BYTES = 16;

export async function createSimulatedNetwork(options: NetworkOptions): Promise<SimulatedNetwork> {
  const { devices, keys = randomKeys(), homeId = HOME_ID, firstNodeId = 2, frameMs = 1, noAckMs = 20 } = options;
  const { clock = realClock } = options;
  const adapter = await openAdapter({ homeId, keys, firstNodeId, frameMs, noAckMs, clock });
  for (const [index, plan] of devices.entries()) adapter.admit(await buildDevice(adapter, firstNodeId + index, plan));
  return new SimulatedNetwork(adapter);
}

export class SimulatedNetwork {
  readonly adapter: Adapter;
  readonly #end: SerialEnd;

  constructor(adapter: Adapter) {
    this.adapter = adapter;
    this.#end = new SerialEnd(adapter.line);
  }

  /** The knowledge that a driver of these devices needs. */
  get keys(): AdapterKeys {
    return this.adapter.options.keys;
  }

  /** The device with this node id, or with this name of its plan. @throws Error without one. */
  device(which: number | string): SimulatedDevice {
    const found = [...this.adapter.devices.values()].find(({ id, plan }) => id === which || plan.name === which);
    if (!found) throw new Error(`The simulated network has no device ${which}.`);
    return found;
  }

  /** Replaces the serial port for a driver in this process. */
  port(): () => Promise<Binding> {
    return async () => {
      if (!this.#end.isPlugged) throw new Error("The adapter is not plugged in.");
      return this.#bind();
    };
  }

  /** Takes the line for a host that is somewhere else. */
  connect(host: Host): Connection {
    return this.#end.open(host);
  }

  /** A new device outside of the network; `press` or `powerUp` makes it join. */
  newcomer(plan: DevicePlan): Promise<SimulatedDevice> {
    return buildNewcomer(this.adapter, plan);
  }

  /** Presses its button: a new device joins, a known one leaves, as far as the adapter waits for it. */
  press(device: SimulatedDevice): Promise<void> {
    return this.adapter.devices.get(device.id) === device ? leave(this.adapter, device) : join(this.adapter, device);
  }

  /** Powers a new device up that may ask by itself to be let in. */
  powerUp(device: SimulatedDevice): Promise<void> {
    return announce(this.adapter, device);
  }

  /** Pulls the adapter out of its socket: without power it forgets what it was doing, and keeps its network. */
  unplug(): void {
    this.adapter.mode = { kind: "idle" };
    this.#end.unplug();
  }

  replug(): void {
    this.#end.isPlugged = true;
  }

  async stop(): Promise<void> {
    this.unplug();
    for (const device of this.adapter.known.values()) device.stop();
    await this.adapter.line.close();
  }

  #bind(): Binding {
    let connection: Connection | null = null;
    return {
      source: {
        start: (controller) => {
          connection = this.#end.open({
            hear: (bytes) => controller.enqueue(Uint8Array.from(bytes)),
            cut: () =>
              controller.error(new ZWaveError("The adapter is gone.", ZWaveErrorCodes.Driver_SerialPortClosed)),
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

function randomKeys(): AdapterKeys {
  const key = () => Uint8Array.from(randomBytes(KEY_BYTES));
  return { S0_Legacy: key(), S2_Unauthenticated: key(), S2_Authenticated: key(), S2_AccessControl: key() };
}
