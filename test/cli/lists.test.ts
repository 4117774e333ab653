/** Lists as text and as JSON, in portal and in local mode. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());

const rows = (table: string) => table.trimEnd().split("\n");
const firstColumn = (table: string) => rows(table).map((row) => row.split(/ {2,}/)[0]);

type Named = { readonly name: string };
const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);

describe("nodes", { timeout: 60_000 }, () => {
  test("is a table with a line for every node, sorted by path, whole and without colours in a pipe", async () => {
    const table = await line.read("nodes", "--folder", "Kitchen");
    expect(table).toBe(
      [
        "NODE                    FOLDER   STATUS     ADDRESS     KIND",
        "Coffee Machine          Kitchen  Off        3B 9 12 1   Relay Switch",
        "Dishwasher              Kitchen  Off        ZW005_1     Power Switch",
        "Dishwasher Meter        Kitchen  0.4 Watts  ZW005_143   Energy Meter",
        "Kitchen Ceiling         Kitchen  Off        1A 30 1 1   Relay Switch",
        "Kitchen Counter         Kitchen  Off        1A 30 F4 1  Dimmer Switch",
        "Kitchen Leak            Kitchen  On         2C 44 8 1   Binary Alarm",
        "Kitchen Leak Heartbeat  Kitchen  Off        2C 44 8 4   Binary Alarm",
        "Kitchen Leak Wet        Kitchen  Off        2C 44 8 2   Binary Alarm",
        "Kitchen Window          Kitchen  Closed     ZW008_1     Door/Window Sensor",
        "",
      ].join("\n"),
    );
  });

  test("filters by text, folder with what is below it, family and state, and sorts", async () => {
    expect(firstColumn(await line.read("nodes", "meter"))).toEqual(["NODE", "House Meter", "Dishwasher Meter"]);
    const garden = await line.readJson<readonly { folder: string }[]>("nodes", "--folder", "Garden & Garage");
    expect(new Set(garden.map(({ folder }) => folder))).toContain("Garden & Garage/Terrace");
    const on = await line.readJson<readonly { status: { value: number } }[]>("nodes", "--on", "--family", "1");
    expect(on.length).toBeGreaterThan(0);
    expect(on.filter(({ status }) => status.value === 0)).toEqual([]);
    const byAddress = firstColumn(await line.read("nodes", "--folder", "Kitchen", "--sort", "address"));
    expect(byAddress.slice(1, 3)).toEqual(["Kitchen Ceiling", "Kitchen Counter"]);
  });

  test("gives programs every field in either mode", async () => {
    const [lamp] = await line.readJson<readonly object[]>("nodes", "hall ceiling");
    expect(lamp).toEqual({
      address: "1A 2B 3C 1",
      name: "Hall Ceiling",
      path: "Hall/Hall Ceiling",
      folder: "Hall",
      nodeDefId: "DimmerLampSwitch_ADV",
      family: "1",
      instance: "1",
      type: "1.32.69.0",
      primary: "1A 2B 3C 1",
      parent: "11001",
      enabled: true,
      status: { id: "ST", name: "Status", value: 0, text: "Off", uom: "100", prec: 0, raw: "0" },
      commands: expect.arrayContaining(["DON", "DOF", "QUERY"]),
    });
    const { stdout } = await line.run(["nodes", "hall ceiling", "--json"], line.local);
    expect(JSON.parse(stdout)).toEqual([lamp]);
  });
});

test("nothing found is one sentence on standard error, and an empty list for programs", async () => {
  const args = ["nodes", "no such thing"];
  expect(await line.run(args)).toEqual({ code: 0, stdout: "", stderr: "No node matches.\n" });
  expect((await line.run([...args, "--json"])).stdout).toBe("[]\n");
});

describe("status", () => {
  test("of a node lists its properties in words", async () => {
    const table = await line.read("status", "Bedroom/Bedroom Climate");
    expect(rows(table)[0]).toMatch(/^PROPERTY +ID +VALUE$/);
    expect(table).toMatch(/^Battery Level +BATLVL +\d+%$/m);
    const [climate] = await line.readJson<readonly { properties: readonly object[] }[]>("status", "ZW006_1");
    expect(climate?.properties).toContainEqual({
      id: "ST",
      name: "Temperature",
      value: 21.2,
      text: "21.2°C",
      uom: "4",
      prec: 1,
      raw: "212",
    });
  });

  test("of all nodes can show one property of each", async () => {
    const table = await line.read("status", "--property", "batlvl");
    expect(rows(table)[0]).toMatch(/^NODE +PROPERTY +ID +VALUE$/);
    expect(
      new Set(
        rows(table)
          .slice(1)
          .map((row) => / BATLVL /.test(row)),
      ),
    ).toEqual(new Set([true]));
  });
});

describe("groups", { timeout: 60_000 }, () => {
  test("shows the state of each, and the members of one with what they do when it is on", async () => {
    expect(await line.read("groups")).toMatch(/^Evening +Living Room +partly on +5 +31002$/m);
    const members = await line.read("groups", "Evening");
    expect(members).toMatch(/^Floor Lamp +controller +on +50% +1A 2F 91 1$/m);
    expect(members).toMatch(/^Living Room Ceiling +responder +off +\S+ +1A 2F 90 1$/m);
    const [evening] = (await line.readJson<readonly Named[]>("groups")).filter(({ name }) => name === "Evening");
    expect(evening).toMatchObject({ address: "31002", anyOn: true, allOn: false, targetsResolved: true });
  });
});

describe("programs, variables and network resources", { timeout: 60_000 }, () => {
  test("programs are listed by path, folders only when they are wanted", async () => {
    const lights = await line.readJson<readonly (Named & { path: string })[]>("programs", "--folder", "Lights");
    expect(lights[0]).toMatchObject({ name: "Evening Scene", path: "Lights/Evening Scene", id: "000B", enabled: true });
    expect(namesOf(lights)).not.toContain("Chime");
    expect(firstColumn(await line.read("programs", "--folders"))).toContain("Lights/");
    expect(await line.read("programs")).toMatch(/^Dishwasher Done +House & Garden +disabled +0015$/m);
  });

  test("times are those of the home, wherever its owner is, as in the texts of programs", async () => {
    const abroad = { ...line.portal, TZ: "Pacific/Auckland" };
    const next = await line.run(["programs", "--folder", "Security"], abroad);
    expect(next.stdout).toMatch(/^Lock Up +Security +false +\d{4}-\d\d-\d\d 23:15:00 +0012$/m);
    expect((await line.run(["variables"], abroad)).stdout).toBe(await line.read("variables"));
  });

  test("variables show their values with their decimals", async () => {
    const table = await line.read("variables", "--type", "state");
    expect(table).toMatch(/^Comfort Temperature +state +21\.5 +21\.0 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +2\.3$/m);
    const all = await line.readJson<readonly { key: string }[]>("variables", "--sort", "id");
    expect(all.map(({ key }) => key).slice(0, 3)).toEqual(["1.1", "1.2", "1.3"]);
    expect(all.find(({ key }) => key === "2.3")).toMatchObject({
      value: 21.5,
      init: 21,
      raw: 215,
      rawInit: 210,
      prec: 1,
    });
  });

  test("resources have their ids", async () => {
    expect(await line.readJson("resources")).toEqual([
      { id: "2", name: "Amplifier On" },
      { id: "1", name: "Door Chime & Light" },
      { id: "3", name: "Wake Workstation" },
    ]);
  });
});

describe("one sentence and a status for", () => {
  test.each<readonly [string, readonly string[], number, string]>([
    [
      "a node that is not there",
      ["status", "Hal Ceiling"],
      3,
      'There is no node "Hal Ceiling". Did you mean "Hall Ceiling"?',
    ],
    [
      "a property that is not there",
      ["status", "Porch Light", "--property", "CLIMD"],
      3,
      "Porch Light has no property CLIMD.",
    ],
    [
      "a folder that is not there",
      ["nodes", "--folder", "Kitchn"],
      3,
      'There is no folder "Kitchn". Did you mean "Kitchen"?',
    ],
    ["a group that is not there", ["groups", "Evning"], 3, 'There is no scene "Evning". Did you mean "Evening"?'],
    ["a key to sort by", ["nodes", "--sort", "colour"], 2, "--sort is one of path, name, address, status."],
    [
      "a family that no node has",
      ["nodes", "--family", "nowhere"],
      2,
      'No node is of the family "nowhere". The families here are 1, 4, 10, 12.',
    ],
    ["a type of variables", ["variables", "--type", "text"], 2, "--type is integer or state."],
  ])("%s", async (_what, args, code, sentence) => {
    expect(await line.run(args)).toEqual({ code, stdout: "", stderr: `domovoi: ${sentence}\n` });
  });
});

test("a name is found however its accents were typed, and two names that look alike are reported", async () => {
  const [decomposed, composed] = ["Bu\u0308ro", "B\u00fcro"];
  await line.read("rename", "Desk Lamp", decomposed);
  expect(await line.read("send", composed.toLowerCase(), "DON")).toBe(`DON sent to ${decomposed}.\n`);
  expect(firstColumn(await line.read("nodes", composed))).toContain(decomposed);
  await line.controller.login();
  const { portal } = line.controller;
  const text = `Program 'Accents'\nThen\n  Set '${composed}' On\n`;
  expect((await portal.post("/api/programs/verify", { text })).status).toBe(200);
  await line.read("rename", "Floor Lamp", composed);
  expect(await line.run(["status", composed])).toMatchObject({ code: 2, stderr: expect.stringContaining("2 nodes") });
  const refused = await portal.post("/api/programs/verify", { text });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("more than one node or scene")]);
});

test("a chart of a property that the node does not have is refused with those that it has", async () => {
  const unknown = await line.run(["chart", "Hall Ceiling", "FOO"]);
  expect(unknown).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining('has no property "FOO". It has '),
  });
});

test("the events of a node come the newest last, also as values for a spreadsheet", async () => {
  await line.read("rename", "Reading Lamp", "=1+1, lamp");
  await line.read("send", "=1+1, lamp", "DON", "40%", "--wait");
  await line.controller.clock.advance(2000);
  const lines = rows(await line.read("events", "=1+1, lamp", "--csv"));
  expect(lines[0]?.trim()).toBe("TIME,WHAT,BY,OUTCOME");
  expect(lines.map((each) => each.split(",").slice(1, 3).join(" by "))).toEqual(
    expect.arrayContaining(["On 40 % was commanded by owner@example.org", expect.stringMatching(/^Status: 40 % by /)]),
  );
  expect((await line.run(["events", "=1+1, lamp", "--limit", "0"])).code).toBe(2);
});
