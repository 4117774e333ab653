/**
 * The metrics of `/metrics`, in the text format of Prometheus. Loaded only when the setting metricsTokenFile is set.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ServiceState } from "../drivers/service.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Backups, StoreStatus } from "../home/durability.ts";
import type { Home } from "../home/home.ts";
import type { TraceRecord } from "../programs/trace-record.ts";
import { readSecretFile } from "../util/secret-file.ts";
import { productVersion } from "../version.ts";
import type { DiskSpaceReader } from "./disk-space.ts";
import { HEALTH_REASONS, type Health } from "./health.ts";

export type Metrics = {
  readonly contentType: string;
  /** @throws ControllerError TOKEN_REFUSED for another token than that of the file. */
  checkToken(authorization: string | undefined): void;
  text(): Promise<string>;
  requestAnswered(surface: string, status: number, tookMs: number): void;
};

type MetricsPorts = {
  readonly tokenFile: string;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly health: Health;
  readonly disk: DiskSpaceReader;
  readonly backups: Pick<Backups, "list">;
  readonly integrations: { list(): readonly { readonly state: ServiceState }[] };
  readonly programs: { listenToTrace(listener: (record: TraceRecord) => void): () => void };
  readonly subscribers: () => readonly { readonly isPortal: boolean }[];
  /** Open connections by listener. */
  readonly connections: () => Readonly<Record<string, number>>;
  /** Journal entries that wait for the disk. */
  readonly backlog: () => number;
  readonly storeStatus: () => StoreStatus;
};

const TOKEN_CHARS_MIN = 16;
const DURATION_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const INTEGRATION_STATES: readonly ServiceState[] = ["starting", "ready", "degraded", "failed", "stopped"];

/** @throws ControllerError BAD_VALUE when the file holds no good token. */
export function createMetrics(ports: MetricsPorts): Metrics {
  const token = readToken(ports.tokenFile);
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  addState(registry, ports);
  addDisk(registry, ports);
  countCommands(registry, ports);
  countPrograms(registry, ports);
  const requests = new Counter({
    name: "domovoi_http_requests_total",
    help: "Requests answered, by surface (api, rest, soap, other) and status.",
    labelNames: ["surface", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "domovoi_http_request_duration_seconds",
    help: "Time from the head of a request to its answer.",
    labelNames: ["surface"],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  return {
    contentType: registry.contentType,
    checkToken(authorization) {
      if (!isSame(authorization ?? "", `Bearer ${token}`)) throw new ControllerError("TOKEN_REFUSED");
    },
    text: () => registry.metrics(),
    requestAnswered(surface, status, tookMs) {
      requests.inc({ surface, status });
      durations.observe({ surface }, tookMs / 1000);
    },
  };
}

function readToken(path: string): string {
  const token = readSecretFile("token", path);
  if (token.length >= TOKEN_CHARS_MIN) return token;
  throw badValue(`The token in ${path} (setting metricsTokenFile) is shorter than ${TOKEN_CHARS_MIN} characters.`);
}

/** Hashes both to equal lengths, so that the time of the comparison reveals nothing. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function addState(registry: Registry, ports: MetricsPorts): void {
  const { home, feed, subscribers, connections, backlog, integrations, storeStatus } = ports;
  gauge(registry, "domovoi_build_info", "1, with the version of Domovoi and of Node.", ["version", "node"], (set) =>
    set({ version: productVersion, node: process.versions.node }, 1),
  );
  gauge(registry, "domovoi_connections", "Open connections by listener.", ["listener"], (set) => {
    for (const [listener, count] of Object.entries(connections())) set({ listener }, count);
  });
  gauge(registry, "domovoi_stream_clients", "Clients that follow the event streams.", ["listener"], (set) => {
    const portal = subscribers().filter(({ isPortal }) => isPortal).length;
    set({ listener: "portal" }, portal);
    set({ listener: "local" }, subscribers().length - portal);
  });
  gauge(registry, "domovoi_nodes", "Nodes of the home.", [], (set) => set({}, home.nodes.size));
  gauge(registry, "domovoi_programs", "Programs and program folders.", [], (set) => set({}, home.programs.size));
  gauge(registry, "domovoi_journal_sequence", "Number of the newest entry of the journal.", [], (set) =>
    set({}, feed.lastSeq),
  );
  gauge(registry, "domovoi_journal_backlog_entries", "Journal entries that wait for the disk.", [], (set) =>
    set({}, backlog()),
  );
  gauge(
    registry,
    "domovoi_writer_epoch",
    "Changes of the machine that runs the home; 0 without a database.",
    [],
    (set) => set({}, storeStatus().epoch),
  );
  gauge(registry, "domovoi_integrations", "Integrations by state.", ["state"], (set) => {
    const states = integrations.list().map(({ state }) => state);
    for (const state of INTEGRATION_STATES) set({ state }, states.filter((each) => each === state).length);
  });
  gauge(registry, "domovoi_degraded", "1 for each reason why /healthz says degraded.", ["code"], async (set) => {
    const { reasons } = await ports.health.report();
    for (const code of HEALTH_REASONS) set({ code }, reasons.some((reason) => reason.code === code) ? 1 : 0);
  });
}

function addDisk(registry: Registry, { disk, backups }: MetricsPorts): void {
  gauge(registry, "domovoi_disk_free_bytes", "Free on the disk of the data directory.", [], async (set) =>
    set({}, (await disk.read())?.freeBytes ?? Number.NaN),
  );
  gauge(registry, "domovoi_disk_size_bytes", "Size of the disk of the data directory.", [], async (set) =>
    set({}, (await disk.read())?.totalBytes ?? Number.NaN),
  );
  gauge(registry, "domovoi_backup_newest_timestamp_seconds", "When the newest backup was made.", [], (set) => {
    const ready = backups.list().find(({ state }) => state === "ready");
    set({}, ready ? ready.takenAtMs / 1000 : 0);
  });
}

function countCommands(registry: Registry, { feed }: MetricsPorts): void {
  const commands = counter(
    registry,
    "domovoi_commands_total",
    "Commands by outcome; a queued one counts once more when it is over.",
    "outcome",
  );
  for (const outcome of ["acknowledged", "confirmed", "queued", "failed"]) commands.inc({ outcome }, 0);
  feed.listen(({ change }) => {
    if (change.type !== "command-moved" || change.state === "accepted" || change.state === "sent") return;
    commands.inc({ outcome: change.state });
  });
}

function countPrograms(registry: Registry, { programs }: MetricsPorts): void {
  const runs = counter(registry, "domovoi_program_runs_total", "Runs of programs that began, by clause.", "clause");
  const cuts = counter(registry, "domovoi_program_cuts_total", "Programs cut at a limit.", "limit");
  const left = counter(registry, "domovoi_program_not_run_total", "Starts that led to no run, by reason.", "reason");
  for (const clause of ["then", "else"]) runs.inc({ clause }, 0);
  programs.listenToTrace((record) => {
    if (record.kind === "run-began") runs.inc({ clause: record.clause });
    else if (record.kind === "cut") cuts.inc({ limit: record.limit });
    else if (record.kind === "not-run") left.inc({ reason: record.reason });
  });
}

function counter(registry: Registry, name: string, help: string, label: string): Counter {
  return new Counter({ name, help, labelNames: [label], registers: [registry] });
}

type SetValue = (labels: Record<string, string>, value: number) => void;

/** A gauge that is read on demand. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: (set: SetValue) => void | Promise<void>,
): void {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect: () => read((labels, value) => made.set(labels, value)),
  });
}
