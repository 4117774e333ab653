/** What a node is announced as, by what it accepts and reports. */

import { expect, test } from "vitest";
import { COMPONENTS, colorOf } from "../../../src/bridges/mqtt/component-table.ts";
import { factsOf, type NodeFacts } from "../../../src/bridges/node-facts.ts";
import { scopeOf } from "../../../src/drivers/mqtt/discovery/entity.ts";
import { readTemplate } from "../../../src/drivers/mqtt/discovery/template.ts";
import type { Node } from "../../../src/home/nodes.ts";
import { nodedef } from "../../../src/profile/builtin/definition-text.ts";
import { Profile } from "../../../src/profile/profile.ts";

const FAMILY = 10;

/** Of a node with this definition, as in `definition-text.ts`. */
function facts(properties: string, accepts: string): NodeFacts {
  const profile = new Profile();
  const own = nodedef("Own", { name: "Own", properties, accepts, sends: "" });
  profile.declare(FAMILY, 1, { nodedefs: [{ ...own, nls: null }] }, true);
  const node = { address: "n001_a", nodeDefId: "Own", family: FAMILY, instance: 1, type: "0.0.0.0", devtype: null };
  const made = factsOf(profile, { ...node, properties: new Map() } as unknown as Node);
  if (!made) throw new Error("The definition is not known.");
  return made;
}

const LAMP = "DON(_51_0_R_0_100?) DOF";

test("a lamp with hue and saturation has both as one value, and takes both at once", () => {
  const lamp = facts(
    "ST:_51_0_R_0_100 GV2:_149_0_R_0_360 GV3:_51_0_R_0_100",
    `${LAMP} GV2(_149_0_R_0_360) GV3(_51_0_R_0_100)`,
  );
  expect(colorOf(lamp)).toEqual(["GV2", "GV3"]);
  expect(COMPONENTS["color-lamp"]?.(lamp)).toMatchObject({
    hs_state_topic: "~/color",
    hs_command_template:
      '[{"command":"GV2","parameters":[{{ hue | round | int }}]},{"command":"GV3","parameters":[{{ sat | round | int }}]}]',
  });
});

test("the state of a lamp is the text that turns it on or off, for lamps have no other words for it", () => {
  const lamp = COMPONENTS.dimmer?.(facts("ST:_51_0_R_0_100", LAMP)) ?? {};
  expect([lamp.payload_on, lamp.payload_off]).toEqual(['{"command":"DON"}', '{"command":"DOF"}']);
  const template = readTemplate(String(lamp.state_value_template));
  const stateOf = (text: string) => template(scopeOf(Buffer.from(text)));
  expect([stateOf("40"), stateOf("0"), stateOf("None")]).toEqual([lamp.payload_on, lamp.payload_off, "None"]);
});

test("a siren is sent its command as it is, and its state has a name of its own", () => {
  const siren = COMPONENTS.siren?.(facts("ST:_78_0_R_0_100", "DON DOF"));
  expect(siren).toMatchObject({ platform: "siren", command_template: "{{ value }}", payload_on: '{"command":"DON"}' });
  expect(JSON.parse(JSON.stringify(siren))).not.toHaveProperty("value_template");
});

test("a lamp whose hue cannot be set has no color", () => {
  const lamp = facts("ST:_51_0_R_0_100 GV2:_149_0_R_0_360 GV3:_51_0_R_0_100", `${LAMP} GV3(_51_0_R_0_100)`);
  expect(COMPONENTS["color-lamp"]?.(lamp)).not.toHaveProperty("hs_state_topic");
});

test("a lamp that takes red, green and blue is sent them in the order of its own command", () => {
  const lamp = facts(
    "ST:_51_0_R_0_100",
    `${LAMP} COLOR(WARM:_100_0_R_0_255,RED:_100_0_R_0_255,BLUE:_100_0_R_0_255,GREEN:_100_0_R_0_255)`,
  );
  expect(COMPONENTS["color-lamp"]?.(lamp)).toMatchObject({
    rgb_command_template: '{"command":"COLOR","parameters":[0,{{ red }},{{ blue }},{{ green }}]}',
  });
});

test.each([
  ["mired", "GV1:_152_0_R_153_500", "_152_0_R_153_500", { min_mireds: 153, max_mireds: 500 }],
  ["kelvin", "GV1:_26_0_R_2000_6500", "_26_0_R_2000_6500", { min_mireds: 154, max_mireds: 500 }],
])("a color temperature in %s is announced in mired, with its bounds", (unit, property, editor, bounds) => {
  const lamp = COMPONENTS["white-lamp"]?.(facts(`ST:_51_0_R_0_100 ${property}`, `${LAMP} GV1(${editor})`));
  expect(lamp).toMatchObject({ color_temp_state_topic: "~/GV1", ...bounds });
  expect(JSON.stringify(lamp).includes("1000000")).toBe(unit === "kelvin");
});

test("a fan with steps is announced with their number, and a step is its value", () => {
  const fan = COMPONENTS.fan?.(facts("ST:_25_0_S_F", "DON(_25_0_S_F?) DOF"));
  expect(fan).toMatchObject({
    speed_range_max: 3,
    percentage_value_template: "{{ {'0':0,'1':1,'2':2,'3':3}.get(value, 'None') }}",
    percentage_command_template: '{"command":"DON","parameters":[{{ {1:1,2:2,3:3}[value] }}]}',
  });
});

test.each([
  [4, "C"],
  [17, "F"],
])("a thermostat in unit %i says %s, whatever the unit of the other system", (uom, unit) => {
  const properties = `CLITEMP:_${uom}_1_R_0_100 CLISPH:_${uom}_1_R_0_100`;
  const climate = COMPONENTS.thermostat?.(facts(properties, `CLISPH(_${uom}_1_R_0_100)`));
  expect(climate).toMatchObject({ temperature_unit: unit, temperature_state_topic: "~/CLISPH" });
});

test("a fan with a level is announced with it, and one that is only on or off without", () => {
  const level = COMPONENTS.fan?.(facts("ST:_51_0_R_0_100", "DON(_51_0_R_0_100?) DOF"));
  expect(level).toMatchObject({ speed_range_max: 100, percentage_state_topic: "~/ST" });
  expect(COMPONENTS.fan?.(facts("ST:_78_0_R_0_100", "DON DOF"))).not.toHaveProperty("percentage_state_topic");
});
