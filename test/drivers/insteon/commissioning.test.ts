/** Operations on an Insteon network: linking, removing, replacing, repairing, importing. */

import { describe, expect, test } from "vitest";
import type { DeviceKind, DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../../simulators/insteon/simulated-modem.ts";
import type { ProposedScene } from "../../../src/drivers/driver.ts";
import type { DeviceLink } from "../../../src/home/device-links.ts";
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
const SPARE = plan("keypad", 9);
const MODEM = [0x4a, 0x11, 0x5c];
const NEW_MODEM = [0x50, 0x60, 0x70];
const ON = 0x11;
const OFF = 0x13;
const TABLE = 0x2f;
const SCENE = "31000";

const hex = (record: readonly number[]) => Buffer.from(record).toString("hex").toUpperCase();

function everything(modem: SimulatedModem): readonly string[] {
  return [
    ...modem.records.filter(([flags = 0]) => (flags & 0x80) !== 0).map((record) => `modem ${hex(record)}`),
    ...[...modem.devices.values()].flatMap(({ id, links }) => links.records().map((each) => `${hex(id)} ${hex(each)}`)),
  ].sort();
}

function isWrite(bytes: readonly number[]): boolean {
  const isOfModem = bytes[1] === 0x6f && (bytes[2] ?? 0) >= 0x20;
  return isOfModem || (bytes[1] === 0x62 && bytes[6] === TABLE && bytes[9] === 2);
}

describe("linking a device", () => {
  test("with its SET button makes its nodes, and the modem hears all of its buttons", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP]);
    const keypad = home.modem.place(KEYPAD);
    const operation = await home.operate("include", {}, () => home.modem.pressSet(keypad));
    expect(operation).toMatchObject({ stage: "done", address: "1A B 3 1" });
    expect(operation?.detail).toBe("The device is linked in both directions.");
    expect(home.host.operations.map(({ stage }) => stage)).toContain("waiting");
    home.modem.press(keypad, 5, ON);
    await home.pass(5000);
    expect(home.host.controls).toEqual([{ address: "1A B 3 5", control: "DON", value: 0 }]);
    expect(await home.send("1A B 3 1", "DON")).toEqual({ kind: "acked" });
    expect(home.host.violations).toEqual([]);
  });

  test.each(["1A.0B.03", "1a0b03", "1A 0B 03"])("by its label %s needs no button", async (label) => {
    const home = await SimulatedInsteonHome.discovered([]);
    home.modem.place(KEYPAD);
    expect(await home.operate("include", { label })).toMatchObject({ stage: "done", address: "1A B 3 1" });
    expect(home.modem.isLinking).toBe(false);
  });

  test("that does not answer ends the link mode of the modem, and says what to do", async () => {
    const home = await SimulatedInsteonHome.discovered([]);
    home.modem.place(KEYPAD).isDeaf = true;
    expect(await home.operate("include", { label: "1A.0B.03" })).toMatchObject({
      stage: "failed",
      detail: "The device does not answer. Link it with its SET button.",
    });
    expect(home.modem.isLinking).toBe(false);
  });

  test("ends after four minutes without one, and at once when it is canceled", async () => {
    const home = await SimulatedInsteonHome.discovered([]);
    expect(await home.operate("include")).toMatchObject({ stage: "failed", detail: "No device was linked in time." });
    const canceled = await home.operate("include", {}, () => home.driver.commissioning.cancel());
    expect([canceled?.stage, home.modem.isLinking]).toEqual(["cancelled", false]);
  });
});

describe("removing a device", () => {
  const LINK: DeviceLink = {
    scene: SCENE,
    deviceGroup: 1,
    controller: "1A B 3 4",
    responder: "1A B 1 1",
    level: null,
    ramp: null,
    command: null,
  };

  async function linked() {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.host.wantedLinks = [LINK];
    home.driver.links.refresh();
    await home.pass(20_000);
    expect(home.driver.links.state(LINK)?.state).toBe("done");
    return home;
  }

  test("deletes its links everywhere, and its nodes", async () => {
    const home = await linked();
    home.host.wantedLinks = [];
    expect(await home.operate("exclude", { address: "1A B 3 1" })).toMatchObject({ stage: "done" });
    expect(everything(home.modem).filter((each) => each.includes("1A0B03"))).toEqual([]);
    expect([...home.host.nodes.keys()]).toEqual(["1A B 1 1"]);
    expect(await home.send("1A B 3 1", "DON")).toMatchObject({ kind: "failed" });
  });

  test("that does not answer needs force", async () => {
    const home = await linked();
    home.device(KEYPAD).isDeaf = true;
    const before = everything(home.modem);
    const refused = await home.operate("exclude", { address: "1A B 3 1" });
    expect(refused).toMatchObject({ stage: "failed", detail: expect.stringContaining("start again with force") });
    expect(everything(home.modem)).toEqual(before);
    expect(await home.operate("exclude", { address: "1A B 3 1", force: true })).toMatchObject({ stage: "done" });
    expect(everything(home.modem).filter((each) => /^(modem|1A0B01).*1A0B03/.test(each))).toEqual([]);
  });

  test("with its SET button works too", async () => {
    const home = await linked();
    const lamp = home.device(LAMP);
    const operation = await home.operate("exclude", {}, () => home.modem.pressSet(lamp));
    expect([operation?.stage, home.host.nodes.has("1A B 1 1")]).toEqual(["done", false]);
  });

  test("of an unknown address changes nothing", async () => {
    const home = await linked();
    const before = everything(home.modem);
    expect(await home.operate("exclude", { address: "9 9 9 1" })).toMatchObject({ stage: "failed" });
    expect(everything(home.modem)).toEqual(before);
  });
});

describe("repairing links", () => {
  /** A home in which halves of links are missing, of every kind. */
  async function broken(store = new UnsavedStore()) {
    const home = new SimulatedInsteonHome([LAMP, RELAY, KEYPAD], store);
    const [lamp, relay, keypad] = [home.device(LAMP), home.device(RELAY), home.device(KEYPAD)];
    home.modem.links.put([0xe2, 0x15, ...lamp.id, 0, 0, 0]);
    relay.linkAsResponder(0x16, MODEM, [255, 0, 1]);
    home.modem.links.remove(5, KEYPAD.id);
    keypad.unlink(6, MODEM);
    keypad.linkAsController(7, lamp.id);
    lamp.linkAsResponder(8, keypad.id, [64, 0x1c, 1]);
    await home.start();
    await home.pass(60_000);
    return home;
  }
  const HALVES = [
    "1A0B01 A2071A0B03FF1C01",
    "1A0B01 A2154A115CFF1C01",
    "1A0B03 E2064A115C030006",
    "1A0B03 E2081A0B01030008",
    "modem A2051A0B03000000",
    "modem E2161A0B02000000",
  ];

  test("writes the halves that are missing, and nothing else", async () => {
    const home = await broken();
    const before = everything(home.modem);
    expect(await home.operate("repair-links")).toMatchObject({
      stage: "done",
      detail: "6 links were repaired.",
      result: { repaired: 6, failed: 0, unread: 0 },
    });
    expect(everything(home.modem).filter((each) => !before.includes(each))).toEqual(HALVES);
    expect(before.filter((each) => !everything(home.modem).includes(each))).toEqual([]);
    expect(await home.operate("repair-links")).toMatchObject({ detail: "No half of a link is missing." });
  });

  test("writes the links of a modem that was reset, whose owner is told what to do, also after a restart", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP]);
    const links = () => home.modem.records.filter(([flags = 0]) => (flags & 0x80) !== 0).length;
    const before = links();
    home.modem.emit([0x02, 0x55]);
    await home.pass(10_000);
    expect(home.host.states.at(-1)).toBe("ready");
    home.modem.records.splice(0);
    home.modem.emit([0x02, 0x55]);
    await home.pass(10_000);
    const told = () => `${home.host.states.at(-1)}: ${home.host.detail}`;
    expect(told()).toMatch(/^degraded: The modem was reset.*repair-links/);
    await home.driver.stop();
    await home.start();
    expect(told()).toMatch(/^degraded: The modem was reset/);
    await home.operate("repair-links");
    expect([links(), told()]).toEqual([before, "ready: "]);
  });

  test("links a device again that forgot the modem", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    home.device(LAMP).links.clear();
    expect(await home.send("1A B 1 1", "DON")).toMatchObject({ kind: "failed", reason: "rejected" });
    expect(await home.operate("repair-links")).toMatchObject({ stage: "done", detail: "1 link was repaired." });
    expect(await home.send("1A B 1 1", "DON")).toEqual({ kind: "acked" });
    home.modem.press(home.device(LAMP), 1, OFF);
    await home.pass(5000);
    expect(home.host.controls).toHaveLength(1);
  });

  test("names devices that do not answer, and repairs the others", async () => {
    const home = await broken();
    home.device(LAMP).isDeaf = true;
    const operation = await home.operate("repair-links");
    expect(operation).toMatchObject({ stage: "done", detail: expect.stringContaining("1A.B.1") });
    expect(home.modem.device(KEYPAD.id).links.records().map(hex)).toContain("E2064A115C030006");
  });

  test("stops when it is canceled, and says how far it came", async () => {
    const home = await broken();
    let writes = 0;
    home.modem.onCommand = (bytes) => {
      if (isWrite(bytes)) writes += 1;
      if (writes === 3) home.driver.commissioning.cancel();
      return true;
    };
    expect(await home.operate("repair-links")).toMatchObject({
      stage: "cancelled",
      detail: expect.stringMatching(/^Canceled\. \d links? (was|were) repaired; the others are as before\.$/),
    });
  });

  test("goes on after the controller was killed at any of its writes", async () => {
    const undisturbed = await broken();
    await undisturbed.operate("repair-links");
    const whole = everything(undisturbed.modem);
    let kills = 0;
    for (let at = 1; ; at += 1) {
      const store = new UnsavedStore();
      const first = await broken(store);
      await store.saved();
      let writes = 0;
      first.modem.onCommand = (bytes) => {
        if (isWrite(bytes)) writes += 1;
        if (writes >= at) void first.driver.stop();
        return at % 2 === 0 || writes < at;
      };
      await first.operate("repair-links");
      if (writes < at) break;
      kills += 1;
      first.modem.onCommand = () => true;
      const second = new SimulatedInsteonHome([], store.afterKill(), first);
      await second.start();
      await second.pass(30_000);
      expect((await second.ended())?.stage).toBe("done");
      expect(everything(second.modem)).toEqual(whole);
    }
    expect(kills).toBeGreaterThanOrEqual(6);
  }, 60_000);
});

describe("another modem", () => {
  const BOTH: readonly DeviceLink[] = ["1A B 1 1", "1A B 2 1"].map((responder) => ({
    scene: SCENE,
    deviceGroup: 1,
    controller: SCENE,
    responder,
    level: null,
    ramp: null,
    command: null,
  }));

  /** A home whose modem is replaced by one that knows nothing. */
  async function exchanged() {
    const store = new UnsavedStore();
    const first = await SimulatedInsteonHome.discovered([LAMP, RELAY, KEYPAD, MOTION], store);
    first.host.wantedLinks = BOTH;
    first.driver.links.refresh();
    first.modem.press(first.device(MOTION), 1, ON);
    await first.pass(60_000);
    await first.driver.stop();
    const modem = new SimulatedModem(first.clock, [], NEW_MODEM);
    for (const device of first.modem.devices.values()) modem.place(device);
    const second = new SimulatedInsteonHome([], store, { clock: first.clock, modem });
    second.host.wantedLinks = BOTH;
    await second.start();
    await second.pass(60_000);
    return { first, second, store };
  }

  test("takes over every link, also of devices that sleep", async () => {
    const { first, second } = await exchanged();
    expect(second.host.logLines.join()).toContain("The modem is another one than before.");
    expect(BOTH.map((each) => second.driver.links.state(each)?.state)).toEqual(["pending", "pending"]);
    second.driver.commissioning.begin("replace-modem", {});
    await second.pass(60_000);
    expect(second.driver.commissioning.operation()?.detail).toContain("Press a button of each of these devices");
    second.modem.press(second.device(MOTION), 1, ON);
    expect(await second.ended()).toMatchObject({ stage: "done" });
    const links = everything(second.modem);
    expect(links.filter((each) => each.includes(hex(MODEM)))).toEqual([]);
    const oldRecords = everything(first.modem).filter((each) => each.startsWith("modem"));
    expect(links.filter((each) => each.startsWith("modem"))).toEqual(expect.arrayContaining(oldRecords));
    expect(await second.send("1A B 1 1", "DON")).toEqual({ kind: "acked" });
    await second.pass(20_000);
    expect(BOTH.map((each) => second.driver.links.state(each)?.state)).toEqual(["done", "done"]);
    second.host.forget();
    second.modem.press(second.device(KEYPAD), 5, ON);
    await second.pass(5000);
    expect(second.host.controls).toEqual([{ address: "1A B 3 5", control: "DON", value: 0 }]);
  });

  test("that is the same one is not replaced", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP]);
    expect(await home.operate("replace-modem")).toMatchObject({
      stage: "failed",
      detail: expect.stringContaining("same"),
    });
  });

  test("goes on after the controller was killed at any of its writes", async () => {
    const awake = ({ modem }: SimulatedInsteonHome) => everything(modem).filter((each) => !each.startsWith("1A0B04"));
    const undisturbed = (await exchanged()).second;
    undisturbed.driver.commissioning.begin("replace-modem", {});
    await undisturbed.pass(60_000);
    const whole = awake(undisturbed);
    let kills = 0;
    for (let at = 1; ; at += 4) {
      const { second, store } = await exchanged();
      let writes = 0;
      second.modem.onCommand = (bytes) => {
        if (isWrite(bytes)) writes += 1;
        if (writes >= at) void second.driver.stop();
        return kills % 2 === 0 || writes < at;
      };
      second.driver.commissioning.begin("replace-modem", {});
      await second.pass(60_000);
      if (writes < at) break;
      kills += 1;
      second.modem.onCommand = () => true;
      const third = new SimulatedInsteonHome([], store.afterKill(), second);
      third.host.wantedLinks = BOTH;
      await third.start();
      await third.pass(120_000);
      expect(awake(third)).toEqual(whole);
    }
    expect(kills).toBeGreaterThan(10);
  }, 120_000);

  test("leaves devices that do not answer for the next time", async () => {
    const { second } = await exchanged();
    second.device(LAMP).isDeaf = true;
    second.driver.commissioning.begin("replace-modem", {});
    await second.pass(60_000);
    second.modem.press(second.device(MOTION), 1, ON);
    expect(await second.ended()).toMatchObject({ stage: "failed", detail: expect.stringContaining("1A.B.1") });
    second.device(LAMP).isDeaf = false;
    expect(await second.operate("replace-modem")).toMatchObject({ stage: "done" });
  });
});

describe("another device", () => {
  test("takes over the links of a broken one of its kind", async () => {
    const home = new SimulatedInsteonHome([LAMP, KEYPAD]);
    home.device(KEYPAD).linkAsController(4, LAMP.id);
    home.device(LAMP).linkAsResponder(4, KEYPAD.id, [64, 0x1b, 1]);
    await home.start();
    await home.pass(60_000);
    home.device(KEYPAD).isDeaf = true;
    const spare = home.modem.place(SPARE);
    expect(await home.operate("replace-device", { address: "1A B 3 1", label: "1A.0B.09" })).toMatchObject({
      stage: "done",
    });
    home.modem.press(spare, 4, ON);
    expect(home.device(LAMP).level()).toBe(64);
  });

  test("of another kind is refused", async () => {
    const home = await SimulatedInsteonHome.discovered([LAMP, KEYPAD]);
    const refused = await home.operate("replace-device", { address: "1A B 3 1", label: "1A.0B.01" });
    expect(refused).toMatchObject({ stage: "failed", detail: expect.stringContaining("another kind") });
  });
});

describe("importing scenes", () => {
  test("makes a scene of each group and button whose links exist on both sides", async () => {
    const home = new SimulatedInsteonHome([LAMP, RELAY, KEYPAD]);
    const [lamp, relay, keypad] = [home.device(LAMP), home.device(RELAY), home.device(KEYPAD)];
    for (const each of [lamp, relay, keypad]) home.modem.links.put([0xe2, 17, ...each.id, 0, 0, 0]);
    lamp.linkAsResponder(17, MODEM, [128, 20, 0]);
    relay.linkAsResponder(17, MODEM, [255, 0, 0]);
    keypad.linkAsResponder(17, MODEM, [255, 0, 6]);
    for (const each of [lamp, relay]) keypad.linkAsController(6, each.id);
    lamp.linkAsResponder(6, keypad.id, [64, 27, 1]);
    relay.linkAsResponder(6, keypad.id, [255, 0, 1]);
    home.modem.links.put([0xe2, 18, ...lamp.id, 0, 0, 0]);
    const scenes: ProposedScene[] = [];
    home.host.takeScene = (scene) => {
      scenes.push(scene);
      return SCENE;
    };
    await home.start();
    await home.pass(60_000);
    expect(await home.operate("import-scenes")).toMatchObject({ stage: "done", detail: "1 scene was made." });
    const native = (node: string, linkdef: string, percent: number, ...ramp: readonly number[]) => ({
      kind: "native",
      node,
      linkdef,
      parameters: [
        { id: "OL", value: percent, uom: 51, prec: 0 },
        ...ramp.map((value) => ({ id: "RR", value, uom: 25, prec: 0 })),
      ],
    });
    expect(scenes).toEqual([
      {
        name: "Keypad Button 1A.B.3 6 scene",
        deviceGroup: 17,
        members: [
          { address: "1A B 1 1", isController: false },
          { address: "1A B 2 1", isController: false },
          { address: "1A B 3 6", isController: true },
        ],
        blocks: [
          {
            controller: null,
            links: [
              native("1A B 1 1", "I_DIMMER_ADV", 50, 20),
              native("1A B 2 1", "I_RELAY", 100),
              expect.objectContaining({ node: "1A B 3 6" }),
            ],
          },
          {
            controller: "1A B 3 6",
            links: [native("1A B 1 1", "I_DIMMER_ADV", 25, 27), native("1A B 2 1", "I_RELAY", 100)],
          },
        ],
      },
    ]);
  });
});
