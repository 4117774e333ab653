/** Home Assistant's integration, by its rules: every node of the demo homes is shown as what it is. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import { interviewed } from "../support/demo-radio.ts";
import { type Entity, lostToTwins, type Seen, seenBy, wiredPairState } from "./home-assistant/entities.ts";
import { ModernClient } from "./modern-client/client.ts";
import { findEditor } from "./modern-client/profile.ts";

async function load(controller: TestController): Promise<ModernClient> {
  const { portal, clock } = controller;
  const client = new ModernClient({ url: portal.url, mode: "portal", credentials: OWNER, clock });
  await client.connect();
  return client;
}

/** By name, because people look for things by name. */
function find(client: ModernClient, name: string): Seen {
  const node = [...client.home.nodes.values()].find((each) => each.name === name);
  const seen = node && seenBy(client, node);
  if (!seen) throw new Error(`There is no node ${name}.`);
  return seen;
}

function entity({ further }: Seen, control: string): Entity | undefined {
  return further.find((each) => each.control === control);
}

function acceptsOf(client: ModernClient, name: string) {
  const node = [...client.home.nodes.values()].find((each) => each.name === name);
  return (node && client.nodedef(node)?.accepts) ?? [];
}

/** Commands without a name of their own, and names that two of a list share. */
function badNames(client: ModernClient): readonly string[] {
  return [...client.home.profile.values()].flatMap(({ nodedefs }) =>
    [...nodedefs.values()].flatMap(({ id, accepts, sends, properties }) =>
      [accepts, sends, properties].flatMap((list) => {
        const names = list.map(({ name }) => name.toLowerCase().replaceAll(" ", ""));
        return list
          .filter(({ name }, at) => name === "" || names.indexOf(names[at] ?? "") !== at)
          .map((each) => `${id} ${each.id} "${each.name}"`);
      }),
    ),
  );
}

/** Names of the values that a thermostat's command takes, in lower case. */
function choices(client: ModernClient, name: string, command: string): readonly string[] {
  const node = [...client.home.nodes.values()].find((each) => each.name === name);
  const parameter = acceptsOf(client, name).find(({ id }) => id === command)?.parameters[0];
  const editor = node && parameter && findEditor(client.home.profile, node.family, node.instance, parameter.editor);
  return (editor?.ranges ?? []).flatMap(({ names }) => [...names.values()].map((each) => each.toLowerCase()));
}

const COVER = [
  ["DON", null, null],
  ["DOF", null, "FDDOWN"],
  ["OL", 40, "DON"],
] as const;

describe("the demo home", () => {
  let controller: TestController;
  let client: ModernClient;

  beforeAll(async () => {
    controller = await startTestController({ virtualLatencyMs: 0 });
    client = await load(controller);
  }, 60_000);

  afterAll(async () => {
    await client.stop();
    await controller[Symbol.asyncDispose]();
  });

  test.each([
    ...["Hall Ceiling", "Hall Keypad", "Floor Lamp", "Reading Lamp", "Bedside Lamp"].map((name) => [name, "light"]),
    ...["Kitchen Ceiling", "Coffee Machine", "Towel Warmer", "Dishwasher", "Lawn", "Irrigation"].map((name) => [
      name,
      "switch",
    ]),
    ...["Front Door Lock", "Garage Lock"].map((name) => [name, "lock"]),
    ["Living Room Fan", "light"],
    ["Living Room Fan Motor", "fan"],
    ["Living Room Blind", "cover"],
    ["Living Room Thermostat", "climate"],
    ["Bedroom Thermostat", "climate"],
    ["Siren", "switch"],
  ])("%s is a %s", (name, platform) => {
    expect(find(client, name).platform).toBe(platform);
  });

  test.each([
    ["Front Door", "opening"],
    ["Kitchen Leak", "moisture"],
    ["Bathroom Leak", "moisture"],
    ["Hall Motion", "motion"],
    ["Hall Motion Dusk", "light"],
    ["Hall Motion Low Battery", "battery"],
    ["Living Room Thermostat Cooling", "cold"],
    ["Living Room Thermostat Heating", "heat"],
    ["Kitchen Window", "door"],
    ["Garage Door", "door"],
    ["Bathroom Motion", "motion"],
  ])("%s is a binary sensor of class %s", (name, deviceClass) => {
    expect(find(client, name)).toMatchObject({ platform: "binary_sensor", deviceClass });
  });

  test("children of a wired sensor are kept, because their parent is one too", () => {
    const nodes = [...client.home.nodes.values()].filter(({ type }) => type.startsWith("16."));
    const orphans = nodes.filter(({ pnode }) => !client.node(pnode).nodeDefId.startsWith("BinaryAlarm"));
    expect(nodes.length).toBeGreaterThan(10);
    expect(orphans).toEqual([]);
  });

  test.each([
    ["2C 10 5 1", "Front Door"],
    ["2C 44 8 1", "Kitchen Leak"],
    ["2C 44 9 1", "Bathroom Leak"],
  ])("%s, %s, is off and not unknown", (address) => {
    expect(wiredPairState(client, address)).toBe("off");
  });

  test("keypad buttons are events alone", () => {
    expect(find(client, "Hall Keypad Evening")).toMatchObject({ platform: null, hasEvent: true });
  });

  test.each([
    ["House Meter", "ST", "sensor"],
    ["House Meter", "TPW", "sensor"],
    ["Dishwasher Meter", "TPW", "sensor"],
    ["Weather Station", "CLITEMP", "sensor"],
    ["Weather Station", "BARPRES", "sensor"],
    ["Bedroom Climate", "CLIHUM", "sensor"],
    ["Bedroom Climate", "BATLVL", "sensor"],
  ])("%s shows %s as a %s", (name, control, platform) => {
    expect(entity(find(client, name), control)?.platform).toBe(platform);
  });

  test("a switch shows the state that its commands set, on every node that takes both", async () => {
    const switched = [...client.home.nodes.values()].filter((node) =>
      ["light", "switch"].includes(seenBy(client, node)?.platform ?? ""),
    );
    for (const [command, isOn] of [
      ["DON", true],
      ["DOF", false],
    ] as const) {
      await Promise.all(switched.map(({ address }) => client.command(address, command)));
      await controller.clock.advance(30_000);
      await client.refresh();
      const wrong = switched.filter(
        ({ address }) => Number(client.node(address).properties.get("ST")?.value) > 0 !== isOn,
      );
      expect(wrong.map(({ name }) => name)).toEqual([]);
    }
  });

  test.each(COVER)("the blind goes with %s", async (control, value, sentAs) => {
    const blind = "33 A 5 1";
    await client.command(blind, control === "DOF" ? "DON" : "FDDOWN");
    await controller.clock.advance(60_000);
    await client.command(blind, control, ...(value === null ? [] : [value]));
    await controller.clock.advance(60_000);
    expect(controller.services.home.nodes.get(blind)?.properties.get("ST")?.value).toBe(
      { DON: 255, DOF: 0, OL: 102 }[control],
    );
    if (sentAs) expect(client.session.sent.at(-1)?.path).toContain(`/cmd/${sentAs}`);
  });

  test("a client that knows a blind as a lamp closes it and sends it to a position all the same", async () => {
    const position = () => controller.services.home.nodes.get("33 A 5 1")?.properties.get("ST")?.value;
    for (const [tail, value] of [
      ["OL/60/51", 153],
      ["DOF", 0],
      ["DON/20/51", 51],
    ] as const) {
      expect((await controller.local.get(`/rest/nodes/33%20A%205%201/cmd/${tail}`)).status).toBe(200);
      await controller.clock.advance(60_000);
      expect(position()).toBe(value);
    }
  });

  test.each(["Living Room Thermostat", "Bedroom Thermostat"])("%s has the modes that are sent by name", (name) => {
    expect(choices(client, name, "CLIMD")).toEqual(expect.arrayContaining(["off", "heat", "cool", "auto"]));
    expect(choices(client, name, "CLIFS")).toEqual(expect.arrayContaining(["on", "auto"]));
  });

  test("every command and value has a name that no other of its list has", () => {
    expect(badNames(client)).toEqual([]);
  });

  test("no two nodes of a device show the same reading, of which one would be lost", () => {
    expect(lostToTwins(client)).toEqual([]);
  });
});

describe("the demo's radio network", () => {
  let controller: TestController;
  let client: ModernClient;

  beforeAll(async () => {
    controller = await startTestController({ demo: false, demoRadio: true, still: true });
    await interviewed(controller);
    client = await load(controller);
  }, 120_000);

  afterAll(async () => {
    await client.stop();
    await controller[Symbol.asyncDispose]();
  });

  test.each([
    ["Hall light", "switch"],
    ["Living room lamp", "light"],
    ["Reading corner", "light"],
    ["Kitchen shutter", "cover"],
    ["Bedroom thermostat", "climate"],
    ["Front door lock", "lock"],
    ["Washing machine plug", "switch"],
  ])("%s is a %s", (name, platform) => {
    expect(find(client, name).platform).toBe(platform);
  });

  test("the shutter takes open, close and a position", () => {
    const accepts = acceptsOf(client, "Kitchen shutter");
    const meant = (id: string) =>
      (
        accepts.find((each) => each.id === id) ??
        accepts.find(({ parameters }) => parameters.some(({ init }) => init === id))
      )?.id;
    expect(["DON", "DOF", "OL"].map(meant)).toEqual(["DON", "FDDOWN", "DON"]);
  });

  test("a color lamp turns white at the press of its button", async () => {
    expect(entity(find(client, "Reading corner"), "COLOR")).toEqual({
      control: "COLOR",
      platform: "button",
      name: "Color",
    });
    const { address = "" } = [...client.home.nodes.values()].find(({ name }) => name === "Reading corner") ?? {};
    const answer = await controller.local.get(`/rest/nodes/${address}/cmd/COLOR`);
    expect(answer.status).toBe(200);
  });

  test("the thermostat has the modes that are sent by name", () => {
    expect(choices(client, "Bedroom thermostat", "CLIMD")).toEqual(
      expect.arrayContaining(["off", "heat", "cool", "auto"]),
    );
    expect(choices(client, "Bedroom thermostat", "CLIFS")).toEqual(expect.arrayContaining(["on", "auto"]));
  });

  test("each outlet of a strip keeps the readings of its meter", () => {
    const meters = [...client.home.nodes.values()].filter(({ name }) => /^Desk strip.*Meter/.test(name));
    expect(meters.length).toBeGreaterThan(1);
    expect(new Set(meters.map(({ pnode }) => pnode)).size).toBe(meters.length);
    expect(lostToTwins(client)).toEqual([]);
  });

  test("every command and value has a name that no other of its list has", () => {
    expect(badNames(client)).toEqual([]);
  });
});
