/** What the records of link databases mean. A link has two halves: a controller's record and a responder's. */

import type { DeviceId, LinkRecord } from "../line/messages.ts";

/** A record of a device's table, with the address of its highest byte. */
export type LinkCell = LinkRecord & { readonly address: number };

/** The role of the side that holds the record. */
type LinkRole = "controller" | "responder";

const IN_USE = 0x80;
const CONTROLLER = 0x40;
/** 20 is always set; 02: the cell was used before, and others follow. */
const FILLED = 0x22;
const USED_BEFORE = 0x02;
export const CELL_BYTES = 8;

export const NO_DEVICE: DeviceId = "0 0 0";
/** Erased memory of the newest devices. Its first byte is no record's flags. */
const ERASED: DeviceId = "FF FF FF";
const ERASED_FLAGS = 0xff;
export const END_RECORD: LinkRecord = { flags: 0, group: 0, device: NO_DEVICE, data: [0, 0, 0] };

export function linkRecord(role: LinkRole, group: number, device: DeviceId, data: readonly number[]): LinkRecord {
  return { flags: IN_USE | FILLED | (role === "controller" ? CONTROLLER : 0), group, device, data };
}

export function isLink({ flags, device }: LinkRecord): boolean {
  return (flags & IN_USE) !== 0 && device !== NO_DEVICE && !isErased({ flags, device });
}

/** No record follows it, and it is none itself. */
export function isEndOfTable({ flags, device }: LinkRecord): boolean {
  return (flags & USED_BEFORE) === 0 || isErased({ flags, device });
}

export function isErased({ flags, device }: Pick<LinkRecord, "flags" | "device">): boolean {
  return flags === ERASED_FLAGS || device === ERASED;
}

export function roleOf({ flags }: LinkRecord): LinkRole {
  return (flags & CONTROLLER) === 0 ? "responder" : "controller";
}

/** The record as one that is not used any more. */
export function deleted(record: LinkRecord): LinkRecord {
  return { ...record, flags: record.flags & ~IN_USE };
}

export function isSameRecord(one: LinkRecord, other: LinkRecord): boolean {
  return textOfRecord(one) === textOfRecord(other);
}

function textOfRecord({ flags, group, device, data }: LinkRecord): string {
  return [flags & (IN_USE | CONTROLLER), group, device, ...data].join(" ");
}

/** The modem's half of a link that was made with its button. */
export function linkedRecord(code: number, { group, device, data }: LinkRecord): LinkRecord {
  return linkRecord(code === 0 ? "responder" : "controller", group, device, data);
}
