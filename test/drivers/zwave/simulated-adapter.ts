/**
 * The Z-Wave driver on a simulated adapter, for tests: a network that was interviewed once and outlives its drivers, stores
 * that start from that interview, and a way to wait for the radio instead of for the clock.
 */

import type { DevicePlan } from "../../../simulators/zwave/device-plan.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../../simulators/zwave/simulated-network.ts";
import type { NodeSpec } from "../../../src/drivers/driver.ts";
import type { PropertyReport } from "../../../src/drivers/report.ts";
import type { ServiceState, ServiceStore } from "../../../src/drivers/service.ts";
import { createZWaveDriver, type ZWaveDriver } from "../../../src/drivers/zwave/zwave-driver.ts";
import type { LinkState } from "../../../src/home/nodes.ts";
import type { Operation } from "../../../src/home/operation.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

/** Long enough that no device seems silent on a loaded machine, short enough to wait for one that is. */
const NO_ACK_MS = 300;
/** Turns of the event loop in which what a frame set off has happened. */
const TURNS = 30;

export class SimulatedRadio {
  readonly network: SimulatedNetwork;
  readonly #interviewed: ServiceStore;
  readonly #drivers: ZWaveDriver[] = [];

  private constructor(network: SimulatedNetwork, interviewed: ServiceStore) {
    this.network = network;
    this.#interviewed = interviewed;
  }

  /** Interviews the devices once. */
  static async create(devices: readonly DevicePlan[]): Promise<SimulatedRadio> {
    const network = await createSimulatedNetwork({ devices, noAckMs: NO_ACK_MS });
    const services = new SimulatedRadio(network, memoryStore());
    const driver = services.driver();
    await driver.start(new RecordingHost(systemClock, services.#interviewed), new AbortController().signal);
    const sleepers = devices.map(({ name }) => network.device(name)).filter(({ condition }) => condition === "asleep");
    // A sleeping device is awake once no other device is being queried.
    await settled(driver);
    for (const sleeper of sleepers) await sleeper.wakeUp();
    await allReady(driver);
    await services.stopDrivers();
    return services;
  }

  driver(): ZWaveDriver {
    const { classic, longRange } = keysOf(this.network);
    const driver = createZWaveDriver({
      name: "zwave",
      family: 4,
      dir: import.meta.dirname,
      region: null,
      isSimulated: true,
      openPort: () => this.network.port(),
      keys: { classic, longRange },
    });
    this.#drivers.push(driver);
    return driver;
  }

  /** A driver that runs, with what the interview found. */
  async started(store: ServiceStore = memoryStore()): Promise<{ driver: ZWaveDriver; host: WaitingHost }> {
    const driver = this.driver();
    const host = new WaitingHost(systemClock, this.knowing(store));
    await driver.start(host, new AbortController().signal);
    return { driver, host };
  }

  /** An empty store is given what the interview found. */
  knowing(store: ServiceStore): ServiceStore {
    if (store.keys().length === 0) {
      for (const key of this.#interviewed.keys()) store.set(key, this.#interviewed.get(key));
    }
    return store;
  }

  async stopDrivers(): Promise<void> {
    await Promise.all(this.#drivers.splice(0).map((driver) => driver.stop()));
  }

  async stop(): Promise<void> {
    await this.stopDrivers();
    await this.network.stop();
  }
}

const PATIENCE_MS = 8000;

/** A host that can be waited for: what comes over the air takes its time. */
export class WaitingHost extends RecordingHost {
  readonly #watchers = new Set<() => void>();

  /**
   * Resolves when the condition holds, which is checked at every report of the driver. @throws Error when it does not
   * hold in time.
   */
  until(isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => end(() => reject(new Error(`In vain: ${isSo}`))), PATIENCE_MS);
      const look = () => isSo() && end(resolve);
      const end = (settle: () => void) => {
        clearTimeout(late);
        this.#watchers.delete(look);
        settle();
      };
      this.#watchers.add(look);
    });
  }

  override node(spec: NodeSpec): null {
    super.node(spec);
    this.#look();
    return null;
  }

  override gone(address: string): void {
    super.gone(address);
    this.#look();
  }

  override report(reports: readonly PropertyReport[]): void {
    super.report(reports);
    this.#look();
  }

  override control(address: string, control: string, value: number): void {
    super.control(address, control, value);
    this.#look();
  }

  override link(address: string, link: LinkState): void {
    super.link(address, link);
    this.#look();
  }

  override writes(address: string, phase: "pending" | "writing", active: boolean): void {
    super.writes(address, phase, active);
    this.#look();
  }

  override operation(family: number, operation: Operation): void {
    super.operation(family, operation);
    this.#look();
  }

  override status(state: ServiceState, detail: string): void {
    super.status(state, detail);
    this.#look();
  }

  #look(): void {
    for (const look of [...this.#watchers]) look();
  }
}

/** Waits until the radio has nothing left to send, and all received values have been reported. */
export async function settled(driver: ZWaveDriver): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  await driver
    .running()
    .stack.waitForIdle()
    .catch(() => {});
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

function allReady(driver: ZWaveDriver): Promise<void> {
  const { stack } = driver.running();
  if (stack.allNodesReady) return Promise.resolve();
  return new Promise((resolve) => stack.once("all nodes ready", resolve));
}

function keysOf({ keys }: SimulatedNetwork): { classic: typeof keys; longRange: typeof keys } {
  return { classic: keys, longRange: keys };
}
