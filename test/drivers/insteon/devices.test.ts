/** Kinds of Insteon devices on the simulated modem: their nodes, commands, status and messages. */

import { describe, expect, test } from "vitest";
import type { DeviceKind, DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { memoryStore } from "../recording-host.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const plan = (kind: DeviceKind, last: number, more: Partial<DevicePlan> = {}): DevicePlan => ({
  id: [0x1a, 0x0b, last],
  kind,
  ...more,
});
const DIMMER = plan("dimmer", 1);
const RELAY = plan("relay", 2, { engine: 1 });
const OUTLET = plan("outlet", 3);
const KEYPAD = plan("keypad", 4);
const FAN = plan("fan", 5);
const IO = plan("io", 6, { engine: 0 });
const MOTION = plan("motion", 7);
const LEAK = plan("leak", 8);
const DOOR = plan("door", 9);
const THERMOSTAT = plan("thermostat", 10);
const ALL = [DIMMER, RELAY, OUTLET, KEYPAD, FAN, IO, MOTION, LEAK, DOOR, THERMOSTAT];

const ON = 0x11;
const OFF = 0x13;
const PERCENT = 51;
const HALF_DEGREES = 101;

describe("the devices of a modem", () => {
  test("come by themselves, with the nodes and nodedefs of their product and engine", async () => {
    const { host } = await SimulatedInsteonHome.discovered(ALL);
    const nodedefs = Object.fromEntries(
      Array.from(host.nodes.values(), ({ address, nodeDefId }) => [address, nodeDefId]),
    );
    expect(nodedefs).toMatchObject({
      "1A B 1 1": "DimmerLampSwitch_ADV",
      "1A B 2 1": "RelayLampSwitch",
      "1A B 3 2": "RelayLampSwitch_ADV",
      "1A B 4 1": "KeypadDimmer_ADV",
      "1A B 4 8": "KeypadButton_ADV",
      "1A B 5 2": "FanLincMotor",
      "1A B 6 1": "BinaryControl",
      "1A B 6 2": "RelayLampOnly",
      "1A B 7 1": "BinaryAlarm",
      "1A B 8 4": "BinaryAlarm",
      "1A B 9 2": "BinaryAlarm",
      "1A B A 1": "Thermostat",
    });
    expect(host.nodes.get("1A B 1 1")).toMatchObject({ type: "1.32.69.0", primary: "1A B 1 1", family: 1 });
    expect(host.violations).toEqual([]);
  });

  test("twenty devices are known within four minutes", async () => {
    const plans = Array.from({ length: 20 }, (_, at) => plan("dimmer", at + 1));
    const home = new SimulatedInsteonHome(plans);
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    await home.pass(240_000);
    expect(home.host.nodes.size).toBe(20);
  });

  test("a device that is linked with the buttons while the driver runs is added", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.modem.linkByButton(RELAY);
    await home.pass(10_000);
    expect(home.host.nodes.has("1A B 2 1")).toBe(true);
  });

  test("their status is read at the start, a sensor's never", async () => {
    const store = memoryStore();
    const first = new SimulatedInsteonHome(ALL, store);
    first.device(DIMMER).levels.set(1, 128);
    first.device(OUTLET).levels.set(2, 255);
    first.device(KEYPAD).levels.set(5, 255);
    first.device(IO).levels.set(2, 255);
    await first.settle(first.driver.start(first.host, new AbortController().signal));
    await first.pass(120_000);
    const values = ["1A B 1 1", "1A B 3 1", "1A B 3 2", "1A B 4 5", "1A B 4 6", "1A B 6 1", "1A B 8 1"];
    expect(values.map((address) => first.host.value(address))).toEqual([128, 0, 255, 255, 0, 255, null]);
    expect([first.host.value("1A B 1 1", "OL"), first.host.value("1A B 1 1", "RR")]).toEqual([255, 28]);
    expect(first.device(LEAK).received).toEqual([]);
    expect(first.host.violations).toEqual([]);
  });

  test("a thermostat reports its climate in its own unit", async () => {
    const { host } = await SimulatedInsteonHome.discovered([THERMOSTAT]);
    const ids = ["ST", "CLISPC", "CLISPH", "CLIHUM", "CLIMD", "CLIFS", "CLIHCS", "UOM"];
    expect(ids.map((id) => host.value("1A B A 1", id))).toEqual([141, 152, 136, 44, 1, 8, 1, 2]);
    expect(host.last("1A B A 1", "ST")).toMatchObject({ uom: HALF_DEGREES });
  });

  test("a thermostat that shows Celsius reports its climate in Celsius", async () => {
    const home = new SimulatedInsteonHome([THERMOSTAT]);
    home.device(THERMOSTAT).climate = { ...home.device(THERMOSTAT).climate, isCelsius: true, cool: 25, heat: 19 };
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    await home.pass(60_000);
    const ids = ["ST", "CLISPC", "CLISPH", "UOM"];
    expect(ids.map((id) => home.host.value("1A B A 1", id))).toEqual([43, 50, 38, 1]);
  });

  test("a device that forgot the modem is named, and its commands are refused", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.device(DIMMER).links.clear();
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({
      kind: "failed",
      reason: "rejected",
      detail: expect.stringContaining("does not know this modem"),
    });
  });
});

type CommandCase = readonly [
  node: string,
  command: string,
  values: readonly (readonly [number, number])[],
  bytes: readonly number[],
  properties: Readonly<Record<string, number>>,
];

const COMMANDS: readonly CommandCase[] = [
  ["1A B 1 1", "DON", [], [0x11, 255], { ST: 255 }],
  ["1A B 1 1", "DON", [[50, PERCENT]], [0x11, 128], { ST: 128 }],
  ["1A B 1 1", "DON", [[64, 100]], [0x11, 64], { ST: 64 }],
  ["1A B 1 1", "DON", [[0, PERCENT]], [0x13, 0], { ST: 0 }],
  ["1A B 1 1", "DOF", [], [0x13, 0], { ST: 0 }],
  ["1A B 1 1", "DFON", [], [0x12, 255], { ST: 255 }],
  ["1A B 1 1", "DFOF", [], [0x14, 0], { ST: 0 }],
  ["1A B 1 1", "BRT", [], [0x15, 0], { ST: 8 }],
  ["1A B 1 1", "DIM", [], [0x16, 0], {}],
  ["1A B 1 1", "FDUP", [], [0x17, 1], {}],
  ["1A B 1 1", "FDDOWN", [], [0x17, 0], {}],
  ["1A B 1 1", "FDSTOP", [], [0x18, 0], {}],
  ["1A B 1 1", "BEEP", [], [0x30, 0], {}],
  ["1A B 1 1", "OL", [[40, PERCENT]], [0x2e, 0, 1, 6, 102], { OL: 102 }],
  ["1A B 1 1", "RR", [[20, 25]], [0x2e, 0, 1, 5, 20], { RR: 20 }],
  ["1A B 2 1", "DON", [], [0x11, 255], { ST: 255 }],
  ["1A B 3 2", "DON", [], [0x11, 255, 2], { ST: 255 }],
  ["1A B 3 2", "DOF", [], [0x13, 0, 2], { ST: 0 }],
  ["1A B 5 2", "DON", [[25, PERCENT]], [0x11, 64, 2], { ST: 64 }],
  ["1A B 5 2", "DON", [[75, PERCENT]], [0x11, 191, 2], { ST: 191 }],
  ["1A B 5 2", "DFON", [], [0x11, 255, 2], { ST: 255 }],
  ["1A B 5 2", "DOF", [], [0x13, 0, 2], { ST: 0 }],
  ["1A B 6 2", "DON", [], [0x11, 255], { ST: 255 }],
  ["1A B A 1", "CLISPH", [[70, 14]], [0x6d, 140], { CLISPH: 140 }],
  ["1A B A 1", "CLISPC", [[155, HALF_DEGREES]], [0x6c, 155], { CLISPC: 155 }],
  ["1A B A 1", "CLIMD", [[2, 98]], [0x6b, 5], { CLIMD: 2 }],
  ["1A B A 1", "CLIMD", [[5, 98]], [0x6b, 10], { CLIMD: 5 }],
  ["1A B A 1", "CLIFS", [[7, 99]], [0x6b, 7], { CLIFS: 7 }],
  ["1A B A 1", "BRT", [], [0x68, 2], { CLISPH: 138, CLISPC: 154 }],
];

describe("commands", () => {
  test.each(COMMANDS)(
    "%s %s %j sends the bytes %j and is then %j",
    async (node, command, values, bytes, properties) => {
      const home = await SimulatedInsteonHome.discovered(ALL);
      const device = [...home.modem.devices.values()].find(({ id }) =>
        node.startsWith(`${id.map((part) => part.toString(16).toUpperCase()).join(" ")} `),
      );
      const before = device?.received.length ?? 0;
      home.host.forget();
      expect(await home.send(node, command, ...values)).toEqual({ kind: "acked" });
      const sent = device?.received[before];
      expect([sent?.cmd1, sent?.cmd2, ...(sent?.data ?? [])].slice(0, bytes.length)).toEqual(bytes);
      await home.pass(5000);
      const shown = Object.fromEntries(Object.keys(properties).map((id) => [id, home.host.value(node, id)]));
      expect(shown).toEqual(properties);
      expect(home.host.violations).toEqual([]);
    },
  );

  test("a query reads the device", async () => {
    const home = await SimulatedInsteonHome.discovered([FAN]);
    home.device(FAN).levels.set(2, 191);
    expect(await home.query("1A B 5 2")).toEqual({ kind: "acked" });
    expect(home.host.last("1A B 5 2", "ST")).toMatchObject({ value: 191, cause: "query" });
  });

  test("a command to a sensor that sleeps fails, and marks no error", async () => {
    const home = await SimulatedInsteonHome.discovered([LEAK]);
    home.modem.press(home.device(LEAK), 1, ON);
    await home.pass(120_000);
    expect(await home.query("1A B 8 1")).toMatchObject({ kind: "failed", reason: "no-ack" });
    expect([home.host.value("1A B 8 1", "ERR"), home.host.links.get("1A B 8 1")]).toEqual([0, "asleep"]);
  });
});

describe("messages of devices", () => {
  test("a press is one control, with the status that it implies", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    home.host.forget();
    home.modem.faults.repeats = true;
    home.modem.press(home.device(KEYPAD), 3, ON);
    await home.pass(5000);
    expect(home.host.controls).toEqual([{ address: "1A B 4 3", control: "DON", value: 0 }]);
    expect(home.host.value("1A B 4 3")).toBe(255);
  });

  test("a press reaches the host within 300 ms", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    home.modem.press(home.device(KEYPAD), 3, ON);
    await home.pass(300);
    expect(home.host.controls).toHaveLength(1);
  });

  test("a command that follows from a press goes out as soon as the press is cleaned up", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD, RELAY]);
    home.modem.press(home.device(KEYPAD), 3, ON);
    await home.pass(100);
    expect(home.host.controls).toHaveLength(1);
    const pressedMs = home.clock.elapsed();
    await home.send("1A B 2 1", "DON");
    expect(home.device(RELAY).level()).toBe(255);
    expect(home.clock.elapsed() - pressedMs).toBeLessThanOrEqual(400);
  });

  test.each([
    ["without its cleanup", ["broadcast"]],
    ["without its broadcast", ["cleanup", "success"]],
  ])("a press %s is one control", async (_which, messages) => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.modem.press(home.device(DIMMER), 1, OFF, 0, messages);
    await home.pass(5000);
    expect(home.host.controls).toEqual([{ address: "1A B 1 1", control: "DOF", value: 0 }]);
  });

  test("a press in whose cleanups a modem in monitor mode shows those to other devices is one control", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD, RELAY]);
    const from = home.device(KEYPAD).id;
    const tell = (to: readonly number[], flags: number, cmd2: number) =>
      home.modem.emit([0x02, 0x50, ...from, ...to, flags, ON, cmd2]);
    tell([0, 0, 3], 0xcf, 0);
    for (const to of [[9, 9, 1], [9, 9, 2], home.modem.id]) {
      await home.pass(300);
      tell(to, 0x45, 3);
      tell(to, 0x41, 3);
    }
    await home.pass(5000);
    expect(home.host.controls).toEqual([{ address: "1A B 4 3", control: "DON", value: 0 }]);
  });

  test("an answer to another modem is not taken for one to this modem", async () => {
    const home = await SimulatedInsteonHome.discovered([RELAY]);
    const { id } = home.device(RELAY);
    home.device(RELAY).isDeaf = true;
    const sent = home.send("1A B 2 1", "DON");
    home.modem.emit([0x02, 0x50, ...id, 9, 9, 9, 0x23, ON, 255]);
    expect(await sent).toMatchObject({ kind: "failed", reason: "no-ack" });
  });

  test("two presses with the same bytes are two", async () => {
    const home = await SimulatedInsteonHome.discovered([RELAY]);
    home.modem.press(home.device(RELAY), 1, ON);
    await home.pass(1000);
    home.modem.press(home.device(RELAY), 1, ON);
    await home.pass(5000);
    expect(home.host.controls.map(({ control }) => control)).toEqual(["DON", "DON"]);
  });

  test("a dimmer that is pressed at its on level is queried, because the second press goes to full", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    await home.send("1A B 1 1", "OL", [50, PERCENT]);
    const lamp = home.device(DIMMER);
    lamp.levels.set(1, 255);
    home.modem.press(lamp, 1, ON);
    await home.pass(1000);
    expect(home.host.value("1A B 1 1")).toBe(128);
    await home.pass(4000);
    expect(home.host.value("1A B 1 1")).toBe(255);
  });

  test("a fade ends with the level that the dimmer has then", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    const lamp = home.device(DIMMER);
    home.modem.press(lamp, 1, 0x17, 1, ["broadcast"]);
    await home.pass(1000);
    lamp.levels.set(1, 170);
    home.modem.press(lamp, 1, 0x18, 0, ["broadcast"]);
    await home.pass(5000);
    expect(home.host.controls.map(({ control }) => control)).toEqual(["FDUP", "FDSTOP"]);
    expect(home.host.value("1A B 1 1")).toBe(170);
  });

  test("the turn of a dial carries its level", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.modem.press(home.device(DIMMER), 1, 0x34, 0x9b, ["broadcast"]);
    await home.pass(1000);
    expect(home.host.value("1A B 1 1")).toBe(0x9f);
  });

  test("a leak sensor's nodes show the fact and its opposite; its heartbeat changes neither", async () => {
    const home = await SimulatedInsteonHome.discovered([LEAK]);
    const leak = home.device(LEAK);
    home.modem.press(leak, 1, ON);
    await home.pass(30_000);
    home.host.forget();
    home.modem.press(leak, 2, ON);
    await home.pass(5000);
    expect([home.host.value("1A B 8 1"), home.host.value("1A B 8 2")]).toEqual([0, 255]);
    for (let burst = 0; burst < 3; burst += 1) {
      home.modem.press(leak, 4, ON, 0, ["broadcast"]);
      await home.pass(1500);
    }
    expect(home.host.controls).toEqual([
      { address: "1A B 8 2", control: "DON", value: 0 },
      { address: "1A B 8 4", control: "DON", value: 0 },
    ]);
    expect([home.host.value("1A B 8 1"), home.host.value("1A B 8 2")]).toEqual([0, 255]);
  });

  test("a sensor whose heartbeats stay away for a day is marked until it sends something, also over a restart", async () => {
    const store = memoryStore();
    const first = await SimulatedInsteonHome.discovered([LEAK, MOTION], store);
    const shown = ({ host }: SimulatedInsteonHome, address: string) => [
      host.known(address, "ERR"),
      host.links.get(address),
    ];
    await first.passDays(0.9);
    first.modem.press(first.device(LEAK), 1, ON);
    await first.passDays(0.9);
    expect(shown(first, "1A B 8 1")).toEqual([0, "asleep"]);
    await first.driver.stop();
    const second = new SimulatedInsteonHome([], store, first);
    await second.start();
    await second.passDays(0.3);
    expect(shown(second, "1A B 8 1")).toEqual([1, "unreachable"]);
    expect(shown(second, "1A B 7 1")).toEqual([0, "asleep"]);
    expect(second.host.logLines.filter((line) => line.includes("silent for more than a day"))).toHaveLength(1);
    second.modem.press(second.device(LEAK), 4, ON, 0, ["broadcast"]);
    await second.pass(5000);
    expect(shown(second, "1A B 8 1")).toEqual([0, "asleep"]);
  });

  test("a sensor that slept through the start is identified when it sends something", async () => {
    const home = new SimulatedInsteonHome([MOTION]);
    home.modem.records.splice(0, 1);
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    await home.pass(60_000);
    expect(home.host.nodes.size).toBe(0);
    home.modem.press(home.device(MOTION), 1, ON);
    await home.pass(10_000);
    expect(home.host.nodes.get("1A B 7 1")?.nodeDefId).toBe("BinaryAlarm_ADV");
  });

  test("a sensor that is known by the modem's record alone gets its own nodedef when it sends something, also after a restart", async () => {
    const store = memoryStore();
    const first = await SimulatedInsteonHome.discovered([MOTION], store);
    expect(first.host.nodes.get("1A B 7 1")?.nodeDefId).toBe("BinaryAlarm");
    await first.driver.stop();
    const second = await SimulatedInsteonHome.discovered([MOTION], store);
    expect(second.host.nodes.get("1A B 7 1")?.nodeDefId).toBe("BinaryAlarm");
    second.modem.press(second.device(MOTION), 1, ON);
    await second.pass(10_000);
    expect(second.host.nodes.get("1A B 7 1")?.nodeDefId).toBe("BinaryAlarm_ADV");
    expect(second.host.value("1A B 7 1")).toBe(255);
  });

  test("a device that forgot the modem is named once, however often it is heard", async () => {
    const home = new SimulatedInsteonHome([plan("motion", 11, { sleeps: false })]);
    const device = home.device(plan("motion", 11));
    device.links.clear();
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    for (let round = 0; round < 3; round += 1) {
      home.modem.press(device, 1, ON);
      await home.pass(10_000);
    }
    expect(home.host.logLines.filter((line) => line.includes("does not know this modem"))).toHaveLength(1);
  });

  test("a sensor's value after a restart is the stored one", async () => {
    const store = memoryStore();
    const first = await SimulatedInsteonHome.discovered([DOOR], store);
    first.modem.press(first.device(DOOR), 1, ON);
    await first.pass(10_000);
    await first.driver.stop();
    const second = await SimulatedInsteonHome.discovered([DOOR], store);
    expect([second.host.known("1A B 9 1"), second.host.known("1A B 9 2")]).toEqual([255, 0]);
  });

  test("an answer to a status request is no press, whatever its first byte", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.host.forget();
    home.modem.emit([0x02, 0x50, 0x1a, 0x0b, 0x01, 0x4a, 0x11, 0x5c, 0x23, 0x11, 0x80]);
    await home.pass(1000);
    expect([...home.host.controls, ...home.host.reports]).toEqual([]);
  });
});

describe("faults", () => {
  test("a device without power is marked until it answers again", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.device(DIMMER).isDeaf = true;
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "no-ack", retryable: true });
    expect([home.host.value("1A B 1 1", "ERR"), home.host.links.get("1A B 1 1")]).toEqual([1, "unreachable"]);
    home.device(DIMMER).isDeaf = false;
    await home.pass(700_000);
    expect([home.host.value("1A B 1 1", "ERR"), home.host.links.get("1A B 1 1")]).toEqual([0, "online"]);
  });

  test.each([true, false])(
    "a modem that acknowledges and sends nothing confirms no command (tells of silence: %s)",
    async (tellsSilence) => {
      const home = await SimulatedInsteonHome.discovered([DIMMER]);
      home.modem.faults.sendsNothing = true;
      home.modem.faults.tellsSilence = tellsSilence;
      expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "no-ack" });
      expect(home.host.value("1A B 1 1")).toBe(0);
    },
  );

  test("a device that a modem reports as silent fails after three tries", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.device(DIMMER).isDeaf = true;
    home.modem.faults.tellsSilence = true;
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "no-ack" });
  });

  test("a device that refuses a command and does it shows what it says of itself", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    const lamp = home.device(DIMMER);
    const react = lamp.react.bind(lamp);
    const REFUSED = { answer: { cmd1: ON, cmd2: 0xfe, refused: true } };
    lamp.react = (frame, ...more) => {
      const reaction = react(frame, ...more);
      return frame.cmd1 === ON ? REFUSED : reaction;
    };
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "rejected" });
    await home.pass(2000);
    expect([home.host.value("1A B 1 1"), home.host.value("1A B 1 1", "ERR")]).toEqual([255, 0]);
  });

  test("a busy modem gets the command again until it takes it", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.modem.faults.busy = 8;
    expect(await home.send("1A B 1 1", "DON")).toEqual({ kind: "acked" });
  });

  test("a link record that is lost on the line does not hide a device", async () => {
    const home = new SimulatedInsteonHome([DIMMER, RELAY]);
    home.modem.faults.lostRecords = 2;
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    await home.pass(60_000);
    expect([...home.host.nodes.keys()]).toEqual(["1A B 1 1", "1A B 2 1"]);
  });

  test("losses and copies on the air leave commands and presses whole", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER, KEYPAD]);
    home.host.forget();
    home.modem.faults.lostOfTen = 2;
    home.modem.faults.repeats = true;
    for (let round = 0; round < 20; round += 1) {
      expect(await home.send("1A B 1 1", round % 2 === 0 ? "DON" : "DOF")).toEqual({ kind: "acked" });
      expect(home.host.value("1A B 1 1")).toBe(round % 2 === 0 ? 255 : 0);
    }
    for (let round = 0; round < 20; round += 1) {
      home.modem.press(home.device(KEYPAD), 5, ON);
      await home.pass(3000);
    }
    expect(home.host.controls.length).toBeGreaterThanOrEqual(18);
    expect(home.host.controls.length).toBeLessThanOrEqual(20);
  });

  test("the owner's command goes before the reading of devices", async () => {
    const plans = Array.from({ length: 20 }, (_, at) => plan("dimmer", at + 1));
    const home = new SimulatedInsteonHome(plans);
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    await home.pass(15_000);
    expect(home.host.nodes.size).toBeLessThan(20);
    const fromMs = home.clock.elapsed();
    expect(await home.send("1A B 1 1", "DON")).toEqual({ kind: "acked" });
    expect(home.clock.elapsed() - fromMs).toBeLessThan(3000);
  });

  test("an unplugged modem fails the driver, and its commands end", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.device(DIMMER).isDeaf = true;
    const sent = home.send("1A B 1 1", "DON");
    home.modem.unplug();
    expect(await sent).toMatchObject({ kind: "failed", reason: "not-ready" });
    expect(home.host.states.at(-1)).toBe("failed");
    home.modem.isPlugged = true;
    home.device(DIMMER).isDeaf = false;
    await home.settle(home.driver.start(home.host, new AbortController().signal));
    expect(await home.send("1A B 1 1", "DON")).toEqual({ kind: "acked" });
  });

  test("a modem that stops answering fails the driver", async () => {
    const home = await SimulatedInsteonHome.discovered([DIMMER]);
    home.modem.faults.busy = 10_000;
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "not-ready" });
    expect(home.host.states.at(-1)).toBe("failed");
  });
});
