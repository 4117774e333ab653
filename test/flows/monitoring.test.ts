/** Health for everybody, its reasons for accounts, and metrics for Prometheus with a token of their own. */

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import parsePrometheus from "parse-prometheus-text-format";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { HEALTH_REASONS } from "../../src/monitoring/health.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController, type TestOptions } from "../support/controller.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const NOBODY = { headers: {} };

async function start(settings: Partial<Config> = {}, options: TestOptions = {}): Promise<TestController> {
  const controller = await startTestController(settings, options);
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

type Health = {
  readonly status: string;
  readonly reasons: readonly { readonly code: string; readonly detail: string }[];
};

async function health({ local }: TestController): Promise<Health> {
  return (await local.get("/healthz")).json<Health>();
}

function tokenFile(token = TOKEN): string {
  const path = join(temporaryDirectory(), "token");
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return path;
}

type Sample = { readonly value: string; readonly labels?: Readonly<Record<string, string>> };
type Family = { readonly name: string; readonly type: string; readonly metrics: readonly Sample[] };

async function scrape(controller: TestController): Promise<readonly Family[]> {
  const answer = await controller.local.request("GET", "/metrics", bearer(TOKEN));
  expect(answer.status).toBe(200);
  return parsePrometheus(answer.text) as readonly Family[];
}

function value(families: readonly Family[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const family = families.find((each) => each.name === name);
  const found = family?.metrics.find((each) =>
    Object.entries(labels).every(([label, wanted]) => each.labels?.[label] === wanted),
  );
  return Number(found?.value ?? Number.NaN);
}

test("everybody sees one word on both listeners, and an account sees the reasons", async () => {
  const controller = await start({ diskFreeBytesMin: 1_099_511_627_776 });
  for (const listener of [controller.portal, controller.local]) {
    const answer = await listener.request("GET", "/healthz", NOBODY);
    expect({ status: answer.status, body: answer.json() }).toEqual({ status: 200, body: { status: "degraded" } });
  }
  expect(await health(controller)).toMatchObject({ status: "degraded", reasons: [{ code: "DISK_LOW" }] });
  expect((await controller.portal.request("GET", "/healthz", bearer("guessed"))).status).toBe(401);
  await controller.restart({ diskFreeBytesMin: 0 });
  expect(await health(controller)).toEqual({
    status: "ok",
    reasons: [],
    store: { role: "alone", epoch: 0, writer: hostname(), sinceMs: START_MS, isConfirmed: true },
    certificate: { source: "own", validTo: "2028-07-10T12:00:00.000Z", renewalFailure: null, nextRenewal: null },
  });
});

test("a radio that is not up yet makes it starting, and one that fails makes it degraded", async () => {
  const mute = createServer();
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void mute.close());
  const { port } = mute.address() as AddressInfo;
  const controller = await start(
    { zwavePort: `tcp://127.0.0.1:${port}`, diskFreeBytesMin: 0 },
    { awaitsRadios: false },
  );
  const early = await controller.local.get("/healthz");
  expect({ status: early.status, body: early.json() }).toEqual({
    status: 503,
    body: expect.objectContaining({ status: "starting", reasons: [] }),
  });
  mute.close();
  await controller.clock.advance(20_000);
  await controller.controller.radiosStarted;
  expect(await health(controller)).toMatchObject({ status: "degraded", reasons: [{ code: "INTEGRATION_DOWN" }] });
});

test("a backup that fails, or is missed for days, is a reason until one succeeds", async () => {
  const controller = await start({ diskFreeBytesMin: 0 });
  const make = async () => {
    const { id } = (await controller.portal.post("/api/backup")).json<{ data: { id: string } }>().data;
    let state: string;
    do
      state = (await controller.portal.get(`/api/backup/${id}?wait=15`)).json<{ data: { state: string } }>().data.state;
    while (state === "making" || state === "proving");
    return state;
  };
  await controller.login();
  expect(await make()).toBe("ready");
  expect(await health(controller)).toMatchObject({ status: "ok" });
  await controller.restart({ backupDirectory: join(controller.data, "domovoi.sqlite", "backups"), backupHour: 3 });
  await controller.login();
  expect(await make()).toBe("failed");
  expect(await health(controller)).toMatchObject({ reasons: [{ code: "BACKUP_FAILED" }] });
  await controller.restart();
  expect(await health(controller)).toMatchObject({ status: "ok" });
  await controller.stop();
  await controller.clock.advance(53 * 3_600_000);
  await controller.restart();
  expect(await health(controller)).toMatchObject({ reasons: [{ code: "BACKUP_FAILED" }] });
});

test("a clock that lost its battery is a reason", async () => {
  const controller = await start({ diskFreeBytesMin: 0 }, { clock: new VirtualClock(Date.UTC(2015, 0, 1)) });
  expect(await health(controller)).toMatchObject({ reasons: [{ code: "CLOCK_WRONG" }] });
});

test("a clock without a time server and too much memory are reasons, and stand in the log once", async () => {
  const controller = await start(
    { diskFreeBytesMin: 0, memoryBytesHigh: 67_108_864 },
    { readClockSync: async () => false },
  );
  const codes = async () => (await health(controller)).reasons.map(({ code }) => code);
  expect(await codes()).toEqual(["MEMORY_HIGH"]);
  for (let turn = 0; turn < 3; turn += 1) {
    await controller.clock.advance(600_000);
    await controller.local.get("/healthz");
  }
  expect(await codes()).toEqual(["MEMORY_HIGH", "CLOCK_UNSYNCHRONIZED"]);
  const errors = controller.lines.filter(({ level }) => level === "error").map(({ fields }) => fields.kind);
  expect(errors.toSorted()).toEqual(["CLOCK_UNSYNCHRONIZED", "MEMORY_HIGH"]);
});

test("a clock that is set stands in the log with its direction, and an evening without a jump does not", async () => {
  const controller = await start({ diskFreeBytesMin: 0 });
  const jumps = () => controller.lines.flatMap(({ message }) => /set (?:forward|back) by \d+ \w+/.exec(message) ?? []);
  await controller.clock.advance(3_600_000);
  expect(jumps()).toEqual([]);
  controller.clock.moveTo(controller.clock.now() + 2 * 3_600_000);
  await controller.clock.advance(600_000);
  controller.clock.moveTo(controller.clock.now() - 3_600_000);
  await controller.clock.advance(600_000);
  expect(jumps()).toEqual(["set forward by 2 hours", "set back by 60 minutes"]);
});

test("metrics are parsed by a reader of the Prometheus format, and count what happens", async () => {
  const controller = await start({ metricsTokenFile: tokenFile() });
  const before = await scrape(controller);
  expect(value(before, "domovoi_nodes")).toBe(controller.services.home.nodes.size);
  expect(value(before, "domovoi_commands_total", { outcome: "acknowledged" })).toBe(0);
  const stream = await controller.subscribe("rest");
  const [lamp] = [...controller.services.home.nodes.values()].filter(({ name }) => name === "Hall Ceiling");
  expect((await controller.local.get(`/rest/nodes/${encodeURIComponent(lamp?.address ?? "")}/cmd/DON`)).status).toBe(
    200,
  );
  const program = [...controller.services.home.programs.values()].find(({ kind }) => kind === "program");
  expect(
    (await controller.local.get(`/rest/programs/${program?.id.toString(16).padStart(4, "0")}/runThen`)).status,
  ).toBe(200);
  const after = await scrape(controller);
  // The virtual lamp reports before it answers, so its command is confirmed at once.
  expect(value(after, "domovoi_commands_total", { outcome: "confirmed" })).toBeGreaterThan(0);
  expect(value(after, "domovoi_program_runs_total", { clause: "then" })).toBeGreaterThan(0);
  expect(value(after, "domovoi_http_requests_total", { surface: "rest", status: "200" })).toBe(2);
  expect(value(after, "domovoi_stream_clients", { listener: "local" })).toBe(1);
  expect(value(after, "domovoi_connections", { listener: "local" })).toBeGreaterThan(1);
  expect(value(after, "domovoi_integrations", { state: "ready" })).toBe(1);
  expect(value(after, "domovoi_disk_free_bytes")).toBeGreaterThan(0);
  expect(value(after, "domovoi_journal_backlog_entries")).toBeGreaterThanOrEqual(0);
  expect(value(after, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
  expect(value(after, "process_resident_memory_bytes")).toBeGreaterThan(0);
  for (const code of HEALTH_REASONS) expect([0, 1]).toContain(value(after, "domovoi_degraded", { code }));
  expect(unknownOnDashboard(after)).toEqual([]);
  await stream.close();
});

/** Metrics that the dashboard for Grafana names and the controller does not serve. */
function unknownOnDashboard(families: readonly Family[]): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "../../packaging/grafana-dashboard.json"), "utf8");
  const dashboard = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const named = dashboard.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:domovoi|nodejs|process)_\w+/g) ?? []),
  );
  const served = new Set(families.map(({ name }) => name));
  expect(named.length).toBeGreaterThan(10);
  return named.filter((name) => !served.has(name.replace(/_bucket$/, "")));
}

test("metrics open with their own token only, and are off without one", async () => {
  const controller = await start();
  expect((await controller.local.request("GET", "/metrics", bearer(TOKEN))).status).toBe(404);
  const path = tokenFile();
  await controller.restart({ metricsTokenFile: path });
  await controller.login();
  expect((await controller.local.get("/metrics")).status).toBe(401);
  expect((await controller.portal.get("/metrics")).status).toBe(401);
  expect((await controller.portal.request("GET", "/metrics", NOBODY)).status).toBe(401);
  expect((await controller.portal.request("GET", "/metrics", bearer(TOKEN))).status).toBe(200);
  expect((await controller.portal.request("GET", "/api/variables/1", bearer(TOKEN))).status).toBe(401);
  await controller.stop();
  chmodSync(path, 0o644);
  await expect(start({ metricsTokenFile: path })).rejects.toThrow("can be read by others");
  await expect(start({ metricsTokenFile: tokenFile("short") })).rejects.toThrow("shorter than 16");
});
