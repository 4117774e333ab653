/** Settings that Insteon devices store in themselves: read and written by number, and by name as an operation. */

import { describe, expect, test } from "vitest";
import type { DeviceKind, DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { nodesOf } from "../../../src/drivers/insteon/devices/products.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const plan = (kind: DeviceKind, last: number, more: Partial<DevicePlan> = {}): DevicePlan => ({
  id: [0x1a, 0x0b, last],
  kind,
  ...more,
});
const DIMMER = plan("dimmer", 1);
const RELAY = plan("relay", 2, { engine: 1 });
const KEYPAD = plan("keypad", 3);
const IO = plan("io", 4, { engine: 1 });
const OLD_IO = plan("io", 5, { engine: 0 });
const MOTION = plan("motion", 6);
const ALL = [DIMMER, RELAY, KEYPAD, IO, OLD_IO, MOTION];

const ON = 0x11;
const signal = new AbortController().signal;

const read = async (home: SimulatedInsteonHome, address: string, number: number) =>
  (await home.settle(home.driver.parameters.get(address, number, signal)))?.value ?? null;
const write = (home: SimulatedInsteonHome, address: string, number: number, value: number) =>
  home.settle(home.driver.parameters.set(address, { number, size: 1, value }, signal));

/** The commands that a device got, as cmd1, cmd2 and the first data bytes. */
const sentTo = (home: SimulatedInsteonHome, device: DevicePlan, from = 0) =>
  home
    .device(device)
    .received.slice(from)
    .map(({ cmd1, cmd2, data = [] }) =>
      Buffer.from([cmd1, cmd2, ...data.slice(0, 3)])
        .toString("hex")
        .toUpperCase(),
    );

describe("parameters of devices", () => {
  test.each([
    ["program-lock of a dimmer", "1A B 1 1", 2, 1, DIMMER, "2000000000"],
    ["led-on-traffic of a relay", "1A B 2 1", 3, 1, RELAY, "2002"],
    ["resume-dim of a dimmer", "1A B 1 1", 4, 1, DIMMER, "2004000000"],
    ["led of a dimmer, which the device stores the other way round", "1A B 1 1", 5, 0, DIMMER, "2008000000"],
    ["key-beep of a relay", "1A B 2 1", 6, 1, RELAY, "200A"],
    ["led-brightness of a dimmer", "1A B 1 1", 1, 100, DIMMER, "2E00010764"],
    ["on-mask of a button", "1A B 3 5", 9, 0x0c, KEYPAD, "2E0005020C"],
    ["off-mask of a button", "1A B 3 5", 10, 0x0c, KEYPAD, "2E0005030C"],
    ["relay-follows-input of an I/O module", "1A B 4 2", 11, 1, IO, "2004"],
    ["input-inverted of an I/O module", "1A B 4 1", 12, 1, IO, "200E"],
    ["relay-delay of an I/O module", "1A B 4 2", 14, 50, IO, "2E00010632"],
  ] as const)(
    "%s is written as the device wants it, and read again",
    async (_name, address, number, value, device, bytes) => {
      const home = await SimulatedInsteonHome.discovered(ALL);
      expect(await read(home, address, number)).not.toBe(value);
      const from = home.device(device).received.length;
      expect(await write(home, address, number, value)).toEqual({ kind: "acked" });
      expect(sentTo(home, device, from)).toContain(bytes);
      expect(await read(home, address, number)).toBe(value);
    },
  );

  test.each([
    [0, ["2007"]],
    [1, ["2006", "2013", "2015"]],
    [2, ["2006", "2012", "2015"]],
    [3, ["2006", "2013", "2014"]],
  ])("relay mode %i is the flags %j", async (mode, bytes) => {
    const home = await SimulatedInsteonHome.discovered([IO]);
    const from = home.device(IO).received.length;
    await write(home, "1A B 4 2", 13, mode);
    expect(sentTo(home, IO, from)).toEqual(bytes);
  });

  test("the LED of one button leaves those of the others as they are", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    home.device(KEYPAD).levels.set(3, 255);
    home.device(KEYPAD).levels.set(6, 255);
    const from = home.device(KEYPAD).received.length;
    expect(await write(home, "1A B 3 4", 7, 1)).toEqual({ kind: "acked" });
    expect(sentTo(home, KEYPAD, from).slice(0, 2)).toEqual(["1901", "2E0001092C"]);
    await home.pass(2000);
    expect([3, 4, 5, 6].map((button) => home.device(KEYPAD).level(button))).toEqual([255, 255, 0, 255]);
    expect(home.host.value("1A B 3 4")).toBe(255);
  });

  test("the LEDs of a keypad that does not answer are not written", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    home.device(KEYPAD).isDeaf = true;
    expect(await write(home, "1A B 3 4", 7, 1)).toMatchObject({ kind: "failed", reason: "no-ack" });
    home.device(KEYPAD).isDeaf = false;
    await home.pass(60_000);
    expect(sentTo(home, KEYPAD).filter((bytes) => bytes.startsWith("2E000109"))).toEqual([]);
  });

  test("a button that sends only on leaves the modes of the others as they are", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    await write(home, "1A B 3 2", 8, 2);
    await write(home, "1A B 3 5", 8, 1);
    expect([await read(home, "1A B 3 2", 8), await read(home, "1A B 3 5", 8), await read(home, "1A B 3 6", 8)]).toEqual(
      [2, 1, 0],
    );
    expect(home.device(KEYPAD).settings.get(1)?.slice(9, 13)).toEqual([0x12, 0, 0, 0x10]);
  });

  test.each([
    ["the LED of the first button, which follows the load", "1A B 3 1", 7],
    ["a sensor's brightness", "1A B 6 1", 1],
    ["the relay's delay of a device of the first generation", "1A B 5 2", 14],
    ["a number that means nothing", "1A B 1 1", 200],
  ])("%s is no parameter", async (_name, address, number) => {
    const home = await SimulatedInsteonHome.discovered(ALL);
    expect(await read(home, address, number)).toBeNull();
    await expect(write(home, address, number, 1)).rejects.toMatchObject({ code: "PARAMETER_NOT_FOUND" });
  });

  test("a value out of range is refused, and nothing is sent", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    const from = home.device(DIMMER).received.length;
    expect(await write(home, "1A B 1 1", 1, 128)).toMatchObject({ kind: "failed", reason: "bad-parameter" });
    expect(sentTo(home, DIMMER, from)).toEqual([]);
  });

  test("the operation reads and writes a parameter by its name, and names those of the node", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER, KEYPAD]);
    const at = (parameter: string, value?: number) =>
      home.operate("configure", { address: "1A B 1 1", parameter, ...(value === undefined ? {} : { value }) });
    expect(await at("led-brightness", 64)).toMatchObject({
      stage: "done",
      detail: "The parameter led-brightness is 64 now.",
    });
    expect(await at("led-brightness")).toMatchObject({ stage: "done", detail: "The parameter led-brightness is 64." });
    expect(await at("relay-mode", 1)).toMatchObject({
      stage: "failed",
      detail: expect.stringContaining("program-lock, led-on-traffic"),
    });
    expect(await at("led", 2)).toMatchObject({ stage: "failed", detail: "The parameter led is 0 to 1." });
  });
});

describe("the brightness of LEDs", () => {
  test.each([
    [1, 32, 0x45, { at: 9, command: 7 }],
    [1, 65, 0x45, { at: 9, command: 7 }],
    [2, 42, 0x45, null],
    [2, 45, 0x45, { at: 9, command: 7 }],
    [1, 0, 0x45, { at: 3, command: 3 }],
    [1, 4, 0x2f, { at: 3, command: 3 }],
    [1, 4, 0x30, { at: 9, command: 7 }],
    [1, 25, 0x40, { at: 3, command: 3 }],
    [1, 25, 0x41, { at: 9, command: 7 }],
    [2, 10, 0x45, { at: 3, command: 3 }],
    [2, 57, 0x45, null],
  ])("of product %i.%i with firmware %i is the setting %j", (category, subcategory, firmware, led) => {
    expect(nodesOf("1A 2B 3C", { category, subcategory, firmware, engine: "i2" })?.[0]?.led).toEqual(led);
  });

  test.each([
    ["1A B 1 1", 51, 0, "2E00010711"],
    ["1A B 1 1", 51, 100, "2E0001077F"],
    ["1A B 3 4", 25, 127, "2E0001077F"],
    ["1A B 3 4", 25, 0x24, "2E00010724"],
  ] as const)("the command BL to %s in unit %i with %i is %s", async (address, uom, value, bytes) => {
    const home = await SimulatedInsteonHome.discovered([DIMMER, KEYPAD]);
    const device = address === "1A B 1 1" ? DIMMER : KEYPAD;
    const from = home.device(device).received.length;
    expect(await home.send(address, "BL", [value, uom])).toEqual({ kind: "acked" });
    expect(sentTo(home, device, from)).toContain(bytes);
  });

  test("a beep carries its length", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    const from = home.device(DIMMER).received.length;
    await home.send("1A B 1 1", "BEEP", [20, 100]);
    expect(sentTo(home, DIMMER, from)).toEqual(["3014"]);
  });
});

describe("an I/O module", () => {
  test("whose relay is momentary is shown as off again when its time is over", async () => {
    const home = await SimulatedInsteonHome.discovered([IO]);
    await write(home, "1A B 4 2", 13, 1);
    await write(home, "1A B 4 2", 14, 30);
    expect(await home.send("1A B 4 2", "DON")).toEqual({ kind: "acked" });
    expect(home.host.value("1A B 4 2")).toBe(255);
    await home.pass(5000);
    expect(home.host.value("1A B 4 2")).toBe(0);
  });

  test("whose relay latches stays on", async () => {
    const home = await SimulatedInsteonHome.discovered([IO]);
    await home.send("1A B 4 2", "DON");
    await home.pass(10_000);
    expect(home.host.value("1A B 4 2")).toBe(255);
  });

  test("does not show its input as on when its SET button switches the relay", async () => {
    const home = await SimulatedInsteonHome.discovered([IO]);
    home.host.forget();
    home.device(IO).levels.set(1, 255);
    home.modem.emit([0x02, 0x50, 0x1a, 0x0b, 0x04, 0x00, 0x00, 0x01, 0xcb, 0x11, 0x00]);
    await home.pass(5000);
    expect([home.host.value("1A B 4 1"), home.host.value("1A B 4 2")]).toEqual([null, 255]);
  });

  test("shows its input within a second after it changed", async () => {
    const home = await SimulatedInsteonHome.discovered([IO]);
    home.device(IO).levels.set(2, 255);
    home.modem.press(home.device(IO), 1, ON);
    await home.pass(1200);
    expect(home.host.value("1A B 4 1")).toBe(255);
  });
});

describe("the query of every night", () => {
  test("corrects what a lost message left wrong, and asks no sensor", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER, MOTION]);
    home.device(DIMMER).levels.set(1, 77);
    const asked = home.device(MOTION).received.length;
    await home.passDays(1);
    expect(home.host.value("1A B 1 1")).toBe(77);
    expect(home.device(MOTION).received).toHaveLength(asked);
  });
});
