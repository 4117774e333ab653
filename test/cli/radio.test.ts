/** `domovoi radio` against a simulated network: as programs call it, and as a person at a terminal does. */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firmwareClasses, lockPlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { eventJson, eventLine } from "../../src/cli/home/event-line.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { connectTo, startStage } from "../client/support/connected.ts";
import { frame, HEARTBEAT } from "../client/support/followed.ts";
import { ACCOUNT, json } from "../client/support/scripted-server.ts";
import { RadioServices } from "../support/radio-services.ts";
import { CommandLine } from "./command-line.ts";
import { Terminal } from "./terminal.ts";

const DSK = "11111-22222-33333-44444-55555-01234-12345-23456";
/** A maker's file: 16 bytes as Intel HEX. */
const FIRMWARE = ":10000000000102030405060708090a0b0c0d0e0f78\n:00000001FF\n";

let services: RadioServices;
let line: CommandLine;

beforeAll(async () => {
  const plans = [switchPlan({ name: "Pump", classes: firmwareClasses() }), switchPlan({ name: "Lamp" })];
  services = await RadioServices.open(plans, {}, { clock: new VirtualClock(Date.now()) });
  await services.knows("ZW003_1");
  line = new CommandLine(services.controller);
}, 60_000);
afterAll(async () => {
  await line[Symbol.asyncDispose]();
  await services[Symbol.asyncDispose]();
});

const at = (name: string) => join(line.directory, name);
const radio = (...args: readonly string[]) => line.run(["radio", ...args]);
const stages = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { readonly stage: string }).stage);

describe("the lists", { timeout: 60_000 }, () => {
  test("networks, devices and one device, as tables and as JSON", async () => {
    expect(await line.read("radio", "status")).toMatch(/^RADIO .*\nzwave +Z-Wave +ready .*d0307001 +2 /);
    const nodes = await line.read("radio", "nodes");
    expect(nodes).toMatch(/^ *ID +NAME +STATE +SECURITY .*\n +2 +ZW 002 \S.* alive +none +complete .*ZW002_1\n/);
    expect(await line.readJson("radio", "nodes")).toMatchObject([
      { id: 2, address: "ZW002_1", state: "alive", security: null },
      { id: 3 },
    ]);
    expect(await line.read("radio", "health", "3", "--ping")).toMatch(/device 3\nstate +alive\nsecurity +none: .*\n/);
  });

  test("an impossible request is one sentence and a status, before anything starts", async () => {
    const refused = [
      [["health", "9"], 3, "There is no device 9 in zwave."],
      [["nodes", "--radio", "zwav"], 3, 'There is no radio network "zwav". Did you mean "zwave"?'],
      [["rebuild-routes"], 2, "Either a device, or --all of them."],
      [
        ["include"],
        2,
        "Not a terminal, so the device's questions cannot be shown. Answer them with --grant and --pin.",
      ],
      [["include", "--grant", "all", "--pin", "123"], 2, "--pin takes the five digits that are printed on the device."],
      [
        ["smartstart", "add", "12345"],
        2,
        "A key has eight groups of five digits. A code starts with 90 and is longer.",
      ],
      [["cancel"], 1, "Nothing is under way on the radio network."],
    ] as const;
    const runs = await Promise.all(refused.map(([args]) => radio(...args)));
    expect(runs).toEqual(refused.map(([, code, sentence]) => ({ code, stdout: "", stderr: `domovoi: ${sentence}\n` })));
    expect(await services.operation()).toBeNull();
    const asLocal = await line.run(["radio", "status"], line.local);
    expect([asLocal.code, asLocal.stderr]).toEqual([
      2,
      expect.stringMatching(/^domovoi: Work on a radio network needs the portal of the controller\. Use an account/),
    ]);
  });
});

describe("for programs", { timeout: 60_000 }, () => {
  test("a device is let in with what the options grant, a step a line", async () => {
    const lock = await services.network.newcomer(lockPlan({ name: "Door", security: ["S2-access-control", "S0"] }));
    await using include = line.begin(["radio", "include", "--grant", "all", "--pin", lock.pin, "--json"]);
    await include.until(() => include.stdout.includes('"waiting"'));
    await services.network.press(lock);
    const { code, stdout, stderr } = await include.ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stages(stdout).filter((stage, index, all) => stage !== all[index - 1])).toEqual([
      ...["starting", "waiting", "found", "asking", "securing", "asking", "securing", "interviewing", "done"],
    ]);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ security: "S2-access-control" });
  });

  test("without encryption that is said clearly; the device leaves by its button", async () => {
    const plug = await services.network.newcomer(switchPlan({ name: "Plug" }));
    await using include = line.begin(["radio", "include", "--security", "none"]);
    await include.until(() => include.stdout.includes("Press the inclusion button"));
    await services.network.press(plug);
    const included = await include.ended;
    expect(included).toMatchObject({ code: 0, stdout: expect.stringMatching(/\(ZW005_1\), security none\.\n$/) });
    expect(included.stderr.split("\n").filter((each) => each.startsWith("Warning: "))).toHaveLength(2);
    await using exclude = line.begin(["radio", "exclude"]);
    await exclude.until(() => exclude.stdout.includes("Press the button"));
    await services.network.press(plug);
    expect(await exclude.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nIt was .*\(ZW005_1\)\.\n$/),
    });
  });

  test("Ctrl-C cancels it at the controller, and its end is waited for", async () => {
    await using include = line.begin(["radio", "include", "--security", "s0"]);
    await include.until(() => include.stdout.includes("Press the inclusion button"));
    include.signal("SIGINT");
    const { code, stderr } = await include.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/The network is left in order\.\n.*Canceled\. Nothing was changed\.\n$/),
    ]);
    expect(await services.operation()).toMatchObject({ kind: "include", stage: "cancelled" });
  });

  test("cancel ends an operation of another client", async () => {
    await using exclude = line.begin(["radio", "exclude"]);
    await exclude.until(() => exclude.stdout.includes("Press the button"));
    expect(await radio("cancel")).toMatchObject({ code: 0, stdout: expect.stringContaining("Canceled") });
    expect(await exclude.ended).toMatchObject({ code: 1, stderr: "domovoi: Canceled. Nothing was changed.\n" });
  });

  test("care: routes and firmware; what fails is a failure", async () => {
    expect((await radio("rebuild-routes", "--all", "--json")).code).toBe(0);
    writeFileSync(at("pump.hex"), FIRMWARE);
    expect(await radio("firmware", "2", at("pump.hex"))).toMatchObject({
      ...{ code: 0, stderr: "", stdout: expect.stringContaining("has new firmware") },
    });
    writeFileSync(at("none.hex"), "nothing");
    const refused = await radio("firmware", "2", at("none.hex"));
    expect([refused.code, refused.stderr]).toEqual([1, "domovoi: The file is not a readable firmware file.\n"]);
  });

  test("the list of those that may join", async () => {
    expect(await line.read("radio", "smartstart", "add", DSK.replaceAll("-", ""))).toContain(`${DSK} may join`);
    expect(await line.read("radio", "smartstart", "list")).toMatch(new RegExp(`\\n${DSK} +S2-\\S.* may join\\n$`));
    expect(await line.read("radio", "smartstart", "remove", "11111")).toBe(`${DSK} is removed from the list.\n`);
  });

  test("a report for a bug, and the memory of the adapter as a file, which goes back only when it is confirmed", async () => {
    expect((await radio("diagnostics", at("report.json"), "--no-names")).code).toBe(0);
    expect(JSON.parse(readFileSync(at("report.json"), "utf8"))).toMatchObject({
      format: 1,
      versions: expect.any(Object),
    });
    expect(await line.read("radio", "nvm", "save", at("adapter.bin"))).toContain("adapter.bin: 49152 bytes.");
    expect([statSync(at("adapter.bin")).size, statSync(at("adapter.bin")).mode & 0o777]).toEqual([49_152, 0o600]);
    const unsaid = await radio("nvm", "restore", at("adapter.bin"));
    expect([unsaid.code, unsaid.stderr]).toEqual([
      2,
      expect.stringContaining("Confirm it with --confirm and the home id"),
    ]);
    expect((await radio("nvm", "restore", at("adapter.bin"), "--confirm", "00000000")).code).toBe(1);
    expect(await services.operation()).toMatchObject({ kind: "backup" });
  });
});

describe("with two adapters", { timeout: 60_000 }, () => {
  test("the adapter must be named, and operations of either are followed", async () => {
    await using stage = await startStage();
    stage.server.nowMs = Date.now;
    const radios = ["zwave", "zwave2"].map((name) => ({
      name,
      protocol: "Z-Wave",
      state: "ready",
      detail: "",
      about: null,
      operation: null,
    }));
    stage.server.on("GET /api/radios", json(radios));
    stage.server.on("GET /api/radios/zwave2/nodes", json([{ address: "ZY005_1", state: "asleep" }]));
    const env = {
      ...line.bare,
      DOMOVOI_URL: stage.server.url,
      DOMOVOI_USER: ACCOUNT.user,
      DOMOVOI_PASSWORD: ACCOUNT.password,
    };
    expect(await line.run(["radio", "nodes"], env)).toMatchObject({
      ...{
        code: 2,
        stderr: "domovoi: There are several radio networks: --radio zwave or --radio zwave2 says which.\n",
      },
    });
    const { stdout } = await line.run(["radio", "nodes", "--radio", "zwave2", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 5, name: "", address: "ZY005_1", state: "asleep" }]);
    await using home = await connectTo(stage);
    const step = { id: "7", kind: "include", stage: "waiting", question: null, address: null, percent: null } as const;
    const event = {
      kind: "operation",
      at: "",
      seqnum: 1,
      step: { ...step, result: {}, detail: "Press." },
    } as const;
    expect(eventLine(home, event)).toMatch(/Radio network +include waiting: Press\.$/);
    expect(eventJson(home, event)).toMatchObject({ kind: "operation", operation: "include", stage: "waiting" });
  });
});

describe("when the connection is lost on the way", { timeout: 60_000 }, () => {
  const STEP = '<operation id="7" kind="exclude" stage="waiting"><detail>Press the button.</detail></operation>';
  const operation = (stage: string, detail: string) =>
    json({ id: "7", kind: "exclude", stage, question: null, address: null, percent: null, result: {}, detail });

  test.each([
    [
      "steps of the meantime are printed",
      operation("done", "It has left."),
      0,
      /the operation continues at the controller\.\n$/,
    ],
    [
      "an operation that the controller no longer has is reported",
      json(null),
      1,
      /\ndomovoi: The controller was restarted, /,
    ],
  ])("%s", async (_what, found, code, stderr) => {
    await using stage = await startStage();
    const { server } = stage;
    server.nowMs = Date.now;
    server.on(
      "GET /api/radios",
      json([{ name: "zwave", protocol: "Z-Wave", state: "ready", detail: "", about: null, operation: null }]),
    );
    server.on("POST /api/integrations/zwave/operation", operation("starting", "It begins."));
    server.on("GET /api/integrations/zwave/operation", found);
    const env = {
      ...line.bare,
      DOMOVOI_URL: server.url,
      DOMOVOI_USER: ACCOUNT.user,
      DOMOVOI_PASSWORD: ACCOUNT.password,
    };
    await using exclude = line.begin(["radio", "exclude"], env);
    await server.until(() => server.sockets.length === 1);
    server.send(HEARTBEAT);
    await server.until(() => server.count("POST /api/integrations/zwave/operation") === 1);
    server.send(frame({ control: "_21", action: "2.3", info: STEP }));
    await exclude.until(() => exclude.stdout === "Press the button.\n");
    server.sockets[0]?.terminate();
    await server.until(() => server.sockets.length === 2);
    server.send(HEARTBEAT);
    expect(await exclude.ended).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
  });
});

describe("for a person at a terminal", { timeout: 60_000 }, () => {
  test("the keys and the PIN are requested, and an invalid PIN is requested again", async () => {
    const lock = await services.network.newcomer(lockPlan({ name: "Shed", security: ["S2-access-control", "S0"] }));
    await using terminal = new Terminal(["radio", "include"], line.portal);
    await terminal.until("Press the inclusion button");
    await services.network.press(lock);
    await terminal.until("Grant which?");
    terminal.type("1");
    await terminal.until(`_____${lock.dsk.slice(5)}`);
    await terminal.until("PIN, the first five digits");
    terminal.type("12");
    await terminal.until("The PIN has five digits.");
    terminal.type(lock.pin);
    await terminal.until("security S2-access-control.");
    expect(await terminal.ended).toBe(0);
    expect(services.network.device("Shed").dsk).toBe(lock.dsk);
  });

  test("Ctrl-C at a question cancels, and the outcome for the device is printed", async () => {
    const lock = await services.network.newcomer(lockPlan({ name: "Gate", security: ["S2-access-control"] }));
    await using terminal = new Terminal(["radio", "include"], line.portal);
    await terminal.until("Press the inclusion button");
    await services.network.press(lock);
    await terminal.until("Grant which?");
    terminal.interrupt();
    await terminal.until("without keys");
    expect(await terminal.ended).toBe(1);
  });

  test("a memory is restored after the home id was typed, and the progress bar starts again for each part", async () => {
    await using terminal = new Terminal(["radio", "nvm", "restore", at("adapter.bin")], line.portal);
    await terminal.until("Write d0307001 to do it");
    terminal.type("D0307001");
    await terminal.until("Writing the adapter's memory.");
    await terminal.until("The driver restarts with it.");
    expect(await terminal.ended).toBe(0);
  });
});
