/** How a simulated device answers requests for the records of its link database, and takes new ones. */

import { type FollowUp, type Frame, type Reaction, refuse } from "./frames.ts";
import { type LinkTable, RECORD_BYTES } from "./link-table.ts";

type TableOwner = {
  readonly links: LinkTable;
  readonly engine: number;
  readonly refusesReads: boolean;
  readonly omitted: ReadonlySet<number>;
  readonly refusesBeyond: number | null;
  readonly erasedAt: number | null;
  readonly isLocked: boolean;
  delta: number;
};

const READ = 0;
const WRITE = 2;
const BAD_COMMAND = 0xfb;
const CHECKSUM_REASON = 0xfd;

export function reactToTable(device: TableOwner, frame: Frame): Reaction | null {
  const { cmd1, cmd2, data } = frame;
  if (!data || device.engine === 0) return refuse(frame, BAD_COMMAND);
  const [, kind, high = 0, low = 0, count = 0] = data;
  const address = (high << 8) | low;
  const answer = { cmd1, cmd2 };
  if (kind === WRITE) {
    const record = data.slice(5, 5 + RECORD_BYTES);
    if (device.isLocked || !device.links.write(address, record)) return refuse(frame, BAD_COMMAND);
    device.delta = (device.delta + 1) & 0xff;
    return { answer };
  }
  if (kind !== READ) return refuse(frame, BAD_COMMAND);
  if (device.refusesBeyond !== null && address !== 0 && !device.links.isWritten(address)) {
    return refuse(frame, device.refusesBeyond);
  }
  const then = recordsFrom(device, address === 0 ? device.links.top : address, count, data[13] ?? 0);
  return { answer: device.refusesReads ? { cmd1, cmd2: CHECKSUM_REASON, refused: true } : answer, then };
}

/** @param count 0: up to the end of the table */
function recordsFrom(device: TableOwner, first: number, count: number, echoed: number): readonly FollowUp[] {
  const messages: FollowUp[] = [];
  for (let address = first; address > RECORD_BYTES; address -= RECORD_BYTES) {
    const record = device.links.read(address);
    const told = device.links.isWritten(address) ? address : (device.erasedAt ?? address);
    const body = [0, 1, told >> 8, told & 0xff, 0, ...record];
    const sum = [0x2f, 0, ...body].reduce((total, byte) => total + byte, 0);
    // Older devices repeat the last byte of the request.
    const last = device.engine === 2 ? -sum & 0xff : echoed;
    if (!device.omitted.has(address)) messages.push({ kind: "direct", cmd1: 0x2f, cmd2: 0, data: [...body, last] });
    if ((first - address) / RECORD_BYTES + 1 === count || ((record[0] ?? 0) & 0x02) === 0) break;
  }
  return messages;
}

/** The memory of a device of the first generation, a byte at a time. @param at the address that was set before */
export function reactToMemory(device: TableOwner, frame: Frame, at: number): Reaction & { readonly at: number } {
  const { cmd1, cmd2 } = frame;
  if (cmd1 === 0x28) return { answer: { cmd1, cmd2 }, at: cmd2 << 8 };
  const asked = cmd1 === 0x2b ? (at & 0xff00) | cmd2 : at;
  const { top } = device.links;
  const cell = top - RECORD_BYTES * Math.floor((top - asked) / RECORD_BYTES);
  const place = asked - (cell - RECORD_BYTES + 1);
  const record = device.links.read(cell);
  if (cmd1 === 0x2b) return { answer: { cmd1, cmd2: record[place] ?? 0 }, at: asked };
  if (device.isLocked) return { ...refuse(frame, BAD_COMMAND), at: asked };
  device.links.write(cell, record.with(place, cmd2));
  device.delta = (device.delta + 1) & 0xff;
  return { answer: { cmd1, cmd2 }, at: asked };
}
