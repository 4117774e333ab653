/** The host of a driver: which facts enter the home, and what becomes of the others. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renameThing } from "../../src/commands/edit-nodes.ts";
import type { NodeSpec } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Node } from "../../src/home/nodes.ts";
import type { Nodedef } from "../../src/profile/nodedef.ts";
import { type CommandServices, createServices, REQUEST, report, START_MS, spec, told } from "./command-services.ts";

const LAMP = "ZW002_1";

function nodedefOf({ home, profile }: CommandServices, address: string): Nodedef {
  const { nodeDefId = "", family = 0, instance = 0 } = home.nodes.get(address) ?? {};
  const nodedef = profile.nodedef(nodeDefId, family, instance);
  if (!nodedef) throw new Error("The node has a definition.");
  return nodedef;
}

async function lampServices(settings = {}) {
  const services = await createServices(settings);
  services.host.node(spec(LAMP));
  return services;
}

describe("commands that waited for their device", () => {
  const asked = { id: "c1", address: LAMP, command: "CONFIG" };

  test("come to their end, and their report confirms them; none before that does", async () => {
    const services = await lampServices();
    services.host.settled(asked, { kind: "queued", detail: "The device sleeps." });
    services.host.report([report(LAMP, 5)]);
    expect(services.queue.lives.find("c1")?.state).toBe("queued");
    services.host.settled(asked, { kind: "acked" });
    services.host.report([report(LAMP, 6)]);
    const states = told(services, "command-moved").map(({ state }) => state);
    expect(states).toEqual(["queued", "acknowledged"]);
  });

  test("fail with a reason, once, and a report of their effect that came before stands", async () => {
    const services = await lampServices();
    const failed = { kind: "failed", reason: "no-ack", detail: "No answer.", retryable: true } as const;
    services.host.settled(asked, failed);
    services.host.settled(asked, { kind: "acked" });
    expect(services.queue.lives.find("c1")).toMatchObject({ state: "failed", detail: "No answer." });
    services.host.settled({ ...asked, id: "c2" }, { kind: "acked" });
    services.host.report([report(LAMP, 7)]);
    services.host.settled({ ...asked, id: "c2" }, failed);
    expect(services.queue.lives.find("c2")?.state).toBe("confirmed");
  });
});

describe("nodes", () => {
  test("have the role of their definition in the journal, also when a new definition changes it", async () => {
    const services = await lampServices();
    expect(services.home.nodes.get(LAMP)?.role).toBe("dimmer");
    services.entries.length = 0;
    services.host.define(4, 1, { nodedefs: [{ ...nodedefOf(services, LAMP), accepts: [] }] }, false);
    expect(told(services, "node-revised").map(({ node }) => node.role)).toEqual(["other"]);
    services.host.define(4, 1, { nodedefs: [{ ...nodedefOf(services, LAMP), accepts: [] }] }, false);
    expect(told(services, "node-revised")).toHaveLength(1);
  });

  test("keep their role when their definition is missing, and their use when they are declared again", async () => {
    const services = await lampServices();
    const { properties: _p, link: _l, version: _v, ...node } = services.home.nodes.get(LAMP) as Node;
    services.feed.commit({ type: "node-revised", node: { ...node, use: "lamp" } }, REQUEST);
    services.host.retract(4, 1);
    services.host.node({ ...spec(LAMP), type: "9.9.9.9" });
    expect(services.home.nodes.get(LAMP)).toMatchObject({ type: "9.9.9.9", role: "dimmer", use: "lamp" });
  });

  test("a new node enters with its name; a known one keeps the owner's name, place and flag", async () => {
    const services = await lampServices();
    await renameThing(services, LAMP, "node", "Reading lamp", REQUEST);
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    const parent = { address: "f1", kind: "folder" } as const;
    services.feed.commit({ type: "parent-changed", address: LAMP, kind: "node", parent }, REQUEST);
    services.host.node(spec(LAMP, "RELAY", { name: "Factory name" }));
    expect(services.home.nodes.get(LAMP)).toMatchObject({
      name: "Reading lamp",
      nodeDefId: "RELAY",
      enabled: false,
      parent,
      driver: "scripted",
    });
    expect(told(services, "node-revised")).toHaveLength(1);
  });

  test("a node without an owner's name takes the better name that its driver has found; one that its owner named does not", async () => {
    const services = await createServices();
    services.host.node(spec(LAMP, "DIMMER", { name: "ZW 002 Device" }));
    const better = spec(LAMP, "DIMMER", { name: "ZW 002 Tilt Sensor", formerName: "ZW 002 Device" });
    services.host.node(better);
    expect(services.home.nodes.get(LAMP)?.name).toBe("ZW 002 Tilt Sensor");
    expect(told(services, "node-renamed")).toHaveLength(1);
    await renameThing(services, LAMP, "node", "Garage door", REQUEST);
    services.host.node({ ...better, formerName: "ZW 002 Tilt Sensor", name: "ZW 002 Barrier" });
    expect(services.home.nodes.get(LAMP)?.name).toBe("Garage door");
  });

  test("an equal spec is not published again", async () => {
    const services = await lampServices();
    const devtype = { generic: "4.17.1", manufacturer: "1.2.3", category: 109 };
    services.host.node(spec(LAMP, "DIMMER", { devtype }));
    services.host.node(spec(LAMP, "DIMMER", { devtype: { ...devtype } }));
    expect([told(services, "node-added").length, told(services, "node-revised").length]).toEqual([1, 1]);
  });

  test("a further node of a device stands below its first", async () => {
    const services = await lampServices();
    services.host.node(spec("ZW002_143", "RELAY", { primary: LAMP }));
    expect(services.home.nodes.get("ZW002_143")?.parent).toEqual({ address: LAMP, kind: "node" });
  });

  test.each<[string, string]>([
    ["Lamp\u0000\u001b[31m\n", "Lamp[31m"],
    ["\u0007 ", LAMP],
    ["half \ud800", "half \ufffd"],
    ["x".repeat(300), "x".repeat(200)],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("the name %j becomes %j", async (name, expected) => {
    const services = await createServices();
    services.host.node(spec(LAMP, "DIMMER", { name }));
    expect(services.home.nodes.get(LAMP)?.name).toBe(expected);
  });

  test.each<[string, Partial<NodeSpec>]>([
    ["an address of another family", { address: "5C 2 D1 1" }],
    ["an address with markup", { address: "ZW002_1<x>" }],
    ["a malformed nodedef id", { nodeDefId: "a b" }],
    ["a malformed type", { type: "1.2" }],
    ["a family that is no number", { family: Number.NaN }],
    ["a malformed first node", { primary: "" }],
  ])("%s is ignored and named once", async (_claim, patch) => {
    const services = await createServices();
    services.host.node(spec(LAMP, "DIMMER", patch));
    services.host.node(spec(LAMP, "DIMMER", patch));
    expect([services.home.nodes.size, services.lines.length]).toEqual([0, 1]);
  });

  test("another driver's node, and a group's address, are out of reach", async () => {
    const services = await lampServices();
    const other = new HomeHost(services, "other", services.host.store);
    other.node(spec(LAMP, "RELAY"));
    other.report([report(LAMP, 5)]);
    other.gone(LAMP);
    const group = { address: "ZW009_1", name: "G", parent: null, deviceGroup: 1, members: [], blocks: [] };
    services.feed.commit({ type: "group-added", group }, REQUEST);
    services.host.node(spec("ZW009_1"));
    expect([...services.home.nodes.keys()]).toEqual([LAMP]);
    expect(services.home.nodes.get(LAMP)).toMatchObject({ nodeDefId: "DIMMER", properties: new Map() });
  });

  test("the home holds no more nodes than the settings allow", async () => {
    const services = await createServices({ nodesMax: 2 });
    for (const address of ["ZW002_1", "ZW003_1", "ZW004_1"]) services.host.node(spec(address));
    expect([...services.home.nodes.keys()]).toEqual(["ZW002_1", "ZW003_1"]);
  });

  test("a node that is gone leaves its groups and its children first", async () => {
    const services = await lampServices();
    services.host.node(spec("ZW002_143", "RELAY", { primary: LAMP }));
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
    services.feed.commit({ type: "group-added", group }, REQUEST);
    services.entries.length = 0;
    services.host.gone(LAMP);
    expect(services.entries.map(({ change }) => change.type)).toEqual([
      "group-links-changed",
      "parent-changed",
      "node-removed",
    ]);
    expect(services.home.groups.get("G")).toMatchObject({ members: [], blocks: [{ controller: "G", links: [] }] });
    expect(services.home.nodes.get("ZW002_143")?.parent).toBeNull();
  });
});

describe("reports", () => {
  test("a changed value is published with the driver as its cause; an equal one is not", async () => {
    const services = await lampServices();
    services.host.report([report(LAMP, 50), report(LAMP, 50)]);
    await services.clock.advance(10);
    services.host.report([report(LAMP, 50), report(LAMP, 50, { prec: 1 }), report(LAMP, null)]);
    expect(told(services, "property-changed").map(({ property: { value, prec } }) => [value, prec])).toEqual([
      [50, 0],
      [50, 1],
      [null, 0],
    ]);
    const entry = services.entries.find(({ change }) => change.type === "property-changed");
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
    const services = await lampServices();
    services.host.report([report(LAMP, 1, patch), report(LAMP, 1, patch)]);
    expect([told(services, "property-changed").length, services.lines.length]).toEqual([0, 1]);
  });

  test("never throws, for any input of a driver", async () => {
    const services = await lampServices();
    fc.assert(
      fc.property(
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        (value, uom, prec, id, text) => {
          const wild = { address: LAMP, id, value, uom, prec, text: String(typeof text), cause: "report" };
          services.host.report([wild as never]);
        },
      ),
      { numRuns: 1000, examples: [[{}, "", {}, { toString: "" }, false]] },
    );
  });

  test("reports of a disabled node are ignored", async () => {
    const services = await lampServices();
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    services.host.report([report(LAMP, 50)]);
    services.host.control(LAMP, "DON", 0);
    expect([told(services, "property-changed"), told(services, "control-sent")]).toEqual([[], []]);
  });

  test("ERR follows the link of a node whose definition has it, and is a plugin's own", async () => {
    const services = await lampServices();
    const errOf = (address: string) => services.home.nodes.get(address)?.properties.get("ERR")?.value;
    const { properties, ...others } = nodedefOf(services, LAMP);
    const health = { id: "ERR", editor: "I_ERR", hide: false, names: null };
    const healthy = { ...others, id: "OWN", properties: [...properties, health] } as unknown as Nodedef;
    services.host.define(4, 1, { nodedefs: [healthy] }, false);
    services.host.node(spec(LAMP, "OWN"));
    expect(errOf(LAMP)).toBe(0);
    services.host.link(LAMP, "unreachable");
    expect(errOf(LAMP)).toBe(1);
    services.host.link(LAMP, "unknown");
    expect(errOf(LAMP)).toBe(1);
    services.host.link(LAMP, "asleep");
    expect(errOf(LAMP)).toBe(0);
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    services.host.link(LAMP, "unreachable");
    expect(errOf(LAMP)).toBe(0);
    services.host.define(10, 3, { nodedefs: [healthy] }, false);
    services.host.node({ ...spec("n003_a"), nodeDefId: "OWN", family: 10, instance: 3 });
    services.host.link("n003_a", "unreachable");
    expect([services.home.nodes.get("n003_a")?.link, errOf("n003_a")]).toEqual(["unreachable", undefined]);
  });

  test("texts come without control characters", async () => {
    const services = await lampServices();
    services.host.report([report(LAMP, 1, { text: "on\u0000\u0085" })]);
    expect(services.home.nodes.get(LAMP)?.properties.get("ST")?.text).toBe("on");
  });

  test("a device that flaps is throttled to its latest values and named once; the others are not touched", async () => {
    const services = await lampServices({ nodeReportsPerSecond: 100 });
    services.host.node(spec("ZW003_1"));
    for (let value = 0; value < 1000; value += 1) services.host.report([report(LAMP, value)]);
    services.host.report([report("ZW003_1", 7)]);
    expect(told(services, "property-changed")).toHaveLength(101);
    await services.clock.advance(1000);
    expect(told(services, "property-changed").at(-1)?.property.value).toBe(999);
    for (let value = 0; value < 1000; value += 1) services.host.report([report(LAMP, value)]);
    await services.clock.advance(1000);
    expect(services.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(999);
    expect(services.lines.map(({ fields }) => fields.node)).toEqual([LAMP]);
  });

  test("a report that was held for a node that was removed meanwhile is dropped", async () => {
    const services = await lampServices({ nodeReportsPerSecond: 10 });
    for (let value = 0; value < 20; value += 1) services.host.control(LAMP, "DON", value);
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    await services.clock.advance(1000);
    expect(told(services, "control-sent")).toHaveLength(10);
    services.host.gone(LAMP);
    expect(services.home.nodes.size).toBe(0);
  });
});

describe("the rest of a device's life", () => {
  test("presses, links and writes are published; an equal link is not", async () => {
    const services = await lampServices();
    services.host.control(LAMP, "DON", 1);
    services.host.link(LAMP, "online");
    services.host.link(LAMP, "online");
    services.host.writes(LAMP, "pending", true);
    expect(told(services, "control-sent")).toMatchObject([{ control: "DON", value: 1 }]);
    expect(told(services, "node-link-changed")).toMatchObject([{ link: "online", before: "unknown" }]);
    expect(told(services, "write-progress")).toMatchObject([{ phase: "pending", active: true }]);
  });

  test("a control that is malformed is ignored", async () => {
    const services = await lampServices();
    services.host.control(LAMP, "D ON", 1);
    services.host.control(LAMP, "DON", Number.NaN);
    expect(told(services, "control-sent")).toEqual([]);
  });

  test("while the driver is down its nodes are unreachable and keep their values; when it is back those of which it says nothing are unknown", async () => {
    const services = await lampServices();
    services.host.node(spec("ZW003_1"));
    services.host.link(LAMP, "online");
    services.host.report([report(LAMP, 50)]);
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    services.host.status("failed", "The adapter is gone.");
    expect(services.home.nodes.get(LAMP)).toMatchObject({ link: "unreachable" });
    expect(services.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(50);
    services.host.link("ZW003_1", "online");
    await services.clock.advance(services.config.driverRestartMs);
    expect([services.home.nodes.get(LAMP)?.link, services.home.nodes.get("ZW003_1")?.link]).toEqual([
      "unknown",
      "online",
    ]);
    expect(services.lines.map(({ message }) => message)).toEqual([
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
      if (starts > 1) throw new Error("No adapter.");
    };
    const services = await createServices({}, { start });
    services.host.status("failed", "The adapter is gone.");
    await services.clock.advance(1000 + 2000 + 4000);
    expect(starts).toBe(4);
    expect(services.lines).toHaveLength(1);
    await services.drivers.stop();
    await services.clock.advance(1_000_000);
    expect(starts).toBe(4);
    expect(() => services.drivers.of("scripted")).toThrow("not running");
  });

  test("a driver that hangs at its start is given up at the deadline and tried again", async () => {
    const signals: AbortSignal[] = [];
    const start = (_host: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return signals.length === 2 ? new Promise<void>(() => {}) : Promise.resolve();
    };
    const services = await createServices({}, { start });
    services.host.status("failed", "The adapter is gone.");
    await services.clock.advance(services.config.driverRestartMs + services.config.driverStartMs);
    expect([signals.map(({ aborted }) => aborted), services.drivers.list()[0]?.state]).toEqual([
      [false, true],
      "failed",
    ]);
    await services.clock.advance(2 * services.config.driverRestartMs);
    expect([signals.length, services.drivers.list()[0]?.state]).toEqual([3, "ready"]);
  });

  test("a driver that never stops does not keep the controller from ending", async () => {
    const services = await createServices({}, { stop: () => new Promise<void>(() => {}) });
    const stopped = services.drivers.stop();
    await services.clock.advance(services.config.driverStopMs);
    await stopped;
    expect(services.lines).toMatchObject([
      { message: "A driver could not be stopped.", fields: { driver: "scripted" } },
    ]);
  });
});
