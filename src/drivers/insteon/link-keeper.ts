/**
 * Reads the link databases of the devices in the background: one device at a time, from where an earlier reading ended, and
 * only those that changed. Devices on batteries are read while they are awake.
 */

import type { Log } from "../../util/log.ts";
import type { Device, DeviceBook } from "./device-book.ts";
import type { DeviceId } from "./messages.ts";
import { keepAwake, readDelta, readTable, type TableFailure, type TablePorts } from "./table-access.ts";

type KeeperPorts = TablePorts & { readonly book: DeviceBook; readonly log: Log };

export class LinkKeeper {
  readonly #ports: KeeperPorts;
  /** Devices that wait for their turn, in this order. */
  readonly #due = new Set<DeviceId>();
  /** Devices whose table may not be what we know of it. */
  readonly #changed = new Set<DeviceId>();
  readonly #failures = new Map<DeviceId, TableFailure>();
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
    if (device.isOnBattery) this.#queue(device);
  }

  /** Why the links of the device are not known; null when they are. */
  failureOf(id: DeviceId): TableFailure | null {
    return this.#failures.get(id) ?? null;
  }

  #queue(device: Device): void {
    if (!this.#isDue(device)) return;
    this.#due.add(device.id);
    void this.#run();
  }

  #isDue({ id, product }: Device): boolean {
    if (product.engine === "i1" || product.isNoted) return false;
    return this.#changed.has(id) || this.#ports.tables.links(id) === null;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { book, signal } = this.#ports;
    for (const id of this.#due) {
      this.#due.delete(id);
      const device = book.device(id);
      if (device && !signal.aborted) await this.#read(device);
    }
    this.#isRunning = false;
  }

  async #read(device: Device): Promise<void> {
    const { log, signal } = this.#ports;
    const { id } = device;
    const failure = await this.#refresh(device);
    if (signal.aborted) return;
    const before = this.#failures.get(id);
    if (!failure) this.#failures.delete(id);
    else this.#failures.set(id, failure);
    if (failure && !failure.isSilent && before?.detail !== failure.detail) {
      log.warn("The links of an Insteon device are not known completely. They are read again later.", {
        device: id,
        detail: failure.detail,
      });
    }
  }

  async #refresh(device: Device): Promise<TableFailure | null> {
    const { tables } = this.#ports;
    const { id } = device;
    await keepAwake(this.#ports, device);
    const delta = await readDelta(this.#ports, device);
    if (typeof delta !== "number") return delta;
    this.#changed.delete(id);
    if (tables.get(id)?.delta !== delta) tables.begin(id, delta);
    return readTable(this.#ports, device);
  }
}
