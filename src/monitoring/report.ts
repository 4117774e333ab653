/**
 * The support report of a controller: no secrets, no names of people or things, no codes, so it can be passed on. A
 * new member must hold none of these; test/flows/secrets.test.ts checks.
 *
 * @see docs/interface/monitoring.md
 */

import { cpus, freemem, release, totalmem, uptime } from "node:os";
import { type Config, SETTINGS, type SettingName } from "../config.ts";
import type { ServiceState } from "../drivers/service.ts";
import type { Backups } from "../home/durability.ts";
import type { Home } from "../home/home.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import type { Clock } from "../util/clock.ts";
import { productVersion } from "../version.ts";
import { readDataSizes } from "./data-sizes.ts";
import type { DiskSpaceReader } from "./disk-space.ts";
import { certificateFacts, type Health } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import type { RecentLog } from "./recent-log.ts";
import { withoutNames } from "./without-names.ts";

type ReportPorts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly home: Home;
  readonly health: Health;
  readonly metrics: Metrics | null;
  readonly disk: DiskSpaceReader;
  readonly recentLog: RecentLog;
  readonly backups: Pick<Backups, "list">;
  readonly integrations: {
    list(): readonly (IntegrationRecord & { readonly state: ServiceState; reason: string; nodes: number })[];
  };
  readonly accounts: () => readonly { readonly kind: string; readonly role: string }[];
  readonly subscribers: () => readonly unknown[];
};

/** Texts without names. Any other text is shown only as set or not set. */
const TEXTS_SHOWN: ReadonlySet<SettingName> = new Set<SettingName>([
  ...(["host", "plainHost", "logLevel", "timeZone", "interfaceVersion", "zwaveRegion"] as const),
  ...(["forwardedHeader", "variablesAfterBoot"] as const),
]);
const NUMBERS_HIDDEN: ReadonlySet<SettingName> = new Set<SettingName>(["latitude", "longitude"]);

export async function supportReport(ports: ReportPorts): Promise<object> {
  const { config, clock, home, health, metrics, disk, recentLog, backups } = ports;
  const { status, reasons, certificate } = await health.report();
  const shown = certificateFacts(certificate);
  return {
    time: new Date(clock.now()).toISOString(),
    machine: machineFacts(),
    health: {
      status,
      // Its integration is named by its owner; the list of integrations says why.
      reasons: reasons.map(({ code, detail }) => ({
        code,
        detail: code === "INTEGRATION_DOWN" ? "" : withoutNames(detail),
      })),
      certificate: { ...shown, renewalFailure: shown.renewalFailure && withoutNames(shown.renewalFailure) },
    },
    settings: shownSettings(config),
    integrations: ports.integrations.list().map(({ id, type, state, reason, nodes, enabled, origin }) => {
      return {
        id: new RegExp(`^${type}\\d*$`).test(id) ? id : `${type}-…`,
        state,
        nodes,
        enabled,
        origin,
        reason: withoutNames(reason),
      };
    }),
    counts: {
      ...countsOf(home),
      accounts: tally(ports.accounts(), ({ kind, role }) => `${kind} ${role}`),
      streams: ports.subscribers().length,
    },
    disk: { ...(await disk.read()), files: await readDataSizes(config.data) },
    backups: backups.list().map(({ kind, state, takenAtMs, bytes, isEncrypted, failure, test }) => {
      return { kind, state, time: new Date(takenAtMs).toISOString(), bytes, encrypted: isEncrypted, failure, test };
    }),
    metrics: metrics ? (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#")) : null,
    log: recentLog.lines(),
  };
}

/** Facts about this process and its machine. */
export function machineFacts(): object {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    domovoi: productVersion,
    node: process.versions.node,
    system: `${process.platform} ${release()} ${process.arch}`,
    processors: cpus().length,
    memoryBytes: totalmem(),
    memoryFreeBytes: freemem(),
    upS: Math.round(uptime()),
    process: { upS: Math.round(process.uptime()), memoryBytes: rss, heapBytes: heapUsed },
  };
}

/** Settings that differ from their defaults. */
export function shownSettings(config: Config): Readonly<Record<string, unknown>> {
  const names = Object.keys(SETTINGS) as SettingName[];
  const changed = names.filter((name) => JSON.stringify(config[name]) !== JSON.stringify(SETTINGS[name].fallback));
  return Object.fromEntries(
    changed.map((name) => {
      const { kind } = SETTINGS[name];
      const isShown = kind === "text" ? TEXTS_SHOWN.has(name) : kind !== "list" && !NUMBERS_HIDDEN.has(name);
      return [name, isShown ? config[name] : "(set)"];
    }),
  );
}

function countsOf(home: Home): object {
  const programs = [...home.programs.values()];
  return {
    nodes: tally(
      [...home.nodes.values()],
      ({ family, link, enabled }) => `family ${family} ${enabled ? link : "disabled"}`,
    ),
    hiddenNodes: home.hiddenNodes.size,
    folders: home.folders.size,
    scenes: home.groups.size,
    programs: tally(programs, (entry) => (entry.kind === "folder" ? "folder" : entry.enabled ? "enabled" : "disabled")),
    variables: home.variables[1].size + home.variables[2].size,
    networkResources: home.networkResources.size,
    edits: home.edits.size,
  };
}

function tally<T>(things: readonly T[], keyOf: (thing: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(keyOf(thing), (counts.get(keyOf(thing)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}
