/** `domovoi watch`: every event is a line, unchanged values are not repeated, and the end is clean. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DriverHost } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { ACCOUNT, ScriptedServer } from "../client/support/scripted-server.ts";
import { COMMAND, type DomovoiProcess } from "../simulation/service-process.ts";
import { CommandLine } from "./command-line.ts";

const METER = "n030_meter";
const LAMP = "1A 2B 3C 1";
const CAUSE = { kind: "system", id: "test", by: null } as const;

let line: CommandLine;
let driver: DriverHost;

beforeAll(async () => {
  line = await CommandLine.start({ nodeReportsPerSecond: 10_000 });
  driver = new HomeHost(line.controller.services, "late", {
    get: () => undefined,
    set: () => {},
    delete: () => {},
    keys: () => [],
    saved: async () => {},
  });
  const spec = { address: METER, name: "Meter", nodeDefId: "x", family: 10, instance: 30, type: "0.0.0.0" };
  driver.node({ ...spec, primary: METER, devtype: null });
  report(0);
});
afterAll(() => line[Symbol.asyncDispose]());

function report(value: number): void {
  driver.report([{ address: METER, id: "GV1", value, uom: 73, prec: 0, cause: "report" }]);
}

/** The initial state is not printed, so the test makes changes until the first one is. */
async function watching(args: readonly string[]): Promise<DomovoiProcess> {
  const child = line.begin(["watch", ...args]);
  let value = -1;
  await line.whileUnseen(
    child,
    () => report(value--),
    () => child.stdout.includes("\n"),
  );
  report(0);
  await child.until(() => /"raw":"0"},"previous"| 0 Watts\n/.test(child.stdout));
  return child;
}

async function stop(child: DomovoiProcess) {
  child.signal("SIGINT");
  return child.ended;
}

type Told = { readonly kind: string; readonly address: string; readonly property: { readonly raw: string } };
const linesOf = (stdout: string) => stdout.split("\n").slice(0, -1);
const told = (stdout: string) => linesOf(stdout).map((each) => JSON.parse(each) as Told);

describe("into a pipe", { timeout: 60_000 }, () => {
  test("every one of 1,000 reports at once is a line, in their order", async () => {
    await using child = await watching(["Meter", "--json"]);
    const before = linesOf(child.stdout).length;
    for (let value = 1; value <= 1000; value += 1) report(value);
    await child.until(() => child.stdout.includes('"raw":"1000"},"previous"'));
    const raws = told(child.stdout)
      .slice(before)
      .map(({ property }) => Number(property.raw));
    expect(raws).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
    expect(await stop(child)).toMatchObject({ code: 0, stderr: "" });
  });

  test("lines for people show time, name, property and value; events of other kinds too", async () => {
    await using child = await watching([]);
    const start = child.stdout.length;
    const { services, clock } = line.controller;
    services.feed.commit(
      { type: "variable-written", variableType: 2, id: 3, value: 225, before: 215, writtenAtMs: clock.now() },
      CAUSE,
    );
    driver.control(METER, "DON", 0);
    await line.read("send", "Hall Ceiling", "DON", "75%");
    await line.read("run", "Lock Up", "disable");
    await line.read("rename", "Desk Lamp", "Writing Lamp");
    await child.until(() => child.stdout.includes("Writing Lamp"));
    const time = String.raw`\d\d:\d\d:\d\d\.\d{3}`;
    const seen = child.stdout.slice(start);
    for (const what of [
      `${time}  Comfort Temperature +22\\.5`,
      `${time}  Meter +sent DON`,
      `${time}  Hall Ceiling +Status 75%`,
      `${time}  Lock Up +disabled`,
      `${time}  \\S.*Lamp +was renamed Writing Lamp`,
    ])
      expect(seen).toMatch(new RegExp(`^${what}$`, "m"));
    expect(seen).not.toContain("\u001b");
    await stop(child);
  });

  test("ends quietly when its reader closes the pipe", async () => {
    const command = `"${process.execPath}" "${COMMAND}" watch Meter --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const env = { PATH: process.env.PATH, ...line.portal };
    const child = spawn("bash", ["--norc", "-c", command], { env });
    const heard = { stdout: "", stderr: "", isOver: false };
    child.stdout.on("data", (chunk) => (heard.stdout += chunk));
    child.stderr.on("data", (chunk) => (heard.stderr += chunk));
    const closed = once(child, "close").then(() => (heard.isOver = true));
    for (let value = 1; !heard.isOver; value += 1) {
      report(value);
      await line.controller.local.get("/rest/ping");
    }
    await closed;
    expect([linesOf(heard.stdout).at(-1), heard.stderr]).toEqual(["0", ""]);
  });
});

describe("a stream that breaks off", { timeout: 60_000 }, () => {
  test("is reported once, and once when it is back; only what changed meanwhile is printed", async () => {
    await using server = await ScriptedServer.start();
    server.nowMs = Date.now;
    const account = { DOMOVOI_URL: server.url, DOMOVOI_USER: ACCOUNT.user, DOMOVOI_PASSWORD: ACCOUNT.password };
    await using child = line.begin(["watch", "--json"], { ...line.bare, ...account });
    const frame = (seqnum: number, value: number) =>
      `<?xml version="1.0"?><Event seqnum="${seqnum}" sid="uuid:1" timestamp="2031-02-03T04:05:06.000000-07:00"><control>ST</control>` +
      `<action uom="100" prec="0">${value}</action><node>5C 2 D1 1</node><eventInfo></eventInfo></Event>`;
    await server.until(() => server.sockets.length === 1);
    server.send(frame(0, 77));
    await child.until(() => child.stdout.includes('"raw":"77"'));
    server.sockets[0]?.terminate();
    await server.until(() => server.sockets.length === 2);
    server.send(frame(0, 77), frame(1, 78));
    await child.until(() => child.stderr.includes("again.\ndomovoi: Connected again.\n"));
    const { stdout, stderr } = await stop(child);
    expect(told(stdout).map(({ property }) => property.raw)).toEqual(["77", "78"]);
    expect(linesOf(stderr)).toEqual([
      "domovoi: The connection is lost; it is tried again.",
      "domovoi: Connected again.",
    ]);
  });
});

describe("filters", () => {
  test("by node, kind and number; in local mode as well", async () => {
    await using child = line.begin(
      ["watch", LAMP, "Meter", "--kind", "property", "--count", "3", "--json"],
      line.local,
    );
    let value = 5000;
    const act = () => {
      driver.control(METER, "DON", 0);
      report(value++);
    };
    await line.whileUnseen(child, act, () => linesOf(child.stdout).length === 3);
    const { code, stdout } = await child.ended;
    expect([code, told(stdout).map(({ kind, address }) => `${kind} ${address}`)]).toEqual([
      0,
      Array.from({ length: 3 }, () => `property ${METER}`),
    ]);
  });

  test.each([
    [["--kind", "propertys"], 2, 'There is no kind "propertys". Did you mean "property"?'],
    [["--count", "0"], 2, "--count is a whole number from 1."],
    [["Mter"], 3, 'There is no node or group "Mter". Did you mean "Meter"?'],
  ])("%j is told to be wrong", async (args, code, sentence) => {
    expect(await line.run(["watch", ...args])).toEqual({ code, stdout: "", stderr: `domovoi: ${sentence}\n` });
  });
});
