/** The link database of a simulated modem, by the commands of its serial protocol. */

import { IN_USE, isControllerRecord, isInUse, isOfGroup, RECORD_BYTES, type TableRecord } from "./link-table.ts";

type ModemReply = { readonly isAccepted: boolean; readonly record?: TableRecord };

const REFUSED: ModemReply = { isAccepted: false };
const ACCEPTED: ModemReply = { isAccepted: true };
/** The highest byte of the first record. */
const TOP = 0x1fff;
const NEVER_USED: TableRecord = [0, 0, 0, 0, 0, 0, 0, 0];

export class ModemLinks {
  /** Also deleted ones, whose places are used again. */
  readonly records: TableRecord[] = [];
  #at = -1;
  #foundAt = -1;

  /** Commands 69 and 6A. */
  step(isFirst: boolean): TableRecord | null {
    this.#at = isFirst ? 0 : this.#at + 1;
    return this.records[this.#at] ?? null;
  }

  /** Command 6F. */
  manage(code: number, record: TableRecord): ModemReply {
    const [, group = 0, ...rest] = record;
    const device = rest.slice(0, 3);
    const find = (from: number) => this.records.findIndex((each, at) => at >= from && isOfGroup(each, group, device));
    switch (code) {
      case 0x00:
        return this.#found(find(0));
      case 0x01:
        return this.#found(find(this.#foundAt + 1));
      case 0x20:
        return this.#put(find(0), record);
      case 0x40:
      case 0x41:
        return this.#put(this.#indexOfRole(code === 0x40, group, device), record);
      case 0x80:
        return this.#remove(find(0));
      default:
        return REFUSED;
    }
  }

  put(record: TableRecord): void {
    this.manage(isControllerRecord(record) ? 0x40 : 0x41, record);
  }

  /** Deletes both halves of links with this group of this device. */
  remove(group: number, device: readonly number[]): void {
    while (this.manage(0x80, [0, group, ...device, 0, 0, 0]).isAccepted);
  }

  /** Command 75: any address within a record gives the record, and its lowest address. */
  cell(address: number): { readonly address: number; readonly record: TableRecord } | null {
    if (address > TOP) return null;
    const at = Math.floor((TOP - address) / RECORD_BYTES);
    return { address: TOP - at * RECORD_BYTES - (RECORD_BYTES - 1), record: this.records[at] ?? NEVER_USED };
  }

  /** Command 76. */
  writeCell(address: number, record: TableRecord): boolean {
    const at = (TOP - (RECORD_BYTES - 1) - address) / RECORD_BYTES;
    if (!Number.isInteger(at) || at < 0 || at > this.records.length) return false;
    this.records[at] = record;
    return true;
  }

  #found(at: number): ModemReply {
    const record = this.records[at];
    if (!record) return REFUSED;
    this.#foundAt = at;
    return { isAccepted: true, record };
  }

  #put(found: number, record: TableRecord): ModemReply {
    const free = this.records.findIndex((each) => !isInUse(each));
    const at = found >= 0 ? found : free >= 0 ? free : this.records.length;
    this.records[at] = record;
    return ACCEPTED;
  }

  #remove(at: number): ModemReply {
    const record = this.records[at];
    if (!record) return REFUSED;
    this.records[at] = [(record[0] ?? 0) & ~IN_USE, ...record.slice(1)];
    return ACCEPTED;
  }

  #indexOfRole(isController: boolean, group: number, device: readonly number[]): number {
    return this.records.findIndex(
      (each) => isOfGroup(each, group, device) && isControllerRecord(each) === isController,
    );
  }
}
