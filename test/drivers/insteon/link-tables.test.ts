/** Link databases of modem and devices, as the driver reads them in the background. */

import { describe, expect, test } from "vitest";
import type { DeviceKind, DevicePlan, SimulatedDevice } from "../../../simulators/insteon/simulated-device.ts";
import { DeviceTables } from "../../../src/drivers/insteon/links/device-tables.ts";
import { memoryStore } from "../recording-host.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const plan = (kind: DeviceKind, last: number, more: Partial<DevicePlan> = {}): DevicePlan => ({
  id: [0x1a, 0x0b, last],
  kind,
  ...more,
});
const LAMP = plan("dimmer", 1);
const KEYPAD = plan("keypad", 2);
const MOTION = plan("motion", 3);
const ON = 0x11;
const TABLE = 0x2f;
const RECHECK_MS = 600_000;

/** Records of devices that were linked by hand. */
function linkByHand(device: SimulatedDevice, count: number): void {
  for (let at = 0; at < count; at += 1) device.linkAsResponder(1, [0x30, 0x40, at], [at, 0x1c, 1]);
}

/** Addresses of the records that the device was asked for. */
function readsOf({ received }: SimulatedDevice): readonly number[] {
  return received
    .filter(({ cmd1, data }) => cmd1 === TABLE && data?.[1] === 0)
    .map(({ data = [] }) => ((data[2] ?? 0) << 8) | (data[3] ?? 0));
}

function links(home: SimulatedInsteonHome, id: string) {
  return new DeviceTables(home.host.store).links(id)?.map(({ group, device }) => `${group} ${device}`) ?? null;
}

const MODEM = "4A 11 5C";

describe("the links of a device", () => {
  test.each<[string, Partial<DevicePlan>, Partial<SimulatedDevice>]>([
    ["of the second generation, which repeats the last byte of the request", { engine: 1 }, {}],
    ["of the third generation", {}, {}],
    ["whose table begins at 00FF", { top: 0x00ff }, {}],
    ["whose erased memory reads FF", { erased: 0xff }, {}],
    ["whose end begins with FF FC", { erased: [0xff, 0xfc, 0, 0, 0, 0, 0, 0] }, {}],
    ["that refuses what is beyond the end as a device that does not know the modem", {}, { refusesBeyond: 0xff }],
    ["that refuses what is beyond the end as a device that is busy", {}, { refusesBeyond: 0xfc }],
    ["that sends erased memory for a later address", { erased: 0xff }, { erasedAt: 0xfffc }],
    ["that refuses the request and sends the record all the same", {}, { refusesReads: true }],
  ])("%s are read to their end", async (_which, more, state) => {
    const home = new SimulatedInsteonHome([plan("dimmer", 1, more)]);
    linkByHand(home.device(LAMP), 3);
    Object.assign(home.device(LAMP), state);
    await home.start();
    await home.pass(60_000);
    expect(links(home, "1A B 1")).toEqual([`0 ${MODEM}`, `1 ${MODEM}`, "1 30 40 0", "1 30 40 1", "1 30 40 2"]);
  });

  test("are whole although messages are lost on the air and come twice", async () => {
    const home = new SimulatedInsteonHome([LAMP]);
    linkByHand(home.device(LAMP), 30);
    home.modem.faults.lostOfTen = 2;
    home.modem.faults.repeats = true;
    await home.start();
    await home.pass(300_000);
    expect(links(home, "1A B 1")).toHaveLength(32);
  });

  test("are read from where the reading ended before a restart", async () => {
    const store = memoryStore();
    const first = new SimulatedInsteonHome([LAMP], store);
    linkByHand(first.device(LAMP), 30);
    await first.start();
    await first.pass(8000);
    const known = readsOf(first.device(LAMP));
    expect(known.length).toBeGreaterThan(3);
    expect(known.length).toBeLessThan(30);
    await first.driver.stop();
    const second = new SimulatedInsteonHome([LAMP], store);
    linkByHand(second.device(LAMP), 30);
    await second.start();
    await second.pass(60_000);
    expect(links(second, "1A B 1")).toHaveLength(32);
    expect(readsOf(second.device(LAMP)).filter((address) => known.slice(0, -1).includes(address))).toEqual([]);
  });

  test("are read again only when the device counts a change", async () => {
    const store = memoryStore();
    const first = await SimulatedInsteonHome.discovered([LAMP], store);
    await first.driver.stop();
    const second = await SimulatedInsteonHome.discovered([LAMP], store);
    const lamp = second.device(LAMP);
    expect(readsOf(lamp)).toEqual([]);
    lamp.linkAsResponder(1, [0x30, 0x40, 0x50]);
    await second.query("1A B 1 1");
    await second.pass(30_000);
    expect(links(second, "1A B 1")).toEqual([`0 ${MODEM}`, `1 ${MODEM}`, "1 30 40 50"]);
  });

  test("with a gap are told, and read again later", async () => {
    const home = new SimulatedInsteonHome([LAMP, KEYPAD]);
    const lamp = home.device(LAMP);
    lamp.omitted.add(0x0ff7);
    await home.start();
    await home.pass(120_000);
    expect([links(home, "1A B 1"), links(home, "1A B 2")?.length]).toEqual([null, 9]);
    expect(home.host.logLines.filter((line) => line.includes("leaves out the link at 0FF7"))).toHaveLength(1);
    lamp.omitted.clear();
    await home.pass(RECHECK_MS);
    expect(links(home, "1A B 1")).toHaveLength(2);
  });

  test("are taken from the address that was asked for, whatever else arrives", async () => {
    const home = new SimulatedInsteonHome([LAMP]);
    linkByHand(home.device(LAMP), 10);
    await home.start();
    const late = [0x02, 0x51, 0x1a, 0x0b, 1, 0x4a, 0x11, 0x5c, 0x13, TABLE, 0];
    const other = [0, 1, 0x0f, 0xff, 0, 0xa2, 9, 9, 9, 9, 1, 2, 3];
    for (let round = 0; round < 200; round += 1) {
      await home.pass(100);
      home.modem.emit([...late, ...other, -[TABLE, ...other].reduce((sum, byte) => sum + byte, 0) & 0xff]);
    }
    await home.pass(60_000);
    expect(links(home, "1A B 1")).toHaveLength(12);
  });

  test("of a device on a battery are read when it wakes, and the device is kept awake meanwhile", async () => {
    const home = await SimulatedInsteonHome.discovered([MOTION]);
    const motion = home.device(MOTION);
    linkByHand(motion, 20);
    expect(readsOf(motion)).toEqual([]);
    home.modem.press(motion, 1, ON);
    await home.pass(60_000);
    expect(links(home, "1A B 3")).toHaveLength(24);
  });

  test("are read after the owner's commands", async () => {
    const home = new SimulatedInsteonHome([LAMP, KEYPAD]);
    linkByHand(home.device(LAMP), 60);
    await home.start();
    await home.pass(15_000);
    const fromMs = home.clock.elapsed();
    expect(await home.send("1A B 2 1", "DON")).toEqual({ kind: "acked" });
    expect(home.clock.elapsed() - fromMs).toBeLessThan(2000);
    expect(links(home, "1A B 1")).toBeNull();
    await home.pass(60_000);
    expect(links(home, "1A B 1")).toHaveLength(62);
  });

  test("of two devices are read one after the other", async () => {
    const home = new SimulatedInsteonHome([LAMP, KEYPAD]);
    linkByHand(home.device(LAMP), 5);
    const order: number[] = [];
    home.modem.onCommand = (bytes) => {
      if (bytes[1] === 0x62 && bytes[6] === TABLE) order.push(bytes[4] ?? 0);
      return true;
    };
    await home.start();
    await home.pass(60_000);
    expect(order).toEqual([...order].sort());
  });

  test("of the first generation are read from their memory, byte by byte", async () => {
    const old = plan("relay", 4, { engine: 0 });
    const home = new SimulatedInsteonHome([old]);
    home.device(old).linkAsResponder(5, [9, 9, 9], [255, 0, 1]);
    await home.start();
    await home.pass(60_000);
    expect(links(home, "1A B 4")).toHaveLength(3);
    expect(readsOf(home.device(old))).toEqual([]);
    const bytes = home.device(old).received.filter(({ cmd1 }) => cmd1 === 0x28 || cmd1 === 0x2b);
    expect(bytes.slice(0, 9).map(({ cmd1, cmd2 }) => [cmd1, cmd2])).toEqual([
      [0x28, 0x0f],
      ...[0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff].map((low) => [0x2b, low]),
    ]);
  });

  test("that a damaged store holds are read again", async () => {
    const store = memoryStore();
    store.set("links 1A B 1", { delta: 0x2d, isComplete: true, cells: [[0x0fff, 162, 1, "x", 1, 2, 3], 7, null] });
    const home = await SimulatedInsteonHome.discovered([LAMP], store);
    expect(links(home, "1A B 1")).toHaveLength(2);
  });
});

test.each([
  ["that comes once more, late,", { lateRecords: 1 }],
  ["that is lost together with the modem's own answer", { lostEchoes: 1 }],
])("a link record of the modem %s hides no device", async (_which, faults) => {
  const home = new SimulatedInsteonHome([LAMP, KEYPAD, MOTION]);
  home.modem.links.step(true);
  Object.assign(home.modem.faults, faults);
  await home.start();
  await home.pass(60_000);
  expect(home.host.nodes.size).toBe(12);
});
