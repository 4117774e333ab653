/** The vendor's newest client, emulated: it loads every home, and follows and commands it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { LOCAL, startTestController, type TestController } from "../support/controller.ts";
import { failureOf, loadAsVendorClient, type VendorClient } from "./vendor-client/load.ts";

const HALL_CEILING = "1A 2B 3C 1";
const READING_LAMP = "ZW002_1";
const EVENING = "31002";

describe("the demo home", () => {
  let controller: TestController;
  let client: VendorClient;

  beforeAll(async () => {
    controller = await startTestController({ virtualLatencyMs: 0 });
    client = await loadAsVendorClient(controller.portal.url);
  }, 60_000);

  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await controller[Symbol.asyncDispose]();
  });

  test("every node, folder, scene, variable and program is there, and nothing is passed over", () => {
    const { home } = controller.services;
    const { nodes, groups, folders, variables, routines, problems } = client.home;
    expect(problems).toEqual([]);
    expect([...nodes.keys()].toSorted()).toEqual([...home.nodes.keys()].toSorted());
    // The root group is kept among the groups.
    expect(groups.size).toBe(home.groups.size + 1);
    expect([...folders.keys()].toSorted()).toEqual([...home.folders.keys()].toSorted());
    expect(variables.size).toBe(home.variables[1].size + home.variables[2].size);
    const names = new Set(routines.map(({ name }) => name));
    expect([...home.programs.values()].filter(({ name }) => !names.has(name))).toEqual([]);
  });

  test("radio nodes have their nodedefs, with commands found by name and editors with bounds", () => {
    const lamp = client.home.nodes.get(READING_LAMP);
    expect(lamp?.nodedef?.id).toBe("UZW0109");
    expect(client.findCommand(READING_LAMP, "fast  on")?.id).toBe("DFON");
    const level = lamp?.nodedef?.properties.find(({ id }) => id === "ST")?.editor;
    expect(level?.ranges).toEqual([
      { uom: "51", min: 0, max: 101, subset: null, names: { "0": "Off", "100": "On", "101": "Unknown" } },
    ]);
  });

  test("editors with a meaning of their own have the labels that it reads", () => {
    const editorOf = (command: string) =>
      client.home.nodes.get("1E 4 A0 1")?.nodedef?.accepts.find(({ id }) => id === command)?.parameters[0]?.editor;
    const labels = (command: string) => Object.values(editorOf(command)?.ranges[0]?.names ?? {});
    expect(labels("RR").filter((label) => !/^\d+\.\d (minutes|seconds)$/.test(label))).toEqual([]);
    expect(labels("BL").filter((label) => !/^On \d+ \/ Off \d+$/.test(label))).toEqual([]);
    expect([labels("RR").length, labels("BL").length]).toEqual([32, 128]);
  });

  test("a scene has the levels and ramps of its links", () => {
    const own = client.home.groups.get(EVENING)?.controllers.get(EVENING);
    const floorLamp = own?.get("1A 2F 91 1");
    expect(floorLamp).toMatchObject({ type: "native", linkdef: "I_DIMMER_ADV", parameters: { OL: { value: 60 } } });
    // The keypad button of the scene controls it too.
    expect(client.home.groups.get(EVENING)?.controllers.size).toBeGreaterThan(1);
  });

  test.each([
    [HALL_CEILING, "DON/50/51", 128],
    [HALL_CEILING, "DON?.51=25", 64],
    [READING_LAMP, "DON/40/51", 40],
    [READING_LAMP, "DON/30/?RR.58=0", 30],
  ])("%s takes %s", async (address, tail, level) => {
    const { status } = await client.send("GET", `/rest/nodes/${encodeURIComponent(address)}/cmd/${tail}`);
    expect(status).toBe(200);
    await controller.clock.advance(10_000);
    expect(controller.services.home.nodes.get(address)?.properties.get("ST")?.value).toBe(level);
  });

  test("programs are commanded by four lower-case hex digits, and the stream announces a change of them", async () => {
    client.routinesChanged = false;
    expect((await client.send("GET", "/rest/programs/000f/runThen")).status).toBe(200);
    await client.hears("_1");
  });

  test("a renaming makes it load again", async () => {
    client.structureChanged = false;
    await client.send("POST", `/api/nodes/${encodeURIComponent(HALL_CEILING)}`, {
      name: "Hall Lamp",
      nodeType: "node",
    });
    await client.hears("_3");
    await client.refresh();
    expect(client.home.nodes.get(HALL_CEILING)?.name).toBe("Hall Lamp");
  });

  test("a failure is shown with its code and sentence", async () => {
    const answer = await client.send("POST", "/api/nodes/nowhere", { name: "X", nodeType: "node" });
    expect(answer.status).toBe(404);
    expect(failureOf(answer)).toBe("NODE_NOT_FOUND: There is no node, group or folder with this address.");
  });
});

test.each<[string, Partial<Config>]>([
  ["without anything", { demo: false }],
  ["of 400 nodes", { demoNodes: 400 }],
])("a home %s is loaded whole", async (_name, settings) => {
  await using controller = await startTestController(settings);
  await using client = await loadAsVendorClient(controller.portal.url);
  expect(client.home.problems).toEqual([]);
  expect(client.home.nodes.size).toBeGreaterThanOrEqual(controller.services.home.nodes.size);
});

test("wrong credentials end in an error, and so does the setting portalBasic off", async () => {
  await using controller = await startTestController({ demo: false, portalBasic: false });
  await expect(loadAsVendorClient(controller.portal.url)).rejects.toThrow("401");
  await using open = await startTestController({ demo: false });
  await expect(loadAsVendorClient(open.portal.url, { ...LOCAL, password: "wrong" })).rejects.toThrow("401");
});
