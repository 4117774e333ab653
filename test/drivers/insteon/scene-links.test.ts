/** Scenes of the home in the link databases of modem and devices. */

import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DeviceKind, DevicePlan, SimulatedDevice } from "../../../simulators/insteon/simulated-device.ts";
import type { DeviceLink } from "../../../src/home/device-links.ts";
import { memoryStore } from "../recording-host.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";
import { UnsavedStore } from "./unsaved-store.ts";

const plan = (kind: DeviceKind, last: number, more: Partial<DevicePlan> = {}): DevicePlan => ({
  id: [0x1a, 0x0b, last],
  kind,
  ...more,
});
const LAMP = plan("dimmer", 1);
const RELAY = plan("relay", 2, { engine: 1 });
const KEYPAD = plan("keypad", 3);
const MOTION = plan("motion", 4);
const FAN = plan("fan", 5);
const OLD = plan("relay", 6, { engine: 0 });
const [LAMP_NODE, RELAY_NODE, MOTION_NODE, FAN_NODE] = ["1A B 1 1", "1A B 2 1", "1A B 4 1", "1A B 5 2"] as const;
const button = (number: number) => `1A B 3 ${number}`;

const SCENE = "31000";
const MODEM = [0x4a, 0x11, 0x5c];
const GROUP = 0x10;
const ON = 0x11;
const OFF = 0x13;
const TABLE = 0x2f;

function link(controller: string, responder: string, more: Partial<DeviceLink> = {}): DeviceLink {
  return { scene: SCENE, deviceGroup: 1, controller, responder, level: null, ramp: null, command: null, ...more };
}
const level = (percent: number) => ({ id: "OL", value: percent, uom: 51, prec: 0 });
const ramp = (index: number) => ({ id: "RR", value: index, uom: 25, prec: 0 });

async function want(home: SimulatedInsteonHome, links: readonly DeviceLink[], waitMs = 20_000): Promise<void> {
  home.host.wantedLinks = links;
  home.driver.links.refresh();
  await home.pass(waitMs);
}

function state(home: SimulatedInsteonHome, of: DeviceLink) {
  return home.driver.links.state(of);
}

/** The records of a device for a group, without those of its link with the modem that were there before. */
function recordsOf(device: SimulatedDevice, group: number): readonly string[] {
  const records = device.links.records().filter((record) => record[1] === group);
  return records.map((record) => Buffer.from(record).toString("hex").toUpperCase());
}

function modemRecords(home: SimulatedInsteonHome, group: number): readonly string[] {
  const records = home.modem.records.filter(([flags = 0, own]) => own === group && (flags & 0x80) !== 0);
  return records.map((record) => Buffer.from(record).toString("hex").toUpperCase());
}

describe("the plan of a large home", () => {
  test("lets other work go between its links, and is the same then", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    home.host.wantedLinks = [link(SCENE, LAMP_NODE), link(SCENE, RELAY_NODE)];
    // Every look at the clock is later than the end of a slice.
    let nowMs = 0;
    const looks = vi.spyOn(performance, "now").mockImplementation(() => {
      nowMs += 1000;
      return nowMs;
    });
    onTestFinished(() => looks.mockRestore());
    home.driver.links.refresh();
    const [first] = home.host.wantedLinks;
    expect(first && state(home, first)).toEqual({ state: "pending", detail: "The links are being compared." });
    await home.pass(20_000);
    expect(home.host.wantedLinks.map((each) => state(home, each)?.state)).toEqual(["done", "done"]);
  });
});

describe("commands to a scene", () => {
  const BOTH = [link(SCENE, LAMP_NODE, { level: level(50), ramp: ramp(20) }), link(SCENE, RELAY_NODE)];

  test("become a group of the modem, with level and ramp in every member", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    await want(home, BOTH);
    expect(BOTH.map((each) => state(home, each)?.state)).toEqual(["done", "done"]);
    expect(modemRecords(home, GROUP)).toEqual(["E2101A0B01000000", "E2101A0B02000000"]);
    expect(recordsOf(home.device(LAMP), GROUP)).toEqual(["A2104A115C801401"]);
    expect(recordsOf(home.device(RELAY), GROUP)).toEqual(["A2104A115CFF0001"]);
    expect(home.host.violations).toEqual([]);
  });

  test("are one message, which confirms each member's own command", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    await want(home, BOTH);
    const before = [LAMP, RELAY].map((each) => home.device(each).received.length);
    const outcomes = await sendTogether(home, "DON", [LAMP_NODE, [50, 51]], [RELAY_NODE]);
    expect(outcomes).toEqual([{ kind: "acked" }, { kind: "acked" }]);
    expect([home.device(LAMP).level(), home.device(RELAY).level()]).toEqual([128, 255]);
    expect([home.host.value(LAMP_NODE), home.host.value(RELAY_NODE)]).toEqual([128, 255]);
    expect([LAMP, RELAY].map((each) => home.device(each).received.length)).toEqual(before);
    await sendTogether(home, "DOF", [LAMP_NODE], [RELAY_NODE]);
    expect([home.device(LAMP).level(), home.host.value(LAMP_NODE), home.host.value(RELAY_NODE)]).toEqual([0, 0, 0]);
  });

  test("go to a member by itself when it did not acknowledge the message, and mark it when it is silent", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    await want(home, BOTH);
    home.device(RELAY).isDeaf = true;
    const outcomes = await sendTogether(home, "DON", [LAMP_NODE, [50, 51]], [RELAY_NODE]);
    expect(outcomes).toMatchObject([{ kind: "acked" }, { kind: "failed", reason: "no-ack" }]);
    expect([home.host.value(RELAY_NODE), home.host.value(RELAY_NODE, "ERR")]).toEqual([0, 1]);
  });

  test("at another level than the links say are sent to each member", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    await want(home, BOTH);
    await sendTogether(home, "DON", [LAMP_NODE, [20, 51]], [RELAY_NODE]);
    expect([home.device(LAMP).level(), home.host.value(LAMP_NODE)]).toEqual([51, 51]);
  });

  test("light the button of a keypad that shows the scene", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    await want(home, [link(SCENE, LAMP_NODE), link(SCENE, button(5))]);
    await sendTogether(home, "DON", [LAMP_NODE]);
    expect([home.device(KEYPAD).level(5), home.host.value(button(5))]).toEqual([255, 255]);
    await sendTogether(home, "DOF", [LAMP_NODE]);
    expect([home.device(KEYPAD).level(5), home.host.value(button(5))]).toEqual([0, 0]);
  });

  test("use the group that a modem from another controller has for the same members, and write nothing", async () => {
    const home = new SimulatedInsteonHome([LAMP, RELAY]);
    for (const each of [LAMP, RELAY]) home.modem.links.put([0xe2, 11, ...each.id, 0, 0, 0]);
    home.device(LAMP).linkAsResponder(11, MODEM, [128, 20, 0]);
    home.device(RELAY).linkAsResponder(11, MODEM, [255, 0x1f, 0]);
    await home.start();
    await home.pass(60_000);
    const links = BOTH.map((each) => ({ ...each, deviceGroup: 11 }));
    await want(home, links);
    expect(links.map((each) => state(home, each)?.state)).toEqual(["done", "done"]);
    expect(writesOf(home.device(LAMP))).toEqual([]);
    await want(home, []);
    expect(modemRecords(home, 11)).toHaveLength(2);
  });

  test("follow the on level of a member whose link has none", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    await want(home, [link(SCENE, LAMP_NODE), link(SCENE, RELAY_NODE)]);
    await home.send(LAMP_NODE, "OL", [30, 51]);
    await home.pass(20_000);
    expect(recordsOf(home.device(LAMP), GROUP)).toEqual(["A2104A115C4D1C01"]);
  });

  test("to a single member need no group", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP]);
    await want(home, [link(SCENE, LAMP_NODE)]);
    expect(state(home, link(SCENE, LAMP_NODE))).toMatchObject({ state: "software" });
    expect(writesOf(home.device(LAMP))).toEqual([]);
  });
});

describe("a button that controls a scene", () => {
  const PRESS = link(button(4), LAMP_NODE, { level: level(25), ramp: ramp(27) });

  test("commands the lamp itself, and the modem hears it", async () => {
    const home = new SimulatedInsteonHome([LAMP, KEYPAD]);
    const keypad = home.device(KEYPAD);
    home.modem.links.remove(4, KEYPAD.id);
    keypad.unlink(4, MODEM);
    await home.start();
    await home.pass(60_000);
    await want(home, [PRESS]);
    expect(state(home, PRESS)).toEqual({ state: "done", detail: "" });
    expect([...recordsOf(keypad, 4)].sort()).toEqual(["E2041A0B01030004", "E2044A115C030004"]);
    expect(recordsOf(home.device(LAMP), 4)).toEqual(["A2041A0B03401B01"]);
    expect(modemRecords(home, 4)).toEqual(["A2041A0B03000000"]);
    expect(["DON", "DOF", "FDUP", "CLISPH"].map((each) => home.driver.links.carries(PRESS, each))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("shows the level that its press gives the lamp, without a query", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    await want(home, [PRESS]);
    const lamp = home.device(LAMP);
    const before = lamp.received.length;
    home.modem.press(home.device(KEYPAD), 4, ON);
    await home.pass(1000);
    expect([lamp.level(), home.host.value(LAMP_NODE)]).toEqual([64, 64]);
    home.modem.press(home.device(KEYPAD), 4, OFF);
    await home.pass(5000);
    expect([lamp.level(), home.host.value(LAMP_NODE), lamp.received.length - before]).toEqual([0, 0, 0]);
    lamp.levels.set(1, 0x77);
    home.modem.press(home.device(KEYPAD), 4, 0x18, 0, ["broadcast"]);
    await home.pass(5000);
    expect(home.host.value(LAMP_NODE)).toBe(0x77);
  });

  test("of a link that was made by hand shows it too", async () => {
    const home = new SimulatedInsteonHome([RELAY, KEYPAD]);
    home.device(KEYPAD).linkAsController(6, RELAY.id);
    home.device(RELAY).linkAsResponder(6, KEYPAD.id, [255, 0, 0]);
    await home.start();
    await home.pass(60_000);
    home.modem.press(home.device(KEYPAD), 6, ON);
    await home.pass(1000);
    expect(home.host.value(RELAY_NODE)).toBe(255);
  });

  test("gets its new level written over the old one", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    await want(home, [PRESS]);
    const writes = writesOf(home.device(LAMP)).length;
    await want(home, [{ ...PRESS, level: level(100) }]);
    expect(recordsOf(home.device(LAMP), 4)).toEqual(["A2041A0B03FF1B01"]);
    expect(writesOf(home.device(LAMP))).toHaveLength(writes + 1);
  });

  test("leaves with the scene, and what the controller did not write stays", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).linkAsResponder(4, [9, 9, 9]);
    const before = [home.device(LAMP), home.device(KEYPAD)].map((each) => each.links.records().length);
    await want(home, [PRESS]);
    await want(home, []);
    expect([home.device(LAMP), home.device(KEYPAD)].map((each) => each.links.records().length)).toEqual(before);
    expect([recordsOf(home.device(LAMP), 4), modemRecords(home, 4)]).toEqual([
      ["A204090909FF1C01"],
      ["A2041A0B03000000"],
    ]);
  });

  test.each<[string, DeviceLink, string]>([
    [
      "with a command of its own",
      link(button(4), LAMP_NODE, { command: "DFON" }),
      "The link has a command of its own.",
    ],
    ["to a button of the same keypad", link(button(4), button(5)), "Both nodes belong to one device."],
    ["to a sensor", link(button(4), MOTION_NODE), "The responder is neither a load nor a button of a keypad."],
    ["to a device that is not there", link(button(4), "9 9 9 1"), "The modem does not know one of the two devices."],
  ])("of a link %s is carried out by the controller", async (_which, of, detail) => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD, MOTION]);
    home.modem.press(home.device(MOTION), 1, ON);
    await home.pass(60_000);
    await want(home, [of]);
    expect(state(home, of)).toEqual({ state: "software", detail });
    expect(home.driver.links.carries(of, "DON")).toBe(false);
  });

  test("is written into a device of the first generation byte by byte, its flags last", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD, OLD]);
    await home.pass(60_000);
    const from = home.device(OLD).received.length;
    const press = link(button(4), "1A B 6 1");
    await want(home, [press], 60_000);
    expect(state(home, press)).toEqual({ state: "done", detail: "" });
    expect(recordsOf(home.device(OLD), 4)).toEqual(["A2041A0B03FF0001"]);
    const written = home
      .device(OLD)
      .received.slice(from)
      .filter(({ cmd1 }) => cmd1 === 0x29);
    expect(written.at(-1)?.cmd2).toBe(0xa2);
    await want(home, [], 60_000);
    expect(recordsOf(home.device(OLD), 4)).toEqual([]);
  });

  test("of an X10 device is carried out by the controller", async () => {
    const home = await SimulatedInsteonHome.discovered([KEYPAD]);
    await home.operate("add-x10", { code: "A1" });
    for (const of of [link("0 1 1 1", button(5)), link(button(4), "0 1 1 1")]) {
      await want(home, [of]);
      expect(state(home, of)?.state).toBe("software");
    }
  });

  test("with two levels for one lamp keeps the first", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    const other = { ...PRESS, scene: "31001", level: level(80) };
    await want(home, [PRESS, other]);
    expect([state(home, PRESS)?.state, state(home, other)?.state]).toEqual(["done", "software"]);
  });

  test("of a fan gives it the speed of the level", async () => {
    const home = await SimulatedInsteonHome.discovered([FAN, KEYPAD]);
    await want(home, [link(button(2), FAN_NODE, { level: level(75) })]);
    expect(recordsOf(home.device(FAN), 2)).toEqual(["A2021A0B03BF0002"]);
  });
});

describe("devices and modem that do not take a link", () => {
  const PRESS = link(button(4), LAMP_NODE);
  const SENSED = link(MOTION_NODE, LAMP_NODE);

  test("a device on a battery gets its links when it wakes, and shows that they wait", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, MOTION]);
    home.modem.press(home.device(MOTION), 1, ON);
    await home.pass(120_000);
    await want(home, [SENSED]);
    expect(state(home, SENSED)).toEqual({
      state: "pending",
      detail: "The device sleeps; it is written when it wakes.",
    });
    const shown = () => home.host.written.filter(({ address }) => address === MOTION_NODE).at(-1);
    expect(shown()).toMatchObject({ phase: "pending", active: true });
    home.modem.press(home.device(MOTION), 1, ON);
    await home.pass(20_000);
    expect([state(home, SENSED)?.state, recordsOf(home.device(MOTION), 1).length]).toEqual(["done", 2]);
    expect(shown()).toMatchObject({ active: false });
  });

  test("a device that refuses is shown with the reason, and is written when it is asked again", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).isLocked = true;
    await want(home, [PRESS]);
    expect(state(home, PRESS)).toEqual({ state: "failed", detail: "The device refuses the access to its links." });
    home.device(LAMP).isLocked = false;
    home.driver.links.retry(SCENE);
    await home.pass(20_000);
    expect(state(home, PRESS)?.state).toBe("done");
  });

  test("the command to write changes writes what the device did not take", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    expect(await home.send(LAMP_NODE, "WDU")).toEqual({ kind: "acked" });
    home.device(LAMP).isLocked = true;
    await want(home, [PRESS]);
    home.device(LAMP).isLocked = false;
    expect(await home.send(LAMP_NODE, "WDU")).toMatchObject({ kind: "sent" });
    await home.pass(20_000);
    expect([state(home, PRESS)?.state, await home.send(LAMP_NODE, "WDU")]).toEqual(["done", { kind: "acked" }]);
  });

  test("a device that forgot the modem is named", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).links.clear();
    await want(home, [PRESS]);
    expect(state(home, PRESS)).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("does not know this modem"),
    });
  });

  test("a device without power is written when it is back", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).isDeaf = true;
    await want(home, [PRESS]);
    expect(state(home, PRESS)).toMatchObject({ state: "pending", detail: expect.stringContaining("when it is back") });
    home.device(LAMP).isDeaf = false;
    await home.pass(700_000);
    expect(state(home, PRESS)?.state).toBe("done");
  });

  test("a modem that refuses to add or to delete a link is believed, and keeps what it has", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, RELAY]);
    const scene = [link(SCENE, LAMP_NODE), link(SCENE, RELAY_NODE)];
    home.modem.faults.refusedChanges = 6;
    await want(home, scene);
    expect(scene.map((each) => state(home, each))).toEqual([
      { state: "failed", detail: "The modem did not take the change of its links." },
      { state: "failed", detail: "The modem did not take the change of its links." },
    ]);
    home.driver.links.retry(SCENE);
    await home.pass(20_000);
    expect(scene.map((each) => state(home, each)?.state)).toEqual(["done", "done"]);
    home.modem.faults.refusedChanges = 6;
    await want(home, []);
    expect(modemRecords(home, GROUP)).toHaveLength(2);
    home.driver.links.retry(SCENE);
    await home.pass(20_000);
    expect(modemRecords(home, GROUP)).toEqual([]);
  });

  test("the newest devices, whose free memory reads FF, keep the end of their table", async () => {
    const newest = plan("dimmer", 1, { erased: 0xff });
    const home = await SimulatedInsteonHome.discovered([newest, KEYPAD]);
    await want(home, [PRESS]);
    const { links } = home.device(newest);
    expect(recordsOf(home.device(newest), 4)).toEqual(["A2041A0B03FF1C01"]);
    expect(links.read(0x0fff - 3 * 8)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("a table that was changed by hand meanwhile is read before it is written", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).linkAsResponder(1, [9, 9, 9]);
    await want(home, [PRESS]);
    expect(home.device(LAMP).links.records()).toHaveLength(4);
    expect(recordsOf(home.device(LAMP), 1)).toContain("A201090909FF1C01");
  });
});

describe("a controller that is killed while it writes", () => {
  const EVENING = [
    link(SCENE, LAMP_NODE, { level: level(50) }),
    link(SCENE, RELAY_NODE),
    link(button(4), LAMP_NODE, { level: level(25) }),
    link(button(4), RELAY_NODE),
  ];
  const CHANGED = [link(SCENE, LAMP_NODE, { level: level(80) }), link(SCENE, button(7)), link(button(5), LAMP_NODE)];

  /** All records of everything, in an order that does not depend on their places. */
  const everything = (home: SimulatedInsteonHome) =>
    [
      ...home.modem.records.filter(([flags = 0]) => (flags & 0x80) !== 0).map((record) => `modem ${record.join(" ")}`),
      ...[...home.modem.devices].flatMap(([id, { links }]) =>
        links.records().map((each) => `${id}: ${each.join(" ")}`),
      ),
    ].sort();

  /** Kills it at its write number `at`, which is lost, or only its answer. @returns null when there are not so many */
  async function killedAt(at: number, isLost: boolean): Promise<readonly string[] | null> {
    const store = new UnsavedStore();
    const first = await SimulatedInsteonHome.discovered([LAMP, RELAY, KEYPAD], store);
    await want(first, EVENING, 30_000);
    await store.saved();
    let writes = 0;
    let isKilled = false;
    first.modem.onCommand = (bytes) => {
      const isWrite =
        (bytes[1] === 0x6f && (bytes[2] ?? 0) >= 0x20) || (bytes[1] === 0x62 && bytes[6] === TABLE && bytes[9] === 2);
      if (isWrite) writes += 1;
      if (isWrite && writes === at) isKilled = true;
      if (isKilled) void first.driver.stop();
      return !(isKilled && isLost);
    };
    await want(first, CHANGED, 30_000);
    if (!isKilled) return null;
    for (const { links } of first.modem.devices.values()) expect(links.records().length).toBeGreaterThan(0);
    first.modem.onCommand = () => true;
    const second = new SimulatedInsteonHome([], store.afterKill(), first);
    second.host.wantedLinks = CHANGED;
    await second.start();
    await second.pass(120_000);
    expect(CHANGED.map((each) => state(second, each)?.state)).toEqual(["done", "done", "done"]);
    return everything(second);
  }

  test("completes the change of a scene after its restart, wherever it was", async () => {
    const undisturbed = await SimulatedInsteonHome.discovered([LAMP, RELAY, KEYPAD], memoryStore());
    await want(undisturbed, EVENING, 30_000);
    await want(undisturbed, CHANGED, 30_000);
    const whole = everything(undisturbed);
    let kills = 0;
    for (const isLost of [true, false]) {
      for (let at = 1; ; at += 1) {
        const after = await killedAt(at, isLost);
        if (!after) break;
        kills += 1;
        expect(after).toEqual(whole);
      }
    }
    expect(kills).toBeGreaterThan(20);
  }, 120_000);
});

test("links that are written are known after a restart, and nothing is written again", async () => {
  const store = memoryStore();
  const first = await SimulatedInsteonHome.discovered([LAMP, KEYPAD], store);
  const PRESS = link(button(4), LAMP_NODE);
  await want(first, [PRESS]);
  await first.driver.stop();
  const writes = writesOf(first.device(LAMP)).length;
  const second = new SimulatedInsteonHome([], store, first);
  second.host.wantedLinks = [PRESS];
  await second.start();
  expect(state(second, PRESS)).toMatchObject({ state: "pending" });
  await second.pass(60_000);
  expect([state(second, PRESS)?.state, writesOf(first.device(LAMP)).length]).toEqual(["done", writes]);
});

function writesOf({ received }: SimulatedDevice) {
  return received.filter(({ cmd1, data }) => cmd1 === TABLE && data?.[1] === 2);
}

type Member = readonly [address: string, level?: readonly [value: number, uom: number]];

function sendTogether(home: SimulatedInsteonHome, command: string, ...members: readonly Member[]) {
  const commands = members.map(([address, given]) => ({
    address,
    command,
    parameters: given ? [{ id: "", value: given[0], uom: given[1], prec: 0 }] : [],
  }));
  home.driver.groupcast(commands);
  const signal = new AbortController().signal;
  return home.settle(Promise.all(commands.map((each) => home.driver.send({ id: "test", ...each, signal }))));
}
