/** `domovoi integration` against a running controller. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

const DEVICES = JSON.stringify([{ kind: "relay", address: "AA BB 3 1", name: "Bench Relay" }]);

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());

const integration = (...args: readonly string[]) => line.run(["integration", ...args]);

async function listed(): Promise<readonly { readonly id: string; readonly state: string; readonly nodes: number }[]> {
  return JSON.parse((await integration("list", "--json")).stdout);
}

test("an integration is added, listed, set, stopped, started and removed", async () => {
  const done = (stdout: unknown) => ({ code: 0, stdout, stderr: "" });
  expect(await integration("add", "virtual", `devices=${DEVICES}`, "--name", "Bench")).toEqual(
    done("virtual2   ready\n"),
  );
  expect((await integration("list")).stdout).toMatch(
    /^ID +NAME +STATE +NODES +REASON\n(.*\n)*virtual2 +Bench +ready +1/,
  );
  expect(await integration("set", "virtual2", "devices=[]")).toEqual(done("virtual2   ready\n"));
  expect(await integration("stop", "virtual2")).toEqual(done("virtual2   stopped\n"));
  expect(await integration("start", "virtual2")).toEqual(done("virtual2   ready\n"));
  expect(await integration("restart", "virtual2")).toEqual(done("virtual2   ready\n"));
  const undecided = await integration("remove", "virtual2");
  expect([undecided.code, undecided.stderr]).toEqual([2, expect.stringContaining("--nodes remove or --nodes keep")]);
  expect(await integration("remove", "virtual2", "--nodes", "remove")).toEqual(
    done("virtual2 is removed; its nodes are removed.\n"),
  );
  expect((await listed()).map(({ id }) => id)).toEqual(["virtual"]);
}, 120_000);

test("one that does not start says why, and stays to be mended", async () => {
  const added = await integration("add", "zwave", "port=/dev/domovoi-no-adapter");
  expect([added.code, added.stdout]).toEqual([1, "zwave   failed\n"]);
  expect(added.stderr).toContain("There is no /dev/domovoi-no-adapter.");
  const removed = await integration("remove", "zwave");
  expect(removed).toEqual({ code: 0, stdout: "zwave is removed.\n", stderr: "" });
}, 120_000);

test("an error is one sentence", async () => {
  const cases = [
    [["add", "toaster"], 3, 'There is no type "toaster".'],
    [["add", "zwave", "speed=9600"], 2, 'The type zwave has no setting "speed". It has port, network, region.'],
    [["add", "zwave", "port=ttyACM0"], 1, "The setting port does not have the form that it needs. "],
    [["add", "virtual", "devices=x"], 2, "The setting devices is JSON, not x."],
    [["set", "virtual", "demoNodes=5"], 1, "The setting demo of the controller configures this integration."],
    [["set", "virtual"], 2, "Name a setting, or --name."],
    [["stop", "nobody"], 3, "There is no integration with this id."],
  ] as const;
  for (const [args, code, sentence] of cases) {
    const answer = await integration(...args);
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  }
}, 120_000);

test("types are described with their settings", async () => {
  const { stdout } = await integration("types");
  expect(stdout).toMatch(/^zwave {3}Z-Wave\. .*\n {2}port \(required\): /m);
  const types = JSON.parse((await integration("types", "--json")).stdout) as readonly { readonly type: string }[];
  expect(types.map(({ type }) => type)).toEqual([
    "virtual",
    "zwave",
    "insteon",
    "mqtt",
    "matter",
    "homeassistant",
    "announce",
    "matterbridge",
    "plugin",
    "presence",
    "alerts",
    "calendar",
    "email",
    "ntfy",
    "pushover",
    "telegram",
    "webhook",
    "push",
  ]);
}, 60_000);

test("an operation of any integration is listed, begun and followed to its end", async () => {
  await using radio = await CommandLine.start({ demo: false, demoRadio: true });
  const call = (...args: readonly string[]) => radio.run(["integration", "do", "zwave", ...args]);
  expect((await call()).stdout).toMatch(/^include {3}Adds a device .*\n {2}security: best: /);
  const unknown = await call("fly");
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    expect.stringContaining('zwave has no operation "fly". It has include,'),
  ]);
  const missing = await call("interview");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("The setting address is missing.")]);
  const routes = await call("rebuild-routes");
  expect([routes.code, routes.stdout, routes.stderr]).toEqual([0, expect.stringContaining("new routes"), ""]);
}, 180_000);
