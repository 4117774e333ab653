/** Reads and writes the link database of a device, one record an exchange, so that commands of the owner go between. */

import type { Device } from "../devices/device-book.ts";
import { type DeviceMessage, isWhole, type LinkRecord, linkRecordBytes, linkRecordOf } from "../line/messages.ts";
import type { DeviceAnswer, Modem } from "../line/modem.ts";
import { type DeviceTables, nextAddress } from "./device-tables.ts";
import { CELL_BYTES, END_RECORD, isEndOfTable, isErased, isLink, type LinkCell } from "./link-records.ts";

export type TablePorts = { readonly modem: Modem; readonly tables: DeviceTables; readonly signal: AbortSignal };

/** Why it was not done. */
export type TableFailure = {
  /** A sentence. */
  readonly detail: string;
  /** The device does not answer. */
  readonly isSilent: boolean;
  /** Something more urgent goes first. */
  readonly isInterrupted?: true;
};

const STATUS = 0x19;
const TABLE = 0x2f;
const READ = 0;
const WRITE = 2;
const SETTINGS = 0x2e;
const STAY_AWAKE = 4;
export const AWAKE_SECONDS = 30;
const UNKNOWN_SENDER = 0xff;
/** A device refuses to read beyond the end of its memory with one of these. */
const BEYOND: ReadonlySet<number> = new Set([UNKNOWN_SENDER, 0xfc]);
const TRIES = 3;
const CELLS_MAX = 512;

export const FORGOTTEN = 'The device does not know this modem. The operation "repair-links" links them again.';
const INTERRUPTED: TableFailure = {
  detail: "The links of the device are being read.",
  isSilent: false,
  isInterrupted: true,
};
const SILENT: TableFailure = { detail: "The device does not answer.", isSilent: true };

/** Its count of changes. */
export async function readDelta(ports: TablePorts, { id }: Device): Promise<number | TableFailure> {
  const answer = await send(ports, { device: id, cmd1: STATUS, cmd2: 0 });
  return answer.kind === "ack" ? answer.cmd1 : failureOf(answer);
}

/** A device on a battery listens for seconds, after it has sent something. @returns false when it sleeps again */
export async function keepAwake(ports: TablePorts, { id }: Device): Promise<boolean> {
  const data = [1, STAY_AWAKE, AWAKE_SECONDS];
  const answer = await send(ports, { device: id, cmd1: SETTINGS, cmd2: 0, data });
  // One that does not know the command listens for a moment all the same.
  return answer.kind === "ack" || (answer.kind === "nak" && answer.reason !== UNKNOWN_SENDER);
}

/** Reads what is not read yet, to the end of the table. @returns null when it is whole */
export async function readTable(
  ports: TablePorts & { readonly isInterrupted: () => boolean },
  device: Device,
): Promise<TableFailure | null> {
  const { tables } = ports;
  for (let count = 0; count < CELLS_MAX; count += 1) {
    const table = tables.get(device.id);
    if (table?.isComplete) return null;
    if (ports.isInterrupted()) return INTERRUPTED;
    const cell = await readCellAt(ports, device, (table && nextAddress(table)) ?? 0);
    if ("detail" in cell) return cell;
    tables.put(device.id, cell);
  }
  return { detail: "The table of links has no end.", isSilent: false };
}

/** Our copy changes when the device has acknowledged. @returns null when it is written */
export async function writeCell(ports: TablePorts, device: Device, cell: LinkCell): Promise<TableFailure | null> {
  const { id, product } = device;
  const { address } = cell;
  if (product.engine === "i1") {
    const refusal = await pokeRecord(memoryOf(ports, device), address, linkRecordBytes(cell));
    if (refusal) return failureOf(refusal);
    ports.tables.put(id, cell);
    return null;
  }
  const data = [0, WRITE, address >> 8, address & 0xff, CELL_BYTES, ...linkRecordBytes(cell)];
  const answer = await send(ports, { device: id, cmd1: TABLE, cmd2: 0, data });
  if (answer.kind !== "ack") return failureOf(answer);
  ports.tables.put(id, cell);
  return null;
}

/**
 * Writes the record over `cell`, or into a free place. The end of the table moves down first, so that the table is whole at
 * every moment.
 */
export async function writeRecord(
  ports: TablePorts,
  device: Device,
  record: LinkRecord,
  cell: LinkCell | null,
): Promise<TableFailure | null> {
  const cells = ports.tables.get(device.id)?.cells ?? [];
  const place = cell ?? cells.find((each) => !isLink(each));
  if (!place) return { detail: "The links of the device are not known.", isSilent: false };
  if (isEndOfTable(place)) {
    const address = place.address - CELL_BYTES;
    if (address < CELL_BYTES) return { detail: "The device has no room for another link.", isSilent: false };
    const failure = await writeCell(ports, device, { ...END_RECORD, address });
    if (failure) return failure;
  }
  return writeCell(ports, device, { ...record, address: place.address });
}

/** @param address 0: the first record of the table */
async function readCellAt(ports: TablePorts, device: Device, address: number): Promise<LinkCell | TableFailure> {
  if (device.product.engine === "i1") return peekCellAt(ports, device, address === 0 ? MEMORY_TOP : address);
  const data = [0, READ, address >> 8, address & 0xff, 1];
  const isCell = (message: DeviceMessage) => isCellAt(message, address, device);
  let failure: TableFailure = SILENT;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const request = { device: device.id, cmd1: TABLE, cmd2: 0, data };
    const answer = await send(ports, request, isCell);
    if (answer.kind === "ack" && answer.reply?.data) return cellOf(answer.reply.data, address);
    const isRefused = answer.kind === "nak" && BEYOND.has(answer.reason) && address !== 0;
    if (isRefused && !("detail" in (await readCellAt(ports, device, 0)))) return { ...END_RECORD, address };
    if (answer.kind !== "ack") failure = failureOf(answer);
    else failure = { detail: `The device leaves out the link at ${hex(address)}.`, isSilent: false };
    if (failure.isSilent || (answer.kind === "nak" && answer.reason === UNKNOWN_SENDER)) return failure;
  }
  return failure;
}

async function peekCellAt(ports: TablePorts, device: Device, address: number): Promise<LinkCell | TableFailure> {
  const bytes = await peekRecord(memoryOf(ports, device), address);
  return bytes instanceof Uint8Array ? { ...linkRecordOf(bytes, 0), address } : failureOf(bytes);
}

function memoryOf(ports: TablePorts, { id }: Device) {
  return (cmd1: number, cmd2: number) => send(ports, { device: id, cmd1, cmd2 });
}

/** A record for another address is late, or comes twice. Only devices of the third generation protect their answers. */
function isCellAt(message: DeviceMessage, address: number, { product }: Device): boolean {
  const { cmd1, type, data } = message;
  if (cmd1 !== TABLE || type !== "direct" || !data) return false;
  if (product.engine === "i2CS" && !isWhole(message)) return false;
  return address === 0 || addressOf(data) === address || isErased(linkRecordOf(data, 5));
}

/** Erased memory may come with any address. */
function cellOf(data: Uint8Array, asked: number): LinkCell {
  const record: LinkRecord = linkRecordOf(data, 5);
  return { ...record, address: asked !== 0 && isErased(record) ? asked : addressOf(data) };
}

function addressOf([, , high = 0, low = 0]: Uint8Array): number {
  return (high << 8) | low;
}

function hex(address: number): string {
  return address.toString(16).toUpperCase().padStart(4, "0");
}

function failureOf(answer: DeviceAnswer): TableFailure {
  if (answer.kind !== "nak") return SILENT;
  const detail = answer.reason === UNKNOWN_SENDER ? FORGOTTEN : "The device refuses the access to its links.";
  return { detail, isSilent: false };
}

function send(
  { modem, signal }: TablePorts,
  request: Omit<Parameters<Modem["send"]>[0], "isBackground" | "signal">,
  reply?: (message: DeviceMessage) => boolean,
): Promise<DeviceAnswer> {
  const more = reply ? { reply, repliesAfterRefusal: true } : {};
  return modem.send({ ...request, isBackground: true, signal, ...more });
}

type Exchange = (cmd1: number, cmd2: number) => Promise<DeviceAnswer>;

/** Of the first record. */
const MEMORY_TOP = 0x0fff;
const SET_HIGH = 0x28;
const PEEK = 0x2b;
const POKE = 0x29;
const USED_BEFORE = 0x02;

/**
 * Link records of devices of the first generation: bytes of their memory, one an exchange.
 * @param address of the highest byte
 * @returns the answer that is no acknowledgement when the device did not do it
 */
async function peekRecord(exchange: Exchange, address: number): Promise<Uint8Array | DeviceAnswer> {
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
async function pokeRecord(
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
