/** Link databases as they are stored over restarts. What a damaged store holds is left out. */

import { isRecord } from "../../../util/is-record.ts";
import type { LinkRecord } from "../line/messages.ts";
import type { LinkCell } from "./link-records.ts";

/** Flags, group, device, three bytes of data; for a device's table the address first. */
type StoredRecord = readonly (number | string)[];

export function storedRecord({ flags, group, device, data }: LinkRecord): StoredRecord {
  return [flags, group, device, ...data];
}

export function readRecord(stored: unknown): LinkRecord | null {
  if (!Array.isArray(stored) || stored.length !== 6) return null;
  const [flags, group, device, ...data] = stored as readonly unknown[];
  const bytes = [flags, group, ...data];
  if (!bytes.every(isByte) || typeof device !== "string" || !ID.test(device)) return null;
  const [first = 0, second = 0, ...rest] = bytes;
  return { flags: first, group: second, device, data: rest };
}

export function storedCell(cell: LinkCell): StoredRecord {
  return [cell.address, ...storedRecord(cell)];
}

export function readCell(stored: unknown): LinkCell | null {
  if (!Array.isArray(stored)) return null;
  const [address, ...rest] = stored as readonly unknown[];
  const record = readRecord(rest);
  return record && Number.isInteger(address) ? { ...record, address: Number(address) } : null;
}

export function readList<T>(stored: unknown, member: string, read: (value: unknown) => T | null): readonly T[] {
  const list = isRecord(stored) ? stored[member] : null;
  return Array.isArray(list) ? list.map(read).filter((value) => value !== null) : [];
}

const ID = /^[0-9A-F]{1,2} [0-9A-F]{1,2} [0-9A-F]{1,2}$/;

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}
