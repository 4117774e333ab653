/**
 * The modem's serial protocol. Every message is parsed by its length; the payload is never searched for a start byte, because
 * any byte may stand in it. Only when a byte cannot begin a message does the reader look for the next one that can.
 */

/** "1A 2B 3C": the first three parts of the addresses of its nodes. */
export type DeviceId = string;

type DeviceMessageType =
  | "direct"
  | "ack"
  | "cleanup"
  | "cleanup-ack"
  | "broadcast"
  | "nak"
  | "group-broadcast"
  | "cleanup-nak";

export type DeviceMessage = {
  readonly kind: "device";
  readonly from: DeviceId;
  readonly to: readonly number[];
  readonly type: DeviceMessageType;
  readonly hopsLeft: number;
  readonly cmd1: number;
  readonly cmd2: number;
  /** The 14 bytes of an extended message, D1 first. */
  readonly data: Uint8Array | null;
};

/** A record of a link database. */
export type LinkRecord = {
  readonly flags: number;
  readonly group: number;
  /** The other side of the link. */
  readonly device: DeviceId;
  readonly data: readonly number[];
};

export type ModemMessage =
  | DeviceMessage
  /** A lone NAK: the modem is busy. */
  | { readonly kind: "busy" }
  /** A command of the host, repeated by the modem, with its answer behind it. */
  | { readonly kind: "echo"; readonly command: number; readonly bytes: Uint8Array; readonly accepted: boolean }
  /** The addressed device did not answer the modem. */
  | { readonly kind: "no-answer" }
  | { readonly kind: "record"; readonly record: LinkRecord }
  /** A link was made or deleted with the buttons of modem and device. */
  | { readonly kind: "linked"; readonly code: number; readonly record: LinkRecord }
  /** A member of a group did not answer its cleanup. */
  | { readonly kind: "cleanup-failed"; readonly group: number; readonly device: DeviceId }
  /** All members of a group were addressed, or the rest of them was given up. */
  | { readonly kind: "cleanups-over" }
  /** A person has reset the modem with its button: its links are gone. */
  | { readonly kind: "reset" }
  /** X10 sends two messages: the first names a device by house code and unit code, the second has the command for it. */
  | { readonly kind: "x10"; readonly house: number; readonly code: number; readonly isCommand: boolean }
  | { readonly kind: "other"; readonly command: number };

const ACK = 0x06;
const NAK = 0x15;
const START = 0x02;
const EXTENDED = 0x10;
/** Where the flags of an outgoing message stand in its echo. */
const FLAGS_AT = 5;

/** Lengths of what the modem sends, start byte included, by command. That of 62 depends on its flags. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  ...Object.entries({
    80: 11,
    81: 25,
    82: 4,
    83: 10,
    84: 3,
    85: 2,
    86: 7,
    87: 10,
    88: 3,
    89: 12,
    92: 11,
    127: 4,
  }).map(([command, length]): [number, number] => [Number(command), length]),
  [0x60, 9],
  [0x61, 6],
  [0x63, 5],
  [0x64, 5],
  [0x65, 3],
  [0x66, 6],
  [0x67, 3],
  [0x68, 4],
  [0x69, 3],
  [0x6a, 3],
  [0x6b, 4],
  [0x6c, 3],
  [0x6d, 3],
  [0x6e, 3],
  [0x6f, 12],
  [0x70, 4],
  [0x71, 5],
  [0x72, 3],
  [0x73, 6],
  [0x74, 3],
  [0x75, 5],
  [0x76, 13],
  [0x77, 3],
]);
const SEND = 0x62;
const STANDARD_ECHO = 9;
const EXTENDED_ECHO = 23;

const TYPES: readonly DeviceMessageType[] = [
  "direct",
  "ack",
  "cleanup",
  "cleanup-ack",
  "broadcast",
  "nak",
  "group-broadcast",
  "cleanup-nak",
];

export class MessageReader {
  #rest = Buffer.alloc(0);

  /** @returns the messages that the bytes complete. */
  push(bytes: Uint8Array): readonly ModemMessage[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: ModemMessage[] = [];
    while (this.#rest.length > 0) {
      const length = lengthOf(this.#rest);
      if (length === null) break;
      if (length > 0) messages.push(parse(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(Math.max(1, length));
    }
    return messages;
  }

  /** Forgets an unfinished message: its rest was lost on the line. */
  reset(): void {
    this.#rest = Buffer.alloc(0);
  }
}

/** 0: the first byte begins no message. null: more bytes are needed. */
function lengthOf(bytes: Buffer): number | null {
  const [first, command] = [bytes[0], bytes[1]];
  if (first === NAK) return 1;
  if (first !== START) return 0;
  if (command === undefined) return null;
  let length = LENGTHS.get(command);
  if (command === SEND) {
    const flags = bytes[FLAGS_AT];
    if (flags === undefined) return null;
    length = (flags & EXTENDED) === 0 ? STANDARD_ECHO : EXTENDED_ECHO;
  }
  if (length === undefined) return 0;
  return length <= bytes.length ? length : null;
}

function parse(bytes: Buffer): ModemMessage {
  if (bytes.length === 1) return { kind: "busy" };
  const command = bytes[1] ?? 0;
  if (command === 0x50 || command === 0x51) return parseDeviceMessage(bytes);
  if (command === 0x5c) return { kind: "no-answer" };
  if (command === 0x57) return { kind: "record", record: linkRecordOf(bytes, 2) };
  if (command === 0x53) return { kind: "linked", code: bytes[2] ?? 0, record: linkRecordOf(bytes, 2) };
  if (command === 0x56) return { kind: "cleanup-failed", group: bytes[3] ?? 0, device: deviceIdOf(bytes, 4) };
  if (command === 0x52) return parseX10(bytes);
  if (command === 0x58) return { kind: "cleanups-over" };
  if (command === 0x55) return { kind: "reset" };
  if (command < 0x60 || command === 0x7f) return { kind: "other", command };
  return { kind: "echo", command, bytes: Uint8Array.from(bytes), accepted: bytes.at(-1) === ACK };
}

function parseX10(bytes: Buffer): ModemMessage {
  const [raw = 0, flag = 0] = bytes.subarray(2);
  return { kind: "x10", house: raw >> 4, code: raw & 0x0f, isCommand: (flag & 0x80) !== 0 };
}

function parseDeviceMessage(bytes: Buffer): DeviceMessage {
  const [flags = 0, cmd1 = 0, cmd2 = 0] = bytes.subarray(8);
  return {
    kind: "device",
    from: deviceIdOf(bytes, 2),
    to: [...bytes.subarray(5, 8)],
    type: TYPES[flags >> 5] ?? "direct",
    hopsLeft: (flags >> 2) & 3,
    cmd1,
    cmd2,
    data: bytes.length > 11 ? Uint8Array.from(bytes.subarray(11)) : null,
  };
}

/** Flags, group, id and three bytes of data. */
export function linkRecordOf(bytes: Uint8Array, at: number): LinkRecord {
  const [flags = 0, group = 0] = bytes.subarray(at);
  return { flags, group, device: deviceIdOf(bytes, at + 2), data: [...bytes.subarray(at + 5, at + 8)] };
}

export function linkRecordBytes({ flags, group, device, data }: LinkRecord): readonly number[] {
  return [flags, group, ...idBytes(device), ...data];
}

export function deviceIdOf(bytes: Uint8Array, at: number): DeviceId {
  return Array.from(bytes.subarray(at, at + 3), (byte) => byte.toString(16).toUpperCase()).join(" ");
}

function idBytes(device: DeviceId): readonly number[] {
  return device.split(" ").map((part) => Number.parseInt(part, 16));
}

export type DeviceCommand = {
  readonly device: DeviceId;
  readonly cmd1: number;
  readonly cmd2: number;
  /** D1 and the following bytes of an extended message; the rest is zero. */
  readonly data?: readonly number[];
  /** What protects an extended message. Default: the checksum in D14. */
  readonly protection?: "checksum" | "crc";
};

export function encodeDeviceCommand(command: DeviceCommand, hops: number): Uint8Array {
  const { device, cmd1, cmd2, data } = command;
  const flags = (data ? EXTENDED : 0) | (hops << 2) | hops;
  const head = [START, SEND, ...idBytes(device), flags, cmd1, cmd2];
  return Uint8Array.from(data ? [...head, ...protectedData(command, data)] : head);
}

export function encodeModemCommand(...command: readonly number[]): Uint8Array {
  return Uint8Array.of(START, ...command);
}

/** Whether the bytes of an extended message from a device are whole. Older devices do not protect theirs. */
export function isWhole({ cmd1, cmd2, data }: DeviceMessage): boolean {
  return ([cmd1, cmd2, ...(data ?? [])].reduce((sum, byte) => sum + byte, 0) & 0xff) === 0;
}

function protectedData({ cmd1, cmd2, protection }: DeviceCommand, data: readonly number[]): readonly number[] {
  const filled = Array.from({ length: 14 }, (_, at) => data[at] ?? 0);
  if (protection === "crc") {
    const crc = crc16([cmd1, cmd2, ...filled.slice(0, 12)]);
    return [...filled.slice(0, 12), crc >> 8, crc & 0xff];
  }
  const sum = [cmd1, cmd2, ...filled.slice(0, 13)].reduce((total, byte) => total + byte, 0);
  return [...filled.slice(0, 13), -sum & 0xff];
}

/** Of thermostats and meters: bits of each byte from the lowest, taps at 8000, 4000, 1000 and 0008. */
function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit += 1) {
      const taps = (crc >> 15) ^ (crc >> 14) ^ (crc >> 12) ^ (crc >> 3) ^ (byte >> bit);
      crc = ((crc << 1) | (taps & 1)) & 0xffff;
    }
  }
  return crc;
}
