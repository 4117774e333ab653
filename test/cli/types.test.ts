/** `domovoi types` of the demo home, through the compiler: what the home has compiles, and of what it has not just that line fails. */

import { within } from "@domovoi/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";
import { compile } from "./compile.ts";
import { pipedInto } from "./shell.ts";

/** Bytes that a pipe holds before its reader has to read. */
const PIPE_BYTES = 65_536;

let line: CommandLine;
let types: string;

beforeAll(async () => {
  line = await CommandLine.start();
  types = await line.read("types");
});
afterAll(() => line[Symbol.asyncDispose]());

test("everything in the home compiles: by name, path and address, as methods and as commands", () => {
  const good = [
    'await home.node("Hall Ceiling").don(75);',
    'await home.node("Hall Ceiling").don();',
    'await home.node("Hall/Hall Ceiling").send("DON", { value: 0, uom: 51 });',
    'await home.node("1A 2B 3C 1").rr("0.5 seconds");',
    'await home.node("Hall Ceiling").don(within(level * 100, 0, 100));',
    'await home.node("Living Room Thermostat").climd("Program Heat");',
    'await home.node("Living Room Thermostat").clisph(68);',
    'await home.node("Reading Lamp").don("Previous Value");',
    'await home.node("Living Room Fan Motor").don(25);',
    'const locked = home.node("Front Door Lock").label("ST") === "Locked"; void locked;',
    'void home.node("Weather Station").value("CLITEMP");',
    'await home.group("Evening").send("DON");',
    'await home.program("Lights/Hall Motion Light").runThen();',
    'await home.variable("Guests").set(2.5);',
    'await home.resource("Door Chime & Light").fire();',
  ];
  expect(compile(types, good)).toEqual([]);
});

test("for what the home lacks, every line fails, and only those", () => {
  const bad = [
    ['await home.node("Hall Ceiling").don(101);', "TS2345"],
    ['await home.node("Hall Ceiling").don(75);', ""],
    ['await home.node("Hall Ceiling").don(-1);', "TS2345"],
    ['await home.node("Hall Ceiling").don(level);', "TS2345"],
    ['await home.node("Hall Ceiling").don(within(level, 0, 255));', "TS2345"],
    ['await home.node("Hall Ceiling").don({ value: 75, uom: 100 });', "TS2322"],
    ['await home.node("Hall Ceiling").don(75, 3);', "TS2554"],
    ['await home.node("Hall Ceiling").warp();', "TS2339"],
    ['await home.node("Hall Ceiling").send("WARP");', "TS2345"],
    ['await home.node("Front Door").don();', "TS2339"],
    ['home.node("Hal Ceiling");', "TS2345"],
    ['await home.node("Living Room Thermostat").climd("Heatt");', "TS2345"],
    ['await home.node("Living Room Thermostat").climd(4);', "TS2345"],
    ['await home.node("Living Room Thermostat").clisph();', "TS2554"],
    ['await home.node("Living Room Fan Motor").don(30);', "TS2345"],
    ['home.node("Hall Ceiling").value("CLITEMP");', "TS2345"],
    ['home.group("Evning");', "TS2345"],
    ['home.program("Hall Motion");', "TS2345"],
    ['home.variable("3.1");', "TS2345"],
    ['home.resource("Chime");', "TS2345"],
  ] as const;
  const expected = bad.flatMap(([, code], at) => (code === "" ? [] : [[at, code]]));
  const complaints = compile(
    types,
    bad.map(([use]) => use),
  );
  expect(complaints).toEqual(expected);
});

describe("the file", { timeout: 60_000 }, () => {
  test("is the same for the same home in either mode", async () => {
    expect(await line.read("types")).toBe(types);
    const { stdout } = await line.run(["types", "--name", "Cabin"], line.local);
    expect(stdout).toContain("export type Cabin = {");
    expect(compile(stdout.replaceAll("Cabin", "MyHome"), ['await home.node("Hall Ceiling").don(40);'])).toEqual([]);
  });

  test("has a readable type for every kind of node, and names it where it is used", () => {
    expect(types).toContain("    /** Hall/Hall Ceiling, 1A 2B 3C 1, Dimmer Switch */\n");
    expect(types).toContain('    readonly "Hall Ceiling": DimmerLampSwitch_ADV;\n');
    expect(types).toMatch(/\/\*\* 0 to 100% \(unit 51, %\) \*\/\nexport type I_OL_PARAM = 0 \| 1 \| 2 \|/);
  });

  test("leaves out an ambiguous name, and reports it when it is used", async () => {
    await line.read("rename", "Desk Lamp", "Floor Lamp");
    const uses = ['home.node("Floor Lamp");', 'home.node("1A 2F 91 1");'];
    expect(compile(await line.read("types"), uses)).toEqual([[0, "TS2345"]]);
  });

  test("may be read only in part", async () => {
    expect(types.length).toBeGreaterThan(PIPE_BYTES);
    expect(await pipedInto(["types"], "head -n 1", line.portal)).toEqual({ stdout: "/**\n0\n", stderr: "" });
  });

  test("a name that cannot be a type is reported", async () => {
    expect(await line.run(["types", "--name", "my home"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'domovoi: "my home" is not a valid name for a type. Example: MyHome\n',
    });
  });
});

test("within rounds, and refuses what is outside when the program runs", () => {
  expect([within(39.6, 0, 100), within(0, 0, 0), within(998, 0, 998)]).toEqual([40, 0, 998]);
  expect(() => within(100.6, 0, 100)).toThrow("100.6 is not within 0 and 100.");
  expect(() => within(Number.NaN, 0, 100)).toThrow("NaN is not within 0 and 100.");
});
