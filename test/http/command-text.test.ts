import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import type { Home } from "../../src/home/home.ts";
import type { Node } from "../../src/home/nodes.ts";
import { readCommandText } from "../../src/http/rest/command-text.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import { type ParameterValue, resolveCommand, resolveGroupLevel } from "../../src/profile/command-resolver.ts";
import { acceptValue, type EditorValue } from "../../src/profile/editor-value.ts";
import { Profile } from "../../src/profile/profile.ts";

const profile = new Profile();
declareBuiltinProfile(profile);
profile.declare(12, 1, {
  nodedefs: [
    nodedef("UZW1", {
      name: "Dimmer",
      properties: "ST:_51_0_R_0_100",
      accepts:
        "DON(ZY_DIM_PERCENT?,RR:_58_0_R_0_30?) SETF(_17_0_R_40_90) SETC(_4_1_R_5_30) SETH(_101_0_R_0_200) MODE(_67_0_S_00000007) " +
        "RAW(_0_0) MIXED(NUM:_0_0_R_0_200,VAL:_51_0_R_m10_100) LOST(NO_SUCH_EDITOR?) FADE(ZY_DIM_PERCENT?,RR:ZY_RR?) SLOW(ZY_DIM_PERCENT,RR:ZY_RR) " +
        "COLOR(WARM:_100_0_R_0_255?,COLD:_100_0_R_0_255?,RED:_100_0_R_0_255?,GREEN:_100_0_R_0_255?,BLUE:_100_0_R_0_255?,RR:ZY_RR?) QUERY",
    }),
    nodedef("LOCK", { name: "Lock", properties: "ST:_11_0_S_0_100", accepts: "SECMD(_11_0_S_00000003)" }),
  ],
});

type Where = { readonly nodeDefId: string; readonly family: number; readonly statusUom: number | null };

const DIMMER: Where = { nodeDefId: "DimmerLampSwitch_ADV", family: 1, statusUom: 100 };
const RELAY: Where = { nodeDefId: "RelayLampSwitch_ADV", family: 1, statusUom: 100 };
const FAN: Where = { nodeDefId: "FanLincMotor", family: 1, statusUom: 100 };
const KEYPAD: Where = { nodeDefId: "KeypadDimmer_ADV", family: 1, statusUom: 100 };
const THERMOSTAT: Where = { nodeDefId: "Thermostat", family: 1, statusUom: 101 };
const RADIO: Where = { nodeDefId: "UZW1", family: 12, statusUom: 51 };

const LOCK: Where = { nodeDefId: "LOCK", family: 12, statusUom: 11 };
const UNKNOWN: Where = { nodeDefId: "GHOST", family: 12, statusUom: 51 };

const GROUP = "group";

/** Reads and resolves `DON/50/51?RR.uom25=3` as a request to a node. */
function resolve(where: Where, written: string): readonly ParameterValue[] {
  const [path = "", query = ""] = written.split("?");
  const [command = "", ...segments] = path.split("/");
  return resolveText(where, command, segments, new URLSearchParams(query));
}

function resolveText(where: Where, command: string, segments: readonly string[], query: Iterable<[string, string]>) {
  const properties = new Map(where.statusUom === null ? [] : [["ST", { uom: where.statusUom }]]);
  const node = { ...where, address: "node", instance: 1, properties } as unknown as Node;
  const resolved = resolveCommand(profile, node, readCommandText(servicesWith(node), "node", command, segments, query));
  if (!resolved) throw new ControllerError("COMMAND_NOT_ACCEPTED");
  return resolved.parameters;
}

function servicesWith(...nodes: readonly Node[]) {
  const groups = new Map([[GROUP, { members: nodes }]]);
  const home = { nodes: new Map(nodes.map((node) => [node.address, node])), groups, controller: { uuid: "all" } };
  return { home: home as unknown as Home, profile };
}

/** Spells the result `id=value*10^-prec/uom`. */
function read(where: Where, written: string): string {
  return resolve(where, written)
    .map(({ id, value, uom, prec }) => `${id}=${value}${prec === 0 ? "" : `e-${prec}`}/${uom}`)
    .join(" ");
}

function readLevel(segments: readonly string[], query: Iterable<[string, string]> = []): EditorValue | null {
  return resolveGroupLevel(readCommandText(servicesWith(), GROUP, "DON", segments, query).parameters);
}

function refusal(where: Where, written: string): string {
  try {
    return `accepted: ${read(where, written)}`;
  } catch (error) {
    return error instanceof ControllerError && error.code === "BAD_PARAMETER" ? error.message : `threw ${error}`;
  }
}

describe("a command's parameters", () => {
  const cases: readonly (readonly [string, Where, string, string])[] = [
    // A raw level of the wired family
    ["a bare level on a wired dimmer is the raw byte", DIMMER, "DON/128", "=128/100"],
    ["the same before the first report", { ...DIMMER, statusUom: null }, "DON/128", "=128/100"],
    ["a raw level may be given its unit", DIMMER, "DON/100/100", "=100/100"],
    ["percent on a wired dimmer stays percent", DIMMER, "DON/100/51", "=100/51"],
    ["a fraction of a percent is rounded", DIMMER, "DON/49.6/51", "=50/51"],
    ["a bare on level is the raw byte", DIMMER, "OL/255", "=255/100"],
    ["a bare backlight is percent", DIMMER, "BL/40", "=40/51"],
    ["a keypad's backlight is an index", KEYPAD, "BL/120", "=120/25"],
    ["any raw level switches a relay on", RELAY, "DON/3", "=255/100"],
    ["raw zero leaves it off", RELAY, "DON/0", "=0/100"],
    ["a fan goes to the nearest speed", FAN, "DON/85", "=64/100"],
    ["a fan's three speeds by their usual bytes", FAN, "DON/191", "=191/100"],
    ["a fan takes its steps in percent", FAN, "DON/75/51", "=75/51"],
    ["a wired node that reports percent takes percent", { ...DIMMER, statusUom: 51 }, "DON/100", "=100/51"],
    ["a ramp rate is an index", DIMMER, "RR/28", "=28/25"],
    // Units
    ["a bare level elsewhere is of the first range that takes it", RADIO, "DON/60", "=60/51"],
    ["which may be an index", RADIO, "DON/1", "=1/25"],
    ["a raw level is converted to percent", RADIO, "DON/100/100", "=39/51"],
    ["a full raw level is 100 %", RADIO, "DON/255/100", "=100/51"],
    ["a mode by its list", THERMOSTAT, "CLIMD/1/98", "=1/98"],
    ["a temperature in the thermostat's own degrees", THERMOSTAT, "CLISPH/70/17", "=70/14"],
    ["a half degree is kept", THERMOSTAT, "CLISPH/70.5/17", "=705e-1/14"],
    ["bare half degrees become degrees", THERMOSTAT, "CLISPH/140", "=70/14"],
    ["by their parameter too", THERMOSTAT, "CLISPC?CLISPC=145", "=725e-1/14"],
    [
      "a bare temperature of a thermostat in degrees is in degrees",
      { ...THERMOSTAT, statusUom: 17 },
      "CLISPH/70",
      "=70/14",
    ],
    ["a unit as a word", THERMOSTAT, "CLISPH/68/F", "=68/14"],
    ["a word in brackets", RADIO, "SETC/20/[C]", "=200e-1/4"],
    ["a word is converted", RADIO, "SETF/21/celsius", "=70/17"],
    ["percent as a word", DIMMER, "DON/50/percent", "=50/51"],
    ["a sign", DIMMER, "DON/50/%", "=50/51"],
    ["a word for each value", RADIO, "DON/60/percent/3/seconds", "=60/51 RR=3/58"],
    ["half degrees become degrees", THERMOSTAT, "CLISPC/145/101", "=725e-1/14"],
    ["even as Python writes them", THERMOSTAT, "CLISPC/144.0/101", "=72/14"],
    ["Celsius becomes Fahrenheit", RADIO, "SETF/21/4", "=70/17"],
    ["Fahrenheit becomes Celsius", RADIO, "SETC/70/17", "=211e-1/4"],
    ["degrees become half degrees", RADIO, "SETH/72.5/17", "=145/101"],
    ["a bare temperature has the editor's precision", RADIO, "SETC/21.56", "=216e-1/4"],
    ["an editor without a unit takes a number", RADIO, "RAW/3", "=3/0"],
    ["in whatever unit", RADIO, "RAW/3/51", "=3/0"],
    ["an unknown editor takes what is written", RADIO, "LOST/-1.25/17", "=-125e-2/17"],
    // Several parameters
    ["as many segments as parameters are bare values", RADIO, "DON/60/5", "=60/51 RR=5/58"],
    ["but not when the second is a unit and no value of the second", RADIO, "DON/60/51", "=60/51"],
    ["and bare where the second could be both and must be there", RADIO, "SLOW/60/51", "=60/51 RR=51/45"],
    ["but a unit where the second could be both and may be missing", RADIO, "FADE/60/51", "=60/51"],
    ["twice as many are pairs", RADIO, "DON/60/51/5/58", "=60/51 RR=5/58"],
    [
      "pairs may be fewer than parameters that may be missing",
      ...([RADIO, "COLOR/255/100/0/100/9/100", "WARM=255/100 COLD=0/100 RED=9/100"] as const),
    ],
    ["and bare values too", RADIO, "COLOR/255/1/2", "WARM=255/100 COLD=1/100 RED=2/100"],
    ["a unit is left out where an editor has none", RADIO, "MIXED/7/-5/51", "NUM=7/0 VAL=-5/51"],
    ["optional parameters may be missing", RADIO, "DON", ""],
    ["a command that stands for another one and its value has none of its own", LOCK, "LOCK/7", "=1/11"],
    // Spellings
    ["an empty tuple is nothing", DIMMER, "DON/()", ""],
    ["a tuple of one is its value", DIMMER, "DON/(128,)", "=128/100"],
    ["a tuple of two is a pair", DIMMER, "DON/(50, 51)", "=50/51"],
    ["a trailing slash is nothing", DIMMER, "DON/", ""],
    ["a word is passed over", DIMMER, "DON/None", ""],
    ["a name with a unit", RADIO, "DON?RR.uom58=4", "RR=4/58"],
    ["a name with the unit's bare number", RADIO, "DON?RR.58=4", "RR=4/58"],
    ["a unit alone names the first parameter", RADIO, "DON?.uom51=50", "=50/51"],
    ["names beside segments", RADIO, "DON/50/51?RR=4", "=50/51 RR=4/58"],
    ["a plus sign", RADIO, "DON/+50", "=50/51"],
    // Unknown definitions
    ["nothing is checked without a definition", UNKNOWN, "NOPE/12", "=12/0"],
    ["two segments without a definition are a pair", UNKNOWN, "NOPE/12.5/17", "=125e-1/17"],
  ];
  test.each(cases)("%s", (_, where, written, expected) => {
    expect(read(where, written)).toBe(expected);
  });
});

describe("a parameter is refused", () => {
  const cases: readonly (readonly [string, Where, string, string])[] = [
    [
      "out of range",
      DIMMER,
      "DON/101/51",
      "The value is refused with 101 in unit 51. Allowed: 0 to 255 without a unit, or 0 to 100 % (unit 51).",
    ],
    [
      "above the raw byte",
      DIMMER,
      "DON/256",
      "The value is refused with 256. Allowed: 0 to 255 without a unit, or 0 to 100 % (unit 51).",
    ],
    [
      "below it",
      DIMMER,
      "DON/-1",
      "The value is refused with -1. Allowed: 0 to 255 without a unit, or 0 to 100 % (unit 51).",
    ],
    [
      "outside its subset",
      THERMOSTAT,
      "CLIFS/1/99",
      "The value is refused with 1 in unit 99. Allowed: 7 (On), 8 (Auto) Insteon fan mode (unit 99).",
    ],
    ["between two modes", THERMOSTAT, "CLIMD/1.5/98", "Allowed: 0 (Off)"],
    ["in a foreign unit", DIMMER, "DON/50/17", "in unit 17"],
    [
      "when it is required and missing",
      THERMOSTAT,
      "CLISPH",
      "The value is required: half degrees without a unit, or 0 to 120 ° (unit 14).",
    ],
    [
      "by its name",
      RADIO,
      "DON/50/51/31/58",
      "Parameter RR is refused with 31 in unit 58. Allowed: 0 to 30 seconds (unit 58).",
    ],
    ["when the command takes none", RADIO, "QUERY/1", "The command accepts no parameter; 1 given."],
    ["when there are too many", DIMMER, "DON/1/51/2", "The command accepts 1 parameter; 3 given."],
    ["when its name is unknown", DIMMER, "DON?LEVEL=3", "Parameter LEVEL is unknown to this command."],
    ["when it is given twice", RADIO, "DON/50?=40", "The value is given twice."],
    ["when it is nearly a number", DIMMER, "DON/1e5", 'The parameter "1e5" is not a number.'],
    ["when a named one is a word", DIMMER, "DON?=full", "The value is not a number."],
    ["when its unit is an unknown word", DIMMER, "DON/50/apples", '"apples" is not a unit of measure.'],
    ["when its unit does not fit", DIMMER, "DON/50/F", "in unit 17"],
    ["when a unit has no value", DIMMER, "DON/percent", 'The unit "percent" has no value.'],
    ["in a unit that is none", RADIO, "DON/50/5.5/1/1", "5.5 is not a unit of measure."],
  ];
  test.each(cases)("%s", (_, where, written, sentence) => {
    expect(refusal(where, written)).toContain(sentence);
  });
});

describe("the level of a group", () => {
  const level = (...segments: readonly string[]) => readLevel(segments);

  test("is percent", () => {
    expect(level("40")).toEqual({ value: 40, uom: 51, prec: 0 });
    expect(level("40", "51")).toEqual({ value: 40, uom: 51, prec: 0 });
    expect(level("255", "100")).toEqual({ value: 100, uom: 51, prec: 0 });
    expect(readLevel([], [[".uom51", "35"]])).toEqual({ value: 35, uom: 51, prec: 0 });
  });

  test("may be missing", () => {
    expect(level()).toBeNull();
    expect(level("()")).toBeNull();
  });

  test.each([["101"], ["-1"], ["40", "17"], ["40", "51", "3"], ["4x"]])("is refused as %s %s %s", (...segments) => {
    expect(() => level(...segments.filter((segment) => segment !== undefined))).toThrow(ControllerError);
  });
});

describe("a command to a group", () => {
  const member = { ...THERMOSTAT, address: "t", instance: 1, properties: new Map() } as unknown as Node;
  const parameters = (command: string, ...segments: readonly string[]) =>
    readCommandText(servicesWith(member), GROUP, command, segments, []).parameters;

  test("is read as the first member that accepts it reads it", () => {
    expect(parameters("CLISPH", "70.5", "17")).toEqual([{ id: "", value: 705, uom: 17, prec: 1 }]);
    expect(parameters("CLISPH", "70")).toEqual([{ id: "", value: 70, uom: 0, prec: 0 }]);
  });

  test("has a value and a unit where no member says more", () => {
    expect(parameters("OTHER", "70", "17")).toEqual([{ id: "", value: 70, uom: 17, prec: 0 }]);
  });
});

describe("a raw value against an editor", () => {
  const check = (id: string, value: number, uom: number, prec: number) =>
    acceptValue(profile.editor(id, 1, 1), { value, uom, prec }) !== null;

  test("lies within bounds and subset", () => {
    expect([check("I_OL", 100, 51, 0), check("I_OL", 101, 51, 0), check("I_OL", 1000, 51, 1)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([check("I_RR", 31, 25, 0), check("I_RR", 32, 25, 0)]).toEqual([true, false]);
    expect(check("I_OL", 5, 17, 0)).toBe(false);
  });

  test("is free without an editor", () => {
    expect(acceptValue(null, { value: 12345, uom: 3, prec: 2 })).not.toBeNull();
    expect(acceptValue(null, { value: Number.NaN, uom: 3, prec: 2 })).toBeNull();
  });
});

describe("any text of a client", () => {
  const nodedefs = [1, 6, 12].flatMap((family) =>
    [...(profile.instance(family, 1)?.nodedefs.values() ?? [])].map((definition) => ({ family, definition })),
  );
  const commands = nodedefs.flatMap(({ family, definition }) =>
    definition.accepts.map((command) => ({ family, nodeDefId: definition.id, command })),
  );
  const number = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer(), fc.double()).map(String);
  const unit = fc.constantFrom("51", "100", "25", "17", "4", "101", "14", "0", "58", "98");
  const segment = fc.oneof(
    number,
    unit,
    fc.string(),
    fc.constantFrom("()", "(128,)", "(1, 51)", "None", "-", ".", "1e400"),
  );
  const name = fc.oneof(fc.constantFrom("", "RR", "OL", "NUM", "VAL"), fc.string());
  const unitOfName = fc.option(fc.nat(200)).map((uom) => (uom === null ? "" : `.uom${uom}`));
  const named = fc.array(
    fc.tuple(
      fc.tuple(name, unitOfName).map(([id, uom]) => id + uom),
      segment,
    ),
    { maxLength: 2 },
  );

  test("becomes finite integers in a unit, or a refusal with a sentence", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commands),
        fc.boolean(),
        fc.constantFrom(null, 0, 51, 100, 101),
        fc.array(segment, { maxLength: 5 }),
        named,
        ({ family, nodeDefId, command }, known, statusUom, segments, pairs) => {
          const where = { nodeDefId: known ? nodeDefId : "GHOST", family, statusUom };
          const outcome = attempt(() => resolveText(where, command.id, segments, pairs));
          expect(outcome).toSatisfy(isParametersOrRefusal);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("for a group too", () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), named, (segments, pairs) => {
        const outcome = attempt(() => [{ id: "", ...(readLevel(segments, pairs) ?? { value: 0, uom: 51, prec: 0 }) }]);
        expect(outcome).toSatisfy(isParametersOrRefusal);
      }),
    );
  });

  test("a level given in percent arrives as that percent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
        expect(read(DIMMER, `DON/${percent}/51`)).toBe(`=${percent}/51`);
        expect(read(DIMMER, `DON/${percent}`)).toBe(`=${percent}/100`);
        expect(readLevel([String(percent)])?.value).toBe(percent);
      }),
    );
  });
});

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function isParametersOrRefusal(outcome: unknown): boolean {
  if (outcome instanceof ControllerError)
    return outcome.code === "BAD_PARAMETER" && /^[\x20-\x7e°%Ωμ³²·/]+$/.test(outcome.message);
  return (
    Array.isArray(outcome) &&
    outcome.every(({ value, uom, prec }) => [value, uom, prec].every(Number.isSafeInteger) && !Object.is(value, -0))
  );
}
