/** The host of a driver: which facts enter the home, and what becomes of the others. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rename } from "../../src/commands/edit-nodes.ts";
import type { NodeSpec } from "../../src/drivers/driver.ts";
import { createDriverHost } from "../../src/drivers/driver-host.ts";
import { createHouse, REQUEST, report, START_MS, spec, told } from "./command-house.ts";

const LAMP = "ZW002_1";

async function lampHouse(settings = {}) {
  const house = await createHouse(settings);
  house.host.node(spec(LAMP));
  return house;
}

describe("commands that waited for their device", () => {
  const asked = { id: "c1", address: LAMP, command: "CONFIG" };

  test("come to their end, and their report confirms them; none before that does", async () => {
    const house = await lampHouse();
    house.host.settled(asked, { kind: "queued", detail: "The device sleeps." });
    house.host.report([report(LAMP, 5)]);
    expect(house.queue.lives.find("c1")?.state).toBe("queued");
    house.host.settled(asked, { kind: "acked" });
    house.host.report([report(LAMP, 6)]);
    const states = told(house, "command-moved").map(({ state }) => state);
    expect(states).toEqual(["queued", "acknowledged", "confirmed"]);
  });

  test("fail with a reason, once, and a report of their effect that came before stands", async () => {
    const house = await lampHouse();
    const failed = { kind: "failed", reason: "no-ack", detail: "No answer.", retryable: true } as const;
    house.host.settled(asked, failed);
    house.host.settled(asked, { kind: "acked" });
    expect(house.queue.lives.find("c1")).toMatchObject({ state: "failed", detail: "No answer." });
    house.host.settled({ ...asked, id: "c2" }, { kind: "acked" });
    house.host.report([report(LAMP, 7)]);
    house.host.settled({ ...asked, id: "c2" }, failed);
    expect(house.queue.lives.find("c2")?.state).toBe("confirmed");
  });
});

describe("nodes", () => {
  test("a new node enters with its name; a known one keeps the owner's name, place and flag", async () => {
    const house = await lampHouse();
    await rename(house, LAMP, "node", "Reading lamp", REQUEST);
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    const parent = { address: "f1", kind: "folder" } as const;
    house.feed.commit({ type: "parent-changed", address: LAMP, kind: "node", parent }, REQUEST);
    house.host.node(spec(LAMP, "RELAY", { name: "Factory name" }));
    expect(house.home.nodes.get(LAMP)).toMatchObject({
      name: "Reading lamp",
      nodeDefId: "RELAY",
      enabled: false,
      parent,
      driver: "scripted",
    });
    expect(told(house, "node-revised")).toHaveLength(1);
  });

  test("a node that nobody named takes the better name that its driver has found; one that its owner named does not", async () => {
    const house = await createHouse();
    house.host.node(spec(LAMP, "DIMMER", { name: "ZW 002 Device" }));
    const better = spec(LAMP, "DIMMER", { name: "ZW 002 Tilt Sensor", formerName: "ZW 002 Device" });
    house.host.node(better);
    expect(house.home.nodes.get(LAMP)?.name).toBe("ZW 002 Tilt Sensor");
    expect(told(house, "node-renamed")).toHaveLength(1);
    await rename(house, LAMP, "node", "Garage door", REQUEST);
    house.host.node({ ...better, formerName: "ZW 002 Tilt Sensor", name: "ZW 002 Barrier" });
    expect(house.home.nodes.get(LAMP)?.name).toBe("Garage door");
  });

  test("an equal spec is not told again", async () => {
    const house = await lampHouse();
    const devtype = { generic: "4.17.1", manufacturer: "1.2.3", category: 109 };
    house.host.node(spec(LAMP, "DIMMER", { devtype }));
    house.host.node(spec(LAMP, "DIMMER", { devtype: { ...devtype } }));
    expect([told(house, "node-added").length, told(house, "node-revised").length]).toEqual([1, 1]);
  });

  test("a further node of a device stands below its first", async () => {
    const house = await lampHouse();
    house.host.node(spec("ZW002_143", "RELAY", { primary: LAMP }));
    expect(house.home.nodes.get("ZW002_143")?.parent).toEqual({ address: LAMP, kind: "node" });
  });

  test.each<[string, string]>([
    ["Lamp\u0000\u001b[31m\n", "Lamp[31m"],
    ["\u0007 ", LAMP],
    ["half \ud800", "half \ufffd"],
    ["x".repeat(300), "x".repeat(200)],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("the name %j becomes %j", async (name, expected) => {
    const house = await createHouse();
    house.host.node(spec(LAMP, "DIMMER", { name }));
    expect(house.home.nodes.get(LAMP)?.name).toBe(expected);
  });

  test.each<[string, Partial<NodeSpec>]>([
    ["an address of another family", { address: "5C 2 D1 1" }],
    ["an address with markup", { address: "ZW002_1<x>" }],
    ["a malformed nodedef id", { nodeDefId: "a b" }],
    ["a malformed type", { type: "1.2" }],
    ["a family that is no number", { family: Number.NaN }],
    ["a malformed first node", { primary: "" }],
  ])("%s is ignored and named once", async (_claim, patch) => {
    const house = await createHouse();
    house.host.node(spec(LAMP, "DIMMER", patch));
    house.host.node(spec(LAMP, "DIMMER", patch));
    expect([house.home.nodes.size, house.lines.length]).toEqual([0, 1]);
  });

  test("another driver's node, and a group's address, are out of reach", async () => {
    const house = await lampHouse();
    const other = createDriverHost(house, "other", house.host.store);
    other.node(spec(LAMP, "RELAY"));
    other.report([report(LAMP, 5)]);
    other.gone(LAMP);
    const group = { address: "ZW009_1", name: "G", parent: null, deviceGroup: 1, members: [], blocks: [] };
    house.feed.commit({ type: "group-added", group }, REQUEST);
    house.host.node(spec("ZW009_1"));
    expect([...house.home.nodes.keys()]).toEqual([LAMP]);
    expect(house.home.nodes.get(LAMP)).toMatchObject({ nodeDefId: "DIMMER", properties: new Map() });
  });

  test("the home holds no more nodes than the settings allow", async () => {
    const house = await createHouse({ nodesMax: 2 });
    for (const address of ["ZW002_1", "ZW003_1", "ZW004_1"]) house.host.node(spec(address));
    expect([...house.home.nodes.keys()]).toEqual(["ZW002_1", "ZW003_1"]);
  });

  test("a node that is gone leaves its groups and its children first", async () => {
    const house = await lampHouse();
    house.host.node(spec("ZW002_143", "RELAY", { primary: LAMP }));
    const links = [{ kind: "default", node: LAMP } as const];
    const group = {
      address: "G",
      name: "G",
      parent: null,
      deviceGroup: 1,
      members: [{ address: LAMP, isController: true }],
      blocks: [
        { controller: LAMP, links },
        { controller: "G", links },
      ],
    };
    house.feed.commit({ type: "group-added", group }, REQUEST);
    house.entries.length = 0;
    house.host.gone(LAMP);
    expect(house.entries.map(({ change }) => change.type)).toEqual([
      "group-links-changed",
      "parent-changed",
      "node-removed",
    ]);
    expect(house.home.groups.get("G")).toMatchObject({ members: [], blocks: [{ controller: "G", links: [] }] });
    expect(house.home.nodes.get("ZW002_143")?.parent).toBeNull();
  });
});

describe("reports", () => {
  test("what changes is told with the driver as its cause; what is equal is not", async () => {
    const house = await lampHouse();
    house.host.report([report(LAMP, 50), report(LAMP, 50)]);
    await house.clock.advance(10);
    house.host.report([report(LAMP, 50), report(LAMP, 50, { prec: 1 }), report(LAMP, null)]);
    expect(told(house, "property-changed").map(({ property: { value, prec } }) => [value, prec])).toEqual([
      [50, 0],
      [50, 1],
      [null, 0],
    ]);
    const entry = house.entries.find(({ change }) => change.type === "property-changed");
    expect(entry).toMatchObject({ atMs: START_MS, cause: { kind: "report", id: "scripted", by: "scripted" } });
  });

  test.each([
    ["a fraction", { value: 1.5 }],
    ["infinity", { value: Number.POSITIVE_INFINITY }],
    ["2^53", { value: 2 ** 53 }],
    ["a unit that is none", { uom: -1 }],
    ["a precision out of range", { prec: 10 }],
    ["a property id with markup", { id: "ST<" }],
    ["an unknown node", { address: "ZW099_1" }],
  ])("%s is ignored and named once", async (_claim, patch) => {
    const house = await lampHouse();
    house.host.report([report(LAMP, 1, patch), report(LAMP, 1, patch)]);
    expect([told(house, "property-changed").length, house.lines.length]).toEqual([0, 1]);
  });

  test("never throws, whatever a driver tells", async () => {
    const house = await lampHouse();
    fc.assert(
      fc.property(
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        (value, uom, prec, id, text) => {
          const wild = { address: LAMP, id, value, uom, prec, text: String(typeof text), cause: "report" };
          house.host.report([wild as never]);
        },
      ),
      { numRuns: 1000, examples: [[{}, "", {}, { toString: "" }, false]] },
    );
  });

  test("a disabled node is not heard", async () => {
    const house = await lampHouse();
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    house.host.report([report(LAMP, 50)]);
    house.host.control(LAMP, "DON", 0);
    expect([told(house, "property-changed"), told(house, "control-sent")]).toEqual([[], []]);
  });

  test("texts come without control characters", async () => {
    const house = await lampHouse();
    house.host.report([report(LAMP, 1, { text: "on\u0000\u0085" })]);
    expect(house.home.nodes.get(LAMP)?.properties.get("ST")?.text).toBe("on");
  });

  test("a device that flaps is throttled to its latest values and named once; the others are not touched", async () => {
    const house = await lampHouse({ nodeReportsPerSecond: 100 });
    house.host.node(spec("ZW003_1"));
    for (let value = 0; value < 1000; value += 1) house.host.report([report(LAMP, value)]);
    house.host.report([report("ZW003_1", 7)]);
    expect(told(house, "property-changed")).toHaveLength(101);
    await house.clock.advance(1000);
    expect(told(house, "property-changed").at(-1)?.property.value).toBe(999);
    for (let value = 0; value < 1000; value += 1) house.host.report([report(LAMP, value)]);
    await house.clock.advance(1000);
    expect(house.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(999);
    expect(house.lines.map(({ fields }) => fields.node)).toEqual([LAMP]);
  });

  test("what was held of a node that is gone meanwhile is dropped", async () => {
    const house = await lampHouse({ nodeReportsPerSecond: 10 });
    for (let value = 0; value < 20; value += 1) house.host.control(LAMP, "DON", value);
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    await house.clock.advance(1000);
    expect(told(house, "control-sent")).toHaveLength(10);
    house.host.gone(LAMP);
    expect(house.home.nodes.size).toBe(0);
  });
});

describe("the rest of a device's life", () => {
  test("presses, links and writes are told; an equal link is not", async () => {
    const house = await lampHouse();
    house.host.control(LAMP, "DON", 1);
    house.host.link(LAMP, "online");
    house.host.link(LAMP, "online");
    house.host.writes(LAMP, "pending", true);
    expect(told(house, "control-sent")).toMatchObject([{ control: "DON", value: 1 }]);
    expect(told(house, "node-link-changed")).toMatchObject([{ link: "online", before: "unknown" }]);
    expect(told(house, "write-progress")).toMatchObject([{ phase: "pending", active: true }]);
  });

  test("a control that is malformed is ignored", async () => {
    const house = await lampHouse();
    house.host.control(LAMP, "D ON", 1);
    house.host.control(LAMP, "DON", Number.NaN);
    expect(told(house, "control-sent")).toEqual([]);
  });

  test("while the driver is down its nodes are unreachable and keep their values; back, it is told who is disabled", async () => {
    const house = await lampHouse();
    house.host.node(spec("ZW003_1"));
    house.host.link(LAMP, "online");
    house.host.report([report(LAMP, 50)]);
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    house.host.status("failed", "The stick is gone.");
    expect(house.home.nodes.get(LAMP)).toMatchObject({ link: "unreachable" });
    expect(house.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(50);
    house.host.link("ZW003_1", "online");
    await house.clock.advance(house.config.driverRestartMs);
    expect([house.home.nodes.get(LAMP)?.link, house.home.nodes.get("ZW003_1")?.link]).toEqual(["unknown", "online"]);
    expect(house.driver.disabled).toEqual([LAMP]);
    expect(house.lines.map(({ message }) => message)).toEqual([
      "A driver is down; its devices keep their last values.",
      "A driver is back.",
    ]);
  });
});

describe("the registry", () => {
  test("starts a driver that fails again and again, more and more seldom, and says it once", async () => {
    let starts = 0;
    const start = async () => {
      starts += 1;
      if (starts > 1) throw new Error("No stick.");
    };
    const house = await createHouse({}, { start });
    house.host.status("failed", "The stick is gone.");
    await house.clock.advance(1000 + 2000 + 4000);
    expect(starts).toBe(4);
    expect(house.lines).toHaveLength(1);
    await house.drivers.stop();
    await house.clock.advance(1_000_000);
    expect(starts).toBe(4);
    expect(() => house.drivers.of("scripted")).toThrow("not running");
  });

  test("a driver that hangs at its start is given up at the deadline and tried again", async () => {
    const signals: AbortSignal[] = [];
    const start = (_host: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return signals.length === 2 ? new Promise<void>(() => {}) : Promise.resolve();
    };
    const house = await createHouse({}, { start });
    house.host.status("failed", "The stick is gone.");
    await house.clock.advance(house.config.driverRestartMs + house.config.driverStartMs);
    expect([signals.map(({ aborted }) => aborted), house.drivers.list()[0]?.state]).toEqual([[false, true], "failed"]);
    await house.clock.advance(2 * house.config.driverRestartMs);
    expect([signals.length, house.drivers.list()[0]?.state]).toEqual([3, "ready"]);
  });

  test("a driver that never stops does not keep the controller from ending", async () => {
    const house = await createHouse({}, { stop: () => new Promise<void>(() => {}) });
    const stopped = house.drivers.stop();
    await house.clock.advance(house.config.driverStopMs);
    await stopped;
    expect(house.lines).toMatchObject([{ message: "A driver could not be stopped.", fields: { driver: "scripted" } }]);
  });
});
