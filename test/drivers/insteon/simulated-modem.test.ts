/** The simulated modem by the bytes of its serial protocol: link databases, linking, commands to groups. */

import { describe, expect, test } from "vitest";
import type { DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../../simulators/insteon/simulated-modem.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";

const LAMP: DevicePlan = { id: [0x11, 0x22, 0x33], kind: "dimmer" };
const KEYPAD: DevicePlan = { id: [0x44, 0x55, 0x66], kind: "keypad" };
const OLD: DevicePlan = { id: [0x77, 0x08, 0x09], kind: "relay", engine: 1, top: 0x00ff };
const NEWEST: DevicePlan = { id: [0x0a, 0x0b, 0x0c], kind: "dimmer", erased: 0xff };

class Line {
  readonly clock = new VirtualClock(0);
  readonly modem: SimulatedModem;
  readonly #write: (bytes: Uint8Array) => void;
  #heard: string[] = [];

  constructor(...plans: readonly DevicePlan[]) {
    this.modem = new SimulatedModem(this.clock, plans);
    const line = this.modem.open({
      hear: (bytes) => this.#heard.push(Buffer.from(bytes).toString("hex").toUpperCase()),
      cut: () => {},
    });
    this.#write = (bytes) => line.write(bytes);
  }

  /** Sends bytes. @returns what the modem sends within the time, without the repetition of the bytes themselves. */
  async send(text: string, waitMs = 5000): Promise<readonly string[]> {
    const bytes = text.replaceAll(" ", "");
    this.#heard = [];
    this.#write(Buffer.from(bytes, "hex"));
    await this.clock.advance(waitMs);
    return this.#heard.map((heard) => (heard.startsWith(bytes) ? heard.slice(bytes.length) : heard));
  }

  async until(waitMs: number): Promise<readonly string[]> {
    this.#heard = [];
    await this.clock.advance(waitMs);
    return this.#heard;
  }
}

/** An extended message with its checksum. */
function extended(id: string, cmd1: number, cmd2: number, data: readonly number[]): string {
  const filled = Array.from({ length: 13 }, (_, at) => data[at] ?? 0);
  const sum = [cmd1, cmd2, ...filled].reduce((total, byte) => total + byte, 0);
  return `0262${id}1F${Buffer.from([cmd1, cmd2, ...filled, -sum & 0xff]).toString("hex")}`.toUpperCase();
}

describe("the links of the modem", () => {
  test("first and next give every record, then a refusal", async () => {
    const line = new Line(LAMP);
    expect(await line.send("0269")).toEqual(["06", "0257E200112233012045"]);
    expect(await line.send("026A")).toEqual(["06", "0257A201112233000000"]);
    expect(await line.send("026A")).toEqual(["15"]);
  });

  test("a record is found, added by role, changed, and deleted whatever its role", async () => {
    const line = new Line();
    expect(await line.send("026F00 00 15 112233 000000")).toEqual(["15"]);
    expect(await line.send("026F40 E2 15 112233 000000")).toEqual(["06"]);
    expect(await line.send("026F41 A2 15 112233 FF1C01")).toEqual(["06"]);
    expect(await line.send("026F00 00 15 112233 000000")).toEqual(["06", "0257E215112233000000"]);
    expect(await line.send("026F01 00 15 112233 000000")).toEqual(["06", "0257A215112233FF1C01"]);
    expect(await line.send("026F20 E2 15 112233 010203")).toEqual(["06"]);
    expect(await line.send("026F80 00 15 112233 000000")).toEqual(["06"]);
    expect(await line.send("026F00 00 15 112233 000000")).toEqual(["06", "0257A215112233FF1C01"]);
    expect(await line.send("026F80 00 15 112233 000000")).toEqual(["06"]);
    expect(await line.send("026F80 00 15 112233 000000")).toEqual(["15"]);
  });

  test("the memory is read by any address within a record, and written by its lowest", async () => {
    const line = new Line(LAMP);
    expect(await line.send("02751FFF")).toEqual(["06", "02591FF8E200112233012045"]);
    expect(await line.send("02761FE8 E2 20 112233 000000")).toEqual(["06"]);
    expect(await line.send("02751FE8")).toEqual(["06", "02591FE8E220112233000000"]);
    expect(await line.send("02761FD0 E2 21 112233 000000")).toEqual(["15"]);
  });
});

describe("the links of a device", () => {
  test("are sent one message for each record, with the address that the table begins at", async () => {
    const line = new Line(LAMP);
    const [echo, ack, ...records] = await line.send(extended("112233", 0x2f, 0, [0, 0, 0, 0, 0]));
    expect([echo, ack]).toEqual(["06", "02501122334A115C332F00"]);
    expect(records.map((record) => record.slice(22, 48))).toEqual([
      "00010FFF00A2004A115CFF1C01",
      "00010FF700E2014A115C031C01",
      "00010FEF000000000000000000",
    ]);
  });

  test("are written cell by cell, and every write counts", async () => {
    const line = new Line(LAMP);
    const write = [0, 2, 0x0f, 0xef, 8, 0xa2, 0x15, 0x4a, 0x11, 0x5c, 0x80, 0x1c, 1];
    expect(await line.send(extended("112233", 0x2f, 0, write))).toEqual(["06", "02501122334A115C332F00"]);
    expect(line.modem.device(LAMP.id).links.records()).toHaveLength(3);
    const misplaced = extended("112233", 0x2f, 0, [0, 2, 0x0f, 0xf0, 8, ...write.slice(5)]);
    expect(await line.send(misplaced)).toEqual(["06", "02501122334A115CB32FFB"]);
    expect(await line.send("0262 112233 0F 1900")).toEqual(["06", "02501122334A115C232E00"]);
  });

  test("the request's last byte is repeated by an older device", async () => {
    const line = new Line(OLD);
    const request = extended("770809", 0x2f, 0, [0, 0, 0x00, 0xff, 1]);
    const [, , record] = await line.send(request);
    expect(record?.slice(-2)).toBe(request.slice(-2));
  });

  test("erased memory of the newest devices reads FF, and a refused request can be answered late", async () => {
    const line = new Line(NEWEST);
    line.modem.device(NEWEST.id).refusesReads = true;
    const request = extended("0A0B0C", 0x2f, 0, [0, 0, 0x0f, 0xef, 1]);
    expect(await line.send(request, 900)).toEqual(["06", "02500A0B0C4A115CB32FFD"]);
    const [record] = await line.until(1000);
    expect(record?.slice(22, 48)).toBe("00010FEF00FFFFFFFFFFFFFFFF");
  });

  test("an unknown modem is refused, but for linking", async () => {
    const line = new Line(LAMP);
    line.modem.device(LAMP.id).links.clear();
    expect(await line.send("0262 112233 0F 1100")).toEqual(["06", "02501122334A115CA311FF"]);
    expect(await line.send(extended("112233", 0x09, 1, []))).toEqual(["06", "02501122334A115C330901"]);
  });
});

describe("linking", () => {
  test("with the device's button makes both halves of a link of the modem's group", async () => {
    const line = new Line();
    const lamp = line.modem.place(LAMP);
    await line.send("0264 01 00");
    line.modem.pressSet(lamp);
    expect(await line.until(5000)).toEqual(["02530100112233012045"]);
    expect(line.modem.records).toEqual([[0xe2, 0, 0x11, 0x22, 0x33, 1, 32, 0x45]]);
    expect(lamp.links.records()).toEqual([[0xa2, 0, 0x4a, 0x11, 0x5c, 255, 0x1c, 1]]);
  });

  test("as a responder hears the button of a keypad, which was deaf to the modem before", async () => {
    const line = new Line();
    const keypad = line.modem.place(KEYPAD);
    line.modem.press(keypad, 5, 0x11);
    expect(await line.until(5000)).toEqual([]);
    await line.send("0264 00 00");
    line.modem.pressSet(keypad, 5);
    expect(await line.until(5000)).toEqual(["02530005445566000000"]);
    line.modem.press(keypad, 5, 0x11);
    expect(await line.until(5000)).toHaveLength(3);
  });

  test("can be begun and ended at the modem alone, and ends by itself after four minutes", async () => {
    const line = new Line();
    const lamp = line.modem.place(LAMP);
    await line.send("0264 01 00");
    await line.send("0265");
    line.modem.pressSet(lamp);
    await line.send("0264 01 00", 241_000);
    line.modem.pressSet(lamp);
    expect([await line.until(5000), line.modem.records]).toEqual([[], []]);
  });

  test("by address needs no button, and unlinking takes both halves", async () => {
    const line = new Line();
    const lamp = line.modem.place(LAMP);
    await line.send("0264 01 00");
    expect(await line.send(extended("112233", 0x09, 0, []))).toEqual([
      "06",
      "02501122334A115C330900",
      "02530100112233012045",
    ]);
    await line.send("0264 FF 00");
    const [, , told] = await line.send(extended("112233", 0x0a, 0, []));
    expect(told).toBe("0253FF00112233012045");
    expect([lamp.links.records(), await line.send("0269")]).toEqual([[], ["06", "02576200112233012045"]]);
  });
});

describe("a command to a group", () => {
  test("moves every member to its own level, and names the one that did not answer", async () => {
    const line = new Line(LAMP, KEYPAD);
    const [lamp, keypad] = [line.modem.device(LAMP.id), line.modem.device(KEYPAD.id)];
    for (const device of [lamp, keypad]) line.modem.links.put([0xe2, 0x15, ...device.id, 0, 0, 0]);
    lamp.linkAsResponder(0x15, line.modem.id, [0x80, 0x1c, 1]);
    keypad.linkAsResponder(0x15, line.modem.id, [0xff, 0, 5]);
    expect(await line.send("0261 15 11 00")).toEqual([
      "06",
      "02501122334A115C671115",
      "02504455664A115C671115",
      "025806",
    ]);
    expect([lamp.level(), keypad.level(5), keypad.level(1)]).toEqual([0x80, 255, 0]);
    keypad.isDeaf = true;
    expect(await line.send("0261 15 13 00")).toEqual(["06", "02501122334A115C671315", "02560115445566", "025806"]);
    expect([lamp.level(), keypad.level(5)]).toEqual([0, 255]);
  });

  test("is refused for a group without members", async () => {
    expect(await new Line(LAMP).send("0261 15 11 00")).toEqual(["15"]);
  });

  test("a press moves the devices that are linked with the button", async () => {
    const line = new Line(LAMP, KEYPAD);
    const [lamp, keypad] = [line.modem.device(LAMP.id), line.modem.device(KEYPAD.id)];
    keypad.linkAsController(3, lamp.id);
    lamp.linkAsResponder(3, keypad.id, [0x40, 0x1c, 1]);
    line.modem.press(keypad, 3, 0x11);
    expect(lamp.level()).toBe(0x40);
    line.modem.press(keypad, 3, 0x13);
    expect(lamp.level()).toBe(0);
  });
});
