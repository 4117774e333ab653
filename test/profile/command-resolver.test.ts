/** Which command of a definition is meant: by its own name, as older clients call it, or by the property that it writes. */

import { describe, expect, test } from "vitest";
import {
  findMeaning,
  type GivenCommand,
  type ParameterValue,
  placeParameters,
} from "../../src/profile/command-resolver.ts";
import type { CommandDefinition, Nodedef } from "../../src/profile/nodedef.ts";

const parameter = (id: string, init: string | null) => ({ id, editor: "", name: "", init, optional: true });
const accepts = (id: string, ...parameters: CommandDefinition["parameters"]): CommandDefinition => {
  return { id, name: "", native: false, format: null, parameters };
};
const nodedef = (...commands: readonly CommandDefinition[]): Nodedef => ({
  id: "X",
  name: "",
  nls: null,
  icon: null,
  properties: [],
  sends: [],
  accepts: commands,
  controlLinks: [],
  respondLinks: [],
});
const given = (command: string, ...values: readonly (string | ParameterValue)[]): GivenCommand => ({
  command,
  parameters: values.map((value) => (typeof value === "string" ? number("", value) : value)),
});
const number = (id: string, value: string): ParameterValue => ({ id, value: Number(value), uom: 0, prec: 0 });

const LAMP = nodedef(accepts("DON", parameter("", null)), accepts("SET", parameter("", "OL"), parameter("RR", "RR")));
const LOCK = nodedef(accepts("SECMD", parameter("", "ST")));
const COVER = nodedef(accepts("FDUP"), accepts("FDDOWN"));
const ASKED = nodedef(accepts("QUERY"));

/** The command that is meant, and its values by the parameter that they belong to: `1:` is the second one. */
function meant(definition: Nodedef | null, asked: GivenCommand) {
  const meaning = findMeaning(definition, asked);
  if (meaning?.kind !== "command") return meaning?.kind ?? null;
  const placed = placeParameters(meaning).map(({ given: { value }, parameter }) => {
    return `${parameter ? meaning.definition?.parameters.indexOf(parameter) : "?"}: ${value}`;
  });
  return [meaning.command, ...placed];
}

describe("a command is meant", () => {
  test.each<[string, Nodedef | null, GivenCommand, unknown]>([
    ["by its own name", LAMP, given("DON", "5"), ["DON", "0: 5"]],
    ["as it is written where nothing is known of the node", null, given("DON", "5"), ["DON", "?: 5"]],
    ["as a query of a node that does not list it", LAMP, given("QUERY"), "query"],
    ["as a query where nothing is known of the node", null, given("QUERY"), "query"],
    ["as a query, also of a node that lists it", ASKED, given("QUERY"), "query"],
    ["by the name that older clients have for a lock", LOCK, given("LOCK"), ["SECMD", "0: 1"]],
    ["by the name that older clients have for a lock, unlocked", LOCK, given("UNLOCK"), ["SECMD", "0: 0"]],
    ["by a lamp's command, of a cover", COVER, given("DON", "40"), ["FDUP"]],
    ["by a lamp's command, off", COVER, given("DOF", "40"), ["FDDOWN"]],
    ["by a lamp's fast command", COVER, given("DFON"), ["FDUP"]],
    ["by a lamp's fast command, off", COVER, given("DFOF"), ["FDDOWN"]],
    ["by the property that its first parameter writes", LAMP, given("OL", "5"), ["SET", "0: 5"]],
    ["by the property, with values for both parameters", LAMP, given("OL", "5", "7"), ["SET", "0: 5", "1: 7"]],
    ["by a property of another parameter, which has the value then", LAMP, given("RR", "5"), ["SET", "1: 5"]],
    ["by a property, without a value", LAMP, given("RR"), ["SET"]],
    ["by a property, with a named value beside it", LAMP, given("OL", "5", number("RR", "7")), ["SET", "0: 5", "1: 7"]],
    ["by nothing else", LAMP, given("LOCK"), null],
  ])("%s", (_claim, definition, asked, expected) => {
    expect(meant(definition, asked)).toStrictEqual(expected);
  });
});
