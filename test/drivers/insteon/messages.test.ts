/** The modem's serial protocol: every message by its length, however the bytes arrive. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeDeviceCommand, MessageReader, type ModemMessage } from "../../../src/drivers/insteon/line/messages.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const read = (...texts: readonly string[]): readonly ModemMessage[] => {
  const reader = new MessageReader();
  return texts.flatMap((text) => [...reader.push(hex(text))]);
};

/** Any bytes may stand in the rest of a message, also those that begin one. */
const byte = fc.oneof(fc.constantFrom(0x02, 0x15, 0x06, 0x50, 0x62), fc.integer({ min: 0, max: 255 }));
const rest = (length: number) => fc.array(byte, { minLength: length, maxLength: length });
const FROM_MODEM = [
  [0x50, 9],
  [0x51, 23],
  [0x52, 2],
  [0x53, 8],
  [0x54, 1],
  [0x55, 0],
  [0x56, 5],
  [0x57, 8],
  [0x58, 1],
  [0x59, 10],
  [0x5c, 9],
  [0x7f, 2],
  [0x60, 7],
  [0x61, 4],
  [0x69, 1],
  [0x6f, 10],
  [0x73, 4],
] as const;
const message = fc.oneof(
  fc.constant([0x15]),
  ...FROM_MODEM.map(([command, length]) => rest(length).map((bytes) => [0x02, command, ...bytes])),
  rest(6).map((bytes) => [0x02, 0x62, ...bytes.slice(0, 3), 0x0f, ...bytes.slice(3)]),
  rest(20).map((bytes) => [0x02, 0x62, ...bytes.slice(0, 3), 0x1f, ...bytes.slice(3)]),
);
/** Between messages: bytes that begin none. */
const garbage = fc.array(
  fc.integer({ min: 0, max: 255 }).filter((value) => value !== 0x02 && value !== 0x15),
  { maxLength: 5 },
);

describe("the reader of the modem's messages", () => {
  test("one message after another is read the same, split anywhere or glued together", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (messages, sizes) => {
          const reader = new MessageReader();
          const glued = new MessageReader().push(Uint8Array.from(messages.flat()));
          const bytes = messages.flat();
          const split: ModemMessage[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            split.push(...reader.push(Uint8Array.from(bytes.slice(at, at + size))));
            at += size;
          }
          expect(split).toEqual(glued);
          expect(glued).toHaveLength(messages.length);
        },
      ),
    );
  });

  test("bytes that begin no message between messages are passed over", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(garbage, message), { maxLength: 8 }), (parts) => {
        const clean = new MessageReader().push(Uint8Array.from(parts.flatMap(([, bytes]) => bytes)));
        const dirty = new MessageReader().push(
          Uint8Array.from(parts.flatMap(([noise, bytes]) => [...noise, ...bytes])),
        );
        expect(dirty).toEqual(clean);
      }),
    );
  });

  test("any bytes at all are read without an error", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), (chunks) => {
        const reader = new MessageReader();
        for (const chunk of chunks) reader.push(chunk);
      }),
    );
  });

  test.each([
    [
      "an acknowledgement of a device",
      "0250 1A2B3C 4A115C 2B 11 FF",
      { kind: "device", type: "ack", from: "1A 2B 3C", hopsLeft: 2 },
    ],
    ["a NAK of a device", "0250 1A2B3C 4A115C A3 11 FF", { kind: "device", type: "nak", cmd2: 0xff }],
    [
      "a press",
      "0250 0A0203 000003 CB 13 00",
      { kind: "device", type: "group-broadcast", from: "A 2 3", to: [0, 0, 3] },
    ],
    ["its cleanup", "0250 0A0203 4A115C 41 13 03", { kind: "device", type: "cleanup", cmd2: 3 }],
    ["a busy modem", "15", { kind: "busy" }],
    ["a device that did not answer", "025C 1A2B3C 4A115C 20 11 FF", { kind: "no-answer" }],
    ["the half-hourly message of a Hub", "027F 0101", { kind: "other", command: 0x7f }],
    ["the echo of a message", "0262 1A2B3C 0F 11 FF 06", { kind: "echo", command: 0x62, accepted: true }],
    ["a refused echo", "0262 1A2B3C 0F 11 FF 15", { kind: "echo", command: 0x62, accepted: false }],
    [
      "a link record",
      "0257 A2 01 1A2B3C 01 20 45",
      { kind: "record", record: { flags: 0xa2, group: 1, device: "1A 2B 3C", data: [1, 32, 69] } },
    ],
    [
      "a link that was made by buttons",
      "0253 01 00 1A2B3C 01 20 45",
      { kind: "linked", code: 1, record: expect.objectContaining({ device: "1A 2B 3C" }) },
    ],
  ])("%s", (_what, text, expected) => {
    expect(read(text)).toEqual([expect.objectContaining(expected)]);
  });

  test("an extended message carries its 14 bytes", () => {
    const [received] = read("0251 1A2B3C 4A115C 13 2E 00 01 01 00 00 00 00 1C FF 00 00 00 00 00 00");
    expect(received).toMatchObject({ kind: "device", type: "direct", data: hex("01010000 00001CFF 0000 0000 0000") });
  });
});

describe("messages to devices", () => {
  const written = (command: Parameters<typeof encodeDeviceCommand>[0]) =>
    Buffer.from(encodeDeviceCommand(command, 3)).toString("hex").toUpperCase();

  test("a standard message has flags and two command bytes", () => {
    expect(written({ device: "1A 2 C", cmd1: 0x11, cmd2: 0xff })).toBe("02621A020C0F11FF");
  });

  test("an extended message ends with the complement of its sum", () => {
    const bytes = encodeDeviceCommand({ device: "1A 2 C", cmd1: 0x2e, cmd2: 0, data: [1, 6, 0x80] }, 3);
    expect(bytes[5]).toBe(0x1f);
    expect(bytes.slice(6).reduce((sum, each) => sum + each, 0) % 256).toBe(0);
  });

  test("the request for a thermostat's status ends with the CRC that other controllers send", () => {
    const bytes = written({ device: "1A 2 C", cmd1: 0x2e, cmd2: 2, data: [], protection: "crc" });
    expect(bytes).toBe("02621A020C1F2E020000000000000000000000009296");
  });
});

test("many messages in one piece of bytes are read in a time that grows with their number", () => {
  const message = [0x02, 0x50, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x2b, 0x11, 0xff];
  const bytes = Buffer.concat(Array.from({ length: 30_000 }, () => Buffer.from(message)));
  expect(new MessageReader().push(bytes)).toHaveLength(30_000);
});
