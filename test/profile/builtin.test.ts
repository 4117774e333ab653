import { describe, expect, test } from "vitest";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { CONTROLS, controlLabel } from "../../src/profile/builtin/command-ids-table.ts";
import { isTwoValued, type NodedefKey } from "../../src/profile/predicates.ts";
import { Profile, type ProfileInstance } from "../../src/profile/profile.ts";
import { allUoms, findUom, uomName } from "../../src/profile/uom.ts";
import { classify, type DeviceClass } from "../support/client-classes.ts";

/** Their status says nothing lasting, so scenes leave them out. Exactly these ids; an `_ADV` paddle counts as stateful. */
const STATELESS_NODEDEFS: ReadonlySet<string> = new Set([
  "BinaryAlarm",
  "BinaryAlarm_ADV",
  "BinaryControl",
  "BinaryControl_ADV",
  "RemoteLinc2",
  "RemoteLinc2_ADV",
  "DimmerSwitchOnly",
]);

function isStateless(nodeDefId: string): boolean {
  return STATELESS_NODEDEFS.has(nodeDefId);
}

/** True when the node takes a level with DON and reports one of more than two. */
function isDimmable(profile: Profile, node: NodedefKey): boolean {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  const status = nodedef?.properties.find(({ id }) => id === "ST");
  if (!nodedef || !status || !nodedef.accepts.some(({ id, parameters }) => id === "DON" && parameters.length > 0))
    return false;
  const range = profile.editor(status.editor, node.family, node.instance)?.ranges[0];
  return range !== undefined && (range.max ?? 0) > 1 && !isTwoValued(range);
}

const profile = new Profile();
declareBuiltinProfile(profile);

function withAdvanced(...ids: readonly string[]): readonly string[] {
  return ids.flatMap((id) => [id, `${id}_ADV`]);
}

const LIGHTS = [...withAdvanced("DimmerLampSwitch", "DimmerLampSwitchLED", "KeypadDimmer"), "DimmerLampOnly"];
const SWITCHES = [
  ...withAdvanced("BallastRelayLampSwitch", "RelayLampSwitch", "RelayLampSwitchLED", "RelayLampOnly", "KeypadRelay"),
  ...withAdvanced("AlertModuleSiren", "PIR2844OnOff"),
  ...["X10", "FanLincMotor", "EZRAIN_Output", "EZIO2x4_Output", "AlertModuleArmed"],
];
const NEITHER = [
  ...withAdvanced("OnOffControl", "DimmerSwitchOnly", "RelaySwitchOnlyPlusQuery", "RelaySwitchOnly", "RemoteLinc2"),
  ...withAdvanced(
    "KeypadButton",
    "EZRAIN_Input",
    "EZIO2x4_Input",
    "BinaryAlarm",
    "BinaryControl",
    "PIR2844",
    "PIR2844C",
  ),
  ...["IRLincTx", "IMETER_SOLO", "SirenAlert", "SirenArm", "I3DialFlags", "I3PaddleFlags", "I3KeypadFlags"],
];
const CLASSES: readonly (readonly [DeviceClass, readonly string[]])[] = [
  ["light", LIGHTS],
  ["switch", SWITCHES],
  ["none", NEITHER],
  ["lock", ["DoorLock"]],
  ["cover", withAdvanced("DimmerMotorSwitch")],
  ["climate", ["Thermostat", "TempLinc"]],
  ["alarm", withAdvanced("Siren")],
];
const EXPECTED = CLASSES.flatMap(([kind, ids]) => ids.map((id) => [id, kind] as const));

function editorReferences(instance: ProfileInstance): readonly (readonly [where: string, editor: string])[] {
  const nodedefs = [...instance.nodedefs.values()].flatMap((nodedef) => [
    ...nodedef.properties.map(({ id, editor }) => [`${nodedef.id}.${id}`, editor] as const),
    ...[...nodedef.accepts, ...nodedef.sends].flatMap((command) =>
      command.parameters.map(({ editor }) => [`${nodedef.id}.${command.id}`, editor] as const),
    ),
  ]);
  const linkdefs = [...instance.linkdefs.values()].flatMap((linkdef) =>
    linkdef.parameters.map(({ id, editor }) => [`${linkdef.id}.${id}`, editor] as const),
  );
  return [...nodedefs, ...linkdefs];
}

describe("the wired family", () => {
  test("defines the 64 well-known nodedefs and no other", () => {
    const known = profile.instance(1, 1)?.nodedefs.keys() ?? [];
    expect([...known].sort()).toEqual(EXPECTED.map(([id]) => id).sort());
    expect(EXPECTED).toHaveLength(64);
  });

  test.each(EXPECTED)("classifies %s as %s", (id, kind) => {
    const nodedef = profile.nodedef(id, 1, 1);
    expect(nodedef && classify(nodedef)).toBe(kind);
  });

  test.each(EXPECTED)("%s takes a level only when it is a light or a cover", (nodeDefId, kind) => {
    const takesLevel = kind === "light" || kind === "cover";
    expect(isDimmable(profile, { nodeDefId, family: 1, instance: 1 })).toBe(takesLevel);
  });

  test("has seven stateless nodedefs", () => {
    expect(
      EXPECTED.map(([id]) => id)
        .filter(isStateless)
        .sort(),
    ).toEqual([...withAdvanced("BinaryAlarm", "BinaryControl", "RemoteLinc2"), "DimmerSwitchOnly"].sort());
  });

  test("carries a cleanup ramp rate on the links of an _ADV device only", () => {
    expect(profile.nodedef("DimmerLampSwitch", 1, 1)?.respondLinks).toEqual(["I_DIMMER"]);
    expect(profile.nodedef("DimmerLampSwitch_ADV", 1, 1)?.respondLinks).toEqual(["I_DIMMER_ADV"]);
    expect(
      profile
        .instance(1, 1)
        ?.linkdefs.get("I_DIMMER_ADV")
        ?.parameters.map(({ id }) => id),
    ).toEqual(["OL", "RR", "CLNRT"]);
  });
});

describe("every built-in family", () => {
  test("is one of the known families", () => {
    expect(profile.instances().map(({ family }) => family)).toEqual(["common", 1, 3, 4, 6, 7, 8, 9, 11, 12, 14, 15]);
  });

  test("names only editors that resolve", () => {
    for (const instance of profile.instances()) {
      const family = instance.family === "common" ? 0 : instance.family;
      const lost = editorReferences(instance).filter(
        ([, editor]) => !profile.editor(editor, family, instance.instance),
      );
      expect(lost).toEqual([]);
    }
  });

  test("names only linkdefs of its own", () => {
    for (const { nodedefs, linkdefs } of profile.instances()) {
      const named = [...nodedefs.values()].flatMap(({ controlLinks, respondLinks }) => [
        ...controlLinks,
        ...respondLinks,
      ]);
      expect(named.filter((id) => !linkdefs.has(id))).toEqual([]);
    }
  });

  test("pairs parameters with properties that the nodedef has, or with the target of a cover in other words", () => {
    for (const { nodedefs } of profile.instances()) {
      for (const nodedef of nodedefs.values()) {
        const other = classify(nodedef) === "cover" ? ["DON", "DOF", "OL"] : [];
        const ids = [...nodedef.properties.map(({ id }) => id), ...other];
        const paired = nodedef.accepts.flatMap(({ parameters }) => parameters.flatMap(({ init }) => init ?? []));
        expect(paired.filter((id) => !ids.includes(id))).toEqual([]);
      }
    }
  });

  test("labels every property and command", () => {
    for (const { nodedefs } of profile.instances()) {
      for (const { properties, accepts, sends } of nodedefs.values()) {
        expect([...properties, ...accepts, ...sends].filter(({ id, name }) => name === id || name === "")).toEqual([]);
      }
    }
  });
});

describe("a scene", () => {
  test("accepts what wired scenes accept", () => {
    expect(
      profile
        .nodedef("InsteonDimmer", 6, 1)
        ?.accepts.map(({ id }) => id)
        .sort(),
    ).toEqual(
      ["DON DOF DFOF DFON BRT DIM FDUP FDDOWN FDSTOP BEEP QUERY CLIMD CLIFS CLISPH CLISPC CLISPHD CLISPCD"]
        .flatMap((ids) => ids.split(" "))
        .sort(),
    );
  });
});

describe("units of measure", () => {
  test("are 155 and keep their ids", () => {
    expect(allUoms()).toHaveLength(155);
    expect(allUoms().map(({ id }) => id)).toEqual(Array.from({ length: 155 }, (_, id) => id));
  });

  test.each([
    [4, "°C"],
    [17, "°F"],
    [22, "%"],
    [51, "%"],
    [72, " V"],
    [73, " Watts"],
    [154, " steps/s"],
    [9999, ""],
  ])("unit %i puts %j behind a number", (id, suffix) => {
    expect(findUom(id).suffix).toBe(suffix);
  });

  test("label enumerated values", () => {
    expect(findUom(11).names.get(100)).toBe("Locked");
    expect(findUom(98).names.get(7)).toBe("Program Cool");
    expect(findUom(73).names.size).toBe(0);
  });

  test("have a name for sentences", () => {
    expect([51, 78, 0].map(uomName)).toEqual(["%", "off or on", "no unit"]);
  });
});

describe("controls", () => {
  test("have a label, else their id", () => {
    expect(["DON", "CLISPH", "GV30", "NOPE"].map(controlLabel)).toEqual([
      "On",
      "Heat Setpoint",
      "Custom Control 30",
      "NOPE",
    ]);
  });

  test("are listed once", () => {
    expect(new Set(CONTROLS.map(({ id }) => id)).size).toBe(CONTROLS.length);
  });
});
