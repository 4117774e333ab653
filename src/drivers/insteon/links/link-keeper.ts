/**
 * Reads the link databases of the devices in the background: one device at a time, from where an earlier reading ended, and
 * only those that changed. Devices on batteries are read while they are awake. All work on link databases takes turns here.
 */

import type { Clock } from "../../../util/clock.ts";
import type { Log } from "../../../util/log.ts";
import { rejectOnAbort } from "../../../util/reject-on-abort.ts";
import type { Device, DeviceBook } from "../devices/device-book.ts";
import { isX10 } from "../devices/products.ts";
import type { DeviceId } from "../line/messages.ts";
import { AWAKE_SECONDS, keepAwake, readDelta, readTable, type TableFailure, type TablePorts } from "./table-access.ts";

type KeeperPorts = TablePorts & {
  readonly book: DeviceBook;
  readonly log: Log;
  readonly clock: Clock;
  /** The links of the device are known now. */
  readonly onRead: (device: Device) => void;
};

type Job = { readonly isUrgent: boolean; readonly run: () => Promise<void> };

/** A device on a battery is not trusted to listen for the last of its seconds. */
const AWAKE_MS = (AWAKE_SECONDS - 5) * 1000;
const ASLEEP: TableFailure = { detail: "The device sleeps.", isSilent: true };

export class LinkKeeper {
  readonly #ports: KeeperPorts;
  /** Devices that wait for their turn. */
  readonly #due = new Set<DeviceId>();
  /** Devices whose table may not be what we know of it. */
  readonly #changed = new Set<DeviceId>();
  readonly #failures = new Map<DeviceId, TableFailure>();
  readonly #awakeUntilMs = new Map<DeviceId, number>();
  readonly #jobs: Job[] = [];
  #awaited: ((device: Device) => void) | null = null;
  #isRunning = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  /** Every device that is not read, or was changed, is read when its turn comes. */
  readAll(): void {
    for (const device of this.#ports.book.devices()) if (!device.isOnBattery) this.#queue(device);
  }

  /** A status answer carries the count of changes. */
  saw(device: Device, delta: number): void {
    const table = this.#ports.tables.get(device.id);
    if (!table?.isComplete || table.delta === delta) return;
    this.#changed.add(device.id);
    this.#queue(device);
  }

  /** It sent something, so that it is awake. */
  heard(device: Device): void {
    this.#awaited?.(device);
    if (device.isOnBattery) this.#queue(device);
  }

  /** The next of the devices that sends something. @throws what aborted the signal */
  async nextHeard(devices: readonly Device[], signal: AbortSignal): Promise<Device> {
    const { promise, resolve } = Promise.withResolvers<Device>();
    const ids = new Set(devices.map(({ id }) => id));
    this.#awaited = (device) => {
      if (ids.has(device.id)) resolve(device);
    };
    try {
      return await Promise.race([promise, rejectOnAbort(signal)]);
    } finally {
      this.#awaited = null;
    }
  }

  /** Why the links of the device are not known; null when they are. */
  failureOf(id: DeviceId): TableFailure | null {
    return this.#failures.get(id) ?? null;
  }

  /** It listens now. */
  isAwake({ id, isOnBattery }: Device): boolean {
    return !isOnBattery || (this.#awakeUntilMs.get(id) ?? 0) > this.#ports.clock.elapsed();
  }

  /** It did not answer. */
  missed({ id }: Device): void {
    this.#awakeUntilMs.delete(id);
  }

  /** Work on link databases, one after the other; what concerns a device that is awake for seconds goes first. */
  exclusive<T>(work: () => Promise<T>, isUrgent: boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = { isUrgent, run: () => work().then(resolve, reject) };
    const at = isUrgent ? this.#jobs.findIndex((other) => !other.isUrgent) : -1;
    if (at < 0) this.#jobs.push(job);
    else this.#jobs.splice(at, 0, job);
    void this.#run();
    return promise;
  }

  /**
   * Makes sure that our copy is what the device has: reads it when the device counts another change. Within `exclusive`.
   *
   * @returns null when it is
   */
  async fresh(device: Device): Promise<TableFailure | null> {
    const { tables } = this.#ports;
    const { id } = device;
    if (!(await this.wake(device))) return ASLEEP;
    const delta = await readDelta(this.#ports, device);
    if (typeof delta !== "number") return delta;
    this.#changed.delete(id);
    if (tables.get(id)?.delta !== delta) tables.begin(id, delta);
    const isInterrupted = () => !device.isOnBattery && this.#jobs[0]?.isUrgent === true;
    return readTable({ ...this.#ports, isInterrupted }, device);
  }

  /** After changes of our own. Within `exclusive`. */
  async settle(device: Device): Promise<void> {
    const delta = await readDelta(this.#ports, device);
    if (typeof delta === "number") this.#ports.tables.settle(device.id, delta);
  }

  /** Keeps a device on a battery awake, for a while. Within `exclusive`. @returns false when it sleeps already */
  async wake(device: Device): Promise<boolean> {
    if (this.isAwake(device)) return true;
    const isAwake = await keepAwake(this.#ports, device);
    if (isAwake) this.#awakeUntilMs.set(device.id, this.#ports.clock.elapsed() + AWAKE_MS);
    return isAwake;
  }

  #queue(device: Device): void {
    if (!this.#isDue(device) || this.#due.has(device.id)) return;
    this.#due.add(device.id);
    void this.exclusive(() => this.#read(device.id), device.isOnBattery);
  }

  #isDue({ id, product }: Device): boolean {
    if (isX10(product) || product.isNoted) return false;
    return this.#changed.has(id) || this.#ports.tables.links(id) === null;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job.run();
    this.#isRunning = false;
  }

  async #read(id: DeviceId): Promise<void> {
    const { book, log, signal, onRead } = this.#ports;
    this.#due.delete(id);
    const device = book.device(id);
    if (!device || signal.aborted || !this.#isDue(device)) return;
    const failure = await this.fresh(device);
    if (signal.aborted) return;
    const before = this.#failures.get(id);
    if (!failure) this.#failures.delete(id);
    else this.#failures.set(id, failure);
    if (!failure) onRead(device);
    else if (failure.isInterrupted) this.#queue(device);
    else if (!failure.isSilent && before?.detail !== failure.detail) {
      log.warn("The links of an Insteon device are not known completely. They are read again later.", {
        device: id,
        detail: failure.detail,
      });
    }
  }
}
