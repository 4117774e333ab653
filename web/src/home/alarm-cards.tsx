/** Alarms above everything: what, where, since when, and what to do first. Loaded when there is one. */

import type { Node } from "@domovoi/client";
import { TriangleAlert } from "lucide-preact";
import { Link } from "wouter-preact";
import { stateText } from "../parts/node-state.ts";
import { nodeHref } from "../parts/things.ts";
import { seesPast } from "../session/role.ts";
import { useStore } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { type TextKey, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { AlertCard, useAlerts } from "./alert-cards.tsx";
import type { Room } from "./rooms.ts";

type AlarmCardsProps = {
  readonly alarms: readonly Node[];
  readonly rooms: readonly Room[];
  readonly deviceOf: (node: Node) => Node;
};

export function AlarmCards({ alarms, rooms, deviceOf }: AlarmCardsProps) {
  const roomOf = (device: Node) => rooms.find((room) => room.nodes.includes(device))?.name ?? "";
  const alertNodes = alarms.filter(({ role }) => role === "alert");
  const { alerts, reload } = useAlerts(alertNodes);
  // An alert names its sensors.
  const named = new Set(alerts.flatMap(({ node, sources }) => [node, ...sources]));
  const others = alarms.filter(({ address, role }) => role !== "alert" && !named.has(address));
  const devices = new Map(others.map((node) => [deviceOf(node), node]));
  return (
    <>
      {alertNodes.map((node) => {
        const alert = alerts.find((each) => each.node === node.address);
        return alert && <AlertCard key={node.address} alert={alert} node={node} deviceOf={deviceOf} reload={reload} />;
      })}
      {Array.from(devices, ([device, node]) => (
        <AlarmCard key={node.address} node={node} name={device.name} room={roomOf(device)} />
      ))}
    </>
  );
}

function AlarmCard({ node, name, room }: { node: Node; name: string; room: string }) {
  const store = useStore();
  const reportedAtMs = store.reportedAtMs(node.address, "ST");
  // It was reported before this page was opened.
  const path = reportedAtMs === null && seesPast() && !store.past.value ? nodeWhy(node) : null;
  const { data } = useLoaded<{ readonly since: string | null }>(path);
  const atMs = reportedAtMs ?? Date.parse(data?.since ?? "");
  const about = [room, Number.isFinite(atMs) ? timeText(atMs) : "", t(ADVICE[node.role ?? ""] ?? "alarm.other")];
  return (
    <p class="card alarm" role="alert">
      <TriangleAlert size={24} aria-hidden />
      <span>
        <strong>{`${name}: ${stateText(node)}`}</strong>
        <span>{about.filter(Boolean).join(" · ")}</span>
      </span>
      <Link class="button" href={nodeHref(node.address)}>
        {t("alarm.open")}
      </Link>
    </p>
  );
}

function nodeWhy({ address }: Node): string {
  return `/api/why/node/${encodeURIComponent(address)}`;
}

/** What to do first. */
const ADVICE: Readonly<Record<string, TextKey>> = {
  leak: "alarm.leak",
  "leak-dry": "alarm.leak",
  smoke: "alarm.smoke",
  "carbon-monoxide": "alarm.gas",
  gas: "alarm.gas",
  lock: "alarm.jam",
};
