/** Link records of devices of the first generation: bytes of their memory, one an exchange. */

import type { DeviceAnswer } from "../line/modem.ts";
import { CELL_BYTES } from "../links/link-records.ts";

type Exchange = (cmd1: number, cmd2: number) => Promise<DeviceAnswer>;

/** Of the first record. */
export const MEMORY_TOP = 0x0fff;
const SET_HIGH = 0x28;
const PEEK = 0x2b;
const POKE = 0x29;
const USED_BEFORE = 0x02;

/**
 * @param address of the highest byte
 * @returns the answer that is no acknowledgement when the device did not do it
 */
export async function peekRecord(exchange: Exchange, address: number): Promise<Uint8Array | DeviceAnswer> {
  const first = address - CELL_BYTES + 1;
  const bytes = new Uint8Array(CELL_BYTES);
  const opened = await exchange(SET_HIGH, first >> 8);
  if (opened.kind !== "ack") return opened;
  for (let at = 0; at < CELL_BYTES; at += 1) {
    const answer = await exchange(PEEK, (first + at) & 0xff);
    if (answer.kind !== "ack") return answer;
    bytes[at] = answer.cmd2;
    // The end of the table has nothing else to say.
    if (at === 0 && (answer.cmd2 & USED_BEFORE) === 0) return bytes;
  }
  return bytes;
}

/** Writes bytes that differ; the flags last, so that no half of a record is in use. @returns null when it is written */
export async function pokeRecord(
  exchange: Exchange,
  address: number,
  record: readonly number[],
): Promise<DeviceAnswer | null> {
  const first = address - CELL_BYTES + 1;
  const opened = await exchange(SET_HIGH, first >> 8);
  if (opened.kind !== "ack") return opened;
  for (const [at, byte] of [...[...record.entries()].slice(1), [0, record[0] ?? 0] as const]) {
    const present = await exchange(PEEK, (first + at) & 0xff);
    if (present.kind !== "ack") return present;
    if (present.cmd2 === byte) continue;
    const written = await exchange(POKE, byte);
    if (written.kind !== "ack") return written;
  }
  return null;
}
