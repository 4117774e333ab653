/** Our copies of the devices' link databases, each record stored as soon as it is read or written. */

import { isRecord } from "../../../util/is-record.ts";
import type { ServiceStore } from "../../service.ts";
import type { DeviceId } from "../line/messages.ts";
import { CELL_BYTES, isEndOfTable, isLink, type LinkCell } from "./link-records.ts";
import { readCell, readList, storedCell } from "./stored-links.ts";

type DeviceTable = {
  /** The device's count of changes when the reading began; null: not known. */
  readonly delta: number | null;
  /** It was read to its end. */
  readonly isComplete: boolean;
  /** From the first address downward. */
  readonly cells: readonly LinkCell[];
};

const KEY = "links ";

export class DeviceTables {
  readonly #store: ServiceStore;
  readonly #tables = new Map<DeviceId, DeviceTable>();

  constructor(store: ServiceStore) {
    this.#store = store;
    for (const key of store.keys().filter((name) => name.startsWith(KEY))) {
      this.#tables.set(key.slice(KEY.length), readTable(store.get(key)));
    }
  }

  get(id: DeviceId): DeviceTable | null {
    return this.#tables.get(id) ?? null;
  }

  ids(): readonly DeviceId[] {
    return [...this.#tables.keys()];
  }

  /** Its links; null while the table is not known to its end. */
  links(id: DeviceId): readonly LinkCell[] | null {
    const table = this.get(id);
    return table?.isComplete ? table.cells.filter(isLink) : null;
  }

  /** Reading begins at the first address. */
  begin(id: DeviceId, delta: number | null): void {
    this.#keep(id, { delta, isComplete: false, cells: [] });
  }

  /** The cell was read, or the device has acknowledged it. */
  put(id: DeviceId, cell: LinkCell): void {
    const table = this.get(id) ?? { delta: null, isComplete: false, cells: [] };
    const others = table.cells.filter(({ address }) => address !== cell.address);
    const cells = [...others, cell].sort((one, other) => other.address - one.address);
    this.#keep(id, { ...table, cells, isComplete: table.isComplete || isEndOfTable(cell) });
  }

  /** The device's count of changes after our own ones. */
  settle(id: DeviceId, delta: number | null): void {
    const table = this.get(id);
    if (table && table.delta !== delta) this.#keep(id, { ...table, delta });
  }

  forget(id: DeviceId): void {
    this.#tables.delete(id);
    this.#store.delete(KEY + id);
  }

  #keep(id: DeviceId, table: DeviceTable): void {
    this.#tables.set(id, table);
    const { delta, isComplete, cells } = table;
    this.#store.set(KEY + id, { delta, isComplete, cells: cells.map(storedCell) });
  }
}

/** The first address that was not read; null: nothing was read. */
export function nextAddress({ cells }: DeviceTable): number | null {
  const first = cells[0]?.address;
  if (first === undefined) return null;
  const known = new Set(cells.map(({ address }) => address));
  let address = first;
  while (known.has(address)) address -= CELL_BYTES;
  return address;
}

function readTable(stored: unknown): DeviceTable {
  const { delta, isComplete } = isRecord(stored) ? stored : {};
  const cells = readList(stored, "cells", readCell);
  const count = Number.isInteger(delta) ? Number(delta) : null;
  return { delta: count, isComplete: isComplete === true && isWithoutGap(cells), cells };
}

function isWithoutGap(cells: readonly LinkCell[]): boolean {
  const last = cells.at(-1);
  const isNext = ({ address }: LinkCell, at: number) => address === (cells[0]?.address ?? 0) - at * CELL_BYTES;
  return last !== undefined && isEndOfTable(last) && cells.every(isNext);
}
