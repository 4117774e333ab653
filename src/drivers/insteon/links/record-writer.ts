/** Writes single records of links into modem and devices, and removes them. */

import type { Device, DeviceBook } from "../devices/device-book.ts";
import type { DeviceTables } from "./device-tables.ts";
import type { HeldRecords } from "./held-records.ts";
import type { LinkKeeper } from "./link-keeper.ts";
import { type HeldRecord, keyOf, MODEM } from "./link-plan.ts";
import { deleted, isLink, type LinkCell } from "./link-records.ts";
import type { ModemLinks, ModemWrite } from "./modem-links.ts";
import { type TableFailure, type TablePorts, writeCell, writeRecord } from "./table-access.ts";

type WriterPorts = TablePorts & {
  readonly book: DeviceBook;
  readonly tables: DeviceTables;
  readonly modemLinks: ModemLinks;
  readonly records: HeldRecords;
  readonly keeper: LinkKeeper;
};

const GONE: TableFailure = { detail: "The modem does not know the device.", isSilent: true };

export class RecordWriter {
  readonly #ports: WriterPorts;
  /** Devices that were written since their count of changes was read. */
  readonly #touched = new Set<Device>();

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  /** @returns null when the modem or the device has acknowledged it. @throws ModemLost */
  write(held: HeldRecord): Promise<TableFailure | null> {
    const { modemLinks } = this.#ports;
    return this.#change(
      held,
      () => modemLinks.put(held.record),
      (device, cell) => writeRecord(this.#ports, device, held.record, cell),
    );
  }

  /** @returns null when it is not there any more. @throws ModemLost */
  remove(held: HeldRecord): Promise<TableFailure | null> {
    const { modemLinks } = this.#ports;
    return this.#change(
      held,
      () => modemLinks.remove(held.record),
      async (device, cell) =>
        cell ? writeCell(this.#ports, device, { ...deleted(cell), address: cell.address }) : null,
    );
  }

  /** Takes over the counts of changes of devices that were written. */
  async settle(): Promise<void> {
    const { keeper } = this.#ports;
    for (const device of this.#touched) {
      this.#touched.delete(device);
      await keeper.exclusive(() => keeper.settle(device), device.isOnBattery);
    }
  }

  async #change(
    held: HeldRecord,
    inModem: () => Promise<ModemWrite>,
    inDevice: (device: Device, cell: LinkCell | null) => Promise<TableFailure | null>,
  ): Promise<TableFailure | null> {
    const { keeper, book } = this.#ports;
    if (held.holder === MODEM) {
      const refusal = await keeper.exclusive(inModem, false);
      return refusal === null ? null : { detail: refusal, isSilent: false };
    }
    const device = book.device(held.holder);
    if (!device) return GONE;
    const failure = await keeper.exclusive(() => this.#changeDevice(device, held, inDevice), device.isOnBattery);
    if (failure?.isSilent) {
      keeper.missed(device);
      book.unreached(device);
    }
    return failure;
  }

  async #changeDevice(
    device: Device,
    held: HeldRecord,
    change: (device: Device, cell: LinkCell | null) => Promise<TableFailure | null>,
  ): Promise<TableFailure | null> {
    const { keeper, tables } = this.#ports;
    const stale = this.#touched.has(device) ? null : await keeper.fresh(device);
    if (stale) return stale;
    this.#touched.add(device);
    return change(device, this.#cellOf(tables.get(device.id)?.cells ?? [], held));
  }

  #cellOf(cells: readonly LinkCell[], held: HeldRecord): LinkCell | null {
    const key = keyOf(held);
    return cells.find((cell) => isLink(cell) && keyOf({ holder: held.holder, record: cell }) === key) ?? null;
  }
}
