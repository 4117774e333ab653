/** `domovoi report`: of a running controller, and of a data directory whose service does not start. */

import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;
const at = (name: string) => join(line.directory, name);

type Report = {
  readonly machine: { readonly domovoi: string };
  readonly health: { readonly status: string };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly integrations: readonly { readonly id: string; readonly state: string; readonly nodes: number }[];
  readonly counts: { readonly programs: object; readonly accounts: object };
  readonly disk: { readonly files: Readonly<Record<string, number>> };
  readonly log: readonly string[];
};

beforeAll(async () => {
  line = await CommandLine.start({ latitude: 51.4769, allowedHosts: ["anna.example"], diskFreeBytesMin: 0 });
});

afterAll(() => line[Symbol.asyncDispose]());

test("the report of a running controller is a file of its owner's, with settings, states, counts and the log", {
  timeout: 30_000,
}, async () => {
  const { services } = line.controller;
  services.log.error('A program named "Anna\'s Alarm" failed.', {
    program: "Anna's Alarm",
    node: "ZW002_1",
    error: new Error("Anna"),
  });
  expect(await line.run(["report", at("report.json")])).toMatchObject({ code: 0, stderr: "" });
  expect(statSync(at("report.json")).mode & 0o777).toBe(0o600);
  const text = readFileSync(at("report.json"), "utf8");
  const report = JSON.parse(text) as Report;
  expect(report).toMatchObject({
    machine: { domovoi: services.productVersion },
    health: { status: "ok" },
    settings: { latitude: "(set)", allowedHosts: "(set)", demo: true, timeZone: "Europe/Berlin" },
    integrations: [{ id: "virtual", state: "ready", nodes: services.home.nodes.size }],
    counts: { accounts: { "local owner": 1, "portal owner": 1 } },
  });
  expect(report.disk.files["domovoi.sqlite"]).toBeGreaterThan(0);
  expect(report.log.at(-1)).toMatch(
    / error A program named "…" failed\. \{"node":"ZW002_1","error":\{"name":"Error","at":\["cli\/report\.test\.ts:\d+"/,
  );
  expect(text).not.toMatch(/[Aa]nna/);
  expect(await line.run(["report", at("report.json")])).toMatchObject({ code: 1 });
});

test("an account that may not administer gets no report", { timeout: 30_000 }, async () => {
  await line.controller.login();
  const guest = { kind: "portal", login: "guest@example.org", role: "guest", password: "tea with the neighbours" };
  expect((await line.controller.portal.post("/api/accounts", guest)).status).toBe(200);
  const env = { ...line.portal, DOMOVOI_USER: guest.login, DOMOVOI_PASSWORD: guest.password };
  expect(await line.run(["report"], env)).toMatchObject({ code: 1, stdout: "" });
});

test("a directory is reported on without its service, damaged or not, and is left as it was", {
  timeout: 60_000,
}, async () => {
  await line.controller.stop();
  const data = line.controller.data;
  const files = () => readdirSync(data).map((name) => `${name} ${statSync(join(data, name)).size}`);
  const before = files();
  type Inspected = { database: { format: unknown; check: unknown; rows: Record<string, unknown> }; files: object };
  const inspected = JSON.parse(await line.read("report", "--data", data)) as Inspected;
  expect(inspected.database).toMatchObject({
    check: ["ok"],
    rows: { nodes: line.controller.services.home.nodes.size },
  });
  expect(files()).toEqual(before);
  truncateSync(join(data, "domovoi.sqlite"), 8192);
  const damaged = JSON.parse(await line.read("report", "--data", data)) as Inspected;
  expect(JSON.stringify(damaged.database)).toContain("problem");
  expect(await line.run(["report", "--data", at("nowhere")])).toMatchObject({
    code: 1,
    stderr: `domovoi: There is no directory "${at("nowhere")}".\n`,
  });
});
