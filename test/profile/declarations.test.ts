/** What can exist: declared, declared again, retracted by its owner, and looked up. */

import { beforeEach, expect, test } from "vitest";
import { editor, nodedef } from "../../src/profile/builtin/definition-text.ts";
import { type Definitions, Profile } from "../../src/profile/profile.ts";

const PLUGIN = 10;
const RADIO = 4;
const lamp = (name: string) => nodedef("LAMP", { name, properties: "ST:E", accepts: "DON DOF" });
const definitions = (name: string): Definitions => ({ nodedefs: [lamp(name)], names: new Map([["A-1", name]]) });

let profile: Profile;
beforeEach(() => {
  profile = new Profile();
});
const nameOf = (instance = 1) => profile.nodedef("LAMP", PLUGIN, instance)?.name ?? null;
/** How far the version moves. */
function moves(act: () => void): number {
  const before = profile.version;
  act();
  return profile.version - before;
}

test("the version moves once with a declaration that changes something, and not with the same one again", () => {
  const declare = (name: string) => profile.declare(PLUGIN, 1, definitions(name), false, "p1");
  expect(["one", "one", "two", "two"].map((name) => moves(() => declare(name)))).toEqual([1, 0, 1, 0]);
  expect(moves(() => profile.declare(PLUGIN, 2, {}, false, "p1"))).toBe(1);
});

test("a property or command without a label has that of the names, else the common one of its id", () => {
  const { properties, sends, accepts, ...rest } = nodedef("LAMP", {
    name: "Lamp",
    properties: "ST:E GV1:E ODD1:E",
    sends: "DON",
    accepts: "DON BEEP",
  });
  const unnamed = <T extends object>(all: readonly T[]) => all.map((each) => ({ ...each, name: "" }));
  const bare = { ...rest, nls: "L", properties: unnamed(properties), sends: unnamed(sends), accepts: unnamed(accepts) };
  const names = new Map([
    ["ST-L-GV1-NAME", "Soil"],
    ["CMD-BEEP-NAME", "Chirp"],
  ]);
  profile.declare(PLUGIN, 1, { nodedefs: [bare], names });
  const declared = profile.nodedef("LAMP", PLUGIN, 1);
  const labels = (of: readonly { readonly name: string }[] | undefined) => of?.map(({ name }) => name);
  expect(labels(declared?.properties)).toEqual(["Status", "Soil", ""]);
  expect(labels(declared?.sends)).toEqual(["On"]);
  expect(labels(declared?.accepts)).toEqual(["On", "Chirp"]);
});

test("a definition that two owners declare stays until both have retracted it; the last declared is shown", () => {
  profile.declare(PLUGIN, 1, definitions("first"), false, "p1");
  profile.declare(PLUGIN, 1, definitions("second"), false, "p2");
  expect(nameOf()).toBe("second");
  expect(moves(() => profile.retract("p2"))).toBe(1);
  expect([nameOf(), profile.instance(PLUGIN, 1)?.names.get("A-1")]).toEqual(["first", "first"]);
  profile.retract("p1");
  expect([nameOf(), profile.instance(PLUGIN, 1)]).toEqual([null, null]);
});

test("retracting takes out what the owner alone declared, and nothing of others", () => {
  profile.declare(PLUGIN, 1, definitions("own"), false, "p1");
  profile.declare(PLUGIN, 1, { editors: [editor("E", { uom: 51 })] }, false, "p2");
  profile.retract("p1");
  expect([nameOf(), profile.instance(PLUGIN, 1)?.names.size]).toEqual([null, 0]);
  expect(profile.editor("E", PLUGIN, 1)?.ranges[0]?.uom).toBe(51);
});

test("retracting one family and instance leaves the owner's others", () => {
  for (const [family, instance] of [
    [PLUGIN, 1],
    [PLUGIN, 2],
    [RADIO, 1],
  ] as const) {
    profile.declare(family, instance, definitions("x"), false, "p1");
  }
  profile.retract("p1", { family: PLUGIN, instance: 1 });
  expect(profile.instances().map(({ family, instance }) => `${family}/${instance}`)).toEqual(["4/1", "10/2"]);
});

test("retracting what was never declared changes nothing", () => {
  profile.declare(PLUGIN, 1, definitions("own"), false, "p1");
  expect(moves(() => profile.retract("p2"))).toBe(0);
  expect(nameOf()).toBe("own");
});

test("instances are listed with the common one first, then by family and instance", () => {
  for (const [family, instance] of [
    [PLUGIN, 2],
    [PLUGIN, 1],
    [1, 1],
    ["common", 1],
    [0, 1],
  ] as const) {
    profile.declare(family, instance, {});
  }
  expect(profile.instances().map(({ family, instance }) => `${family}/${instance}`)).toEqual([
    "common/1",
    "0/1",
    "1/1",
    "10/1",
    "10/2",
  ]);
});

test("generated nodedefs are kept apart and found like others", () => {
  profile.declare(RADIO, 1, { nodedefs: [lamp("generated")] }, true);
  const instance = profile.instance(RADIO, 1);
  expect([instance?.nodedefs.size, instance?.dynamicNodedefs.size]).toEqual([0, 1]);
  expect(profile.nodedef("LAMP", RADIO, 1)?.name).toBe("generated");
});

test("an editor is that of the instance, then the common one; an encoded id needs neither", () => {
  profile.declare("common", 1, { editors: [editor("E", { uom: 51 }), editor("F", { uom: 51 })] });
  profile.declare(PLUGIN, 1, { editors: [editor("E", { uom: 25 })], names: new Map([["N-3", "three"]]) });
  const uomOf = (id: string, instance = 1) => profile.editor(id, PLUGIN, instance)?.ranges[0]?.uom ?? null;
  expect([uomOf("E"), uomOf("F"), uomOf("G"), uomOf("E", 7), uomOf("_100_0", 7)]).toEqual([25, 51, null, 51, 100]);
  expect(profile.editor("_25_0_N_N", PLUGIN, 1)?.ranges[0]?.names.get(3)).toBe("three");
});
