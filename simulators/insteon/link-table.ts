/** The link databases of a simulated modem and its devices: records of eight bytes, in the order in which they were added. */

/** Flags, group, the other device's id, three bytes of data. */
export type TableRecord = readonly number[];

export const IN_USE = 0x80;
export const CONTROLLER = 0x40;
const USED_BEFORE = 0x02;
export const RECORD_BYTES = 8;
/** So far a table reaches downward, or to the end of a small memory. */
const SPAN = 0x0cff;

export function isInUse([flags = 0]: TableRecord): boolean {
  return (flags & IN_USE) !== 0;
}

export function isControllerRecord([flags = 0]: TableRecord): boolean {
  return (flags & CONTROLLER) !== 0;
}

/** Whether it is a link with this group of this device. */
export function isOfGroup(record: TableRecord, group: number, device: readonly number[]): boolean {
  return isInUse(record) && record[1] === group && isOfDevice(record, device);
}

export function isOfDevice(record: TableRecord, device: readonly number[]): boolean {
  return device.every((byte, at) => record[2 + at] === byte);
}

/** The memory of a device, which the table fills from the top downward. */
export class LinkTable {
  /** Address of the highest byte of the first record. */
  readonly top: number;
  readonly #bottom: number;
  readonly #cells = new Map<number, TableRecord>();
  readonly #erased: TableRecord;

  /** @param erased the value of bytes that were never written, or of all of a record that was not */
  constructor(top = 0x0fff, erased: number | TableRecord = 0) {
    this.top = top;
    this.#bottom = Math.max(RECORD_BYTES - 1, top - SPAN);
    this.#erased = typeof erased === "number" ? Array.from({ length: RECORD_BYTES }, () => erased) : erased;
  }

  /** The record whose highest byte is at the address. */
  read(address: number): TableRecord {
    return this.#cells.get(address) ?? this.#erased;
  }

  isWritten(address: number): boolean {
    return this.#cells.has(address);
  }

  /** @returns false when no record can begin there. */
  write(address: number, record: TableRecord): boolean {
    if (address > this.top || address < this.#bottom || (this.top - address) % RECORD_BYTES !== 0) return false;
    this.#cells.set(address, record);
    return true;
  }

  /** As a device reads its own table: records in use, up to the first that was never used. */
  records(): readonly TableRecord[] {
    return [...this.#used()].map(({ record }) => record).filter(isInUse);
  }

  /** Addresses and records up to the first cell that was never used, deleted ones too. */
  *#used(): Generator<{ readonly address: number; readonly record: TableRecord }> {
    for (let address = this.top; address >= this.#bottom; address -= RECORD_BYTES) {
      const record = this.read(address);
      if (((record[0] ?? 0) & USED_BEFORE) === 0 || record[0] === 0xff) return;
      yield { address, record };
    }
  }

  /** As the firmware does when its buttons are pressed: changes the record of this role, group and device, or adds one. */
  put(record: TableRecord): void {
    const [, group = 0, ...rest] = record;
    const used = [...this.#used()];
    const same = used.find(
      (each) =>
        isOfGroup(each.record, group, rest.slice(0, 3)) &&
        isControllerRecord(each.record) === isControllerRecord(record),
    );
    const free = same ?? used.find((each) => !isInUse(each.record));
    this.#cells.set(free?.address ?? this.top - used.length * RECORD_BYTES, record);
  }

  /** Deletes the records with this group of this device. */
  remove(group: number, device: readonly number[]): void {
    for (const { address, record } of [...this.#used()]) {
      if (!isOfGroup(record, group, device)) continue;
      this.#cells.set(address, [(record[0] ?? 0) & ~IN_USE, ...record.slice(1)]);
    }
  }

  clear(): void {
    this.#cells.clear();
  }
}
