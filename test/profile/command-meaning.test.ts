/** Which command of a definition is meant: by its own name, as older clients call it, or by the property that it writes. */

import { describe, expect, test } from "vitest";
import { findMeaning, type WrittenCommand } from "../../src/profile/command-meaning.ts";
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
const written = (command: string, segments: readonly string[] = [], named: readonly [string, string][] = []) => {
  return { command, segments, named: new Map(named.map(([id, value]) => [id, { value, uom: null }])) };
};

const LAMP = nodedef(accepts("DON", parameter("", null)), accepts("SET", parameter("", "OL"), parameter("RR", "RR")));
const LOCK = nodedef(accepts("SECMD", parameter("", "ST")));
const COVER = nodedef(accepts("FDUP"), accepts("FDDOWN"));
const ASKED = nodedef(accepts("QUERY"));

/** The command that is meant, its segments, and its named parameters. */
function meant(definition: Nodedef | null, asked: WrittenCommand) {
  const found = findMeaning(definition, asked);
  if (found?.kind !== "command") return found?.kind ?? null;
  return [found.command, found.segments, Object.fromEntries([...found.named].map(([id, { value }]) => [id, value]))];
}

describe("a command is meant", () => {
  test.each<[string, Nodedef | null, WrittenCommand, unknown]>([
    ["by its own name", LAMP, written("DON", ["5"]), ["DON", ["5"], {}]],
    ["as it is written where nothing is known of the node", null, written("DON", ["5"]), ["DON", ["5"], {}]],
    ["as a query of a node that does not list it", LAMP, written("QUERY"), "query"],
    ["as a query where nothing is known of the node", null, written("QUERY"), "query"],
    ["as a query, also of a node that lists it", ASKED, written("QUERY"), "query"],
    ["by what older clients tell a lock", LOCK, written("LOCK"), ["SECMD", ["1"], {}]],
    ["by what older clients tell a lock, unlocked", LOCK, written("UNLOCK"), ["SECMD", ["0"], {}]],
    ["by what lamps are told, of a cover", COVER, written("DON", ["40"]), ["FDUP", [], {}]],
    ["by what lamps are told, whatever value came along", COVER, written("DOF", [], [["", "40"]]), ["FDDOWN", [], {}]],
    ["by what lamps are told fast", COVER, written("DFON"), ["FDUP", [], {}]],
    ["by what lamps are told fast, off", COVER, written("DFOF"), ["FDDOWN", [], {}]],
    ["by the property that its first parameter writes", LAMP, written("OL", ["5", "51"]), ["SET", ["5", "51"], {}]],
    [
      "by a property of another parameter, which has the value then",
      LAMP,
      written("RR", ["5"]),
      ["SET", [], { RR: "5" }],
    ],
    ["by a property, with a value that has no name", LAMP, written("RR", [], [["", "5"]]), ["SET", [], { RR: "5" }]],
    ["by a property, without a value", LAMP, written("RR"), ["SET", [], {}]],
    ["by nothing else", LAMP, written("LOCK"), null],
  ])("%s", (_claim, definition, asked, expected) => {
    expect(meant(definition, asked)).toStrictEqual(expected);
  });

  test("by a property, and the value keeps its unit", () => {
    const found = findMeaning(LAMP, written("RR", ["5", "25"]));
    expect(found?.kind === "command" && found.named.get("RR")).toEqual({ value: "5", uom: 25 });
  });
});
