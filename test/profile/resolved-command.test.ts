/** A command with its values in the units of the node's editors, or a sentence that names the parameter. */

import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import {
  type ParameterValue,
  printable,
  resolveCommand,
  resolveGroupLevel,
} from "../../src/profile/command-resolver.ts";
import type { CommandParameter } from "../../src/profile/nodedef.ts";
import { Profile } from "../../src/profile/profile.ts";

const NONE = 0;
const PERCENT = 51;
const SECONDS = 58;
const LEVEL = 100;
const WIRED = 1;
const RADIO = 4;

const parameter = (id: string, of: Partial<CommandParameter> = {}): CommandParameter => {
  return { id, editor: "", name: "", init: null, optional: false, ...of };
};
const profile = new Profile();
const definition = nodedef("LAMP", { name: "Lamp", properties: "ST:_51_0", accepts: "" });
for (const family of [WIRED, RADIO]) {
  profile.declare(family, 1, {
    nodedefs: [
      {
        ...definition,
        accepts: [
          { id: "DON", parameters: [parameter("", { editor: "_51_0_R_0_100", optional: true })] },
          { id: "DIM", parameters: [parameter("", { editor: "_51_0_R_0_100" })] },
          { id: "OL", parameters: [parameter("", { editor: "_100_0_R_0_255" })] },
          { id: "DOF", parameters: [] },
          {
            id: "RAMP",
            parameters: [
              parameter("OL", { editor: "_51_0_R_0_100" }),
              parameter("RR", { editor: "_58_0_R_0_540", optional: true }),
            ],
          },
        ].map((command) => ({ name: "", native: false, format: null, ...command })),
      },
    ],
  });
}

const value = (number: number, uom = NONE, id = "", prec = 0): ParameterValue => ({ id, value: number, uom, prec });
const lamp = (family: number, statusUom: number | null, nodeDefId = "LAMP") => ({
  nodeDefId,
  family,
  instance: 1,
  properties: { get: (id: string) => (id === "ST" && statusUom !== null ? { uom: statusUom } : undefined) },
});

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ControllerError ? `${error.code}: ${error.message}` : error;
  }
}
/** The parameters that a driver gets, or the sentence. */
const resolved = (command: string, values: readonly ParameterValue[], node = lamp(RADIO, PERCENT)) =>
  outcome(() => resolveCommand(profile, node, { command, parameters: values }));
const values = (command: string, given: readonly ParameterValue[], node = lamp(RADIO, PERCENT)) => {
  const answer = resolved(command, given, node);
  return typeof answer === "object" && answer !== null && "parameters" in answer ? answer.parameters : answer;
};

describe("a driver gets", () => {
  test("the command with its value in the editor's unit", () => {
    expect(resolved("DON", [value(128, LEVEL)])).toEqual({
      kind: "command",
      command: "DON",
      parameters: [value(50, PERCENT)],
    });
  });

  test("nothing for an optional parameter that is not given, and for a command without parameters", () => {
    expect([values("DON", []), values("DOF", [])]).toEqual([[], []]);
  });

  test("the values in the order of the definition, however they were given", () => {
    expect(values("RAMP", [value(5, SECONDS, "RR"), value(40, PERCENT, "OL")])).toEqual([
      value(40, PERCENT, "OL"),
      value(5, SECONDS, "RR"),
    ]);
    expect(values("RAMP", [value(5, NONE, "RR"), value(40)])).toEqual([
      value(40, PERCENT, "OL"),
      value(5, SECONDS, "RR"),
    ]);
  });

  test("a query of any node", () => {
    expect(resolved("QUERY", [])).toEqual({ kind: "query", command: "QUERY", parameters: [] });
  });

  test("the values as they are for a node of which nothing is known", () => {
    const unknown = lamp(RADIO, PERCENT, "NOBODY");
    expect(values("DON", [value(777, 12, "A", 1)], unknown)).toEqual([value(777, 12, "A", 1)]);
    expect(values("DON", [value(2 ** 53, 12, "A")], unknown)).toBe(
      "BAD_PARAMETER: Parameter A is too large: 9007199254740992",
    );
  });

  test("nothing where the node does not accept the command", () => {
    expect(resolved("LOCK", [])).toBeNull();
  });
});

describe("a level without a unit", () => {
  test.each([
    ["a byte for wired hardware whose status is a byte", "DON", lamp(WIRED, LEVEL), value(128, LEVEL)],
    ["a byte for wired hardware without a status yet", "DON", lamp(WIRED, null), value(128, LEVEL)],
    ["refused beyond 100 by wired hardware whose status is in percent", "DON", lamp(WIRED, PERCENT), null],
    ["refused beyond 100 by a radio device", "DON", lamp(RADIO, LEVEL), null],
    ["refused beyond 100 by a command that takes no bytes", "DIM", lamp(WIRED, LEVEL), null],
    ["a level where the editor itself has levels", "OL", lamp(WIRED, LEVEL), value(128, LEVEL)],
  ])("is %s", (_, command, node, expected) => {
    const given = values(command, [value(128)], node);
    expect(Array.isArray(given) ? given[0] : null).toEqual(expected);
  });

  test("is in percent where the unit says so", () => {
    expect(values("DON", [value(50, PERCENT)], lamp(WIRED, LEVEL))).toEqual([value(50, PERCENT)]);
  });
});

describe("refusals name the parameter and what it takes", () => {
  test.each<[string, readonly ParameterValue[], string]>([
    ["DIM", [], "The value is required: 0 to 100 % (unit 51)."],
    ["RAMP", [value(5, NONE, "RR")], "Parameter OL is required: 0 to 100 % (unit 51)."],
    ["DON", [value(101)], "The value is refused with 101. Allowed: 0 to 100 % (unit 51)."],
    ["DON", [value(5, 999)], "The value is refused with 5 in unit 999. Allowed: 0 to 100 % (unit 51)."],
    ["RAMP", [value(5), value(541, SECONDS, "RR")], "Parameter RR is refused with 541 in unit 58. Allowed: 0 to 540"],
    ["DON", [value(5, NONE, "XX")], "Parameter XX is unknown to this command."],
    ["DOF", [value(5)], "The command accepts no parameter; 1 given."],
    ["DON", [value(5), value(6)], "The command accepts 1 parameter; 2 given."],
    ["RAMP", [value(5), value(6), value(7)], "The command accepts 2 parameters; 3 given."],
    ["RAMP", [value(5, NONE, "OL"), value(6, NONE, "OL")], "Parameter OL is given twice."],
    ["RAMP", [value(5), value(6, NONE, "OL")], "Parameter OL is given twice."],
  ])("%s with %j", (command, given, sentence) => {
    expect(resolved(command, given)).toContain(`BAD_PARAMETER: ${sentence}`);
  });

  test("wired hardware is told of bytes too", () => {
    expect(resolved("DON", [value(256)], lamp(WIRED, LEVEL))).toBe(
      "BAD_PARAMETER: The value is refused with 256. Allowed: 0 to 255 without a unit, or 0 to 100 % (unit 51).",
    );
  });

  test("what a client wrote is printed plain and short", () => {
    expect(printable(`a\u0007ä${"x".repeat(60)}`)).toBe(`a??${"x".repeat(37)}`);
  });
});

describe("the level of a group", () => {
  const level = (...given: readonly ParameterValue[]) => outcome(() => resolveGroupLevel(given));

  test.each([
    ["nothing", [], null],
    ["other parameters only", [value(5, SECONDS, "RR")], null],
    ["a number", [value(40)], { value: 40, uom: PERCENT, prec: 0 }],
    [
      "a percentage by its name",
      [value(40, PERCENT, "OL"), value(5, SECONDS, "RR")],
      { value: 40, uom: PERCENT, prec: 0 },
    ],
    ["a raw level", [value(255, LEVEL)], { value: 100, uom: PERCENT, prec: 0 }],
  ])("from %s", (_, given, expected) => expect(level(...given)).toEqual(expected));

  test("is one, from 0 to 100", () => {
    expect(level(value(40), value(50, NONE, "OL"))).toBe("BAD_PARAMETER: A group accepts one level: 0 to 100 %.");
    expect(level(value(101))).toBe("BAD_PARAMETER: The level 101 is refused: a group accepts 0 to 100 %.");
    expect(level(value(-1))).toBe("BAD_PARAMETER: The level -1 is refused: a group accepts 0 to 100 %.");
  });
});
