/** Nodes, scenes, programs and variables of a loaded home. @see client/RULES.md */

import type { Home } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { serveLocal } from "./support/local-home.ts";
import { json, type ScriptedServer, text } from "./support/scripted-server.ts";
import { NODES } from "./support/small-home.ts";

/** A home, after the test has changed what the controller says. */
async function homeWith(
  change: (server: ScriptedServer) => void = () => {},
  mode: "portal" | "local" = "portal",
): Promise<Home> {
  await using stage = await startStage();
  serveLocal(stage.server);
  change(stage.server);
  return await connectTo(stage, { mode });
}

const oneNode = (node: object) => (server: ScriptedServer) =>
  server.on("GET /api/nodes", json({ nodes: { node: [node], group: [], folder: [] } }));

describe("nodes", () => {
  test("L5 status properties replace those of the same id, are added, and leave the others", async () => {
    const home = await homeWith();
    const lamp = home.node("Porch Lantern");
    expect(lamp.properties.get("ST")?.value).toBe("191");
    expect(lamp.properties.get("RR")).toEqual({
      id: "RR",
      value: "28",
      formatted: "0.5 seconds",
      uom: "25",
      name: "Ramp Rate",
      prec: 0,
    });
    expect(home.node("Stairs").properties.get("ST")?.value).toBe("40");
    expect(home.nodes.size).toBe(4);
  });

  test("M1 a value that is empty is kept, and what is left out has its default", async () => {
    const home = await homeWith(oneNode({ address: "A", property: [{ id: "ST", value: "" }, { id: "X" }] }));
    expect([...home.node("A").properties.values()]).toEqual([
      { id: "ST", value: "", formatted: "", uom: "", name: "", prec: 0 },
      { id: "X", value: "", formatted: "", uom: "", name: "", prec: 0 },
    ]);
    expect(home.node("A").value("ST")).toBeNull();
    expect(home.node("A").label("ST")).toBeNull();
  });

  test("M2 what a node leaves out has its default", async () => {
    const home = await homeWith(oneNode({ address: "A 1" }));
    const { address, name, family, instance, type, parent, primary, enabled, flag, devtype, path } = home.node("A 1");
    expect({ address, name, family, instance, type, parent, primary, enabled, flag, devtype, path }).toEqual({
      address: "A 1",
      name: "",
      family: "1",
      instance: "1",
      type: "",
      parent: null,
      primary: null,
      enabled: true,
      flag: 0,
      devtype: null,
      path: "",
    });
  });

  test.each([
    [undefined, "1", "1"],
    ["4", "4", "1"],
    [12, "12", "1"],
    [{ _: "10", instance: "7" }, "10", "7"],
    [{ _: "10" }, "10", "10"],
    ["constructor", "constructor", "1"],
  ])("M2 the family %j is %s, instance %s", async (family, id, instance) => {
    const home = await homeWith(oneNode({ address: "A", family }));
    expect(home.node("A")).toMatchObject({ family: id, instance });
  });

  test("M2 flags and enablement come as texts", async () => {
    const home = await homeWith();
    expect(home.node("Shed")).toMatchObject({ enabled: false, flag: 128 });
    const node = ["False", "0", 0, "TRUE", "1", "perhaps"].map((enabled, at) => ({ address: `A${at}`, enabled }));
    const others = await homeWith((server) => server.on("GET /api/nodes", json({ nodes: { node } })));
    expect(Array.from(others.nodes, ({ enabled }) => enabled)).toEqual([false, false, false, true, true, true]);
  });

  test("M3 only nodes of the two radios have a device type, and it is taken apart", async () => {
    const devtype = { gen: "4.17.1", mfg: "99.3.7", cat: "109" };
    const home = await homeWith(oneNode({ address: "A", family: "1", devtype }));
    expect(home.node("A").devtype).toBeNull();
    expect((await homeWith()).node("Stairs").devtype).toEqual({
      ...devtype,
      manufacturer: { id: 99, productType: 3, product: 7 },
      generic: { basic: 4, generic: 17, specific: 1 },
    });
    const bare = await homeWith(oneNode({ address: "A", family: "12", devtype: { gen: "4.x", cat: null, mfg: "" } }));
    expect(bare.node("A").devtype).toMatchObject({
      cat: "0",
      mfg: "0.0.0",
      generic: { basic: 4, generic: 0, specific: 0 },
    });
  });

  test("L9 nodedefs of a radio are stamped with its family and instance and join its nodes", async () => {
    const { nodedef } = (await homeWith()).node("Stairs");
    expect(nodedef).toMatchObject({ id: "UZW01A2", family: "4", instance: "1", nls: "109", respondLinks: ["BASIC"] });
    expect(nodedef?.properties[1]).toEqual({ id: "ERR", name: "", editor: "ZW_ERR", hide: true });
    expect(nodedef?.accepts[0]?.parameters.map(({ id, optional }) => [id, optional])).toEqual([
      ["", true],
      ["RR", true],
    ]);
  });

  test("M15 labels of all families, and over them those of the radio", async () => {
    const { nodedef } = (await homeWith()).node("Stairs");
    expect(nodedef?.name).toBe("Dimmer Switch");
    expect(nodedef?.properties[0]?.name).toBe("Brightness");
    expect(nodedef?.accepts.map(({ name }) => name)).toEqual(["On", "Off"]);
  });

  test("M13 a displayed value is the raw one over ten to the precision, a byte is shown as the editor's percent", async () => {
    const home = await homeWith();
    expect(home.node("Greenhouse").value("GV0")).toBe(70.5);
    expect(home.node("Porch Lantern").value("ST")).toBe(75);
    expect(home.node("Stairs").value("ST")).toBe(40);
    expect(home.node("Porch Lantern").label("RR")).toBe("0.5 seconds");
    expect(home.node("Greenhouse").label("GV0")).toBe("70.5");
  });
});

describe("scenes", () => {
  test("M4 the controller's own group is no scene; its name is the controller's", async () => {
    const home = await homeWith();
    expect(home.name).toBe("Our Services");
    expect(Array.from(home.groups, ({ name }) => name)).toEqual(["Evening"]);
    expect((await homeWith(oneNode({ address: "A" }))).name).toBe("");
    const group = [
      { address: "00:01", flag: "12", name: "First" },
      { address: "00:02", flag: 12, name: "Second" },
    ];
    const twoRoots = await homeWith((server) => server.on("GET /api/nodes", json({ nodes: { group } })));
    expect([twoRoots.name, twoRoots.groups.size]).toEqual(["First", 0]);
  });

  test("M5 members stand in their order, controllers are those of link type 16", async () => {
    const group = (await homeWith()).group("Evening");
    expect(group.members).toEqual(["61 9 B 1", "5C 2 D1 1"]);
    expect(group.controllers).toEqual(["61 9 B 1"]);
    expect(group).toMatchObject({
      family: "6",
      instance: "1",
      nodeDefId: "InsteonDimmer",
      path: "Garden/Beds/Evening",
    });
  });

  const native = (node: string, value: unknown) => ({ type: "native", node, params: [{ id: "OL", val: { value } }] });
  const onLevel = (links: readonly object[]) => (server: ScriptedServer) =>
    server.on(
      "GET /api/groups",
      json({
        groups: [
          {
            id: "31777",
            ctl: [
              { id: "other", links: [native("Z", 9)] },
              { id: "31777", links },
            ],
          },
        ],
      }),
    );

  test.each([
    ["native above 0", [native("A", 35)], { A: "on" }],
    ["native 0", [native("A", 0)], { A: "off" }],
    ["a command to switch on", [{ type: "cmd", node: "A", cmd: "DFON" }], { A: "on" }],
    ["a command to switch off", [{ type: "cmd", node: "A", cmd: "DOF" }], { A: "off" }],
    ["another command", [{ type: "cmd", node: "A", cmd: "BEEP" }], { A: "discard" }],
    ["default", [{ type: "default", node: "A" }], { A: "on" }],
    ["ignore", [{ type: "ignore", node: "A" }], {}],
    [
      "native before command before default",
      [{ type: "default", node: "A" }, { type: "cmd", node: "A", cmd: "BEEP" }, native("A", 0)],
      { A: "off" },
    ],
    [
      "a command before default",
      [
        { type: "default", node: "A" },
        { type: "cmd", node: "A", cmd: "DOF" },
      ],
      { A: "off" },
    ],
    ["the first among equals", [native("A", 1), native("A", 0)], { A: "on" }],
    ["no link", [], {}],
  ])("M6 %s is resolved", async (_what, links, intents) => {
    const group = (await homeWith(onLevel(links))).group("Evening");
    expect(Object.fromEntries(group.intents)).toEqual(intents);
    expect(group.targetsResolved).toBe(true);
  });

  test.each([
    ["of an unknown type", [{ type: "other", node: "A" }]],
    ["native without a level", [{ type: "native", node: "A", params: [] }]],
    ["native with a level that is no number", [native("A", null)]],
    ["without a node", [{ type: "default" }]],
  ])("M6 one link %s leaves the whole scene unresolved", async (_what, links) => {
    const group = (await homeWith(onLevel([native("B", 1), ...links]))).group("Evening");
    expect(group.targetsResolved).toBe(false);
    expect(group.intents.size).toBe(0);
  });

  test("M6 a scene without its own block is resolved with nothing; one that is not listed is not", async () => {
    const own = await homeWith((server) => server.on("GET /api/groups", json({ groups: [{ id: "31777" }] })));
    expect(own.group("Evening")).toMatchObject({ targetsResolved: true, anyOn: false, hasStateTarget: false });
    const none = await homeWith((server) => server.on("GET /api/groups", json({ groups: [] })));
    expect(none.group("Evening")).toMatchObject({ targetsResolved: false, hasStateTarget: true });
  });

  /** Members: dimmer A, relay B, remote R without a state, G that is no node. */
  const scene =
    (values: Readonly<Record<string, string>>, links: readonly object[] | null) => (server: ScriptedServer) => {
      const node = Object.entries({ A: "Dimmer", B: "Relay", R: "RemoteLinc2" }).map(([address, nodeDefId]) => ({
        address,
        nodeDefId,
        property: address in values ? [{ id: "ST", value: values[address] }] : [],
      }));
      const members = { link: (values.members ?? "A B R").split(" ").map((address) => ({ _: address, type: "0" })) };
      server.on(
        "GET /api/nodes",
        json({ nodes: { node, folder: [], group: [{ address: "S", name: "S", flag: "132", members }] } }),
      );
      server.on("GET /rest/status", text(""));
      server.on("GET /api/groups", json({ groups: links === null ? [] : [{ id: "S", ctl: [{ id: "S", links }] }] }));
    };

  test.each([
    ["unresolved, one on", { A: "10", B: "0" }, null, true, false],
    ["unresolved, all on", { A: "10", B: "255" }, null, true, true],
    ["unresolved, none on", { A: "0", B: "0" }, null, false, false],
    ["unresolved, the one that is on has no state", { A: "0", B: "0", R: "255" }, null, false, false],
    ["unresolved, one without a value", { A: "10", B: "" }, null, true, false],
    ["unresolved, one that reports nothing", { A: "10" }, null, true, false],
    ["unresolved, one that is no node", { A: "10", B: "1", members: "A B G" }, null, true, false],
    ["unresolved, only one without a state", { R: "1", members: "R" }, null, false, false],
    [
      "resolved, only the one that it switches on counts",
      { A: "10", B: "0" },
      [native("A", 1), native("B", 0)],
      true,
      true,
    ],
    [
      "resolved, the one that it switches on is off",
      { A: "0", B: "1" },
      [native("A", 1), native("B", 0)],
      false,
      false,
    ],
    ["resolved, one that it switches on is no node", { A: "10" }, [native("A", 1), native("G", 1)], true, false],
    ["resolved without any", { A: "10", B: "10" }, [{ type: "cmd", node: "A", cmd: "BEEP" }], false, false],
  ])("M7 M8 %s", async (_what, values, links, anyOn, allOn) => {
    const group = (await homeWith(scene(values as Record<string, string>, links))).group("S");
    expect({ anyOn: group.anyOn, allOn: group.allOn }).toEqual({ anyOn, allOn });
  });

  test.each([
    ["unresolved", null, true],
    ["something it switches on", [native("A", 1)], true],
    ["something it switches off", [native("A", 0)], true],
    ["only what it discards", [{ type: "cmd", node: "A", cmd: "BEEP" }], false],
    ["nothing", [], false],
  ])("M9 a scene with %s: state target %#", async (_what, links, expected) => {
    expect((await homeWith(scene({}, links))).group("S").hasStateTarget).toBe(expected);
  });

  test.each([
    ["A", true],
    ["B", false],
    ["R", false],
    ["G", false],
    ["B A", true],
  ])("M10 members %s: dimmable %s", async (members, expected) => {
    expect((await homeWith(scene({ members }, null))).group("S").hasDimmableMembers).toBe(expected);
  });

  test("M7 in local mode there are no links, and all members count", async () => {
    const group = (await homeWith(undefined, "local")).group("Evening");
    expect(group).toMatchObject({ targetsResolved: false, anyOn: true, allOn: false });
  });
});

describe("programs and variables", () => {
  test("M11 the path leaves out the root folder, folders have none of what only programs have", async () => {
    const home = await homeWith();
    expect(home.program("Lights/Dusk")).toMatchObject({
      id: "001C",
      parentId: "0002",
      isFolder: false,
      status: true,
      enabled: true,
      runAtStartup: false,
      running: "idle",
      lastRunTime: "2031-02-03T04:05:06.000Z",
      lastFinishTime: null,
      nextScheduledRunTime: null,
    });
    expect(home.program("0002")).toMatchObject({
      path: "Lights",
      isFolder: true,
      enabled: null,
      runAtStartup: null,
      running: null,
    });
    expect(home.program("0001")).toMatchObject({ path: "", lastRunTime: null });
  });

  test("M11 ids of newer controllers are numbers, a missing status is false, a ring of parents ends", async () => {
    const entry = { folder: true, name: "Ring" };
    const data = [
      { ...entry, id: 28, parentId: 29 },
      { ...entry, id: 29, parentId: 28 },
      { ...entry, id: "" },
    ];
    const home = await homeWith((server) => server.on("GET /api/programs", json(data)));
    expect(Array.from(home.programs, ({ id, status, path }) => ({ id, status, path }))).toEqual([
      { id: "001C", status: false, path: "Ring/Ring" },
      { id: "001D", status: false, path: "Ring/Ring" },
    ]);
  });

  test("M12 variables are known by type and id, those without an id are left out", async () => {
    const home = await homeWith();
    expect(Array.from(home.variables, ({ key }) => key)).toEqual(["1.7", "2.7"]);
    expect(home.variable("2.7")).toMatchObject({
      name: "Target",
      raw: 215,
      value: 21.5,
      init: 20,
      rawInit: 200,
      prec: 1,
      ts: null,
    });
    expect(home.variable("Boost")).toMatchObject({ key: "1.7", value: 12, ts: "2031-02-03T04:05:06.000Z" });
  });
});

describe("finding", () => {
  const twins = {
    nodes: {
      ...NODES.nodes,
      node: [
        { address: "1", name: "Lamp", parent: { _: "31200", type: "3" } },
        { address: "2", name: "Lamp", parent: { _: "31201", type: "3" } },
        { address: "3", name: "lamp" },
        { address: "4", name: "Sub", parent: { _: "2", type: "1" } },
        { address: "5", name: "Pump" },
        { address: "6", name: "Pump", parent: { _: "31200", type: "3" } },
      ],
    },
  };

  test("M16 by address, path, name, and then without regard to case", async () => {
    const home = await homeWith((server) => server.on("GET /api/nodes", json(twins)));
    const found = ["2", "Garden/Lamp", "Garden/Beds/Lamp", "lamp", "garden/lamp", "SUB", "Garden/Beds/Sub"];
    expect(found.map((key) => home.nodes.get(key).address)).toEqual(["2", "1", "2", "3", "1", "4", "4"]);
  });

  test("M16 a name that several have is refused with their addresses, one that none has is not found", async () => {
    const home = await homeWith((server) => server.on("GET /api/nodes", json(twins)));
    expect(await failureOf((async () => home.node("Lamp"))())).toMatchObject({
      code: "AMBIGUOUS",
      message: '"Lamp" is 2 nodes: 1, 2. Use one of these instead.',
    });
    expect(await failureOf((async () => home.node("pump"))())).toMatchObject({
      message: expect.stringContaining("5, 6"),
    });
    expect(home.node("/Pump").address).toBe("5");
    expect(await failureOf((async () => home.node("Attic"))())).toMatchObject({ code: "NOT_FOUND" });
    expect(home.nodes.find("Attic")).toBeNull();
  });

  test("M16 every lookup returns the same handle, and a node knows its scenes", async () => {
    const home = await homeWith();
    expect(home.node("Shed")).toBe(home.node("61 9 B 1"));
    expect(home.node("Shed").groups).toEqual([home.group("Evening")]);
  });
});
