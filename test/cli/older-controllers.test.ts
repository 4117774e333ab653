/**
 * Controllers of firmware 4 and 5, which have no portal: read by the command line, and moved in from the network, from saved
 * documents and from a backup.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CREDENTIALS, runDomovoi } from "../simulation/service-process.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { type OlderController, openOlderController } from "../support/older-controller.ts";
import { CommandLine } from "./command-line.ts";

const MS = 60_000;
const scratch = mkdtempSync(join(tmpdir(), "domovoi-older-"));
let four: OlderController;
let five: OlderController;

beforeAll(async () => {
  [four, five] = [await openOlderController("firmware-4"), await openOlderController("firmware-5")];
});
afterAll(async () => {
  await four?.[Symbol.asyncDispose]();
  await five?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

const run = ({ user, password }: OlderController, args: readonly string[]) =>
  runDomovoi([...args, "--user", user], {
    env: { ...CREDENTIALS, DOMOVOI_PASSWORD: password, DOMOVOI_CONTROLLERS: join(scratch, "controllers.json") },
  });

type Item = { readonly what: string; readonly count: number | null; readonly comes: string; readonly note: string };

async function planOf(args: readonly string[]): Promise<readonly Item[]> {
  const { code, stdout, stderr } = await run(four, ["move-in", ...args, "--plan", "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as readonly Item[];
}

describe("the command line works with them as far as they have answers", { timeout: MS }, () => {
  test("nodes, status, programs and variables are listed without a profile", async () => {
    for (const original of [four, five]) {
      const list = async (...command: readonly string[]) => {
        const { code, stdout, stderr } = await run(original, [...command, "--url", original.url]);
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      };
      const [node = "", program = "", variable = ""] =
        original === four ? ["Porch Light", "Porch at Dusk", "Visits"] : ["Terrace Plug", "After Dinner", "Energy"];
      expect(await list("nodes")).toContain(node);
      expect(await list("status", node)).toContain(original === four ? "On" : "Off");
      expect(await list("programs")).toContain(program);
      expect(await list("variables")).toContain(variable);
    }
  });

  test("commands reach the controller, and what it cannot do is said in a sentence", async () => {
    const at = ["--url", four.url];
    for (const command of [
      ["send", "Porch Light", "DON"],
      ["run", "Guests Come", "then"],
      ["set", "Visits", "3"],
    ])
      expect(await run(four, [...command, ...at])).toMatchObject({ code: 0 });
    expect(four.requests).toEqual(
      expect.arrayContaining([
        "GET /rest/nodes/1A 2B 4D 1/cmd/DON",
        "GET /rest/programs/0005/runThen",
        "GET /rest/vars/set/1/1/3",
      ]),
    );
    for (const command of [["program", "show", "Siren"], ["history"], ["verify"], ["why", "Porch Light"]]) {
      const { code, stderr } = await run(four, [...command, ...at]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("Use an account of the portal")]);
    }
  });

  test("login saves the account, and says what a wrong password is", async () => {
    const saved = await run(four, ["login", "old", "--url", four.url]);
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining("commands ask for the password") });
    const wrong = await run({ ...four, password: "guess" }, ["login", "--url", four.url]);
    expect(wrong).toMatchObject({ code: 5 });
  });
});

describe("the plan", { timeout: MS }, () => {
  test("has a row for each kind of thing, and names each statement that does not come", async () => {
    four.requests.length = 0;
    const items = await planOf([four.url]);
    const rows = items.map(({ what, count, comes, note }) => [what, count, comes, note].join(" | "));
    expect(rows).toEqual(
      expect.arrayContaining([
        "folders | 1 | yes | with names and places",
        expect.stringMatching(/^nodes of Insteon \| 5 \| later/),
        "scenes | 1 | yes | with members, links and levels",
        expect.stringMatching(/^programs \| 3 \| later/),
        "programs not understood | 2 | no | stored but not run: Old Remote, Siren",
        expect.stringMatching(/^statement of Old Remote \| 1 \| no \| If 1 \(line 1\): <ir> is stored/),
        expect.stringMatching(/^statement of Old Remote \| 1 \| no \| Then 1 \(line 1\): <x10> is stored/),
        "statement of Siren | 1 | no | Then 2 (line 3): <net> has <cmd>5</cmd>, and only 6 is known there",
        "statement of Siren | 1 | no | Then 3 (line 4): <siren> is an unknown statement",
        expect.stringMatching(/^program folders \| 2 \| yes/),
        "variables | 3 | yes | with values, initial values and precision",
        expect.stringMatching(/^time zone \| {2}\| no \| the other controller does not name it; this home gets /),
        expect.stringMatching(/^network resources \| 1 \| no/),
      ]),
    );
    const reads = four.requests.filter((each) => !/^GET |^Get/.test(each));
    expect(reads).toEqual([]);
  });

  test("names what the scenes of the controller set and a scene here cannot", async () => {
    const { stdout } = await run(five, ["move-in", five.url, "--plan"]);
    expect(stdout).toMatch(/^scene 31002 +1 +no +The scene Cooking sets CLISPH of Terrace Plug: a program has to/m);
  });

  test("is the same from saved documents and from the programs of a backup", async () => {
    const expected = await planOf([four.url]);
    expect(await planOf(["--from-files", four.directory])).toEqual(expected);
    const directory = join(scratch, "backup");
    cpSync(four.directory, directory, {
      recursive: true,
      filter: (path) => !/programs\.xml$/.test(path) || /rest-/.test(path),
    });
    const inner = zipSync(programFiles(four.directory));
    writeFileSync(join(directory, "ISY-Backup.v4.7.3.zip"), zipSync({ "uuid.00.21.b9.01.02.03.zip": inner }));
    // Each program is a file of its own, with lines of its own.
    const lines = (items: readonly Item[]) =>
      items.map((item) => ({ ...item, note: item.note.replace(/line \d+/, "line"), detail: "" }));
    expect(lines(await planOf(["--from-files", directory]))).toEqual(lines(expected));
  });

  test("is the same where the controller gives its programs one by one, and says which levels it does not give", async () => {
    await using original = await openOlderController("firmware-4", ["GetAllD2D", "GetSceneProfiles"]);
    const items = await planOf([original.url]);
    expect(items.find(({ what }) => what === "programs")).toMatchObject({ count: 3, comes: "later" });
    const scenes = items.find(({ what }) => what === "scenes");
    expect(scenes?.note).toBe("with members; the levels of 1 could not be read, so these turn their members fully on");
  });

  test("says what is wrong with an account, an address, or a backup alone", async () => {
    const failed = async (args: readonly string[], user = "admin", password = "wrong") =>
      (await run({ ...four, user, password }, ["move-in", ...args, "--plan"])).stderr;
    expect(await failed([four.url])).toContain("the account admin or the password is wrong");
    expect(await failed([four.url], "owner@example.org")).toContain("is read with its local account");
    expect(await failed(["http://192.168.1.30"])).toContain("without TLS");
    const directory = mkdtempSync(join(scratch, "alone-"));
    writeFileSync(join(directory, "ISY-Backup.zip"), zipSync({ "uuid.zip": zipSync(programFiles(four.directory)) }));
    expect(await failed(["--from-files", directory])).toContain("save the page /rest/nodes as rest-nodes.xml");
    cpSync(join(four.directory, "rest-nodes.xml"), join(directory, "rest-nodes.xml"));
    cpSync(join(four.directory, "rest-vars-definitions-2.xml"), join(directory, "STATE.VAR"));
    const items = await planOf(["--from-files", directory]);
    expect(items.find(({ what }) => what === "variables")?.note).toContain("the values of 2 are in no document");
    expect(items.find(({ what }) => what === "time zone")).toMatchObject({ comes: "no" });
  });

  test("names the programs whose statements it could not read", async () => {
    await using original = await openOlderController("firmware-4", ["GetAllD2D", "GetSysConf"]);
    const items = await planOf([original.url]);
    expect(items.find(({ what }) => what === "programs not understood")).toMatchObject({ count: 5, comes: "no" });
  });
});

/** With absolute names, as a backup holds them. */
function programFiles(directory: string): Record<string, Uint8Array> {
  const all = readFileSync(join(directory, "programs.xml"), "utf8").match(/<d2d>.*?<\/d2d>/gs) ?? [];
  return Object.fromEntries(
    all.map((each) => {
      const id = Number(/<id>(\d+)</.exec(each)?.[1]);
      const name = `/CONF/D2D/${id.toString(16).toUpperCase().padStart(4, "0")}.PGM`;
      return [name, new TextEncoder().encode(`<?xml version="1.0" ?><triggers>${each}</triggers>`)];
    }),
  );
}

async function moveIn(original: OlderController): Promise<TestController> {
  const data = join(scratch, original.directory.split("/").at(-1) ?? "");
  mkdirSync(scratch, { recursive: true });
  const { code, stderr } = await run(original, ["move-in", original.url, "--data", data, "--yes"]);
  expect(code, stderr).toBe(0);
  const here = await startTestController({ demo: false }, { data, clock: new VirtualClock(Date.now()) });
  await here.login();
  return here;
}

const PLANNED = [
  ...(["folders", "nodes of Insteon", "scenes", "programs"] as const),
  ...(["program folders", "variables", "network resources"] as const),
];

describe("a move", { timeout: MS }, () => {
  test("from firmware 4: all things come, programs run, others say why not", async () => {
    await using here = await moveIn(four);
    const { home } = here.services;
    const count = new Map((await planOf([four.url])).map((item) => [item.what, item.count]));
    const kinds = [...home.programs.values()].map(({ kind }) => kind);
    expect({
      folders: home.folders.size,
      "nodes of Insteon": home.nodes.size,
      scenes: home.groups.size,
      programs: kinds.filter((kind) => kind === "program").length - Number(count.get("programs not understood")),
      "program folders": kinds.filter((kind) => kind === "folder").length,
      variables: home.variables[1].size + home.variables[2].size,
      "network resources": home.networkResources.size,
    }).toEqual(Object.fromEntries(PLANNED.map((what) => [what, count.get(what)])));
    expect([...home.nodes.keys()]).toEqual(["1A 2B 3C 1", "1A 2B 4D 1", "2E 5 F1 1", "2E 5 F1 3", "31 9 C4 1"]);
    expect(home.nodes.get("1A 2B 3C 1")).toMatchObject({ name: "Den Lamp", nodeDefId: "DimmerLampSwitch" });
    expect(home.programs.get(3)).toMatchObject({ kind: "folder", name: "Lights", conditions: [{ id: 2, type: 2 }] });
    expect(home.programs.get(7)).toMatchObject({ invalid: expect.stringContaining("does not carry out") });
    const [ofButton, ofScene] = home.groups.get("30001")?.blocks ?? [];
    const levels = (links: readonly object[] = []) => links.map((link) => Reflect.get(link, "parameters")?.[0]?.value);
    expect([levels(ofButton?.links), levels(ofScene?.links)]).toEqual([
      [25, 0],
      [undefined, 50, 100],
    ]);
    await using line = new CommandLine(here);
    await line.read("move-in", "finish");
    await line.read("set", "Guests", "2");
    await vi.waitFor(() => expect(home.variables[1].get(1)?.value).toBe(8), { timeout: MS });
    expect(home.programs.get(5)).toMatchObject({ invalid: null, status: true });
    // A level without a unit is a byte, as that firmware writes it.
    expect(home.nodes.get("1A 2B 3C 1")?.properties.get("ST")).toMatchObject({ value: 64, uom: 100 });
  });

  test("from firmware 5: nodes with their kinds, programs with parentheses and links of scenes", async () => {
    await using here = await moveIn(five);
    const { home } = here.services;
    expect(home.controller).toMatchObject({ uuid: "00:21:b9:0a:0b:0c", timeZone: "Europe/Berlin" });
    expect(home.nodes.get("ZW007_1")).toMatchObject({ family: 4, nodeDefId: "UZW0007" });
    expect([...home.programs.values()].flatMap((entry) => (entry.kind === "program" ? entry.invalid : []))).toEqual([
      null,
      null,
      null,
    ]);
    expect(home.programs.get(17)).toMatchObject({ comment: "Warm up first\nIn the evening" });
    await using line = new CommandLine(here);
    await line.read("move-in", "finish");
    await line.read("run", "After Dinner", "then");
    await vi.waitFor(() => expect(home.programs.get(17)).toMatchObject({ runAtStartup: true }), { timeout: MS });
  });
});
