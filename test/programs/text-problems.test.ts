/** Errors in a program's text have line, column and a hint, and short forms are understood. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { lineFinder } from "../../src/programs/text/lines.ts";
import { createProgramNames, type ProgramNames } from "../../src/programs/text/names.ts";
import { parseProgram } from "../../src/programs/text/parse-program.ts";
import { printProgram } from "../../src/programs/text/print-program.ts";
import { startTestController, type TestController } from "../support/controller.ts";

let controller: TestController;
let names: ProgramNames;

beforeAll(async () => {
  controller = await startTestController();
  names = createProgramNames(controller.services.home, controller.services.profile);
});
afterAll(() => controller[Symbol.asyncDispose]());

function problems(text: string): string {
  try {
    parseProgram(text, names);
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
}

const condition = (line: string): Condition | undefined => parseProgram(`Program 'x'\nIf\n  ${line}`, names).tree.if[0];
const action = (line: string): Action | undefined => parseProgram(`Program 'x'\nThen\n  ${line}`, names).tree.then[0];

describe("in a condition", () => {
  test.each([
    ["Status 'Hal Ceiling' ST > 0", "10: There is no node or scene 'Hal Ceiling'. Did you mean 'Hall Ceiling'?"],
    ["Status 'hall ceiling' ST > 0", "10: There is no node or scene 'hall ceiling'. Did you mean 'Hall Ceiling'?"],
    ["Status ' Holl Coilong ' ST > 0", "Did you mean 'Hall Ceiling'?"],
    ["Status 'Hall Ceiling' 'Statu' > 0", "25: There is no property 'Statu'. Did you mean 'Status'?"],
    ["Status 'Hall Ceiling' is On", "25: Here a property is expected. Did you mean 'Status'?"],
    ["Time is after sunset", "11: A time is an instant. For a span of time write From … to …: From sunset to sunrise"],
    ["Status 'Hall Ceiling' Statos > 0", "25: Here a property is expected: its name in quotes, its id in brackets"],
    ["Status 'Hall Ceiling' Statos > 0", "or both. Did you mean 'Status'?"],
    ["Status Hall Ceiling ST > 0", "10: Here a node or scene is expected"],
    ["Status Hall Ceiling ST > 0", "Did you mean 'Hall Ceiling'?"],
    [
      "Status 'Porch Light' [1A 2B 3C 1] ST > 0",
      "10: 'Porch Light' is [1A 60 A 1], but [1A 2B 3C 1] is 'Hall Ceiling': write the id that is meant, or leave it out.",
    ],
    [
      "Status 'Hall Ceiling' [1A 2B 3C 2] ST > 0",
      "10: 'Hall Ceiling' is [1A 2B 3C 1], but there is none with the id [1A 2B 3C 2]",
    ],
    ["Staus 'Hall Ceiling'", "3: Here a condition is expected: Status of, Status, Control any, Control"],
    ["Staus 'Hall Ceiling'", 'Did you mean "Status"?'],
    [
      "Status 'Hall Ceiling' ST => 0",
      '28: Here a comparison is expected: >=, >, <=, <, is not, is. Did you mean ">="?',
    ],
    [
      "Status 'Hall Ceiling' ST = 1%",
      '28: Here a comparison is expected: >=, >, <=, <, is not, is. Did you mean "is"?',
    ],
    ["Status 'Hall Ceiling' ST != 1%", 'Did you mean "is not"?'],
    ["State variable 'Away' == 1", 'Did you mean "is"?'],
    ["Status 'Hall Ceiling' ST > 60 percents", '33: There is no unit "percents".'],
    [
      "Status 'Hall Ceiling' ST > 5 unit 70000",
      "Here the number of a unit is expected: a whole number from 0 to 9999.",
    ],
    ["Status 'Hall Ceiling' ST > 0.1234567890", "30: A number has at most 15 digits, 9 of them behind the point."],
    ["Status 'Hall Ceiling' ST > 5%, 6%", "32: The line should end here."],
    ["Status 'Living Room Thermostat' CLIMD is 'Heet'", "44: There is no value 'Heet'. Did you mean 'Heat'?"],
    ["Status 'Living Room Thermostat' CLIMD is [warm]", "44: In these brackets a number with its unit is expected."],
    ["Control 'Hall Motion' switched 'On'", "25: Here what the device does is expected: is not switched, is switched."],
    ["Time is 25:00", "11: A time lies between 00:00:00 and 23:59:59."],
    ["Time is sunrize", "11: Here a time is expected: 06:30, 06:30:15, sunrise or sunset."],
    ["Time is sunset + 25 hours", "At most 24 hours before or after the sun."],
    ["Time is 06:30 on 2026/13/01", "20: Here a day is expected: YYYY/MM/DD."],
    ["From 6:00 until 7:00", "13: Here the end of the window is expected: to, for."],
    ["On Mon, Tomorrow Time is 06:30", "11: Here a day is expected: Mon, Tue, Wed, Thu, Fri, Sat, Sun."],
    ["On Mon, Monday Time is 06:30", "11: Mon is repeated."],
    ["Program 'Alarm' is true", "11: There is no program 'Alarm'. Did you mean 'Alarm While Away'?"],
    ["Program 'Alarm While Away' is maybe", "30: Here the status of the program is expected: is true, is false."],
    ["Program [ZZ] is true", "11: The id of a program is up to four hex digits, such as [001C]."],
    ["State variable 'Awayy' is 1", "18: There is no state variable 'Awayy'. Did you mean 'Away'?"],
    ["State variable 'Away' is one", "28: Here a number is expected."],
    ["State variable [70000] is 1", "18: The id of a state variable is a number from 1 to 65535."],
    ["And (", "1: These parentheses do not end."],
    [")", "1: This parenthesis closes nothing."],
    ["Status 'Hall", "10: This quote does not end."],
    ["Status [1A", "10: This bracket does not end."],
    ["Status 'a\\q' [1]", "10: After \\ only ' ] \\ n r t and u{…} have a meaning."],
    ["Status [  ] ST > 1", "10: An id has 1 to 100 characters, none of them a control character."],
    ["Foreign {x}", '11: Behind Foreign a JSON object with a "type" is expected.'],
    [`Foreign {"type":"x10","a":${"[".repeat(50)}${"]".repeat(50)}}`, "11: Behind Foreign a JSON object"],
  ])("%s", (line, sentence) => {
    expect(problems(`Program 'x'\nIf\n  ${line}`)).toContain(`Line 3, column `);
    expect(problems(`Program 'x'\nIf\n  ${line}`)).toContain(sentence);
  });
});

describe("in an action", () => {
  test.each([
    ["Set 'Hall Ceiling' 120%", "22: Here a command is expected. Did you mean 'On'?"],
    ["Set 'Hall Ceiling' 'Onn' 60%", "22: There is no command 'Onn'. Did you mean 'On'?"],
    [
      "Set 'Hall Ceiling' Onn 60%",
      "22: Here a command is expected: its name in quotes, its id in brackets, or both. Did",
    ],
    ["Set 'Hall Ceiling' Onn 60%", "Did you mean 'On'?"],
    ["Set 'Hall Ceiling' 'On' 60% 50%", "31: The line should end here."],
    ["Set 'Hall Ceiling' 'On' 'Rampe' = 5", "27: There is no parameter 'Rampe'."],
    ["Wait 5", "8: Here a time span is expected, such as 1 hour 30 minutes."],
    ["Wait 5 minutes 3 minutes", "8: There are two numbers of minutes."],
    ["Wait 100000 seconds", "8: Hours, minutes and seconds go up to 99999."],
    ["Repeat 3", '11: Here "times" is expected.'],
    ["Repeat forever", "10: Here how often to repeat is expected: a whole number from 0 to 99999."],
    ["Run program 'Chime' (Then)", "23: Here what to do with the program is expected: (If), (Then path), (Else path)."],
    ["Enable 'Chime'", 'Did you mean "Enable program"?'],
    ["State variable 'Away' is 1", "25: Here what to do with the variable is expected: +=, -=,"],
    ["Send notification to me", "24: Here the number of a recipient is expected"],
    ["Resource 'Chime'", "12: There is no network resource 'Chime'. Did you mean 'Door Chime & Light'?"],
    [
      "In scene 'Evening' of 'Hall Ceiling' link 'Porch Light' by 'Dimmer'",
      "62: There is more than one kind of link 'Dimmer': write [I_DIMMER] or [I_DIMMER_ADV] behind it.",
    ],
    ["Turn on the light", "3: Here an action is expected: Run program,"],
  ])("%s", (line, sentence) => {
    expect(problems(`Program 'x'\nThen\n  ${line}`)).toContain(sentence);
  });
});

describe("in the lines around them", () => {
  test.each([
    ["", "Line 1, column 1: A program starts with its name: Program 'Name'."],
    ["If\n", "Line 1, column 1: A program starts with its name: Program 'Name'."],
    ["Program x", "Line 1, column 9: Here the name in quotes is expected."],
    ['Program "Hall"', "Line 1, column 9: Names and comments are in single quotes. Did you mean 'Hall'?"],
    [
      `Program 'x'\nThen\nSet "Bob's Lamp" On`,
      "Line 3, column 5: Names and comments are in single quotes. Did you mean 'Bob\\'s",
    ],
    ["Program 'x' [QQ]", "Line 1, column 13: The id of a program or folder is up to four hex digits, such as [001C]."],
    ["Program 'x'\nFolder 'Ligths'", "Line 2, column 8: There is no program folder 'Ligths'. Did you mean 'Lights'?"],
    ["Program 'x'\nFolder 'Climate' [0003]", "Line 2, column 8: 'Climate' is not the folder of this id"],
    ["Program 'x'\nFolder", "Line 2, column 7: Here a folder is expected"],
    ["Program 'x'\nEnabled maybe", "Line 2, column 9: Here yes or no is expected: yes, no."],
    ["Program 'x'\nProgram 'y'", "Line 2, column 1: This line is repeated."],
    ["Program 'x'\nThen\nIf", "Line 3, column 1: If, Then and Else stand in this order, each of them once."],
    ["Program 'x'\nIf\nTime is 6:00\nTime is 7:00", "Line 4, column 1: A further condition starts with And or Or."],
    ["Program 'x'\nComment on a lamp", "Line 2, column 9: Here the comment in quotes is expected."],
    ["Program 'x'\nThen\nElese", 'Line 3, column 1: "Elese" is not a keyword. Did you mean "Else"?'],
    ["Program 'x'\nThne", 'Line 2, column 1: "Thne" is not a keyword. Did you mean "Then"?'],
    ["Program '🏠' x", "Line 1, column 13: The line should end here."],
  ])("%j", (text, sentence) => {
    expect(problems(text)).toContain(sentence);
  });

  test("of parentheses that do not end, the line of the innermost is named", () => {
    expect(problems("Program 'x'\nIf\n(\nTime is 06:00\nAnd (\nTime is 07:00")).toBe(
      "Line 5, column 1: These parentheses do not end.",
    );
  });

  test("more parentheses than anybody means are refused, however many there are", () => {
    const many = problems(`Program 'x'\nIf\n${"(\n".repeat(100_000)}`);
    expect(many).toContain("Line 67, column 1: These are too many parentheses inside one another.");
  });

  test("all errors are reported at once, in the order of the lines, up to a limit", () => {
    expect(problems("Program 'x'\nIf\n(\nTime is noon\nThen\nWait\nFly").split("\n")).toEqual([
      "Line 3, column 1: These parentheses do not end.",
      expect.stringContaining("Line 4, column 9: Here a time is expected"),
      expect.stringContaining("Line 6, column 5: Here a time span is expected"),
      expect.stringContaining("Line 7, column 1: Here an action is expected"),
    ]);
    const many = problems(`Program 'x'\nThen\n${"Fly\n".repeat(1000)}`).split("\n");
    expect([many.length, many.at(-1)]).toEqual([21, "The rest was not read."]);
  });
});

describe("short forms", () => {
  test("names stand for ids where they are the only ones, ids for names, and words need no brackets", () => {
    const whole = condition("Status 'Hall Ceiling' [1A 2B 3C 1] 'Status' [ST] > 60%");
    for (const line of [
      "Status 'Hall Ceiling' 'Status' > 60%",
      "Status [1A 2B 3C 1] ST > 60 %",
      "status   'Hall Ceiling' [ \t 1A 2B 3C 1 \t ] [ST]>60 percent",
      "And Status 'a name from long ago' [1A 2B 3C 1] ST > 60%",
    ]) {
      expect(condition(line)).toEqual(whole);
    }
  });

  test("names of commands, properties and values need no quotes, with or without a blank before the unit", () => {
    const on = action("Set 'Hall Ceiling' [1A 2B 3C 1] 'On' [DON] 40%");
    for (const line of [
      "Set 'Hall Ceiling' On 40%",
      "Set 'Hall Ceiling' On 40 %",
      "set 'Hall Ceiling' on 40 percent",
    ]) {
      expect(action(line)).toEqual(on);
    }
    expect(condition("Status 'Hall Ceiling' ZZTOP > 1")).toMatchObject({ property: "ZZTOP" });
    expect(action("Set 'Hall Ceiling' Fast On")).toEqual(action("Set 'Hall Ceiling' 'Fast On'"));
    expect(condition("Status 'Hall Ceiling' Status > 60%")).toEqual(condition("Status 'Hall Ceiling' ST > 60%"));
    expect(condition("Status 'Living Room Thermostat' Thermostat Mode is Heat")).toEqual(
      condition("Status 'Living Room Thermostat' 'Thermostat Mode' is 'Heat'"),
    );
  });

  test("words for values, days, spans and times", () => {
    expect(condition("Status 'Living Room Thermostat' 'Thermostat Mode' is 'Heat'")).toMatchObject({
      value: { value: 1, prec: 0, uom: 98 },
    });
    expect(condition("On Monday, tues From 6:30 to sunset - 15m (same day)")).toMatchObject({
      days: ["mon", "tue"],
      when: { from: { secondOfDay: 23_400 }, to: { offsetS: -900, offsetDays: 0 } },
    });
    expect(action("Wait 1h 5 min")).toEqual({
      kind: "wait",
      span: { hours: 1, minutes: 5, seconds: 0 },
      random: false,
    });
    expect(action("Repeat 1 time")).toEqual({ kind: "repeat-times", times: 1, random: false });
  });

  test.each([
    ["Wait 60s", "Wait 60 seconds"],
    ["Wait 1h 2m 1s", "Wait 1 hour 2 minutes 1 second"],
    ["Wait 2h 1m", "Wait 2 hours 1 minute"],
    ["Wait 0s", "Wait 0 seconds"],
  ])("%s is printed as %s", (line, printed) => {
    const text = printProgram(parseProgram(`Program 'x'\nThen\n  ${line}`, names), names);
    expect(text.split("\n").map((each) => each.trim())).toContain(printed);
  });

  test.each([
    ["percent", 51],
    ["F", 17],
    ["C", 4],
    ["[F]", 17],
    ["[percent]", 51],
    ["seconds", 58],
    ["second", 58],
    ["minute", 45],
    ["hour", 20],
    ["day", 10],
    ["degrees", 14],
    ["half-degrees", 101],
    ["level", 100],
    ["unit 0", 0],
  ])("a value in the unit %s", (unit, uom) => {
    expect(condition(`Status 'Hall Ceiling' ST > 2.5 ${unit}`)).toMatchObject({ value: { value: 25, prec: 1, uom } });
  });

  test("a folder inside another one is found by both names and by its own, and written with both", () => {
    const { programs } = controller.services.home;
    const lights = programs.get(3) ?? expect.fail();
    programs.set(0x300, { ...lights, id: 0x300, name: "Hall", parentId: lights.id });
    const folderOf = (folder: string) => parseProgram(`Program 'x'\nFolder ${folder}`, names).parentId;
    const found = ["'Lights' / 'Hall'", "'My Programs' / 'Lights' / 'Hall'", "'Hall'"].map(folderOf);
    const path = names.pathOf(0x300);
    programs.delete(0x300);
    expect(found).toEqual([0x300, 0x300, 0x300]);
    expect(path).toEqual(["Lights", "Hall"]);
  });

  test("a folder is found by its path, from the root or from its end", () => {
    const folderOf = (folder: string) => parseProgram(`Program 'x'\nFolder ${folder}`, names).parentId;
    expect(["'Lights'", "'My Programs' / 'Lights'", "[0003]", "[3]", "'My Programs'"].map(folderOf)).toEqual([
      3, 3, 3, 3, 1,
    ]);
  });

  test("omitted parts have their defaults", () => {
    expect(parseProgram("Program 'x'", names)).toEqual({
      name: "x",
      id: null,
      parentId: 1,
      enabled: true,
      runAtStartup: false,
      comment: "",
      tree: { if: [], then: [], else: [] },
    });
  });
});

// Looking for the end of the spaces from each of them would take more than an hour.
test("spaces in brackets are refused like any other id, or line, that is too long", () => {
  const spaces = (count: number) => problems(`Program 'x'\nIf\n  Status [a${" ".repeat(count)}b] ST > 0`);
  expect(spaces(1000)).toContain("An id has 1 to 100");
  expect(spaces(1_000_000)).toContain("A line has at most");
});

test("a statement is found at its line of the printed text, and one that is not there is not", () => {
  const entry = parseProgram("Program 'x'\nThen\n  Wait 1 second\n  Wait 2 seconds", names);
  const find = lineFinder(entry, names);
  const lines = printProgram(entry, names).split("\n");
  expect(find("then[1]")).toEqual({
    line: lines.indexOf("    Wait 2 seconds") + 1,
    column: 5,
    text: "    Wait 2 seconds",
  });
  expect(find("then[9]")).toBeNull();
});
