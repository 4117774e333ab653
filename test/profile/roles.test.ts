/** What a node is: the demo homes, twins of saved homes, every wired product, and definitions drawn at random. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { editor, nodedef } from "../../src/profile/builtin/definition-text.ts";
import { productNodes } from "../../src/profile/builtin/wired-products-table.ts";
import { Profile } from "../../src/profile/profile.ts";
import { isSecured, isSecuredByFacts, roleOf, roleOfFacts } from "../../src/profile/roles.ts";
import { NODE_ROLES, type NodeRole, ROLE_ROWS, type RoleFacts } from "../../src/profile/roles-table.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { startTwinOf } from "../support/twin.ts";

const profile = new Profile();
declareBuiltinProfile(profile);

function rolesByName({ services }: TestController): Readonly<Record<string, NodeRole>> {
  const { home, profile: own } = services;
  return Object.fromEntries(Array.from(home.nodes.values(), (node) => [node.name, roleOf(own, node)]));
}

const DEMO: Readonly<Record<string, NodeRole>> = {
  "Hall Ceiling": "dimmer",
  "Hall Keypad": "dimmer",
  "Hall Keypad Evening": "button",
  "Front Door": "contact",
  "Front Door Closed": "opposite",
  "Front Door Heartbeat": "heartbeat",
  "Hall Motion": "motion",
  "Hall Motion Dusk": "dusk",
  "Hall Motion Low Battery": "low-battery",
  "Front Door Lock": "lock",
  "Kitchen Ceiling": "switch",
  "Coffee Machine": "outlet",
  "Kitchen Leak": "leak-dry",
  "Kitchen Leak Wet": "opposite",
  Dishwasher: "switch",
  "Dishwasher Meter": "meter",
  "Kitchen Window": "contact",
  "Living Room Fan": "dimmer",
  "Living Room Fan Motor": "fan",
  "Living Room Blind": "cover",
  "Living Room Thermostat": "thermostat",
  "Living Room Thermostat Cooling": "cooling",
  "Living Room Thermostat Heating": "heating",
  "Bedside Lamp": "dimmer",
  "Bedroom Thermostat": "thermostat",
  "Bedroom Climate": "temperature",
  "Bathroom Motion": "motion",
  Siren: "siren",
  "House Meter": "meter",
  "Weather Station": "weather",
  Irrigation: "appliance",
  Lawn: "valve",
};

test("the nodes of the demo home are what their names say", async () => {
  await using controller = await startTestController();
  const roles = rolesByName(controller);
  expect(roles).toMatchObject(DEMO);
  expect(Object.entries(roles).filter(([, role]) => role === "other")).toEqual([]);
  const secured = [...controller.services.home.nodes.values()].filter((node) =>
    isSecured(controller.services.profile, node),
  );
  expect(secured.map(({ name }) => name)).toEqual(["Front Door Lock", "Siren", "Garage Lock"]);
});

test.each([
  [
    "wired",
    {
      "Hall Ceiling": "dimmer",
      "Hall Ceiling Motor": "fan",
      "Kitchen Keypad.C": "button",
      "porch relay (old paint)": "switch",
      'Cellar "Pump" <A&B>': "appliance",
      "Attic Sensor-Opened": "contact",
      Thermostat: "thermostat",
    },
  ],
  [
    "radio",
    {
      "Bedroom Dimmer": "dimmer",
      "Multi Sensor": "temperature",
      "Multi Sensor Motion": "motion",
      "Front Lock": "lock",
      "Odd Plug": "switch",
      "Zigbee Bulb": "dimmer",
      "Matter Blind": "garage-door",
    },
  ],
  [
    "plugins",
    { "Oak Street": "weather", "Pool Heater": "thermostat", "Alarm Panel": "alarm", "Unknown Thing": "other" },
  ],
] as const)(
  "the twin of %s knows what its nodes are, and sends it beside the received members",
  async (name, expected) => {
    await using running = await startTwinOf(name);
    const { twin } = running;
    expect(rolesByName(twin)).toMatchObject(expected);
    const answer = await twin.portal.get("/api/nodes");
    const { data } = JSON.parse(answer.text) as { data: { nodes: { node: { name: string; role: string }[] } } };
    expect(Object.fromEntries(data.nodes.node.map((node) => [node.name, node.role]))).toMatchObject(expected);
  },
);

describe("wired products", () => {
  const node = (type: string, suffix: string) => {
    const [category = 0, subcategory = 0] = type.split(".").map(Number);
    const nodes = productNodes(category, subcategory);
    const nodeDefId = nodes?.find((each) => each.suffix === suffix)?.nodeDefId ?? "unknown";
    return { address: `1A 2B 3C ${suffix}`, nodeDefId, family: 1, instance: 1, type, devtype: null };
  };

  test.each<readonly [type: string, suffix: string, role: NodeRole]>([
    ["0.17.0.0", "1", "button"],
    ["1.32.69.0", "1", "dimmer"],
    ["1.46.69.0", "2", "fan"],
    ["1.65.69.0", "4", "button"],
    ["1.58.69.0", "1", "dimmer"],
    ["2.42.69.0", "1", "switch"],
    ["2.57.69.0", "2", "outlet"],
    ["2.8.0.0", "1", "outlet"],
    ["2.55.69.0", "1", "appliance"],
    ["4.0.0.0", "3", "valve"],
    ["4.0.0.0", "9", "binary-sensor"],
    ["5.11.13.0", "1", "thermostat"],
    ["5.11.13.0", "2", "cooling"],
    ["5.3.13.0", "3", "heating"],
    ["7.0.65.0", "1", "contact"],
    ["7.0.65.0", "2", "switch"],
    ["7.30.68.0", "1", "siren"],
    ["9.7.64.0", "1", "meter"],
    ["14.1.65.0", "1", "cover"],
    ["15.6.0.0", "1", "lock"],
    ["16.1.65.0", "1", "motion"],
    ["16.1.65.0", "2", "dusk"],
    ["16.1.65.0", "3", "low-battery"],
    ["16.1.65.0", "4", "heartbeat"],
    ["16.22.0.0", "1", "motion"],
    ["16.22.0.0", "A", "tamper"],
    ["16.2.0.0", "1", "contact"],
    ["16.9.0.0", "2", "opposite"],
    ["16.9.0.0", "3", "low-battery"],
    ["16.8.0.0", "1", "leak-dry"],
    ["16.8.0.0", "4", "heartbeat"],
    ["16.10.0.0", "1", "smoke"],
    ["16.10.0.0", "2", "carbon-monoxide"],
    ["16.10.0.0", "7", "problem"],
    ["16.10.0.0", "A", "heartbeat"],
  ])("type %s, node %s: %s", (type, suffix, role) => {
    expect(roleOf(profile, node(type, suffix))).toBe(role);
  });

  test("every node of every product has a role, and only nodes of unknown products are other things", () => {
    const all = Array.from({ length: 120 * 128 }, (_, at) => [Math.floor(at / 128), at % 128] as const).flatMap(
      ([category, subcategory]) =>
        (productNodes(category, subcategory) ?? []).map(
          ({ suffix }) => [`${category}.${subcategory}.0.0`, suffix] as const,
        ),
    );
    const roles = all.map(([type, suffix]) => roleOf(profile, node(type, suffix)));
    expect(roles.filter((role) => !NODE_ROLES.includes(role) || role === "other")).toEqual([]);
    expect(roles.length).toBeGreaterThan(500);
  });

  test("a definition that is unknown counts as the one of the product", () => {
    expect(roleOf(profile, { ...node("1.32.69.0", "1"), nodeDefId: "unknown" })).toBe("dimmer");
  });
});

describe("definitions of plugins and other radios", () => {
  const EDITORS = [
    editor("HUE", { uom: 149, min: 0, max: 360 }),
    editor("MIRED", { uom: 152, min: 150, max: 500 }),
    editor("LEVEL", { uom: 51, min: 0, max: 100 }),
    editor("OFF_ON", { uom: 78, subset: "0,100" }),
    editor("SPEEDS", { uom: 51, subset: "0,33,66,100" }),
    editor("DOOR", { uom: 79, subset: "0,100" }),
    editor("GATE", { uom: 97, subset: "0-104" }),
    editor("WATT", { uom: 73, min: 0, max: 3000 }),
    editor("LUX", { uom: 36, min: 0, max: 3000 }),
    editor("HUMIDITY", { uom: 22, min: 0, max: 100 }),
  ];
  const LAMP = "DON(LEVEL?) DOF BRT DIM";

  test.each<readonly [role: NodeRole, properties: string, accepts: string, sends: string]>([
    ["color-lamp", "ST:LEVEL", `${LAMP} GV1(HUE=GV1)`, ""],
    ["color-lamp", "ST:LEVEL", `${LAMP} COLOR(RED:LEVEL?,GREEN:LEVEL?)`, ""],
    ["white-lamp", "ST:LEVEL", `${LAMP} GV1(MIRED=GV1)`, ""],
    ["white-lamp", "ST:LEVEL", `${LAMP} COLOR(WARM:LEVEL?,COLD:LEVEL?)`, ""],
    ["switch", "ST:OFF_ON", "DON DOF COLOR(RED:LEVEL?)", ""],
    ["switch", "ST:OFF_ON CPW:WATT", "DON DOF", ""],
    ["fan", "ST:SPEEDS", "DON(SPEEDS) DOF", ""],
    ["cover", "ST:LEVEL", "DON(LEVEL?) FDUP FDDOWN FDSTOP", ""],
    ["cover", "ST:DOOR", "DON DOF", ""],
    ["garage-door", "ST:GATE", "DON FDUP FDDOWN", ""],
    ["garage-door", "ST:GATE", "DON DOF", ""],
    ["lock", "ST:OFF_ON", "LOCK UNLOCK", ""],
    ["contact", "ST:DOOR", "QUERY", ""],
    ["meter", "ST:WATT", "QUERY", ""],
    ["light", "ST:LUX", "QUERY", ""],
    ["humidity", "ST:HUMIDITY", "QUERY", ""],
    ["button", "ERR:OFF_ON", "", "DON DOF FDUP FDSTOP"],
    ["sensor", "ST:LEVEL", "QUERY", ""],
    ["other", "ERR:OFF_ON", "QUERY", ""],
  ])("%s: reports %s, accepts %s, sends %s", (role, properties, accepts, sends) => {
    const own = new Profile();
    own.declare(10, 3, {
      nodedefs: [nodedef("thing", { name: "Thing", properties, accepts, sends })],
      editors: EDITORS,
    });
    const node = { address: "n003_thing", nodeDefId: "thing", family: 10, instance: 3, type: "1.1.0.0", devtype: null };
    expect(roleOf(own, node)).toBe(role);
  });
});

const IDS = [
  "DON",
  "DOF",
  "FDUP",
  "FDDOWN",
  "FDSTOP",
  "BRT",
  "SECMD",
  "LOCK",
  "ARM",
  "CLISPH",
  "COLOR",
  "QUERY",
  "GV1",
];
const UNITS = [0, 2, 4, 11, 17, 22, 25, 33, 36, 51, 58, 73, 78, 79, 97, 100, 101, 149, 152, 999];
const MOVING = /^(DON|DOF|FDUP|FDDOWN|FDSTOP|BRT|SECMD|LOCK|ARM)$/;
const rangeOf = (uom: number) => ({ uom, prec: 0, min: 0, max: 100, step: null, subset: null, names: new Map() });

const facts: fc.Arbitrary<RoleFacts> = fc.record({
  nodedef: fc.option(
    fc
      .record({
        status: fc.option(fc.constantFrom(...UNITS, null)),
        accepts: fc.subarray(IDS),
        sends: fc.subarray(IDS),
        parameter: fc.constantFrom(...UNITS),
      })
      .map(({ status, accepts, sends, parameter }) => {
        const command = (id: string) => ({
          ...{ id, name: id, native: false, format: null },
          parameters: [{ id: "", editor: `U${parameter}`, name: "", init: null, optional: true }],
        });
        return {
          ...{ id: "random", name: "Random", nls: null, icon: null, controlLinks: [], respondLinks: [] },
          properties: status === null ? [] : [{ id: "ST", editor: `U${status}`, name: "Status", hide: false }],
          accepts: accepts.map(command),
          sends: sends.map(command),
        };
      }),
  ),
  category: fc.option(fc.integer({ min: 100, max: 200 })),
  radioClass: fc.option(fc.tuple(fc.nat(255), fc.nat(12))),
  product: fc.option(fc.constantFrom(...NODE_ROLES)),
  ranges: fc.constant((id: string) => (/^U\d+$/.test(id) ? [rangeOf(Number(id.slice(1)))] : null)),
});

describe("definitions drawn at random", () => {
  test("always have exactly one of the known roles", () => {
    fc.assert(fc.property(facts, (drawn) => void expect(NODE_ROLES).toContain(roleOfFacts(drawn))));
  });

  test("stay secured when no editor is known", () => {
    fc.assert(
      fc.property(facts, (drawn) => {
        // A node that no command moves has nothing to secure.
        fc.pre(isSecuredByFacts(drawn) && (drawn.nodedef?.accepts.some(({ id }) => MOVING.test(id)) ?? true));
        expect(isSecuredByFacts({ ...drawn, ranges: () => null })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("no row of the table is out of reach", () => {
    expect(ROLE_ROWS.length).toBeGreaterThan(50);
    expect(NODE_ROLES.filter((role) => role !== "other" && !ROLE_ROWS.some(([each]) => each === role))).toEqual([]);
  });
});
