/** Commands that change something: what they send, what they say, and with which status they end. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());

const failure = (code: number, sentence: string) => ({ code, stdout: "", stderr: `domovoi: ${sentence}\n` });
const statusOf = (address: string) => line.controller.services.home.nodes.get(address)?.properties.get("ST")?.value;

describe("send", { timeout: 60_000 }, () => {
  test.each<readonly [string, readonly string[], string]>([
    ["a percentage", ["Hall Ceiling", "DON", "75%"], "DON 75% sent to Hall Ceiling."],
    ["a command by its name", ["1A 2B 3C 1", "Fast On"], "DFON sent to Hall Ceiling."],
    [
      "a label in any case",
      ["Living Room Thermostat", "CLIMD", "program auto"],
      "CLIMD program auto sent to Living Room Thermostat.",
    ],
    [
      "a number with its unit",
      ["Bedroom Thermostat", "CLISPH", "21,5 °C"],
      "CLISPH 21,5 °C sent to Bedroom Thermostat.",
    ],
    ["a group with a level", ["Movie", "DON", "30%"], "DON 30% sent to Movie."],
    ["a command to a group by its name", ["Movie", "on", "30%"], "DON 30% sent to Movie."],
    ["the name of a command that members accept", ["Movie", "Fast Off"], "DFOF sent to Movie."],
  ])("takes %s", async (_what, args, said) => {
    expect(await line.run(["send", ...args])).toEqual({ code: 0, stdout: `${said}\n`, stderr: "" });
  });

  test("means by a percentage what the lamp then says", async () => {
    await line.read("send", "Floor Lamp", "DON", "75%");
    expect(statusOf("1A 2F 91 1")).toBe(191);
    const { stdout } = await line.run(["send", "Floor Lamp", "DON", "40"], line.local);
    expect([stdout, statusOf("1A 2F 91 1")]).toEqual(["DON 40 sent to Floor Lamp.\n", 102]);
  });

  test.each<readonly [string, readonly string[], number, string]>([
    ["too much", ["Hall Ceiling", "DON", "101%"], 2, 'DON of Hall Ceiling does not take "101%": it takes 0 to 100%.'],
    ["too many values", ["Hall Ceiling", "DOF", "1"], 2, "DOF of Hall Ceiling takes no value."],
    [
      "a near miss of a node",
      ["Hal Ceiling", "DON"],
      3,
      'There is no node or group "Hal Ceiling". Did you mean "Hall Ceiling"?',
    ],
    [
      "a near miss of a command",
      ["Hall Ceiling", "DONN"],
      3,
      'Hall Ceiling does not accept "DONN". Did you mean "DON"?',
    ],
    ["a level of a group", ["Movie", "DON", "130"], 2, 'DON of Movie does not take "130": a group accepts 0 to 100 %.'],
    ["a time to wait", ["Hall Ceiling", "DON", "--wait", "-1"], 2, "--wait takes seconds, up to 3600."],
  ])("refuses %s, and nothing is sent", async (_what, args, code, sentence) => {
    const before = line.controller.services.home.version("status");
    expect(await line.run(["send", ...args])).toEqual(failure(code, sentence));
    expect(line.controller.services.home.version("status")).toBe(before);
  });

  test("--wait prints the reported value, of properties and groups too", async () => {
    expect(await line.read("send", "Desk Lamp", "DON", "55%", "--wait")).toBe("Desk Lamp: Status is 55%.\n");
    expect(await line.read("send", "Living Room Thermostat", "CLISPH", "66°", "--wait")).toMatch(/Heat Setpoint is 66/);
    const told = await line.readJson("send", "Good Night", "DOF", "--wait");
    expect(told).toMatchObject({ name: "Good Night", command: "DOF", result: "confirmed" });
  });

  test("--wait confirms by what a command means for a property, also where it has no parameter of that property", async () => {
    expect(await line.read("send", "Garage Lock", "Unlock", "--wait")).toBe("Garage Lock: Status is Unlocked.\n");
    expect(await line.read("send", "Garage Lock", "Unlock", "--wait")).toBe("Garage Lock: Status is Unlocked.\n");
    expect(await line.read("send", "Garage Lock", "Secure", "Lock", "--wait")).toBe("Garage Lock: Status is Locked.\n");
  });

  test("--wait ends with status 6 when no report comes, and with 0 when none could", async () => {
    const silent = await line.run(["send", "Kitchen Counter", "DIM", "--wait", "0.2"]);
    expect(silent).toEqual(failure(6, "Kitchen Counter took DIM, and no report showed the effect in time."));
    const beep = await line.run(["send", "Kitchen Counter", "BEEP", "--wait"]);
    expect(beep).toEqual({
      code: 0,
      stdout: "BEEP sent to Kitchen Counter.\n",
      stderr: "domovoi: Kitchen Counter accepted BEEP. No report shows its effect.\n",
    });
  });

  test("says what the controller refuses", async () => {
    await line.read("disable", "Porch Light");
    expect(await line.run(["send", "Porch Light", "DON"])).toEqual(failure(1, 'The node "Porch Light" is disabled.'));
    expect(await line.read("nodes", "--disabled")).toMatch(/^Porch Light .* disabled /m);
    expect(await line.read("enable", "Porch Light")).toBe("Porch Light is enabled.\n");
  });
});

describe("act", { timeout: 60_000 }, () => {
  test("does what a person at the device does, and shows what can be done there", async () => {
    expect(await line.read("act", "Hall Motion", "don")).toBe("DON at Hall Motion.\n");
    expect(statusOf("2D 7F E1 1")).toBe(255);
    expect(await line.read("act", "Front Door")).toMatch(/^Front Door: .*OPEN.*CLOSE/);
    expect(await line.readJson("act", "Hall Motion", "DOF")).toEqual({
      address: "2D 7F E1 1",
      name: "Hall Motion",
      action: "DOF",
      value: null,
    });
  });

  test("says what the controller refuses, and what local accounts cannot do", async () => {
    const refused = await line.run(["act", "Hall Motion", "OPEN"]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/Hall Motion has no action OPEN\. Its actions are DON, DOF/),
    ]);
    const local = await line.run(["act", "Hall Motion", "DON"], line.local);
    expect([local.code, local.stderr]).toEqual([expect.any(Number), expect.stringMatching(/needs the portal/)]);
    expect(local.code).not.toBe(0);
    expect(await line.run(["act", "Hall Motion", "DON", "much"])).toEqual(failure(2, '"much" is not a number.'));
  });
});

describe("parameters", { timeout: 60_000 }, () => {
  test("lists those that are known, reads and writes one by number or name", async () => {
    expect(await line.read("parameters", "Reading Lamp")).toMatch(/^NUMBER +NAME +VALUES\n1 +Indicator light *\n3\n/);
    const written = await line.read("parameters", "Reading Lamp", "report interval", "3600");
    expect(written).toBe("Report interval of Reading Lamp: 3600 s.\n");
    expect(await line.readJson("parameters", "Reading Lamp", "13")).toMatchObject({
      name: "Report interval",
      value: 3600,
    });
  });

  test("says what is no parameter, and what is no value of one", async () => {
    const sentence = 'Reading Lamp has no parameter "interval". Did you mean "Report interval"?';
    expect(await line.run(["parameters", "Reading Lamp", "interval"])).toEqual(failure(3, sentence));
    expect((await line.run(["parameters", "Reading Lamp", "1", "x"])).code).toBe(2);
    const none = await line.run(["parameters", "Hall Ceiling"]);
    expect(none.stderr).toBe("Hall Ceiling has no parameters that are known.\n");
  });
});

describe("run", { timeout: 60_000 }, () => {
  const program = () => line.controller.services.home.programs.get(0x14);

  test("runs clauses, enables and disables, and takes the interface's own names", async () => {
    expect(await line.read("run", "Water the Lawn", "disable")).toBe(
      'Sent "disable" to the program "Water the Lawn".\n',
    );
    expect(program()).toMatchObject({ enabled: false });
    await line.read("run", "0014", "enable");
    expect(await line.read("run", "House & Garden/Water the Lawn", "enableRunAtStartup")).toContain(
      "enableRunAtStartup",
    );
    expect(program()).toMatchObject({ enabled: true, runAtStartup: true });
    expect(await line.read("run", "Chime", "then")).toBe(
      'Sent "runThen" to the program "Chime". "domovoi why 0010" shows the result.\n',
    );
  });

  test.each<readonly [string, readonly string[], number, RegExp]>([
    ["an unknown word", ["Chime", "thn"], 2, /"thn" is not a command of programs\. The commands are run, if, then/],
    [
      "a clause of a folder",
      ["Lights", "then"],
      2,
      /"Lights" is a folder. Its commands are run, stop, enable and disable/,
    ],
    ["a program that is not there", ["Chim"], 3, /There is no program "Chim"\. Did you mean "Chime"\?/],
  ])("refuses %s", async (_what, args, code, sentence) => {
    const run = await line.run(["run", ...args]);
    expect([run.code, run.stderr]).toEqual([code, expect.stringMatching(sentence)]);
  });
});

describe("set", { timeout: 60_000 }, () => {
  test("writes displayed values, and the one after a cold start", async () => {
    expect(await line.read("set", "Comfort Temperature", "22.5")).toBe("Comfort Temperature: 22.5.\n");
    expect(await line.read("set", "2.3", "19", "--init")).toBe("Comfort Temperature after a cold start: 19.0.\n");
    await line.read("set", "Away", "--", "-3");
    expect(await line.readJson("variables", "--type", "state")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "2.3", raw: 225, rawInit: 190 }),
        expect.objectContaining({ key: "2.1", raw: -3 }),
      ]),
    );
  });

  test.each<readonly [string, readonly string[], number, string]>([
    [
      "values that would be rounded",
      ["Comfort Temperature", "22.55"],
      2,
      "Comfort Temperature has one decimal place; 22.55 would be rounded.",
    ],
    ["no number", ["Guests", "two"], 2, '"two" is not a number.'],
    ["too large a number", ["Guests", "2147483648"], 2, "Guests takes -2147483648 to 2147483647."],
    ["a variable that is not there", ["Gusts", "1"], 3, 'There is no variable "Gusts". Did you mean "Guests"?'],
  ])("refuses %s", async (_what, args, code, sentence) => {
    expect(await line.run(["set", ...args])).toEqual(failure(code, sentence));
  });
});

describe("rename and fire", { timeout: 60_000 }, () => {
  test("nodes, groups and folders get other names", async () => {
    expect(await line.read("rename", "Kitchen Leak Wet", "Kitchen Wet")).toBe(
      'Renamed "Kitchen Leak Wet" to "Kitchen Wet".\n',
    );
    await line.read("rename", "Movie", "Cinema");
    await line.read("rename", "11003", "Salon");
    expect(await line.read("groups", "Cinema")).toMatch(/^NODE/);
    expect(await line.read("nodes", "--folder", "Salon")).toContain("Floor Lamp");
    await line.read("rename", "Desk Lamp", "Floor Lamp");
    const twice = await line.run(["send", "Floor Lamp", "DOF"]);
    expect([twice.code, twice.stderr]).toEqual([
      2,
      expect.stringMatching(/"Floor Lamp" is 2 nodes: 1A 2F 91 1, 1A 2F A2 1\. Use one/),
    ]);
    const refused = await line.run(["rename", "1A 2F 91 1", ""]);
    expect(refused).toEqual(failure(2, "A name has at least one character."));
  });

  test("a network resource is fired; a wrong name is refused", async () => {
    expect(await line.read("fire", "Wake Workstation")).toMatch(/^Fired "Wake Workstation"\./);
    expect(await line.run(["fire", "Wake Workstatio"])).toEqual(
      failure(3, 'There is no network resource "Wake Workstatio". Did you mean "Wake Workstation"?'),
    );
  });
});
