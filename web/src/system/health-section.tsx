/** How the controller does: what needs its owner, memory, disk, answer times, and the latest lines of its log. */

import type { Home } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Card } from "../parts/layout.tsx";
import { saveFile } from "../parts/save-file.ts";
import { tokenStore } from "../session/token-store.ts";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { number, type TextKey, t } from "../text/text.ts";
import { durationText } from "../text/time.ts";

type Report = {
  readonly machine: {
    readonly domovoi: string;
    readonly node: string;
    readonly system: string;
    readonly memoryBytes: number;
    readonly memoryFreeBytes: number;
    readonly process: { readonly upS: number; readonly memoryBytes: number };
  };
  readonly health: {
    readonly status: string;
    readonly reasons: readonly { readonly code: string; readonly detail: string }[];
  };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly disk: { readonly freeBytes?: number; readonly totalBytes?: number };
  /** Lines in the format of Prometheus; null while they are off. */
  readonly metrics: readonly string[] | null;
  readonly log: readonly string[];
};

const MEBIBYTE = 2 ** 20;
const PERCENTILES = [50, 95, 99] as const;
const REASONS: Readonly<Record<string, TextKey>> = {
  DISK_FAILING: "health.diskFailing",
  WRITER_UNCONFIRMED: "health.writerUnconfirmed",
  DISK_LOW: "health.diskLow",
  INTEGRATION_DOWN: "health.integrationDown",
  BACKUP_FAILED: "health.backupFailed",
  CLOCK_WRONG: "health.clockWrong",
};
const TAGS: Readonly<Record<string, string>> = { ok: "good", degraded: "bad", starting: "lit" };

export function HealthSection() {
  const loaded = useLoaded<Report>("/api/report");
  const [named, setNamed] = useState<Report["health"] | null>(null);
  useEffect(() => void readHealth().then(setNamed), [loaded.data]);
  const report = loaded.data;
  if (!report) return <p role="status">{loaded.problem ?? t("starting")}</p>;
  const save = () => saveFile("domovoi-report.json", new Blob([JSON.stringify(report, null, 2)]));
  const actions = (
    <>
      <button type="button" onClick={loaded.reload}>
        {t("log.reload")}
      </button>
      <button type="button" onClick={save}>
        {t("health.save")}
      </button>
    </>
  );
  const { status, reasons } = named ?? report.health;
  return (
    <>
      <Card
        title={t("health.title")}
        actions={<span class={`tag ${TAGS[status] ?? ""}`}>{t(`health.${status}` as TextKey)}</span>}
      >
        {reasons.length === 0 && <p>{t("health.fine")}</p>}
        <ul class="rows">
          {reasons.map((reason) => (
            <Reason key={reason.code + reason.detail} reason={reason} />
          ))}
        </ul>
      </Card>
      <Machine report={report} />
      <Latency metrics={report.metrics} />
      <Settings settings={report.settings} />
      <Card title={t("log.title")} actions={actions}>
        <p class="hint">{t("health.logAbout")}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
        <pre class="log" tabIndex={0}>
          {report.log.toReversed().join("\n") || t("log.none")}
        </pre>
      </Card>
    </>
  );
}

/** With the names that the report leaves out, because it is made for others; null without an answer. */
/** With its reasons; null: not read. */
export async function readHealth(): Promise<Report["health"] | null> {
  const headers = { Authorization: `Bearer ${tokenStore.read()?.access}` };
  const answer = await fetch("/healthz", { headers }).catch(() => null);
  return answer?.ok ? ((await answer.json()) as Report["health"]) : null;
}

type HealthReason = Report["health"]["reasons"][number];

function Reason({ reason: { code, detail } }: { reason: HealthReason }) {
  const home = useHome();
  const isDown = code === "INTEGRATION_DOWN";
  const [place, setPlace] = useState<string | null>(null);
  useEffect(() => {
    if (isDown) placeOf(home, detail).then(setPlace, () => {});
  }, [code, detail]);
  return (
    <li>
      <span class="main">
        {REASONS[code] ? t(REASONS[code]) : code}
        {detail && <small>{place === null ? detail : <Link href={place}>{detail}</Link>}</small>}
      </span>
    </li>
  );
}

/** Where the integration, plugin or channel of a reason is on the page. */
async function placeOf(home: Home, detail: string): Promise<string | null> {
  const [list, types] = await Promise.all([home.integrations.list(), home.integrations.types()]);
  const found = list.find(({ name, reason }) => detail === `${name}: ${reason}`);
  if (!found) return null;
  if (found.type === "plugin") {
    const plugin = (await home.plugins.list()).find(({ name }) => name === found.name);
    return plugin ? `/system/plugins/${plugin.slot}` : "/system/plugins";
  }
  const notifies = types.find(({ type }) => type === found.type)?.notifies ?? false;
  return `/system/${notifies ? "notifications" : "integrations"}/${encodeURIComponent(found.id)}`;
}

function Machine({ report: { machine, disk } }: { report: Report }) {
  const size = (bytes: number) =>
    bytes >= 1024 * MEBIBYTE
      ? t("health.gib", { size: number(Math.round(bytes / MEBIBYTE / 102.4) / 10) })
      : t("health.mib", { size: number(Math.round(bytes / MEBIBYTE)) });
  const { freeBytes, totalBytes } = disk;
  const isDiskKnown = freeBytes !== undefined && totalBytes !== undefined;
  return (
    <Card title={t("health.machine")}>
      <dl>
        <dt>Domovoi</dt>
        <dd>
          {machine.domovoi}, Node {machine.node}, {machine.system}
        </dd>
        <dt>{t("health.up")}</dt>
        <dd>{durationText(machine.process.upS * 1000)}</dd>
        <dt>{t("health.memory")}</dt>
        <dd>{size(machine.process.memoryBytes)}</dd>
        <dt>{t("health.machineMemory")}</dt>
        <dd>{t("health.freeOf", { free: size(machine.memoryFreeBytes), all: size(machine.memoryBytes) })}</dd>
        {isDiskKnown && (
          <>
            <dt>{t("health.disk")}</dt>
            <dd>{t("health.freeOf", { free: size(freeBytes), all: size(totalBytes) })}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Latency({ metrics }: { metrics: Report["metrics"] }) {
  const surfaces = metrics
    ? ["api", "rest"]
        .map((surface) => ({ surface, found: percentiles(metrics, surface) }))
        .filter(({ found }) => found !== null)
    : [];
  return (
    <Card title={t("health.latency")}>
      {metrics === null && <p class="hint">{t("health.metricsOff")}</p>}
      {surfaces.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("health.surface")}</th>
              {PERCENTILES.map((percent) => (
                <th key={percent} scope="col">
                  {t("health.percent", { percent })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {surfaces.map(({ surface, found }) => (
              <tr key={surface}>
                <th scope="row">/{surface}</th>
                {found?.map((atMostS, index) => (
                  <td key={PERCENTILES[index]}>
                    {atMostS === Infinity ? t("health.longer") : t("health.within", { ms: number(atMostS * 1000) })}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** The bounds within which so many requests were answered, in seconds, from the buckets of the histogram; null before the first. */
function percentiles(metrics: readonly string[], surface: string): readonly number[] | null {
  const buckets = metrics.flatMap((line) => {
    const [, bound, of, count] =
      /^domovoi_http_request_duration_seconds_bucket\{le="([^"]+)",surface="([^"]+)"\} (\d+)/.exec(line) ?? [];
    return of === surface ? [{ atMostS: bound === "+Inf" ? Infinity : Number(bound), count: Number(count) }] : [];
  });
  const all = buckets.at(-1)?.count ?? 0;
  if (all === 0) return null;
  return PERCENTILES.map((percent) => buckets.find(({ count }) => count >= (all * percent) / 100)?.atMostS ?? Infinity);
}

function Settings({ settings }: { settings: Report["settings"] }) {
  const changed = Object.entries(settings);
  return (
    <Card title={t("health.settings")}>
      <p class="hint">{t("health.settingsAbout")}</p>
      {changed.length === 0 && <p class="empty">{t("health.noSettings")}</p>}
      <dl>
        {changed.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}
